//! Memory layout of the positions of a layer.
//!
//! An array holds the values with one side to move: for each orbit of the few, by their
//! representatives, one value for each set of the many, in the order of the table. So a set is
//! placed by its number of lesser sets, of the same size and without the points of the few.
//!
//! The points are split into *low* and *high* ones. The sets that agree in the high points form a
//! *run* of consecutive values, in the order of their low points; so the place of a set is the sum
//! of two numbers from tables, the start of its run and the rank of its low points. Most moves
//! change few points, so runs are read from runs.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use anser_core::hunt::HuntIndex;
use anser_core::{Hunt, LayerIndex, Side};
use anser_retrograde::parallel;

use super::moves::{Change, Image, Move};
use super::rules::{Numbers, Rules};

/// Places from the start of a run, as many as a rank of low points can name. Arrays of values are
/// longer than their sets by this many, so that a run never ends too early.
pub(super) const PADDING: usize = 1 << 16;

/// Places of the sets of the many in a layer with fixed numbers of pieces.
pub(super) struct Layout {
    /// Number of sets of the many for each representative.
    pub(super) sets: usize,
    /// The arrangements of the few, one of each orbit.
    pub(super) orbits: Vec<Orbit>,
    pub(super) numbers: OrbitNumbers,
}

/// By arrangement of the few that represents an orbit: the number of the orbit.
pub(super) struct OrbitNumbers(HashMap<u64, u32>);

impl OrbitNumbers {
    pub(super) fn new(few: &[u64]) -> OrbitNumbers {
        OrbitNumbers(few.iter().copied().zip(0..).collect())
    }

    /// Returns the orbit of an arrangement, and the number of a symmetry that takes it to the
    /// representative.
    fn of(&self, images: &[Image], few: u64) -> (u32, u16) {
        let found = (0..)
            .zip(images)
            .find_map(|(symmetry, image)| Some((*self.0.get(&image.of(few))?, symmetry)));
        found.expect("every arrangement of the few has a representative")
    }

    /// Returns moves of the few to these orbits, by the orbit that they lead from, as are `moves`:
    /// each with the arrangement after it.
    pub(super) fn moves(&self, images: &[Image], moves: &[Vec<(Change, u64)>]) -> Vec<Vec<Move>> {
        let resolved = |&(change, few): &(Change, u64)| {
            let (orbit, symmetry) = self.of(images, few);
            Move { change, orbit, symmetry }
        };
        parallel::map(moves, &|moves| moves.iter().map(resolved).collect())
    }
}

/// An arrangement of the few, and the sets of the many beside it.
pub(super) struct Orbit {
    /// The points of the few.
    pub(super) few: u64,
    pub(super) low: Arc<Low>,
    pub(super) high: Arc<High>,
}

impl Orbit {
    /// Returns the place of a set.
    #[inline(always)]
    pub(super) fn place(&self, set: u64) -> usize {
        let low_mask = (1 << self.low.points) - 1;
        let (high, low) = (set >> self.low.points, set & low_mask);
        self.high.start(high as u32) as usize + usize::from(self.low.rank[low as usize])
    }

    /// Returns the places of the sets of a run.
    pub(super) fn places(&self, run: Run) -> Range<usize> {
        let start = run.start as usize;
        start..start + self.low.len(run)
    }

    /// Returns the number of sets.
    pub(super) fn sets(&self) -> usize {
        self.places_of(0..self.high.runs.len()).end
    }

    /// Returns the places of runs that follow each other, given by their numbers.
    pub(super) fn places_of(&self, runs: Range<usize>) -> Range<usize> {
        let ends = [runs.start, runs.end.wrapping_sub(1)].map(|run| self.high.runs.get(run));
        let [Some(&first), Some(&last)] = ends else { return 0..0 };
        self.places(first).start..self.places(last).end
    }

