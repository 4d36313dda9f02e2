//! Hexapawn: the encoding of this crate, and that of the document.

use anser_core::Side;
use anser_core::hexapawn::{BoardSize, Hexapawn, Move, Position};

use super::{Encoding, mark, push_each};

/// The squares of a set of bits.
fn squares(bits: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |square| bits >> square & 1 != 0)
}

/// Hexapawn as the side to move sees it: Black's board is turned upside down, so that one network
/// plays both sides alike.
///
/// Inputs: the squares of the mover's pawns, then those of the other side. Actions: a pawn's square
/// off the far row, for steps, captures to the left, and captures to the right.
#[derive(Clone, Debug)]
pub struct HexapawnEncoding {
    game: Hexapawn,
}

impl HexapawnEncoding {
    /// Creates the encoding of a board.
    pub fn new(game: &Hexapawn) -> HexapawnEncoding {
        HexapawnEncoding { game: game.clone() }
    }

    fn size(&self) -> BoardSize {
        self.game.size()
    }

    /// Returns the square as `side` sees it.
    fn seen(&self, side: Side, column: usize, row: usize) -> usize {
        let (columns, rows) = (usize::from(self.size().columns()), usize::from(self.size().rows()));
        let row = if side == Side::First { row } else { rows - 1 - row };
        row * columns + column
    }

    fn action(&self, side: Side, mv: Move) -> usize {
        let (from, to) = (mv.from(), mv.to());
        let kind = match to.column.cmp(&from.column) {
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Less => 1,
            std::cmp::Ordering::Greater => 2,
        };
        let squares = self.actions() / 3;
        kind * squares + self.seen(side, usize::from(from.column), usize::from(from.row))
    }
}

impl Encoding<Hexapawn> for HexapawnEncoding {
    fn name(&self) -> &'static str {
        "hexapawn-1"
    }

    fn inputs(&self) -> usize {
        2 * self.size().squares() as usize
    }

    fn actions(&self) -> usize {
        3 * usize::from(self.size().columns()) * (usize::from(self.size().rows()) - 1)
    }

    fn encode(&self, position: &Position, inputs: &mut [f32]) {
        let columns = usize::from(self.size().columns());
        let side = position.to_move();
        let own = if side == Side::First { position.white() } else { position.black() };
        let others = (position.white() | position.black()) & !own;
        let seen = |square: usize| self.seen(side, square % columns, square / columns);
        mark(inputs, 0, squares(own).map(seen));
        mark(inputs, self.inputs() / 2, squares(others).map(seen));
    }

    fn push_actions(&self, position: &Position, actions: &mut Vec<u16>) {
        push_each(&self.game, position, actions, |mv| self.action(position.to_move(), mv));
    }
}

/// The encoding of the document "Mastering Hexapawn AlphaZero-style".
///
/// Inputs: White's squares and Black's squares, each from the top row down, and the side to move
/// three times, 1 for White. Actions: White's steps, White's captures, Black's steps, Black's
/// captures.
#[derive(Clone, Debug)]
pub struct DocumentEncoding {
    game: Hexapawn,
}

/// How often the document repeats the side to move.
const REPEATS: usize = 3;

impl DocumentEncoding {
    /// Creates the encoding of a board; the document has the one of 3 x 3.
    pub fn new(game: &Hexapawn) -> DocumentEncoding {
        DocumentEncoding { game: game.clone() }
    }

    fn columns_and_rows(&self) -> (usize, usize) {
        let size = self.game.size();
        (usize::from(size.columns()), usize::from(size.rows()))
    }

    /// The numbers of steps and captures of a side.
    fn kinds(&self) -> (usize, usize) {
        let (columns, rows) = self.columns_and_rows();
        (columns * (rows - 1), 2 * (columns - 1) * (rows - 1))
    }

    fn action(&self, side: Side, mv: Move) -> usize {
        let (columns, _) = self.columns_and_rows();
        let (steps, captures) = self.kinds();
        let (from, to) = (mv.from(), mv.to());
        // The lower of the two rows: Black's moves begin in the upper one.
        let row = usize::from(from.row.min(to.row));
        let [left, right] =
            [from.column.min(to.column), from.column.max(to.column)].map(usize::from);
        let own = if left == right {
            row * columns + left
        } else {
            steps + (row * (columns - 1) + left) * 2 + usize::from(from.column as usize == right)
        };
        side.index() * (steps + captures) + own
    }
}

impl Encoding<Hexapawn> for DocumentEncoding {
    fn name(&self) -> &'static str {
        "hexapawn-document-1"
    }

    fn inputs(&self) -> usize {
        2 * self.game.size().squares() as usize + REPEATS
    }

    fn actions(&self) -> usize {
        let (steps, captures) = self.kinds();
        2 * (steps + captures)
    }

    fn encode(&self, position: &Position, inputs: &mut [f32]) {
        let (columns, rows) = self.columns_and_rows();
        let from_top = |square: usize| (rows - 1 - square / columns) * columns + square % columns;
        mark(inputs, 0, squares(position.white()).map(from_top));
        mark(inputs, columns * rows, squares(position.black()).map(from_top));
        if position.to_move() == Side::First {
            inputs[2 * columns * rows..].fill(1.0);
        }
    }

    fn push_actions(&self, position: &Position, actions: &mut Vec<u16>) {
        push_each(&self.game, position, actions, |mv| self.action(position.to_move(), mv));
    }
}
