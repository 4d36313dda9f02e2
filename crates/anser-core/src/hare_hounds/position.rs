//! Positions and moves as values.

use std::fmt;

use crate::Side;
use crate::hare_hounds::board::{PointSet, mirror};

/// The three hounds, the hare, the side to move, and under a budget the plies left.
///
/// The hare is [`Side::First`], the hounds are [`Side::Second`]. Points have their numbers, 1 to
/// 11.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub(super) hounds: PointSet,
    pub(super) hare: u8,
    pub(super) left: Option<u8>,
    pub(super) to_move: Side,
}

impl Position {
    /// Returns the points of the hounds in ascending order.
    pub fn hounds(self) -> [u8; 3] {
        let mut points = [0; 3];
        for (place, point) in points.iter_mut().zip(self.hounds.iter()) {
            *place = point;
        }
        points
    }

    /// Returns the point of the hare.
    pub fn hare(self) -> u8 {
        self.hare
    }

    /// Returns the plies left until the hare has won; `None` if play is unlimited.
    pub fn left(self) -> Option<u8> {
        self.left
    }

    /// Returns the side to move.
    pub fn to_move(self) -> Side {
        self.to_move
    }

    /// Returns the image under the mirror of top and bottom row.
    pub(super) fn mirror(self) -> Position {
        Position { hounds: self.hounds.mirror(), hare: mirror(self.hare), ..self }
    }

    pub(super) fn is_free(self, point: u8) -> bool {
        point != self.hare && !self.hounds.contains(point)
    }
}

/// A step of the hare or of a hound, written `1-6`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Move {
    pub(super) from: u8,
    pub(super) to: u8,
}

impl Move {
    /// Returns the point before the step.
    pub fn from(self) -> u8 {
        self.from
    }

    /// Returns the point after it.
    pub fn to(self) -> u8 {
        self.to
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.to)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
