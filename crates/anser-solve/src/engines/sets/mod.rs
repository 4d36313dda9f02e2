//! The engine of sets: few pieces against many on any board of up to 40 points.
//!
//! For each arrangement of the few, one of each orbit under the symmetries, an array ([`arrays`]) has
//! the values ([`scores`]) of all sets of the many, in the order of the table ([`layout`]). A move
//! maps sets to sets, so its value is taken for all sets of an arrangement in one loop over
//! consecutive values ([`moves`], [`maps`], [`shuffle`]). The values of each side are recomputed from
//! those of the other until nothing changes ([`layer`]). The sets that agree in about half of the
//! points form a run, and a run is left out while nothing that it reads has changed; where few values
//! have, only the sets that read these are looked at ([`propagate`]). If placements leave the layer,
//! one pass is enough.
//!
//! Values take 2 bits if one process solves outcomes alone ([`outcomes`]), 8 bits where these tell all
//! distances, otherwise 16 ([`scores`]). Where positions repeat, those of the few also hold what is
//! known of captures, which need no array of their own ([`captures`]).
//!
//! After `n` rounds all wins in the next `2 n - 2` plies are found, and more, since captures that
//! win count from the first round on. So values only get better for the side that wins, a win that
//! is found is one, and when nothing changes, and all captures count, all distances are right.

#![expect(
    clippy::inline_always,
    reason = "kernels compile once per instruction set, and what they call with them"
)]

mod arrays;
mod captures;
mod frontier;
mod layer;
mod layout;
mod maps;
mod moves;
mod order;
mod outcomes;
pub(crate) mod propagate;
mod rules;
mod scores;
mod settle;
mod shuffle;
pub(crate) mod spread;

#[cfg(test)]
mod tests;

use anser_core::hunt::HuntIndex;
use anser_core::{BySide, Hunt, LayerIndex, Side};
use anser_table::Metric;

use super::engine::{Effort, Engine, Filled, Needs, Spilled, Task};
use crate::checkpoint::{Checkpoint, most_of_outcomes};
use crate::run::metrics::Metrics;
use crate::{Discarded, Event, LayerOf, SolveError};
use frontier::bytes_of_frontiers;
use layer::{Layer, NAME};
use layout::{Layout, PADDING, binomial, bytes_of_parts, bytes_of_runs, most_runs};
use outcomes::OutcomeScore;
use propagate::{BYTES_OF_COLLECTED, PER_CHANGE, STRETCH};
use rules::{Numbers, Rules};
use scores::Score;

/// Seconds of one thread per value and pass, with AVX-512.
const SECONDS_PER_VALUE: f64 = 10e-9;

/// Passes over a layer in which positions repeat, as far as its values are computed by the kernels:
/// from one, where few values are no draws, to 20 and more, where most are decided.
const PASSES: f64 = 6.0;

/// The same where nearly all are decided, after many plies: layer 11 of Orissa with one tiger took 0.55
/// microseconds of a thread per class, in 178 rounds, and layer 10 took 0.50 on two ranks, in 179.
const MOST_PASSES: f64 = 60.0;

/// The longest win in the layers below, in plies, from which on scores have 16 bits.
const LONG: u16 = 230;

/// Whether a checkpoint has scores of 16 bits.
fn has_16_bits(found: &Checkpoint) -> bool {
    found.state == [u64::from(i16::BITS)]
}

/// Returns the number of bits of the scores that a layer is begun with. For distances these are
/// those of the checkpoint of an earlier run, or else 8 if these probably tell all distances.
fn score_bits(task: &Task<'_>, found: Option<&Checkpoint>) -> Result<u32, SolveError> {
    match found {
        Some(found) if has_16_bits(found) => return Ok(i16::BITS),
        _ if !task.metrics.contains(Metric::Dtw) => return Ok(OutcomeScore::BITS),
        Some(_) => return Ok(i8::BITS),
        None => {}
    }
    let lower = task.game.lower_layers(task.layer);
    if lower.is_empty() {
        return Ok(i8::BITS);
    }
    let tables = task.lower.open()?;
    // A layer without positions has no table.
    let tables = lower.into_iter().filter_map(|lower| tables.table_of(lower, Metric::Dtw).ok());
    let longest = tables.filter_map(|table| table.header().longest());
    let longest = longest.flat_map(|longest| Side::BOTH.map(|side| longest[side]));
    let plies = longest.flat_map(|longest| Side::BOTH.map(|winner| longest[winner])).flatten();
    Ok(if plies.max().is_some_and(|plies| plies >= LONG) { i16::BITS } else { i8::BITS })
}

