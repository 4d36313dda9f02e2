//! A rank's part of a layer.

use std::convert::Infallible;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use anser_core::{Hunt, Side};
use anser_retrograde::parallel;
use anser_table::Metric;

use super::arrangements::{Arrangements, Lows};
use super::exchange::Received;
use super::shares::{Shares, parts_of, reached, rules_and_shares};
use crate::checkpoint::Checkpoints;
use crate::cluster::Cluster;
use crate::engines::sets::arrays::decided_of_all;
use crate::engines::sets::captures::{CaptureRounds, greatest_losses};
use crate::engines::sets::frontier::{Frontier, Settled};
use crate::engines::sets::layer::FOR_ENDS;
use crate::engines::sets::layout::{Orbit, PADDING};
use crate::engines::sets::maps::Buffers;
use crate::engines::sets::moves::{Image, Move};
use crate::engines::sets::propagate::{Leaving, Own, Plan, Reader, STRETCH, Scope};
use crate::engines::sets::rules::{Numbers, Rules};
use crate::engines::sets::scores::{WIDENED_ROUNDS, WholeScore, widened};
use crate::engines::sets::settle::{Plain, hold};
use crate::observer::RunObserver;
use crate::run::metrics::Metrics;
use crate::{Event, SolveError};

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
    /// See [`Reader`].
    per_change: usize,
    pub(super) rules: Rules,
    pub(super) numbers: Numbers,
    pub(super) shares: Shares,
    pub(super) lows: Lows,
    pub(super) images: Vec<Image>,
    pub(super) layer: Arrangements,
    /// The patterns that each rank owns.
    pub(super) owned: Vec<Vec<u32>>,
    /// The patterns of others that each rank reads.
    pub(super) reached: Vec<Vec<u32>>,
    /// The orbits, with places for the values of this rank, and behind them for those that it
    /// receives.
    pub(super) orbits: Vec<Orbit>,
    /// By orbit: the first value of this rank. The last element is the end.
    pub(super) starts: Vec<usize>,
    /// By orbit: the steps of the few.
    steps: Vec<Vec<Move>>,
    /// Whether values hold captures.
    pub(super) holds: bool,
    /// The others that this rank reads from, and those that read from it, ascending.
    pub(super) reads: Vec<usize>,
    pub(super) read_by: Vec<usize>,
    /// By pattern: whether it is of this rank.
    is_own: Vec<bool>,
    /// Stretches of orbits for which a rank receives at most [`RECEIVED`] values, if an orbit has
    /// less. All ranks cut them in the same way.
    batches: Vec<Range<usize>>,
    /// Whether scores do not tell a value of a lower layer, or of a capture.
    pub(super) is_untold: AtomicBool,
    /// Bytes that this rank has sent, and nanoseconds in which it has waited for others.
    pub(super) sent: AtomicU64,
    pub(super) waited: AtomicU64,
    pub(super) started: Instant,
}

/// Buffers of a thread.
#[derive(Default)]
pub(super) struct Scratch<S> {
    /// The values of one orbit with the few to move, of this rank and received.
    few: Vec<S>,
    pub(super) buffers: Buffers<S>,
}

/// The values of a rank, by side to move, padded.
pub(super) type Values<S> = [Vec<S>; 2];

