//! Boards: with lines and colors if standard output shows them, else as the game's plain diagram.

use anser_core::hunt::Position;
use anser_core::{Hunt, Picture, PicturePoint, Side};
use console::Style;

use crate::text_style::{TextStyle, text_style};

/// Draws the board with its pieces, in several lines, for standard output.
pub(crate) fn board(game: &Hunt, position: &Position) -> String {
    draw(game, position, text_style())
}

/// Draws the board for an output of this style.
fn draw(game: &Hunt, position: &Position, style: TextStyle) -> String {
    let picture = game.picture(position);
    let is_large = picture.points.iter().any(|point| point.x.max(point.y) > LARGEST);
    match (style.color && style.unicode, picture.lines.is_empty()) {
        (false, _) => game.diagram(position),
        // A diagram leaves out the distances between rows and columns.
        (true, false) if is_large => game.diagram(position),
        (true, true) => squares(&picture, style),
        (true, false) => points(&picture, style),
    }
}

/// Characters from one point to the next, and lines of text from one row to the next.
const STEP: [usize; 2] = [4, 2];

/// Units between the points of a board at most, if it is drawn with its distances.
const LARGEST: usize = 20;

/// One character of a board.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    /// Line, empty point, name, or blank.
    Back(char),
    Piece(Side, char),
}

const BLANK: Cell = Cell::Back(' ');

