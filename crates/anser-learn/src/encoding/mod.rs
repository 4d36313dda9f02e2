//! Encodings of positions as network inputs, and of moves as actions.

use anser_core::Hunt;
use anser_core::hunt::{Move, Position};

pub(crate) mod document;
mod exchange;
pub(crate) mod hunt;

/// Inputs and outputs of a network for one game.
///
/// The side to move sees the board as its own: an encoding may turn the board, and need not state
/// whose turn it is. The legal moves of a position have different actions.
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

    /// Appends the actions of the legal moves of a position, in generation order.
    fn push_actions(&self, position: &Position, actions: &mut Vec<u16>);
}

/// Appends the action that `action` gives to each legal move, in generation order.
fn push_each(
    game: &Hunt,
    position: &Position,
    actions: &mut Vec<u16>,
    mut action: impl FnMut(Move) -> usize,
) {
    let _ = game.visit_moves(position, |mv, _| {
        actions.push(action(mv) as u16);
        std::ops::ControlFlow::<()>::Continue(())
    });
}

/// Writes a one for each of these squares, at `start`.
fn mark(inputs: &mut [f32], start: usize, squares: impl Iterator<Item = usize>) {
    for square in squares {
        inputs[start + square] = 1.0;
    }
}
