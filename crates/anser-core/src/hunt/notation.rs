//! Notation, diagrams, and drawings of any hunt.
//!
//! Positions: `T3T/5/5/5/T3T g 20 0`. Rows from the top separated by `/`, only points that exist;
//! letters for pieces, digits for runs of empty points; a space (on input `_` as well) and the
//! letter of the side to move; then, each only if the game has it, the pieces of the few in hand,
//! those of the many in hand, the captured pieces, and the plies left, unless all are left. Moves:
//! `d4-d5` for a step, `d4xd6` for a capture, `d4xd6xf6` for several, `d4` for a placement, `pass`.

use std::ops::ControlFlow;
use std::sync::OnceLock;

use crate::hunt::{Description, Hunt, Move, MoveKind, PointSet, Position};
use crate::prelude::*;
use crate::rows::Form;
use crate::{NotationError, Picture, PicturePoint, Side};

/// The points of a board in rows, as they are written.
pub(super) struct Rows {
    /// By row from the top, and place from the left: the point.
    points: Vec<Vec<u8>>,
    widths: Vec<usize>,
    /// By row: how many columns without a point are before each point, and after the last. Empty
    /// for boards of squares.
    gaps: Vec<Vec<usize>>,
    /// By point: the number of its column and of its row, from the left and from the bottom.
    grid: Vec<(usize, usize)>,
    columns: usize,
    /// Whether points are called by a letter for the column and a number for the row.
    named_by_grid: bool,
    /// The start of the game, as an example of the notation.
    example: OnceLock<String>,
}

impl Rows {
    pub(super) fn new(description: &Description) -> Rows {
        let points = &description.points;
        let places = |of: &dyn Fn(usize) -> i32| {
            let mut places: Vec<i32> = (0..points.len()).map(of).collect();
            places.sort_unstable();
            places.dedup();
            places
        };
        let xs = places(&|point| points[point].x);
        let ys = places(&|point| points[point].y);
        let grid: Vec<(usize, usize)> = points
            .iter()
            .map(|point| {
                (xs.partition_point(|&x| x < point.x), ys.partition_point(|&y| y < point.y))
            })
            .collect();
        let rows: Vec<Vec<u8>> = (0..ys.len())
            .rev()
            .map(|y| {
                let mut row: Vec<u8> =
                    (0..points.len() as u8).filter(|&p| grid[usize::from(p)].1 == y).collect();
                row.sort_by_key(|&point| grid[usize::from(point)].0);
                row
            })
            .collect();
        let gaps = rows.iter().filter(|_| !description.lines.is_empty()).map(|row| {
            let columns: Vec<usize> = row.iter().map(|&point| grid[usize::from(point)].0).collect();
            let ends = columns.iter().copied().chain([xs.len()]);
            let starts = [0].into_iter().chain(columns.iter().map(|column| column + 1));
            ends.zip(starts).map(|(end, start)| end - start).collect()
        });
        let name = |&(x, y): &(usize, usize)| {
            let letter = char::from(b'a' + x.min(25) as u8);
            format!("{letter}{}", y + 1)
        };
        let named_by_grid =
            points.iter().zip(&grid).all(|(point, place)| point.name == name(place));
        Rows {
            widths: rows.iter().map(Vec::len).collect(),
            gaps: gaps.collect(),
            points: rows,
            columns: xs.len(),
            named_by_grid,
            grid,
            example: OnceLock::new(),
        }
    }
}

/// Calls `use_it` with the form of positions.
fn with_form<T>(game: &Hunt, use_it: impl FnOnce(&Form<'_>) -> T) -> T {
    let (description, rows) = (game.description(), &game.0.rows);
    let pieces = description.sides.each_ref().map(|side| (side.letter, &side.piece[..]));
    let sides = description.sides.each_ref().map(|side| (side.turn, &side.name[..]));
    let form = Form {
        widths: &rows.widths,
        gaps: &rows.gaps,
        points: &description.point_word,
        numbered: rows.named_by_grid,
        pieces: &pieces,
        sides,
        example: "",
    };
    let example = rows.example.get_or_init(|| form.write_position(game, &game.start()));
    use_it(&Form { example, ..form })
}

impl Form<'_> {
    fn write_position(&self, game: &Hunt, position: &Position) -> String {
        let rows = &game.0.rows.points;
        let mut text =
            self.write(position.to_move, |row, place| letter(game, position, rows[row][place]));
        for number in fields(game, position) {
            text.push(' ');
            text.push_str(&number.to_string());
        }
        if position.left != game.description().plies
            && let Some(left) = position.left
        {
            text.push(' ');
            text.push_str(&left.to_string());
        }
        text
    }
}

