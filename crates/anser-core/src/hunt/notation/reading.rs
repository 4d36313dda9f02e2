//! Reads the board and the side to move in notation: rows from the top separated by `/`, a letter
//! for each piece, digits for runs of empty points, several for more than 9 (`92` for 11); then a
//! space (or `_`) and the letter of the side to move. Columns without a point may be written as `*`
//! on boards that are not of squares.

use crate::hunt::Hunt;
use crate::{NotationError, Side};

/// A piece in a text.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    pub(super) side: Side,
    pub(super) point: u8,
    /// The column of the text in which the piece stands.
    pub(super) column: usize,
}

/// The place in the board that a text has arrived at.
#[derive(Default)]
struct Cursor {
    /// The row from the top.
    row: usize,
    /// The number of points of the row that are filled.
    filled: usize,
    /// The number of `*` in the row.
    stars: usize,
    /// The number of these since the last point.
    here: usize,
}

/// A parsed text.
pub(super) struct Reading {
    /// In the order of the text.
    pub(super) pieces: Vec<Placed>,
    pub(super) to_move: Side,
    /// The characters after the side to move, with their columns.
    pub(super) rest: Vec<(usize, char)>,
}

/// Creates an error in a position of a game.
pub(super) fn error<T>(
    game: &Hunt,
    column: usize,
    problem: impl Into<String>,
) -> Result<T, NotationError> {
    Err(NotationError::new(column, problem, game.format_position(&game.start())))
}

fn side_letters(game: &Hunt) -> String {
    game.description()
        .sides
        .each_ref()
        .map(|side| format!("{} ({})", side.turn, side.name))
        .join(" or ")
}

/// Names a row in a message.
fn row_name(game: &Hunt, row: usize) -> String {
    let rows = &game.0.rows;
    if rows.named_by_grid {
        format!("row {}", rows.points.len() - row)
    } else {
        format!("row {} from the top", row + 1)
    }
}

/// Describes the problem with a letter that is not a piece.
fn stranger(game: &Hunt, letter: char) -> String {
    let (description, rows) = (game.description(), &game.0.rows);
    let sides = &description.sides;
    if let Some(of) = sides.iter().find(|side| side.letter.eq_ignore_ascii_case(&letter)) {
        let side = if sides.iter().any(|side| side.turn == letter) {
            format!("; {letter} is a side to move and comes after a space")
        } else {
            String::new()
        };
        return format!("{} is written {}{side}", with_article(&of.piece), of.letter);
    }
    let letters = sides.each_ref().map(|side| format!("{} ({})", side.letter, side.piece));
    let most = rows.points.iter().map(Vec::len).max().unwrap_or(0).clamp(1, 9);
    let digits = if most == 1 { "1".to_owned() } else { format!("a digit from 1 to {most}") };
    let missing = rows.gaps.iter().flatten().any(|&gap| gap > 0);
    format!(
        "{letter:?} is none of {}, {digits} (empty {}){}",
        letters.join(", "),
        description.point_word,
        if missing { ", / and *" } else { " and /" }
    )
}

/// Reads the board and the side to move.
pub(super) fn read(game: &Hunt, text: &str) -> Result<Reading, NotationError> {
    let description = game.description();
    let (rows, end) = (game.0.rows.points.len(), text.chars().count() + 1);
    let mut chars = text.chars().enumerate().map(|(i, c)| (i + 1, c));
    let (mut pieces, mut at) = (Vec::new(), Cursor::default());
    let side_of =
        |letter| Side::BOTH.into_iter().find(|&side| description.side(side).letter == letter);
    loop {
        let Some((column, c)) = chars.next() else { return ends_early(game, &at, end) };
        match c {
            '/' => {
                complete(game, &at, column)?;
                if at.row + 1 == rows {
                    return error(game, column, format!("there are only {rows} rows"));
                }
                at = Cursor { row: at.row + 1, ..Cursor::default() };
            }
            '*' if !game.0.rows.gaps.is_empty() => star(game, &mut at, column)?,
            ' ' | '_' => {
                complete(game, &at, column)?;
                if at.row + 1 < rows {
                    let row = row_name(game, at.row + 1);
                    return error(game, column, format!("{row} is missing, there are {rows}"));
                }
                break;
            }
            '1'..='9' => fill(game, &mut at, c as usize - '0' as usize, column)?,
            letter => {
                let Some(side) = side_of(letter) else {
                    return error(game, column, stranger(game, letter));
                };
                fill(game, &mut at, 1, column)?;
                let point = game.0.rows.points[at.row][at.filled - 1];
                pieces.push(Placed { side, point, column });
            }
        }
    }
    let Some((column, c)) = chars.next() else {
        let problem = format!("the side to move is missing: {}", side_letters(game));
        return error(game, end, problem);
    };
    let Some(to_move) = Side::BOTH.into_iter().find(|&side| description.side(side).turn == c)
    else {
        let problem = format!("{c:?} is no side to move, write {}", side_letters(game));
        return error(game, column, problem);
    };
    Ok(Reading { pieces, to_move, rest: chars.collect() })
}

