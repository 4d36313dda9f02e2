//! Errors.

use std::io;
use std::path::PathBuf;

use anser_games::ValueError;
use anser_retrograde::AnalyseError;

use crate::preset::Preset;

/// Error of training, of a model, or of grading.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LearnError {
    /// A network computed a number that is not finite, so its training has diverged.
    #[error("the network computed a number that is not finite: its training has diverged")]
    NotFinite,
    /// A model file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A file is not a model, or is damaged.
    #[error("{}: not a sound model: {problem}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// Description of the problem.
        problem: String,
    },
    /// A model was trained for another game, encoding, or training.
    #[error("the model was trained for {what} {found}, not {expected}")]
    Mismatch {
        /// Name of the property that differs.
        what: &'static str,
        /// Its value in the model.
        found: String,
        /// The expected value.
        expected: String,
    },
    /// Settings are invalid.
    #[error("settings: {0}")]
    Settings(String),
    /// A preset has no encoding of a game.
    #[error(
        "the preset {} has no encoding of {game}; standard and exact have one of every game, and \
         document has one of hexapawn",
        preset.id()
    )]
    NoEncoding {
        /// The name of the game.
        game: String,
        /// The preset.
        preset: Preset,
    },
    /// The values of the positions are missing.
    #[error(transparent)]
    Analyse(#[from] AnalyseError),
    /// The values of the positions are missing, or cannot be read.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// An outcome is known, but its distance is not.
    #[error("only outcomes are known here; grades need distances")]
    NoDistance,
    /// The work was interrupted. The last checkpoint is kept.
    #[error("interrupted")]
    Interrupted,
    /// The tensor library failed.
    #[error("tensors: {0}")]
    Tensor(#[from] candle_core::Error),
}
