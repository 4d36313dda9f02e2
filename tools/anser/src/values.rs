//! Sources of values: tables first, and solutions in memory if no tables are named.

use anser_core::Hunt;
use anser_games::{Files, Scope, Size, Values};
use anser_table::{BlockCache, Metric};

use crate::args::{AccessMode, ResourceArgs, TablesArgs};
use crate::cost::Cost;
use crate::failure::Failure;
use crate::games::registry;
use crate::progress::Progress;

/// Returns the sources of values. Positions that the tables lack are solved in memory unless tables
/// are named, if `is_small` holds, or if memory is allowed and it takes an hour at most.
///
/// Commands that wait for input read tables, because tables may be replaced meanwhile. Short
/// commands map them, and call [`Values::check_unchanged`] before they answer.
pub(crate) fn sources<'a>(
    args: &TablesArgs,
    mode: &'a AccessMode,
    resources: &ResourceArgs,
    is_small: fn(Size) -> bool,
    progress: &'a Progress,
) -> Files<'a, AccessMode> {
    let solves: fn(Size) -> bool = match (&args.dirs[..], resources.given_memory()) {
        ([_, ..], _) => |_| false,
        ([], Some(_)) => |size| Cost(size).is_short(),
        ([], None) => is_small,
    };
    Files {
        registry: registry(),
        path: args.search_path(),
        access: mode,
        cache_bytes: BlockCache::DEFAULT_BYTES,
        solves,
        limits: resources.limits(progress),
    }
}

/// Finds values from [`sources`], and shows the progress.
pub(crate) fn find(
    game: &Hunt,
    scope: &Scope,
    metric: Metric,
    (args, mode): (&TablesArgs, AccessMode),
    resources: &ResourceArgs,
    is_small: fn(Size) -> bool,
) -> Result<Values, Failure> {
    let progress = Progress::of_answer()?;
    let sources = sources(args, &mode, resources, is_small, &progress);
    let values = Values::find(game, scope, metric, &sources)?;
    progress.finish();
    Ok(values)
}
