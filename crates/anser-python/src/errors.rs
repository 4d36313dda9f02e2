//! Errors as exceptions of the Python module `anser._errors`.

use anser_analyse::AnalyseError;
use anser_core::NotationError;
use anser_games::{FileError, Location, NameError, ValueError};
use anser_solve::SolveError;
use anser_table::{ErrorClass, Metric, MissingLayer, ProbeError, TableError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Why a call fails.
pub(crate) enum Failure {
    Position(NotationError),
    /// An item of a sequence of positions.
    PositionOf {
        index: usize,
        error: NotationError,
    },
    /// A row of an array of codes.
    Code {
        index: usize,
        code: u128,
        game: String,
    },
    Move(NotationError),
    Value(ValueError),
    Solve(SolveError),
    /// A description of a game.
    Description {
        problem: String,
        at: Option<Location>,
    },
    /// An argument that names nothing, or is out of range.
    Argument(String),
    /// Tables were used after they were closed.
    Closed,
    /// An error of Python.
    Python(PyErr),
}

/// Result of a call from Python.
pub(crate) type Answer<T> = Result<T, Failure>;

impl Failure {
    pub(crate) fn argument(problem: impl Into<String>) -> Failure {
        Failure::Argument(problem.into())
    }

    /// The exception.
    fn exception(self, py: Python<'_>) -> PyResult<PyErr> {
        match self {
            Failure::Python(error) => Ok(error),
            Failure::Argument(problem) => Exception::new(py, "InvalidArgument", &problem).done(),
            Failure::Description { problem, at } => {
                Exception::new(py, "InvalidDescription", &problem)
                    .with("line", at.map(|at| at.line))?
                    .with("column", at.map(|at| at.column))?
                    .done()
            }
            Failure::Closed => {
                Exception::new(py, "InvalidArgument", "the tables are closed").done()
            }
            Failure::Position(error) => malformed(py, "InvalidPosition", &error)?.done(),
            Failure::Move(error) => malformed(py, "InvalidMove", &error)?.done(),
            Failure::PositionOf { index, error } => {
                malformed(py, "InvalidPosition", &error)?.with("index", index)?.done()
            }
            Failure::Code { index, code, game } => {
                let problem =
                    format!("row {index}: {code:#x} is not the code of a position of {game}");
                Exception::new(py, "InvalidPosition", &problem).with("index", index)?.done()
            }
            Failure::Value(ValueError::Probe(error)) | Failure::Solve(SolveError::Probe(error)) => {
                probe(py, &error)
            }
            Failure::Value(ValueError::Table(error)) | Failure::Solve(SolveError::Table(error)) => {
                table(py, &error)
            }
            Failure::Value(ValueError::Analyse(error)) => analyse(py, &error),
            Failure::Value(error) => Exception::new(py, "AnserError", &error.to_string()).done(),
            Failure::Solve(error) => {
                let class = match &error {
                    SolveError::Memory { .. } => "NotEnoughMemory",
                    SolveError::NoSuchLayer { .. }
                    | SolveError::NoEngine { .. }
                    | SolveError::Threads(_) => "InvalidArgument",
                    _ => "SolveError",
                };
                Exception::new(py, class, &error.to_string()).done()
            }
        }
    }
}

/// An exception under construction.
struct Exception<'py> {
    class: &'static str,
    message: String,
    attributes: Bound<'py, PyDict>,
}

impl<'py> Exception<'py> {
    fn new(py: Python<'py>, class: &'static str, message: &str) -> Exception<'py> {
        Exception { class, message: message.to_owned(), attributes: PyDict::new(py) }
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

fn malformed<'py>(
    py: Python<'py>,
    class: &'static str,
    error: &NotationError,
) -> PyResult<Exception<'py>> {
    Exception::new(py, class, &error.to_string())
        .with("column", error.column())?
        .with("example", error.example())
}

fn probe(py: Python<'_>, error: &ProbeError) -> PyResult<PyErr> {
    match error {
        ProbeError::MissingLayer(layer) => missing(py, layer),
        ProbeError::Table(error) => table(py, error),
    }
}

fn missing(py: Python<'_>, missing: &MissingLayer) -> PyResult<PyErr> {
    let searched: Vec<String> =
        missing.searched.iter().map(|place| place.display().to_string()).collect();
    let command = solve_command(missing);
    Exception::new(py, "MissingLayer", &format!("{missing}; `{command}` makes it"))
        .with("game", &missing.game)?
        .with("rules", &missing.rules)?
        .with("layer", missing.layer)?
        .with("metric", missing.metric.id())?
        .with("searched", searched)?
        .with("command", command)?
        .done()
}

/// The call that solves a missing layer and the layers that it depends on.
fn solve_command(missing: &MissingLayer) -> String {
    let MissingLayer { game, rules, layer, metric, first, .. } = missing;
    let metrics = match metric {
        Metric::Wdl => String::new(),
        Metric::Dtw => ", metrics=['dtw']".to_owned(),
    };
    format!(
        "anser.solve_to('tables', anser.Game('{game}', rules='{rules}'), layers=({first}, {layer}){metrics})"
    )
}

fn table(py: Python<'_>, error: &TableError) -> PyResult<PyErr> {
    let class = match error.class() {
        ErrorClass::Corrupt => "CorruptTable",
        ErrorClass::Missing | ErrorClass::Io | ErrorClass::Resources => "UnreadableTable",
    };
    Exception::new(py, class, &error.to_string())
        .with("path", error.path().display().to_string())?
        .done()
}

fn analyse(py: Python<'_>, error: &AnalyseError) -> PyResult<PyErr> {
    let class = match error {
        AnalyseError::Memory { .. } => "NotEnoughMemory",
        AnalyseError::Unknown { .. } | AnalyseError::Unsolved { .. } => "UnsolvedPosition",
        AnalyseError::NoLayer { .. } => "InvalidArgument",
        _ => "SolveError",
    };
    Exception::new(py, class, &error.to_string()).done()
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        Python::attach(|py| failure.exception(py).unwrap_or_else(|error| error))
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Failure {
        Failure::Python(error)
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        match error {
            FileError::Table(error) => Failure::Value(ValueError::Table(error)),
            FileError::Wrong { at, .. } => {
                Failure::Description { problem: error.to_string(), at: Some(at) }
            }
            _ => Failure::Description { problem: error.to_string(), at: None },
        }
    }
}

impl From<NameError> for Failure {
    fn from(error: NameError) -> Failure {
        Failure::Argument(error.to_string())
    }
}

impl From<ValueError> for Failure {
    fn from(error: ValueError) -> Failure {
        Failure::Value(error)
    }
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        Failure::Value(error.into())
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        Failure::Value(error.into())
    }
}

impl From<AnalyseError> for Failure {
    fn from(error: AnalyseError) -> Failure {
        Failure::Value(error.into())
    }
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Failure {
        Failure::Solve(error)
    }
}