/// Returns the pieces in hand and captured, as far as the game has them.
fn fields(game: &Hunt, position: &Position) -> Vec<u8> {
    let [few, many] = &game.description().sides;
    let mut fields = Vec::new();
    if few.hand > 0 {
        fields.push(position.hand[0]);
    }
    if many.hand > 0 {
        fields.push(position.hand[1]);
        if !few.jumps.is_empty() {
            fields.push(many.number[1] - position.many().len() as u8 - position.hand[1]);
        }
    }
    fields
}

/// Returns the letter of the piece on a point.
fn letter(game: &Hunt, position: &Position, point: u8) -> Option<char> {
    let there = |side: &Side| position.pieces(*side).contains(point);
    Side::BOTH.into_iter().find(there).map(|side| game.description().side(side).letter)
}

pub(super) fn format_position(game: &Hunt, position: &Position) -> String {
    with_form(game, |form| form.write_position(game, position))
}

pub(super) fn parse_position(game: &Hunt, text: &str) -> Result<Position, NotationError> {
    let description = game.description();
    with_form(game, |form| {
        let reading = form.read(text)?;
        let mut pieces = [PointSet::EMPTY; 2];
        for piece in &reading.pieces {
            let point = game.0.rows.points[piece.row][piece.place];
            let side = Side::BOTH[usize::from(piece.letter == description.sides[1].letter)];
            let of = description.side(side);
            let there = &mut pieces[side.index()];
            if there.len() == usize::from(of.number[1]) {
                let problem = match (of.number[1], there.first()) {
                    (1, Some(first)) => {
                        let first = &description.points[usize::from(first)].name;
                        format!("there is a second {}, the first is on {first}", of.piece)
                    }
                    (most, _) => format!("there are more than {most} {}", of.name),
                };
                return form.error(piece.column, problem);
            }
            *there |= PointSet::of(point);
        }
        let mut position =
            Position { pieces, hand: [0; 2], left: description.plies, to_move: reading.to_move };
        read_fields(game, form, &reading.rest, &mut position)?;
        match game.why_no_position(&position) {
            None => Ok(position),
            Some(problem) => form.error(1, problem),
        }
    })
}

/// Reads what follows the side to move: pieces in hand and captured, plies left.
fn read_fields(
    game: &Hunt,
    form: &Form<'_>,
    rest: &[(usize, char)],
    position: &mut Position,
) -> Result<(), NotationError> {
    let description = game.description();
    let [few, many] = &description.sides;
    let mut numbers = read_numbers(form, rest)?.into_iter();
    let there = |side: usize| position.pieces[side].len() as u8;
    let captures = many.hand > 0 && !few.jumps.is_empty();
    let mut hand = [0; 2];
    for (side, of) in description.sides.iter().enumerate().filter(|(_, of)| of.hand > 0) {
        // Without a number, nothing has been captured.
        let missing = of.number[1].saturating_sub(there(side));
        hand[side] = match numbers.next() {
            None => missing,
            Some((_, number)) if number <= u16::from(missing) => number as u8,
            Some((column, number)) => {
                let problem = format!(
                    "{number} {} in hand and {} on the board are more than {}",
                    of.name,
                    there(side),
                    of.number[1]
                );
                return form.error(column, problem);
            }
        };
    }
    if captures && let Some((column, number)) = numbers.next() {
        let captured = many.number[1] - there(1) - hand[1];
        if number != u16::from(captured) {
            let problem = format!(
                "with {} {} on the board and {} in hand, {captured} of {} are captured",
                there(1),
                many.name,
                hand[1],
                many.number[1]
            );
            return form.error(column, problem);
        }
    }
    position.hand = hand;
    if let (Some(most), Some((column, number))) = (description.plies, numbers.next()) {
        if number > u16::from(most) {
            return form.error(
                column,
                format!("under {} no more than {most} plies are left", description.rules),
            );
        }
        position.left = Some(number as u8);
    }
    match numbers.next() {
        None => Ok(()),
        Some((column, number)) => {
            form.error(column, format!("{number} follows where the position is complete"))
        }
    }
}

