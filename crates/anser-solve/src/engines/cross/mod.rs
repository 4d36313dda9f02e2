//! The bit-parallel engine for Fox-and-Geese.
//!
//! Sets of positions are bit arrays, and no position is ever ranked while a layer is solved. The points other than d4 fall
//! into three parts, two *halves* of twelve points and the *ring* of eight around d4, such that no line joins the halves
//! ([`sets`]). For each fox class and ring set the goose sets form bit matrices with a row for each set of one half and a bit
//! for each set of the other ([`shape`]). A goose moves within one half and the ring, so in the right one of the two
//! orientations a move is a move of whole rows, and a fox step is one as well ([`moves`]): the inner loops are unions and
//! intersections of rows ([`kernels`]). Between the orientations lies a transposition ([`transpose`]), and what the mirrors of
//! the board do to a matrix is made of transpositions too ([`symmetry`]).
//!
//! The least fixpoint of one operator gives what the geese win, the greatest one what the fox does not win ([`fixpoint`]).
//! For each of the two, captures are folded in first, from the layer below, which is let go before the rounds begin
//! ([`captures`]); what was found is put into the order of the table ([`order`]).
//!
//! All fields come from one room, in memory or in scratch files ([`store`]).
//!
//! The fields are the engine's own; a checkpoint has the values that are known as of a round: of the least fixpoint what was
//! found to be in it, of the greatest what was found not to be.

#![expect(
    clippy::inline_always,
    reason = "a kernel is compiled for an instruction set by being inlined into a function that has it"
)]

mod bits;
mod bound;
mod captures;
mod delta;
mod fixpoint;
mod kernels;
mod layer;
mod moves;
mod order;
mod passes;
mod report;
mod rows;
mod runs;
mod sets;
mod shape;
mod store;
mod symmetry;
mod transpose;
mod vector;

use std::sync::atomic::Ordering::Relaxed;

use anser_core::Side;
use anser_core::fox_geese::{Base, CrossIndex, FEWEST_GEESE, FoxGeese, Point};
use anser_core::prelude::*;
use anser_table::Metric;
use anser_table::format::payload_len;

use crate::SolveError;
use crate::checkpoint::progress::Phase;
use crate::engines::engine::{Effort, Engine, Filled, Sections, Spilled, Task};
use crate::run::metrics::Metrics;
use anser_analyse::isa::Level;
use layer::Layer;
use shape::Shape;

/// Full passes of the geese that take as long as a layer. Measured: 30 to 65 in layers 8 to 16 of `first-capture`.
const PASSES: f64 = 43.0;

/// Words of a pass that take as long as what does not depend on the size of the layer: the tables of the game and of the
/// orders.
const ALONE: f64 = 2.5e6;

/// Full passes that take as long as folding in the captures of one lower layer.
const PASSES_TO_FOLD: f64 = 10.0;

/// The most fields, masks left out, in use at the same time if one class is done after the other: the fox to move in both
/// orientations, and the geese to move in at most four classes that its steps lead to. Folding in captures uses no more.
const HOT: u64 = 6;

/// The buffers of a thread, in blocks: an orbit of eight, and four to transpose it.
const BLOCKS_PER_THREAD: u64 = 12;

/// Memory in bytes that does not depend on the size of a layer: the program, the tables of the game and of the orders.
const FIXED: u64 = 12 << 20;

/// See the module.
pub(crate) struct Cross {
    level: Level,
}

/// The memory that a layer needs, in bytes.
struct MemoryNeeds {
    /// One field of the layer.
    field: u64,
    /// The number of fields with captures.
    masks: u64,
    /// All fields that exist at the same time, at most.
    fields: u64,
    /// The deltas of a pass.
    deltas: u64,
}

