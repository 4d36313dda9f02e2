//! The interface between a run and its engines.

use std::path::Path;

use anser_core::hunt::HuntIndex;
use anser_core::{BySide, Hunt, LayerIndex, Side};
use anser_table::Tablebase;

use super::measure::seconds_per_look;
use crate::SolveError;
use crate::checkpoint::progress::Progress;
use crate::checkpoint::snapshot::Snapshots;
use crate::checkpoint::work_file::WorkFile;
use crate::io::raw_file::RawFile;
use crate::observer::RunObserver;
use crate::run::metrics::Metrics;

/// An algorithm that solves one layer.
///
/// Engines differ only in speed and memory: the bytes of a table do not depend on the engine.
pub(crate) trait Engine: Send + Sync {
    /// Returns the name for reports and manifests.
    fn name(&self) -> &'static str;

    /// Returns whether the engine fills all of these metrics in one go.
    fn fills(&self, metrics: Metrics) -> bool;

    /// Returns the memory in bytes that solving a layer takes at most: its values, and what is read
    /// of lower layers.
    fn memory(&self, game: &Hunt, layer: u16, index: &HuntIndex) -> u64;

    /// Returns the needs of a layer that keeps as much as possible in scratch files. `None` if the
    /// engine writes no scratch files.
    fn spilled(&self, game: &Hunt, layer: u16, index: &HuntIndex) -> Option<Spilled> {
        let _ = (game, layer, index);
        None
    }

    /// Returns the parts of the engine's checkpoints. `None` if the engine works in memory and
    /// writes no checkpoints.
    fn sections(&self, index: &HuntIndex) -> Option<Sections> {
        let _ = index;
        None
    }

    /// Returns the name of the layout of the engine's [snapshots](Snapshots), which changes
    /// with everything that they depend on. `None` if the engine writes none.
    fn snapshot_layout(&self, index: &HuntIndex) -> Option<String> {
        let _ = index;
        None
    }

    /// Returns the maximum length of a snapshot in bytes.
    fn snapshot_len(&self, game: &Hunt, layer: u16, index: &HuntIndex) -> u64 {
        let _ = (game, layer, index);
        0
    }

    /// Returns roughly the work on a layer, in units that the engine chooses. By default a unit is
    /// one class.
    fn effort(&self, game: &Hunt, layer: u16, index: &HuntIndex) -> Effort {
        let _ = (game, layer);
        Effort {
            alone: 0.0,
            shared: Side::BOTH.iter().map(|&side| index.len(side)).sum::<u64>() as f64,
        }
    }

    /// Measures the seconds that one thread of this machine takes for a unit, with a short test. By
    /// default the time to generate and rank the moves of one position.
    fn measure(&self, game: &Hunt, layer: u16, index: &HuntIndex) -> f64 {
        seconds_per_look(game, layer, index)
    }

    /// Solves the layer for the metrics of the task.
    ///
    /// Runs in a pool of threads; parallel iterators of Rayon use it. Calls
    /// [`Task::check_interrupt`] about once a second, and reports progress by [`Task::begin`] and
    /// [`Task::advance`].
    ///
    /// # Errors
    /// [`SolveError::Interrupted`] if the run is to stop, and every error that prevents solving the
    /// layer.
    fn solve(&self, task: &Task<'_>) -> Result<Filled, SolveError>;
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

/// The lengths of an engine's sections of a checkpoint, beside the outcomes, in bytes; multiples of
/// 8.
#[derive(Clone, Debug)]
pub(crate) struct Sections(pub(crate) Vec<u64>);

/// The values of a layer that an engine solved.
#[derive(Debug)]
pub(crate) struct Filled {
    pub(crate) values: FilledValues,
    /// The number of rounds, as the engine counts them.
    pub(crate) rounds: u64,
}

/// Where the values of a solved layer are.
#[derive(Debug)]
pub(crate) enum FilledValues {
    /// In memory, by side to move and rank: codes of [`Dtw`](anser_core::Dtw).
    Codes(BySide<Vec<u16>>),
    /// The distances are in a raw table that lacks its header only.
    Distances(Box<RawFile>),
    /// The outcomes are in the newest checkpoint; distances were not requested.
    Checkpoint,
}

impl Filled {
    /// Returns a layer whose values are in memory.
    ///
    /// `codes` has the [code](anser_core::Dtw::code) of the value of every entry, by side to move
    /// and rank. If the task does not request distances, only the outcomes of the codes count.
    /// `rounds` is the number of rounds, for reports.
    pub(crate) fn new(codes: BySide<Vec<u16>>, rounds: u64) -> Filled {
        Filled { values: FilledValues::Codes(codes), rounds }
    }

    /// Returns a layer whose outcomes are in the newest checkpoint.
    pub(crate) fn in_checkpoint(rounds: u64) -> Filled {
        Filled { values: FilledValues::Checkpoint, rounds }
    }

    /// Returns a layer whose distances are in a raw table.
    pub(crate) fn in_table(distances: RawFile, rounds: u64) -> Filled {
        Filled { values: FilledValues::Distances(Box::new(distances)), rounds }
    }
}

/// One layer to be solved.
pub(crate) struct Task<'a> {
    pub(crate) game: &'a Hunt,
    pub(crate) layer: u16,
    pub(crate) index: &'a HuntIndex,
    pub(crate) metrics: Metrics,
    /// The unfinished table, for an engine that writes checkpoints.
    pub(crate) work: Option<&'a WorkFile>,
    pub(crate) lower: &'a dyn Lower,
    /// The directory of the tables.
    pub(crate) dir: &'a Path,
    /// The checkpoints of an engine that keeps its state in memory.
    pub(crate) snapshots: Option<&'a Snapshots<'a>>,
    /// The directory of scratch files; `None` if everything fits into memory.
    pub(crate) scratch: Option<&'a Path>,
    pub(crate) observer: &'a dyn RunObserver,
}

/// The tables of lower layers.
pub(crate) trait Lower: Sync {
    /// Maps the tables.
    fn open(&self) -> Result<Tablebase, SolveError>;
    /// Unmaps the tables, and reports the memory before and after.
    fn release(&self, tables: Tablebase);
}

impl<'a> Task<'a> {
    /// Opens the tables of the layers that moves lead to. They hold every metric of the task.
    ///
    /// # Errors
    /// A directory that cannot be read.
    pub(crate) fn open_lower(&self) -> Result<Tablebase, SolveError> {
        self.lower.open()
    }

    /// Closes the tables of lower layers, and reports how much memory that freed.
    pub(crate) fn release_lower(&self, tables: Tablebase) {
        self.lower.release(tables);
    }

    /// Fails if the run is to stop.
    ///
    /// # Errors
    /// [`SolveError::Interrupted`].
    pub(crate) fn check_interrupt(&self) -> Result<(), SolveError> {
        if self.observer.interrupted() { Err(SolveError::Interrupted) } else { Ok(()) }
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

    /// Returns the unfinished table.
    ///
    /// # Panics
    /// If the engine declared no [sections](Engine::sections).
    pub(crate) fn work(&self) -> &'a WorkFile {
        self.work.expect("an engine that writes checkpoints declares their sections")
    }

    /// Returns the progress of the work in memory.
    pub(crate) fn progress(&self) -> &'a Progress {
        self.work().progress()
    }
}
