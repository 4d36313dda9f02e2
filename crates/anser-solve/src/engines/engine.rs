//! The interface between a run and its engines.

use std::path::Path;

use anser_core::hunt::HuntIndex;
use anser_core::{BySide, Dtw, Hunt, LayerIndex, Outcome, ProbeLayer, Side};
use anser_table::format::{ENTRIES_PER_PAIR, Header, Longest, get, outcome_of};
use anser_table::{Kind, Metric, Tablebase};

use super::measure::seconds_per_look;
use crate::checkpoint::Checkpoints;
use crate::io::codes::{LayerValues, fill, longest};
use crate::io::manifest::{GENERATOR, table_name};
use crate::io::raw_file::RawFile;
use crate::observer::{Event, RunObserver};
use crate::reports::Traffic;
use crate::run::metrics::Metrics;
use crate::{LayerOf, SolveError};

/// An algorithm that solves one layer.
///
/// Implemented by the engine for any hunt, and by those for the cross, rows, and sets of the many,
/// among others.
///
/// Engines differ only in speed and memory: the bytes of a table do not depend on the engine.
pub(crate) trait Engine: Send + Sync {
    /// Returns the name for reports and manifests.
    fn name(&self) -> &'static str;

    /// Returns whether the engine fills all of these metrics in one go; by default outcomes and
    /// distances.
    fn fills(&self, metrics: Metrics) -> bool {
        Metrics::from_iter([Metric::Wdl, Metric::Dtw]).contains_all(metrics)
    }

    /// Returns the needs of a layer that is solved for metrics which the engine [fills](Engine::fills).
    fn needs(&self, of: LayerOf<'_>, metrics: Metrics) -> Needs;

    /// Returns roughly the work on a layer, in units that the engine chooses. By default a unit is
    /// one class.
    fn effort(&self, of: LayerOf<'_>) -> Effort {
        Effort { alone: 0.0, shared: of.classes() as f64 }
    }

    /// Returns the most work on a layer, as a multiple of [`effort`](Engine::effort): it may depend
    /// on values that nobody knows yet. By default 1.
    fn most(&self, of: LayerOf<'_>) -> f64 {
        let _ = of;
        1.0
    }

    /// Measures the seconds that one thread of this machine takes for a unit, with a short test. By
    /// default the time to generate and rank the moves of one position.
    fn measure(&self, of: LayerOf<'_>) -> f64 {
        seconds_per_look(of)
    }

    /// Solves the layer for the metrics of the task.
    ///
    /// Runs in a pool of threads; parallel iterators of Rayon use it. Calls
    /// [`check_interrupt`](crate::check_interrupt) about once a second, and reports progress by
    /// [`Task::begin`] and [`Task::advance`].
    ///
    /// # Errors
    /// [`SolveError::Interrupted`] if the run is to stop, and every error that prevents solving the
    /// layer.
    fn solve(&self, task: &Task<'_>) -> Result<Filled, SolveError>;
}

/// Needs of a layer.
#[derive(Default)]
pub(crate) struct Needs {
    /// The most memory in bytes: the values of the layer, and what is read of lower layers.
    pub(crate) memory: u64,
    /// The needs with as much as possible in scratch files. `None` if the engine writes none.
    pub(crate) spilled: Option<Spilled>,
    /// Roughly the most disk space in bytes of a checkpoint; 0 if the engine writes none. One is
    /// written beside the one before, and later the tables are.
    pub(crate) checkpoint: u64,
    /// The most that processes send each other while they solve the layer together. `None` for one
    /// process.
    pub(crate) traffic: Option<Traffic>,
}

/// The work on a layer, in units of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Effort {
    /// Units that one thread does alone.
    pub(crate) alone: f64,
    /// Units that the threads share.
    pub(crate) shared: f64,
}

impl Effort {
    /// Returns the units that pass one after the other with `threads` threads.
    pub(crate) fn with(self, threads: usize) -> f64 {
        self.alone + self.shared / threads.max(1) as f64
    }
}

/// Needs of a layer that is solved with scratch files, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spilled {
    /// The least memory. The system keeps as much of the files in memory as there is space for.
    pub(crate) memory: u64,
    /// The most disk space of the scratch files.
    pub(crate) scratch: u64,
}

