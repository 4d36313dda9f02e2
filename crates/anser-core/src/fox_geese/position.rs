//! Positions and moves as values.

use crate::Side;
use crate::fox_geese::{Point, PointSet};

/// The fox, the geese, and the side to move.
///
/// The fox is [`Side::First`], the geese are [`Side::Second`]. There are 1 to 31 geese and none
/// stands on the fox.
///
/// ```
/// use anser_core::{Side, fox_geese::{Point, PointSet, Position}};
/// let goose = Point::at(0, -1).unwrap();
/// let position = Position::new(Point::CENTER, goose.set(), Side::First).unwrap();
/// assert!(Position::new(goose, goose.set(), Side::First).is_none());
/// assert_eq!(position.geese().len(), 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub(crate) fox: Point,
    pub(crate) geese: PointSet,
    pub(crate) to_move: Side,
}

impl Position {
    /// Creates a position; `None` unless there are 1 to 31 geese and none stands on the fox.
    pub fn new(fox: Point, geese: PointSet, to_move: Side) -> Option<Position> {
        let sound = !geese.contains(fox) && (1..=31).contains(&geese.len());
        sound.then_some(Position { fox, geese, to_move })
    }

    /// Returns the point of the fox.
    pub fn fox(&self) -> Point {
        self.fox
    }

    /// Returns the points of the geese.
    pub fn geese(&self) -> PointSet {
        self.geese
    }

    /// Returns the side to move.
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// Returns the empty points.
    pub(super) fn empty(&self) -> PointSet {
        !(self.geese | self.fox.set())
    }
}

/// Greatest number of captures in a turn: a chain stops when fewer than four geese are left.
pub(super) const LONGEST_CHAIN: usize = 28;

/// A step, or one or more jumps of the fox.
///
/// Written `d4-d5`, `d4xd6`, `d4xd6xf6`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Move {
    pub(super) capture: bool,
    pub(super) len: u8,
    pub(super) path: [Point; LONGEST_CHAIN + 1],
}

impl Move {
    pub(super) fn step(from: Point, to: Point) -> Move {
        let mut mv = Move { capture: false, len: 2, path: [Point::CENTER; LONGEST_CHAIN + 1] };
        mv.path[0] = from;
        mv.path[1] = to;
        mv
    }

    /// Creates a chain of jumps without a jump.
    pub(super) fn chain(from: Point) -> Move {
        let mut mv = Move { capture: true, len: 1, path: [Point::CENTER; LONGEST_CHAIN + 1] };
        mv.path[0] = from;
        mv
    }

    pub(super) fn jump(mut self, to: Point) -> Move {
        self.path[usize::from(self.len)] = to;
        self.len += 1;
        self
    }

    /// Returns the points of the path, first and last included: two, or more in a chain of jumps.
    pub fn path(&self) -> &[Point] {
        &self.path[..usize::from(self.len)]
    }

    /// Whether the move captures.
    pub fn is_capture(&self) -> bool {
        self.capture
    }
}

impl std::fmt::Display for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, point) in self.path().iter().enumerate() {
            if i > 0 {
                f.write_str(if self.capture { "x" } else { "-" })?;
            }
            write!(f, "{point}")?;
        }
        Ok(())
    }
}

impl std::fmt::Debug for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}
