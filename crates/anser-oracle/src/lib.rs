//! Oracles: the plainest programs for all games of the workspace, for tests alone.
//!
//! Each oracle is written from the rules of its game and shares no code with the engines. Tests
//! compare the values of an engine with those of the oracle at every position, and the oracles
//! compute the known figures of `anser-reproduce`.
//!
//! [`fox_geese`] solves Fox-and-Geese layer by layer. The other games implement [`Game`], and
//! [`Graph`] holds their positions in a list: Fox-and-Hounds, Hasenspiel, Hare-and-Hounds,
//! Hexapawn, noughts and crosses, and king and rook against king. [`hunt`] plays any hunt by the
//! lines of text that describe it.
//!
//! ```
//! use anser_oracle::fox_hounds::FoxHounds;
//! use anser_oracle::{Game, Graph, Side};
//! let game = FoxHounds::new(4);
//! let graph = Graph::reachable(&game, &game.start());
//! assert_eq!(graph.len(), 83);
//! let start = graph.values()[0];
//! assert_eq!((start.winner, start.plies), (Some(Side::Second), 8));
//! assert_eq!(game.notation(&graph.positions[0]), "1F/2/2/hh f");
//! ```

use std::fmt;
use std::hash::Hash;

pub mod author;
pub mod fox_geese;
pub mod fox_hounds;
pub mod foxbox;
pub mod fuzz;
pub mod hare_hounds;
pub mod hasenspiel;
pub mod hexapawn;
pub mod hunt;
pub mod king_rook;
pub mod noughts;
pub mod plain;

pub use plain::{Graph, Value};

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

/// Formats rows of points: a letter for each piece, digits for runs of empty points, `/` between
/// rows.
pub(crate) fn rows_text(rows: impl IntoIterator<Item = Vec<Option<char>>>) -> String {
    let mut text = String::new();
    for (number, row) in rows.into_iter().enumerate() {
        if number > 0 {
            text.push('/');
        }
        let mut empty = 0;
        for man in row.into_iter().map(Some).chain([None]) {
            if man == Some(None) {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            text.extend(man.flatten());
        }
    }
    text
}
