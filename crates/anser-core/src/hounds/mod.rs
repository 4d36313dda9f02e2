//! The boards of games of a lone piece against a pack on the squares of one color of a chessboard,
//! with their numbering: Fox-and-Hounds and Hasenspiel.
//!
//! On an n x n board, `n / 2` hounds, or fewer, start on the bottom row and the fox near the middle
//! of the top row. The fox steps to any empty square diagonally next to it; the hounds step one at
//! a time, up only. Nothing is captured. A hound never comes back, so every game ends, and none in
//! a draw.
//!
//! The games themselves are descriptions, [`fox_hounds`](crate::hunt::fox_hounds) and
//! [`hasenspiel`](crate::hunt::hasenspiel). What is here serves every hunt of this kind. The names
//! of fields and methods are those of Fox-and-Hounds.
//!
//! A layer is the number of rows that the hounds still have to go; `index.rs` specifies the index.

mod board;
mod index;
mod rules;

pub(crate) use board::MOST_SQUARES;
pub use board::{Board, Color, SizeError};
pub(crate) use index::HoundsIndex;
pub use rules::{Goal, Rows};
