//! The oracles: the plainest programs for Fox-and-Geese, Fox-and-Hounds, Hasenspiel, Hare-and-Hounds, Hexapawn, noughts and crosses, and king and
//! rook against king.
//!
//! Programs as plain as they can be, written from the rules alone, that share nothing with the engines of the
//! workspace: no ranks, no layers, no tables, only positions in a list. What an engine computes is compared with them,
//! position by position, through the notation; and they compute the known figures of `anser-reproduce`. Only tests use them.
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
pub mod king_rook;
pub mod noughts;
pub mod plain;

pub use plain::{Graph, Value};

/// One of the two players. `First` is the lone side, `Second` the pack.
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

/// How a game is over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct End {
    /// Who has won; nobody in a draw.
    pub winner: Option<Side>,
    /// The rule that ended it, in a word or two.
    pub by: &'static str,
}

impl End {
    /// `side` has won by `rule`.
    pub fn won(side: Side, rule: &'static str) -> Option<End> {
        Some(End { winner: Some(side), by: rule })
    }
}

/// The rules of a game.
pub trait Game {
    /// An arrangement and the side to move (and what is left of a budget).
    type Position: Clone + Eq + Hash;
    /// A move; its text is the notation of moves.
    type Move: Copy + fmt::Display;

    /// Where play starts.
    fn start(&self) -> Self::Position;
    /// The side to move.
    fn to_move(&self, position: &Self::Position) -> Side;
    /// Whether the game is over here, and how.
    fn ended(&self, position: &Self::Position) -> Option<End>;
    /// The moves of the side to move and where they lead, in the documented order. Those of a position in which the game
    /// is over are listed too; they are never played.
    fn moves(&self, position: &Self::Position) -> Vec<(Self::Move, Self::Position)>;
    /// The position as text.
    fn notation(&self, position: &Self::Position) -> String;
    /// The same arrangement with the other side to move.
    fn passed(&self, position: &Self::Position) -> Self::Position;
}

/// Rows of points as text: a letter for each man, digits for runs of empty points, `/` between rows.
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