/// Solves a layer by scores of 2 bits, or of 8 bits if these probably tell all distances, and by 16
/// bits if they do not. `solve` takes the number of bits, and the checkpoint of an earlier run, or
/// of the scores of 8 bits as far as they were right.
fn solve_with_bits(
    task: &Task<'_>,
    solve: impl Fn(u32, Option<Checkpoint>) -> Result<Filled, SolveError>,
) -> Result<Filled, SolveError> {
    let mut found = task.checkpoints.take_found();
    let bits = score_bits(task, found.as_ref())?;
    if bits < i16::BITS {
        match solve(bits, found.take()) {
            Err(SolveError::TooLong { layer }) => {
                found = task.checkpoints.reopen()?.filter(has_16_bits);
                let goes_on = found.is_some();
                let what = if goes_on { Discarded::NarrowValues } else { Discarded::WrongValues };
                task.observer.event(&Event::Discarded { layer, what });
            }
            solved => return solved,
        }
    }
    solve(i16::BITS, found)
}

/// The engine; see the module.
pub(crate) struct Sets {
    rules: Rules,
    /// See [`propagate::Reader`].
    per_change: usize,
}

impl Sets {
    /// Returns the engine for a game.
    ///
    /// # Errors
    /// The feature that the engine does not support, to be read after "because of".
    pub(crate) fn of(game: &Hunt) -> Result<Sets, &'static str> {
        if game.index(*game.layers().start()).scheme().name != "hunt" {
            return Err("the numbering of the board");
        }
        let rules = Rules::of(game)?;
        layers_suit(game, &rules)?;
        Ok(Sets { rules, per_change: PER_CHANGE })
    }

    /// Returns the needs of a layer, with all values in scratch files. Scores have `bits` bits.
    fn needs_with(&self, LayerOf { game, layer, index }: LayerOf<'_>, bits: u32) -> Spilled {
        let len = index.len(Side::First);
        if len == 0 {
            return Spilled { memory: 0, scratch: 0 };
        }
        let numbers = Numbers::of(index);
        let [few, many] = numbers.on_board;
        let points = self.rules.points;
        let sets = Layout::sets(points, few, many).unwrap_or(usize::MAX) as u64;
        let low = self.rules.low_points as usize;
        let runs_of = |many: usize| most_runs(low, points - low, many);
        let orbits = len / sets.max(1);
        let runs = runs_of(many);
        let mut tables = bytes_of_parts(&self.rules, few, orbits, runs)
            + bytes_of_frontiers(orbits, sets, bytes_of_runs(&self.rules, runs));
        // The bytes of values of so many orbits.
        let bytes = |orbits: u64, sets: u64| match bits {
            OutcomeScore::BITS => {
                orbits
                    * OutcomeScore::cells(0..sets as usize).len() as u64
                    * size_of::<u64>() as u64
            }
            bits => orbits * sets * u64::from(bits / 8),
        };
        let own = bytes(orbits, sets);
        tables += 3 * bytes(1, PADDING as u64);
        let (mut lower, mut placed) = (0, 0);
        for number in game.lower_layers(layer) {
            let index = game.index(number);
            let len = index.len(Side::First);
            if len > 0 {
                let [few, many_there] = Numbers::of(&index).on_board;
                let sets = Layout::sets(points, few, many_there).unwrap_or(usize::MAX) as u64;
                let orbits = len / sets.max(1);
                tables += bytes_of_parts(&self.rules, few, orbits, runs_of(many_there));
                // The layer of placements of the many is read one arrangement at a time.
                if many_there > many {
                    placed = bytes(1, sets);
                } else {
                    lower += bytes(orbits, sets);
                }
            }
        }
        // Best moves, those that are compulsory, values that are set and read, and of placements, and
        // the lists of a move.
        let stretch = if placed > 0 { sets } else { sets.min(STRETCH as u64) };
        let forced = u64::from(self.rules.compulsory);
        let set = 3 * settle::STRETCH as u64 * binomial(low, low / 2);
        let scores = (1 + forced) * stretch + set + 5 * PADDING as u64;
        // Placements are read as codes and scores, part by part.
        let read = if placed > 0 { 4 << 20 } else { 0 };
        let buffers = u64::from(bits.div_ceil(8)) * scores + placed + read + (32 << low);
        let collected = BYTES_OF_COLLECTED.min(size_of::<u64>() as u64 * 2 * sets);
        let threads = rayon::current_num_threads() as u64 * (buffers + collected);
        let scratch = if numbers.hold_captures() {
            // The captures are taken from the lower layers before the many have values.
            own + lower.max(own)
        } else {
            2 * own + lower
        };
        Spilled { memory: threads + tables, scratch }
    }

    /// Whether more than one pass is necessary for a layer.
    fn repeats(&self, index: &HuntIndex) -> bool {
        index.len(Side::First) > 0 && self.rules.many_stay(Numbers::of(index))
    }
}

