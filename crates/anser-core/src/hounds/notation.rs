//! Notation: `2F1/4/4/4/4/4/4/hhhh f`, moves `e8-d7`.
//!
//! Rows from the top to the bottom separated by `/`, only playable squares; digits count empty
//! squares, an upper-case letter is the lone man, a lower-case one a man of the pack; a space (on
//! input `_` as well), then the letter of the side to move. Squares in moves have a letter for the
//! column, from a, and a number for the row, from 1 at the bottom. The letters are those of the
//! game's style.

use std::fmt::Write;
use std::iter::Peekable;
use std::ops::ControlFlow;

use crate::hounds::{Board, Hunt, HuntRules, Move, Position, Square, SquareSet, Style};
use crate::prelude::*;
use crate::rows::{Form, Piece};
use crate::{NotationError, Picture, PicturePoint, Side};

/// Returns the form of positions of a board.
fn with_form<R: HuntRules, T>(board: &Board, use_it: impl FnOnce(&Form<'_>) -> T) -> T {
    let Style { men: [lone, pack], turns, man_names: [lone_name, pack_name], side_names, .. } =
        R::STYLE;
    use_it(&Form {
        widths: &vec![board.size() / 2; board.size()],
        gaps: &[],
        points: "playable squares",
        numbered: true,
        pieces: &[(lone, lone_name), (pack, pack_name)],
        sides: [(turns[0], side_names[0]), (turns[1], side_names[1])],
        example: R::example(board),
    })
}

pub(super) fn parse_position<R: HuntRules>(
    board: &Board,
    text: &str,
) -> Result<Position, NotationError> {
    let Style { men: [lone, pack], man_names: [lone_name, _], side_names: [_, pack_name], .. } =
        R::STYLE;
    with_form::<R, _>(board, |form| {
        let reading = form.read(text)?;
        let (mut fox, mut hounds) = (None, SquareSet::default());
        for Piece { letter, row, place, column } in reading.pieces {
            let number = (board.size() - 1 - row) * (board.size() / 2) + place;
            let square = Square::new(number).expect("a square of the largest board has a number");
            if letter == lone {
                if let Some(first) = fox.replace(square) {
                    let first = board.square_name(first);
                    return form.error(
                        column,
                        format!("there is a second {lone_name}, the first is on {first}"),
                    );
                }
            } else {
                hounds = hounds | square.set();
                if hounds.len() > board.hounds() {
                    return form.error(
                        column,
                        format!("there are more than {} {pack_name}", board.hounds()),
                    );
                }
            }
        }
        if let Some(&(column, c)) = reading.rest.first() {
            return form.error(column, format!("{c:?} follows where the position is complete"));
        }
        let Some(fox) = fox else {
            return form.error(1, format!("there is no {lone_name} ({lone})"));
        };
        let (count, wanted) = (hounds.len(), board.hounds());
        Position::new(board, fox, hounds, reading.to_move).map_or_else(
            || form.error(1, format!("{count} of {wanted} {pack_name} ({pack}) are on the board")),
            Ok,
        )
    })
}

pub(super) fn format_position<R: HuntRules>(board: &Board, position: &Position) -> String {
    with_form::<R, _>(board, |form| {
        form.write(position.to_move, |row, place| {
            let number = (board.size() - 1 - row) * (board.size() / 2) + place;
            Square::new(number).and_then(|square| man::<R>(position, square))
        })
    })
}

/// Returns the letter of the man on a square.
fn man<R: HuntRules>(position: &Position, square: Square) -> Option<char> {
    let [lone, pack] = R::STYLE.men;
    if square == position.fox {
        Some(lone)
    } else {
        position.hounds.contains(square).then_some(pack)
    }
}

pub(super) fn format_move(board: &Board, mv: Move) -> String {
    format!("{}-{}", board.square_name(mv.from), board.square_name(mv.to))
}

/// Parses a legal move of `position`.
pub(super) fn parse_move<R: HuntRules>(
    game: &Hunt<R>,
    position: &Position,
    text: &str,
) -> Result<Move, NotationError> {
    let fail = |(column, problem)| NotationError::new(column, problem, R::MOVE_EXAMPLE);
    let wanted = read_move(game.board(), text).map_err(fail)?;
    let found = game.visit_moves(position, |mv, _| {
        if mv == wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if found.is_break() {
        return Ok(wanted);
    }
    let position = game.format_position(position);
    Err(fail((1, format!("{text} is not a legal move in {position} under {}", game.rules()))))
}

fn read_move(board: &Board, text: &str) -> Result<Move, (usize, String)> {
    let end = text.chars().count() + 1;
    let mut rest = text.chars().enumerate().map(|(i, c)| (i + 1, c)).peekable();
    let from = read_square(board, &mut rest, end)?;
    match rest.next() {
        Some((_, '-')) => {}
        Some((column, other)) => return Err((column, format!("{other:?} is not - (a step)"))),
        None => return Err((end, INCOMPLETE.into())),
    }
    let to = read_square(board, &mut rest, end)?;
    match rest.next() {
        Some((column, other)) => {
            Err((column, format!("{other:?} follows where the move is complete")))
        }
        None => Ok(Move { from, to }),
    }
}

const INCOMPLETE: &str = "the move is not complete";

/// Parses a column and a row.
fn read_square(
    board: &Board,
    rest: &mut Peekable<impl Iterator<Item = (usize, char)>>,
    end: usize,
) -> Result<Square, (usize, String)> {
    let last = char::from(b'a' + board.size() as u8 - 1);
    let Some((column, file)) = rest.next() else { return Err((end, INCOMPLETE.into())) };
    if !('a'..=last).contains(&file) {
        return Err((column, format!("{file:?} is not a column from a to {last}")));
    }
    let Some(&(at, _)) = rest.peek() else { return Err((end, INCOMPLETE.into())) };
    let mut row = String::new();
    // One digit more than any row has, so that a longer number is an error and not cut off.
    while let Some((_, digit)) = rest.next_if(|&(_, c)| c.is_ascii_digit() && row.len() < 3) {
        row.push(digit);
    }
    let y = row
        .parse::<usize>()
        .ok()
        .filter(|y| (1..=board.size()).contains(y) && !row.starts_with('0'));
    let Some(y) = y else {
        return Err((at, format!("a row from 1 to {} has to follow the column", board.size())));
    };
    board
        .square((file as u8 - b'a').into(), y - 1)
        .ok_or_else(|| (column, format!("{file}{y} is not one of the squares that are played on")))
}

/// Draws the board with coordinates, rows from the top.
pub(super) fn diagram<R: HuntRules>(board: &Board, position: &Position) -> String {
    let width = board.size().to_string().len();
    let mut text = String::new();
    for y in (0..board.size()).rev() {
        let mut line = format!("{:>width$} ", y + 1);
        for x in 0..board.size() {
            let shown =
                board.square(x, y).map_or(' ', |square| man::<R>(position, square).unwrap_or('.'));
            line.extend([' ', shown]);
        }
        // Writing to a string does not fail.
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text.push_str(&" ".repeat(width + 1));
    for x in 0..board.size() {
        text.extend([' ', char::from(b'a' + x as u8)]);
    }
    text.push('\n');
    text
}

/// Returns the board for drawing.
pub(super) fn picture<R: HuntRules>(board: &Board, position: &Position) -> Picture {
    let points = board.squares().iter().map(|square| {
        let (x, y) = board.coordinates(square);
        let side = if square == position.fox() { Side::First } else { Side::Second };
        PicturePoint {
            x,
            y,
            piece: man::<R>(position, square).map(|letter| (side, letter)),
            name: None,
        }
    });
    Picture {
        points: points.collect(),
        lines: Vec::new(),
        columns: Picture::letters(board.size()),
        rows: Picture::numbers(board.size()),
    }
}
