//! Positions and moves as values.

use std::fmt;

use crate::Side;
use crate::hunt::PointSet;

/// The pieces of both sides on the board and in hand, the plies left, and the side to move.
///
/// [`Hunt::position`](crate::hunt::Hunt::position) creates positions of a game and checks them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// By side: the points of the pieces on the board.
    pub(super) pieces: [PointSet; 2],
    /// By side: the number of pieces in hand.
    pub(super) hand: [u8; 2],
    /// The plies left; `None` if the game has no limit.
    pub(super) left: Option<u8>,
    pub(super) to_move: Side,
}

impl Position {
    /// Returns the points of the pieces of a side.
    #[inline]
    pub fn pieces(&self, side: Side) -> PointSet {
        self.pieces[side.index()]
    }

    /// Returns the points of the few.
    #[inline]
    pub fn few(&self) -> PointSet {
        self.pieces[0]
    }

    /// Returns the points of the many.
    #[inline]
    pub fn many(&self) -> PointSet {
        self.pieces[1]
    }

    /// Returns the number of pieces of a side that are not yet placed.
    #[inline]
    pub fn in_hand(&self, side: Side) -> u8 {
        self.hand[side.index()]
    }

    /// Returns the plies left until the game is over; `None` if it has no limit.
    #[inline]
    pub fn plies_left(&self) -> Option<u8> {
        self.left
    }

    /// Returns the side to move.
    #[inline]
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// Creates the position with these pieces on the board, none in hand, and no limit of plies.
    #[inline]
    pub(crate) fn on_board(few: u128, many: u128, to_move: Side) -> Position {
        let pieces = [few, many].map(PointSet::from_bits);
        Position { pieces, hand: [0; 2], left: None, to_move }
    }

    /// Returns the position with these pieces of `side` and of the other side.
    ///
    /// Both sets are written at once: a set that is changed in its place is read before the halves
    /// of its word are in memory, which takes longer than the rest of a move.
    #[inline]
    pub(super) fn with(self, side: Side, own: PointSet, others: PointSet) -> Position {
        let pieces = match side {
            Side::First => [own, others],
            Side::Second => [others, own],
        };
        Position { pieces, ..self }
    }

    /// Returns the points with a piece.
    #[inline]
    pub(super) fn occupied(&self) -> PointSet {
        self.pieces[0] | self.pieces[1]
    }

    /// Returns the position after the turn has gone to the other side.
    #[inline]
    pub(super) fn turned(self) -> Position {
        Position {
            left: self.left.map(|left| left.saturating_sub(1)),
            to_move: self.to_move.other(),
            ..self
        }
    }
}

/// Greatest number of jumps in one turn.
pub const LONGEST_CHAIN: usize = 30;

/// Kind of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoveKind {
    /// A side that cannot move gives the turn to the other.
    Pass,
    /// A piece is placed on an empty point.
    Placement,
    /// A step to an empty point.
    Step,
    /// One or more jumps over pieces of the other side, which are captured.
    Jump,
    /// A step onto a piece of the other side, which is captured.
    Capture,
}

/// A move. [`Hunt::format_move`](crate::Hunt::format_move) writes it with the names of the
/// points: `d4-d5`, `d4xd6xf6`, `c3` for a placement, `pass`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Move {
    pub(super) kind: MoveKind,
    pub(super) len: u8,
    pub(super) path: [u8; LONGEST_CHAIN + 1],
}

impl Move {
    pub(super) fn two(kind: MoveKind, from: u8, to: u8) -> Move {
        Move::empty(kind).to(from).to(to)
    }

    /// Returns the kind.
    pub fn kind(&self) -> MoveKind {
        self.kind
    }

    /// Returns the points of the path: none for a pass, one for a placement, two for a step, two or
    /// more for jumps.
    pub fn path(&self) -> &[u8] {
        &self.path[..usize::from(self.len)]
    }

    /// Whether the move captures.
    pub fn is_capture(&self) -> bool {
        matches!(self.kind, MoveKind::Jump | MoveKind::Capture)
    }
}

/// Part of a move that a visitor receives: all of it, or its kind alone. A move is larger than
/// anything else that a visit handles.
///
/// Implemented for [`Move`] and [`MoveKind`].
pub(super) trait Heard: Copy {
    /// A move of this kind without its points.
    fn empty(kind: MoveKind) -> Self;

    /// The same with a point more.
    fn to(self, point: u8) -> Self;
}

impl Heard for Move {
    #[inline]
    fn empty(kind: MoveKind) -> Move {
        Move { kind, len: 0, path: [0; LONGEST_CHAIN + 1] }
    }

    #[inline]
    fn to(mut self, point: u8) -> Move {
        self.path[usize::from(self.len)] = point;
        self.len += 1;
        self
    }
}

impl Heard for MoveKind {
    #[inline]
    fn empty(kind: MoveKind) -> MoveKind {
        kind
    }

    #[inline]
    fn to(self, _: u8) -> MoveKind {
        self
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}{:?}", self.kind, self.path())
    }
}
