//! The general engine of distances: any game, through nothing but its trait.

use anser_core::{Game, LayerIndex, Side};
use anser_table::format::payload_len;

use crate::SolveError;
use crate::engines::distances::rounds::Rounds;
use crate::engines::distances::{DistanceEngine, DistanceTask, Distances, passes};
use crate::engines::engine::{Cost, Effort};
use crate::engines::general::seconds_per_look;
use crate::io::codes::ASSUMED_BITS;

/// Looks at positions, with all their moves, that are spent on a class, all rounds together: measured, 1 to 3 in layers 6 and 7
/// of Fox-and-Geese, whichever the rules.
const LOOKS_PER_CLASS: f64 = 2.0;

/// See the module.
pub(crate) struct GeneralDistances;

/// Whether play can go round in a layer, so that rounds are needed.
fn goes_round<G: Game>(game: &G, layer: u16) -> bool {
    Side::BOTH.into_iter().all(|side| game.stays_in_layer(layer, side))
}

impl<G: Game> Cost<G> for GeneralDistances {
    fn name(&self) -> &'static str {
        "general-distances"
    }

    fn memory(&self, game: &G, layer: u16, index: &G::Index) -> u64 {
        let entries = Side::BOTH.map(|side| index.len(side));
        let lower = game.lower_layers(layer).into_iter().map(|lower| {
            let index = game.index(lower);
            payload_len(Side::BOTH.map(|side| index.len(side))) / 2 * u64::from(ASSUMED_BITS)
        });
        let sets = if goes_round(game, layer) { Rounds::<G>::sets_len(entries) } else { 0 };
        let codes = entries.into_iter().fold(0, u64::saturating_add).saturating_mul(2);
        codes.saturating_add(sets).saturating_add(lower.fold(0, u64::saturating_add))
    }

    fn effort(&self, game: &G, layer: u16, index: &G::Index) -> Effort {
        let classes: u64 = Side::BOTH.iter().map(|&side| index.len(side)).sum();
        let looks = if goes_round(game, layer) { LOOKS_PER_CLASS } else { 1.0 };
        Effort { alone: 0.0, shared: looks * classes as f64 }
    }

    fn measure(&self, game: &G, layer: u16, index: &G::Index) -> f64 {
        seconds_per_look(game, layer, index)
    }
}

impl<G: Game> DistanceEngine<G> for GeneralDistances {
    fn solve(&self, task: &DistanceTask<'_, G>) -> Result<Distances, SolveError> {
        if goes_round(task.game, task.layer) { Rounds::new(task)?.run() } else { passes::solve(task) }
    }
}