    /// Returns the numbers of runs that follow each other, in stretches of about this many sets, or
    /// of one run.
    pub(super) fn stretches(&self, sets: usize) -> impl Iterator<Item = Range<usize>> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let rest = &self.high.runs[next..];
            let first = rest.first()?.start as usize;
            let is_near = |run: &&Run| self.places(**run).end - first <= sets;
            let len = rest.iter().take_while(is_near).count().max(1);
            next += len;
            Some(next - len..next)
        })
    }

    /// Calls `visit` with the place and the points of every set of a run.
    pub(super) fn for_each_set(&self, run: Run, mut visit: impl FnMut(usize, u64)) {
        let Run { high, start, low } = run;
        for (place, &set) in (start as usize..).zip(&self.low.by_size[usize::from(low)]) {
            visit(place, u64::from(high) << self.low.points | u64::from(set));
        }
    }
}

/// The sets of low points without those of the few.
pub(super) struct Low {
    /// The number of low points.
    pub(super) points: u32,
    /// By size: the sets in ascending order.
    pub(super) by_size: Vec<Vec<u32>>,
    /// By set: its rank among the sets of its size.
    pub(super) rank: Vec<u16>,
}

/// The sets of high points without those of the few.
///
/// Those that agree in the highest points are a *group*. The places of runs in a group depend only
/// on their other high points, and on how many of the many these and the low points have. So groups
/// with as many points have one row of places, and two small tables are enough for the place of any
/// run.
pub(super) struct High {
    pub(super) runs: Vec<Run>,
    /// The number of high points that do not name a group.
    in_group: u32,
    /// By group: its first place, and the start of its row.
    groups: Vec<[u32; 2]>,
    /// By row, and by the high points that do not name a group: the place of a run in its group.
    /// The first row is that of groups without a run. No meaning for sets without a run.
    rows: Vec<u32>,
}

/// The sets of the many that agree in the high points.
#[derive(Clone, Copy)]
pub(super) struct Run {
    /// The high points, shifted to bit 0.
    pub(super) high: u32,
    /// The first place.
    pub(super) start: u32,
    /// Number of low points.
    pub(super) low: u8,
}

/// The number of sets of high points whose bits are kept together.
const BLOCK: usize = 512;

/// Runs of an orbit, by their high points. No runs take no memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Runs {
    /// By sets of high points, [`BLOCK`] at a time: the number of their block, from 1 up, or 0 if
    /// they have no run here.
    numbers: Vec<u16>,
    /// A bit for each set of high points.
    blocks: Vec<[u64; BLOCK / 64]>,
}

impl Runs {
    /// Returns all runs of an orbit.
    pub(super) fn all(orbit: &Orbit) -> Runs {
        let numbers = vec![1; orbit.high.sets().div_ceil(BLOCK)];
        Runs { numbers, blocks: vec![[!0; BLOCK / 64]] }
    }

    #[inline(always)]
    pub(super) fn has(&self, high: u32) -> bool {
        let (number, word, bit) = Runs::locate(high);
        match self.numbers.get(number) {
            None | Some(0) => false,
            Some(&block) => self.blocks[usize::from(block) - 1][word] & bit != 0,
        }
    }

    pub(super) fn insert(&mut self, high: u32) {
        let (number, word, bit) = Runs::locate(high);
        self.block(number)[word] |= bit;
    }

    /// Returns where the bit of a set is: the place of the number of its block, the word of the
    /// block, and the bit of the word.
    #[inline(always)]
    fn locate(high: u32) -> (usize, usize, u64) {
        let high = high as usize;
        (high / BLOCK, high % BLOCK / 64, 1 << (high % 64))
    }

    /// Returns the block with this place among the numbers, to which runs are added.
    fn block(&mut self, number: usize) -> &mut [u64; BLOCK / 64] {
        if self.numbers.len() <= number {
            self.numbers.resize(number + 1, 0);
        }
        let block = &mut self.numbers[number];
        if *block == 0 {
            self.blocks.push([0; BLOCK / 64]);
            *block = self.blocks.len() as u16;
        }
        &mut self.blocks[usize::from(*block) - 1]
    }

