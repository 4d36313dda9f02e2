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
        self.high.start[high as usize] as usize + usize::from(self.low.rank[low as usize])
    }

    /// Returns the places of the sets of a run.
    pub(super) fn places(&self, run: Run) -> Range<usize> {
        let start = run.start as usize;
        start..start + self.low.len(run)
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
pub(super) struct High {
    pub(super) runs: Vec<Run>,
    /// By set of high points: the first place of its run. No meaning for sets without a run.
    pub(super) start: Vec<u32>,
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

/// Runs of an orbit, by their high points.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Runs {
    bits: Vec<u64>,
}

impl Runs {
    /// Returns no run of an orbit.
    pub(super) fn none(orbit: &Orbit) -> Runs {
        Runs { bits: vec![0; orbit.high.start.len().div_ceil(64)] }
    }

    /// Returns all runs of an orbit.
    pub(super) fn all(orbit: &Orbit) -> Runs {
        Runs { bits: vec![!0; orbit.high.start.len().div_ceil(64)] }
    }

    #[inline(always)]
    pub(super) fn has(&self, high: u32) -> bool {
        let bits = self.bits.get(high as usize / 64);
        bits.is_some_and(|bits| bits >> (high % 64) & 1 != 0)
    }

    pub(super) fn insert(&mut self, high: u32) {
        self.bits[high as usize / 64] |= 1 << (high % 64);
    }

    /// Returns these runs and others of the same orbit.
    pub(super) fn with(mut self, others: &Runs) -> Runs {
        // No runs may have no bits.
        self.bits.resize(self.bits.len().max(others.bits.len()), 0);
        self.bits.iter_mut().zip(&others.bits).for_each(|(bits, others)| *bits |= others);
        self
    }

    /// Returns the number of sets of these runs.
    pub(super) fn sets(&self, orbit: &Orbit) -> usize {
        let runs = orbit.high.runs.iter().filter(|run| self.has(run.high));
        runs.map(|&run| orbit.low.len(run)).sum()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bits.iter().all(|&bits| bits == 0)
    }
}

/// Returns the binomial coefficient.
pub(super) fn binomial(n: usize, k: usize) -> u64 {
    if k > n { 0 } else { (0..k as u64).fold(1, |b, i| b * (n as u64 - i) / (i + 1)) }
}

/// Returns the most bytes that the low and high parts take beside a number of orbits of `few`
/// pieces, with `per_high` bytes for each set of high points.
pub(super) fn bytes_of_parts(rules: &Rules, few: usize, orbits: u64, per_high: u64) -> u64 {
    let [low, high] = [rules.low_points as usize, rules.points - rules.low_points as usize];
    let of_few = |half: usize| (0..=few).map(|few| binomial(half, few)).sum::<u64>();
    orbits.min(of_few(low)) * (6 << low) + orbits.min(of_few(high)) * (per_high << high)
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
            High::new(points, high, low_of[&high], many, 0..1 << points)
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
        let mut by_size = vec![Vec::new(); points as usize + 1 - few.count_ones() as usize];
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
    /// Creates the runs of these sets of `points` high points, in their order.
    pub(super) fn new(
        points: u32,
        few: u64,
        low: &Low,
        many: usize,
        sets: impl Iterator<Item = u32>,
    ) -> High {
        let mut start = vec![0; 1 << points];
        let (mut runs, mut next) = (Vec::new(), 0);
        for set in sets.filter(|set| u64::from(*set) & few == 0) {
            if let Some(of_low) = low.number(many, set) {
                start[set as usize] = next;
                runs.push(Run { high: set, start: next, low: of_low as u8 });
                next += low.by_size[of_low].len() as u32;
            }
        }
        High { runs, start }
    }
}
