//! Tables.

use std::ffi::CString;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use anser_games::{SearchPath, Values};
use anser_table::{Access, Mapping, PositionedReads, Tablebase};
use pyo3::exceptions::{PyRuntimeWarning, PyTypeError};
use pyo3::prelude::*;

use crate::errors::{Answer, Failure};
use crate::game::{PyGame, registry};
use crate::values::PyValues;

type AnyAccess = Box<dyn Access + Send + Sync>;

/// The directories of an argument: a path, or a sequence of paths.
fn directories_of(given: Option<&Bound<'_, PyAny>>) -> Answer<Vec<PathBuf>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    if let Ok(directory) = given.extract() {
        return Ok(vec![directory]);
    }
    given.extract().map_err(|_| {
        let given = given.get_type().name().map(|name| name.to_string()).unwrap_or_default();
        PyTypeError::new_err(format!("directories are a path or a sequence of paths, not {given}"))
            .into()
    })
}

/// Opens the tables of a game.
///
/// `directories`, one or several, are searched in order, and shipped tables (Fox-and-Geese with up
/// to 7 geese) answer where no directory has one, unless `shipped` is False. With `access="read"`
/// each probe reads the file; with `access="map"` files are mapped into memory, which is faster,
/// and no other program may write into them meanwhile.
///
/// Tables of outcomes (wdl) and of distances (dtw), raw and packed, are found by their names. A
/// file that cannot be used is skipped; `Tables.problems` lists it. If no other file has its
/// values, that is a RuntimeWarning, and probes of its layer raise its error if no file has the
/// layer.
///
/// Raises UnreadableTable if a directory cannot be read, InvalidArgument for another access.
#[pyfunction]
#[pyo3(signature = (game, directories=None, access="read", shipped=true))]
pub(crate) fn open_tables(
    py: Python<'_>,
    game: &Bound<'_, PyGame>,
    directories: Option<&Bound<'_, PyAny>>,
    access: &str,
    shipped: bool,
) -> Answer<Py<PyTables>> {
    let is_mapped = access == "map";
    let access: AnyAccess = match access {
        "read" => Box::new(PositionedReads),
        // SAFETY: this function documents that nobody may change the files while they are mapped,
        // and answers count only after the files were found unchanged. Anser itself never writes
        // into a file with the name of a table.
        "map" => Box::new(unsafe { Mapping::new() }),
        other => {
            let problem = format!("access is \"read\" or \"map\", not {other:?}");
            return Err(Failure::argument(problem));
        }
    };
    let game = game.get().game.clone();
    let directories = directories_of(directories)?;
    let path = SearchPath { directories, embedded: shipped };
    let values = py.detach(|| path.open(registry(), &game, &*access))?;
    warn_of_lost(py, &values)?;
    let base = PyValues::new(game, Values::Tables(values.into()), is_mapped);
    let tables = PyTables { path: Mutex::new(path), access };
    Ok(Py::new(py, PyClassInitializer::from(base).add_subclass(tables))?)
}

/// Warns of files that cannot be used, and whose values no other file has.
fn warn_of_lost(py: Python<'_>, tables: &Tablebase) -> PyResult<()> {
    let mut lost = tables.game().layers().flat_map(|layer| tables.lost(layer));
    lost.try_for_each(|(_, error)| {
        let text = CString::new(error.to_string().replace('\0', " "))?;
        PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &text, 1)
    })
}

/// The tables of a game; `open_tables` opens them. A context manager that closes them.
///
/// Any number of threads may use one object at the same time.
#[pyclass(frozen, extends = PyValues, name = "Tables", module = "anser")]
pub(crate) struct PyTables {
    path: Mutex<SearchPath>,
    access: AnyAccess,
}

impl PyTables {
    fn base<'a>(slf: &'a Bound<'_, Self>) -> &'a PyValues {
        slf.as_super().get()
    }

    fn with_tables<T>(slf: &Bound<'_, Self>, ask: impl FnOnce(&Tablebase) -> T) -> Answer<T> {
        let values = PyTables::base(slf).values()?;
        values.tables().map(ask).ok_or_else(Failure::closed)
    }
}

#[pymethods]
impl PyTables {
    /// Adds a directory that is searched after the others, and opens all tables again. Calls that
    /// are under way in other threads end with the tables that they began with.
    ///
    /// Raises UnreadableTable if a directory cannot be read; then nothing changes.
    fn add_directory(slf: &Bound<'_, Self>, directory: PathBuf) -> Answer<()> {
        let (this, base, py) = (slf.get(), PyTables::base(slf), slf.py());
        base.values()?;
        py.detach(|| {
            let mut path = this.path.lock().unwrap_or_else(PoisonError::into_inner);
            let mut longer = path.clone();
            longer.directories.push(directory);
            let tables = longer.open(registry(), &base.game, &*this.access)?;
            Python::attach(|py| warn_of_lost(py, &tables))?;
            base.replace(Some(Values::Tables(tables.into())));
            *path = longer;
            Ok(())
        })
    }

    /// The places that are searched, in order.
    #[getter]
    fn directories(&self) -> Vec<String> {
        self.path.lock().unwrap_or_else(PoisonError::into_inner).names()
    }

    /// The layers that have a table, lowest first.
    #[getter]
    fn layers(slf: &Bound<'_, Self>) -> Answer<Vec<u16>> {
        PyTables::with_tables(slf, |tables| tables.layers().collect())
    }

    /// The layers that have a table of distances, lowest first.
    #[getter]
    fn layers_with_distances(slf: &Bound<'_, Self>) -> Answer<Vec<u16>> {
        PyTables::with_tables(slf, |tables| tables.layers_with_distances().collect())
    }

    /// The layers without a table, lowest first.
    #[getter]
    fn missing_layers(slf: &Bound<'_, Self>) -> Answer<Vec<u16>> {
        PyTables::with_tables(slf, |tables| tables.missing_layers().collect())
    }

    /// The problems of files that have the name of a table of the game and cannot be used.
    #[getter]
    fn problems(slf: &Bound<'_, Self>) -> Answer<Vec<String>> {
        let texts = |tables: &Tablebase| tables.rejected().map(ToString::to_string).collect();
        PyTables::with_tables(slf, texts)
    }

    /// Closes the tables. Later calls raise InvalidArgument; calls that are under way end.
    fn close(slf: &Bound<'_, Self>) {
        PyTables::base(slf).replace(None);
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __exit__(
        slf: &Bound<'_, Self>,
        _kind: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) {
        PyTables::close(slf);
    }

    fn __repr__(slf: &Bound<'_, Self>) -> String {
        let game = &PyTables::base(slf).game;
        let layers = PyTables::with_tables(slf, |tables| tables.layers().count());
        let there = layers.map_or_else(
            |_| "closed".to_owned(),
            |count| format!("{count} of {} layers", game.layers().count()),
        );
        format!("Tables({}, rules {}, {there})", game.name(), game.rules_id())
    }
}