    /// Returns these runs and others of the same orbit.
    pub(super) fn with(mut self, others: &Runs) -> Runs {
        for (number, &block) in others.numbers.iter().enumerate().filter(|(_, block)| **block > 0) {
            let words = &others.blocks[usize::from(block) - 1];
            self.block(number).iter_mut().zip(words).for_each(|(word, other)| *word |= other);
        }
        self
    }

    /// Returns the number of sets of these runs.
    pub(super) fn sets(&self, orbit: &Orbit) -> usize {
        let runs = orbit.high.runs.iter().filter(|run| self.has(run.high));
        runs.map(|&run| orbit.low.len(run)).sum()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }
}

/// Returns the binomial coefficient.
pub(super) fn binomial(n: usize, k: usize) -> u64 {
    if k > n { 0 } else { (0..k as u64).fold(1, |b, i| b * (n as u64 - i) / (i + 1)) }
}

/// Returns the most bytes that the low and high parts take beside a number of orbits of `few`
/// pieces, with at most `runs` runs in a high part.
pub(super) fn bytes_of_parts(rules: &Rules, few: usize, orbits: u64, runs: u64) -> u64 {
    let [low, high] = [rules.low_points as usize, rules.points - rules.low_points as usize];
    let of_few = |half: usize| (0..=few).map(|few| binomial(half, few)).sum::<u64>();
    // Places of runs in their groups: a row for each number of points in a group, and an empty one.
    let rows = (high / 2 + 3) << (high / 2);
    let places = size_of::<u32>() * (rows + (2 << high.div_ceil(2)));
    let of_high = orbits.min(of_few(high)) * (runs * size_of::<Run>() as u64 + places as u64);
    orbits.min(of_few(low)) * (6 << low) + of_high
}

/// Returns the most runs of an orbit in a layer with `many` pieces of the many on the board, with
/// these high points.
pub(super) fn most_runs(low: usize, high: usize, many: usize) -> u64 {
    (many.saturating_sub(low)..=many.min(high)).map(|of_high| binomial(high, of_high)).sum()
}

/// Returns the most bytes of [`Runs`] of an orbit with at most `runs` of them.
pub(super) fn bytes_of_runs(rules: &Rules, runs: u64) -> u64 {
    let blocks = (1_u64 << (rules.points as u32 - rules.low_points)).div_ceil(BLOCK as u64);
    blocks * size_of::<u16>() as u64 + blocks.min(runs) * size_of::<[u64; BLOCK / 64]>() as u64
}

impl Layout {
    /// Returns the number of sets of `many` points beside `few` others on a board of `points`.
    /// `None` from 2^32 up.
    pub(super) fn sets(points: usize, few: usize, many: usize) -> Option<usize> {
        let sets = binomial(points - few, many);
        u32::try_from(sets).is_ok().then_some(sets as usize)
    }

    /// Returns the layout of a layer with at least one entry.
    pub(super) fn new(game: &Hunt, low_points: u32, index: &HuntIndex) -> Layout {
        let points = game.description().points.len();
        let [few, many] = Numbers::of(index).on_board;
        let sets = Layout::sets(points, few, many).expect("the engine takes no larger layers");
        let starts = (0..index.len(Side::First)).step_by(sets);
        let few: Vec<u64> =
            starts.map(|start| index.unrank(Side::First, start).few().bits() as u64).collect();
        let low_mask = (1 << low_points) - 1;
        let lows = of_each(few.iter().map(|few| few & low_mask), &|low| Low::new(low_points, low));
        // The number of sets in a run does not depend on which low points the few have.
        let low_of: HashMap<u64, &Low> =
            few.iter().map(|few| (few >> low_points, &*lows[&(few & low_mask)])).collect();
        let highs = of_each(few.iter().map(|few| few >> low_points), &|high| {
            let points = points as u32 - low_points;
            High::of_all(points, high, low_of[&high], many)
        });
        let orbit = |&few: &u64| {
            let (low, high) = (&lows[&(few & low_mask)], &highs[&(few >> low_points)]);
            Orbit { few, low: Arc::clone(low), high: Arc::clone(high) }
        };
        let orbits: Vec<Orbit> = few.iter().map(orbit).collect();
        let numbers = OrbitNumbers::new(&few);
        Layout { sets, orbits, numbers }
    }

