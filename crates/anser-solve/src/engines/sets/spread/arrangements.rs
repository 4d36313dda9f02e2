//! The arrangements of the few in a layer, and the entries of the table with each of them.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use anser_core::hunt::{HuntIndex, PointSet};
use anser_core::{LayerIndex, Side};

use crate::engines::sets::layout::{High, Low, Orbit, binomial};
use crate::engines::sets::maps::Image;
use crate::engines::sets::order::PointOrder;
use crate::engines::sets::rules::Numbers;

/// The arrangements of the few in a layer, one of each orbit.
pub(super) struct Arrangements {
    pub(super) index: HuntIndex,
    /// Number of the many on the board.
    pub(super) many: usize,
    /// By orbit: the points of the few.
    pub(super) few: Vec<u64>,
    /// By orbit: its entries.
    pub(super) entries: Vec<Range<u64>>,
    /// By representative: its orbit.
    numbers: HashMap<u64, u32>,
}

/// The points of a board by the part of a set that they are in.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    pub(super) points: u32,
    pub(super) low: u32,
    pub(super) separator: u32,
}

impl Parts {
    /// Returns the number of high points, the separator among them.
    fn high(self) -> u32 {
        self.points - self.low
    }

    /// Returns the pattern of a set.
    pub(super) fn pattern(self, set: u64) -> u32 {
        (set >> (self.points - self.separator)) as u32
    }
}

/// Returns the arrangements of the few in a layer, with the entries of each.
pub(super) fn ranges_of_few(index: &HuntIndex) -> Vec<(PointSet, Range<u64>)> {
    let len = index.len(Side::First);
    let few = |entry: u64| index.unrank(Side::First, entry).few();
    let (mut ranges, mut start) = (Vec::new(), 0);
    while start < len {
        let of_start = few(start);
        // The entries of an arrangement follow each other, so the last one is found by halving.
        let mut step = 1;
        while start + step < len && few(start + step) == of_start {
            step *= 2;
        }
        let (mut within, mut beyond) = (start + step / 2, len.min(start + step));
        while beyond - within > 1 {
            let middle = within + (beyond - within) / 2;
            if few(middle) == of_start { within = middle } else { beyond = middle }
        }
        ranges.push((of_start, start..beyond));
        start = beyond;
    }
    ranges
}

impl Arrangements {
    pub(super) fn new(index: HuntIndex, order: &PointOrder) -> Arrangements {
        let many = Numbers::of(&index).on_board[1];
        let (few, entries): (Vec<u64>, Vec<Range<u64>>) = ranges_of_few(&index)
            .into_iter()
            .map(|(few, entries)| (order.bits_of(few), entries))
            .unzip();
        let numbers = (0..).zip(&few).map(|(number, &few)| (few, number)).collect();
        Arrangements { index, many, few, entries, numbers }
    }

    /// Returns the orbit of an arrangement, and the number of a symmetry that takes it to the
    /// representative.
    pub(super) fn orbit_of(&self, images: &[Image], few: u64) -> (u32, u16) {
        let found = (0..)
            .zip(images)
            .find_map(|(symmetry, image)| Some((*self.numbers.get(&image.of(few))?, symmetry)));
        found.expect("every arrangement of the few has a representative")
    }

    /// Returns the number of sets of the many with this pattern beside an orbit.
    pub(super) fn sets(&self, parts: Parts, orbit: usize, pattern: u32) -> usize {
        let few = self.few[orbit];
        let of_few = parts.pattern(few);
        let of_many = pattern.count_ones() as usize;
        if of_few & pattern != 0 || of_many > self.many {
            return 0;
        }
        let others = few.count_ones() - of_few.count_ones();
        let free = parts.points - parts.separator - others;
        binomial(free as usize, self.many - of_many) as usize
    }

    /// Returns the number of sets of the many with these patterns beside an orbit.
    pub(super) fn sum(&self, parts: Parts, orbit: usize, patterns: &[u32]) -> usize {
        patterns.iter().map(|&pattern| self.sets(parts, orbit, pattern)).sum()
    }

