//! Solves one layer.

pub(super) mod prepare;

use std::borrow::Cow;
use std::time::Instant;

use anser_core::{BySide, Side};
use anser_retrograde::parallel;
use anser_table::{Metric, Tablebase};
use bytemuck::must_cast_slice;

use super::arrays::{Scores, decided_of_all, longest};
use super::captures::{CaptureRounds, greatest_losses};
use super::frontier::{Frontier, Settled};
use super::layout::{Layout, PADDING, Runs};
use super::maps::{Buffers, Source};
use super::moves::{Image, Move};
use super::propagate::{Leaving, Reader, STRETCH, Scope};
use super::rules::{Ends, Numbers, Rules};
use super::scores::{Score, WIDENED_ROUNDS, widened};
use super::settle::{Plain, hold};
use crate::checkpoint::Checkpoint;
use crate::engines::engine::{Filled, Task};
use crate::engines::store::Store;
use crate::io::codes::LayerValues;
use crate::{Event, SolveError, check_interrupt};

/// The name for reports and manifests.
pub(super) const NAME: &str = "sets";

/// Entries that are read from a checkpoint or written to one at a time.
const READ: usize = 1 << 16;

/// Entries that are converted at a time, so that they stay in the first cache.
const CONVERTED: usize = 1 << 12;

/// Values of a layer whose lower layers take memory worth a report when they are released.
const WORTH_A_REPORT: usize = 1 << 20;

/// Rounds in which all ends of the game, and the moves to them, are looked at. If scores of 8 bits
/// do not tell a loss in one ply, that shows until then: all moves lead to ends. Later, also in
/// another run, only the longest wins are not told, and the others are [kept](widened).
pub(super) const FOR_ENDS: u64 = 2;

/// Returns the number of values in a word of a checkpoint.
pub(super) const fn per_word<S: Score>() -> usize {
    (u64::BITS / S::BITS) as usize
}

/// The layer to be solved, with scores of type `S`.
pub(super) struct Layer<'t, 'a, S: Score> {
    task: &'t Task<'a>,
    rules: &'t Rules,
    numbers: Numbers,
    per_change: usize,
    layout: Layout,
    images: Vec<Image>,
    /// By orbit: the steps of the few.
    steps: Vec<Vec<Move>>,
    /// The captures of the few, by number of captured pieces: the layer below that they lead to,
    /// and the moves by orbit.
    captures: Vec<(Below<S>, Vec<Vec<Move>>)>,
    /// The placements of the few in the same way.
    placements: Option<(Below<S>, Vec<Vec<Move>>)>,
    /// The layer that placements of the many lead to.
    many_placed: Option<(u16, Layout)>,
    tables: Option<Tablebase>,
    buffers: parallel::Buffers<Scratch<S>>,
}

/// Buffers of a thread.
#[derive(Default)]
struct Scratch<S: Score> {
    /// Values of the layer of placements, for one arrangement of the few.
    placed: Vec<S::Cell>,
    buffers: Buffers<S>,
}

/// Layer or end that moves out of the layer lead to.
enum Below<S: Score> {
    /// The game is over, with this score for the few.
    Over(S),
    /// A layer, with the values of its positions with the many to move.
    Layer(Layout, Scores<S>),
}

/// Returns the word of these values, at most [`per_word`], in a checkpoint.
pub(super) fn word_of<S: Score>(values: &[S]) -> u64 {
    let (mut word, values): (_, &[u8]) = ([0; 8], must_cast_slice(values));
    word[..values.len()].copy_from_slice(values);
    u64::from_le_bytes(word)
}

/// Restores the values of a checkpoint; of the few beside what they hold. Returns the number of
/// rounds that are done.
fn restore<S: Score>(
    mut found: Checkpoint,
    values: &mut [Scores<S>; 2],
) -> Result<u64, SolveError> {
    let mut words = vec![0; READ / per_word::<S::Saved>()];
    let rounds = found.rounds;
    for side in values {
        for entries in parallel::ranges(side.len(), READ) {
            let words = &mut words[..entries.len().div_ceil(per_word::<S::Saved>())];
            found.read(words)?;
            let mut values = side.read(entries.clone()).into_owned();
            restore_all(&mut values, must_cast_slice(words), rounds);
            side.write(entries.start, &values);
        }
    }
    found.finish()?;
    Ok(rounds)
}