    /// Returns the number of values with one side to move.
    pub(super) fn len(&self) -> usize {
        self.sets * self.orbits.len()
    }
}

/// Returns the results of `of` for the parts of arrangements, by part.
fn of_each<T: Send>(
    parts: impl Iterator<Item = u64>,
    of: &(dyn Fn(u64) -> T + Sync),
) -> HashMap<u64, Arc<T>> {
    let mut parts: Vec<u64> = parts.collect();
    parts.sort_unstable();
    parts.dedup();
    let results = parallel::map(&parts, &|&part| of(part));
    parts.into_iter().zip(results.into_iter().map(Arc::new)).collect()
}

impl Low {
    pub(super) fn new(points: u32, few: u64) -> Low {
        let free = (points - few.count_ones()) as usize;
        let empty = |size: usize| Vec::with_capacity(binomial(free, size) as usize);
        let mut by_size: Vec<Vec<u32>> = (0..=free).map(empty).collect();
        let mut rank = vec![0; 1 << points];
        for set in (0..1u32 << points).filter(|set| u64::from(*set) & few == 0) {
            let sets = &mut by_size[set.count_ones() as usize];
            rank[set as usize] = sets.len() as u16;
            sets.push(set);
        }
        Low { points, by_size, rank }
    }

    /// Returns the number of low points of sets of `many` points with these high ones; `None` if
    /// there is no such set.
    pub(super) fn number(&self, many: usize, high: u32) -> Option<usize> {
        let number = many.checked_sub(high.count_ones() as usize)?;
        (number < self.by_size.len()).then_some(number)
    }

    /// Returns the number of sets of a run.
    pub(super) fn len(&self, run: Run) -> usize {
        self.by_size[usize::from(run.low)].len()
    }
}

impl High {
    /// Creates the runs of all sets of `points` high points, in ascending order.
    pub(super) fn of_all(points: u32, few: u64, low: &Low, many: usize) -> High {
        let of_groups = points.div_ceil(2);
        High::new([points, of_groups], few, low, many, 0..1 << of_groups)
    }

    /// Creates the runs of these groups, in their order. The number of high points is given with
    /// that of those which name a group.
    pub(super) fn new(
        [points, of_groups]: [u32; 2],
        few: u64,
        low: &Low,
        many: usize,
        groups: impl Iterator<Item = u32>,
    ) -> High {
        let in_group = points - of_groups;
        let mut high = High {
            runs: Vec::new(),
            in_group,
            groups: vec![[0; 2]; 1 << of_groups],
            rows: vec![0; 1 << in_group],
        };
        let is_free = |set: u32| u64::from(set) & few == 0;
        let mut rows = vec![None; of_groups as usize + 1];
        let mut next = 0;
        for group in groups.filter(|group| is_free(group << in_group)) {
            let (end, first) = (high.rows.len() as u32, next);
            let row = *rows[group.count_ones() as usize].get_or_insert(end);
            high.rows.resize(high.rows.len().max((row + (1 << in_group)) as usize), 0);
            high.groups[group as usize] = [first, row];
            for other in (0..1 << in_group).filter(|&other| is_free(other)) {
                let set = group << in_group | other;
                if let Some(of_low) = low.number(many, set) {
                    high.rows[(row + other) as usize] = next - first;
                    high.runs.push(Run { high: set, start: next, low: of_low as u8 });
                    next += low.by_size[of_low].len() as u32;
                }
            }
        }
        high
    }

