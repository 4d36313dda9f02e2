//! Where exact values come from when nobody says: a solution in memory where the game is small, tables otherwise.

use anser_analyse::Solution;
use anser_core::Dtw;
use anser_games::{AnyGame, AnyPosition, Size};
use anser_table::Tablebase;

use crate::args::{How, TablesArgs};
use crate::asking::{EffortArgs, Watch};
use crate::failure::Failure;
use crate::tables;

/// The exact values of everything that can be reached from a position.
pub(crate) enum Distances {
    Memory(Solution<AnyGame>),
    Tables(Tablebase<AnyGame>),
}

impl Distances {
    /// Tables that were named are used; otherwise small games are solved, and for others there are the tables that usually
    /// are there.
    pub(crate) fn find(
        game: &AnyGame,
        position: &AnyPosition,
        args: &TablesArgs,
        how: How,
        effort: &EffortArgs,
    ) -> Result<Distances, Failure> {
        let solve = args.dirs.is_empty() && (effort.says_memory() || Size::below(game, position).is_small());
        if !solve {
            return Ok(Distances::Tables(tables::open(game, args, how)?));
        }
        let watch = Watch::new()?;
        let solution = game.solution(position, &effort.limits(&watch))?;
        watch.finish();
        Ok(Distances::Memory(solution))
    }

    /// Fails if a table was changed since it was opened, so that what was read from it does not count.
    pub(crate) fn check_unchanged(&self) -> Result<(), Failure> {
        match self {
            Distances::Memory(_) => Ok(()),
            Distances::Tables(tables) => Ok(tables.check_unchanged()?),
        }
    }

    /// The value of a position.
    pub(crate) fn value(&self, position: &AnyPosition) -> Result<Dtw, Failure> {
        match self {
            Distances::Memory(solution) => Ok(solution.require(position)?),
            Distances::Tables(tables) => Ok(tables.probe_distance(position)?),
        }
    }
}
