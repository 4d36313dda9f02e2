//! Failures of commands from errors of libraries. Where a layer is missing, the message lists the
//! tables that were found.

use anser_core::NotationError;
use anser_games::answers::LineError;
use anser_games::{AnyError, Audience, FileError, NameError, ValueError, explain};
use anser_retrograde::AnalyseError;
use anser_solve::SolveError;
use anser_table::{ProbeError, TableError};

use crate::failure::Failure;
use crate::games;
use crate::sets::sets_besides;

/// Implements the conversions.
macro_rules! from {
    ($($error:ty),* $(,)?) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                let error = AnyError::from(&error);
                let mut explained = explain(error, Audience::CommandLine(games::registry()));
                if let AnyError::Missing(missing) = error {
                    explained.message += &sets_besides(missing);
                }
                Failure::from(explained)
            }
        })*
    };
}

from!(
    NotationError,
    NameError,
    FileError,
    ProbeError,
    TableError,
    ValueError,
    AnalyseError,
    SolveError,
);

impl<E: Into<Failure>> From<LineError<E>> for Failure {
    fn from(error: LineError<E>) -> Failure {
        match error {
            LineError::Move { mv, ply } => Failure::corrupt(format!(
                "the line that was found has no legal move {mv} at ply {ply}"
            )),
            LineError::Value(error) => error.into(),
        }
    }
}
