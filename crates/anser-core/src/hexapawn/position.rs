//! Positions and moves as values, and which arrangements are positions.

use std::fmt;

use crate::Side;
use crate::hexapawn::BoardSize;

/// The pawns, and the side to move.
///
/// White is [`Side::First`] and goes up, Black is [`Side::Second`] and goes down. Squares are bits,
/// `row * columns + column`, the bottom row and the left column being 0.
///
/// Not every arrangement is a position. The side not to move has moved last, so it has a pawn, and
/// only that move can have brought a pawn to a far row:
/// - each side has at most one pawn per column of the board, and the side not to move has at least
///   one;
/// - the side to move has no pawn on its far row, the other side at most one.
///
/// Play starts from such a position and leads only to such positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub(crate) pawns: [u64; 2],
    pub(crate) to_move: Side,
}

impl Position {
    /// Returns the squares of White's pawns.
    pub fn white(&self) -> u64 {
        self.pawns[0]
    }

    /// Returns the squares of Black's pawns.
    pub fn black(&self) -> u64 {
        self.pawns[1]
    }

    /// Returns the side to move.
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// Returns the squares of the side to move, and those of the other side.
    pub(super) fn mover_and_other(&self) -> (u64, u64) {
        (self.pawns[self.to_move.index()], self.pawns[self.to_move.other().index()])
    }

    /// Returns the squares of one side.
    pub(super) fn of(&self, side: Side) -> u64 {
        self.pawns[side.index()]
    }

    /// Returns the image under the mirror of left and right.
    pub(super) fn mirror(&self, size: BoardSize) -> Position {
        Position { pawns: self.pawns.map(|pawns| size.mirror(pawns)), ..*self }
    }
}

/// Returns the far row of a side.
pub(super) fn far_row(size: BoardSize, side: Side) -> u64 {
    match side {
        Side::First => size.row(size.rows() - 1),
        Side::Second => size.row(0),
    }
}

/// A square, as `a1` at the bottom left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    /// The column, from 0 on the left.
    pub column: u8,
    /// The row, from 0 at the bottom.
    pub row: u8,
}

impl Square {
    /// Returns the square of a bit.
    pub(super) fn of(size: BoardSize, bit: u32) -> Square {
        let bit = bit as u8;
        Square { column: bit % size.columns(), row: bit / size.columns() }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column), self.row + 1)
    }
}

/// A step or a capture, written `a1-a2`, `a2xb3`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Move {
    pub(super) from: Square,
    pub(super) to: Square,
}

impl Move {
    /// Returns the square before the move.
    pub fn from(self) -> Square {
        self.from
    }

    /// Returns the square after it.
    pub fn to(self) -> Square {
        self.to
    }

    /// Whether the move captures.
    pub fn is_capture(self) -> bool {
        self.from.column != self.to.column
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.from, if self.is_capture() { 'x' } else { '-' }, self.to)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
