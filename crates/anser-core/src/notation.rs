//! The error of every notation: what is wrong, at which column, and what a right one looks like.

use std::fmt;

/// A text that is not a position or a move of the game it was read for.
///
/// ```
/// use anser_core::{Game, fox_geese::FoxGeese};
/// let error = FoxGeese::default().parse_position("3/3/7/3F3/gggxggg/ggg/ggg f").unwrap_err();
/// assert_eq!(error.column(), 14);
/// assert!(error.to_string().contains("column 14"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError {
    column: usize,
    problem: String,
    example: &'static str,
}

impl NotationError {
    /// An error at `column` (the first character is column 1); `example` is a text that would have been right.
    pub fn new(column: usize, problem: impl Into<String>, example: &'static str) -> Self {
        NotationError { column, problem: problem.into(), example }
    }

    /// The column of the first character that is wrong, counted in characters from 1; one past the end where something is
    /// missing.
    pub fn column(&self) -> usize {
        self.column
    }

    /// What is wrong there.
    pub fn problem(&self) -> &str {
        &self.problem
    }

    /// A text of the kind that was expected.
    pub fn example(&self) -> &'static str {
        self.example
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}; a right one looks like \"{}\"", self.column, self.problem, self.example)
    }
}

impl std::error::Error for NotationError {}
