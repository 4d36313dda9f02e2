//! Boards of Hexapawn, of columns x rows, with their numbering.
//!
//! Pawns step forward and capture diagonally forward, as in chess. A pawn on its far row has won; a
//! side to move without a pawn or without a move has lost. So at every end of the game the side to
//! move has lost, and there are no draws. A layer is the number of rows that all pawns of both
//! sides together still have to go. Every move lowers it, so no position repeats.
//!
//! The game itself is a description, [`hexapawn`](crate::hunt::hexapawn).

mod index;
mod size;
mod words;

pub(crate) use index::HexapawnIndex;
pub use size::{BoardSize, BoardSizeError};
