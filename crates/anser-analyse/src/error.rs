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
    /// The solution made from a position lacks the position itself or its value, so that it answers nothing: a defect of the
    /// game's rules or of this library.
    Lost {
        /// The position, in the game's notation.
        position: String,
    },
    /// None of the layers asked for belongs to the game.
    NoLayer {
        /// The first and the last layer asked for.
        asked: (u16, u16),
        /// The lowest and the highest layer of the game.
        layers: (u16, u16),
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
            AnalyseError::Lost { position } => write!(
                f,
                "the solution made from {position} does not contain that position, so it answers nothing; this is a defect \
                 of the program, please report it with the game, the rules, and the position"
            ),
            AnalyseError::NoLayer { asked, layers } => write!(
                f,
                "the game has no layer from {} to {}; it has layers {} to {}",
                asked.0, asked.1, layers.0, layers.1
            ),
            AnalyseError::Interrupted => f.write_str("stopped before there was an answer"),
        }
    }
}

impl std::error::Error for AnalyseError {}
