//! Notation of positions and moves, diagrams, and the error of malformed texts.

use std::borrow::Cow;
use std::fmt;

/// Grammar of the name of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noun {
    /// One piece, with an article: the fox wins.
    Singular,
    /// Several pieces, with an article: the geese win.
    Plural,
    /// Without an article: white wins.
    Name,
}

impl Noun {
    /// Returns the word for it in descriptions: `singular`, `plural`, `name`.
    pub fn word(self) -> &'static str {
        match self {
            Noun::Singular => "singular",
            Noun::Plural => "plural",
            Noun::Name => "name",
        }
    }

    /// Returns the grammar with this word.
    pub fn of_word(word: &str) -> Option<Noun> {
        [Noun::Singular, Noun::Plural, Noun::Name].into_iter().find(|noun| noun.word() == word)
    }
}

/// Result of [`Hunt::ending`](crate::Hunt::ending) if the side to move cannot move.
pub const BLOCKED: &str = "blocked";

/// Error of parsing a position or a move.
///
/// ```
/// use anser_core::Hunt;
/// let error = Hunt::default().parse_position("3/3/7/3F3/gggxggg/ggg/ggg f").unwrap_err();
/// assert_eq!(error.column(), 14);
/// assert!(error.to_string().contains("column 14"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError {
    column: usize,
    problem: String,
    example: Cow<'static, str>,
}

impl NotationError {
    /// Creates an error at `column`, counted from 1; `example` is a valid text.
    pub fn new(
        column: usize,
        problem: impl Into<String>,
        example: impl Into<Cow<'static, str>>,
    ) -> Self {
        NotationError { column, problem: problem.into(), example: example.into() }
    }

    /// Returns the column of the first wrong character, counted in characters from 1; one past the
    /// end if something is missing.
    pub fn column(&self) -> usize {
        self.column
    }

    /// Returns what is wrong there.
    pub fn problem(&self) -> &str {
        &self.problem
    }

    /// Returns a valid text of the expected kind.
    pub fn example(&self) -> &str {
        &self.example
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "column {}: {}; a right one looks like \"{}\"",
            self.column, self.problem, self.example
        )
    }
}

impl std::error::Error for NotationError {}
