//! The encoding of the Hexapawn document.

use anser_core::hexapawn::BoardSize;
use anser_core::hunt::{Move, Position};
use anser_core::{Hunt, Side};

use super::{Encoding, mark};

/// The encoding of the document "Mastering Hexapawn AlphaZero-style".
///
/// Inputs: White's squares and Black's squares, each from the top row down, and the side to move
/// three times, 1 for White. Actions: White's steps, White's captures, Black's steps, Black's
/// captures.
#[derive(Clone, Debug)]
pub struct DocumentEncoding {
    size: BoardSize,
}

/// Number of inputs for the side to move.
const REPEATS: usize = 3;

impl DocumentEncoding {
    /// Creates the encoding of a board, `None` for [other games](Hunt::pawn_board); the document
    /// has the one of 3 x 3.
    pub fn new(game: &Hunt) -> Option<DocumentEncoding> {
        game.pawn_board().map(|size| DocumentEncoding { size })
    }

    fn columns_and_rows(&self) -> (usize, usize) {
        (usize::from(self.size.columns()), usize::from(self.size.rows()))
    }

    /// The numbers of steps and captures of a side.
    fn kinds(&self) -> (usize, usize) {
        let (columns, rows) = self.columns_and_rows();
        (columns * (rows - 1), 2 * (columns - 1) * (rows - 1))
    }
}

impl Encoding for DocumentEncoding {
    fn name(&self) -> &'static str {
        "hexapawn-document-1"
    }

    fn inputs(&self) -> usize {
        2 * self.size.squares() as usize + REPEATS
    }

    fn actions(&self) -> usize {
        let (steps, captures) = self.kinds();
        2 * (steps + captures)
    }

    fn encode(&self, position: &Position, inputs: &mut [f32]) {
        let (columns, rows) = self.columns_and_rows();
        let from_top = |square: u8| {
            let square = usize::from(square);
            (rows - 1 - square / columns) * columns + square % columns
        };
        mark(inputs, 0, position.few().iter().map(from_top));
        mark(inputs, columns * rows, position.many().iter().map(from_top));
        if position.to_move() == Side::First {
            inputs[2 * columns * rows..].fill(1.0);
        }
    }

    fn action(&self, position: &Position, mv: &Move) -> u16 {
        let (columns, _) = self.columns_and_rows();
        let (steps, captures) = self.kinds();
        let [(from, from_row), (to, to_row)] =
            [mv.path()[0], mv.path()[1]].map(usize::from).map(|at| (at % columns, at / columns));
        // The lower of the two rows: Black's moves begin in the upper one.
        let row = from_row.min(to_row);
        let [left, right] = [from.min(to), from.max(to)];
        let own = if left == right {
            row * columns + left
        } else {
            steps + (row * (columns - 1) + left) * 2 + usize::from(from == right)
        };
        (position.to_move().index() * (steps + captures) + own) as u16
    }
}
