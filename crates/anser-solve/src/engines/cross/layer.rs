//! Solves one layer, with checkpoints.

use super::passes::Fields;
use crate::engines::store::{Store, Words};
use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use anser_core::fox_geese::{Cross, CrossIndex, FEWEST_GEESE};
use anser_core::hunt::HuntIndex;
use anser_core::{Hunt, LayerIndex, ProbeLayer, Side};
use anser_table::Tablebase;
use anser_table::format::{ENTRIES_PER_PAIR, pairs};

use super::bound::Bound;
use super::fixpoint::{Captures, Fixpoint};
use super::kernels::ones;
use super::moves::{Fox, Foxes};
use super::order::{self, write_class};
use super::releases::{ReleasePlanes, take_smaller};
use super::report::Report;
use super::runs::Source;
use super::shape::Shape;
use super::symmetry::{Space, all_block_orbits};
use super::without_capture::without_capture;
use crate::checkpoint::Checkpoint;
use crate::engines::engine::{Filled, Task};
use crate::io::raw_file::RawFile;
use crate::system::threads::working_threads;
use crate::{Event, SolveError, check_interrupt};
use anser_retrograde::isa::Level;
use anser_retrograde::parallel::{self, CHUNK};

pub(super) struct Layer<'t, 'a> {
    pub(super) task: &'t Task<'a>,
    pub(super) cross: Cross,
    pub(super) index: &'a CrossIndex,
    pub(super) level: Level,
    pub(super) shape: Shape,
    pub(super) foxes: Arc<[Fox]>,
    /// Orbits of the blocks, by class.
    pub(super) orbits: Vec<Vec<Vec<usize>>>,
    /// Approximate number of decided classes.
    decided: Cell<u64>,
}

/// Progress of the outcomes of a layer.
#[derive(Clone, Copy, Default)]
struct RoundsDone {
    /// Number of complete fixpoints.
    bounds_done: usize,
    /// The number of rounds of the complete fixpoints, up to the last one that changed something,
    /// of the one that has more.
    rounds: u64,
    /// The last round of the next fixpoint.
    round: u64,
    /// Whether the first half of the round after that is known to change something.
    next_is_useful: bool,
}

/// Returns the moves of a game that this engine was chosen for.
pub(super) fn of_game(game: &Hunt) -> Cross {
    game.cross().expect("the engine of the cross is chosen for games on the cross")
}

/// Returns the numbering of a layer of such a game.
pub(super) fn of_layer(index: &HuntIndex) -> &CrossIndex {
    index.cross().expect("a game on the cross has the numbering of the cross")
}

impl<'t, 'a> Layer<'t, 'a> {
    pub(super) fn new(task: &'t Task<'a>, level: Level, foxes: &Foxes) -> Self {
        let shape = Shape::new(usize::from(task.layer));
        let (cross, index) = (of_game(task.game), of_layer(task.index));
        let foxes = foxes.of(&cross, index);
        let orbits = all_block_orbits(&shape, &foxes);
        Layer { task, cross, index, level, shape, foxes, orbits, decided: Cell::new(0) }
    }