/// A solved layer: a raw table for each metric of the task, which lacks its header only, in the
/// order of the metrics.
#[derive(Debug)]
pub(crate) struct Filled {
    pub(crate) tables: Vec<RawFile>,
    /// The number of rounds, as the engine counts them.
    pub(crate) rounds: u64,
}

impl Filled {
    /// Writes the tables of values in memory.
    ///
    /// `codes` has the [code](anser_core::Dtw::code) of the value of every entry, by side to move
    /// and rank. If the task does not request distances, only the outcomes of the codes count.
    ///
    /// # Errors
    /// [`SolveError::WrongLength`] if there is not one value per entry, and errors of writing.
    pub(crate) fn of_codes(
        task: &Task<'_>,
        engine: &'static str,
        codes: &BySide<Vec<u16>>,
        rounds: u64,
    ) -> Result<Filled, SolveError> {
        let codes = codes.as_ref().map(Vec::as_slice);
        let longest = |codes: &[u16], side| longest(task.index, side, codes);
        Filled::of_values(task, engine, codes, &|&code: &u16, _| code, longest, rounds)
    }

    /// Writes the tables of values in memory, whose codes `code` returns; `longest` returns the
    /// longest win of each side among those with one side to move.
    ///
    /// # Errors
    /// As [`Filled::of_codes`].
    pub(crate) fn of_values<T: Clone, V: LayerValues<T> + ?Sized>(
        task: &Task<'_>,
        engine: &'static str,
        values: BySide<&V>,
        code: &(impl Fn(&T, Side) -> u16 + Sync),
        longest: impl Fn(&V, Side) -> BySide<Option<u16>>,
        rounds: u64,
    ) -> Result<Filled, SolveError> {
        let expected = BySide::from_fn(|side| task.index.len(side));
        let found = values.map(|values| values.len() as u64);
        if found != expected {
            return Err(SolveError::WrongLength { engine, layer: task.layer, found, expected });
        }
        let table = |metric: Metric| {
            Ok::<_, SolveError>(match metric {
                Metric::Wdl => {
                    let table = task.outcomes()?;
                    fill::<Outcome, T>(&table, values, code)?;
                    table
                }
                Metric::Dtw => {
                    let longest = BySide::from_fn(|side| longest(values[side], side));
                    let table = task.distances(longest)?;
                    // Entries that are no position have values without a meaning, also larger
                    // ones than the table can store.
                    let largest = table.largest_code();
                    let code = |value: &T, side| match code(value, side) {
                        code if code <= largest => code,
                        _ => 0,
                    };
                    fill::<Dtw, T>(&table, values, &code)?;
                    table
                }
            })
        };
        Ok(Filled { tables: task.metrics.iter().map(table).collect::<Result<_, _>>()?, rounds })
    }

    /// Returns a layer whose distances are in a raw table. Writes the outcomes that follow from
    /// them if the task requests outcomes.
    pub(crate) fn of_distances(
        task: &Task<'_>,
        distances: RawFile,
        rounds: u64,
    ) -> Result<Filled, SolveError> {
        let mut tables = Vec::new();
        if task.metrics.contains(Metric::Wdl) {
            let outcomes = task.outcomes()?;
            outcomes.fill_outcomes(&distances);
            tables.push(outcomes);
        }
        tables.push(distances);
        Ok(Filled { tables, rounds })
    }
}

/// One layer to be solved.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) game: &'a Hunt,
    pub(crate) layer: u16,
    pub(crate) index: &'a HuntIndex,
    pub(crate) metrics: Metrics,
    pub(crate) lower: &'a dyn Lower,
    /// The directory of the tables.
    pub(crate) dir: &'a Path,
    /// The checkpoints of the layer.
    pub(crate) checkpoints: &'a Checkpoints<'a>,
    /// The memory that may be used, in bytes; `None` if there is no limit.
    pub(crate) memory: Option<u64>,
    /// The directory of scratch files; `None` if everything fits into memory.
    pub(crate) scratch: Option<&'a Path>,
    pub(crate) observer: &'a dyn RunObserver,
}

