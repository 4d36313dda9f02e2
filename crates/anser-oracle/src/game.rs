//! The rules of a game, its sides, and its ends.

use std::fmt;
use std::hash::Hash;

/// A player. `First` is the lone side, `Second` the pack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// Fox, rabbit, hare, White, crosses.
    First,
    /// Hounds, pawns, Black, noughts.
    Second,
}

impl Side {
    /// The opponent.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct End {
    /// The winner; `None` in a draw.
    pub winner: Option<Side>,
    /// Name of the rule that ended the game.
    pub by: &'static str,
}

impl End {
    /// Returns a win of `side` by `rule`.
    pub fn won(side: Side, rule: &'static str) -> Option<End> {
        Some(End { winner: Some(side), by: rule })
    }
}

/// The rules of a game.
///
/// Implemented for any description, and for four games of the documents, among others.
pub trait Game {
    /// An arrangement of the pieces, the side to move, and the plies left of a budget.
    type Position: Clone + Eq + Hash;
    /// A move, displayed in the notation of moves.
    type Move: Clone + fmt::Display;

    /// Returns the start of the game.
    fn start(&self) -> Self::Position;
    /// Returns the side to move.
    fn to_move(&self, position: &Self::Position) -> Side;
    /// Returns how the game has ended, if it is over.
    fn ended(&self, position: &Self::Position) -> Option<End>;
    /// Returns the moves of the side to move and the positions after them, in the documented order.
    /// If the game is over, the moves are listed but never played.
    fn moves(&self, position: &Self::Position) -> Vec<(Self::Move, Self::Position)>;
    /// Formats a position.
    fn notation(&self, position: &Self::Position) -> String;
    /// Returns the same arrangement with the other side to move.
    fn passed(&self, position: &Self::Position) -> Self::Position;
}
