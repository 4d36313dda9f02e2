//! Notation: `ppp/3/PPP w`; moves `a1-a2`, captures `a2xb3`.
//!
//! Rows from the top. `P` is a white pawn, `p` a black one, a digit that many empty squares; a
//! space (on input also `_`), then the side to move, `w` or `b`. Columns are letters from `a`, rows
//! numbers from 1 at the bottom.

use std::ops::ControlFlow;
use std::sync::OnceLock;

use crate::hexapawn::position::far_row;
use crate::hexapawn::{BoardSize, Hexapawn, Move, Position, moves};
use crate::prelude::*;
use crate::rows::Form;
use crate::{NotationError, Picture, PicturePoint, Side};

const NAMES: [&str; 2] = ["white", "black"];
const LETTERS: [char; 2] = ['P', 'p'];

/// Returns the notation of the start of a board of this size, a valid position.
fn example(size: BoardSize) -> &'static str {
    const SIZES: usize = BoardSize::MOST as usize + 1;
    static EXAMPLES: [OnceLock<String>; SIZES * SIZES] = [const { OnceLock::new() }; SIZES * SIZES];
    EXAMPLES[usize::from(size.columns()) * SIZES + usize::from(size.rows())].get_or_init(|| {
        let row = |letter: &str| letter.repeat(usize::from(size.columns()));
        let between = format!("/{}", size.columns()).repeat(usize::from(size.rows()) - 2);
        format!("{}{between}/{} w", row("p"), row("P"))
    })
}

fn with_form<T>(size: BoardSize, use_it: impl FnOnce(&Form<'_>) -> T) -> T {
    use_it(&Form {
        widths: &vec![usize::from(size.columns()); usize::from(size.rows())],
        gaps: &[],
        points: "squares",
        numbered: true,
        pieces: &[(LETTERS[0], "white pawn"), (LETTERS[1], "black pawn")],
        sides: [('w', NAMES[0]), ('b', NAMES[1])],
        example: example(size),
    })
}

pub(super) fn parse_position(size: BoardSize, text: &str) -> Result<Position, NotationError> {
    with_form(size, |form| {
        let reading = form.read(text)?;
        if let Some(&(column, c)) = reading.rest.first() {
            return form.error(column, format!("{c:?} follows where the position is complete"));
        }
        let mover = reading.to_move;
        let mut position = Position { pawns: [0; 2], to_move: mover };
        for piece in reading.pieces {
            let side = if piece.letter == LETTERS[0] { Side::First } else { Side::Second };
            let pawns = &mut position.pawns[side.index()];
            let name = NAMES[side.index()];
            if pawns.count_ones() == u32::from(size.columns()) {
                return form
                    .error(piece.column, format!("{name} has at most {} pawns", size.columns()));
            }
            let row = usize::from(size.rows()) - 1 - piece.row;
            let square = 1 << (row * usize::from(size.columns()) + piece.place);
            if square & far_row(size, side) != 0 {
                if side == mover {
                    let problem = format!(
                        "with a {name} pawn on its far row the game was over, so {name} is not to move"
                    );
                    return form.error(piece.column, problem);
                }
                if *pawns & far_row(size, side) != 0 {
                    let problem = format!(
                        "a second {name} pawn on the far row: the first one ended the game"
                    );
                    return form.error(piece.column, problem);
                }
            }
            *pawns |= square;
        }
        if position.of(mover.other()) == 0 {
            let (name, mover) = (NAMES[mover.other().index()], NAMES[mover.index()]);
            return form.error(
                1,
                format!("{name} has no pawn, so it cannot have moved, and {mover} is not to move"),
            );
        }
        Ok(position)
    })
}

fn letter(position: &Position, bit: usize) -> Option<char> {
    Side::BOTH
        .into_iter()
        .find(|&side| position.of(side) >> bit & 1 != 0)
        .map(|side| LETTERS[side.index()])
}

pub(super) fn format_position(size: BoardSize, position: &Position) -> String {
    let (columns, rows) = (usize::from(size.columns()), usize::from(size.rows()));
    with_form(size, |form| {
        form.write(position.to_move, |row, place| {
            letter(position, (rows - 1 - row) * columns + place)
        })
    })
}

/// Parses a legal move of `position`.
pub(super) fn parse_move(
    game: &Hexapawn,
    position: &Position,
    text: &str,
) -> Result<Move, NotationError> {
    let size = game.size();
    let fail = |column, problem: String| Err(NotationError::new(column, problem, "a1-a2 or a2xb3"));
    let last_column = char::from(b'a' + size.columns() - 1);
    let last_row = char::from(b'0' + size.rows());
    for (i, c) in text.chars().enumerate() {
        let (right, what) = match i {
            0 | 3 => {
                (('a'..=last_column).contains(&c), format!("a column from a to {last_column}"))
            }
            1 | 4 => (('1'..=last_row).contains(&c), format!("a row from 1 to {last_row}")),
            2 => (c == '-' || c == 'x', "- (a step) or x (a capture)".into()),
            _ => (false, "the end of the move".into()),
        };
        if !right {
            return fail(i + 1, format!("{c:?} is not {what}"));
        }
    }
    if text.len() < 5 {
        return fail(text.len() + 1, "the move is not complete".into());
    }
    let found = moves::visit_moves(size, position, |mv, _| {
        if mv.to_string() == text { ControlFlow::Break(mv) } else { ControlFlow::Continue(()) }
    });
    match found {
        ControlFlow::Break(mv) => Ok(mv),
        ControlFlow::Continue(()) => {
            fail(1, format!("{text} is not a legal move in {}", game.format_position(position)))
        }
    }
}

/// Draws the board with coordinates.
pub(super) fn diagram(size: BoardSize, position: &Position) -> String {
    let columns = usize::from(size.columns());
    let mut text = String::new();
    for row in (0..usize::from(size.rows())).rev() {
        text.push_str(&(row + 1).to_string());
        text.push(' ');
        for column in 0..columns {
            text.push(' ');
            text.push(letter(position, row * columns + column).unwrap_or('.'));
        }
        text.push('\n');
    }
    text.push_str("  ");
    for column in ('a'..='h').take(columns) {
        text.push(' ');
        text.push(column);
    }
    text.push('\n');
    text
}

/// Returns the board for drawing.
pub(super) fn picture(size: BoardSize, position: &Position) -> Picture {
    let (columns, rows) = (usize::from(size.columns()), usize::from(size.rows()));
    let points = (0..rows * columns).map(|bit| {
        let side = Side::BOTH.into_iter().find(|&side| position.of(side) >> bit & 1 != 0);
        let piece = side.map(|side| (side, LETTERS[side.index()]));
        PicturePoint { x: bit % columns, y: bit / columns, piece, name: None }
    });
    Picture {
        points: points.collect(),
        lines: Vec::new(),
        columns: Picture::letters(columns),
        rows: Picture::numbers(rows),
    }
}
