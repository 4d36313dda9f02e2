//! Errors.

use std::io;
use std::path::PathBuf;

use anser_analyse::AnalyseError;
use anser_games::ValueError;

use crate::Preset;

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
    /// A file is no model, or a damaged one.
    #[error("{}: not a sound model: {problem}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A model was trained for something else.
    #[error("the model was trained for {what} {found}, not {expected}")]
    Mismatch {
        /// What differs, in a word or two.
        what: &'static str,
        /// That of the model.
        found: String,
        /// That of the game at hand.
        expected: String,
    },
    /// Settings that no training can have.
    #[error("settings: {0}")]
    Settings(String),
    /// No network of a preset can be shown the positions of a game.
    #[error(
        "the preset {} has no encoding of {game}; standard and exact have one of every game without chains of \
         captures, and document has one of hexapawn",
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
    /// An outcome is known, but not in how many plies.
    #[error("only outcomes are known here; grades need distances")]
    NoDistance,
    /// The work was interrupted. What was learned up to the last checkpoint is kept.
    #[error("interrupted")]
    Interrupted,
    /// The tensor library failed.
    #[error("tensors: {0}")]
    Tensor(#[from] candle_core::Error),
}