/// The tables of lower layers.
///
/// Implemented by the run: engines do not know in which directory, or under which names, tables
/// are.
pub(crate) trait Lower: Sync {
    /// Maps the tables of the layers that moves lead to. They hold every metric of the task.
    fn open(&self) -> Result<Tablebase, SolveError>;
    /// Unmaps the tables, and reports the memory before and after.
    fn release(&self, tables: Tablebase);
}

impl<'a> Task<'a> {
    /// Returns the layer.
    pub(crate) fn of(&self) -> LayerOf<'a> {
        LayerOf { game: self.game, layer: self.layer, index: self.index }
    }

    /// Returns the task with scratch files if a layer that was planned with less needs them.
    ///
    /// # Errors
    /// [`SolveError::Memory`] if scratch files do not suffice.
    pub(crate) fn with_needs(&self, needs: Spilled) -> Result<Task<'a>, SolveError> {
        let Spilled { memory: needed, scratch } = needs;
        let exceeds = |bytes: u64| self.memory.filter(|&budget| budget < bytes);
        if let Some(budget) = exceeds(needed) {
            return Err(SolveError::Memory { layer: self.layer, needed, budget });
        }
        if self.scratch.is_some() || exceeds(needed + scratch).is_none() {
            return Ok(*self);
        }
        self.observer.event(&Event::Spilled { layer: self.layer, bytes: scratch });
        Ok(Task { scratch: Some(self.dir), ..*self })
    }

    /// Reports that a piece of work of `units` units begins.
    pub(crate) fn begin(&self, what: impl AsRef<str>, units: u64) {
        self.observer.begin(what.as_ref(), units);
    }

    /// Reports that `units` units of the current piece of work are done.
    pub(crate) fn advance(&self, units: u64) {
        self.observer.advance(units);
    }

    /// Returns the error for a win that takes more plies than a table can hold.
    pub(crate) fn too_long(&self) -> SolveError {
        SolveError::TooLong { layer: self.layer }
    }

    /// Creates the raw table of outcomes.
    ///
    /// # Errors
    /// A layer that does not fit into a table, and errors of the file.
    pub(crate) fn outcomes(&self) -> Result<RawFile, SolveError> {
        self.create(None)
    }

    /// Creates the raw table of distances; `longest` is the longest win by side to move and winner.
    ///
    /// # Errors
    /// A layer that does not fit into a table, and errors of the file.
    pub(crate) fn distances(&self, longest: Longest) -> Result<RawFile, SolveError> {
        self.create(Some(longest))
    }

    fn create(&self, longest: Option<Longest>) -> Result<RawFile, SolveError> {
        let Task { game, layer, index, dir, .. } = *self;
        let header = Header::new_raw(game, layer, index, longest, GENERATOR)
            .map_err(|defect| SolveError::Header { layer, defect })?;
        let name = table_name(game, layer, header.metric(), Kind::Raw).to_string();
        RawFile::create(&dir.join(name), header, game.description_text())
    }
}

/// Reads the codes of a layer with a side to move, from rank `first` on, a multiple of 64. In
/// tables of outcomes a win counts as one in 0 plies: distances are wrong then, outcomes are not.
pub(super) fn read_codes(
    tables: &Tablebase,
    metric: Metric,
    (layer, side): (u16, Side),
    first: u64,
    codes: &mut [u16],
) -> Result<(), SolveError> {
    match metric {
        Metric::Dtw => tables.read_distances(layer, side, first, codes)?,
        Metric::Wdl => {
            let mut pairs = vec![[0; 2]; codes.len().div_ceil(ENTRIES_PER_PAIR as usize)];
            tables.read_outcomes(layer, side, first, &mut pairs)?;
            for (entry, code) in (0..).zip(codes) {
                // No pair of outcomes that was read has two winners.
                let outcome = outcome_of(get(pairs.as_flattened(), entry)).unwrap_or(Outcome::Draw);
                *code = Dtw::ended(outcome).code();
            }
        }
    }
    Ok(())
}
