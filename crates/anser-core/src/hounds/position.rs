//! Positions and moves as values.

use crate::Side;
use crate::hounds::{Board, Square, SquareSet};

/// The lone man, the pack, and the side to move.
///
/// The fox, or the rabbit, is [`Side::First`]; the hounds, or the pawns, are [`Side::Second`]. No
/// two men share a square.
///
/// ```
/// use anser_core::{Side, hounds::{Board, Color, Position, Square}};
/// let board = Board::get(4, Color::Light)?;
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
    pub(crate) hounds: SquareSet,
    pub(crate) fox: Square,
    pub(crate) to_move: Side,
}

impl Position {
    /// Creates a position; `None` unless the number of hounds is the board's, all men are on the
    /// board, and no two on one square.
    #[inline]
    pub fn new(board: &Board, fox: Square, hounds: SquareSet, to_move: Side) -> Option<Position> {
        let on_board = (hounds - board.squares()).is_empty() && board.squares().contains(fox);
        let sound = on_board && hounds.len() == board.hounds() && !hounds.contains(fox);
        sound.then_some(Position { hounds, fox, to_move })
    }

    /// Returns the square of the fox, or the rabbit.
    #[inline]
    pub fn fox(&self) -> Square {
        self.fox
    }

    /// Returns the squares of the hounds, or the pawns.
    #[inline]
    pub fn hounds(&self) -> SquareSet {
        self.hounds
    }

    /// Returns the side to move.
    #[inline]
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// Returns the same arrangement with the other side to move.
    #[must_use]
    pub fn pass(self) -> Position {
        Position { to_move: self.to_move.other(), ..self }
    }
}

/// A step of one man; [`Board::square_name`] names its squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The square before the step.
    pub from: Square,
    /// The square after it.
    pub to: Square,
}
