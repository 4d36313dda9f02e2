//! Where exact values come from when nobody says: a solution in memory where the game is small, tables otherwise.

use std::collections::BTreeSet;

use anser_analyse::Solution;
use anser_core::prelude::*;
use anser_core::{Dtw, Side};
use anser_games::{AnyGame, AnyPosition};
use anser_table::Tablebase;

use crate::args::{How, TablesArgs};
use crate::asking::{EffortArgs, Watch};
use crate::failure::Failure;
use crate::tables;

/// Games with no more classes of positions than this are solved in memory without being asked: that takes a moment. Where
/// play goes round in a layer, solving takes longer.
const SMALL: [u64; 2] = [4_000_000, 500_000];

/// How large a game is below a position, symmetric positions taken together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    /// Classes of positions, roughly.
    pub(crate) classes: u64,
    /// Whether play can go round.
    pub(crate) goes_round: bool,
}

impl Size {
    /// What the layers hold that play can lead to from a position.
    pub(crate) fn below(game: &AnyGame, position: &AnyPosition) -> Size {
        let layers = descent(game, game.layer(position));
        let goes_round =
            layers.iter().any(|&layer| Side::BOTH.into_iter().all(|side| game.stays_in_layer(layer, side)));
        let positions = |&layer: &u16| Side::BOTH.into_iter().map(|side| game.positions(layer, side)).sum::<u64>();
        let classes = layers.iter().map(positions).fold(0_u64, u64::saturating_add) / game.symmetries() as u64;
        Size { classes, goes_round }
    }

    /// Whether all of it is solved in a moment.
    pub(crate) fn is_small(self) -> bool {
        self.classes <= SMALL[usize::from(self.goes_round)]
    }
}

/// The layers that play can lead to from a layer, itself included.
fn descent(game: &AnyGame, layer: u16) -> BTreeSet<u16> {
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![layer]);
    while let Some(layer) = waiting.pop() {
        if seen.insert(layer) {
            waiting.extend(game.lower_layers(layer));
        }
    }
    seen
}

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
