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
mod fixpoint;
mod kernels;
mod layer;
mod moves;
mod news;
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
use anser_table::format::payload_len;

use crate::SolveError;
use crate::checkpoint::progress::Phase;
use crate::engines::engine::{Cost, Effort, Engine, Spilled, Task};
use anser_analyse::isa::Level;
use layer::Layer;
use shape::Shape;

/// Whole passes of the geese that a layer takes as long as, everything together: measured, 30 to 65 in layers 8 to 16 of
/// `first-capture`.
const PASSES: f64 = 43.0;

/// Words of a pass that a layer of any size takes as long as beside that: tables of the game and of the orders are made.
const ALONE: f64 = 2.5e6;

/// As many a lower layer takes that only captures are folded in from.
const PASSES_TO_FOLD: f64 = 10.0;

/// So many fields are at work at the same time at most, masks left out, if one class is done after the other: the fox to move
/// in both orientations, and the geese to move in the four classes that its steps lead to at most. Folding in captures takes
/// no more.
const HOT: u64 = 6;

/// What a thread has of its own, in blocks: an orbit of eight, and four to turn it.
const OWN_BLOCKS: u64 = 12;

/// What does not go with the size of a layer, in bytes: the program itself, the tables of the game and of the orders.
const FIXED: u64 = 12 << 20;

/// See the module.
pub(crate) struct Cross {
    level: Level,
}

/// What the fields of a layer take, in bytes.
struct Room {
    /// One field of the layer.
    own: u64,
    /// Those that say what captures do.
    masks: u64,
    /// All fields that there are at the same time, at most.
    fields: u64,
    /// The changes of a pass that are followed one by one.
    changes: u64,
}

impl Room {
    fn new(game: &FoxGeese, layer: u16, index: &CrossIndex) -> Room {
        let field = |layer: u16| 8 * Shape::new(usize::from(layer)).words as u64;
        let points: Vec<Point> = index.representatives().collect();
        let (own, classes) = (field(layer), points.len() as u64);
        let rules = game.rules();
        // Where captures are compulsory there is a second mask.
        let masks = if rules.compulsory() { 2 } else { 1 };
        // Both orientations with the fox to move, and what is read with the geese to move.
        let rounds = (classes * (2 + masks) + moves::reads(game, &points)) * own;
        let lower = match (rules.base(), rules.chain()) {
            (Base::FirstCapture, _) => layer..layer,
            (_, false) => layer - 1..layer,
            (_, true) => FEWEST_GEESE as u16..layer,
        };
        let folding = lower.map(|lower| {
            // The layer as read with its masks, a plane of its table, and a few fields on the way to the layer above.
            let plane = game.index(lower).len(Side::Second) / 8;
            let held = if rules.chain() { 1 + masks } else { 1 };
            classes * held * field(lower) + plane + 4 * field(lower) + (classes + 2) * field(lower + 1)
        });
        // A change takes two words.
        let changes = classes * own * 2 / fixpoint::FEW;
        Room { own, masks, fields: rounds.max(folding.max().unwrap_or(0)), changes }
    }
}

impl Cross {
    /// The engine with the best instructions that the processor has.
    pub(crate) fn new() -> Cross {
        Cross { level: Level::best() }
    }
}

impl Cost<FoxGeese> for Cross {
    fn name(&self) -> &'static str {
        "cross"
    }

    fn memory(&self, game: &FoxGeese, layer: u16, index: &CrossIndex) -> u64 {
        let values = payload_len(Side::BOTH.map(|side| index.len(side)));
        if usize::from(layer) < FEWEST_GEESE {
            return values;
        }
        let Room { fields, changes, .. } = Room::new(game, layer, index);
        // Of the values, what is written of one class; no class has more than a quarter of them.
        let writing = if index.representatives().count() > 7 { values / 16 } else { values / 4 };
        fields + changes + writing
    }

    fn spilled(&self, game: &FoxGeese, layer: u16, index: &CrossIndex) -> Option<Spilled> {
        if usize::from(layer) < FEWEST_GEESE {
            return None;
        }
        let Room { own, masks, fields, changes } = Room::new(game, layer, index);
        let largest = Shape::new(usize::from(layer)).blocks.iter().map(|block| block.len() as u64 * 8).max();
        let threads = rayon::current_num_threads() as u64 * OWN_BLOCKS * largest.unwrap_or(0);
        // What the system needs to have in memory so that a pass does not read everything several times.
        Some(Spilled { memory: FIXED + threads + changes + (HOT + masks) * own, scratch: fields })
    }

    fn effort(&self, game: &FoxGeese, layer: u16, index: &CrossIndex) -> Effort {
        if usize::from(layer) < FEWEST_GEESE {
            return Effort::default();
        }
        let classes = index.representatives().count();
        let words = |layer: usize| (Shape::new(layer).words * classes) as f64;
        // A chain of captures is followed through all lower layers.
        let folded: f64 = if game.rules().chain() { (FEWEST_GEESE..usize::from(layer)).map(words).sum() } else { 0.0 };
        Effort { alone: ALONE, shared: words(usize::from(layer)) * PASSES + folded * PASSES_TO_FOLD }
    }

    fn measure(&self, game: &FoxGeese, layer: u16, _index: &CrossIndex) -> f64 {
        layer::seconds_per_word(game, self.level, layer).unwrap_or_default()
    }
}

impl Engine<FoxGeese> for Cross {
    fn solve(&self, task: &Task<'_, FoxGeese>) -> Result<(), SolveError> {
        if usize::from(task.layer) < FEWEST_GEESE { win_everything(task) } else { Layer::new(task, self.level).solve() }
    }
}

/// With so few geese the fox has won.
fn win_everything(task: &Task<'_, FoxGeese>) -> Result<(), SolveError> {
    let staged = task.work.stage()?;
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
