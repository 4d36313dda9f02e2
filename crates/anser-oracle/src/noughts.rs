//! Noughts and crosses, a game that is not a hunt.

use std::fmt;

use crate::game::{End, Game, Side};
use crate::rows::rows_text;

/// The game on 3 x 3 squares. Crosses are `Side::First` and move first.
#[derive(Clone, Copy, Debug)]
pub struct Noughts;

/// The cell of a new mark, by rows from the top, from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell(pub u8);

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.0 % 3), 3 - self.0 / 3)
    }
}

/// Marks in the nine cells, by rows from the top, and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// Owner of the mark in each cell.
    pub cells: [Option<Side>; 9],
    /// The side to move.
    pub to_move: Side,
}

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

impl Game for Noughts {
    type Position = Position;
    type Move = Cell;

    fn start(&self) -> Position {
        Position { cells: [None; 9], to_move: Side::First }
    }

    fn to_move(&self, position: &Position) -> Side {
        position.to_move
    }

    fn ended(&self, position: &Position) -> Option<End> {
        for side in [Side::First, Side::Second] {
            if LINES.iter().any(|line| line.iter().all(|&cell| position.cells[cell] == Some(side)))
            {
                return End::won(side, "three in a row");
            }
        }
        if position.cells.contains(&None) {
            None
        } else {
            Some(End { winner: None, by: "board full" })
        }
    }

    fn moves(&self, position: &Position) -> Vec<(Cell, Position)> {
        let mut moves = Vec::new();
        for cell in (0..9).filter(|&cell| position.cells[cell].is_none()) {
            let mut next = self.passed(position);
            next.cells[cell] = Some(position.to_move);
            moves.push((Cell(cell as u8), next));
        }
        moves
    }

    fn notation(&self, position: &Position) -> String {
        let letter =
            |mark: &Option<Side>| mark.map(|side| if side == Side::First { 'X' } else { 'o' });
        let side = if position.to_move == Side::First { 'x' } else { 'o' };
        format!(
            "{} {side}",
            rows_text(position.cells.chunks(3).map(|row| row.iter().map(letter).collect()))
        )
    }

    fn passed(&self, position: &Position) -> Position {
        Position { to_move: position.to_move.other(), ..*position }
    }
}
