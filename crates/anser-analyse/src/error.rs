//! What can keep a question from being answered.

use std::fmt;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnalyseError {
    /// More memory would be needed than is allowed.
    Memory {
        /// The bytes that the work would have come to hold when it was given up.
        needed: u64,
        /// The bytes that were allowed.
        allowed: u64,
    },
    /// Play can go round, so there are infinitely many games. A position from which it can is named.
    Endless {
        /// The position, in the game's notation.
        position: String,
    },
    /// A position was asked about that is none of those solved.
    Unknown {
        /// The position, in the game's notation.
        position: String,
    },
    /// The observer asked for a stop.
    Interrupted,
}

impl fmt::Display for AnalyseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnalyseError::Memory { needed, allowed } => write!(
                f,
                "this needs more than {needed} bytes of memory and {allowed} are allowed; allow more, or begin from a position \
                 nearer to the end of the game"
            ),
            AnalyseError::Endless { position } => write!(
                f,
                "play can go round for ever from {position}, so there are infinitely many games; ask under rules that \
                 limit the plies"
            ),
            AnalyseError::Unknown { position } => write!(
                f,
                "{position} is not among the positions that were solved; begin from it, or from one that play can lead to it \
                 from"
            ),
            AnalyseError::Interrupted => f.write_str("stopped before there was an answer"),
        }
    }
}

impl std::error::Error for AnalyseError {}