    pub(super) fn space(&self) -> Space<'_> {
        let Layer { shape, foxes, orbits, level, .. } = self;
        Space { shape, foxes, orbits, level: *level }
    }

    /// Returns the store for fields.
    pub(super) fn store(&self) -> Store<'_> {
        Store { scratch: self.task.scratch }
    }

    /// Computes both fixpoints, and writes them into a table.
    pub(super) fn solve(&self) -> Result<Filled, SolveError> {
        let table = self.task.outcomes()?;
        let mut done = match self.task.checkpoints.take_found() {
            Some(found) => self.restore(found, &table)?,
            None => RoundsDone::default(),
        };
        for (number, bound) in Bound::BOTH.into_iter().enumerate().skip(done.bounds_done) {
            let useful = self.compute(bound, done, &table)?;
            let rounds = done.rounds.max(useful);
            done = RoundsDone { bounds_done: number + 1, rounds, ..RoundsDone::default() };
            if done.bounds_done < Bound::BOTH.len() {
                self.save_outcomes(done, &table)?;
            }
        }
        Ok(Filled { tables: vec![table], rounds: done.rounds })
    }

    /// Reads a checkpoint into the table.
    fn restore(&self, mut found: Checkpoint, table: &RawFile) -> Result<RoundsDone, SolveError> {
        let [bounds_done, rounds, round, next_is_useful] =
            found.state[..].try_into().expect("the layout of the checkpoint is this one");
        found.read_shared(table.groups(Side::First))?;
        found.finish()?;
        for bound in Bound::BOTH.into_iter().take(bounds_done as usize) {
            // Of a complete fixpoint the checkpoint has the fox to move only.
            let (store, known) = (self.store(), self.read_known(bound, table)?);
            let captures = Captures::default();
            let mut fixpoint = Fixpoint::new(store, self.space(), bound, captures, known, None)?;
            fixpoint.geese_pass(&Report::new(self.task.observer, "resuming".into()));
            self.write(table, bound, Side::Second, &fixpoint.geese);
        }
        let next_is_useful = next_is_useful != 0;
        Ok(RoundsDone { bounds_done: bounds_done as usize, rounds, round, next_is_useful })
    }

    /// Writes a checkpoint of the values in the table.
    fn save_outcomes(&self, done: RoundsDone, table: &RawFile) -> Result<(), SolveError> {
        let RoundsDone { bounds_done, rounds, round, next_is_useful } = done;
        let state = [bounds_done as u64, rounds, round, next_is_useful.into()];
        let words = table.groups(Side::First).iter().map(|word| word.load(Relaxed));
        self.task.checkpoints.save(rounds.max(round), &state, words)?;
        table.evict();
        Ok(())
    }

    /// Completes a fixpoint, and writes it into the table. Returns the number of rounds up to the
    /// last one that changed something.
    fn compute(&self, bound: Bound, done: RoundsDone, table: &RawFile) -> Result<u64, SolveError> {
        let Layer { task, shape, foxes, .. } = self;
        let store = self.store();
        let captures = self.fold_captures(bound)?;
        let mut round = done.round;
        let known = if round > 0 {
            self.read_known(bound, table)?
        } else {
            match bound {
                Bound::Least => {
                    foxes.iter().map(|_| store.zeros(shape.words)).collect::<Result<_, _>>()?
                }
                Bound::Greatest => store.copies(&captures.allowed)?,
            }
        };
        let (mut useful, mut saved) = (round, round);
        let mut fixpoint = Fixpoint::new(store, self.space(), bound, captures, known, None)?;
        // Needed on resume too: a checkpoint has the fox to move only.
        self.pass(&mut fixpoint, bound, Side::First, round);
        fixpoint.begin_rounds();
        loop {
            let geese = self.pass(&mut fixpoint, bound, Side::Second, round + 1) > 0;
            // On resume the first geese pass recomputes everything, so its count is not that of the
            // changes.
            let resumes = round > 0 && round == done.round;
            let next_is_useful = if resumes { done.next_is_useful } else { geese };
            let interrupted = check_interrupt(task.observer);
            if round > saved && (interrupted.is_err() || task.checkpoints.is_due()) {
                self.write(table, bound, Side::First, &fixpoint.fox);
                self.save_outcomes(RoundsDone { round, next_is_useful, ..done }, table)?;
                saved = round;
            }
            interrupted?;
            round += 1;
            let fox = self.pass(&mut fixpoint, bound, Side::First, round);
            if next_is_useful || fox > 0 {
                useful = round;
            }
            if fox == 0 {
                break;
            }
        }
        // Captures and fields are freed as soon as they are not needed, because writing needs
        // memory.
        fixpoint.captures = Captures::default();
        self.write(table, bound, Side::First, &fixpoint.fox);
        fixpoint.fox.clear();
        self.write(table, bound, Side::Second, &fixpoint.geese);
        Ok(useful)
    }

    /// Runs one pass and reports it to the observer. Returns the approximate number of classes that
    /// changed.
    pub(super) fn pass(
        &self,
        fixpoint: &mut Fixpoint<'_>,
        bound: Bound,
        side: Side,
        round: u64,
    ) -> u64 {
        let started = Instant::now();
        let winner = self.task.game.side_name(bound.winner());
        let report =
            Report::new(self.task.observer, format!("won for the {winner}, round {round}"));
        let new = match side {
            Side::First => fixpoint.fox_pass(&report),
            Side::Second => fixpoint.geese_pass(&report),
        };
        let classes: u64 = Side::BOTH.iter().map(|&side| self.task.index.len(side)).sum();
        let decided = (self.decided.get() + new).min(classes);
        self.decided.set(decided);
        self.task.observer.event(&Event::Step {
            round,
            new,
            decided,
            classes,
            took: started.elapsed(),
        });
        new
    }

    /// Writes the known values of one side into the table.
    fn write(&self, table: &RawFile, bound: Bound, side: Side, field: &Fields) {
        let Layer { task, index, shape, foxes, level, .. } = self;
        let winner = bound.winner().index();
        let report =
            Report::new(task.observer, format!("writing, {} to move", task.game.side_name(side)));
        let pairs = table.groups(side).as_chunks::<2>().0;
        report.begin(index.len(Side::First) / 64);
        let invert = if bound == Bound::Greatest { u64::MAX } else { 0 };
        for (fox, field) in foxes.iter().zip(field) {
            let orientation = usize::from(field[0].is_empty());
            let sources = [Source { shape, orientation, rows: &field[orientation], invert }];
            write_class(*level, index, fox, &sources, &|pair, _| &pairs[pair][winner], &report);
            table.evict();
        }
    }

    /// Reads from the table which positions with the fox to move are known to be good.
    fn read_known(&self, bound: Bound, table: &RawFile) -> Result<Vec<Words>, SolveError> {
        let Layer { task, index, shape, foxes, .. } = self;
        let pairs = table.groups(Side::First).as_chunks::<2>().0;
        let winner = bound.winner().index();
        let invert = if bound == Bound::Greatest { u64::MAX } else { 0 };
        let word = |pair: usize| pairs[pair][winner].load(Relaxed) ^ invert;
        let report = Report::new(task.observer, "resuming".into());
        let known = order::read(self.store(), (index, shape), foxes, &word, &report)?;
        table.evict();
        Ok(known)
    }

    /// Returns the positions of a layer with the fox to move in which it must capture, by class in
    /// orientation 0; nothing unless captures are compulsory.
    pub(super) fn forced(&self, shape: &Shape) -> Result<Vec<Words>, SolveError> {
        let Layer { foxes, .. } = self;
        let store = self.store();
        if !self.cross.compulsory {
            return Ok(Vec::new());
        }
        let mut fields = without_capture(store, &self.cross, shape, foxes)?;
        let ones = ones(store, shape)?;
        parallel::for_each(&mut fields, &|field| {
            field.iter_mut().zip(&*ones).for_each(|(word, ones)| *word ^= ones);
        });
        Ok(fields)
    }

    /// Computes what captures contribute to the positions of the layer.
    fn fold_captures(&self, bound: Bound) -> Result<Captures, SolveError> {
        let allowed = if let Some(allowed) = self.without_lower()? {
            allowed
        } else {
            let tables = self.task.lower.open()?;
            let folded = self.fold(1, |lower| {
                let landed = self.read_lower(&tables, lower, bound)?;
                Ok(landed.into_iter().map(|field| vec![field]).collect())
            })?;
            self.task.lower.release(tables);
            folded.into_iter().flatten().collect()
        };
        Ok(Captures { allowed, forced: self.forced(&self.shape)?, releases: None })
    }

    /// Returns the positions without captures, if every capture ends the game.
    pub(super) fn without_lower(&self) -> Result<Option<Vec<Words>>, SolveError> {
        let Layer { cross, shape, foxes, .. } = self;
        // With fewer than four geese the fox has won, so in layer 4 every capture ends the game.
        let all_end = cross.first_capture || shape.geese == FEWEST_GEESE;
        all_end.then(|| without_capture(self.store(), cross, shape, foxes)).transpose()
    }

    /// Returns the layers that captures lead to.
    pub(super) fn below(&self) -> Range<usize> {
        let lowest = if self.cross.chain { FEWEST_GEESE } else { self.shape.geese - 1 };
        lowest..self.shape.geese
    }

    /// Returns the captures that are best for the fox, by class in orientation 0, as numbers of
    /// `planes` planes; see [`releases`](super::releases). A single plane holds the positions in
    /// which all captures are good. `read` reads the positions of a lower layer after a jump.
    pub(super) fn fold(
        &self,
        planes: usize,
        read: impl Fn(&Shape) -> Result<Vec<ReleasePlanes>, SolveError>,
    ) -> Result<Vec<ReleasePlanes>, SolveError> {
        let Layer { cross, foxes, .. } = self;
        let store = self.store();
        let mut best: Vec<ReleasePlanes> = Vec::new();
        if cross.chain {
            // In the lowest layer every capture wins at once, which is number 0.
            let allowed = without_capture(store, cross, &Shape::new(FEWEST_GEESE), foxes)?;
            let zero = allowed.into_iter().map(|field| {
                let mut zero = (1..planes)
                    .map(|_| store.copy(&field))
                    .collect::<Result<ReleasePlanes, _>>()?;
                zero.push(field);
                Ok::<_, SolveError>(zero)
            });
            best = zero.collect::<Result<_, _>>()?;
        }
        for geese in self.below() {
            let lower = Shape::new(geese);
            let mut landed = read(&lower)?;
            if cross.chain {
                // The fox may end its capture where it landed, unless it must go on capturing.
                let forced = self.forced(&lower)?;
                for (class, landed) in landed.iter_mut().enumerate() {
                    if let Some(forced) = forced.get(class) {
                        let planes = landed.iter_mut();
                        let chunks = planes
                            .flat_map(|plane| plane.chunks_mut(CHUNK).zip(forced.chunks(CHUNK)));
                        parallel::for_each(chunks, &|(words, forced)| {
                            words.iter_mut().zip(forced).for_each(|(word, forced)| *word |= forced);
                        });
                    }
                    let best: Vec<&[u64]> = best[class].iter().map(|plane| &**plane).collect();
                    take_smaller(landed, &best);
                }
            }
            drop(best);
            let above = Shape::new(geese + 1);
            best = if planes == 1 {
                self.after_captures(&above, &lower, &landed)?
            } else {
                self.best_captures(&above, &lower, &landed)?
            };
        }
        Ok(best)
    }

    /// Returns the good positions of a lower layer with the geese to move.
    fn read_lower(
        &self,
        tables: &Tablebase,
        lower: &Shape,
        bound: Bound,
    ) -> Result<Vec<Words>, SolveError> {
        /// Pairs of words per read; a multiple of the blocks of a packed table.
        const CHUNK: usize = 4096;
        let Layer { task, foxes, .. } = self;
        let index = self.cross.index(lower.geese as u16);
        let entries = index.len(Side::Second);
        let winner = bound.winner().index();
        let invert = if bound == Bound::Greatest { u64::MAX } else { 0 };
        let mut plane = self.store().zeros(pairs(entries) as usize)?;
        task.begin(format!("layer {}", lower.geese), entries);
        parallel::try_for_each(plane.chunks_mut(CHUNK).enumerate(), &|(chunk, plane)| {
            check_interrupt(task.observer)?;
            let first = (chunk * CHUNK) as u64 * ENTRIES_PER_PAIR;
            let mut pairs = vec![[0; 2]; plane.len()];
            tables.read_outcomes(lower.geese as u16, Side::Second, first, &mut pairs)?;
            for (word, pair) in plane.iter_mut().zip(pairs) {
                *word = pair[winner] ^ invert;
            }
            task.advance(plane.len() as u64 * ENTRIES_PER_PAIR);
            Ok::<_, SolveError>(())
        })?;
        let report = Report::new(task.observer, format!("layer {}", lower.geese));
        order::read(self.store(), (&index, lower), foxes, &|pair| plane[pair], &report)
    }
}

/// Measures the seconds that one thread of this machine takes per word of a full geese pass.
pub(super) fn seconds_per_word(
    game: &Cross,
    level: Level,
    layer: u16,
    foxes: &Foxes,
) -> Result<f64, SolveError> {
    /// In this layer a pass takes 0.1 seconds.
    const MAX_GEESE: u16 = 7;
    let geese = layer.clamp(FEWEST_GEESE as u16, MAX_GEESE);
    let (index, shape) = (game.index(geese), Shape::new(usize::from(geese)));
    let foxes = foxes.of(game, &index);
    let store = Store::MEMORY;
    let allowed = without_capture(store, game, &shape, &foxes)?;
    let known = store.copies(&allowed)?;
    let captures = Captures { allowed, forced: Vec::new(), releases: None };
    let orbits = all_block_orbits(&shape, &foxes);
    let space = Space { shape: &shape, foxes: &foxes, orbits: &orbits, level };
    let mut fixpoint = Fixpoint::new(store, space, Bound::Greatest, captures, known, None)?;
    let started = Instant::now();
    fixpoint.geese_pass(&Report::none());
    Ok(started.elapsed().as_secs_f64() * working_threads() as f64
        / (shape.words * foxes.len()) as f64)
}