    /// Returns the number of sets of high points, also of those with points of the few.
    fn sets(&self) -> usize {
        self.groups.len() << self.in_group
    }

    /// Returns the first place of a run. No meaning for sets without a run.
    #[inline(always)]
    pub(super) fn start(&self, high: u32) -> u32 {
        let [first, row] = self.groups[(high >> self.in_group) as usize];
        first + self.rows[(row + (high & ((1 << self.in_group) - 1))) as usize]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Compares each place with those of all sets, one after the other.
    #[test]
    fn runs_begin_where_those_before_them_end() {
        const POINTS: u32 = 7;
        for (few, many) in [(0, 5), (0b10, 6), (0b100_0001, 3), (0b1, 12)] {
            let low = Low::new(6, 0b101);
            for of_groups in [0, 2, 4, POINTS] {
                let groups: Vec<u32> = (0..1 << of_groups).rev().step_by(3).collect();
                let points = [POINTS, of_groups];
                let high = High::new(points, few, &low, many, groups.iter().copied());
                assert_eq!(high.sets(), 1 << POINTS);
                let in_group = POINTS - of_groups;
                let sets = groups.iter().flat_map(|group| {
                    (0..1 << in_group).map(move |other| group << in_group | other)
                });
                let (mut runs, mut next) = (high.runs.iter(), 0);
                for set in sets.filter(|set| u64::from(*set) & few == 0) {
                    if let Some(of_low) = low.number(many, set) {
                        let run = runs.next().expect("a run for each set");
                        assert_eq!((run.high, usize::from(run.low)), (set, of_low));
                        assert_eq!([run.start, high.start(set)], [next; 2], "{few} {many} {set}");
                        next += low.by_size[of_low].len() as u32;
                    }
                }
                assert!(runs.next().is_none());
            }
        }
    }

    #[test]
    fn no_orbit_has_more_runs_than_are_planned() {
        for low_points in 3..=6 {
            for many in 0..=11 {
                for few in [0, 0b1, 0b10_0010] {
                    let low = Low::new(low_points, few & 1);
                    let runs = High::of_all(6, few, &low, many).runs.len() as u64;
                    let most = most_runs(low_points as usize, 6, many);
                    assert!(runs <= most, "{low_points} {many} {few}");
                    assert!(few > 0 || runs == most, "{low_points} {many}: {runs} of {most}");
                }
            }
        }
    }

    #[test]
    fn runs_are_those_that_were_inserted() {
        let low = Arc::new(Low::new(1, 0));
        let high = Arc::new(High::of_all(12, 0, &low, 6));
        let orbit = Orbit { few: 0, low, high };
        let numbers = [[5, 4000, 1023, 5], [511, 512, 4095, 1024]];
        let [some, others] = numbers.map(|numbers| {
            let mut runs = Runs::default();
            assert!(runs.is_empty());
            for high in numbers {
                runs.insert(high);
            }
            assert!(!runs.is_empty());
            runs
        });
        let both = some.clone().with(&others).with(&Runs::default());
        let mut all = Runs::all(&orbit).with(&some);
        all.insert(7);
        let of_all: BTreeSet<u32> = (0..1 << 12).collect();
        for (runs, expected) in [
            (Runs::default(), BTreeSet::new()),
            (some, BTreeSet::from(numbers[0])),
            (others, BTreeSet::from(numbers[1])),
            (both, BTreeSet::from_iter(numbers.concat())),
            (all, of_all.clone()),
        ] {
            let found: BTreeSet<u32> =
                of_all.iter().copied().filter(|&high| runs.has(high)).collect();
            assert_eq!(found, expected);
            let has_run = |run: &&Run| expected.contains(&run.high);
            let len = |run: &Run| orbit.low.len(*run);
            let sets: usize = orbit.high.runs.iter().filter(has_run).map(len).sum();
            assert_eq!(runs.sets(&orbit), sets);
        }
    }
}
