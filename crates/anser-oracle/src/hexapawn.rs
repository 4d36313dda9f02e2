//! Hexapawn on m columns and n rows: pawns against pawns. The first pawn on its far row wins.

use std::fmt;

use crate::game::{End, Game, Side};
use crate::rows::rows_text;

/// The size of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hexapawn {
    /// Number of columns and of the pawns of each side, 1 to 8.
    pub columns: u8,
    /// Number of rows, 3 to 8.
    pub rows: u8,
}

/// A square: the column from the left and the row from the bottom, from 0.
pub type Square = (u8, u8);

/// A step, or a capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    from: Square,
    to: Square,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |(x, y): Square| format!("{}{}", char::from(b'a' + x), y + 1);
        let sign = if self.from.0 == self.to.0 { '-' } else { 'x' };
        write!(f, "{}{sign}{}", name(self.from), name(self.to))
    }
}

/// Squares of the pawns, and the side to move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// Owner of the pawn on each square, by rows from the bottom, each from the left.
    pub board: Vec<Option<Side>>,
    /// The side to move; `First` is white.
    pub to_move: Side,
}

impl Hexapawn {
    fn at(self, position: &Position, (x, y): Square) -> Option<Side> {
        position.board[usize::from(y) * usize::from(self.columns) + usize::from(x)]
    }

    fn squares(self) -> impl Iterator<Item = Square> {
        let Hexapawn { columns, rows } = self;
        (0..rows).flat_map(move |y| (0..columns).map(move |x| (x, y)))
    }

    /// Whether a side has a pawn on its far row.
    fn through(self, position: &Position, side: Side) -> bool {
        let far = if side == Side::First { self.rows - 1 } else { 0 };
        (0..self.columns).any(|x| self.at(position, (x, far)) == Some(side))
    }

    /// Returns every arrangement with at most as many pawns per side as columns, with either side
    /// to move, in which the side to move has no pawn on its far row: such a game would have ended
    /// before the last move.
    pub fn all_positions(&self) -> Vec<Position> {
        let mut boards: Vec<Vec<Option<Side>>> = vec![Vec::new()];
        for _ in self.squares() {
            let contents = [None, Some(Side::First), Some(Side::Second)];
            boards = boards
                .iter()
                .flat_map(|board| contents.map(|content| [&board[..], &[content]].concat()))
                .collect();
            let few = |board: &[Option<Side>], side| {
                board.iter().filter(|&&pawn| pawn == Some(side)).count()
                    <= usize::from(self.columns)
            };
            boards.retain(|board| few(board, Side::First) && few(board, Side::Second));
        }
        let sides = [Side::First, Side::Second];
        let both = |board: Vec<_>| sides.map(|to_move| Position { board: board.clone(), to_move });
        boards
            .into_iter()
            .flat_map(both)
            .filter(|position| !self.through(position, position.to_move))
            .collect()
    }
}

impl Game for Hexapawn {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        let pawn = |(_, y): Square| match y {
            0 => Some(Side::First),
            y if y + 1 == self.rows => Some(Side::Second),
            _ => None,
        };
        Position { board: self.squares().map(pawn).collect(), to_move: Side::First }
    }

    fn to_move(&self, position: &Position) -> Side {
        position.to_move
    }

    fn ended(&self, position: &Position) -> Option<End> {
        let (mover, other) = (position.to_move, position.to_move.other());
        for side in [other, mover] {
            if self.through(position, side) {
                return End::won(side, "through");
            }
        }
        if !position.board.contains(&Some(mover)) {
            return End::won(other, "no pawns");
        }
        if self.moves(position).is_empty() { End::won(other, "blocked") } else { None }
    }

    fn moves(&self, position: &Position) -> Vec<(Move, Position)> {
        let mut moves = Vec::new();
        let mover = position.to_move;
        for from in self.squares().filter(|&square| self.at(position, square) == Some(mover)) {
            let ahead = if mover == Side::First { Some(from.1 + 1) } else { from.1.checked_sub(1) };
            let Some(y) = ahead.filter(|&y| y < self.rows) else { continue };
            for (x, onto) in [
                (Some(from.0), None),
                (from.0.checked_sub(1), Some(mover.other())),
                (Some(from.0 + 1), Some(mover.other())),
            ] {
                let Some(to) = x.filter(|&x| x < self.columns).map(|x| (x, y)) else { continue };
                if self.at(position, to) == onto {
                    let mut next = self.passed(position);
                    let index = |(x, y): Square| {
                        usize::from(y) * usize::from(self.columns) + usize::from(x)
                    };
                    next.board[index(from)] = None;
                    next.board[index(to)] = Some(mover);
                    moves.push((Move { from, to }, next));
                }
            }
        }
        moves
    }

    fn notation(&self, position: &Position) -> String {
        let letter =
            |pawn: &Option<Side>| pawn.map(|side| if side == Side::First { 'P' } else { 'p' });
        let rows = position.board.chunks(usize::from(self.columns)).rev();
        let side = if position.to_move == Side::First { 'w' } else { 'b' };
        format!("{} {side}", rows_text(rows.map(|row| row.iter().map(letter).collect())))
    }

    fn passed(&self, position: &Position) -> Position {
        Position { board: position.board.clone(), to_move: position.to_move.other() }
    }
}
