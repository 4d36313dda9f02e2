//! What a run is asked to do.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use anser_table::Metric;

use super::metrics::Metrics;

/// What to solve, where to, and with what.
#[derive(Clone, Debug)]
pub struct SolveOptions {
    /// Where the tables go.
    pub dir: PathBuf,
    /// Which layers; `None` for all.
    pub layers: Option<RangeInclusive<u16>>,
    /// How many threads; `None` for one a core.
    pub threads: Option<usize>,
    /// How much memory may be used, in bytes; `None` for four fifths of what is available. An engine that can do so keeps in
    /// scratch files in `dir` what goes beyond that; how much of these files the system has in memory is up to it, and it
    /// counts as resident.
    pub memory: Option<u64>,
    /// Which engine.
    pub engine: EngineChoice,
    /// The shortest time between two checkpoints of a layer. Where writing one takes long, the pauses are longer.
    pub checkpoint_every: Duration,
    /// What to compute. Each metric has tables of its own, and needs the lower tables of the same metric.
    pub metrics: Metrics,
}

/// Which engine solves. The tables come out the same to the last bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineChoice {
    /// The fastest one that the game has and that gets by with the memory.
    #[default]
    Best,
    /// The general one, which knows nothing but the game's rules: the check of all others.
    General,
}

impl SolveOptions {
    /// The outcomes of all layers into `dir`, with all cores.
    pub fn new(dir: impl Into<PathBuf>) -> SolveOptions {
        SolveOptions {
            dir: dir.into(),
            layers: None,
            threads: None,
            memory: None,
            engine: EngineChoice::Best,
            metrics: Metric::Wdl.into(),
            checkpoint_every: Duration::from_mins(1),
        }
    }
}
