//! Diagrams and drawings.

use super::piece_on;
use crate::hunt::board_rows::column_letter;
use crate::hunt::{Hunt, Position};
use crate::{Picture, PicturePoint};

/// Draws the board: with coordinates if the points are called by them, and otherwise with the
/// lines, and beside it the names of the points.
pub(in crate::hunt) fn diagram(game: &Hunt, position: &Position) -> String {
    let rows = &game.0.rows;
    if rows.named_by_grid { with_coordinates(game, position) } else { with_lines(game, position) }
}

/// Returns the letter of the piece on a point, or a dot.
fn letter(game: &Hunt, position: &Position, point: u8) -> char {
    piece_on(game, position, point).map_or('.', |(_, letter)| letter)
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
            let shown = here.map_or(' ', |&point| letter(game, position, point));
            line.extend([' ', shown]);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text.push_str(&" ".repeat(width + 1));
    for column in 0..rows.columns {
        text.extend([' ', column_letter(column)]);
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
            board.push(here.map_or(c, |point| letter(game, position, point)));
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
pub(in crate::hunt) fn picture(game: &Hunt, position: &Position) -> Picture {
    let (description, rows) = (game.description(), &game.0.rows);
    let low =
        |of: &dyn Fn(usize) -> i32| (0..description.points.len()).map(of).min().unwrap_or_default();
    let (left, bottom) = (low(&|p| description.points[p].x), low(&|p| description.points[p].y));
    // Names of columns and rows stand beside them, so these have to be one unit apart.
    let in_units = description.points.iter().zip(&rows.grid).all(|(point, &(column, row))| {
        (point.x - left, point.y - bottom) == (column as i32, row as i32)
    });
    let named_by_grid = rows.named_by_grid && in_units;
    let points = description.points.iter().zip(0u8..).map(|(point, number)| PicturePoint {
        x: (point.x - left) as usize,
        y: (point.y - bottom) as usize,
        piece: piece_on(game, position, number),
        name: (!named_by_grid).then(|| point.name.clone()),
    });
    let pairs = description.lines.iter().flat_map(|line| line.windows(2));
    let mut lines: Vec<[usize; 2]> =
        pairs.map(|pair| [pair[0].min(pair[1]), pair[0].max(pair[1])].map(usize::from)).collect();
    lines.sort_unstable();
    lines.dedup();
    let named = |names: Vec<String>| if named_by_grid { names } else { Vec::new() };
    Picture {
        points: points.collect(),
        lines,
        columns: named((0..rows.columns.min(26)).map(|x| column_letter(x).into()).collect()),
        rows: named((1..=rows.points.len()).map(|number| number.to_string()).collect()),
    }
}
