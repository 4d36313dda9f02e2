//! Notation: `h2/h3R/h2 h`, under a budget with the plies left unless it is whole,
//! `h2/h3R/h2 h 12`; moves `1-6`.
//!
//! Rows from the top: points 1 to 3, 4 to 8, 9 to 11. `R` is the hare, `h` a hound, a digit that
//! many empty points; a space, then the side to move, `r` or `h`. On input `_` may stand for a
//! space.

use std::fmt::Write;
use std::ops::ControlFlow;

use crate::hare_hounds::board::{HARE, POINTS, PointSet, column};
use crate::hare_hounds::{HareHounds, Move, Position, moves};
use crate::prelude::*;
use crate::rows::Form;
use crate::{NotationError, Picture, PicturePoint, Side};

const FORM: Form<'static> = Form {
    widths: &[3, 5, 3],
    gaps: &[],
    points: "points",
    numbered: false,
    pieces: &[('R', "hare"), ('h', "hound")],
    sides: [('r', "hare"), ('h', "hounds")],
    example: "h2/h3R/h2 h",
};
/// The first point of each row.
const FIRST: [u8; 3] = [1, 4, 9];
const MOVE_EXAMPLE: &str = "1-6";

pub(super) fn parse_position(game: &HareHounds, text: &str) -> Result<Position, NotationError> {
    let reading = FORM.read(text)?;
    let mut hare = None;
    let mut hounds = Vec::new();
    for piece in reading.pieces {
        let point = FIRST[piece.row] + piece.place as u8;
        if piece.letter == 'R' {
            if let Some(first) = hare {
                return FORM.error(
                    piece.column,
                    format!("there is a second hare, the first is on {first}"),
                );
            }
            hare = Some(point);
        } else {
            if hounds.len() == 3 {
                return FORM.error(piece.column, "there is a fourth hound; a position has three");
            }
            hounds.push(point);
        }
    }
    let Some(hare) = hare else { return FORM.error(1, "there is no hare (R)") };
    if hounds.len() < 3 {
        return FORM
            .error(1, format!("there are three hounds (h), only {} are given", hounds.len()));
    }
    let left = parse_plies(game, &reading.rest)?;
    Ok(Position { hounds: PointSet::of(hounds), hare, left, to_move: reading.to_move })
}

/// Parses the plies left after the side to move; without them the budget is whole.
fn parse_plies(game: &HareHounds, rest: &[(usize, char)]) -> Result<Option<u8>, NotationError> {
    let budget = game.rules().budget();
    let Some((&(column, separator), digits)) = rest.split_first() else { return Ok(budget) };
    let Some(most) = budget else {
        return FORM.error(column, "in unlimited play nothing follows the side to move");
    };
    if separator != ' ' && separator != '_' {
        return FORM.error(
            column,
            format!("{separator:?} follows the side to move; only a space and plies left can"),
        );
    }
    let mut plies = 0;
    for &(column, digit) in digits {
        let Some(value) = digit.to_digit(10) else {
            return FORM
                .error(column, format!("{digit:?} is no digit of the plies left, 0 to {most}"));
        };
        plies = plies * 10 + value;
        if plies > u32::from(most) {
            return FORM.error(
                column,
                format!("under {} no more than {most} plies are left", game.rules()),
            );
        }
    }
    if digits.is_empty() {
        return FORM.error(column + 1, format!("the plies left are missing, 0 to {most}"));
    }
    Ok(Some(plies as u8))
}

fn letter(position: Position, point: u8) -> Option<char> {
    if point == position.hare { Some('R') } else { position.hounds.contains(point).then_some('h') }
}

pub(super) fn format_position(game: &HareHounds, position: Position) -> String {
    let text =
        FORM.write(position.to_move, |row, place| letter(position, FIRST[row] + place as u8));
    match position.left {
        Some(plies) if position.left != game.rules().budget() => text + " " + &plies.to_string(),
        _ => text,
    }
}

