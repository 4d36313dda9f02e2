//! Lines of a batch.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ErrorObject, MoveAnswer, PositionAnswer};

/// A line of a batch that has an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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

/// A line of a batch that has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BatchError {
    /// Number of the input line, from 1.
    pub line: u64,
    /// The line.
    pub input: String,
    /// The error.
    pub error: ErrorObject,
}
