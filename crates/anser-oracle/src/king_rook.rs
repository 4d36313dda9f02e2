//! King and rook against king on n x n squares.

use std::fmt;

use crate::game::{End, Game, Side};

/// The board.
#[derive(Clone, Copy, Debug)]
pub struct KingRook {
    /// Number of columns and of rows.
    pub n: i8,
}

/// A square: column and row, from 0.
pub type Square = (i8, i8);

/// Squares of the pieces, and the side to move. `First` is the strong side, which has the rook.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The king of the strong side.
    pub king: Square,
    /// The rook, unless it was captured.
    pub rook: Option<Square>,
    /// The lone king.
    pub lone: Square,
    /// The side to move.
    pub to_move: Side,
}

/// A move of one piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step(Square, Square);

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |(x, y): Square| format!("{}{}", char::from(b'a' + x as u8), y + 1);
        write!(f, "{}-{}", name(self.0), name(self.1))
    }
}

impl KingRook {
    /// Squares that a piece on `from` reaches in up to `most` steps in these directions. A square
    /// for which `stops` holds is the last in its direction.
    fn walk(
        self,
        from: Square,
        directions: &[Square],
        most: i8,
        stops: impl Fn(Square) -> bool,
    ) -> Vec<Square> {
        let mut found = Vec::new();
        for &(dx, dy) in directions {
            for far in 1..=most {
                let to = (from.0 + far * dx, from.1 + far * dy);
                if !(0..self.n).contains(&to.0) || !(0..self.n).contains(&to.1) {
                    break;
                }
                found.push(to);
                if stops(to) {
                    break;
                }
            }
        }
        found
    }

    fn king_steps(self, from: Square) -> Vec<Square> {
        let all = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
        self.walk(from, &all, 1, |_| true)
    }

    /// Squares that the rook attacks: each line up to and including the first piece on it.
    fn rook_lines(self, position: Position) -> Vec<Square> {
        let Some(rook) = position.rook else { return Vec::new() };
        let lines = [(-1, 0), (1, 0), (0, -1), (0, 1)];
        self.walk(rook, &lines, self.n, |to| to == position.king || to == position.lone)
    }

    /// Whether the lone king is attacked.
    pub fn in_check(self, position: &Position) -> bool {
        self.king_steps(position.king).contains(&position.lone)
            || self.rook_lines(*position).contains(&position.lone)
    }

    /// Returns every legal position with the rook on the board: the kings are not adjacent, and the
    /// lone king is not in check with the strong side to move.
    pub fn all_positions(&self) -> Vec<Position> {
        let squares = || (0..self.n).flat_map(|x| (0..self.n).map(move |y| (x, y)));
        let mut all = Vec::new();
        for (king, rook) in squares().flat_map(|king| squares().map(move |rook| (king, rook))) {
            for lone in squares() {
                if king == rook
                    || rook == lone
                    || king == lone
                    || self.king_steps(king).contains(&lone)
                {
                    continue;
                }
                for to_move in [Side::First, Side::Second] {
                    let position = Position { king, rook: Some(rook), lone, to_move };
                    if to_move == Side::Second || !self.in_check(&position) {
                        all.push(position);
                    }
                }
            }
        }
        all
    }
}

impl Game for KingRook {
    type Position = Position;
    type Move = Step;

    fn start(&self) -> Position {
        Position {
            king: (0, 0),
            rook: Some((1, 0)),
            lone: (self.n - 1, self.n - 1),
            to_move: Side::First,
        }
    }

    fn to_move(&self, position: &Position) -> Side {
        position.to_move
    }

    fn ended(&self, position: &Position) -> Option<End> {
        if position.rook.is_none() {
            return Some(End { winner: None, by: "rook taken" });
        }
        if position.to_move == Side::First || !self.moves(position).is_empty() {
            return None;
        }
        if self.in_check(position) {
            End::won(Side::First, "mate")
        } else {
            Some(End { winner: None, by: "stalemate" })
        }
    }

    fn moves(&self, position: &Position) -> Vec<(Step, Position)> {
        let Position { king, rook, lone, .. } = *position;
        let mut moves = Vec::new();
        if position.to_move == Side::Second {
            for to in self.king_steps(lone).into_iter().filter(|&to| to != king) {
                let rook = rook.filter(|&rook| rook != to);
                let next = Position { rook, lone: to, to_move: Side::First, ..*position };
                if !self.in_check(&next) {
                    moves.push((Step(lone, to), next));
                }
            }
            return moves;
        }
        for to in self.king_steps(king).into_iter().filter(|&to| Some(to) != rook) {
            if !self.king_steps(to).contains(&lone) {
                moves.push((
                    Step(king, to),
                    Position { king: to, to_move: Side::Second, ..*position },
                ));
            }
        }
        for to in self.rook_lines(*position).into_iter().filter(|&to| to != king && to != lone) {
            let next = Position { rook: Some(to), to_move: Side::Second, ..*position };
            moves.push((Step(rook.unwrap_or(to), to), next));
        }
        moves
    }

    fn notation(&self, position: &Position) -> String {
        format!("{position:?}")
    }

    fn passed(&self, position: &Position) -> Position {
        Position { to_move: position.to_move.other(), ..*position }
    }
}
