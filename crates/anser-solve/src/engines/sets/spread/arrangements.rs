//! The arrangements of the few in a layer, and the entries of the table with each of them.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use anser_core::hunt::{HuntIndex, PointSet};
use anser_core::{LayerIndex, Side};

use crate::engines::sets::layout::{High, Low, Orbit, OrbitNumbers, Run, binomial};
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
    pub(super) numbers: OrbitNumbers,
    parts: Parts,
    /// By number of the few beyond the separator and of the many in a pattern: the sets of the
    /// many.
    sets: Vec<Vec<usize>>,
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

    /// Returns all sets of high points with these patterns, shifted to bit 0.
    fn highs(self, patterns: &[u32]) -> impl Iterator<Item = u32> {
        let rest = self.high() - self.separator;
        let of_pattern = move |pattern: &u32| {
            let first = pattern << rest;
            first..first + (1 << rest)
        };
        patterns.iter().flat_map(of_pattern)
    }

    /// Returns by pattern whether it is one of these.
    pub(super) fn marks(self, patterns: &[u32]) -> Vec<bool> {
        let mut marks = vec![false; 1 << self.separator];
        for &pattern in patterns {
            marks[pattern as usize] = true;
        }
        marks
    }

    /// Returns the pattern of high points, shifted to bit 0.
    pub(super) fn pattern_of_high(self, high: u32) -> u32 {
        high >> (self.high() - self.separator)
    }

    /// Returns the pattern of a set.
    pub(super) fn pattern(self, set: u64) -> u32 {
        (set >> (self.points - self.separator)) as u32
    }
}

/// The low parts of sets, which the layers share.
pub(super) struct Lows {
    pub(super) parts: Parts,
    /// By low points of the few.
    known: Mutex<HashMap<u64, Arc<Low>>>,
}

impl Lows {
    pub(super) fn new(parts: Parts) -> Lows {
        Lows { parts, known: Mutex::default() }
    }

    /// Returns the low parts of the sets beside an arrangement of the few.
    fn get(&self, few: u64) -> Arc<Low> {
        let few = few & ((1 << self.parts.low) - 1);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let low = known.entry(few).or_insert_with(|| Arc::new(Low::new(self.parts.low, few)));
        Arc::clone(low)
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
    pub(super) fn new(index: HuntIndex, order: &PointOrder, parts: Parts) -> Arrangements {
        let [most, many] = Numbers::of(&index).on_board;
        let sets = |few: usize, of_many: usize| {
            let free = ((parts.points - parts.separator) as usize).checked_sub(few)?;
            Some(binomial(free, many.checked_sub(of_many)?) as usize)
        };
        let of_few = |few: usize| {
            let of_pattern = 0..=parts.separator as usize;
            of_pattern.map(|of_many| sets(few, of_many).unwrap_or(0)).collect()
        };
        let sets = (0..=most).map(of_few).collect();
        let (few, entries): (Vec<u64>, Vec<Range<u64>>) = ranges_of_few(&index)
            .into_iter()
            .map(|(few, entries)| (order.bits_of(few), entries))
            .unzip();
        let numbers = OrbitNumbers::new(&few);
        Arrangements { index, many, few, entries, numbers, parts, sets }
    }

    /// Returns the number of sets of the many with this pattern beside an orbit.
    pub(super) fn sets(&self, orbit: usize, pattern: u32) -> usize {
        let few = self.few[orbit];
        let of_few = self.parts.pattern(few);
        if of_few & pattern != 0 {
            return 0;
        }
        let others = few.count_ones() - of_few.count_ones();
        self.sets[others as usize][pattern.count_ones() as usize]
    }

    /// Returns the number of sets of the many with these patterns beside an orbit.
    pub(super) fn sum(&self, orbit: usize, patterns: &[u32]) -> usize {
        patterns.iter().map(|&pattern| self.sets(orbit, pattern)).sum()
    }

    /// Returns the run of an orbit with these high points, if there is one. Its place has a meaning
    /// if the orbit has places for their pattern.
    pub(super) fn run(&self, orbit: &Orbit, high: u32) -> Option<Run> {
        let low = orbit.low.number(self.many, high)?;
        let is_free = u64::from(high) & orbit.few >> self.parts.low == 0;
        is_free.then(|| Run { high, start: orbit.high.start(high), low: low as u8 })
    }

    /// Returns the runs of an orbit with these patterns, in their order.
    pub(super) fn runs(&self, orbit: &Orbit, patterns: &[u32]) -> impl Iterator<Item = Run> {
        self.parts.highs(patterns).filter_map(|high| self.run(orbit, high))
    }

    /// Returns the number of values of a layer with one side to move.
    pub(super) fn values(&self) -> u64 {
        let few = self.few.first().map_or(0, |few| few.count_ones());
        self.few.len() as u64 * binomial((self.parts.points - few) as usize, self.many)
    }

    /// Returns the orbits with places for the sets of these patterns, pattern by pattern. Those of
    /// the first `own` patterns have runs.
    pub(super) fn orbits(&self, lows: &Lows, patterns: &[u32], own: usize) -> Vec<Orbit> {
        let low = lows.parts.low;
        let mut highs: HashMap<u64, Arc<High>> = HashMap::new();
        let is_own = lows.parts.marks(&patterns[..own]);
        let of_few = |&few: &u64| {
            let of_low = lows.get(few);
            let high = highs.entry(few >> low).or_insert_with(|| {
                let (parts, patterns) = (lows.parts, patterns.iter().copied());
                let points = [parts.high(), parts.separator];
                let mut high = High::new(points, few >> low, &of_low, self.many, patterns);
                high.runs.retain(|run| is_own[lows.parts.pattern_of_high(run.high) as usize]);
                high.runs.shrink_to_fit();
                Arc::new(high)
            });
            Orbit { few, low: of_low, high: Arc::clone(high) }
        };
        self.few.iter().map(of_few).collect()
    }

    /// Returns an orbit with places for all sets, pattern by pattern.
    pub(super) fn whole(&self, lows: &Lows, orbit: usize) -> Orbit {
        let few = self.few[orbit];
        let (low, of_high) = (lows.get(few), few >> lows.parts.low);
        let high = High::of_all(lows.parts.high(), of_high, &low, self.many);
        Orbit { few, low, high: Arc::new(high) }
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
