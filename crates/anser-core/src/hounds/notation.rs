//! Notation: `2F1/4/4/4/4/4/4/hhhh f`, moves `e8-d7`.
//!
//! Rows from the top to the bottom separated by `/`, only playable squares; digits count empty squares, an upper-case letter
//! is the lone man, a lower-case one a man of the pack; a space (on input `_` as well), then the letter of the side to move.
//! Squares in moves have a letter for the column, from a, and a number for the row, from 1 at the bottom. The letters are those
//! of the game's style.

use std::fmt::Write;
use std::iter::Peekable;
use std::ops::ControlFlow;

use crate::hounds::{Board, Hunt, Move, Position, Rules, Square, SquareSet, Style};
use crate::{Game, NotationError, Side};

/// A row being read.
struct Row {
    /// From 1 at the bottom.
    number: usize,
    width: usize,
    filled: usize,
}

impl Row {
    /// The next square of the row, from left to right.
    fn next(&mut self) -> Result<Square, String> {
        let Row { number, width, filled } = *self;
        if filled == width {
            return Err(format!("row {number} has more than {width} playable squares"));
        }
        self.filled += 1;
        Square::new((number - 1) * width + filled).ok_or_else(|| format!("the board has no row {number}"))
    }

    fn finish(&self) -> Result<(), String> {
        let Row { number, width, filled } = self;
        if filled < width {
            return Err(format!("row {number} has {width} playable squares, only {filled} are given"));
        }
        Ok(())
    }
}

/// The men read so far.
#[derive(Default)]
struct Men {
    fox: Option<Square>,
    hounds: SquareSet,
}

pub(super) fn parse_position<R: Rules>(board: &Board, text: &str) -> Result<Position, NotationError> {
    read_position(&R::STYLE, board, text)
        .map_err(|(column, problem)| NotationError::new(column, problem, R::example(board.size())))
}

fn read_position(style: &Style, board: &Board, text: &str) -> Result<Position, (usize, String)> {
    let Style { men: [lone, pack], turns, man_names: [lone_name, pack_name], side_names, .. } = *style;
    let sides = format!("{} ({}) or {} ({})", turns[0], side_names[0], turns[1], side_names[1]);
    let end = text.chars().count() + 1;
    let mut chars = text.chars().enumerate().map(|(i, c)| (i + 1, c));
    let mut men = Men::default();
    let mut row = Row { number: board.size(), width: board.size() / 2, filled: 0 };
    loop {
        let Some((column, c)) = chars.next() else {
            row.finish().map_err(|problem| (end, problem))?;
            return Err((
                end,
                if row.number > 1 {
                    format!("the position ends after row {}, rows go from {} to 1", row.number, board.size())
                } else {
                    format!("the side to move is missing: a space and {sides}")
                },
            ));
        };
        let at = |problem: String| (column, problem);
        match c {
            _ if c == lone => {
                let square = row.next().map_err(at)?;
                if let Some(first) = men.fox.replace(square) {
                    let first = board.square_name(first);
                    return Err(at(format!("there is a second {lone_name}, the first is on {first}")));
                }
            }
            _ if c == pack => {
                men.hounds = men.hounds | row.next().map_err(at)?.set();
                if men.hounds.len() > board.hounds() {
                    return Err(at(format!("there are more than {} {}", board.hounds(), side_names[1])));
                }
            }
            '1'..='9' => {
                for _ in 0..c as u8 - b'0' {
                    row.next().map_err(at)?;
                }
            }
            '/' => {
                row.finish().map_err(at)?;
                if row.number == 1 {
                    return Err(at(format!("there are only {} rows", board.size())));
                }
                row = Row { number: row.number - 1, filled: 0, ..row };
            }
            ' ' | '_' => {
                row.finish().map_err(at)?;
                if row.number > 1 {
                    return Err(at(format!("row {} is missing, rows go from {} to 1", row.number - 1, board.size())));
                }
                break;
            }
            _ if c == turns[0] => {
                return Err(at(format!(
                    "the {lone_name} is written {lone}; {c} is a side to move and comes after a space"
                )));
            }
            _ if c == pack.to_ascii_uppercase() => return Err(at(format!("a {pack_name} is written {pack}"))),
            _ => {
                return Err(at(format!(
                    "{c:?} is none of {lone} ({lone_name}), {pack} ({pack_name}), a digit (empty squares) and /"
                )));
            }
        }
    }
    let to_move = match chars.next() {
        Some((_, c)) if c == turns[0] => Side::First,
        Some((_, c)) if c == turns[1] => Side::Second,
        Some((column, c)) => return Err((column, format!("{c:?} is no side to move, write {sides}"))),
        None => return Err((end, format!("the side to move is missing: {sides}"))),
    };
    if let Some((column, c)) = chars.next() {
        return Err((column, format!("{c:?} follows where the position is complete")));
    }
    let Some(fox) = men.fox else { return Err((1, format!("there is no {lone_name} ({lone})"))) };
    let (count, wanted) = (men.hounds.len(), board.hounds());
    Position::new(board, fox, men.hounds, to_move)
        .ok_or_else(|| (1, format!("{count} of {wanted} {} ({pack}) are on the board", side_names[1])))
}

