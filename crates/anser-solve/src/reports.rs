//! Reports of runs: plain data, for programs and people.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anser_table::Metric;
use anser_table::format::Counts;
use anser_table::manifest::RunInfo;

use crate::SolveError;
use crate::run::metrics::Metrics;

/// Estimate of what a run needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The passes, one over each layer, in order.
    pub passes: Vec<PlannedPass>,
    /// The feature of the game that the faster engines do not support, so that the general ones
    /// solve it: "chains of jumps".
    pub general_because: Option<&'static str>,
    /// The layers with tables to be packed, in ascending order; empty unless
    /// [`SolveOptions::packed`](crate::SolveOptions::packed) is set.
    pub packed: Vec<u16>,
    /// The classes of the layers, both sides to move together.
    pub classes: u64,
    /// Rough time, with the threads of the run.
    pub time: Duration,
    /// Rough time if most positions are won or lost after many plies. More than `time` only for
    /// engines whose work depends on that.
    pub most_time: Duration,
    /// The most memory that a pass needs, in bytes, and its layer. In a cluster each rank needs as
    /// much.
    pub memory: (u64, u16),
    /// What the ranks of a cluster send each other; `None` for one process.
    pub traffic: Option<Traffic>,
    /// The memory that may be used, in bytes; `None` if there is no limit and the system does not
    /// report any.
    pub memory_budget: Option<u64>,
    /// The most disk space that the scratch files of a pass take, in bytes.
    pub scratch: u64,
    /// The disk space that the run takes beyond what is taken already, in bytes, scratch files
    /// included.
    pub disk: u64,
    /// The free disk space in bytes; `None` if the system does not report it.
    pub disk_free: Option<u64>,
}

/// What the ranks of a cluster send each other, all together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// The number of ranks.
    pub ranks: usize,
    /// Bytes that are sent.
    pub bytes: u64,
}

/// One pass of an engine over a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedPass {
    /// The layer.
    pub layer: u16,
    /// The metrics that the pass fills.
    pub metrics: Metrics,
    /// The number of classes of the layer, both sides to move together.
    pub classes: u64,
    /// The name of the engine.
    pub engine: &'static str,
    /// Whether part of the working space is in scratch files, because memory is short.
    pub spilled: bool,
}

impl Estimate {
    /// Returns the layers to be solved.
    pub fn layers(&self) -> Vec<u16> {
        self.passes.iter().map(|pass| pass.layer).collect()
    }

    /// Returns the names of the engines, each with the number of passes in a row.
    pub fn engines(&self) -> Vec<(&'static str, usize)> {
        let runs = self.passes.chunk_by(|a, b| a.engine == b.engine);
        runs.map(|passes| (passes[0].engine, passes.len())).collect()
    }

    /// Returns the layers that take more memory than may be used, and are solved with scratch
    /// files.
    pub fn spilled(&self) -> Vec<u16> {
        self.passes.iter().filter(|pass| pass.spilled).map(|pass| pass.layer).collect()
    }

    /// Fails if the memory, or the disk that holds `dir`, does not suffice.
    ///
    /// # Errors
    /// [`SolveError::Memory`] and [`SolveError::Disk`].
    pub fn check(&self, dir: &Path) -> Result<(), SolveError> {
        let (needed, layer) = self.memory;
        if let Some(budget) = self.memory_budget.filter(|&budget| budget < needed) {
            return Err(SolveError::Memory { layer, needed, budget });
        }
        if let Some(free) = self.disk_free.filter(|&free| free < self.disk) {
            let (path, packed) = (dir.to_owned(), !self.packed.is_empty());
            return Err(SolveError::Disk { path, needed: self.disk, free, packed });
        }
        Ok(())
    }
}

/// Report of a finished table.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerReport {
    /// The layer.
    pub layer: u16,
    /// The metric.
    pub metric: Metric,
    /// Number of classes, both sides to move together.
    pub classes: u64,
    /// Positions by side to move and outcome; symmetric ones are counted separately.
    pub counts: Counts,
    /// The length of the file in bytes.
    pub bytes: u64,
    /// Engine, rounds, time, and threads.
    pub run: RunInfo,
}

/// Result of packing or unpacking a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Packed {
    /// The layer.
    pub layer: u16,
    /// The metric of the values.
    pub metric: Metric,
    /// The file.
    pub path: PathBuf,
    /// Size of the raw table of the layer in bytes.
    pub raw_bytes: u64,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Whether the file existed and was kept.
    pub kept: bool,
    /// The time that it took, in seconds.
    pub seconds: f64,
}
