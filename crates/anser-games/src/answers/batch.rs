//! Lines of a batch.

use serde::{Deserialize, Serialize};

use super::{ErrorObject, MoveAnswer, PositionAnswer, Versioned};

/// A line of a batch that has an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BatchAnswer {
    /// Number of the input line, from 1.
    pub line: u64,
    /// The position with its value.
    #[serde(flatten)]
    pub root: PositionAnswer,
    /// The possible moves, best first, if they were requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<MoveAnswer>>,
    /// Reason for missing values, if a table that has them exists and cannot be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorObject>,
}

impl BatchAnswer {
    /// Appends the answer as a line of JSON, with the version of the vocabulary. It is compiled
    /// here, with full optimization, because batches have millions of lines.
    ///
    /// # Errors
    /// None; writing to memory and answers with keys of text cannot fail.
    pub fn write_line(&self, bytes: &mut Vec<u8>) -> serde_json::Result<()> {
        serde_json::to_writer(&mut *bytes, &Versioned::new(self))?;
        bytes.push(b'\n');
        Ok(())
    }
}

/// A line of a batch that has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BatchError {
    /// Number of the input line, from 1.
    pub line: u64,
    /// The line, or its beginning if it is too long.
    pub input: String,
    /// The error.
    pub error: ErrorObject,
}