/// Restores values that were saved after a number of rounds. Those that are saved as draws hold
/// what they held before the first round, as far as it does not count yet.
pub(super) fn restore_all<S: Score>(values: &mut [S], saved: &[S::Saved], rounds: u64) {
    let greatest = S::greatest_loss(rounds);
    for (value, &saved) in values.iter_mut().zip(saved) {
        let saved = S::restored(saved);
        if saved != S::default() {
            *value = saved;
        } else if *value <= greatest {
            *value = S::UNDECIDED;
        }
    }
}

impl<'t, 'a, S: Score> Layer<'t, 'a, S> {
    /// Prepares a layer with at least one entry.
    pub(super) fn new(
        task: &'t Task<'a>,
        rules: &'t Rules,
        per_change: usize,
    ) -> Result<Self, SolveError> {
        let numbers = Numbers::of(task.index);
        let layout = Layout::new(task.game, rules.low_points, task.index);
        let images = (0..task.game.symmetries())
            .map(|symmetry| Image::new(task.game, symmetry, &rules.order, rules.low_points))
            .collect();
        // Changes are not propagated in layers with placements, whose values are not kept.
        let per_change = if numbers.hand == [0; 2] { per_change } else { usize::MAX };
        let mut layer = Layer {
            task,
            rules,
            numbers,
            per_change,
            layout,
            images,
            steps: Vec::new(),
            captures: Vec::new(),
            placements: None,
            many_placed: None,
            tables: None,
            buffers: parallel::Buffers::default(),
        };
        layer.prepare()?;
        Ok(layer)
    }

    /// Solves the layer: recomputes the values of each side from those of the other until nothing
    /// changes. `found` is the checkpoint of an earlier run.
    ///
    /// # Errors
    /// [`SolveError::TooLong`] if the table has distances, and scores do not tell one.
    pub(super) fn solve(mut self, found: Option<Checkpoint>) -> Result<Filled, SolveError> {
        let Layer { task, rules, numbers, .. } = self;
        let len = self.layout.len();
        let is_loopy = rules.many_stay(numbers);
        let shape = [self.layout.sets, self.layout.orbits.len()];
        let mut few = Scores::draws(self.store(), shape)?;
        let holds = numbers.hold_captures();
        let held = if holds { Some(self.hold(&mut few)?) } else { None };
        let mut values = [few, Scores::draws(self.store(), shape)?];
        let mut round = 0;
        // With placements, what follows from lower layers is taken with the other moves.
        let from_draws = holds && found.is_none();
        let scope = if from_draws { Scope::FromDraws } else { Scope::All };
        if let Some(found) = found {
            round = restore(found, &mut values)?;
        }
        let rounds = self.rounds(held.as_ref(), &mut values, &mut round, scope);
        // The values are right as far as they are known, also within a round, but for the longest
        // wins if scores do not tell one.
        match rounds {
            Err(SolveError::Interrupted) if is_loopy => {
                self.save(round, &values, S::saved)?;
            }
            Err(SolveError::TooLong { .. })
                if S::BITS == i8::BITS && is_loopy && round >= FOR_ENDS =>
            {
                let rounds = round.min(WIDENED_ROUNDS);
                self.save(rounds, &values, widened)?;
            }
            _ => {}
        }
        rounds?;
        (self.captures, self.placements) = (Vec::new(), None);
        if let Some(tables) = self.tables.take()
            && len >= WORTH_A_REPORT
        {
            task.lower.release(tables);
        }
        self.buffers = parallel::Buffers::default();
        let [few, many] = &values;
        Filled::of_values(
            task,
            NAME,
            BySide::new(few, many),
            &|value, side| value.code(side),
            longest,
            round,
        )
    }

