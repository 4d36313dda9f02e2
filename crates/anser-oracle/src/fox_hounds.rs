//! Fox-and-Hounds on n x n squares, n even: the fox tries to pass n / 2 hounds that only move up.

use std::collections::BTreeSet;
use std::fmt;

use crate::game::{End, Game, Side};
use crate::plain::subsets;
use crate::rows::rows_text;

/// The rules: the size of the board, and whether the game ends when the fox has escaped.
#[derive(Clone, Copy, Debug)]
pub struct FoxHounds {
    /// Number of columns and of rows, even, 2 to 12.
    pub n: u8,
    /// Without the rule of escape: the game ends only when the side to move cannot move.
    pub strict: bool,
}

/// A square: the column `x` from the left and the row `y` from the bottom, both from 0; `x + y` is
/// odd.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square {
    /// The column.
    pub x: u8,
    /// The row.
    pub y: u8,
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.x), self.y + 1)
    }
}

/// One diagonal step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step(pub Square, pub Square);

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.0, self.1)
    }
}

/// Squares of the pieces, and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The fox.
    pub fox: Square,
    /// The hounds, ascending. Elements beyond the number of hounds are [`NOWHERE`].
    pack: [Square; 6],
    /// The side to move.
    pub to_move: Side,
}

/// Square of a hound that does not exist. It sorts after all others.
const NOWHERE: Square = Square { x: 255, y: 255 };

/// Down-left, down-right, up-left, up-right.
const DIAGONALS: [(i8, i8); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

impl Position {
    /// Builds a position.
    pub fn new(fox: Square, hounds: &[Square], to_move: Side) -> Position {
        let mut pack = [NOWHERE; 6];
        pack[..hounds.len()].copy_from_slice(hounds);
        pack.sort_unstable();
        Position { fox, pack, to_move }
    }

    /// Returns the hounds, ascending by column and then by row.
    pub fn hounds(&self) -> impl Iterator<Item = Square> + '_ {
        self.pack.into_iter().filter(|&hound| hound != NOWHERE)
    }

    fn has_hound(&self, square: Square) -> bool {
        self.pack.contains(&square)
    }
}

impl FoxHounds {
    /// Returns the game on n x n squares with the rule of escape.
    pub fn new(n: u8) -> FoxHounds {
        FoxHounds { n, strict: false }
    }

    /// Returns the squares of the board.
    pub fn squares(&self) -> Vec<Square> {
        let all = (0..self.n).flat_map(|x| (0..self.n).map(move |y| Square { x, y }));
        all.filter(|square| (square.x + square.y) % 2 == 1).collect()
    }

    /// Returns the diagonal neighbors of a square, those below first, left before right.
    pub fn neighbors(&self, of: Square) -> impl Iterator<Item = Square> + use<> {
        let n = self.n;
        let step = move |(dx, dy)| {
            Some(Square { x: of.x.checked_add_signed(dx)?, y: of.y.checked_add_signed(dy)? })
        };
        DIAGONALS.into_iter().filter_map(step).filter(move |square| square.x < n && square.y < n)
    }

    /// Returns the squares that hounds could reach on a board without a fox, including those that
    /// they stand on.
    pub fn hounds_could_reach(&self, position: &Position) -> BTreeSet<Square> {
        let mut found: BTreeSet<Square> = BTreeSet::new();
        let mut open: Vec<Square> = position.hounds().collect();
        while let Some(square) = open.pop() {
            if found.insert(square) {
                open.extend(self.neighbors(square).filter(|next| next.y > square.y));
            }
        }
        found
    }

    /// Whether the fox is in a region of two or more squares that no hound can ever reach.
    pub fn escaped(&self, position: &Position) -> bool {
        let reach = self.hounds_could_reach(position);
        !reach.contains(&position.fox)
            && self.neighbors(position.fox).any(|next| !reach.contains(&next))
    }

    /// Returns every arrangement of the pieces, with either side to move.
    pub fn all_positions(&self) -> Vec<Position> {
        let squares = self.squares();
        let mut all = Vec::new();
        for set in subsets(squares.len() as u8, usize::from(self.n / 2)) {
            let hounds: Vec<Square> = set.iter().map(|&i| squares[usize::from(i)]).collect();
            for &fox in squares.iter().filter(|square| !hounds.contains(square)) {
                all.extend(
                    [Side::First, Side::Second].map(|side| Position::new(fox, &hounds, side)),
                );
            }
        }
        all
    }
}

impl Game for FoxHounds {
    type Position = Position;
    type Move = Step;

    fn start(&self) -> Position {
        let fox = Square { x: self.n / 2 / 2 * 2, y: self.n - 1 };
        let hounds: Vec<Square> =
            self.squares().into_iter().filter(|square| square.y == 0).collect();
        Position::new(fox, &hounds, Side::First)
    }

    fn to_move(&self, position: &Position) -> Side {
        position.to_move
    }

    fn ended(&self, position: &Position) -> Option<End> {
        if self.moves(position).is_empty() {
            let by = if position.to_move == Side::First { "fox blocked" } else { "hounds blocked" };
            return End::won(position.to_move.other(), by);
        }
        if !self.strict && self.escaped(position) { End::won(Side::First, "escaped") } else { None }
    }

    fn moves(&self, position: &Position) -> Vec<(Step, Position)> {
        let free = |square: &Square| *square != position.fox && !position.has_hound(*square);
        let mut moves = Vec::new();
        if position.to_move == Side::First {
            for to in self.neighbors(position.fox).filter(free) {
                let next = Position { fox: to, to_move: Side::Second, ..*position };
                moves.push((Step(position.fox, to), next));
            }
            return moves;
        }
        for hound in position.hounds() {
            for to in self.neighbors(hound).filter(|to| to.y > hound.y).filter(free) {
                let hounds: Vec<Square> =
                    position.hounds().map(|h| if h == hound { to } else { h }).collect();
                moves.push((Step(hound, to), Position::new(position.fox, &hounds, Side::First)));
            }
        }
        moves
    }

    fn notation(&self, position: &Position) -> String {
        let piece = |square: Square| match square {
            square if square == position.fox => Some('F'),
            square if position.has_hound(square) => Some('h'),
            _ => None,
        };
        let row = |y: u8| {
            (0..self.n).filter(move |x| (x + y) % 2 == 1).map(|x| piece(Square { x, y })).collect()
        };
        let side = if position.to_move == Side::First { 'f' } else { 'h' };
        format!("{} {side}", rows_text((0..self.n).rev().map(row)))
    }

    fn passed(&self, position: &Position) -> Position {
        Position { to_move: position.to_move.other(), ..*position }
    }
}
