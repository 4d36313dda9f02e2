//! The orbits of the sets of the few under the symmetries, and the sets of the many beside them.

use std::sync::LazyLock;

use crate::hunt::checked::Checked;
use crate::hunt::symmetries::{MOST_SYMMETRIES, Symmetry};
use crate::hunt::{Layering, MOST_POINTS, PointSet};

/// Greatest number of sets of the few on the board.
pub(super) const MOST_FEW_SETS: u64 = 1 << 20;

/// By `n` and `k` up to [`MOST_POINTS`]: the binomial coefficient, at most `u64::MAX`.
static BINOMIALS: [[u64; MOST_POINTS + 1]; MOST_POINTS + 1] = {
    let mut table = [[0u64; MOST_POINTS + 1]; MOST_POINTS + 1];
    let mut n = 0;
    while n <= MOST_POINTS {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1].saturating_add(table[n - 1][k]);
            k += 1;
        }
        n += 1;
    }
    table
};

/// Returns the binomial coefficient `n` over `k` for `n` up to [`MOST_POINTS`], at most `u64::MAX`.
#[inline]
pub(super) fn binomial(n: usize, k: usize) -> u64 {
    BINOMIALS[n].get(k).copied().unwrap_or(0)
}

/// Returns the number of lesser sets of the same size.
#[inline]
fn colex(set: PointSet) -> u64 {
    set.iter().enumerate().map(|(i, point)| binomial(point.into(), i + 1)).sum()
}

/// Greatest number of points for [`colex_of_many`].
const WORD: usize = u64::BITS as usize;

/// Number of points that [`colex_of_many`] looks up at once.
const GROUP: usize = 6;

/// By number of groups below and of points in them: by the points of a group, the sum of their
/// binomial coefficients. Those of group `g` begin with row `g + GROUP * (g * (g - 1) / 2)`.
static COLEX: LazyLock<Vec<[u64; 1 << GROUP]>> = LazyLock::new(|| {
    let groups = 0..WORD.div_ceil(GROUP);
    let rows = groups.flat_map(|group| (0..=GROUP * group).map(move |below| (group, below)));
    let of_row = |(group, below): (usize, usize)| {
        let mut row = [0u64; 1 << GROUP];
        for set in 1..row.len() {
            let (last, size) = (set.ilog2() as usize, set.count_ones() as usize);
            let number = binomial(GROUP * group + last, below + size);
            row[set] = row[set & !(1 << last)] + number;
        }
        row
    };
    rows.map(of_row).collect()
});

/// Does what [`colex`] does, faster if the set has many points. They are below [`WORD`].
#[inline]
fn colex_of_many(mut set: u64) -> u64 {
    let rows = &COLEX[..];
    let (mut number, mut group, mut first_row, mut below) = (0, 0, 0, 0);
    while set != 0 {
        let points = set as usize & ((1 << GROUP) - 1);
        number += rows[first_row + below][points];
        below += points.count_ones() as usize;
        first_row += 1 + GROUP * group;
        group += 1;
        set >>= GROUP;
    }
    number
}

/// A set of the few, among those of its orbit.
#[derive(Clone, Copy)]
pub(super) struct FewSet {
    /// The number of the orbit.
    orbit: u32,
    /// A symmetry that takes the set to the representative.
    pub(super) symmetry: u8,
    /// The number of lesser sets of the orbit.
    pub(super) lesser: u8,
    /// The symmetries that keep the set, a bit for each.
    pub(super) kept_by: u16,
}

// A bit for each symmetry.
const _: () = assert!(MOST_SYMMETRIES <= u16::BITS as usize);

impl FewSet {
    const NONE: FewSet = FewSet { orbit: u32::MAX, symmetry: 0, lesser: 0, kept_by: 0 };

    /// Returns the number of the orbit.
    #[inline]
    pub(super) fn orbit(self) -> usize {
        self.orbit as usize
    }
}

/// The orbits of the sets of one number of the few.
pub(super) struct FewOrbits {
    /// By number of the set (see [`colex`]).
    of_set: Vec<FewSet>,
    pub(super) orbits: Vec<FewOrbit>,
}

