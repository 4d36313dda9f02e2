//! Encodings of positions as network inputs, and of moves as actions.

use anser_core::hunt::{Move, Position};

pub(crate) mod document;
mod exchange;
pub(crate) mod hunt;

/// Inputs and outputs of a network for one game.
///
/// Implemented for any hunt, and for Hexapawn as its document encodes it.
///
/// The side to move sees the board as its own: an encoding may turn the board, and need not state
/// whose turn it is. The legal moves of a position have different actions, except for chains of
/// captures that begin and end at the same points.
pub trait Encoding: Send + Sync {
    /// Returns the name, with a version: a model can only be used with the encoding that it was
    /// trained with.
    fn name(&self) -> &'static str;

    /// Returns the number of inputs.
    fn inputs(&self) -> usize;

    /// Returns the number of actions.
    fn actions(&self) -> usize;

    /// Writes a position into `inputs`, which holds zeros.
    fn encode(&self, position: &Position, inputs: &mut [f32]);

    /// Returns the action of a legal move from a position.
    fn action(&self, position: &Position, mv: &Move) -> u16;
}

/// Writes a one for each of these squares, at `start`.
fn mark(inputs: &mut [f32], start: usize, squares: impl Iterator<Item = usize>) {
    for square in squares {
        inputs[start + square] = 1.0;
    }
}
