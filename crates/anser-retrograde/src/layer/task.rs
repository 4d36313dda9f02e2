//! Input and result of solving a layer.

use std::time::Duration;

use anser_core::hunt::{HuntIndex, Position};
use anser_core::{BySide, Dtw, Hunt, LayerIndex, Side};

use crate::ranked_set::RankedSet;

/// A layer, and the classes of it that are to be solved or counted.
#[derive(Clone, Copy)]
pub struct Layer<'a> {
    /// The game.
    pub game: &'a Hunt,
    /// The number of the layer.
    pub number: u16,
    /// The index of the layer.
    pub index: &'a HuntIndex,
    /// The ranks of the classes, by side to move. Moves that stay in the layer lead from these to
    /// these. The *slot* of a class is its rank in this set.
    pub classes: BySide<&'a RankedSet>,
}

impl Layer<'_> {
    /// Returns the slot of a position of this layer with `side` to move.
    #[inline]
    pub(super) fn slot(&self, side: Side, position: &Position) -> Option<usize> {
        self.classes[side].slot(self.index.rank(position))
    }
}

/// Requirements of [`solve`](super::solve): values of lower layers, interruption, and progress.
///
/// Implemented for solutions in memory, and in `anser-solve` for tables.
pub trait Context: Sync {
    /// Why a layer is not solved.
    type Error: From<TooLong> + Send;

    /// Returns the value of a position that is not among the classes to be solved.
    ///
    /// # Errors
    /// If it is not known.
    fn below(&self, position: &Position) -> Result<Dtw, Self::Error>;

    /// Fails if the work is to stop.
    ///
    /// # Errors
    /// If it is.
    fn check_interrupt(&self) -> Result<(), Self::Error>;

    /// Reports that a piece of work of `units` classes begins.
    fn begin(&self, what: &str, units: u64) {
        let _ = (what, units);
    }

    /// Reports `units` more classes of the current piece of work as done.
    fn advance(&self, units: u64) {
        let _ = units;
    }

    /// Reports a round as done.
    fn round_done(&self, round: &Round) {
        let _ = round;
    }

    /// Returns whether the rounds are to be saved now.
    fn is_due(&self) -> bool {
        false
    }

    /// Saves the state of the rounds: a few words that describe it, and the rest. `distance` is
    /// that of the last round.
    ///
    /// # Errors
    /// If it cannot be written.
    fn save(
        &self,
        distance: u16,
        state: &[u64],
        words: &mut dyn Iterator<Item = u64>,
    ) -> Result<(), Self::Error> {
        let _ = (distance, state, words);
        Ok(())
    }

    /// Takes the state that was saved last, if there is one.
    fn take_saved(&self) -> Option<Box<dyn Saved<Self::Error> + '_>> {
        None
    }
}

/// The state of the rounds as [`Context::save`] saved it.
///
/// Implemented by the checkpoints of `anser-solve`: this crate writes no files.
pub trait Saved<E> {
    /// Returns the words that describe it.
    fn state(&self) -> &[u64];

    /// Reads the next of the other words.
    ///
    /// # Errors
    /// If they cannot be read.
    fn read(&mut self, words: &mut [u64]) -> Result<(), E>;

    /// Ends the reading.
    ///
    /// # Errors
    /// If the words are not those that were saved.
    fn finish(self: Box<Self>) -> Result<(), E>;
}

/// Report of one round.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// The distance that the round decided, in plies.
    pub distance: u16,
    /// The number of classes that the round decided.
    pub new: u64,
    /// The number of classes decided so far.
    pub decided: u64,
    /// The number of classes of the layer.
    pub classes: u64,
    /// The time since the round before.
    pub took: Duration,
}

/// A win takes more plies than [`Dtw::LONGEST`].
#[derive(Clone, Copy, Debug)]
pub struct TooLong {
    /// The layer of a position with such a win.
    pub layer: u16,
}

/// The values of a solved layer.
#[derive(Debug)]
pub struct LayerCodes {
    /// By side to move and slot: the code of the value.
    pub codes: BySide<Vec<u16>>,
    /// The greatest distance that a round decided, or 1 if the layer took one pass per side.
    pub rounds: u64,
}
