//! Where exact values come from if no tables are named: small games are solved in memory.

use anser_games::{AnyGame, AnyPosition, Size, ValueError, Values};

use crate::args::{AccessMode, TablesArgs};
use crate::asking::{EffortArgs, Watch};
use crate::failure::Failure;
use crate::tables;

/// Finds the exact values of everything that can be reached from a position: tables that are named,
/// a solution in memory if the game is small or memory is allowed, and otherwise the tables of the
/// default directories.
pub(crate) fn find(
    game: &AnyGame,
    position: &AnyPosition,
    args: &TablesArgs,
    mode: AccessMode,
    effort: &EffortArgs,
) -> Result<Values, Failure> {
    let solve = args.dirs.is_empty() && (effort.says_memory() || Size::below(game, position).is_small());
    if !solve {
        return Ok(Values::Tables(tables::open(game, args, mode)?));
    }
    let watch = Watch::new()?;
    let solution = game.solution(position, &effort.limits(&watch))?;
    watch.finish();
    Ok(Values::Solution(solution))
}

impl From<ValueError> for Failure {
    fn from(error: ValueError) -> Failure {
        match error {
            ValueError::Probe(error) => error.into(),
            ValueError::Table(error) => error.into(),
            ValueError::Analyse(error) => error.into(),
            error => Failure::io(error),
        }
    }
}