/// An orbit of sets of the few.
pub(super) struct FewOrbit {
    pub(super) representative: PointSet,
    /// The number of members.
    pub(super) size: u64,
    /// The symmetries that fix the representative, without the identity.
    pub(super) fixed_by: Vec<u8>,
    /// The points that are not in the representative, in ascending order.
    pub(super) free: Vec<u8>,
    /// By free point: its place among them.
    places: Vec<u8>,
    /// The sum of the heights of the representative.
    pub(super) height: usize,
    /// By heights of the free points, if layers are by advance.
    pub(super) sums: Option<Sums>,
}

/// The numbers of sets of points by size and sum of heights.
pub(super) struct Sums {
    /// `N[s][i][h]`: the number of sets of `i` of the first `s` free points with the sum `h`.
    counts: Vec<u64>,
    /// By place of a free point: its height.
    heights: Vec<usize>,
    /// Numbers of sizes, and of sums.
    shape: [usize; 2],
}

impl Sums {
    fn new(heights: Vec<usize>, most: usize) -> Sums {
        let greatest: usize = {
            let mut sorted = heights.clone();
            sorted.sort_unstable();
            sorted.iter().rev().take(most).sum()
        };
        let shape = [most + 1, greatest + 1];
        let mut sums =
            Sums { counts: vec![0; (heights.len() + 1) * shape[0] * shape[1]], heights, shape };
        sums.counts[0] = 1;
        for place in 0..sums.heights.len() {
            for size in 0..=most {
                for sum in 0..=greatest {
                    let without = sums.of(place, size, sum);
                    let height = sums.heights[place];
                    let with = if size > 0 && sum >= height {
                        sums.of(place, size - 1, sum - height)
                    } else {
                        0
                    };
                    let at = sums.at(place + 1, size, sum);
                    sums.counts[at] = without.saturating_add(with);
                }
            }
        }
        sums
    }

    fn at(&self, places: usize, size: usize, sum: usize) -> usize {
        (places * self.shape[0] + size) * self.shape[1] + sum
    }

    /// Returns the number of sets of `size` of the first `places` points with this sum.
    #[inline]
    fn of(&self, places: usize, size: usize, sum: usize) -> u64 {
        if sum < self.shape[1] { self.counts[self.at(places, size, sum)] } else { 0 }
    }
}

impl FewOrbits {
    /// Creates the orbits of `few` pieces.
    pub(super) fn new(checked: &Checked, few: usize) -> FewOrbits {
        let Checked { description, play, symmetries, inverses, .. } = checked;
        let points = description.points.len();
        let [few_heights, many_heights] = [0, 1].map(|side| &play.movers[side].heights);
        let sets = binomial(points, few) as usize;
        let mut orbits = FewOrbits { of_set: vec![FewSet::NONE; sets], orbits: Vec::new() };
        let mut representative = PointSet::first_points(few);
        for number in 0..sets {
            if number > 0 {
                representative = PointSet::from_bits(next_of_size(representative.bits()));
            }
            if orbits.of_set[number].orbit != u32::MAX {
                continue;
            }
            let orbit = orbits.orbits.len() as u32;
            let images: Vec<PointSet> =
                symmetries.iter().map(|map| map.image(representative)).collect();
            let mut members = images.clone();
            members.sort_unstable();
            members.dedup();
            let keeps = |&symmetry: &usize| images[symmetry] == representative;
            let fixed_by = (1..symmetries.len()).filter(keeps).map(|it| it as u8).collect();
            // From the last to the first, so that the first of those that lead to a set stays.
            for (symmetry, &image) in images.iter().enumerate().rev() {
                let kept_by = if members.len() == symmetries.len() {
                    1
                } else {
                    let keeps = |map: &Symmetry| map.image(image) == image;
                    let maps = symmetries.iter().enumerate().filter(|(_, map)| keeps(map));
                    maps.map(|(number, _)| 1 << number).sum()
                };
                let lesser = members.partition_point(|member| *member < image) as u8;
                orbits.of_set[colex(image) as usize] =
                    FewSet { orbit, symmetry: inverses[symmetry], lesser, kept_by };
            }
            let free: Vec<u8> =
                (0..points as u8).filter(|&point| !representative.contains(point)).collect();
            let sums = (description.layers == Layering::Advance).then(|| {
                let heights = free.iter().map(|&p| many_heights[usize::from(p)].into()).collect();
                Sums::new(heights, description.sides[1].number[1].into())
            });
            orbits.orbits.push(FewOrbit {
                representative,
                size: members.len() as u64,
                fixed_by,
                places: (0..points as u8)
                    .map(|point| point - representative.below(point).len() as u8)
                    .collect(),
                free,
                height: representative
                    .iter()
                    .map(|p| usize::from(few_heights[usize::from(p)]))
                    .sum(),
                sums,
            });
        }
        orbits
    }

