//! A rank's part of a layer.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anser_core::hunt::HuntIndex;
use anser_core::{Hunt, Side};
use anser_retrograde::parallel;
use anser_table::Metric;

use super::arrangements::{Arrangements, Lows, Parts, ranges_of_few};
use super::shares::Shares;
use crate::cluster::Cluster;
use crate::engines::sets::layer::{FewMove, Settled, draws, is_over, settle};
use crate::engines::sets::layout::Orbit;
use crate::engines::sets::maps::{Buffers, Change, Image, PADDING, Source, take_best};
use crate::engines::sets::rules::{Numbers, Rules};
use crate::engines::sets::scores::NONE;
use crate::observer::RunObserver;
use crate::reports::Traffic;
use crate::run::metrics::Metrics;
use crate::{Event, SolveError};

/// Values that a rank receives at a time, at least those of one orbit.
const RECEIVED: usize = 1 << 22;

/// How a rank's work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum End {
    Done,
    Interrupted,
    Failed,
}

/// A rank's part of a layer.
pub(super) struct Part<'a> {
    pub(super) game: &'a Hunt,
    /// The directory of the tables, as this rank names it.
    pub(super) dir: &'a Path,
    pub(super) number: u16,
    pub(super) metrics: Metrics,
    pub(super) cluster: &'a dyn Cluster,
    pub(super) observer: &'a dyn RunObserver,
    pub(super) rules: Rules,
    pub(super) numbers: Numbers,
    pub(super) shares: Shares,
    pub(super) parts: Parts,
    pub(super) lows: Lows,
    pub(super) images: Vec<Image>,
    pub(super) layer: Arrangements,
    /// The patterns that each rank owns.
    pub(super) owned: Vec<Vec<u32>>,
    /// The patterns of others that each rank reads.
    reached: Vec<Vec<u32>>,
    /// The orbits, with places for the values of this rank, and behind them for those that it
    /// receives.
    pub(super) orbits: Vec<Orbit>,
    /// By orbit: the first value of this rank. The last element is the end.
    pub(super) starts: Vec<usize>,
    /// By orbit: the steps of the few.
    steps: Vec<Vec<FewMove>>,
    /// Stretches of orbits for which a rank receives at most [`RECEIVED`] values, if an orbit has less.
    /// All ranks cut them in the same way.
    batches: Vec<Range<usize>>,
    /// Bytes that this rank has sent, and nanoseconds in which it has waited for others.
    sent: AtomicU64,
    waited: AtomicU64,
    started: Instant,
}

/// Buffers of a thread.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) best: Vec<i16>,
    /// The values of one orbit with the few to move, of this rank and received.
    few: Vec<i16>,
    pub(super) buffers: Buffers,
}

/// What the ranks know of each other after half a round.
struct Round {
    /// By rank and orbit, whether a value changed.
    changed: Vec<Vec<bool>>,
    decided: u64,
    end: End,
    wants_checkpoint: bool,
}

/// The values of a rank, by side to move, padded.
pub(super) type Values = [Vec<i16>; 2];

