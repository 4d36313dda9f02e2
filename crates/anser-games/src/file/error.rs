//! Errors of files with games.

use std::path::PathBuf;
use std::sync::Arc;

use anser_table::TableError;
use thiserror::Error;

/// Problem of a file that describes a game.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file cannot be read.
    #[error("{} cannot be read: {error}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: Arc<std::io::Error>,
    },
    /// The file is a table that cannot be read, or lacks the description of its game.
    #[error(transparent)]
    Table(TableError),
    /// The file is a table of another game with the name of one of this program.
    #[error(
        "{}: the rules are others than those that this program has under the name {name}",
        .path.display()
    )]
    Reserved {
        /// The file.
        path: PathBuf,
        /// The name.
        name: String,
    },
    /// The file has no such rule set.
    #[error("{problem}; {right}")]
    Rules {
        /// The problem.
        problem: String,
        /// The ids that the file has.
        right: String,
    },
    /// The file does not describe a game.
    #[error(
        "{}, line {}, column {}: {problem}; {right}",
        .path.display(), .at.line, .at.column
    )]
    Wrong {
        /// The file.
        path: PathBuf,
        /// The place of the problem.
        at: Location,
        /// The problem.
        problem: String,
        /// A valid form.
        right: String,
    },
}

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted in characters from 1.
    pub column: usize,
}

impl Location {
    /// Returns the place of a byte of a text.
    pub(super) fn of(text: &str, byte: usize) -> Location {
        let mut byte = byte.min(text.len());
        while !text.is_char_boundary(byte) {
            byte -= 1;
        }
        let before = &text[..byte];
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        Location {
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
        }
    }
}