/// Reads numbers, each after a space, with their columns.
fn read_numbers(
    form: &Form<'_>,
    rest: &[(usize, char)],
) -> Result<Vec<(usize, u16)>, NotationError> {
    let mut numbers: Vec<(usize, Option<u16>)> = Vec::new();
    let mut end = 0;
    for &(column, c) in rest {
        end = column + 1;
        match (c, numbers.last_mut()) {
            (' ' | '_', None | Some((_, Some(_)))) => numbers.push((column + 1, None)),
            (digit, Some((_, number))) if digit.is_ascii_digit() => {
                let value = u16::from(digit as u8 - b'0');
                *number = Some(number.unwrap_or(0).saturating_mul(10).saturating_add(value));
            }
            _ => {
                let problem =
                    format!("{c:?} follows the side to move; only spaces and numbers can");
                return form.error(column, problem);
            }
        }
    }
    let numbers = numbers.into_iter().map(|(column, number)| Some((column, number?)));
    numbers
        .collect::<Option<_>>()
        .map_or_else(|| form.error(end, "a number has to follow the space"), Ok)
}

pub(super) fn format_move(game: &Hunt, mv: &Move) -> String {
    let names =
        mv.path().iter().map(|&point| &game.description().points[usize::from(point)].name[..]);
    match mv.kind() {
        MoveKind::Pass => "pass".into(),
        _ => names.collect::<Vec<_>>().join(if mv.is_capture() { "x" } else { "-" }),
    }
}

/// Parses a legal move of `position`.
pub(super) fn parse_move(
    game: &Hunt,
    position: &Position,
    text: &str,
) -> Result<Move, NotationError> {
    let fail =
        |column, problem: String| Err(NotationError::new(column, problem, move_example(game)));
    if text != "pass" {
        let mut column = 1;
        for part in text.split_inclusive(['-', 'x']) {
            let name = part.trim_end_matches(['-', 'x']);
            if game.description().point(name).is_none() {
                return if name.is_empty() {
                    fail(column, "the move is not complete: a point is missing".into())
                } else {
                    fail(column, format!("the board has no point {name}"))
                };
            }
            column += part.chars().count();
        }
        if text.is_empty() || text.ends_with(['-', 'x']) {
            return fail(column, "the move is not complete: a point is missing".into());
        }
    }
    let found = game.visit_moves(position, |mv, _| {
        if format_move(game, &mv) == text {
            ControlFlow::Break(mv)
        } else {
            ControlFlow::Continue(())
        }
    });
    match found {
        ControlFlow::Break(mv) => Ok(mv),
        ControlFlow::Continue(()) => fail(
            1,
            format!(
                "{text} is not a legal move in {} under {}",
                format_position(game, position),
                game.rules_id()
            ),
        ),
    }
}

/// Returns moves of the game as examples: the first one of the start, and a jump or a capture.
fn move_example(game: &Hunt) -> String {
    let mut examples: Vec<String> = game
        .moves(&game.start())
        .first()
        .map(|(mv, _)| format_move(game, mv))
        .into_iter()
        .collect();
    let sides = &game.description().sides;
    let jump = sides.iter().flat_map(|side| &side.jumps).next().map(|&[from, _, to]| [from, to]);
    let capture = jump.or_else(|| sides.iter().flat_map(|side| &side.captures).next().copied());
    examples.extend(
        capture.map(|[from, to]| format_move(game, &Move::two(MoveKind::Capture, from, to))),
    );
    examples.join(" or ")
}

/// Draws the board: with coordinates if the points are called by them, and otherwise with the
/// lines, and beside it the names of the points.
pub(super) fn diagram(game: &Hunt, position: &Position) -> String {
    let rows = &game.0.rows;
    if rows.named_by_grid { with_coordinates(game, position) } else { with_lines(game, position) }
}