impl<'a> Part<'a> {
    /// Prepares a layer with at least one entry.
    pub(super) fn new(
        (game, dir): (&'a Hunt, &'a Path),
        number: u16,
        metrics: Metrics,
        cluster: &'a dyn Cluster,
        observer: &'a dyn RunObserver,
        per_change: usize,
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
        let reads_from = |rank: usize, owner: usize| {
            reached[rank].iter().any(|&pattern| shares.owner(pattern) == owner)
        };
        let (rank, ranks) = (cluster.rank(), 0..cluster.size());
        let reads = ranks.clone().filter(|&other| reads_from(rank, other)).collect();
        let read_by = ranks.filter(|&other| reads_from(other, rank)).collect();
        let is_own = parts.marks(own);
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
            per_change,
            rules,
            numbers,
            shares,
            lows,
            images,
            layer,
            owned,
            reached,
            orbits,
            starts,
            steps: Vec::new(),
            holds: false,
            reads,
            read_by,
            is_own,
            batches: Vec::new(),
            is_untold: AtomicBool::new(false),
            sent: AtomicU64::new(0),
            waited: AtomicU64::new(0),
            started: Instant::now(),
        };
        part.batches = part.batches();
        if numbers.hand[0] == 0 {
            let few = part.layer.few.iter();
            let steps: Vec<_> = few.map(|&few| part.rules.steps_of_few(few)).collect();
            part.steps = part.layer.numbers.moves(&part.images, &steps);
        }
        part.holds = numbers.hold_captures();
        Ok(part)
    }

    /// Returns the number of values of this rank with one side to move.
    pub(super) fn len(&self) -> usize {
        self.starts[self.orbits.len()]
    }

    /// Returns the number of values of this rank beside an orbit.
    pub(super) fn sets(&self, orbit: usize) -> usize {
        self.starts[orbit + 1] - self.starts[orbit]
    }

    /// Calls `visit` with the number and the values of every orbit with values. Returns the results
    /// by orbit.
    pub(super) fn for_each_orbit<S: WholeScore, T: Default + Send>(
        &self,
        buffers: &parallel::Buffers<Scratch<S>>,
        orbits: Range<usize>,
        values: &mut [S],
        visit: impl Fn(usize, &mut [S], &mut Scratch<S>) -> T + Sync,
    ) -> Vec<T> {
        let mut rest = &mut values[self.starts[orbits.start]..self.starts[orbits.end]];
        let mut of_orbits = Vec::new();
        for orbit in orbits {
            let (of_orbit, others) = rest.split_at_mut(self.sets(orbit));
            rest = others;
            of_orbits.push((orbit, of_orbit));
        }
        parallel::map(of_orbits, &|(orbit, values)| {
            if values.is_empty() {
                return T::default();
            }
            let sets = values.len() as u64;
            let result = buffers.with(|scratch| visit(orbit, values, scratch));
            self.observer.advance(sets);
            result
        })
    }

    /// Returns the first values of the few, which hold the best captures, given by place. Notes
    /// whether there may be no score for a distance.
    pub(super) fn hold<S: WholeScore>(&self, mut captures: Vec<S>) -> Vec<S> {
        if captures.is_empty() {
            captures = vec![S::NONE; self.len() + PADDING];
        }
        let buffers = parallel::Buffers::default();
        let orbits = 0..self.orbits.len();
        self.for_each_orbit(&buffers, orbits, &mut captures, |number, values, scratch| {
            let Scratch { few: best, buffers } = scratch;
            let orbit = &self.orbits[number];
            best.clear();
            best.extend_from_slice(values);
            let ends = self.rules.ends(self.numbers, Side::First, orbit.few);
            let runs = 0..orbit.high.runs.len();
            if hold((orbit, &ends), runs, best, values, &mut buffers.before) {
                self.is_untold.store(true, Relaxed);
            }
        });
        captures
    }

    /// Recomputes all values until nothing changes. `below` has the scores of the moves that leave
    /// the layer and are not held, by side to move, and `held` tells when captures count that are;
    /// `restored` is the number of rounds behind the values, if they are those of a checkpoint and
    /// not the first ones. Writes a checkpoint if one is due on any rank; those with `checkpoints`
    /// tell. Returns the number of rounds.
    pub(super) fn rounds<S: WholeScore>(
        &self,
        below: &Values<S>,
        held: Option<&CaptureRounds>,
        values: &mut Values<S>,
        restored: Option<u64>,
        checkpoints: Option<&Checkpoints<'_>>,
    ) -> Result<u64, SolveError> {
        let is_loopy = self.rules.many_stay(self.numbers);
        let last = held.map_or(0, |held| held.last);
        let last = self.cluster.gather(&[last]).into_iter().max().unwrap_or(0);
        let classes = 2 * self.layer.values();
        let none = |orbit| Settled::none(self.sets(orbit)).frontier;
        let mut changed: Vec<Frontier> = (0..self.orbits.len()).map(none).collect();
        let buffers = parallel::Buffers::default();
        let mut round = restored.unwrap_or(0);
        let count = |of: &Values<S>, round| -> u64 {
            let of = of.iter().zip(self.greatest_losses(round));
            of.map(|(of, greatest)| decided_of_all(&of[..self.len()], greatest)).sum()
        };
        // The first values count from the first round on.
        let mut own = restored.map_or(0, |round| count(values, round));
        let mut decided = 0;
        let mut scope = if restored.is_none() { Scope::FromDraws } else { Scope::All };
        loop {
            let started = Instant::now();
            self.observer.begin(&format!("round {}", round + 1), 2 * self.len() as u64);
            let many = self.many_pass(&buffers, (&below[1], round), values, scope, changed);
            round += 1;
            let mut too_long = self.is_untold.load(Relaxed) || many.iter().any(|of| of.too_long);
            own += many.iter().map(|of| of.decided).sum::<u64>();
            let many: Vec<Frontier> = many.into_iter().map(|of| of.frontier).collect();
            let few = self.few_pass(&buffers, (&below[0], held, round), values, scope, &many);
            scope = Scope::Changed;
            let has_distances = self.metrics.contains(Metric::Dtw);
            too_long |= few.iter().any(|of| of.too_long);
            own += few.iter().map(|of| of.decided).sum::<u64>();
            let too_long = has_distances && too_long;
            let is_due = checkpoints.is_some_and(Checkpoints::is_due);
            changed = few.into_iter().map(|of| of.frontier).collect();
            let has_changed = changed.iter().any(|frontier| !frontier.runs.is_empty());
            let all = self.agree(has_changed, own, too_long, is_due);
            let new = all.decided.saturating_sub(decided);
            decided = all.decided;
            let took = started.elapsed();
            self.observer.event(&Event::Step { round, new, decided, classes, took });
            if all.end == End::Failed {
                if S::BITS == i8::BITS && is_loopy && round > FOR_ENDS {
                    self.save(checkpoints, round.min(WIDENED_ROUNDS), values, widened)?;
                }
                return Err(SolveError::TooLong { layer: self.number });
            }
            let is_interrupted = all.end == End::Interrupted;
            if is_interrupted && !is_loopy {
                return Err(SolveError::Interrupted);
            }
            if !is_loopy || !all.has_changed && round >= last {
                debug_assert_eq!(own, count(values, round));
                return Ok(round);
            }
            if is_interrupted || all.wants_checkpoint {
                self.save(checkpoints, round, values, |score| score)?;
            }
            if is_interrupted {
                return Err(SolveError::Interrupted);
            }
        }
    }

    /// Recomputes the values with the many to move: all, or those that read one that changed, of
    /// this rank or of another one. The values of other ranks for some orbits arrive while the
    /// orbits before are recomputed.
    fn many_pass<S: WholeScore>(
        &self,
        buffers: &parallel::Buffers<Scratch<S>>,
        (below, round): (&[S], u64),
        [few, many]: &mut Values<S>,
        scope: Scope,
        mut changed: Vec<Frontier>,
    ) -> Vec<Settled> {
        if scope == Scope::Changed {
            self.exchange_changes(&mut changed);
        }
        let of_orbit = |number: usize| {
            let of_orbit = self.starts[number]..self.starts[number + 1];
            let [greatest, _] = self.greatest_losses(round);
            (below.get(of_orbit).unwrap_or_default(), Plain { greatest })
        };
        let plans = parallel::map(changed.iter().enumerate(), &|(number, changed)| {
            let changed = std::slice::from_ref(changed);
            let values = &many[self.starts[number]..self.starts[number + 1]];
            let plan = |reader: &Reader<'_, S>| reader.plan(scope, changed, values);
            if values.is_empty() {
                Plan::Keep
            } else {
                self.with_many(number, of_orbit(number), plan)
            }
        });
        // While all values are draws, none is read.
        let requests = match scope {
            Scope::FromDraws => Default::default(),
            Scope::All | Scope::Changed => self.request(&plans, &changed),
        };
        let recompute = |number: usize,
                         received: &Received<'_, S>,
                         values: &mut [S],
                         scratch: &mut Scratch<S>| {
            let Scratch { few: other, buffers } = scratch;
            let plan = &plans[number];
            if !matches!(plan, Plan::Keep) {
                other.clear();
                other.extend_from_slice(&few[self.starts[number]..self.starts[number + 1]]);
                let reached = self.layer.sum(number, &self.reached[self.cluster.rank()]);
                other.resize(other.len() + reached + PADDING, S::default());
                received.put(self, number, other);
            }
            let (changed, other) = (std::slice::from_ref(&changed[number]), [&other[..]]);
            let settled = self.with_many(number, of_orbit(number), |reader| {
                reader.recompute(plan, changed, &other, values, buffers, |buffers| {
                    reader.take_moves(&other, buffers);
                    Ok::<_, Infallible>(())
                })
            });
            let Ok(settled) = settled;
            settled
        };
        let mut settled = Vec::new();
        let batches = &self.batches;
        let mut received = self.receive(&batches[0], few, &requests, &mut || {});
        for (number, batch) in batches.iter().enumerate() {
            let mut compute = || {
                settled.extend(self.for_each_orbit(
                    buffers,
                    batch.clone(),
                    many,
                    |orbit, values, scratch| recompute(orbit, &received, values, scratch),
                ));
            };
            match batches.get(number + 1) {
                Some(next) => {
                    received = self.receive(next, few, &requests, &mut compute);
                }
                None => compute(),
            }
        }
        settled
    }

    /// Calls `visit` with the reader of an orbit with the many to move. `placements` are the scores
    /// of the best ones.
    fn with_many<S: WholeScore, T>(
        &self,
        number: usize,
        (placements, plain): (&[S], Plain<S>),
        visit: impl FnOnce(&Reader<'_, S>) -> T,
    ) -> T {
        let orbit = &self.orbits[number];
        let moves: Vec<Move> = self.steps_of_many(orbit).collect();
        let parts = self.lows.parts;
        visit(&Reader {
            orbits: std::slice::from_ref(orbit),
            images: &self.images,
            number: 0,
            moves: &moves,
            leaving: Leaving::Known(placements, plain),
            compulsory: false,
            ends: &self.rules.ends(self.numbers, Side::Second, orbit.few),
            per_change: self.per_change,
            at_a_time: STRETCH,
            own: Some(Own { patterns: &self.is_own, shift: parts.points - parts.separator }),
        })
    }

    /// Returns the steps of the many beside an arrangement of the few, as moves to the only orbit.
    pub(super) fn steps_of_many(&self, orbit: &Orbit) -> impl Iterator<Item = Move> {
        let steps = (self.numbers.hand[1] == 0).then(|| self.rules.steps_of_many(orbit.few));
        steps.into_iter().flatten().map(|change| Move { change, orbit: 0, symmetry: 0 })
    }

    /// Returns the rounds in which captures begin to count that these values of the few hold, if
    /// they do.
    pub(super) fn capture_rounds<S: WholeScore>(&self, few: &[S]) -> Option<CaptureRounds> {
        if !self.holds {
            return None;
        }
        let changes = self.rules.held_captures(self.numbers, self.layer.few.iter().copied());
        let of_orbits = self.starts.windows(2).map(|of| &few[of[0]..of[1]]);
        Some(CaptureRounds::of::<S>(&self.orbits, &of_orbits.collect::<Vec<_>>(), changes))
    }

    /// Returns the greatest score of a loss that counts after a round, by side.
    pub(super) fn greatest_losses<S: WholeScore>(&self, round: u64) -> [S; 2] {
        greatest_losses(self.holds, round)
    }

    /// Recomputes the values with the few to move: all, or those that read one that changed.
    fn few_pass<S: WholeScore>(
        &self,
        buffers: &parallel::Buffers<Scratch<S>>,
        (below, held, round): (&[S], Option<&CaptureRounds>, u64),
        values: &mut Values<S>,
        scope: Scope,
        changed: &[Frontier],
    ) -> Vec<Settled> {
        let ([few, many], orbits, images) = (values, &self.orbits, &self.images);
        let other: Vec<&[S]> = self.starts.iter().map(|&start| &many[start..]).collect();
        self.for_each_orbit(buffers, 0..orbits.len(), few, |number, values, scratch| {
            let of_orbit = self.starts[number]..self.starts[number + 1];
            let ends = self.rules.ends(self.numbers, Side::First, orbits[number].few);
            let known = below.get(of_orbit).unwrap_or_default();
            let leaving = Leaving::of_few(number, (held, known), (round, scope), &ends);
            let reader = Reader {
                orbits,
                images,
                number,
                moves: self.steps.get(number).map_or(&[], Vec::as_slice),
                leaving,
                compulsory: self.rules.compulsory,
                ends: &ends,
                per_change: self.per_change,
                at_a_time: STRETCH,
                own: None,
            };
            let plan = reader.plan(scope, changed, values);
            let settled =
                reader.recompute(&plan, changed, &other, values, &mut scratch.buffers, |buffers| {
                    reader.take_moves(&other, buffers);
                    Ok::<_, Infallible>(())
                });
            let Ok(settled) = settled;
            settled
        })
    }

    /// Returns draws for all values of this rank, padded. They are stored by all threads: memory
    /// that is read first is mapped twice, the second time when it is written.
    pub(super) fn draws<S: WholeScore>(&self) -> Vec<S> {
        parallel::defaults(self.len() + PADDING)
    }

    /// Returns the metric of the values in lower layers that this layer is solved by.
    pub(super) fn metric(&self) -> Metric {
        if self.metrics.contains(Metric::Dtw) { Metric::Dtw } else { Metric::Wdl }
    }
}