/// The error of a text that ends within the board.
fn ends_early<T>(game: &Hunt, at: &Cursor, end: usize) -> Result<T, NotationError> {
    complete(game, at, end)?;
    let rows = game.0.rows.points.len();
    let problem = if at.row + 1 < rows {
        format!("the position ends after {}, there are {rows}", row_name(game, at.row))
    } else {
        format!("the side to move is missing: a space and {}", side_letters(game))
    };
    error(game, end, problem)
}

/// Reads a `*`.
fn star(game: &Hunt, at: &mut Cursor, column: usize) -> Result<(), NotationError> {
    let (gaps, row) = (&game.0.rows.gaps[at.row], || row_name(game, at.row));
    if at.here == gaps[at.filled] {
        let problem = format!("no point is missing at this place of {}", row());
        return error(game, column, problem);
    }
    if at.stars - at.here < gaps[..at.filled].iter().sum() {
        let problem = format!(
            "{} has missing points before this place: write a * for each of the row, or none",
            row()
        );
        return error(game, column, problem);
    }
    (at.stars, at.here) = (at.stars + 1, at.here + 1);
    Ok(())
}

/// Fills points of the row.
fn fill(game: &Hunt, at: &mut Cursor, points: usize, column: usize) -> Result<(), NotationError> {
    let width = game.0.rows.points[at.row].len();
    for _ in 0..points {
        no_gap(game, at, column)?;
        (at.filled, at.here) = (at.filled + 1, 0);
        if at.filled > width {
            let (row, word) = (row_name(game, at.row), &game.description().point_word);
            return error(game, column, format!("{row} has more than {width} {word}"));
        }
    }
    Ok(())
}

/// Checks that all or none of the `*` of a row are written.
fn no_gap(game: &Hunt, at: &Cursor, column: usize) -> Result<(), NotationError> {
    let wanted = game.0.rows.gaps.get(at.row).and_then(|gaps| gaps.get(at.filled)).copied();
    let wanted = wanted.unwrap_or(0);
    if at.stars > 0 && at.here < wanted {
        let points = if wanted == 1 { "a missing point" } else { "missing points" };
        let problem = format!(
            "{} has {points} at this place: write {}, or no * in the row",
            row_name(game, at.row),
            "*".repeat(wanted)
        );
        return error(game, column, problem);
    }
    Ok(())
}

/// Checks that a row has all of its points and `*`.
fn complete(game: &Hunt, at: &Cursor, column: usize) -> Result<(), NotationError> {
    let (width, filled) = (game.0.rows.points[at.row].len(), at.filled);
    if filled < width {
        let (row, word) = (row_name(game, at.row), &game.description().point_word);
        return error(game, column, format!("{row} has {width} {word}, only {filled} are given"));
    }
    no_gap(game, at, column)
}

/// Returns a word with its article: `a fox`, `an elephant`.
pub(super) fn with_article(word: &str) -> String {
    let vowel = word.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
    format!("{} {word}", if vowel { "an" } else { "a" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt::{BoardPoint, Layering, PointSet, fox_geese};

    #[test]
    fn positions_with_any_number_of_empty_points_are_read_back() {
        for width in 1..40 {
            let mut description = fox_geese("free").unwrap();
            let row = (0..width).map(|x| BoardPoint { name: format!("a{x}"), x, y: 1 });
            description.points =
                row.chain([BoardPoint { name: "b0".into(), x: 0, y: 0 }]).collect();
            description.lines.clear();
            for side in &mut description.sides {
                side.steps = (1..width as u8).map(|to| [to - 1, to]).collect();
                side.jumps.clear();
                side.start.clear();
            }
            let [foxes, geese] = &mut description.sides;
            (foxes.number, foxes.start) = ([1, 2], vec![width as u8]);
            geese.number = [0, 1];
            (description.first_to_move, description.layers) = (Side::Second, Layering::Pieces);
            description.ends.remove(0);
            let game = Hunt::new(description).unwrap();
            for fox in 0..width as u8 {
                let foxes = PointSet::of(fox) | PointSet::of(width as u8);
                let position = game.position([foxes, PointSet::EMPTY], [0; 2], Side::Second);
                let text = game.format_position(&position.unwrap());
                let places: Vec<_> =
                    read(&game, &text).unwrap().pieces.iter().map(|p| (p.side, p.point)).collect();
                assert_eq!(places, [(Side::First, fox), (Side::First, width as u8)], "{text}");
            }
        }
    }
}
