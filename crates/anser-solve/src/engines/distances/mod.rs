//! The general engine of distances: any game, in memory.
//!
//! Where at most one side's moves can stay in the layer, one pass for each side suffices ([`passes`]). Otherwise the layer is
//! loopy and is solved by rounds, one for each distance ([`rounds`]). Both give the same values.

mod passes;
mod rounds;
mod seed;

use anser_core::{Game, LayerIndex, Side};
use anser_table::Metric;
use anser_table::format::payload_len;

use self::rounds::Rounds;
use super::engine::{Effort, Engine, Filled, Task};
use crate::SolveError;
use crate::io::codes::ASSUMED_BITS;
use crate::run::metrics::Metrics;

/// The full moves generated per class, all rounds together. Measured: 1 to 3 in layers 6 and 7 of Fox-and-Geese under every
/// rule set.
const LOOKS_PER_CLASS: f64 = 2.0;

/// See the module.
pub(crate) struct GeneralDistances;

impl<G: Game> Engine<G> for GeneralDistances {
    fn name(&self) -> &'static str {
        "general-distances"
    }

    fn fills(&self, metrics: Metrics) -> bool {
        // A distance implies an outcome, so the outcomes cost nothing more.
        metrics.contains(Metric::Dtw) && Metrics::from_iter([Metric::Wdl, Metric::Dtw]).contains_all(metrics)
    }

    fn memory(&self, game: &G, layer: u16, index: &G::Index) -> u64 {
        let entries = Side::BOTH.map(|side| index.len(side));
        let lower = game.lower_layers(layer).into_iter().map(|lower| {
            let index = game.index(lower);
            payload_len(Side::BOTH.map(|side| index.len(side))) / 2 * u64::from(ASSUMED_BITS)
        });
        let sets = if game.is_loopy(layer) { Rounds::<G>::sets_len(entries) } else { 0 };
        let codes = entries.into_iter().fold(0, u64::saturating_add).saturating_mul(2);
        codes.saturating_add(sets).saturating_add(lower.fold(0, u64::saturating_add))
    }

    fn effort(&self, game: &G, layer: u16, index: &G::Index) -> Effort {
        let classes: u64 = Side::BOTH.iter().map(|&side| index.len(side)).sum();
        let looks = if game.is_loopy(layer) { LOOKS_PER_CLASS } else { 1.0 };
        Effort { alone: 0.0, shared: looks * classes as f64 }
    }

    fn solve(&self, task: &Task<'_, G>) -> Result<Filled, SolveError> {
        let lower = task.open_lower()?;
        if task.game.is_loopy(task.layer) { Rounds::new(task, &lower)?.run() } else { passes::solve(task, &lower) }
    }
}
