//! What ranks exchange in a round.

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use anser_retrograde::parallel;
use bytemuck::Pod;

use super::changes::Request;
use super::part::{End, Part};
use crate::engines::sets::scores::WholeScore;
use crate::reports::Traffic;

/// Values that a rank receives at a time, at least those of one orbit.
const RECEIVED: usize = 1 << 20;

/// How a round ended for all ranks.
pub(super) struct Round {
    /// Whether a value with the few to move changed.
    pub(super) has_changed: bool,
    pub(super) decided: u64,
    pub(super) end: End,
    pub(super) wants_checkpoint: bool,
}

impl Part<'_> {
    /// Exchanges how a round ended, and returns how it ended for all ranks. `decided` is the number
    /// of values of this rank that are no draws.
    pub(super) fn agree(
        &self,
        has_changed: bool,
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
        let words = [has_changed.into(), decided, end as u64, wants_checkpoint.into()];
        let started = Instant::now();
        let all = self.cluster.gather(&words);
        self.wait(started.elapsed());
        let mut round =
            Round { has_changed: false, decided: 0, end: End::Done, wants_checkpoint: false };
        for words in all.chunks(words.len()) {
            round.has_changed |= words[0] != 0;
            round.decided += words[1];
            round.end = round.end.max(match words[2] {
                0 => End::Done,
                1 => End::Interrupted,
                _ => End::Failed,
            });
            round.wants_checkpoint |= words[3] != 0;
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

    /// Sends the requested values with the few to move of some orbits, and receives those that this
    /// rank has requested. Calls `meanwhile` until they arrive.
    pub(super) fn receive<'r, S: WholeScore>(
        &self,
        batch: &Range<usize>,
        few: &[S],
        [own, others]: &'r [Vec<Request>; 2],
        meanwhile: &mut dyn FnMut(),
    ) -> Received<'r, S> {
        let answer = |request: &Request| {
            let starts = self.answer_starts(request, batch);
            let mut values = vec![S::default(); starts[batch.len()]];
            let (mut rest, mut of_orbits) = (&mut values[..], Vec::new());
            for (orbit, of) in batch.clone().zip(starts.windows(2)) {
                let of_orbit;
                (of_orbit, rest) = rest.split_at_mut(of[1] - of[0]);
                of_orbits.push((orbit, of_orbit));
            }
            parallel::for_each(of_orbits, &|(orbit, mut to)| {
                let of_orbit = &few[self.starts[orbit]..self.starts[orbit + 1]];
                for run in request.runs(self, orbit) {
                    let of_run = &of_orbit[self.orbits[orbit].places(run)];
                    to.split_off_mut(..of_run.len())
                        .expect("the answer has the requested runs")
                        .copy_from_slice(of_run);
                }
            });
            (request.rank, values)
        };
        let send: Vec<_> = others.iter().map(answer).collect();
        let buffer = |request| {
            let starts = self.answer_starts(request, batch);
            let values = vec![S::default(); starts[batch.len()]];
            (request, starts, values)
        };
        let buffers = own.iter().map(buffer).collect();
        let mut received = Received { first: batch.start, buffers };
        let send: Vec<(usize, &[S])> = send
            .iter()
            .filter(|(_, values)| !values.is_empty())
            .map(|(to, values)| (*to, &values[..]))
            .collect();
        let mut receive: Vec<(usize, &mut [S])> = received
            .buffers
            .iter_mut()
            .filter(|(.., values)| !values.is_empty())
            .map(|(request, _, values)| (request.rank, &mut values[..]))
            .collect();
        self.exchange(&send, &mut receive, meanwhile);
        received
    }

    /// Returns the first value of each orbit of a batch in the answer to a request, and the end.
    fn answer_starts(&self, request: &Request, batch: &Range<usize>) -> Vec<usize> {
        let lens = parallel::map(batch.clone(), &|orbit| {
            let low = &self.orbits[orbit].low;
            request.runs(self, orbit).map(|run| low.len(run)).sum::<usize>()
        });
        let mut starts = vec![0];
        for (number, len) in lens.into_iter().enumerate() {
            starts.push(starts[number] + len);
        }
        starts
    }

    /// Returns the patterns of this rank that another one reads.
    pub(super) fn given(&self, reader: usize) -> &[u32] {
        self.of_owner(&self.reached[reader], self.cluster.rank())
    }

    /// Returns the patterns of another rank that this one reads.
    pub(super) fn taken(&self, owner: usize) -> &[u32] {
        self.of_owner(&self.reached[self.cluster.rank()], owner)
    }

    /// Returns those of the patterns, which are sorted by owner, that a rank owns.
    fn of_owner<'p>(&self, patterns: &'p [u32], owner: usize) -> &'p [u32] {
        let start = patterns.partition_point(|&pattern| self.shares.owner(pattern) < owner);
        let end = patterns.partition_point(|&pattern| self.shares.owner(pattern) <= owner);
        &patterns[start..end]
    }

    /// Sends a list to each of some ranks, and returns those of the ranks `from`.
    pub(super) fn exchange_lists<T: Pod>(
        &self,
        send: &[(usize, Vec<T>)],
        from: &[usize],
    ) -> Vec<(usize, Vec<T>)> {
        let lens: Vec<(usize, u64)> =
            send.iter().map(|(to, list)| (*to, list.len() as u64)).collect();
        let lens: Vec<(usize, &[u64])> =
            lens.iter().map(|(to, len)| (*to, std::slice::from_ref(len))).collect();
        let mut received: Vec<(usize, [u64; 1])> = from.iter().map(|&from| (from, [0])).collect();
        let mut receive: Vec<(usize, &mut [u64])> =
            received.iter_mut().map(|(from, len)| (*from, &mut len[..])).collect();
        self.exchange(&lens, &mut receive, &mut || {});
        let mut lists: Vec<(usize, Vec<T>)> = received
            .into_iter()
            .map(|(from, [len])| (from, vec![T::zeroed(); len as usize]))
            .collect();
        let send = send.iter().filter(|(_, list)| !list.is_empty());
        let send: Vec<(usize, &[T])> = send.map(|(to, list)| (*to, &list[..])).collect();
        let receive = lists.iter_mut().filter(|(_, list)| !list.is_empty());
        let mut receive: Vec<(usize, &mut [T])> =
            receive.map(|(from, list)| (*from, &mut list[..])).collect();
        self.exchange(&send, &mut receive, &mut || {});
        lists
    }

    /// Exchanges messages with other ranks, and counts what is sent and how long this rank waits.
    pub(super) fn exchange<T: Pod>(
        &self,
        send: &[(usize, &[T])],
        receive: &mut [(usize, &mut [T])],
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
pub(super) struct Received<'r, S> {
    /// The first orbit.
    first: usize,
    /// By sender: what was requested, the first value of each orbit, and the values.
    buffers: Vec<(&'r Request, Vec<usize>, Vec<S>)>,
}

impl<S: WholeScore> Received<'_, S> {
    /// Puts the values of an orbit to their places.
    pub(super) fn put(&self, part: &Part<'_>, orbit: usize, values: &mut [S]) {
        for (request, starts, received) in &self.buffers {
            let mut rest = &received[starts[orbit - self.first]..];
            for run in request.runs(part, orbit) {
                let places = part.orbits[orbit].places(run);
                let of_run;
                (of_run, rest) = rest.split_at(places.len());
                values[places].copy_from_slice(of_run);
            }
        }
    }
}
