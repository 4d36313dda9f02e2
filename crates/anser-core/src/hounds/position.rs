//! Positions and moves as values.

use crate::Side;
use crate::hounds::{Board, Square, SquareSet};

/// An arrangement of the lone man and the pack, and whose turn it is.
///
/// The fox, or the rabbit, is [`Side::First`]; the hounds, or the pawns, are [`Side::Second`]. No two men share a square.
///
/// ```
/// use anser_core::{Side, hounds::{Board, Colour, Position, Square}};
/// let board = Board::get(4, Colour::Light)?;
/// let [low, high] = [0, 7].map(|number| Square::new(number).unwrap());
/// let position = Position::new(board, high, low.set() | Square::new(1).unwrap().set(), Side::First).unwrap();
/// assert_eq!(position.hounds().len(), 2);
/// // Two hounds are needed, and they cannot stand on the fox.
/// assert!(Position::new(board, high, low.set(), Side::First).is_none());
/// assert!(Position::new(board, high, low.set() | high.set(), Side::First).is_none());
/// # Ok::<(), anser_core::hounds::SizeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub(super) hounds: SquareSet,
    pub(super) fox: Square,
    pub(super) to_move: Side,
}

impl Position {
    /// A position, if there are as many hounds as the board wants, all men on the board and no two on one square.
    #[inline]
    pub fn new(board: &Board, fox: Square, hounds: SquareSet, to_move: Side) -> Option<Position> {
        let on_board = (hounds - board.squares()).is_empty() && board.squares().contains(fox);
        let sound = on_board && hounds.len() == board.hounds() && !hounds.contains(fox);
        sound.then_some(Position { hounds, fox, to_move })
    }

    /// Where the fox is, or the rabbit.
    #[inline]
    pub fn fox(&self) -> Square {
        self.fox
    }

    /// Where the hounds are, or the pawns.
    #[inline]
    pub fn hounds(&self) -> SquareSet {
        self.hounds
    }

    /// Whose turn it is.
    #[inline]
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// The same arrangement with the other side to move.
    #[must_use]
    pub fn pass(self) -> Position {
        Position { to_move: self.to_move.other(), ..self }
    }
}

/// A step of one man; [`Board::square_name`] says what its squares are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the man stood.
    pub from: Square,
    /// Where it comes to stand.
    pub to: Square,
}
