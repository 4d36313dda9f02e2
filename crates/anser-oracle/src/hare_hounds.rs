//! Hare-and-Hounds on eleven points: three hounds that never move back against a hare that tries to
//! reach point 4.

use std::fmt;

use crate::game::{End, Game, Side};
use crate::plain::subsets;
use crate::rows::rows_text;

/// The rules: the number of plies after which the hare has won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HareHounds {
    /// Budget of plies of a game. Without one endless play is a draw.
    pub budget: Option<u16>,
}

/// Destinations from each point, in the order of the document. Index 0 is not a point.
const HARE: [&[u8]; 12] = [
    &[],
    &[2, 4, 5, 6],
    &[1, 3, 6],
    &[2, 6, 7, 8],
    &[1, 5, 9],
    &[1, 4, 6, 9],
    &[1, 2, 3, 5, 7, 9, 10, 11],
    &[3, 6, 8, 11],
    &[3, 7, 11],
    &[4, 5, 6, 10],
    &[6, 9, 11],
    &[6, 7, 8, 10],
];
const HOUND: [&[u8]; 12] = [
    &[],
    &[2, 5, 6],
    &[3, 6],
    &[7, 8],
    &[1, 5, 9],
    &[1, 6, 9],
    &[2, 3, 7, 10, 11],
    &[3, 8, 11],
    &[],
    &[5, 6, 10],
    &[6, 11],
    &[7, 8],
];

/// A move from a point to a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step(pub u8, pub u8);

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.0, self.1)
    }
}

/// Points of the pieces, the side to move, and the plies left of the budget.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The hounds, ascending.
    pub hounds: [u8; 3],
    /// The hare.
    pub hare: u8,
    /// The side to move.
    pub to_move: Side,
    /// Plies left of the budget; 0 without a budget.
    pub left: u16,
}

impl HareHounds {
    /// Builds a position with the whole budget left.
    pub fn position(&self, hounds: [u8; 3], hare: u8, to_move: Side) -> Position {
        Position { hounds, hare, to_move, left: self.budget.unwrap_or(0) }
    }

    /// Returns the 2,640 arrangements with the whole budget left.
    pub fn all_with_whole_budget(&self) -> Vec<Position> {
        let mut all = Vec::new();
        for hounds in subsets(11, 3) {
            let hounds = [hounds[0] + 1, hounds[1] + 1, hounds[2] + 1];
            for hare in (1..=11).filter(|hare| !hounds.contains(hare)) {
                all.extend(
                    [Side::First, Side::Second].map(|side| self.position(hounds, hare, side)),
                );
            }
        }
        all
    }

    /// Returns the arrangements with every number of plies left.
    pub fn all_positions(&self) -> Vec<Position> {
        let lefts = 0..=self.budget.unwrap_or(0);
        lefts
            .flat_map(|left| {
                self.all_with_whole_budget()
                    .into_iter()
                    .map(move |position| Position { left, ..position })
            })
            .collect()
    }
}

impl Game for HareHounds {
    type Position = Position;
    type Move = Step;

    fn start(&self) -> Position {
        self.position([1, 4, 9], 8, Side::Second)
    }

    fn to_move(&self, position: &Position) -> Side {
        position.to_move
    }

    fn ended(&self, position: &Position) -> Option<End> {
        if position.hare == 4 {
            return End::won(Side::First, "home");
        }
        if self.budget.is_some() && position.left == 0 {
            return End::won(Side::First, "budget spent");
        }
        if !self.moves(position).is_empty() {
            return None;
        }
        let by = if position.to_move == Side::First { "hare blocked" } else { "hounds blocked" };
        End::won(position.to_move.other(), by)
    }

    fn moves(&self, position: &Position) -> Vec<(Step, Position)> {
        let free = |point: &&u8| **point != position.hare && !position.hounds.contains(*point);
        let after = Position {
            to_move: position.to_move.other(),
            left: position.left.saturating_sub(1),
            ..*position
        };
        let mut moves = Vec::new();
        if position.to_move == Side::First {
            for &to in HARE[usize::from(position.hare)].iter().filter(free) {
                moves.push((Step(position.hare, to), Position { hare: to, ..after }));
            }
            return moves;
        }
        for (hound, &from) in position.hounds.iter().enumerate() {
            for &to in HOUND[usize::from(from)].iter().filter(free) {
                let mut hounds = position.hounds;
                hounds[hound] = to;
                hounds.sort_unstable();
                moves.push((Step(from, to), Position { hounds, ..after }));
            }
        }
        moves
    }

    fn notation(&self, position: &Position) -> String {
        let piece = |point: u8| match point {
            point if point == position.hare => Some('R'),
            point if position.hounds.contains(&point) => Some('h'),
            _ => None,
        };
        let rows = rows_text([1..=3, 4..=8, 9..=11].map(|row| row.map(piece).collect()));
        let side = if position.to_move == Side::First { 'r' } else { 'h' };
        match self.budget {
            Some(budget) if position.left < budget => format!("{rows} {side} {}", position.left),
            _ => format!("{rows} {side}"),
        }
    }

    fn passed(&self, position: &Position) -> Position {
        Position { to_move: position.to_move.other(), ..*position }
    }
}
