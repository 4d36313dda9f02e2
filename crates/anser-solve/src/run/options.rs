//! Options of a run.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use anser_core::Hunt;
use anser_table::{Metric, ProbeError, Tablebase};

use super::metrics::Metrics;
use crate::SolveError;

/// Options of a run.
#[derive(Clone, Debug)]
pub struct SolveOptions {
    /// Directory of the tables.
    pub dir: PathBuf,
    /// The layers; `None` for all.
    pub layers: Option<RangeInclusive<u16>>,
    /// The number of threads; `None` for [one per core](crate::threads_of).
    pub threads: Option<usize>,
    /// Memory limit in bytes; `None` for four fifths of the available memory. An engine may keep
    /// what exceeds the limit in scratch files in `dir`. The system decides how much of these files
    /// is in memory, which counts as resident.
    pub memory: Option<u64>,
    /// The choice of engines.
    pub engine: EngineChoice,
    /// Least time between two checkpoints of a layer. It is longer if writing one takes long.
    pub checkpoint_every: Duration,
    /// The metrics to compute. Each has its own tables, and needs the lower tables of the same
    /// metric.
    pub metrics: Metrics,
    /// The zstd level, 1 to 22, with which each layer is packed once it is solved, as
    /// [`pack`](crate::pack) would; its raw tables are removed as soon as no later layer of the run
    /// depends on them. Existing raw tables of the layers are packed and removed too, packed ones
    /// of any level are kept, and lower tables of distances that exist both raw and packed lose the
    /// raw file. `None` for raw tables.
    pub packed: Option<i32>,
}

/// Choice of engines. The bytes of the tables do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineChoice {
    /// The fastest engine of the game that fits the memory limit.
    #[default]
    Best,
    /// The general engine, which uses the rules alone, to check the others.
    General,
}

impl SolveOptions {
    /// Returns options that solve the outcomes of all layers into `dir`, with all cores.
    pub fn new(dir: impl Into<PathBuf>) -> SolveOptions {
        SolveOptions {
            dir: dir.into(),
            layers: None,
            threads: None,
            memory: None,
            engine: EngineChoice::Best,
            metrics: Metric::Wdl.into(),
            checkpoint_every: Duration::from_mins(1),
            packed: None,
        }
    }
}

/// Returns the requested layers, or all layers by default. Fails if the game lacks one of them.
pub(crate) fn layers_of(
    game: &Hunt,
    requested: Option<&RangeInclusive<u16>>,
) -> Result<RangeInclusive<u16>, SolveError> {
    let all = game.layers();
    let layers = requested.cloned().unwrap_or_else(|| all.clone());
    match [*layers.start(), *layers.end()].into_iter().find(|layer| !all.contains(layer)) {
        None => Ok(layers),
        Some(layer) => {
            Err(SolveError::NoSuchLayer { layer, game: game.name().into(), layers: all })
        }
    }
}

/// Returns the requested metric, or all metrics by default.
pub(crate) fn metrics_of(requested: Option<Metric>) -> impl Iterator<Item = Metric> {
    Metric::ALL.into_iter().filter(move |&metric| requested.is_none_or(|wanted| wanted == metric))
}

/// Returns the error of the reader if a layer has no table of the requested metric, or of any by
/// default. It names the directories and the layers to solve.
pub(crate) fn require_table(
    tables: &Tablebase,
    layer: u16,
    requested: Option<Metric>,
) -> Result<(), ProbeError> {
    match requested {
        None => tables.table(layer)?,
        Some(metric) => tables.table_of(layer, metric)?,
    };
    Ok(())
}
