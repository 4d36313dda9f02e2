//! Options of a check.

use std::ops::RangeInclusive;

use anser_table::Metric;

/// Options of [`verify`](crate::verify()).
#[derive(Clone, Debug, Default)]
pub struct VerifyOptions {
    /// Layers to check; `None` for all that have tables.
    pub layers: Option<RangeInclusive<u16>>,
    /// Whether to recompute every value.
    pub full: bool,
    /// Whether to check that wins are well-founded: that each is forced in a finite number of
    /// moves. This includes a full check, which is all that distances need: each win has a move to
    /// a shorter one.
    pub well_founded: bool,
    /// Number of threads; `None` for one per core.
    pub threads: Option<usize>,
    /// The metric to check; `None` for all.
    pub metric: Option<Metric>,
}

impl VerifyOptions {
    /// Whether every value is recomputed.
    pub(crate) fn is_full(&self) -> bool {
        self.full || self.well_founded
    }
}