/// Parses a legal move of `position`.
pub(super) fn parse_move(
    game: &HareHounds,
    position: Position,
    text: &str,
) -> Result<Move, NotationError> {
    let fail = |column, problem: String| Err(NotationError::new(column, problem, MOVE_EXAMPLE));
    let chars: Vec<char> = text.chars().collect();
    let mut next = 0;
    let mut points = [0u32; 2];
    for (i, point) in points.iter_mut().enumerate() {
        let start = next;
        while let Some(digit) = chars.get(next).and_then(|c| c.to_digit(10)) {
            *point = *point * 10 + digit;
            next += 1;
            if !(1..=POINTS as u32).contains(point) {
                return fail(
                    start + 1,
                    format!("the board has no point {point}, points are 1 to {POINTS}"),
                );
            }
        }
        let (wanted, right) = match (next == start, i) {
            (true, _) => ("a point from 1 to 11", false),
            (false, 0) => ("- between two points", chars.get(next) == Some(&'-')),
            (false, _) => ("the end of the move", next == chars.len()),
        };
        if !right {
            return match chars.get(next) {
                Some(c) => fail(next + 1, format!("{c:?} is not {wanted}")),
                None => fail(next + 1, format!("the move is not complete: {wanted} is missing")),
            };
        }
        next += 1;
    }
    let found = moves::visit_moves(position, |mv, _| {
        if points == [u32::from(mv.from), u32::from(mv.to)] {
            ControlFlow::Break(mv)
        } else {
            ControlFlow::Continue(())
        }
    });
    match found {
        ControlFlow::Break(mv) => Ok(mv),
        ControlFlow::Continue(()) => {
            fail(1, format!("{text} is not a legal move in {}", game.format_position(&position)))
        }
    }
}

/// The lines of the board; a letter stands for the point of that number in the alphabet.
const PICTURE: [&str; 9] = [
    "    a---b---c",
    "   /|\\  |  /|\\",
    "  / | \\ | / | \\",
    " /  |  \\|/  |  \\",
    "d---e---f---g---h",
    " \\  |  /|\\  |  /",
    "  \\ | / | \\ | /",
    "   \\|/  |  \\|/",
    "    i---j---k",
];

/// Draws the board with its lines, and beside it the numbers of the points.
pub(super) fn diagram(position: Position) -> String {
    let mut text = String::new();
    for line in PICTURE {
        let (mut board, mut numbers) = (String::new(), String::new());
        for c in line.chars() {
            if !c.is_ascii_lowercase() {
                board.push(c);
                // A number of two digits replaces one character of the line after it.
                if numbers.len() < board.len() {
                    numbers.push(c);
                }
                continue;
            }
            let point = c as u8 - b'a' + 1;
            board.push(letter(position, point).unwrap_or('.'));
            numbers.push_str(&point.to_string());
        }
        writeln!(text, "{board:<24}{numbers}").expect("writing to a string does not fail");
    }
    text
}

/// Returns the board for drawing.
pub(super) fn picture(position: Position) -> Picture {
    let points = (1..=POINTS as u8).map(|point| {
        let side = if point == position.hare { Side::First } else { Side::Second };
        PicturePoint {
            x: usize::from(column(point)),
            y: match point {
                1..=3 => 2,
                4..=8 => 1,
                _ => 0,
            },
            piece: letter(position, point).map(|letter| (side, letter)),
            name: Some(point.to_string()),
        }
    });
    let ways = |from: u8| {
        HARE[usize::from(from)].iter().filter(move |&&to| from < to).map(move |&to| [from, to])
    };
    let lines =
        (1..=POINTS as u8).flat_map(ways).map(|line| line.map(|point| usize::from(point) - 1));
    Picture {
        points: points.collect(),
        lines: lines.collect(),
        columns: Vec::new(),
        rows: Vec::new(),
    }
}
