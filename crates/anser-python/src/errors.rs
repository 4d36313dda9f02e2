//! Errors as exceptions of the Python module `anser._errors`.

use std::fmt::Display;

use anser_core::NotationError;
use anser_games::{AnyError, Audience, FileError, NameError, ValueError, explain};
use anser_retrograde::AnalyseError;
use anser_solve::SolveError;
use anser_table::{ErrorClass, ProbeError, TableError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Why a call fails.
pub(crate) enum Failure {
    /// A text that is not a position, and its index in a sequence of positions.
    Position(NotationError, Option<usize>),
    /// A row of an array of codes.
    Code {
        index: usize,
        code: u128,
        game: String,
    },
    Move(NotationError),
    Name(NameError),
    File(FileError),
    Value(ValueError),
    Solve(SolveError),
    /// A class of exceptions, and the problem.
    Problem(&'static str, String),
    /// An error of Python.
    Python(PyErr),
}

/// Result of a call from Python.
pub(crate) type Answer<T> = Result<T, Failure>;

impl Failure {
    /// An argument that names nothing, or is out of range.
    pub(crate) fn argument(problem: impl Into<String>) -> Failure {
        Failure::Problem("InvalidArgument", problem.into())
    }

    /// A result that does not fit into the memory.
    pub(crate) fn memory(problem: impl Into<String>) -> Failure {
        Failure::Problem("NotEnoughMemory", problem.into())
    }

    /// A text that does not describe a game.
    pub(crate) fn description(problem: impl Display) -> Failure {
        Failure::Problem("InvalidDescription", problem.to_string())
    }

    /// Tables were used after they were closed.
    pub(crate) fn closed() -> Failure {
        Failure::argument("the tables are closed")
    }

    /// The exception.
    fn exception(self, py: Python<'_>) -> PyResult<PyErr> {
        let (error, in_batch) = match &self {
            Failure::Position(error, index) => (AnyError::Position(error), *index),
            Failure::Move(error) => (AnyError::Move(error), None),
            Failure::Name(error) => (error.into(), None),
            Failure::File(error) => (error.into(), None),
            Failure::Value(error) => (error.into(), None),
            Failure::Solve(error) => (error.into(), None),
            Failure::Code { index, code, game } => {
                let problem =
                    format!("row {index}: {code:#x} is not the code of a position of {game}");
                return Exception::new(py, "InvalidPosition", problem).with("index", index)?.done();
            }
            Failure::Problem(class, problem) => return Exception::new(py, class, problem).done(),
            Failure::Python(error) => return Ok(error.clone_ref(py)),
        };
        let explained = explain(error, Audience::Python);
        let exception = Exception::new(py, class_of(error), explained.to_string());
        let exception = match error {
            AnyError::Position(error) | AnyError::Move(error) => exception
                .with("column", error.column())?
                .with("example", error.example())?
                .with("index", in_batch)?,
            AnyError::File(FileError::Wrong { at, .. }) => {
                exception.with("line", at.line)?.with("column", at.column)?
            }
            AnyError::Missing(missing) => {
                let searched = missing.searched.iter().map(|place| place.display().to_string());
                exception
                    .with("game", &missing.game)?
                    .with("rules", &missing.rules)?
                    .with("layer", missing.layer)?
                    .with("metric", missing.metric.id())?
                    .with("searched", searched.collect::<Vec<_>>())?
                    .with("command", explained.command())?
            }
            AnyError::Table(error) => exception.with("path", error.path().display().to_string())?,
            _ => exception,
        };
        exception.done()
    }
}

/// The class of the exception for an error.
fn class_of(error: AnyError<'_>) -> &'static str {
    match error {
        AnyError::Position(_) => "InvalidPosition",
        AnyError::Move(_) => "InvalidMove",
        AnyError::File(_) => "InvalidDescription",
        AnyError::Missing(_) => "MissingLayer",
        AnyError::Table(error) => match error.class() {
            ErrorClass::Corrupt => "CorruptTable",
            ErrorClass::Missing | ErrorClass::Io | ErrorClass::Resources => "UnreadableTable",
        },
        AnyError::Analyse(AnalyseError::Memory { .. })
        | AnyError::Solve(SolveError::Memory { .. }) => "NotEnoughMemory",
        AnyError::Analyse(AnalyseError::Unknown { .. } | AnalyseError::Unsolved { .. }) => {
            "UnsolvedPosition"
        }
        AnyError::Name(_)
        | AnyError::Analyse(AnalyseError::NoLayer { .. })
        | AnyError::Solve(SolveError::NoSuchLayer { .. } | SolveError::Threads(_)) => {
            "InvalidArgument"
        }
        AnyError::Analyse(_) | AnyError::Solve(_) => "SolveError",
        _ => "AnserError",
    }
}

/// An exception under construction.
struct Exception<'py> {
    class: &'static str,
    message: String,
    attributes: Bound<'py, PyDict>,
}

impl<'py> Exception<'py> {
    fn new(py: Python<'py>, class: &'static str, message: impl Into<String>) -> Exception<'py> {
        Exception { class, message: message.into(), attributes: PyDict::new(py) }
    }

    fn with(self, name: &str, value: impl IntoPyObject<'py>) -> PyResult<Exception<'py>> {
        self.attributes.set_item(name, value)?;
        Ok(self)
    }

    fn done(self) -> PyResult<PyErr> {
        let module = self.attributes.py().import("anser._errors")?;
        let class = module.getattr(self.class)?;
        Ok(PyErr::from_value(class.call((self.message,), Some(&self.attributes))?))
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        Python::attach(|py| failure.exception(py).unwrap_or_else(|error| error))
    }
}

/// Conversions from errors of libraries and of Python.
macro_rules! from {
    ($($error:ty => $variant:ident),* $(,)?) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure::$variant(error.into())
            }
        })*
    };
}

from! {
    PyErr => Python,
    NameError => Name,
    FileError => File,
    ValueError => Value,
    ProbeError => Value,
    TableError => Value,
    AnalyseError => Value,
    SolveError => Solve,
}

impl From<NotationError> for Failure {
    fn from(error: NotationError) -> Failure {
        Failure::Position(error, None)
    }
}