    /// Sets the values of the few to the best captures, which they hold. Returns when these count.
    fn hold(&mut self, few: &mut Scores<S>) -> Result<CaptureRounds, SolveError> {
        let Layer { task, rules, numbers, .. } = *self;
        self.task.begin("captures", self.layout.len() as u64);
        let are_untold = self.for_each_orbit(few, |number, few, scratch| {
            let (orbit, buffers) = (&self.layout.orbits[number], &mut scratch.buffers);
            let ends = rules.ends(numbers, Side::First, orbit.few);
            let mut is_untold = false;
            buffers.runs = Runs::all(orbit);
            for stretch in orbit.stretches(STRETCH) {
                buffers.start(orbit, &[], stretch.clone());
                self.take_below(number, buffers);
                let Buffers { best, before, .. } = buffers;
                is_untold |= hold((orbit, &ends), stretch, best, few, before);
            }
            Ok(is_untold)
        })?;
        // Before more values take memory.
        self.captures.clear();
        if task.metrics.contains(Metric::Dtw) && are_untold.contains(&true) {
            return Err(task.too_long());
        }
        let changes =
            rules.held_captures(numbers, self.layout.orbits.iter().map(|orbit| orbit.few));
        let of_orbits: Vec<&[S::Cell]> =
            (0..self.layout.orbits.len()).map(|orbit| few.orbit(orbit)).collect();
        Ok(CaptureRounds::of::<S>(&self.layout.orbits, &of_orbits, changes))
    }

    /// Recomputes all values, and then those that read changed ones, until nothing changes. `round`
    /// is the number of those that are done. `held` tells when captures count that values hold.
    fn rounds(
        &self,
        held: Option<&CaptureRounds>,
        values: &mut [Scores<S>; 2],
        round: &mut u64,
        mut scope: Scope,
    ) -> Result<(), SolveError> {
        let Layer { task, layout, rules, .. } = self;
        let len = layout.len();
        let classes = 2 * len as u64;
        let is_first = scope == Scope::FromDraws;
        let greatest = |round| greatest_losses::<S>(held.is_some(), round);
        let sides = values.iter().zip(greatest(*round));
        // The first values count from the first round on.
        let of_earlier = sides.filter(|_| !is_first);
        let of_earlier = of_earlier.map(|(values, greatest)| decided_of_all(values, greatest));
        let mut decided: u64 = of_earlier.sum();
        let none = |_| Settled::none(layout.sets).frontier;
        let mut of_few: Vec<Frontier> = layout.orbits.iter().map(none).collect();
        loop {
            let started = Instant::now();
            let now = *round + 1;
            task.begin(format!("round {now}"), classes);
            let plain = Plain { greatest: greatest(*round)[0] };
            let leaving = |_, _: &Ends| Leaving::Known(&[], plain);
            let [few, many] = &mut *values;
            let (of_many, new) = self.pass(Side::Second, (scope, &of_few), few, leaving, many)?;
            let leaving =
                |number, ends: &Ends| Leaving::of_few(number, (held, &[]), (now, scope), ends);
            let more;
            (of_few, more) = self.pass(Side::First, (scope, &of_many), many, leaving, few)?;
            *round = now;
            scope = Scope::Changed;
            let (took, new) = (started.elapsed(), new + more);
            decided += new;
            task.observer.event(&Event::Step { round: now, new, decided, classes, took });
            let repeats = rules.many_stay(self.numbers);
            let has_changed = of_few.iter().any(|frontier| !frontier.runs.is_empty());
            if !repeats || !has_changed && held.is_none_or(|held| now >= held.last) {
                return Ok(());
            }
            if task.checkpoints.is_due() {
                self.save(now, values, S::saved)?;
            }
        }
    }

