//! The bit-parallel engine for Fox-and-Geese.
//!
//! Sets of positions are bit arrays; positions are never ranked while a layer is solved. The points
//! other than d4 are partitioned into two *halves* of twelve points and the *ring* of eight points
//! around d4, and no line joins the halves ([`sets`]). For each fox class and ring set, the goose
//! sets form bit matrices with one row per set of one half and one bit per set of the other
//! ([`shape`]). A goose moves within one half and the ring, so in one of the two orientations its
//! move maps whole rows to whole rows; so does a fox step ([`moves`]). The inner loops are
//! therefore unions and intersections of rows ([`kernels`]). A transposition changes the
//! orientation ([`transpose`]), and the mirrors of the board are composed of transpositions
//! ([`symmetry`]).
//!
//! The least fixpoint of one operator is what the geese win, and its greatest fixpoint is what the
//! fox does not win ([`fixpoint`]). For each fixpoint, captures are folded in first, from the
//! lower layers, which are released before the rounds begin ([`captures`]). The result is converted
//! to the order of the table ([`order`]).
//!
//! Fields are allocated in memory or in scratch files ([`store`](super::store)).
//!
//! A checkpoint of outcomes does not hold fields but the values with the fox to move that are known
//! after a round, as the table has them: for the least fixpoint the positions found to be in it,
//! for the greatest those found not to be in it.

#![expect(
    clippy::inline_always,
    reason = "a kernel is compiled for an instruction set by being inlined into a function that has it"
)]

mod bits;
mod bound;
mod captures;
mod codes;
mod delta;
mod distances;
mod fixpoint;
mod kernels;
mod lanes;
mod layer;
mod moves;
mod needs;
mod order;
mod passes;
mod releases;
mod report;
mod rows;
mod runs;
mod sets;
mod shape;
mod symmetry;
mod tile;
mod transpose;
mod vector;
mod without_capture;

use anser_core::fox_geese::FEWEST_GEESE;
use anser_core::{BySide, Dtw, LayerIndex, Side};
use anser_table::Metric;

use crate::engines::engine::{Effort, Engine, Filled, Needs, Task};
use crate::run::metrics::Metrics;
use crate::{LayerOf, SolveError};
use anser_retrograde::isa::Level;
use layer::{Layer, of_game, of_layer};
use moves::Foxes;
use shape::Shape;

/// Time to solve a layer, in full geese passes. Measured: 30 to 65 in layers 8 to 16 of
/// `first-capture`.
const PASSES_PER_LAYER: f64 = 43.0;

/// Time that does not depend on the size of the layer, in words of a pass of a small layer.
/// Measured: 0.03 s in layer 4, where a word takes 76 ns.
const FIXED_WORDS: f64 = 0.5e6;

/// Time to fold in the captures of one lower layer, in full passes.
const PASSES_PER_FOLD: f64 = 10.0;

/// Time to solve a layer for distances, as a multiple of that for outcomes. Measured: 1.6 in layers
/// 10 to 12 of `first-capture`.
const DISTANCES_PER_OUTCOMES: f64 = 1.6;

/// The engine; see the [module](self).
pub(crate) struct Cross {
    /// The metric that the passes compute. Distances imply outcomes, which then cost nothing more.
    metric: Metric,
    level: Level,
    foxes: Foxes,
}

impl Cross {
    /// Returns the engine for the fastest instruction set of the processor.
    pub(crate) fn new(metric: Metric) -> Cross {
        Cross::at(Level::best(), metric)
    }

    /// Returns the engine for an instruction set.
    fn at(level: Level, metric: Metric) -> Cross {
        Cross { metric, level, foxes: Foxes::default() }
    }
}

impl Engine for Cross {
    fn name(&self) -> &'static str {
        match self.metric {
            Metric::Wdl => "cross",
            Metric::Dtw => "cross-distances",
        }
    }

    fn fills(&self, metrics: Metrics) -> bool {
        match self.metric {
            Metric::Wdl => metrics == Metrics::from(Metric::Wdl),
            Metric::Dtw => metrics.need_distances(),
        }
    }

    fn needs(&self, of: LayerOf<'_>, _: Metrics) -> Needs {
        let LayerOf { game, layer, index } = of;
        needs::of_layer(self.metric, &of_game(game), layer, of_layer(index))
    }

    fn effort(&self, LayerOf { game, layer, index }: LayerOf<'_>) -> Effort {
        if usize::from(layer) < FEWEST_GEESE {
            return Effort::default();
        }
        let classes = of_layer(index).representatives().count();
        let words = |layer: usize| (Shape::new(layer).words * classes) as f64;
        let folded: f64 = if of_game(game).chain {
            (FEWEST_GEESE..usize::from(layer)).map(words).sum()
        } else {
            0.0
        };
        let outcomes = words(usize::from(layer)) * PASSES_PER_LAYER + folded * PASSES_PER_FOLD;
        let factor = match self.metric {
            Metric::Wdl => 1.0,
            Metric::Dtw => DISTANCES_PER_OUTCOMES,
        };
        Effort { alone: FIXED_WORDS, shared: outcomes * factor }
    }

    fn measure(&self, LayerOf { game, layer, .. }: LayerOf<'_>) -> f64 {
        layer::seconds_per_word(&of_game(game), self.level, layer, &self.foxes).unwrap_or_default()
    }

    fn solve(&self, task: &Task<'_>) -> Result<Filled, SolveError> {
        if usize::from(task.layer) < FEWEST_GEESE {
            // The fox has won, because too few geese are left.
            let code = Dtw::win(Side::First, 0).code();
            let codes = BySide::from_fn(|side| vec![code; task.index.len(side) as usize]);
            return Filled::of_codes(task, self.name(), &codes, 0);
        }
        let layer = Layer::new(task, self.level, &self.foxes);
        match self.metric {
            Metric::Wdl => layer.solve(),
            Metric::Dtw => layer.solve_distances(),
        }
    }
}

#[cfg(test)]
mod tests;