    /// Returns the orbits with places for the sets of these patterns, pattern by pattern. Those of
    /// the first `own` patterns have runs.
    pub(super) fn orbits(&self, parts: Parts, patterns: &[u32], own: usize) -> Vec<Orbit> {
        let (mut lows, mut highs) = (HashMap::new(), HashMap::new());
        let low_mask = (1 << parts.low) - 1;
        let mut is_own = vec![false; 1 << parts.separator];
        patterns[..own].iter().for_each(|&pattern| is_own[pattern as usize] = true);
        let of_few = |&few: &u64| {
            let low: &Arc<Low> = lows
                .entry(few & low_mask)
                .or_insert_with(|| Arc::new(Low::new(parts.low, few & low_mask)));
            let high = highs.entry(few >> parts.low).or_insert_with(|| {
                let rest = parts.high() - parts.separator;
                let sets = patterns
                    .iter()
                    .flat_map(|pattern| (0..1 << rest).map(move |set| pattern << rest | set));
                let mut high = High::new(parts.high(), few >> parts.low, low, self.many, sets);
                high.runs.retain(|run| is_own[(run.high >> rest) as usize]);
                high.runs.shrink_to_fit();
                Arc::new(high)
            });
            Orbit { few, low: Arc::clone(low), high: Arc::clone(high) }
        };
        self.few.iter().map(of_few).collect()
    }

    /// Whether every set of the many beside an orbit has an entry.
    pub(super) fn has_all_sets(&self) -> bool {
        self.index.scheme().name == "hunt"
    }

    /// Calls `visit` with the set of the many of each of these entries, which are of one orbit.
    pub(super) fn for_each_set(
        &self,
        order: &PointOrder,
        orbit: usize,
        entries: Range<u64>,
        mut visit: impl FnMut(u64),
    ) {
        if !self.has_all_sets() {
            for entry in entries {
                visit(order.bits_of(self.index.unrank(Side::First, entry).many()));
            }
            return;
        }
        // The sets are in ascending order as sets of the points without the few.
        let few = order.set_of(self.few[orbit]);
        let free = (0..order.len() as u8).filter(|&point| !few.contains(point));
        let free: Vec<u64> = free.map(|point| order.bit(point)).collect();
        let bytes: Vec<[u64; 256]> = free
            .chunks(8)
            .map(|free| {
                std::array::from_fn(|set| {
                    let points = free.iter().enumerate().filter(|(bit, _)| set >> bit & 1 != 0);
                    points.fold(0, |set, (_, point)| set | point)
                })
            })
            .collect();
        let mut set = nth_set(free.len(), self.many, entries.start - self.entries[orbit].start);
        for _ in entries {
            let parts = bytes.iter().zip(set.to_le_bytes());
            visit(parts.fold(0, |points, (bytes, byte)| points | bytes[usize::from(byte)]));
            set = next_set(set);
        }
    }
}

/// Returns the set of `size` of `points` points with this number of lesser ones.
fn nth_set(points: usize, size: usize, number: u64) -> u64 {
    let (mut set, mut left, mut point) = (0, number, points);
    for size in (1..=size).rev() {
        while point >= size && binomial(point, size) > left {
            point -= 1;
        }
        left -= binomial(point, size);
        set |= 1 << point;
    }
    set
}

/// Returns the next greater set of the same size.
fn next_set(set: u64) -> u64 {
    let lowest = set & set.wrapping_neg();
    if lowest == 0 {
        return 0;
    }
    let carried = set + lowest;
    carried | ((set ^ carried) >> 2) >> lowest.trailing_zeros()
}

/// Returns the place of a set among the values of an orbit.
#[inline]
pub(super) fn place(orbit: &Orbit, low_points: u32, set: u64) -> usize {
    let low = (set & ((1 << low_points) - 1)) as usize;
    orbit.high.start[(set >> low_points) as usize] as usize + usize::from(orbit.low.rank[low])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_follow_each_other_in_ascending_order() {
        for (points, size) in [(7, 0), (7, 1), (7, 3), (7, 7), (12, 5)] {
            let all: Vec<u64> =
                (0..1u64 << points).filter(|set| set.count_ones() == size).collect();
            for (number, &set) in (0..).zip(&all) {
                assert_eq!(nth_set(points, size as usize, number), set);
            }
            assert!(all.windows(2).all(|sets| next_set(sets[0]) == sets[1]));
        }
    }
}