    /// Returns where arrays are.
    fn store(&self) -> Store<'t> {
        Store { scratch: self.task.scratch }
    }

    /// Writes a checkpoint with the scores that `to` makes of the values.
    fn save<T: Score>(
        &self,
        round: u64,
        values: &[Scores<S>; 2],
        to: impl Fn(S) -> T,
    ) -> Result<(), SolveError> {
        let holds = self.numbers.hold_captures();
        let sides = values.iter().zip(greatest_losses(holds, round));
        let words = sides.flat_map(|(values, greatest)| {
            let to = &to;
            parallel::ranges(values.len(), READ).flat_map(move |entries| {
                let values = values.read(entries);
                let scores = values.iter().map(|value| to(value.counted(greatest)));
                let scores: Vec<T> = scores.collect();
                scores.chunks(per_word::<T>()).map(word_of).collect::<Vec<u64>>()
            })
        });
        self.task.checkpoints.save(round, &[T::BITS.into()], words)
    }

    /// Calls `visit` with the number and the values of every orbit. Returns the results by orbit.
    fn for_each_orbit<T: Send>(
        &self,
        values: &mut Scores<S>,
        visit: impl Fn(usize, &mut [S::Cell], &mut Scratch<S>) -> Result<T, SolveError> + Sync,
    ) -> Result<Vec<T>, SolveError> {
        let sets = self.layout.sets;
        parallel::try_map(values.orbits_mut(1).enumerate(), &|(number, values)| {
            check_interrupt(self.task.observer)?;
            let result = self.buffers.with(|scratch| visit(number, values, scratch))?;
            self.task.advance(sets as u64);
            Ok(result)
        })
    }

    /// Returns the moves of an orbit that stay in the layer.
    fn moves(&self, side: Side, number: usize) -> Cow<'_, [Move]> {
        match side {
            Side::First => Cow::Borrowed(self.steps.get(number).map_or(&[], Vec::as_slice)),
            Side::Second if self.numbers.hand[1] > 0 => Cow::Borrowed(&[]),
            Side::Second => {
                let changes = self.rules.steps_of_many(self.layout.orbits[number].few);
                changes.map(|change| Move { change, orbit: number as u32, symmetry: 0 }).collect()
            }
        }
    }

    /// Recomputes the values with `side` to move, from those of the other side and its frontiers.
    /// Returns the frontiers of `side`, and the number of values that were draws before.
    fn pass<'c>(
        &self,
        side: Side,
        (scope, changed): (Scope, &[Frontier]),
        other: &Scores<S>,
        leaving: impl Fn(usize, &Ends) -> Leaving<'c, S> + Sync,
        values: &mut Scores<S>,
    ) -> Result<(Vec<Frontier>, u64), SolveError>
    where
        S: 'c,
    {
        let Layer { layout, rules, .. } = self;
        let other: Vec<&[S::Cell]> =
            (0..layout.orbits.len()).map(|orbit| other.orbit(orbit)).collect();
        let settled = self.for_each_orbit(values, |number, values, scratch| {
            let Scratch { placed, buffers } = scratch;
            let ends = rules.ends(self.numbers, side, layout.orbits[number].few);
            let reader = Reader {
                orbits: &layout.orbits,
                images: &self.images,
                number,
                moves: &self.moves(side, number),
                leaving: leaving(number, &ends),
                compulsory: side == Side::First && rules.compulsory,
                ends: &ends,
                per_change: self.per_change,
                // The values of placements are read for all sets at once.
                at_a_time: if self.many_placed.is_some() { usize::MAX } else { STRETCH },
                own: None,
            };
            let plan = reader.plan(scope, changed, values);
            reader.recompute(&plan, changed, &other, values, buffers, |buffers| {
                match side {
                    Side::First => self.take_below(number, buffers),
                    Side::Second => self.take_placed(number, placed, buffers)?,
                }
                reader.take_moves(&other, buffers);
                Ok(())
            })
        })?;
        let has_distances = self.task.metrics.contains(Metric::Dtw);
        if has_distances && settled.iter().any(|settled| settled.too_long) {
            return Err(self.task.too_long());
        }
        let decided = settled.iter().map(|settled| settled.decided).sum();
        Ok((settled.into_iter().map(|settled| settled.frontier).collect(), decided))
    }

    /// Takes the best moves of the few to lower layers.
    fn take_below(&self, number: usize, buffers: &mut Buffers<S>) {
        let orbit = &self.layout.orbits[number];
        for (below, moves) in self.captures.iter().chain(&self.placements) {
            for mv in &moves[number] {
                match below {
                    Below::Over(score) => buffers.take_value(orbit, mv.change, *score),
                    Below::Layer(layout, values) => {
                        let to = mv.orbit as usize;
                        let to = (values.orbit(to), &layout.orbits[to]);
                        buffers.take_move(orbit, mv, to, &self.images);
                    }
                }
            }
        }
    }

    /// Takes the best placements of the many, whose values are read to `values`.
    fn take_placed(
        &self,
        number: usize,
        values: &mut Vec<S::Cell>,
        buffers: &mut Buffers<S>,
    ) -> Result<(), SolveError> {
        let Some((layer, placed)) = &self.many_placed else { return Ok(()) };
        let orbit = &self.layout.orbits[number];
        values.resize(S::cells(0..placed.sets + PADDING).len(), S::Cell::default());
        self.read_orbit((*layer, Side::First), placed.sets, number, values)?;
        let source = Source { values, orbit: &placed.orbits[number], image: &self.images[0] };
        for (change, _) in self.rules.placements(Side::Second, orbit.few) {
            buffers.take(orbit, change, source);
        }
        Ok(())
    }
}
