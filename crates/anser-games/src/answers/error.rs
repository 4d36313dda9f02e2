//! Errors in the place of answers.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The kind of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// A layer is missing, or the question has no answer.
    Missing,
    /// The command line or a position is malformed.
    Usage,
    /// A table is damaged or fails verification.
    Corrupt,
    /// Input or output failed, or memory or another resource of the system ran out.
    Io,
    /// The user stopped the program.
    Interrupted,
}

impl ErrorKind {
    /// Returns the exit status of a program that ends with an error of this kind.
    pub const fn exit_status(self) -> u8 {
        match self {
            ErrorKind::Missing => 1,
            ErrorKind::Usage => 2,
            ErrorKind::Corrupt => 3,
            ErrorKind::Io => 4,
            ErrorKind::Interrupted => 130,
        }
    }
}

/// An error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorObject {
    /// Exit status.
    pub code: u8,
    /// Kind of the error.
    pub kind: ErrorKind,
    /// Description of the error and its place.
    pub message: String,
    /// Next step, if possible a command; null if there is none.
    pub hint: Option<String>,
    /// Column of a malformed position, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
}

impl ErrorObject {
    /// Creates an error without a hint and a column.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> ErrorObject {
        ErrorObject {
            code: kind.exit_status(),
            kind,
            message: message.into(),
            hint: None,
            column: None,
        }
    }

    /// Sets what to do next.
    #[must_use]
    pub fn with_hint(self, hint: impl fmt::Display) -> ErrorObject {
        ErrorObject { hint: Some(hint.to_string()), ..self }
    }

    /// Returns the first command or call of Anser that the hint has in backquotes.
    pub fn command(&self) -> Option<&str> {
        let hint = self.hint.as_deref()?;
        hint[hint.find("`anser")? + 1..].split('`').next()
    }
}

/// Writes the message and the hint in one line.
impl fmt::Display for ErrorObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, "; {hint}"))
    }
}

/// An error in the place of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorAnswer {
    /// The error.
    pub error: ErrorObject,
}
