//! Python module `anser._anser`: games, positions, tables, and solutions, over `anser-games`.
//!
//! The package `anser` is in the directory `python`. It adds the exceptions, and the modules that
//! need other packages.

// Documentation of items is shown in Python, where names have no backquotes.
#![allow(clippy::doc_markdown)]
// Functions of Python own their arguments.
#![allow(clippy::needless_pass_by_value)]

mod arrays;
mod errors;
mod game;
mod position;
mod solve;
mod state;
mod svg;
mod tables;
mod values;
mod work;

/// Games, positions, tables, and solutions. The package `anser` exports everything of this module.
#[pyo3::pymodule]
mod _anser {
    #[pymodule_export]
    use crate::game::{PyGame, games, rule_sets};
    #[pymodule_export]
    use crate::position::PyPosition;
    #[pymodule_export]
    use crate::solve::{PySolution, solve, solve_to};
    #[pymodule_export]
    use crate::state::{PyPlayer, PyState};
    #[pymodule_export]
    use crate::tables::{PyTables, open_tables};
    #[pymodule_export]
    use crate::values::{PyLayerChunk, PyLayerChunks, PyLine, PyRatedMove, PyValue, PyValues};

    /// Outcome in arrays of a position that nobody can force to win.
    #[pymodule_export]
    const DRAW: i8 = crate::arrays::DRAW;
    /// Outcome in arrays of a position that the first side wins.
    #[pymodule_export]
    const FIRST: i8 = crate::arrays::FIRST;
    /// Outcome in arrays of a position that the second side wins.
    #[pymodule_export]
    const SECOND: i8 = crate::arrays::SECOND;
    /// Outcome in arrays of a position whose layer has no table.
    #[pymodule_export]
    const UNKNOWN: i8 = crate::arrays::UNKNOWN;
    /// Plies in arrays where there is no distance.
    #[pymodule_export]
    const NO_PLIES: i16 = crate::arrays::NO_PLIES;
    /// Version of the package.
    #[pymodule_export]
    #[allow(non_upper_case_globals)] // Its name in Python.
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