fn with_coordinates(game: &Hunt, position: &Position) -> String {
    let rows = &game.0.rows;
    let width = rows.points.len().to_string().len();
    let mut text = String::new();
    for (number, row) in rows.points.iter().enumerate() {
        let mut line = format!("{:>width$} ", rows.points.len() - number);
        let mut points = row.iter().peekable();
        for column in 0..rows.columns {
            let here = points.next_if(|&&point| rows.grid[usize::from(point)].0 == column);
            let shown = here.map_or(' ', |&point| letter(game, position, point).unwrap_or('.'));
            line.extend([' ', shown]);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text.push_str(&" ".repeat(width + 1));
    for column in 0..rows.columns {
        text.extend([' ', char::from(b'a' + column as u8)]);
    }
    text.push('\n');
    text
}

/// Characters from a column to the next, and lines from a row to the next.
const CELL: usize = 4;

fn with_lines(game: &Hunt, position: &Position) -> String {
    let rows = &game.0.rows;
    let height = (rows.points.len() - 1) * CELL + 1;
    let mut canvas = vec![vec![' '; (rows.columns - 1) * CELL + 1]; height];
    let at = |point: u8| {
        let (x, y) = rows.grid[usize::from(point)];
        (x * CELL, height - 1 - y * CELL)
    };
    for line in &game.description().lines {
        for pair in line.windows(2) {
            let ((x, y), (to_x, to_y)) = (at(pair[0]), at(pair[1]));
            let (dx, dy) = (to_x as isize - x as isize, to_y as isize - y as isize);
            let mark = match (dx.signum() * dy.signum(), dx, dy) {
                (_, _, 0) => '-',
                (_, 0, _) => '|',
                (1, ..) => '\\',
                _ => '/',
            };
            // Lines of other slopes are left out: no character draws them.
            if dx != 0 && dy != 0 && dx.abs() != dy.abs() {
                continue;
            }
            for step in 1..dx.abs().max(dy.abs()) {
                let x = x.wrapping_add_signed(dx.signum() * step);
                let y = y.wrapping_add_signed(dy.signum() * step);
                canvas[y][x] = mark;
            }
        }
    }
    let names: Vec<_> = game.description().points.iter().map(|point| &point.name).collect();
    let widest = names.iter().map(|name| name.len()).max().unwrap_or(1);
    let width = canvas[0].len() + widest + 5;
    let mut text = String::new();
    for (y, line) in canvas.iter().enumerate() {
        let (mut board, mut numbers) = (String::new(), String::new());
        for (x, &c) in line.iter().enumerate() {
            let here = (0..names.len() as u8).find(|&point| at(point) == (x, y));
            board.push(here.map_or(c, |point| letter(game, position, point).unwrap_or('.')));
            match here {
                Some(point) => numbers.push_str(names[usize::from(point)]),
                // A longer name replaces characters of the line after it.
                None if numbers.chars().count() < board.chars().count() => numbers.push(c),
                None => {}
            }
        }
        text.push_str(format!("{board:<width$}{numbers}").trim_end());
        text.push('\n');
    }
    text
}

/// Returns the board for drawing.
pub(super) fn picture(game: &Hunt, position: &Position) -> Picture {
    let (description, rows) = (game.description(), &game.0.rows);
    let low =
        |of: &dyn Fn(usize) -> i32| (0..description.points.len()).map(of).min().unwrap_or_default();
    let (left, bottom) = (low(&|p| description.points[p].x), low(&|p| description.points[p].y));
    let points = description.points.iter().zip(0u8..).map(|(point, number)| {
        let there = |side: &Side| position.pieces(*side).contains(number);
        let side = Side::BOTH.into_iter().find(there);
        PicturePoint {
            x: (point.x - left) as usize,
            y: (point.y - bottom) as usize,
            piece: side.map(|side| (side, description.side(side).letter)),
            name: (!rows.named_by_grid).then(|| point.name.clone()),
        }
    });
    let pairs = description.lines.iter().flat_map(|line| line.windows(2));
    let mut lines: Vec<[usize; 2]> =
        pairs.map(|pair| [pair[0].min(pair[1]), pair[0].max(pair[1])].map(usize::from)).collect();
    lines.sort_unstable();
    lines.dedup();
    let named = |names: Vec<String>| if rows.named_by_grid { names } else { Vec::new() };
    Picture {
        points: points.collect(),
        lines,
        columns: named(Picture::letters(rows.columns)),
        rows: named(Picture::numbers(rows.points.len())),
    }
}
