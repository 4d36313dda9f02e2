//! Unfinished tables: files with checkpoints from which a run resumes.

pub(crate) mod planes;
pub(crate) mod progress;
pub(crate) mod slots;
pub(crate) mod snapshot;
pub(crate) mod work_file;

use std::time::{Duration, Instant};

/// Least time between two checkpoints, as a multiple of the time of the last one: writing takes at
/// most 4 % of a run.
const PAUSE_PER_COST: u32 = 25;

/// Whether a checkpoint is due: the last one was at `last` and took `took`. `every` is the least
/// time between two.
fn is_due(last: Instant, took: Duration, every: Duration) -> bool {
    last.elapsed() >= every.max(took.saturating_mul(PAUSE_PER_COST))
}