/// Draws a board of points and lines. If its points have individual names, a second board shows
/// them.
fn points(picture: &Picture, style: TextStyle) -> String {
    let men = grid(picture, |point| match point.piece {
        Some((side, letter)) => vec![Cell::Piece(side, letter)],
        None => vec![Cell::Back('·')],
    });
    let mut lines: Vec<String> = men.iter().map(|row| line(row, style)).collect();
    if picture.points.iter().any(|point| point.name.is_some()) {
        let names = grid(picture, |point| {
            point.name.iter().flat_map(|name| name.chars()).map(Cell::Back).collect()
        });
        let width = men.iter().map(Vec::len).max().unwrap_or(0) + 4;
        for (text, row) in lines.iter_mut().zip(&names) {
            let gap = width.saturating_sub(console::measure_text_width(text));
            *text += &format!("{:gap$}{}", "", line(row, style));
        }
    }
    let left = picture.rows.iter().map(String::len).max().map_or(0, |width| width + 2);
    let mut text = String::new();
    for (number, line) in lines.iter().enumerate() {
        let from_bottom = lines.len() - 1 - number;
        let name =
            picture.rows.get(from_bottom / STEP[1]).filter(|_| from_bottom.is_multiple_of(STEP[1]));
        text += &style.dim(&format!("{:<left$}", name.map_or("", String::as_str)));
        text += line;
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    if !picture.columns.is_empty() {
        let names: Vec<String> =
            picture.columns.iter().map(|name| format!("{name:<width$}", width = STEP[0])).collect();
        text += &style.dim(format!("{:left$}{}", "", names.concat()).trim_end());
        text.push('\n');
    }
    text
}

/// Characters of a board of points, rows from the top; `show` returns the characters at a point.
fn grid(picture: &Picture, show: impl Fn(&PicturePoint) -> Vec<Cell>) -> Vec<Vec<Cell>> {
    let rows = picture.points.iter().map(|point| point.y).max().unwrap_or(0);
    let columns = picture.points.iter().map(|point| point.x).max().unwrap_or(0);
    // Names of two characters fit at the right edge.
    let mut grid = vec![vec![BLANK; STEP[0] * columns + 2]; STEP[1] * rows + 1];
    let cell_of = |point: &PicturePoint| (STEP[1] * (rows - point.y), STEP[0] * point.x);
    for &[from, to] in &picture.lines {
        let ((row, column), (to_row, to_column)) =
            (cell_of(&picture.points[from]), cell_of(&picture.points[to]));
        let (middle, between) = (usize::midpoint(row, to_row), usize::midpoint(column, to_column));
        if row == to_row {
            let (first, last) = (column.min(to_column), column.max(to_column));
            grid[row][first + 1..last].fill(Cell::Back('─'));
        } else {
            let falls = (to_row > row) == (to_column > column);
            grid[middle][between] =
                Cell::Back(match (column == to_column, falls, grid[middle][between]) {
                    (true, ..) => '│',
                    (false, true, Cell::Back('╱')) | (false, false, Cell::Back('╲')) => '╳',
                    (false, true, _) => '╲',
                    (false, false, _) => '╱',
                });
        }
    }
    for point in &picture.points {
        let (row, column) = cell_of(point);
        for (cell, shown) in grid[row][column..].iter_mut().zip(show(point)) {
            *cell = shown;
        }
    }
    for row in &mut grid {
        row.truncate(row.iter().rposition(|&cell| cell != BLANK).map_or(0, |last| last + 1));
    }
    grid
}

/// Row of characters in their colors.
fn line(row: &[Cell], style: TextStyle) -> String {
    let is_back = |cell: &Cell| matches!(cell, Cell::Back(_));
    let runs = row.chunk_by(|a, b| is_back(a) && is_back(b));
    runs.map(|run| match run {
        [Cell::Piece(side, letter)] => style.of_side(Some(*side), &letter.to_string()),
        run => {
            let text: String = run.iter().map(|(Cell::Back(c) | Cell::Piece(_, c))| *c).collect();
            if text.trim().is_empty() { text } else { style.dim(&text) }
        }
    })
    .collect()
}

/// Draws a board of squares, with a background under the squares in play.
fn squares(picture: &Picture, style: TextStyle) -> String {
    let rows = picture.points.iter().map(|point| point.y + 1).max().unwrap_or(0);
    let columns = picture.points.iter().map(|point| point.x + 1).max().unwrap_or(0);
    let left = picture.rows.iter().map(String::len).max().map_or(0, |width| width + 1);
    let mut text = String::new();
    for y in (0..rows).rev() {
        text += &style.dim(&format!(
            "{:>width$} ",
            picture.rows.get(y).map_or("", String::as_str),
            width = left - 1
        ));
        for x in 0..columns {
            let Some(point) = picture.points.iter().find(|point| (point.x, point.y) == (x, y))
            else {
                text += "   ";
                continue;
            };
            // Adjacent squares get different backgrounds.
            let square = Style::new()
                .on_color256(if (x + y) % 2 == 0 { 236 } else { 239 })
                .force_styling(true);
            text += &match point.piece {
                None => square.apply_to("   ").to_string(),
                Some((side, letter)) => square
                    .color256(TextStyle::color_of(Some(side)))
                    .bold()
                    .apply_to(format!(" {letter} "))
                    .to_string(),
            };
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    let names: Vec<String> = picture.columns.iter().map(|name| format!(" {name} ")).collect();
    text += &style.dim(format!("{:left$}{}", "", names.concat()).trim_end());
    text + "\n"
}

#[cfg(test)]
mod tests {
    use anser_core::Hunt;

    use super::*;

    const RICH: TextStyle = TextStyle { color: true, unicode: true, width: Some(50) };

    /// Board for a terminal, with its colors removed after checking that both occur.
    fn rich(game: &Hunt) -> String {
        let board = draw(game, &game.start(), RICH);
        assert!(
            board.contains("\u{1b}[38;5;166m") && board.contains("\u{1b}[38;5;32m"),
            "{board:?}"
        );
        console::strip_ansi_codes(&board).into_owned()
    }

    #[test]
    fn the_cross_has_its_lines_and_diagonals() {
        let expected = "\
7          ·───·───·
           │ ╲ │ ╱ │
6          ·───·───·
           │ ╱ │ ╲ │
5  ·───·───·───·───·───·───·
   │ ╲ │ ╱ │ ╲ │ ╱ │ ╲ │ ╱ │
4  ·───·───·───F───·───·───·
   │ ╱ │ ╲ │ ╱ │ ╲ │ ╱ │ ╲ │
3  g───g───g───g───g───g───g
           │ ╲ │ ╱ │
2          g───g───g
           │ ╱ │ ╲ │
1          g───g───g
   a   b   c   d   e   f   g
";
        assert_eq!(rich(&Hunt::default()), expected);
        let orthogonal = rich(&Hunt::fox_geese("free+orthogonal").unwrap());
        assert!(!orthogonal.contains(['╲', '╱']), "{orthogonal}");
    }

    #[test]
    fn individual_names_of_points_are_shown_beside_the_board() {
        let board = rich(&Hunt::hare_hounds("unlimited").unwrap());
        let first = board.lines().next().expect("a line");
        assert!(first.contains('h') && first.ends_with("1───2───3"), "{board}");
        assert!(board.contains("9───10──11"), "{board}");
    }

    #[test]
    fn every_board_fits_fifty_columns_and_shows_the_men_of_its_diagram() {
        fn fits(game: &Hunt) {
            let (plain, rich) = (game.diagram(&game.start()), rich(game));
            for board in [&plain, &rich] {
                assert!(
                    board.lines().all(|line| console::measure_text_width(line) <= 50),
                    "{board}"
                );
            }
            // The last line of a board with column names holds letters that are not men.
            let men = |board: &str| {
                let board = if game.name().starts_with("hare") {
                    board
                } else {
                    board.trim_end().rsplit_once('\n').unwrap().0
                };
                let mut men: Vec<char> = board.chars().filter(char::is_ascii_alphabetic).collect();
                men.sort_unstable();
                men
            };
            assert_eq!(men(&plain), men(&rich), "{rich}");
            for style in [
                TextStyle { color: false, ..RICH },
                TextStyle { unicode: false, ..RICH },
                TextStyle::PLAIN,
            ] {
                assert_eq!(draw(game, &game.start(), style), plain);
            }
        }
        fits(&Hunt::default());
        for size in [2, 8, 12] {
            fits(&Hunt::fox_hounds(size, "escape").unwrap());
        }
        fits(&Hunt::hasenspiel(8, 4, "literal").unwrap());
        fits(&Hunt::hare_hounds("budget-60").unwrap());
        fits(&Hunt::hexapawn("8x4".parse().unwrap()));
    }
}
