//! What ranks exchange in a round.

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use super::part::{End, Part};
use crate::engines::sets::frontier::Settled;
use crate::engines::sets::scores::Score;
use crate::reports::Traffic;

/// Values that a rank receives at a time, at least those of one orbit.
const RECEIVED: usize = 1 << 22;

/// How a round ended for all ranks.
pub(super) struct Round {
    /// By rank and orbit, whether a value changed.
    pub(super) changed: Vec<Vec<bool>>,
    pub(super) decided: u64,
    pub(super) end: End,
    pub(super) wants_checkpoint: bool,
}

impl Part<'_> {
    /// Exchanges how a round ended, and returns how it ended for all ranks. `settled` are the orbits
    /// with the few to move, and `decided` is the number of values of this rank that are no draws.
    pub(super) fn agree(
        &self,
        settled: &[Settled],
        decided: u64,
        too_long: bool,
        is_due: bool,
    ) -> Round {
        let end = match (too_long, self.observer.interrupted()) {
            (true, _) => End::Failed,
            (false, true) => End::Interrupted,
            (false, false) => End::Done,
        };
        let wants_checkpoint = is_due | self.cluster.wants_checkpoint();
        let head = [end as u64, decided, wants_checkpoint.into()];
        let bits = settled.chunks(64).map(|settled| {
            settled
                .iter()
                .rev()
                .fold(0, |bits, of| bits << 1 | u64::from(!of.frontier.runs.is_empty()))
        });
        let words: Vec<u64> = head.into_iter().chain(bits).collect();
        let started = Instant::now();
        let all = self.cluster.gather(&words);
        self.wait(started.elapsed());
        let mut round =
            Round { changed: Vec::new(), decided: 0, end: End::Done, wants_checkpoint: false };
        for words in all.chunks(words.len()) {
            let (head, bits) = words.split_at(head.len());
            round.end = round.end.max(match head[0] {
                0 => End::Done,
                1 => End::Interrupted,
                _ => End::Failed,
            });
            round.decided += head[1];
            round.wants_checkpoint |= head[2] != 0;
            let is_set = |orbit: usize| bits[orbit / 64] >> (orbit % 64) & 1 != 0;
            round.changed.push((0..self.orbits.len()).map(is_set).collect());
        }
        round
    }

    /// Cuts the orbits into stretches.
    pub(super) fn batches(&self) -> Vec<Range<usize>> {
        let mut batches = Vec::new();
        let (mut start, mut sums) = (0, vec![0; self.cluster.size()]);
        for orbit in 0..self.orbits.len() {
            for (sum, reached) in sums.iter_mut().zip(&self.reached) {
                *sum += self.layer.sum(orbit, reached);
            }
            if sums.iter().any(|&sum| sum > RECEIVED) && orbit > start {
                batches.push(start..orbit);
                start = orbit;
                for (sum, reached) in sums.iter_mut().zip(&self.reached) {
                    *sum = self.layer.sum(orbit, reached);
                }
            }
        }
        batches.push(start..self.orbits.len());
        batches
    }

    /// Sends values with the few to move of some orbits to the ranks that recompute these, and
    /// receives those of other ranks. Calls `meanwhile` until they arrive.
    pub(super) fn receive<S: Score>(
        &self,
        batch: &Range<usize>,
        few: &[S],
        recomputes: &impl Fn(usize, usize) -> bool,
        meanwhile: &mut dyn FnMut(),
    ) -> Received<S> {
        let (rank, size) = (self.cluster.rank(), self.cluster.size());
        let orbits_of =
            |reader: usize| batch.clone().filter(move |&orbit| recomputes(reader, orbit));
        let mut send = Vec::new();
        for reader in (0..size).filter(|&reader| self.reads[reader].contains(&rank)) {
            let patterns = self.of_owner(&self.reached[reader], rank);
            let mut values = Vec::new();
            for orbit in orbits_of(reader) {
                self.append(orbit, patterns, few, &mut values);
            }
            if !values.is_empty() {
                send.push((reader, values));
            }
        }
        let mut received = Received::default();
        let mut buffers = Vec::new();
        for &owner in &self.reads[rank] {
            let patterns = self.of_owner(&self.reached[rank], owner);
            let mut len = 0;
            for orbit in orbits_of(rank) {
                let sets = self.layer.sum(orbit, patterns);
                received.places.push((orbit, buffers.len(), len..len + sets));
                len += sets;
            }
            buffers.push((owner, vec![S::default(); len]));
        }
        received.places.sort_by_key(|(orbit, number, _)| (*orbit, *number));
        let send: Vec<(usize, &[S])> = send.iter().map(|(to, values)| (*to, &values[..])).collect();
        let mut receive: Vec<(usize, &mut [S])> = buffers
            .iter_mut()
            .filter(|(_, values)| !values.is_empty())
            .map(|(from, values)| (*from, &mut values[..]))
            .collect();
        self.exchange(&send, &mut receive, meanwhile);
        received.buffers = buffers.into_iter().map(|(_, values)| values).collect();
        received
    }

    /// Returns those of the patterns, which are sorted by owner, that a rank owns.
    fn of_owner<'p>(&self, patterns: &'p [u32], owner: usize) -> &'p [u32] {
        let start = patterns.partition_point(|&pattern| self.shares.owner(pattern) < owner);
        let end = patterns.partition_point(|&pattern| self.shares.owner(pattern) <= owner);
        &patterns[start..end]
    }

    /// Appends this rank's values of an orbit with these patterns.
    fn append<S: Score>(&self, orbit: usize, patterns: &[u32], values: &[S], to: &mut Vec<S>) {
        let mut wanted = patterns.iter().peekable();
        let mut at = self.starts[orbit];
        for &pattern in &self.owned[self.cluster.rank()] {
            let sets = self.layer.sets(orbit, pattern);
            if wanted.next_if(|&&wanted| wanted == pattern).is_some() {
                to.extend_from_slice(&values[at..at + sets]);
            }
            at += sets;
        }
        debug_assert!(wanted.next().is_none(), "the patterns are of this rank");
    }

    /// Exchanges values with other ranks, and counts what is sent and how long this rank waits.
    pub(super) fn exchange<S: Score>(
        &self,
        send: &[(usize, &[S])],
        receive: &mut [(usize, &mut [S])],
        meanwhile: &mut dyn FnMut(),
    ) {
        let (started, mut busy) = (Instant::now(), Duration::ZERO);
        let send: Vec<(usize, &[u8])> =
            send.iter().map(|(to, values)| (*to, bytemuck::must_cast_slice(values))).collect();
        let mut receive: Vec<(usize, &mut [u8])> = receive
            .iter_mut()
            .map(|(from, values)| (*from, bytemuck::must_cast_slice_mut(values)))
            .collect();
        self.cluster.exchange(&send, &mut receive, &mut || {
            let started = Instant::now();
            meanwhile();
            busy += started.elapsed();
        });
        self.wait(started.elapsed().saturating_sub(busy));
        let sent: usize = send.iter().map(|(_, bytes)| bytes.len()).sum();
        self.sent.fetch_add(sent as u64, Relaxed);
    }

    fn wait(&self, time: Duration) {
        self.waited.fetch_add(time.as_nanos() as u64, Relaxed);
    }

    /// Returns what all ranks have sent so far, and the share of the time in which they waited.
    pub(super) fn traffic(&self) -> (Traffic, f64) {
        let time = self.started.elapsed().as_nanos() as u64;
        let words = [self.sent.load(Relaxed), self.waited.load(Relaxed), time];
        let all = self.cluster.gather(&words);
        let sum = |place: usize| all.iter().skip(place).step_by(words.len()).sum::<u64>();
        let traffic = Traffic { ranks: self.cluster.size(), bytes: sum(0) };
        (traffic, sum(1) as f64 / sum(2).max(1) as f64)
    }
}

/// Values that other ranks sent for some orbits.
#[derive(Default)]
pub(super) struct Received<S> {
    /// By sender.
    buffers: Vec<Vec<S>>,
    /// By orbit and sender: the place of the values.
    places: Vec<(usize, usize, Range<usize>)>,
}

impl<S> Received<S> {
    /// Returns the values for an orbit, one sender after the other.
    pub(super) fn of(&self, orbit: usize) -> impl Iterator<Item = &[S]> {
        let start = self.places.partition_point(|(other, ..)| *other < orbit);
        let places = self.places[start..].iter().take_while(move |(other, ..)| *other == orbit);
        places.map(|(_, sender, values)| &self.buffers[*sender][values.clone()])
    }
}