impl MemoryNeeds {
    fn new(game: &FoxGeese, layer: u16, index: &CrossIndex) -> MemoryNeeds {
        let field_of = |layer: u16| 8 * Shape::new(usize::from(layer)).words as u64;
        let points: Vec<Point> = index.representatives().collect();
        let (field, classes) = (field_of(layer), points.len() as u64);
        let rules = game.rules();
        // Compulsory captures need a second mask.
        let masks = if rules.compulsory() { 2 } else { 1 };
        // Both orientations with the fox to move, and what is read with the geese to move.
        let rounds = (classes * (2 + masks) + moves::reads(game, &points)) * field;
        let lower = match (rules.base(), rules.chain()) {
            (Base::FirstCapture, _) => layer..layer,
            (_, false) => layer - 1..layer,
            (_, true) => FEWEST_GEESE as u16..layer,
        };
        let folding = lower.map(|lower| {
            // The layer as read with its masks, a plane of its table, and a few fields on the way to the layer above.
            let plane = game.index(lower).len(Side::Second) / 8;
            let kept = if rules.chain() { 1 + masks } else { 1 };
            classes * kept * field_of(lower) + plane + 4 * field_of(lower) + (classes + 2) * field_of(lower + 1)
        });
        // A change takes two words.
        let deltas = classes * field * 2 / fixpoint::WORDS_PER_CHANGE;
        MemoryNeeds { field, masks, fields: rounds.max(folding.max().unwrap_or(0)), deltas }
    }
}

impl Cross {
    /// Returns the engine with the fastest instructions that the processor has.
    pub(crate) fn new() -> Cross {
        Cross { level: Level::best() }
    }
}

impl Engine<FoxGeese> for Cross {
    fn name(&self) -> &'static str {
        "cross"
    }

    fn fills(&self, metrics: Metrics) -> bool {
        metrics == Metrics::from(Metric::Wdl)
    }

    fn memory(&self, game: &FoxGeese, layer: u16, index: &CrossIndex) -> u64 {
        let values = payload_len(Side::BOTH.map(|side| index.len(side)));
        if usize::from(layer) < FEWEST_GEESE {
            return values;
        }
        let MemoryNeeds { fields, deltas, .. } = MemoryNeeds::new(game, layer, index);
        // Of the values, what is written of one class; no class has more than a quarter of them.
        let writing = if index.representatives().count() > 7 { values / 16 } else { values / 4 };
        fields + deltas + writing
    }

    fn spilled(&self, game: &FoxGeese, layer: u16, index: &CrossIndex) -> Option<Spilled> {
        if usize::from(layer) < FEWEST_GEESE {
            return None;
        }
        let MemoryNeeds { field, masks, fields, deltas } = MemoryNeeds::new(game, layer, index);
        let largest = Shape::new(usize::from(layer)).blocks.iter().map(|block| block.len() as u64 * 8).max();
        let threads = rayon::current_num_threads() as u64 * BLOCKS_PER_THREAD * largest.unwrap_or(0);
        // With less in memory, a pass would read every file several times.
        Some(Spilled { memory: FIXED + threads + deltas + (HOT + masks) * field, scratch: fields })
    }

    fn sections(&self, _index: &CrossIndex) -> Option<Sections> {
        Some(Sections(Vec::new()))
    }

    fn effort(&self, game: &FoxGeese, layer: u16, index: &CrossIndex) -> Effort {
        if usize::from(layer) < FEWEST_GEESE {
            return Effort::default();
        }
        let classes = index.representatives().count();
        let words = |layer: usize| (Shape::new(layer).words * classes) as f64;
        let folded: f64 = if game.rules().chain() { (FEWEST_GEESE..usize::from(layer)).map(words).sum() } else { 0.0 };
        Effort { alone: ALONE, shared: words(usize::from(layer)) * PASSES + folded * PASSES_TO_FOLD }
    }

    fn measure(&self, game: &FoxGeese, layer: u16, _index: &CrossIndex) -> f64 {
        layer::seconds_per_word(game, self.level, layer).unwrap_or_default()
    }

    fn solve(&self, task: &Task<'_, FoxGeese>) -> Result<Filled, SolveError> {
        if usize::from(task.layer) < FEWEST_GEESE {
            win_everything(task)?;
        } else {
            Layer::new(task, self.level).solve()?;
        }
        Ok(Filled::in_checkpoint(task.progress().rounds()))
    }
}

/// Fills a layer with so few geese that the fox has won.
fn win_everything(task: &Task<'_, FoxGeese>) -> Result<(), SolveError> {
    let staged = task.work().stage()?;
    let planes = staged.planes();
    for side in Side::BOTH {
        for (number, pair) in planes.pairs(side).iter().enumerate() {
            pair[Side::First.index()].store(planes.valid(side, number), Relaxed);
        }
    }
    task.progress().set_phase(Phase::Finish);
    staged.commit()
}

#[cfg(test)]
mod tests;
