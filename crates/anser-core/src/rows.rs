//! Boards in notation: rows from the top separated by `/`, a letter for each piece, digits for runs
//! of empty points; then a space (or `_`) and the letter of the side to move.

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
        let end = text.chars().count() + 1;
        let mut chars = text.chars().enumerate().map(|(i, c)| (i + 1, c));
        let mut pieces = Vec::new();
        let (mut row, mut filled) = (0, 0);
        // The number of `*` in the row, and of those since the last point.
        let (mut stars, mut here) = (0, 0);
        loop {
            let Some((column, c)) = chars.next() else {
                self.complete(row, filled, end)?;
                self.no_gap(row, filled, stars, here, end)?;
                return self.error(
                    end,
                    if row + 1 < self.widths.len() {
                        format!(
                            "the position ends after {}, there are {}",
                            self.row(row),
                            self.widths.len()
                        )
                    } else {
                        format!("the side to move is missing: a space and {}", self.side_letters())
                    },
                );
            };
            let points = match c {
                '/' => {
                    self.complete(row, filled, column)?;
                    self.no_gap(row, filled, stars, here, column)?;
                    (stars, here) = (0, 0);
                    if row + 1 == self.widths.len() {
                        return self
                            .error(column, format!("there are only {} rows", self.widths.len()));
                    }
                    (row, filled) = (row + 1, 0);
                    continue;
                }
                '*' if !self.gaps.is_empty() => {
                    let written: usize = self.gaps[row][..filled].iter().sum();
                    if here == self.gaps[row][filled] {
                        let row = self.row(row);
                        let problem = format!("no point is missing at this place of {row}");
                        return self.error(column, problem);
                    }
                    if stars - here < written {
                        let problem = format!(
                            "{} has missing points before this place: write a * for each of the \
                             row, or none",
                            self.row(row)
                        );
                        return self.error(column, problem);
                    }
                    (stars, here) = (stars + 1, here + 1);
                    continue;
                }
                ' ' | '_' => {
                    self.complete(row, filled, column)?;
                    self.no_gap(row, filled, stars, here, column)?;
                    if row + 1 < self.widths.len() {
                        let (row, rows) = (self.row(row + 1), self.widths.len());
                        return self.error(column, format!("{row} is missing, there are {rows}"));
                    }
                    break;
                }
                '1'..='9' => c as usize - '0' as usize,
                letter if self.pieces.iter().any(|piece| piece.0 == letter) => {
                    pieces.push(Piece { letter, row, place: filled, column });
                    1
                }
                other => return self.error(column, self.stranger(other)),
            };
            for _ in 0..points {
                self.no_gap(row, filled, stars, here, column)?;
                (filled, here) = (filled + 1, 0);
                if filled > self.widths[row] {
                    let problem = format!(
                        "{} has more than {} {}",
                        self.row(row),
                        self.widths[row],
                        self.points
                    );
                    return self.error(column, problem);
                }
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

    /// Checks that all or none of the `*` of a row are written: `here` of them since the last of the
    /// `filled` points.
    fn no_gap(
        &self,
        row: usize,
        filled: usize,
        stars: usize,
        here: usize,
        column: usize,
    ) -> Result<(), NotationError> {
        let wanted = self.gaps.get(row).and_then(|gaps| gaps.get(filled)).copied().unwrap_or(0);
        if stars > 0 && here < wanted {
            let points = if wanted == 1 { "a missing point" } else { "missing points" };
            let problem = format!(
                "{} has {points} at this place: write {}, or no * in the row",
                self.row(row),
                "*".repeat(wanted)
            );
            return self.error(column, problem);
        }
        Ok(())
    }

    fn complete(&self, row: usize, filled: usize, column: usize) -> Result<(), NotationError> {
        let width = self.widths[row];
        if filled < width {
            let problem =
                format!("{} has {width} {}, only {filled} are given", self.row(row), self.points);
            return self.error(column, problem);
        }
        Ok(())
    }

    /// Writes the board and the side to move; `letter` returns the piece at each row and place.
    pub(crate) fn write(
        &self,
        to_move: Side,
        letter: impl Fn(usize, usize) -> Option<char>,
    ) -> String {
        let mut text = String::new();
        let run = |text: &mut String, empty: u32| {
            if empty > 0 {
                let _ = write!(text, "{empty}");
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
