//! Words inside the strings of a file: names of points, steps, conditions, each with its place.

use std::ops::Range;
use std::path::Path;

use anser_core::Side;
use anser_core::hunt::{BoardPoint, Condition, side_of_word};
use toml::Spanned;

use super::error::{FileError, Location};

/// A file that is read.
#[derive(Clone, Copy)]
pub(super) struct Source<'t> {
    pub(super) path: &'t Path,
    pub(super) text: &'t str,
}

impl Source<'_> {
    /// Returns an error at a byte of the text.
    pub(super) fn error(
        &self,
        byte: usize,
        problem: impl Into<String>,
        right: impl Into<String>,
    ) -> FileError {
        FileError::Wrong {
            path: self.path.into(),
            at: Location::of(self.text, byte),
            problem: problem.into(),
            right: right.into(),
        }
    }

    pub(super) fn fail<T>(
        &self,
        byte: usize,
        problem: impl Into<String>,
        right: impl Into<String>,
    ) -> Result<T, FileError> {
        Err(self.error(byte, problem, right))
    }

    /// Returns where the contents of a string begin, after its quotes.
    pub(super) fn inside(&self, span: Range<usize>) -> usize {
        let text = self.text.get(span.clone()).unwrap_or("");
        let quotes = ["\"\"\"\r\n", "\"\"\"\n", "\"\"\"", "'''\r\n", "'''\n", "'''", "\"", "'"];
        span.start + quotes.iter().find(|quote| text.starts_with(**quote)).map_or(0, |q| q.len())
    }

    /// Returns the words of a string, each with the byte where it begins.
    pub(super) fn words<'s>(
        &self,
        string: &'s Spanned<String>,
    ) -> impl Iterator<Item = (usize, &'s str)> + use<'s> {
        let (start, text) = (self.inside(string.span()), &string.get_ref()[..]);
        text.split_whitespace().map(move |word| {
            let offset = word.as_ptr() as usize - text.as_ptr() as usize;
            (start + offset, word)
        })
    }

    /// Returns the number of a point.
    pub(super) fn point(
        &self,
        points: &[BoardPoint],
        at: usize,
        name: &str,
    ) -> Result<u8, FileError> {
        if let Some(number) = points.iter().position(|point| point.name == name) {
            return Ok(number as u8);
        }
        let known: Vec<&str> = points.iter().take(4).map(|point| &point.name[..]).collect();
        let right = format!("the points are {}, ... as in board.points", known.join(", "));
        self.fail(at, format!("the board has no point {name:?}"), right)
    }

    /// Returns the points that a string names.
    pub(super) fn points(
        &self,
        points: &[BoardPoint],
        string: &Spanned<String>,
    ) -> Result<Vec<u8>, FileError> {
        self.words(string).map(|(at, word)| self.point(points, at, word)).collect()
    }

    /// Returns the groups of points that a string has, each joined by hyphens: `a1-b2-c3`.
    pub(super) fn tuples<const N: usize>(
        &self,
        points: &[BoardPoint],
        string: &Spanned<String>,
        right: &str,
    ) -> Result<Vec<[u8; N]>, FileError> {
        let tuple = |(at, word): (usize, &str)| {
            let count = word.split('-').count();
            if count == 1 && N > 1 {
                return self.fail(at, format!("{word:?} is not {N} points"), right);
            }
            let mut start = at;
            let mut numbers = Vec::new();
            for name in word.split('-') {
                numbers.push(self.point(points, start, name)?);
                start += name.len() + 1;
            }
            numbers.try_into().map_err(|_| {
                self.error(at, format!("{word:?} has {count} points and not {N}"), right)
            })
        };
        self.words(string).map(tuple).collect()
    }

    /// Returns the side that a word names.
    pub(super) fn side(&self, at: usize, word: &str) -> Result<Side, FileError> {
        side_of_word(word)
            .ok_or_else(|| self.error(at, format!("{word:?} is no side"), "write few or many"))
    }

    /// Returns the condition of an end: `fewer many 4`, `reached few a1 b1`.
    pub(super) fn condition(
        &self,
        points: &[BoardPoint],
        string: &Spanned<String>,
    ) -> Result<Condition, FileError> {
        const RIGHT: &str = "a condition is one of: blocked SIDE, captured SIDE, fewer SIDE COUNT, \
                             reached SIDE POINT .., arrived SIDE POINT .., filled SIDE POINT .., \
                             escaped, behind COUNT, out-of-plies";
        let mut words = self.words(string);
        let end = self.inside(string.span()) + string.get_ref().len();
        let (at, kind) = words.next().unwrap_or((end, ""));
        let side = || {
            let (at, word) = words.next().unwrap_or((end, ""));
            self.side(at, word)
        };
        let Some(condition) = Condition::of_word(kind, side)? else {
            return self.fail(at, format!("no condition is called {kind:?}"), RIGHT);
        };
        let mut number = || {
            let (at, word) = words.next().unwrap_or((end, ""));
            word.parse::<u8>()
                .map_err(|_| self.error(at, format!("{word:?} is no number from 0 to 255"), RIGHT))
        };
        let mut condition = match condition {
            Condition::Fewer(side, _) => Condition::Fewer(side, number()?),
            Condition::Behind(_) => Condition::Behind(number()?),
            other => other,
        };
        if let Some(of) = condition.points_mut() {
            *of = words
                .map(|(at, word)| self.point(points, at, word))
                .collect::<Result<_, FileError>>()?;
        } else if let Some((at, word)) = words.next() {
            return self.fail(at, format!("{word:?} follows where the condition ends"), RIGHT);
        }
        Ok(condition)
    }
}