/// Returns roughly the most disk space in bytes of a checkpoint with scores of `bits`.
fn checkpoint(repeats: bool, index: &HuntIndex, bits: u32) -> u64 {
    if !repeats {
        return 0;
    }
    let scores = 2 * index.len(Side::First);
    if bits == OutcomeScore::BITS {
        most_of_outcomes(scores)
    } else {
        // Compressed to half: they were to a tenth in a layer of Asalto of which four fifths were
        // decided.
        scores / 2
    }
}

/// Returns roughly the work on a layer by `ranks` processes, in values that are computed.
fn effort(repeats: bool, index: &HuntIndex, ranks: usize) -> Effort {
    let passes = if repeats { PASSES } else { 1.0 };
    Effort { alone: 0.0, shared: 2.0 * passes * index.len(Side::First) as f64 / ranks as f64 }
}

/// Fails if a layer has more sets of the many than the engine can number.
fn layers_suit(game: &Hunt, rules: &Rules) -> Result<(), &'static str> {
    let suits = game.layers().all(|layer| {
        let index = game.index(layer);
        if index.len(Side::First) == 0 {
            return true;
        }
        let [few, many] = Numbers::of(&index).on_board;
        Layout::sets(rules.points, few, many).is_some()
    });
    if suits { Ok(()) } else { Err("layers of more than 2^32 sets of the many") }
}

impl Engine for Sets {
    fn name(&self) -> &'static str {
        NAME
    }

    fn needs(&self, of: LayerOf<'_>, metrics: Metrics) -> Needs {
        let has_distances = metrics.contains(Metric::Dtw);
        let bits = if has_distances { i8::BITS } else { OutcomeScore::BITS };
        let needs = self.needs_with(of, bits);
        let Spilled { memory, scratch } = needs;
        let checkpoint = checkpoint(self.repeats(of.index), of.index, bits);
        Needs { memory: memory + scratch, spilled: Some(needs), checkpoint, traffic: None }
    }

    fn effort(&self, of: LayerOf<'_>) -> Effort {
        effort(self.repeats(of.index), of.index, 1)
    }

    fn most(&self, of: LayerOf<'_>) -> f64 {
        if self.repeats(of.index) { MOST_PASSES / PASSES } else { 1.0 }
    }

    fn measure(&self, _: LayerOf<'_>) -> f64 {
        SECONDS_PER_VALUE
    }

    fn solve(&self, task: &Task<'_>) -> Result<Filled, SolveError> {
        if task.index.len(Side::First) == 0 {
            return Filled::of_codes(task, NAME, &BySide::default(), 0);
        }
        solve_with_bits(task, |bits, found| {
            let Sets { rules, per_change } = self;
            match bits {
                OutcomeScore::BITS => {
                    Layer::<OutcomeScore>::new(task, rules, *per_change)?.solve(found)
                }
                i8::BITS => Layer::<i8>::new(task, rules, *per_change)?.solve(found),
                _ => {
                    let task = task.with_needs(self.needs_with(task.of(), bits))?;
                    Layer::<i16>::new(&task, rules, *per_change)?.solve(found)
                }
            }
        })
    }
}
