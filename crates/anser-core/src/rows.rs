//! Boards in notation: rows from the top separated by `/`, a letter for each piece, digits for runs
//! of empty points, several for more than 9 (`92` for 11); then a space (or `_`) and the letter of the
//! side to move.

use std::fmt::Write;

use crate::{NotationError, Side};

/// The form of the notation of a game.
pub(crate) struct Form<'a> {
    /// The number of points of each row, from the top.
    pub(crate) widths: &'a [usize],
    /// By row: the number of columns without a point before each point, and after the last; they
    /// may be written as `*`. Empty if they may not.
    pub(crate) gaps: &'a [Vec<usize>],
    /// The word for points: `squares`.
    pub(crate) points: &'a str,
    /// Whether rows have numbers on the board, from 1 at the bottom. Without numbers, messages
    /// count them from the top.
    pub(crate) numbered: bool,
    /// The letter and the name of each piece.
    pub(crate) pieces: &'a [(char, &'a str)],
    /// The letter and the name of each side, the first side first.
    pub(crate) sides: [(char, &'a str); 2],
    /// A valid position.
    pub(crate) example: &'a str,
}

/// A piece on the board.
pub(crate) struct Piece {
    pub(crate) letter: char,
    /// The row from the top, and the place in it from the left, both from 0.
    pub(crate) row: usize,
    pub(crate) place: usize,
    /// The column of the text in which the piece stands.
    pub(crate) column: usize,
}

/// The place in the board that a text has arrived at.
#[derive(Default)]
struct Cursor {
    row: usize,
    /// The number of points of the row that are filled.
    filled: usize,
    /// The number of `*` in the row.
    stars: usize,
    /// The number of these since the last point.
    here: usize,
}

/// A parsed text.
pub(crate) struct Reading {
    /// In the order of the text.
    pub(crate) pieces: Vec<Piece>,
    pub(crate) to_move: Side,
    /// The characters after the side to move, with their columns.
    pub(crate) rest: Vec<(usize, char)>,
}

impl Form<'_> {
    /// Creates an error in a position of this form.
    pub(crate) fn error<T>(
        &self,
        column: usize,
        problem: impl Into<String>,
    ) -> Result<T, NotationError> {
        Err(NotationError::new(column, problem, self.example.to_owned()))
    }

    fn side_letters(&self) -> String {
        let [(first, first_name), (second, second_name)] = self.sides;
        format!("{first} ({first_name}) or {second} ({second_name})")
    }

    /// Names a row in a message.
    fn row(&self, row: usize) -> String {
        if self.numbered {
            format!("row {}", self.widths.len() - row)
        } else {
            format!("row {} from the top", row + 1)
        }
    }

    /// Describes the problem with a letter that is not a piece.
    fn stranger(&self, letter: char) -> String {
        let sides = self.sides.iter().any(|side| side.0 == letter);
        if let Some((piece, name)) =
            self.pieces.iter().find(|piece| piece.0.eq_ignore_ascii_case(&letter))
        {
            let side = if sides {
                format!("; {letter} is a side to move and comes after a space")
            } else {
                String::new()
            };
            return format!("{} is written {piece}{side}", with_article(name));
        }
        let letters: Vec<_> =
            self.pieces.iter().map(|(letter, name)| format!("{letter} ({name})")).collect();
        let most = self.widths.iter().copied().max().unwrap_or(0).clamp(1, 9);
        let digits = if most == 1 { "1".to_owned() } else { format!("a digit from 1 to {most}") };
        let missing = self.gaps.iter().flatten().any(|&gap| gap > 0);
        format!(
            "{letter:?} is none of {}, {digits} (empty {}){}",
            letters.join(", "),
            self.points,
            if missing { ", / and *" } else { " and /" }
        )
    }

    /// Reads the board and the side to move.
    pub(crate) fn read(&self, text: &str) -> Result<Reading, NotationError> {
        let (rows, end) = (self.widths.len(), text.chars().count() + 1);
        let mut chars = text.chars().enumerate().map(|(i, c)| (i + 1, c));
        let (mut pieces, mut at) = (Vec::new(), Cursor::default());
        loop {
            let Some((column, c)) = chars.next() else { return self.ends_early(&at, end) };
            match c {
                '/' => {
                    self.complete(&at, column)?;
                    if at.row + 1 == rows {
                        return self.error(column, format!("there are only {rows} rows"));
                    }
                    at = Cursor { row: at.row + 1, ..Cursor::default() };
                }
                '*' if !self.gaps.is_empty() => self.star(&mut at, column)?,
                ' ' | '_' => {
                    self.complete(&at, column)?;
                    if at.row + 1 < rows {
                        let row = self.row(at.row + 1);
                        return self.error(column, format!("{row} is missing, there are {rows}"));
                    }
                    break;
                }
                '1'..='9' => self.fill(&mut at, c as usize - '0' as usize, column)?,
                letter if self.pieces.iter().any(|piece| piece.0 == letter) => {
                    pieces.push(Piece { letter, row: at.row, place: at.filled, column });
                    self.fill(&mut at, 1, column)?;
                }
                other => return self.error(column, self.stranger(other)),
            }
        }
        let to_move = match chars.next() {
            Some((_, c)) if c == self.sides[0].0 => Side::First,
            Some((_, c)) if c == self.sides[1].0 => Side::Second,
            Some((column, c)) => {
                return self.error(
                    column,
                    format!("{c:?} is no side to move, write {}", self.side_letters()),
                );
            }
            None => {
                return self
                    .error(end, format!("the side to move is missing: {}", self.side_letters()));
            }
        };
        Ok(Reading { pieces, to_move, rest: chars.collect() })
    }

    /// The error of a text that ends within the board.
    fn ends_early<T>(&self, at: &Cursor, end: usize) -> Result<T, NotationError> {
        self.complete(at, end)?;
        let rows = self.widths.len();
        let problem = if at.row + 1 < rows {
            format!("the position ends after {}, there are {rows}", self.row(at.row))
        } else {
            format!("the side to move is missing: a space and {}", self.side_letters())
        };
        self.error(end, problem)
    }

    /// Reads a `*`.
    fn star(&self, at: &mut Cursor, column: usize) -> Result<(), NotationError> {
        let gaps = &self.gaps[at.row];
        if at.here == gaps[at.filled] {
            let problem = format!("no point is missing at this place of {}", self.row(at.row));
            return self.error(column, problem);
        }
        if at.stars - at.here < gaps[..at.filled].iter().sum() {
            let problem = format!(
                "{} has missing points before this place: write a * for each of the row, or none",
                self.row(at.row)
            );
            return self.error(column, problem);
        }
        (at.stars, at.here) = (at.stars + 1, at.here + 1);
        Ok(())
    }

    /// Fills points of the row.
    fn fill(&self, at: &mut Cursor, points: usize, column: usize) -> Result<(), NotationError> {
        let width = self.widths[at.row];
        for _ in 0..points {
            self.no_gap(at, column)?;
            (at.filled, at.here) = (at.filled + 1, 0);
            if at.filled > width {
                let problem = format!("{} has more than {width} {}", self.row(at.row), self.points);
                return self.error(column, problem);
            }
        }
        Ok(())
    }

    /// Checks that all or none of the `*` of a row are written.
    fn no_gap(&self, at: &Cursor, column: usize) -> Result<(), NotationError> {
        let wanted = self.gaps.get(at.row).and_then(|gaps| gaps.get(at.filled)).copied();
        let wanted = wanted.unwrap_or(0);
        if at.stars > 0 && at.here < wanted {
            let points = if wanted == 1 { "a missing point" } else { "missing points" };
            let problem = format!(
                "{} has {points} at this place: write {}, or no * in the row",
                self.row(at.row),
                "*".repeat(wanted)
            );
            return self.error(column, problem);
        }
        Ok(())
    }

    /// Checks that a row has all of its points and `*`.
    fn complete(&self, at: &Cursor, column: usize) -> Result<(), NotationError> {
        let (width, filled) = (self.widths[at.row], at.filled);
        if filled < width {
            let row = self.row(at.row);
            let problem = format!("{row} has {width} {}, only {filled} are given", self.points);
            return self.error(column, problem);
        }
        self.no_gap(at, column)
    }

    /// Writes the board and the side to move; `letter` returns the piece at each row and place.
    pub(crate) fn write(
        &self,
        to_move: Side,
        letter: impl Fn(usize, usize) -> Option<char>,
    ) -> String {
        let mut text = String::new();
        let run = |text: &mut String, mut empty: u32| {
            while empty > 0 {
                let digit = empty.min(9);
                let _ = write!(text, "{digit}");
                empty -= digit;
            }
        };
        for (row, &width) in self.widths.iter().enumerate() {
            if row > 0 {
                text.push('/');
            }
            let mut empty = 0;
            for place in 0..width {
                let Some(letter) = letter(row, place) else {
                    empty += 1;
                    continue;
                };
                run(&mut text, empty);
                empty = 0;
                text.push(letter);
            }
            run(&mut text, empty);
        }
        text.push(' ');
        text.push(self.sides[to_move.index()].0);
        text
    }
}

/// Returns a word with its article: `a fox`, `an elephant`.
pub(crate) fn with_article(word: &str) -> String {
    let vowel = word.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
    format!("{} {word}", if vowel { "an" } else { "a" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_with_any_number_of_empty_points_are_read_back() {
        for width in 1..40 {
            let form = Form {
                widths: &[width, 1],
                gaps: &[],
                points: "points",
                numbered: false,
                pieces: &[('F', "fox"), ('g', "goose")],
                sides: [('f', "fox"), ('g', "goose")],
                example: "",
            };
            for fox in 0..width {
                let letter = |row, place| [(0, fox), (1, 0)].contains(&(row, place)).then_some('F');
                let text = form.write(Side::Second, letter);
                let reading = form.read(&text).unwrap();
                let places: Vec<_> = reading.pieces.iter().map(|p| (p.row, p.place)).collect();
                assert_eq!(places, [(0, fox), (1, 0)], "{text}");
            }
        }
    }
}