pub(super) fn format_position<R: Rules>(board: &Board, position: &Position) -> String {
    let mut text = String::new();
    for y in (0..board.size()).rev() {
        let mut empty = 0;
        for square in (0..board.size()).filter_map(|x| board.square(x, y)) {
            let Some(man) = man::<R>(position, square) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                text.push_str(&empty.to_string());
                empty = 0;
            }
            text.push(man);
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        text.push(if y > 0 { '/' } else { ' ' });
    }
    text.push(R::STYLE.turns[position.to_move.index()]);
    text
}

/// The letter of the man on a square.
fn man<R: Rules>(position: &Position, square: Square) -> Option<char> {
    let [lone, pack] = R::STYLE.men;
    if square == position.fox { Some(lone) } else { position.hounds.contains(square).then_some(pack) }
}

pub(super) fn format_move(board: &Board, mv: Move) -> String {
    format!("{}-{}", board.square_name(mv.from), board.square_name(mv.to))
}

/// Reads a move that is legal in `position`.
pub(super) fn parse_move<R: Rules>(game: &Hunt<R>, position: &Position, text: &str) -> Result<Move, NotationError> {
    let fail = |(column, problem)| NotationError::new(column, problem, R::MOVE_EXAMPLE);
    let wanted = read_move(game.board(), text).map_err(fail)?;
    let found = game
        .visit_moves(position, |mv, _| if mv == wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) });
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
        Some((column, other)) => Err((column, format!("{other:?} follows where the move is complete"))),
        None => Ok(Move { from, to }),
    }
}

const INCOMPLETE: &str = "the move is not complete";

/// Reads a column and a row.
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
    // One digit more than any row has, so that a long one is wrong and not cut.
    while let Some((_, digit)) = rest.next_if(|&(_, c)| c.is_ascii_digit() && row.len() < 3) {
        row.push(digit);
    }
    let y = row.parse::<usize>().ok().filter(|y| (1..=board.size()).contains(y) && !row.starts_with('0'));
    let Some(y) = y else { return Err((at, format!("a row from 1 to {} has to follow the column", board.size()))) };
    board
        .square((file as u8 - b'a').into(), y - 1)
        .ok_or_else(|| (column, format!("{file}{y} is not one of the squares that are played on")))
}

/// The board with coordinates, rows from the top.
pub(super) fn diagram<R: Rules>(board: &Board, position: &Position) -> String {
    let width = board.size().to_string().len();
    let mut text = String::new();
    for y in (0..board.size()).rev() {
        let mut line = format!("{:>width$} ", y + 1);
        for x in 0..board.size() {
            let shown = board.square(x, y).map_or(' ', |square| man::<R>(position, square).unwrap_or('.'));
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
