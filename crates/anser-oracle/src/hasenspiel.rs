//! Hasenspiel: a rabbit against four pawns on a chess board, under the rules in the text of its
//! document and under those of the document's program.

use std::fmt;

use crate::game::{End, Game, Side};
use crate::rows::rows_text;

/// The rule sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hasenspiel {
    /// The text: white wins on the first row or when black cannot move, black wins when white
    /// cannot move.
    Literal,
    /// The program: white wins when its square number is below that of the lowest pawn plus 3, with
    /// either side to move.
    Author,
    /// The program with its defect: it stops looking for pawns that block white once only the step
    /// up-left is left. White on square 3, with pawns on 6 and 7, may therefore step onto the pawn
    /// on 6.
    AsPrinted,
}

/// A square: four times the row from the bottom plus the index in the row from the left, 0..=31.
pub type Square = u8;

/// Column and row of a square.
fn coordinates(square: Square) -> (u8, u8) {
    let row = square / 4;
    (square % 4 * 2 + row % 2, row)
}

/// Returns the diagonal neighbors of a square, those below first, left before right.
fn neighbors(of: Square) -> impl Iterator<Item = Square> {
    let (x, y) = coordinates(of);
    let step = move |(dx, dy): (i8, i8)| {
        let (x, y) = (x.checked_add_signed(dx)?, y.checked_add_signed(dy)?);
        (x < 8 && y < 8).then_some(4 * y + x / 2)
    };
    [(-1, -1), (1, -1), (-1, 1), (1, 1)].into_iter().filter_map(step)
}

/// One diagonal step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step(pub Square, pub Square);

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |square| {
            format!("{}{}", char::from(b'a' + coordinates(square).0), coordinates(square).1 + 1)
        };
        write!(f, "{}-{}", name(self.0), name(self.1))
    }
}

/// Squares of the pieces, and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The rabbit.
    pub white: Square,
    /// The black pawns, ascending.
    pub black: [Square; 4],
    /// The side to move.
    pub to_move: Side,
}

impl Game for Hasenspiel {
    type Position = Position;
    type Move = Step;

    fn start(&self) -> Position {
        Position { white: 29, black: [0, 1, 2, 3], to_move: Side::First }
    }

    fn to_move(&self, position: &Position) -> Side {
        position.to_move
    }

    fn ended(&self, position: &Position) -> Option<End> {
        let home = match self {
            Hasenspiel::Literal => position.white < 4,
            Hasenspiel::Author | Hasenspiel::AsPrinted => position.white < position.black[0] + 3,
        };
        if home {
            return End::won(Side::First, "home");
        }
        if !self.moves(position).is_empty() {
            return None;
        }
        let by = if position.to_move == Side::First { "rabbit blocked" } else { "pawns blocked" };
        End::won(position.to_move.other(), by)
    }

    fn moves(&self, position: &Position) -> Vec<(Step, Position)> {
        let free = |square: Square| square != position.white && !position.black.contains(&square);
        let mut moves = Vec::new();
        if position.to_move == Side::First {
            let has_pawn_on_7 = position.white == 3 && position.black.contains(&7);
            let onto_pawn = |to| *self == Hasenspiel::AsPrinted && has_pawn_on_7 && to == 6;
            for to in neighbors(position.white).filter(|&to| free(to) || onto_pawn(to)) {
                moves.push((
                    Step(position.white, to),
                    Position { white: to, to_move: Side::Second, ..*position },
                ));
            }
            return moves;
        }
        for (pawn, &from) in position.black.iter().enumerate() {
            for to in neighbors(from).filter(|&to| to > from && free(to)) {
                let mut black = position.black;
                black[pawn] = to;
                black.sort_unstable();
                moves.push((Step(from, to), Position { black, to_move: Side::First, ..*position }));
            }
        }
        moves
    }

    fn notation(&self, position: &Position) -> String {
        let piece = |square: Square| match square {
            square if square == position.white => Some('W'),
            square if position.black.contains(&square) => Some('b'),
            _ => None,
        };
        let side = if position.to_move == Side::First { 'w' } else { 'b' };
        format!(
            "{} {side}",
            rows_text((0..8).rev().map(|y| (4 * y..4 * y + 4).map(piece).collect()))
        )
    }

    fn passed(&self, position: &Position) -> Position {
        Position { to_move: position.to_move.other(), ..*position }
    }
}
