//! Counts of positions by outcome, symmetric ones counted apart.

use std::ops::Range;

use anser_core::{LayerIndex, Side};
use anser_table::format::{ENTRIES_PER_PAIR, code_in_pair, count_slot, outcome_of};

/// Counts the positions of the classes `ranks` with `side` to move: first side wins, draw, second side wins. `pairs` holds
/// their values from the pair of the first rank on, which is the first of its pair.
pub(crate) fn count_positions(index: &impl LayerIndex, side: Side, ranks: Range<u64>, pairs: &[[u64; 2]]) -> [u64; 3] {
    let symmetries = u64::from(index.scheme().symmetries);
    let first_pair = ranks.start / ENTRIES_PER_PAIR;
    // As if every class had as many positions as there are symmetries ...
    let first: u64 = pairs.iter().map(|[first, _]| u64::from(first.count_ones())).sum();
    let second: u64 = pairs.iter().map(|[_, second]| u64::from(second.count_ones())).sum();
    let draws = ranks.end - ranks.start - first - second;
    let mut counts = [first, draws, second].map(|classes| classes * symmetries);
    // ... less what is missing from those that have not.
    index.visit_small_orbits(side, ranks, |rank, orbit| {
        let [first, second] = pairs[(rank / ENTRIES_PER_PAIR - first_pair) as usize];
        counts[outcome_of(code_in_pair(first, second, rank)).map_or(1, count_slot)] -= symmetries - orbit;
    });
    counts
}

/// Adds counts up.
pub(crate) fn add(a: [u64; 3], b: [u64; 3]) -> [u64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}
