//! Solving, in memory and into directories.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use anser_games::Values;
use anser_retrograde::{Limits, Solution};
use anser_solve::{Metrics, PACK_LEVEL, SolveOptions, available_memory};
use anser_table::Metric;
use pyo3::prelude::*;
use pyo3::types::PyRange;

use crate::errors::{Answer, Failure};
use crate::game::PyGame;
use crate::position::position_of;
use crate::values::PyValues;
use crate::work::{self, Run};

/// A solution in memory, with the exact value of every solved position; `solve` makes it. Its
/// length is the number of solved positions.
#[pyclass(frozen, extends = PyValues, name = "Solution", module = "anser")]
pub(crate) struct PySolution {
    positions: u64,
}

#[pymethods]
impl PySolution {
    fn __len__(&self) -> usize {
        self.positions as usize
    }

    fn __repr__(slf: &Bound<'_, Self>) -> String {
        let game = &slf.as_super().get().game;
        let positions = slf.get().positions;
        format!("Solution({}, rules {}, {positions} positions)", game.name(), game.rules_id())
    }
}

/// Solves a small game in memory: all positions of all layers, or with `root` those that play from
/// it can reach.
///
/// `memory` is the limit in bytes, four fifths of the available memory by default. `progress` is
/// called about 20 times per second with the current piece of work (str), its finished units and
/// all of its units. Ctrl-C, or an exception of `progress`, ends the work.
///
/// Raises NotEnoughMemory, InvalidPosition, SolveError.
#[pyfunction]
#[pyo3(signature = (game, root=None, *, memory=None, progress=None))]
pub(crate) fn solve(
    py: Python<'_>,
    game: &Bound<'_, PyGame>,
    root: Option<&Bound<'_, PyAny>>,
    memory: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> Answer<Py<PySolution>> {
    let game = game.get().game.clone();
    let root = root.map(|root| position_of(&game, root)).transpose()?;
    let default = || available_memory().map_or(u64::MAX, |bytes| bytes / 5 * 4);
    let memory = memory.unwrap_or_else(default);
    let solution = work::run(py, progress.as_ref(), |watch| {
        let limits = Limits { memory, observer: watch };
        match &root {
            Some(root) => Solution::reachable_within(&game, root, &limits),
            None => Solution::of_layers(&game, game.layers(), &limits),
        }
    })??;
    let positions = solution.len();
    let base = PyValues::new(game, Values::Solution(solution.into()), false);
    Ok(Py::new(py, PyClassInitializer::from(base).add_subclass(PySolution { positions }))?)
}

/// Layers as they are given: a range, or the first and the last.
#[derive(FromPyObject)]
pub(crate) enum LayersArg<'py> {
    Range(Bound<'py, PyRange>),
    Pair(u16, u16),
}

impl LayersArg<'_> {
    fn layers(&self) -> Answer<RangeInclusive<u16>> {
        match self {
            LayersArg::Pair(first, last) if first > last => Err(Failure::argument(format!(
                "layers are the first and the last one, not {first} and {last}"
            ))),
            LayersArg::Pair(first, last) => Ok(*first..=*last),
            LayersArg::Range(range) => {
                let (start, stop, step): (i64, i64, i64) = (
                    range.getattr("start")?.extract()?,
                    range.getattr("stop")?.extract()?,
                    range.getattr("step")?.extract()?,
                );
                let bound = |layer: i64| u16::try_from(layer).ok();
                match (step, bound(start), bound(stop - 1)) {
                    (1, Some(first), Some(last)) if first <= last => Ok(first..=last),
                    _ => Err(Failure::argument("layers are a range of step 1 that is not empty")),
                }
            }
        }
    }
}

/// Solves layers of a game into raw tables in a directory, and resumes an earlier run.
///
/// `layers` is a range, or the first and the last layer; by default all layers. Layers that have a
/// table are kept. `metrics` has "wdl" for outcomes, "dtw" for distances, or both. With `packed` each
/// layer is packed once it is solved, and raw tables are removed once no later layer needs them.
/// `threads` and `memory` (bytes) limit the run; more than 256 threads, or four per core, count as
/// those. `progress` is called about 20 times per second with the current layer (`layer 5`), its
/// decided classes, and all of its classes.
///
/// Ctrl-C, or an exception of `progress`, writes a checkpoint and ends the run; the same call
/// resumes it. Returns the layers that were solved in this run.
///
/// Raises InvalidArgument for layers and metrics that do not exist, and without a thread,
/// NotEnoughMemory, SolveError, CorruptTable, UnreadableTable.
#[pyfunction]
#[pyo3(signature = (
    directory, game, *, layers=None, metrics=vec!["wdl".to_owned()], packed=false, threads=None,
    memory=None, progress=None
))]
#[allow(clippy::too_many_arguments)] // They have names in Python.
pub(crate) fn solve_to(
    py: Python<'_>,
    directory: PathBuf,
    game: &Bound<'_, PyGame>,
    layers: Option<LayersArg<'_>>,
    metrics: Vec<String>,
    packed: bool,
    threads: Option<usize>,
    memory: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> Answer<Vec<u16>> {
    let game = game.get().game.clone();
    if metrics.is_empty() {
        return Err(Failure::argument("metrics has wdl, dtw, or both"));
    }
    if threads == Some(0) {
        return Err(Failure::argument("a run has one thread or more"));
    }
    let options = SolveOptions {
        layers: layers.map(|layers| layers.layers()).transpose()?,
        metrics: metrics.iter().map(|name| metric(name)).collect::<Answer<Metrics>>()?,
        packed: packed.then_some(PACK_LEVEL),
        threads,
        memory,
        ..SolveOptions::new(directory)
    };
    let solved = work::run(py, progress.as_ref(), |watch| {
        anser_solve::solve(&game, &options, &Run(watch))
    })??;
    let mut layers: Vec<u16> = solved.finished.iter().map(|report| report.layer).collect();
    layers.sort_unstable();
    layers.dedup();
    Ok(layers)
}

/// The metric of a name.
fn metric(name: &str) -> Answer<Metric> {
    let found = Metric::ALL.into_iter().find(|metric| metric.id() == name);
    found.ok_or_else(|| {
        let ids = Metric::ALL.map(Metric::id).join(", ");
        Failure::argument(format!("no metric is called {name:?}; the metrics are {ids}"))
    })
}