impl<'a> Part<'a> {
    /// Prepares a layer with at least one entry.
    pub(super) fn new(
        (game, dir): (&'a Hunt, &'a Path),
        number: u16,
        metrics: Metrics,
        cluster: &'a dyn Cluster,
        observer: &'a dyn RunObserver,
    ) -> Result<Self, &'static str> {
        let index = game.index(number);
        let numbers = Numbers::of(&index);
        let (shares, rules) = rules_and_shares(game, &index, cluster.size())?;
        let parts = parts_of(&rules, &shares);
        let image = |symmetry| Image::new(game, symmetry, &rules.order, rules.low_points);
        let images: Vec<Image> = (0..game.symmetries()).map(image).collect();
        let layer = Arrangements::new(index, &rules.order, parts);
        let owned: Vec<Vec<u32>> = (0..cluster.size()).map(|rank| shares.of(rank)).collect();
        let own = &owned[cluster.rank()];
        let reached = reached(&rules, numbers, parts, &shares, cluster.size());
        let patterns = [&own[..], &reached[cluster.rank()]].concat();
        let lows = Lows::new(parts);
        let orbits = layer.orbits(&lows, &patterns, own.len());
        let mut starts = vec![0];
        for orbit in 0..orbits.len() {
            starts.push(starts[orbit] + layer.sum(orbit, own));
        }
        let mut part = Part {
            game,
            dir,
            number,
            metrics,
            cluster,
            observer,
            rules,
            numbers,
            shares,
            parts,
            lows,
            images,
            layer,
            owned,
            reached,
            orbits,
            starts,
            steps: Vec::new(),
            batches: Vec::new(),
            sent: AtomicU64::new(0),
            waited: AtomicU64::new(0),
            started: Instant::now(),
        };
        part.batches = part.batches();
        if numbers.hand[0] == 0 {
            part.steps =
                part.moves(&part.layer, |number| part.rules.steps_of_few(part.layer.few[number]));
        }
        Ok(part)
    }

    /// Returns moves by orbit. `moves` has those of an orbit, with the arrangements of the few that
    /// they lead to, in the layer `to`.
    pub(super) fn moves(
        &self,
        to: &Arrangements,
        moves: impl Fn(usize) -> Vec<(Change, u64)> + Sync,
    ) -> Vec<Vec<FewMove>> {
        parallel::map(0..self.layer.few.len(), &|number| {
            let moves = moves(number).into_iter().map(|(change, few)| {
                let (orbit, symmetry) = to.orbit_of(&self.images, few);
                FewMove { change, orbit, symmetry }
            });
            moves.collect()
        })
    }

    /// Returns the number of values of this rank with one side to move.
    pub(super) fn len(&self) -> usize {
        self.starts[self.orbits.len()]
    }

    /// Returns the number of values of this rank beside an orbit.
    pub(super) fn sets(&self, orbit: usize) -> usize {
        self.starts[orbit + 1] - self.starts[orbit]
    }

    /// Calls `visit` with the number and the values of every orbit.
    pub(super) fn for_each_orbit(
        &self,
        orbits: Range<usize>,
        values: &mut [i16],
        visit: impl Fn(usize, &mut [i16], &mut Scratch) + Sync,
    ) {
        let buffers = parallel::Buffers::default();
        let mut rest = &mut values[self.starts[orbits.start]..self.starts[orbits.end]];
        let mut of_orbits = Vec::new();
        for orbit in orbits {
            let (of_orbit, others) = rest.split_at_mut(self.sets(orbit));
            rest = others;
            of_orbits.push((orbit, of_orbit));
        }
        parallel::for_each(of_orbits, &|(orbit, values)| {
            if !values.is_empty() {
                let sets = values.len() as u64;
                buffers.with(|scratch| visit(orbit, values, scratch));
                self.observer.advance(sets);
            }
        });
    }

    /// Recomputes all values until nothing changes. `below` has the scores of the moves that leave
    /// the layer, by side to move. Calls `save` on all ranks if a checkpoint is due on any. Returns the
    /// number of rounds.
    pub(super) fn rounds(
        &self,
        below: &Values,
        values: &mut Values,
        done: u64,
        is_due: impl Fn() -> bool,
        mut save: impl FnMut(u64, &Values) -> Result<(), SolveError>,
    ) -> Result<u64, SolveError> {
        let is_loopy = self.rules.many_stay(self.numbers);
        let classes = 2 * self.layer.values();
        let mut few_changed = vec![vec![true; self.orbits.len()]; self.cluster.size()];
        let mut round = done;
        let mut decided = 0;
        loop {
            let started = Instant::now();
            self.observer.begin(&format!("round {}", round + 1), 2 * self.len() as u64);
            let many = self.many_pass(&below[1], values, &few_changed);
            round += 1;
            let few = self.few_pass(&below[0], values, |orbit| {
                let reads = |step: &FewMove| many.changed[step.orbit as usize];
                round == done + 1
                    || many.changed[orbit]
                    || self.steps.get(orbit).is_some_and(|steps| steps.iter().any(reads))
            });
            let too_long = few.too_long || many.too_long;
            let all = self.agree(&few.changed, values, too_long, is_due());
            few_changed = all.changed;
            let new = all.decided.saturating_sub(decided);
            decided = all.decided;
            let took = started.elapsed();
            self.observer.event(&Event::Step { round, new, decided, classes, took });
            if all.end == End::Failed {
                return Err(SolveError::TooLong { layer: self.number });
            }
            let is_interrupted = all.end == End::Interrupted;
            if is_interrupted && !is_loopy {
                return Err(SolveError::Interrupted);
            }
            if !is_loopy || !few_changed.iter().flatten().any(|&changed| changed) {
                return Ok(round);
            }
            if is_interrupted || all.wants_checkpoint {
                save(round, values)?;
            }
            if is_interrupted {
                return Err(SolveError::Interrupted);
            }
        }
    }

    /// Exchanges how a round ended, and returns how it ended for all ranks.
    fn agree(&self, changed: &[bool], values: &Values, too_long: bool, is_due: bool) -> Round {
        let end = match (too_long, self.observer.interrupted()) {
            (true, _) => End::Failed,
            (false, true) => End::Interrupted,
            (false, false) => End::Done,
        };
        let count = |values: &[i16]| {
            let chunks = values[..self.len()].chunks(parallel::CHUNK);
            let decided = |values: &[i16]| values.iter().filter(|&&value| value != 0).count();
            parallel::map(chunks, &decided).into_iter().sum::<usize>() as u64
        };
        let wants_checkpoint = is_due | self.cluster.wants_checkpoint();
        let head = [end as u64, count(&values[0]) + count(&values[1]), wants_checkpoint.into()];
        let bits = changed.chunks(64).map(|changed| {
            changed.iter().rev().fold(0, |bits, &changed| bits << 1 | u64::from(changed))
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

    /// Recomputes the values with the many to move of the orbits in which a value changed that this
    /// rank reads. The values of other ranks for some orbits arrive while the orbits before are
    /// recomputed.
    fn many_pass(&self, below: &[i16], values: &mut Values, few_changed: &[Vec<bool>]) -> Passed {
        let [few, many] = values;
        let passed = Passing::new(self.orbits.len());
        let rank = self.cluster.rank();
        // A rank recomputes an orbit if a value changed here or at a rank that it reads from.
        let mut reads: Vec<Vec<usize>> = Vec::new();
        for reached in &self.reached {
            let mut owners: Vec<usize> =
                reached.iter().map(|&pattern| self.shares.owner(pattern)).collect();
            owners.dedup();
            reads.push(owners);
        }
        let recomputes = |rank: usize, orbit: usize| {
            few_changed[rank][orbit] || reads[rank].iter().any(|&other| few_changed[other][orbit])
        };
        let batches = &self.batches;
        let mut received = self.receive(&batches[0], few, &reads, &recomputes, &mut || {});
        for (number, batch) in batches.iter().enumerate() {
            let now = std::mem::take(&mut received);
            let mut compute = || {
                self.for_each_orbit(batch.clone(), many, |orbit, values, scratch| {
                    if recomputes(rank, orbit) {
                        let of_orbit = self.starts[orbit]..self.starts[orbit + 1];
                        let below = below.get(of_orbit.clone()).unwrap_or_default();
                        let own = &few[of_orbit];
                        let others = now.of(orbit);
                        passed.note(
                            orbit,
                            self.many_orbit(orbit, below, (own, others), values, scratch),
                        );
                    }
                });
            };
            match batches.get(number + 1) {
                Some(next) => {
                    received = self.receive(next, few, &reads, &recomputes, &mut compute);
                }
                None => compute(),
            }
        }
        passed.end()
    }

    /// Cuts the orbits into stretches.
    fn batches(&self) -> Vec<Range<usize>> {
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
    fn receive(
        &self,
        batch: &Range<usize>,
        few: &[i16],
        reads: &[Vec<usize>],
        recomputes: &impl Fn(usize, usize) -> bool,
        meanwhile: &mut dyn FnMut(),
    ) -> Received {
        let (rank, size) = (self.cluster.rank(), self.cluster.size());
        let orbits_of =
            |reader: usize| batch.clone().filter(move |&orbit| recomputes(reader, orbit));
        let mut send = Vec::new();
        for reader in (0..size).filter(|&reader| reads[reader].contains(&rank)) {
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
        for &owner in &reads[rank] {
            let patterns = self.of_owner(&self.reached[rank], owner);
            let mut len = 0;
            for orbit in orbits_of(rank) {
                let sets = self.layer.sum(orbit, patterns);
                received.places.push((orbit, buffers.len(), len..len + sets));
                len += sets;
            }
            buffers.push((owner, vec![0; len]));
        }
        received.places.sort_by_key(|(orbit, number, _)| (*orbit, *number));
        let send: Vec<(usize, &[i16])> =
            send.iter().map(|(to, values)| (*to, &values[..])).collect();
        let mut receive: Vec<(usize, &mut [i16])> = buffers
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
    pub(super) fn append(&self, orbit: usize, patterns: &[u32], values: &[i16], to: &mut Vec<i16>) {
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

    /// Recomputes the values of an orbit with the many to move.
    fn many_orbit<'v>(
        &self,
        number: usize,
        below: &[i16],
        (own, others): (&[i16], impl Iterator<Item = &'v [i16]>),
        values: &mut [i16],
        scratch: &mut Scratch,
    ) -> Settled {
        let orbit = &self.orbits[number];
        let ends = self.rules.ends(self.numbers, Side::Second, orbit.few);
        let Scratch { best, few, buffers } = scratch;
        start_best(best, below, values.len());
        if self.numbers.hand[1] == 0 && !is_over(&ends) {
            few.clear();
            few.extend_from_slice(own);
            others.for_each(|others| few.extend_from_slice(others));
            few.resize(few.len() + PADDING, 0);
            let source = Source { values: few, orbit, image: &self.images[0] };
            for &[from, to] in &self.rules.steps[1] {
                if (from | to) & orbit.few == 0 {
                    let change = Change { has: from, lacks: to, flip: from | to };
                    take_best(best, orbit, self.rules.low_points, change, source, buffers);
                }
            }
        }
        settle(orbit, self.rules.low_points, &ends, &best[..values.len()], own, values)
    }

    /// Recomputes the values with the few to move of the orbits that `is_read` accepts.
    fn few_pass(
        &self,
        below: &[i16],
        values: &mut Values,
        is_read: impl Fn(usize) -> bool + Sync,
    ) -> Passed {
        let [few, many] = values;
        let passed = Passing::new(self.orbits.len());
        self.for_each_orbit(0..self.orbits.len(), few, |number, values, scratch| {
            if !is_read(number) {
                return;
            }
            let (orbit, low_points) = (&self.orbits[number], self.rules.low_points);
            let of_orbit = self.starts[number]..self.starts[number + 1];
            let ends = self.rules.ends(self.numbers, Side::First, orbit.few);
            let Scratch { best, buffers, .. } = scratch;
            let below = below.get(of_orbit.clone()).unwrap_or_default();
            start_best(best, below, values.len());
            if let Some(steps) = self.steps.get(number)
                && !is_over(&ends)
            {
                for step in steps {
                    let to = step.orbit as usize;
                    let source = Source {
                        values: &many[self.starts[to]..],
                        orbit: &self.orbits[to],
                        image: &self.images[usize::from(step.symmetry)],
                    };
                    take_best(best, orbit, low_points, step.change, source, buffers);
                }
                if self.rules.compulsory {
                    for (best, &forced) in best.iter_mut().zip(below) {
                        if forced != NONE {
                            *best = forced;
                        }
                    }
                }
            }
            let other = &many[of_orbit];
            passed.note(
                number,
                settle(orbit, low_points, &ends, &best[..values.len()], other, values),
            );
        });
        passed.end()
    }

    /// Exchanges values with other ranks, and counts what is sent and how long this rank waits.
    pub(super) fn exchange(
        &self,
        send: &[(usize, &[i16])],
        receive: &mut [(usize, &mut [i16])],
        meanwhile: &mut dyn FnMut(),
    ) {
        let (started, mut busy) = (Instant::now(), Duration::ZERO);
        self.cluster.exchange(send, receive, &mut || {
            let started = Instant::now();
            meanwhile();
            busy += started.elapsed();
        });
        self.wait(started.elapsed().saturating_sub(busy));
        let sent: usize = send.iter().map(|(_, values)| size_of_val(*values)).sum();
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

    /// Returns draws for all values of this rank.
    pub(super) fn draws(&self) -> Vec<i16> {
        draws(self.len())
    }

    /// Returns the metric of the values in lower layers that this layer is solved by.
    pub(super) fn metric(&self) -> Metric {
        if self.metrics.contains(Metric::Dtw) { Metric::Dtw } else { Metric::Wdl }
    }
}

/// Fills the buffer of best moves, padded, with the scores of moves that leave the layer. Without
/// such scores no move is known.
pub(super) fn start_best(best: &mut Vec<i16>, below: &[i16], sets: usize) {
    best.clear();
    best.extend_from_slice(below);
    best.resize(sets, NONE);
    best.resize(sets + PADDING, NONE);
}

fn parts_of(rules: &Rules, shares: &Shares) -> Parts {
    let points = rules.points as u32;
    Parts { points, low: rules.low_points, separator: shares.separator }
}

/// Returns the patterns of others that each rank reads, by their owners.
fn reached(
    rules: &Rules,
    numbers: Numbers,
    parts: Parts,
    shares: &Shares,
    ranks: usize,
) -> Vec<Vec<u32>> {
    let mut across: Vec<[u32; 2]> = if numbers.hand[1] == 0 {
        rules.steps[1].iter().map(|step| step.map(|point| parts.pattern(point))).collect()
    } else {
        Vec::new()
    };
    across.retain(|step| *step != [0; 2]);
    across.sort_unstable();
    across.dedup();
    (0..ranks).map(|rank| shares.reached(rank, &across)).collect()
}

/// Returns the bytes that all ranks send in a round in which every orbit changes.
///
/// # Errors
/// The feature that the engine does not support, to be read after "because of".
pub(super) fn sent_in_a_round(game: &Hunt, layer: u16, ranks: usize) -> Result<u64, &'static str> {
    let index = game.index(layer);
    let numbers = Numbers::of(&index);
    let (shares, rules) = rules_and_shares(game, &index, ranks)?;
    let parts = parts_of(&rules, &shares);
    let layer = Arrangements::new(index, &rules.order, parts);
    let mut sets = 0;
    for reached in reached(&rules, numbers, parts, &shares, ranks) {
        for orbit in 0..layer.few.len() {
            sets += layer.sum(orbit, &reached) as u64;
        }
    }
    Ok(sets * size_of::<i16>() as u64)
}

/// Returns the rules with the points in the order of the shares, and the shares of the ranks.
///
/// # Errors
/// The feature that the engine does not support, to be read after "because of".
pub(super) fn rules_and_shares(
    game: &Hunt,
    index: &HuntIndex,
    ranks: usize,
) -> Result<(Shares, Rules), &'static str> {
    let few: Vec<_> = ranges_of_few(index).into_iter().map(|(few, _)| few).collect();
    let (shares, order) = Shares::new(game, &few, Numbers::of(index).on_board[1], ranks);
    let rules = Rules::in_order(game, order, shares.low_points)?;
    Ok((shares, rules))
}

/// The orbits that changed in half a round.
pub(super) struct Passed {
    pub(super) changed: Vec<bool>,
    pub(super) too_long: bool,
}

/// Half a round in progress.
struct Passing {
    changed: Vec<AtomicBool>,
    too_long: AtomicBool,
}

impl Passing {
    fn new(orbits: usize) -> Passing {
        let changed = (0..orbits).map(|_| AtomicBool::new(false)).collect();
        Passing { changed, too_long: AtomicBool::new(false) }
    }

    fn note(&self, orbit: usize, found: Settled) {
        self.changed[orbit].store(found.changed, Relaxed);
        self.too_long.fetch_or(found.too_long, Relaxed);
    }

    fn end(self) -> Passed {
        Passed {
            changed: self.changed.into_iter().map(AtomicBool::into_inner).collect(),
            too_long: self.too_long.into_inner(),
        }
    }
}

/// Values that other ranks sent for some orbits.
#[derive(Default)]
struct Received {
    /// By sender.
    buffers: Vec<Vec<i16>>,
    /// By orbit and sender: the place of the values.
    places: Vec<(usize, usize, Range<usize>)>,
}

impl Received {
    /// Returns the values for an orbit, one sender after the other.
    fn of(&self, orbit: usize) -> impl Iterator<Item = &[i16]> {
        let start = self.places.partition_point(|(other, ..)| *other < orbit);
        let places = self.places[start..].iter().take_while(move |(other, ..)| *other == orbit);
        places.map(|(_, sender, values)| &self.buffers[*sender][values.clone()])
    }
}