    /// Returns a set among those of its orbit.
    #[inline]
    pub(super) fn of(&self, few: PointSet) -> FewSet {
        self.of_set[colex(few) as usize]
    }
}

/// Returns the next set of the same size, in ascending order. There is one.
#[inline]
fn next_of_size(set: u128) -> u128 {
    let lowest = set & set.wrapping_neg();
    let carried = set + lowest;
    carried | (set ^ carried) >> lowest.trailing_zeros() >> 2
}

impl FewOrbit {
    /// Returns the number of sets of the many.
    #[inline]
    pub(super) fn sets(&self, many: usize, height: usize) -> u64 {
        match &self.sums {
            None => binomial(self.free.len(), many),
            Some(sums) => sums.of(self.free.len(), many, height),
        }
    }

    /// Returns the number of lesser sets of the many.
    #[inline]
    pub(super) fn rank(&self, many: PointSet) -> u64 {
        let place = |point: u8| usize::from(self.places[usize::from(point)]);
        match &self.sums {
            None if self.places.len() <= WORD => {
                let mut set = many.bits() as u64;
                for (before, point) in self.representative.iter().enumerate() {
                    let below = (1 << (usize::from(point) - before)) - 1;
                    set = set & below | set >> 1 & !below;
                }
                colex_of_many(set)
            }
            None => {
                let terms = many.iter().enumerate();
                terms.map(|(i, point)| binomial(place(point), i + 1)).sum()
            }
            Some(sums) => {
                let (mut rank, mut sum) = (0, 0);
                for (i, point) in many.iter().enumerate() {
                    let place = place(point);
                    sum += sums.heights[place];
                    rank += sums.of(place, i + 1, sum);
                }
                rank
            }
        }
    }

    /// Returns the next set of the same size in ascending order. There is one.
    #[inline]
    pub(super) fn next(&self, many: PointSet) -> PointSet {
        // The next number with as many bits, without the points of the few.
        let mut set = many.bits();
        for (before, point) in self.representative.iter().enumerate() {
            let below = (1 << (usize::from(point) - before)) - 1;
            set = set & below | set >> 1 & !below;
        }
        set = next_of_size(set);
        for point in self.representative.iter() {
            let below = (1 << point) - 1;
            set = set & below | (set & !below) << 1;
        }
        PointSet::from_bits(set)
    }

    /// Returns the set of `many` points with this sum and this number of lesser ones.
    #[inline]
    pub(super) fn unrank(&self, many: usize, mut height: usize, mut number: u64) -> PointSet {
        let mut places = self.free.len();
        let mut set = PointSet::EMPTY;
        for left in (1..=many).rev() {
            let lesser = |places| match &self.sums {
                None => binomial(places, left),
                Some(sums) => sums.of(places, left, height),
            };
            places -= 1;
            while lesser(places) > number {
                places -= 1;
            }
            number -= lesser(places);
            height -= self.sums.as_ref().map_or(0, |sums| sums.heights[places]);
            set |= PointSet::of(self.free[places]);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_numbered_by_groups_of_points_as_one_by_one() {
        for size in 0..=4 {
            let sets = (0..1u64 << 13).filter(|set| set.count_ones() == size);
            for (number, set) in sets.enumerate() {
                assert_eq!(colex_of_many(set), number as u64, "{set:b}");
            }
        }
        // Every point, alone and with some below it.
        for point in 0..WORD as u8 {
            for below in [0, 0b1, 0x8421_0842_1084, 0x5555_5555_5555_5555, u64::MAX] {
                let set = PointSet::of(point) | PointSet::from_bits(below.into()).below(point);
                assert_eq!(colex_of_many(set.bits() as u64), colex(set), "{set:?}");
            }
        }
    }
}
