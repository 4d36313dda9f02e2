//! The engine of sets on many ranks.
//!
//! Each rank has all arrangements of the few and some of the sets of the many ([`shares`]), in the
//! same order as the [engine alone](super) but for the points. Layers are planned here, and solved
//! in [`run`]. The code of the latter is only in programs for clusters (feature `cluster`).

mod arrangements;
mod below;
mod changes;
mod exchange;
mod output;
mod part;
pub(crate) mod rows;
pub(crate) mod run;
mod shares;

#[cfg(all(test, feature = "cluster"))]
mod tests;

use anser_core::hunt::HuntIndex;
use anser_core::{Hunt, LayerIndex, Side};

use self::arrangements::Arrangements;
use self::shares::{parts_of, reached, rules_and_shares};
use super::frontier::bytes_of_frontiers;
use super::layer::NAME;
use super::layout::{Layout, PADDING, bytes_of_parts, bytes_of_runs};
use super::propagate::BYTES_OF_COLLECTED;
use super::rules::{Numbers, Rules};
use super::{MOST_PASSES, PASSES, SECONDS_PER_VALUE, checkpoint, effort};
use crate::engines::engine::{Effort, Engine, Filled, Needs, Task};
use crate::reports::Traffic;
use crate::run::metrics::Metrics;
use crate::{LayerOf, SolveError};

/// The engine, on rank 0.
pub(crate) struct Spread {
    ranks: usize,
    /// `None` if layers are only planned.
    running: Option<run::Running>,
}

impl Spread {
    /// Returns an engine that only plans layers, for this number of ranks.
    pub(crate) fn planned(ranks: usize) -> Spread {
        Spread { ranks, running: None }
    }

    /// Returns the memory of one rank. Scores have `bits` bits.
    fn memory_of_rank(&self, game: &Hunt, index: &HuntIndex, bits: u32) -> u64 {
        if index.len(Side::First) == 0 {
            return 0;
        }
        let Ok((shares, rules)) = rules_and_shares(game, index, self.ranks) else {
            return 0;
        };
        let numbers = Numbers::of(index);
        let [few, many] = numbers.on_board;
        let sets = Layout::sets(rules.points, few, many).unwrap_or(usize::MAX) as u64;
        // Every arrangement has all sets, also where the table has one entry for several.
        let orbits = arrangements::ranges_of_few(index).len() as u64;
        let share = (orbits as f64 * sets as f64 * shares.largest / self.ranks as f64) as u64;
        let of_rank = sets / self.ranks as u64;
        let runs = shares.most_runs(&rules, many);
        // Twice the frontiers, because of those of neighbors, and of what ranks request.
        let tables = bytes_of_parts(&rules, few, orbits, runs)
            + 2 * bytes_of_frontiers(orbits, of_rank, bytes_of_runs(&rules, runs));
        // For each thread the best moves and values of an orbit, with those of other ranks; and an
        // orbit with all sets, on its way from or to entries.
        let threads = rayon::current_num_threads() as u64;
        let forced = u64::from(rules.compulsory);
        let of_threads = threads * ((5 + forced) * of_rank + 4 * PADDING as u64);
        let collected = threads * BYTES_OF_COLLECTED.min(16 * of_rank);
        // In layers with placements, the best of these as well, and of captures.
        let of_below = if numbers.hold_captures() { 0 } else { 1 + u64::from(numbers.hand[1] > 0) };
        let arrays = 2 + of_below;
        u64::from(bits / 8) * (arrays * share + of_threads + 4 * sets) + tables + collected
    }

    /// Whether several passes are necessary for a layer.
    fn repeats(game: &Hunt, index: &HuntIndex) -> bool {
        index.len(Side::First) > 0
            && Rules::of(game).is_ok_and(|rules| rules.many_stay(Numbers::of(index)))
    }
}

/// Fails if layers of a game cannot be solved on many ranks.
///
/// # Errors
/// The feature that the engine does not support, to be read after "because of".
pub(crate) fn check(game: &Hunt) -> Result<(), &'static str> {
    super::layers_suit(game, &Rules::of(game)?)
}

/// Returns the values that all ranks send in a round in which every run is requested.
///
/// # Errors
/// The feature that the engine does not support, to be read after "because of".
fn sent_in_a_round(game: &Hunt, layer: u16, ranks: usize) -> Result<u64, &'static str> {
    let index = game.index(layer);
    let numbers = Numbers::of(&index);
    let (shares, rules) = rules_and_shares(game, &index, ranks)?;
    let parts = parts_of(&rules, &shares);
    let layer = Arrangements::new(index, &rules.order, parts);
    let mut sets = 0;
    for reached in reached(&rules, numbers, parts, &shares, ranks) {
        for orbit in 0..layer.few.len() {
            sets += layer.sum(orbit, &reached) as u64;
        }
    }
    Ok(sets)
}

impl Engine for Spread {
    fn name(&self) -> &'static str {
        NAME
    }

    /// The memory is that of one rank.
    fn needs(&self, LayerOf { game, layer, index }: LayerOf<'_>, _: Metrics) -> Needs {
        let mut traffic = Traffic { ranks: self.ranks, bytes: 0 };
        if index.len(Side::First) > 0
            && let Ok(sent) = sent_in_a_round(game, layer, self.ranks)
        {
            let rounds = if Spread::repeats(game, index) { PASSES } else { 1.0 };
            traffic.bytes = (sent as f64 * rounds) as u64;
        }
        let memory = self.memory_of_rank(game, index, i8::BITS);
        let checkpoint = checkpoint(Spread::repeats(game, index), index, i8::BITS);
        Needs { memory, spilled: None, checkpoint, traffic: Some(traffic) }
    }

    fn effort(&self, of: LayerOf<'_>) -> Effort {
        effort(Spread::repeats(of.game, of.index), of.index, self.ranks)
    }

    fn most(&self, of: LayerOf<'_>) -> f64 {
        if Spread::repeats(of.game, of.index) { MOST_PASSES / PASSES } else { 1.0 }
    }

    fn measure(&self, _: LayerOf<'_>) -> f64 {
        SECONDS_PER_VALUE
    }

    #[cfg(feature = "cluster")]
    fn solve(&self, task: &Task<'_>) -> Result<Filled, SolveError> {
        self.running.as_ref().expect("plans are not run").solve(self, task)
    }

    #[cfg(not(feature = "cluster"))]
    fn solve(&self, _: &Task<'_>) -> Result<Filled, SolveError> {
        unreachable!("plans are not run")
    }
}
