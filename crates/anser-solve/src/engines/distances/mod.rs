//! Solving for distances: the exact value of every position of a layer, in memory, from the distances of lower layers.
//!
//! An engine gives the codes of [`Dtw`](anser_core::Dtw) for both sides to move. The general one does it in one of two ways:
//! where at most one side's moves stay in the layer, a pass for each side (`passes.rs`); otherwise by rounds, one for each
//! distance (`rounds.rs`). Games of a lone man against a pack have a faster one (`hunts.rs`). What comes out depends on the game alone, so a layer has one table of distances, whatever made it.

mod general;
mod passes;
mod rounds;
mod seed;

use anser_core::Game;
use anser_table::Tablebase;

use crate::engines::engine::Cost;
use crate::observer::Observer;
use crate::{Event, SolveError};

pub(crate) use general::GeneralDistances;

/// An algorithm that solves a layer for its distances, or, of the metric `wdl`, for codes whose outcomes are right.
///
/// Engines differ in speed and memory alone: the distances, or the outcomes, they give are the same.
pub(crate) trait DistanceEngine<G: Game>: Cost<G> {
    /// Solves the layer.
    fn solve(&self, task: &DistanceTask<'_, G>) -> Result<Distances, SolveError>;
}

/// One layer to be solved for its distances.
pub(crate) struct DistanceTask<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) layer: u16,
    pub(crate) index: &'a G::Index,
    /// The values of the lower layers that moves lead to, of the metric that is solved for.
    pub(crate) lower: &'a Tablebase<G>,
    pub(crate) observer: &'a dyn Observer,
}

/// A solved layer.
pub(crate) struct Distances {
    /// The codes, by side to move and rank.
    pub(crate) codes: [Vec<u16>; 2],
    /// The number of rounds, as the engine understands them.
    pub(crate) rounds: u64,
}

impl<G: Game> DistanceTask<'_, G> {
    /// An error if somebody asked to stop.
    pub(crate) fn check_interrupt(&self) -> Result<(), SolveError> {
        if self.observer.interrupted() { Err(SolveError::Interrupted) } else { Ok(()) }
    }

    pub(crate) fn announce(&self, what: String, units: u64) {
        self.observer.event(&Event::Work { what, units });
    }

    pub(crate) fn too_long(&self) -> SolveError {
        SolveError::TooLong { layer: self.layer }
    }
}
