//! Where exact values come from if no tables are named: small games are solved in memory.

use anser_analyse::Solution;
use anser_core::Hunt;
use anser_core::hunt;
use anser_games::{Size, Values};

use crate::args::ResourceArgs;
use crate::args::{AccessMode, TablesArgs};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::tables;

/// Finds the exact values of everything that can be reached from a position: tables that are named,
/// a solution in memory if the game is small or memory is allowed, and otherwise the tables of the
/// default directories.
pub(crate) fn find(
    game: &Hunt,
    position: &hunt::Position,
    args: &TablesArgs,
    mode: AccessMode,
    resources: &ResourceArgs,
) -> Result<Values, Failure> {
    let solve = args.dirs.is_empty()
        && (resources.given_memory().is_some() || Size::below(game, position).is_small());
    if !solve {
        return Ok(Values::Tables(tables::open(game, args, mode)?));
    }
    let progress = Progress::of_answer()?;
    let solution = Solution::reachable_within(game, position, &resources.limits(&progress))?;
    progress.finish();
    Ok(Values::Solution(solution))
}
