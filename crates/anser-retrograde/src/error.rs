//! Why a game is not solved, or a question about it has no answer.

use std::fmt;

use anser_core::hunt::Position;
use anser_core::{Dtw, Hunt};

use crate::bytes::Bytes;
use crate::layer::TooLong;

/// Why a game is not solved, or a question about its solution has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnalyseError {
    /// The work needs more memory than is allowed.
    Memory {
        /// The name of the game that needs the memory.
        what: String,
        /// The bytes needed, about. Work that ran out of memory may need more.
        needed: u64,
        /// The bytes allowed.
        allowed: u64,
    },
    /// Play can return to a position, so there are infinitely many games.
    Endless {
        /// A position that play can return to, in the game's notation.
        position: String,
    },
    /// The position is not among those solved.
    Unknown {
        /// The position, in the game's notation.
        position: String,
    },
    /// The layer is not among those solved.
    Unsolved {
        /// The layer.
        layer: u16,
    },
    /// The solution made from a position lacks the position or its value: a defect of the game's
    /// rules or of this library.
    Lost {
        /// The position, in the game's notation.
        position: String,
    },
    /// The game has none of the requested layers.
    NoLayer {
        /// The first and the last requested layer.
        asked: (u16, u16),
        /// The lowest and the highest layer of the game.
        layers: (u16, u16),
    },
    /// FoxBoxes are about a lone piece against a pack that only goes up.
    NotInRows {
        /// The name of the game.
        game: String,
    },
    /// The solver by rows analyses only games that start with the pack on the bottom row and the
    /// lone man on an odd row and to move.
    UnusualStart {
        /// The name of the game.
        game: String,
    },
    /// A win takes more plies than [`Dtw::LONGEST`](anser_core::Dtw::LONGEST).
    TooLong {
        /// The layer of a position with such a win.
        layer: u16,
    },
    /// The observer interrupted the work.
    Interrupted,
}

impl AnalyseError {
    pub(crate) fn memory(game: &Hunt, needed: u64, allowed: u64) -> AnalyseError {
        AnalyseError::Memory { what: game.name().into(), needed, allowed }
    }

    pub(crate) fn lost(game: &Hunt, position: &Position) -> AnalyseError {
        AnalyseError::Lost { position: game.format_position(position) }
    }

    /// Returns the error that a position is [not solved](AnalyseError::Unknown).
    pub fn unknown(game: &Hunt, position: &Position) -> AnalyseError {
        AnalyseError::Unknown { position: game.format_position(position) }
    }

    /// Returns what to do about the error, in a few words.
    ///
    /// ```
    /// use anser_retrograde::AnalyseError;
    /// let error = AnalyseError::Unsolved { layer: 4 };
    /// assert_eq!(error.advice(), Some("solve it too"));
    /// assert_eq!(error.to_string(), "layer 4 is not among the solved layers; solve it too");
    /// assert_eq!(format!("{error:#}"), "layer 4 is not among the solved layers");
    /// ```
    pub fn advice(&self) -> Option<&'static str> {
        Some(match self {
            AnalyseError::Memory { .. } => {
                "allow more, or start from a position nearer to the end of the game"
            }
            AnalyseError::Endless { .. } => {
                "choose rules that limit the plies, if the game has some"
            }
            AnalyseError::Unknown { .. } => "start from it, or from a position that leads to it",
            AnalyseError::Unsolved { .. } => "solve it too",
            AnalyseError::Lost { .. } => {
                "this is a defect of the program, please report it with the game, the rules, and \
                 the position"
            }
            AnalyseError::NotInRows { .. } => {
                "ask about Fox-and-Hounds or Hasenspiel, as fox-hounds:8"
            }
            AnalyseError::UnusualStart { .. } => "solve it as a Solution, from its start",
            AnalyseError::NoLayer { .. }
            | AnalyseError::TooLong { .. }
            | AnalyseError::Interrupted => return None,
        })
    }

    /// Writes what is wrong, without [`advice`](AnalyseError::advice).
    fn problem(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnalyseError::Memory { what, needed, allowed } => write!(
                f,
                "{what} needs about {} of memory or more, and {} are allowed",
                Bytes(*needed),
                Bytes(*allowed)
            ),
            AnalyseError::Endless { position } => {
                write!(f, "play can return to {position}, so there are infinitely many games")
            }
            AnalyseError::Unknown { position } => {
                write!(f, "{position} is not among the solved positions")
            }
            AnalyseError::Unsolved { layer } => {
                write!(f, "layer {layer} is not among the solved layers")
            }
            AnalyseError::Lost { position } => {
                write!(f, "the solution made from {position} does not contain that position")
            }
            AnalyseError::NoLayer { asked, layers } => write!(
                f,
                "the game has no layer from {} to {}, it has layers {} to {}",
                asked.0, asked.1, layers.0, layers.1
            ),
            AnalyseError::NotInRows { game } => write!(
                f,
                "{game} has no FoxBoxes: it is no game of a lone piece against a pack that only \
                 steps diagonally up"
            ),
            AnalyseError::UnusualStart { game } => {
                write!(
                    f,
                    "{game} does not start with its pack on the bottom row and its lone man to \
                     move on an odd row"
                )
            }
            AnalyseError::TooLong { layer } => {
                write!(
                    f,
                    "layer {layer} has wins of more than {} plies, which no value can hold",
                    Dtw::LONGEST
                )
            }
            AnalyseError::Interrupted => f.write_str("interrupted before the answer was found"),
        }
    }
}

impl fmt::Display for AnalyseError {
    /// Writes what is wrong and what to do about it. The alternate form, `{:#}`, leaves the latter
    /// out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problem(f)?;
        match self.advice() {
            Some(advice) if !f.alternate() => write!(f, "; {advice}"),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for AnalyseError {}

impl From<TooLong> for AnalyseError {
    fn from(TooLong { layer }: TooLong) -> AnalyseError {
        AnalyseError::TooLong { layer }
    }
}
