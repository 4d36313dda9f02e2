//! The index `hunt`, version 1: a numbering of the symmetry classes of a layer of any hunt.
//!
//! # Specification
//! The few stand on a set `F` of points, the many on a set `M` of others. A set of points is read
//! as a number with bit `n` for point `n`.
//!
//! The symmetries are the permutations of the points that keep the steps, jumps, and captures of
//! both sides, their regions, and the points of each end. With more than 16 of them, or with an end
//! `behind`, they are those that also fix the first points, as few as necessary.
//!
//! 1. *Segments.* A layer has a segment for each number `f` of the few on the board, each orbit of
//!    sets of `f` points under the symmetries, and each number `k` of the many on the board, in
//!    this order, `f` and `k` ascending, orbits by their representatives. The representative of an
//!    orbit is its least set. A segment has an entry for each set of `k` of the points that are not
//!    in the representative; in a layer by advance, only for those with which the heights of all
//!    pieces have the sum of the layer.
//! 2. *Order.* The sets of a segment are in ascending order (the combinatorial number system).
//! 3. *Rank.* Apply a symmetry that takes `F` to its representative, and then the one of those that
//!    fix the representative that makes `M` least. The rank is the number of entries of the
//!    segments before, and the number of lesser sets in the segment.
//!
//! So a class whose `M` has lesser images under the symmetries that fix the representative has
//! entries that are no rank of any position: *copies*. They hold the value of the class, and their
//! orbit is 0. The same goes for arrangements that are no positions. Entries are the same for both
//! sides to move. Packed tables have them in the order of their ranks.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::hunt::checked::Checked;
use crate::hunt::few_orbits::{FewOrbit, binomial};
use crate::hunt::scheme::Scheme;
use crate::hunt::{PointSet, Position};
use crate::{IndexScheme, LayerIndex, Side};

/// Returns the number of positions of a layer with a side to move, if it follows from the numbers
/// of pieces alone: without the orbits of the few, which take time on boards with many of them.
pub(super) fn positions(checked: &Checked, layer: u16, side: Side) -> Option<u64> {
    let contents = checked.contents(layer);
    let by_numbers = match checked.scheme {
        Scheme::General => checked.play.numbers_suffice && contents.height.is_none(),
        Scheme::Cross(_) => true,
        Scheme::Rows(_) | Scheme::Words(_) => false,
    };
    if !by_numbers {
        return None;
    }
    let points = checked.description.points.len();
    let mover = side.other();
    let mut positions = 0_u64;
    for few in contents.few.clone() {
        for many in contents.many.clone() {
            let pieces = if mover == Side::First { few } else { many };
            if pieces > 0 || contents.hand[mover.index()] > 0 {
                let free = points - usize::from(few);
                let sets = binomial(points, few.into());
                let arrangements = sets.saturating_mul(binomial(free, many.into()));
                positions = positions.saturating_add(arrangements);
            }
        }
    }
    Some(positions)
}

/// The entries of one orbit of the few and one number of the many.
#[derive(Clone, Copy)]
struct Segment {
    start: u64,
    few: u8,
    many: u8,
    orbit: u32,
    /// The sum of the heights of the many, in layers by advance.
    height: usize,
}

/// Index of one layer of a hunt. The source of the module has the specification.
pub(super) struct GeneralIndex {
    checked: Arc<Checked>,
    segments: Vec<Segment>,
    /// The least number of the few and of the many, and the number of numbers of the many.
    least: [u8; 2],
    many: usize,
    /// By number of the few above the least: by orbit and number of the many above the least, the
    /// place of the segment.
    places: Vec<Vec<u32>>,
    len: u64,
    hand: [u8; 2],
    left: Option<u8>,
    /// Whether every arrangement of the layer is a position.
    pub(super) all_are_positions: bool,
}

impl GeneralIndex {
    pub(super) fn new(checked: &Arc<Checked>, layer: u16) -> GeneralIndex {
        let contents = checked.contents(layer);
        let (mut segments, mut start) = (Vec::new(), 0u64);
        let mut places = Vec::new();
        for few in contents.few.clone() {
            let orbits = checked.few_orbits(few);
            let mut of_few = Vec::new();
            for (number, orbit) in orbits.orbits.iter().enumerate() {
                for many in contents.many.clone() {
                    of_few.push(segments.len() as u32);
                    let height = match contents.height {
                        None => 0,
                        Some(sum) if sum < orbit.height => continue,
                        Some(sum) => sum - orbit.height,
                    };
                    let len = orbit.sets(many.into(), height);
                    if len > 0 {
                        segments.push(Segment { start, few, many, orbit: number as u32, height });
                        start = start.saturating_add(len);
                    }
                }
            }
            places.push(of_few);
        }
        GeneralIndex {
            checked: Arc::clone(checked),
            segments,
            least: [*contents.few.start(), *contents.many.start()],
            many: contents.many.len(),
            places,
            len: start,
            hand: contents.hand,
            left: contents.left,
            // Each side has a piece, so it can have moved.
            all_are_positions: checked.play.numbers_suffice
                && contents.few.start() + contents.hand[0] > 0
                && contents.many.start() + contents.hand[1] > 0,
        }
    }

    /// Returns the rank of the entry of an orbit, by its number, and a set of the many beside its
    /// representative. The layer has one number of the few and one of the many.
    #[inline]
    pub(super) fn rank_in(&self, orbit: usize, many: PointSet) -> u64 {
        let segment = &self.segments[orbit];
        segment.start + self.orbit_of(segment).rank(many)
    }

    /// Returns the number of positions with a side to move, if it follows from the orbits alone.
    pub(super) fn positions(&self, side: Side) -> Option<u64> {
        let counts = self.segments_of(side).map(|segment| {
            let orbit = self.orbit_of(segment);
            orbit.size * orbit.sets(segment.many.into(), segment.height)
        });
        self.checked.play.numbers_suffice.then(|| counts.sum())
    }

    /// Returns the segments in which the side that is not to move, and has moved last, has a piece.
    fn segments_of(&self, side: Side) -> impl Iterator<Item = &Segment> {
        let mover = side.other();
        self.segments.iter().filter(move |segment| {
            let pieces = if mover == Side::First { segment.few } else { segment.many };
            pieces > 0 || self.hand[mover.index()] > 0
        })
    }

    /// Returns the number of classes of a segment: by Burnside's lemma the mean number of sets of
    /// the many that a symmetry leaves as they are, over those that fix the few.
    fn classes_of(&self, segment: &Segment) -> u64 {
        let orbit = self.orbit_of(segment);
        let (many, height) = (usize::from(segment.many), segment.height);
        let heights = &self.checked.play.movers[1].heights;
        let mut fixed = orbit.sets(many, height);
        for &symmetry in &orbit.fixed_by {
            let images = self.checked.symmetries[usize::from(symmetry)].images();
            // By size and height: the number of sets that are unions of the cycles so far.
            let mut unions = BTreeMap::from([((0, 0), 1)]);
            let mut left: PointSet = orbit.free.iter().copied().collect();
            while let Some(first) = left.first() {
                let (mut size, mut sum, mut point) = (0, 0, first);
                while left.contains(point) {
                    left = left - PointSet::of(point);
                    size += 1;
                    if orbit.sums.is_some() {
                        sum += usize::from(heights[usize::from(point)]);
                    }
                    point = images[usize::from(point)];
                }
                let with: Vec<_> =
                    unions.iter().map(|(&(n, h), &c)| ((n + size, h + sum), c)).collect();
                for (of, count) in with.into_iter().filter(|&((n, h), _)| n <= many && h <= height)
                {
                    *unions.entry(of).or_insert(0) += count;
                }
            }
            fixed += unions.get(&(many, height)).copied().unwrap_or(0);
        }
        fixed / (orbit.fixed_by.len() as u64 + 1)
    }

    /// Returns the segments that have some of `ranks`, each with those.
    fn segments_in(&self, ranks: Range<u64>) -> impl Iterator<Item = (&Segment, Range<u64>)> {
        let first = self.segments.partition_point(|segment| segment.start <= ranks.start);
        let numbers = first.saturating_sub(1)..self.segments.len();
        let of_segment = move |number: usize| {
            let segment = &self.segments[number];
            let end = self.segments.get(number + 1).map_or(self.len, |next| next.start);
            (segment, ranks.start.max(segment.start)..ranks.end.min(end))
        };
        // Beyond the ranks a range ends before it starts; a segment without entries is passed over.
        numbers
            .map(of_segment)
            .take_while(|(_, ranks)| ranks.start <= ranks.end)
            .filter(|(_, ranks)| !ranks.is_empty())
    }

    #[inline]
    fn orbit_of(&self, segment: &Segment) -> &FewOrbit {
        &self.checked.few_orbits(segment.few).orbits[segment.orbit as usize]
    }

    /// Returns the least image of the many under the symmetries that fix the few.
    #[inline]
    fn least(&self, orbit: &FewOrbit, many: PointSet) -> PointSet {
        let images = orbit
            .fixed_by
            .iter()
            .map(|&symmetry| self.checked.symmetries[usize::from(symmetry)].image(many));
        images.fold(many, PointSet::min)
    }

    /// Returns the number of positions of the class with the representative of an orbit and this
    /// set of the many; 0 if an image of the set is less, or if they are no position.
    #[inline]
    fn orbit_of_set(&self, orbit: &FewOrbit, side: Side, many: PointSet) -> u64 {
        let mut fixing = 1;
        for &symmetry in &orbit.fixed_by {
            let image = self.checked.symmetries[usize::from(symmetry)].image(many);
            if image < many {
                return 0;
            }
            fixing += usize::from(image == many);
        }
        let play = &self.checked.play;
        if !self.all_are_positions {
            let pieces = [orbit.representative, many];
            let position = Position { pieces, hand: self.hand, left: self.left, to_move: side };
            if !play.is_position(&position) {
                return 0;
            }
        }
        orbit.size * ((orbit.fixed_by.len() + 1) / fixing) as u64
    }

    /// Returns the orbit of the few of an entry, with its number, and the set of the many.
    #[inline]
    pub(super) fn parts(&self, rank: u64) -> (usize, &FewOrbit, PointSet) {
        assert!(rank < self.len, "rank {rank} is beyond the layer's {} entries", self.len);
        let segment = &self.segments[self.segments.partition_point(|s| s.start <= rank) - 1];
        let orbit = self.orbit_of(segment);
        let many = orbit.unrank(segment.many.into(), segment.height, rank - segment.start);
        (segment.orbit as usize, orbit, many)
    }
}

impl LayerIndex for GeneralIndex {
    fn scheme(&self) -> IndexScheme {
        IndexScheme { name: "hunt", version: 1, symmetries: self.checked.symmetries.len() as u16 }
    }

    fn len(&self, _side: Side) -> u64 {
        self.len
    }

    #[inline]
    fn rank(&self, position: &Position) -> u64 {
        let few = position.few();
        let more_few = if self.places.len() == 1 { 0 } else { few.len() as u8 - self.least[0] };
        let orbits = self.checked.few_orbits(self.least[0] + more_few);
        let set = orbits.of(few);
        let orbit = &orbits.orbits[set.orbit()];
        let mut many = position.many();
        if set.symmetry > 0 {
            many = self.checked.symmetries[usize::from(set.symmetry)].image(many);
        }
        let many = self.least(orbit, many);
        let more_many = if self.many == 1 { 0 } else { many.len() - usize::from(self.least[1]) };
        let place = set.orbit() * self.many + more_many;
        let segment = &self.segments[self.places[usize::from(more_few)][place] as usize];
        segment.start + orbit.rank(many)
    }

    #[inline]
    fn unrank(&self, side: Side, rank: u64) -> Position {
        let (_, orbit, many) = self.parts(rank);
        let pieces = [orbit.representative, many];
        Position { pieces, hand: self.hand, left: self.left, to_move: side }
    }

    fn orbit(&self, side: Side, rank: u64) -> u64 {
        let (_, orbit, many) = self.parts(rank);
        self.orbit_of_set(orbit, side, many)
    }

    fn copy_of(&self, _side: Side, rank: u64) -> Option<u64> {
        let (_, orbit, many) = self.parts(rank);
        let least = self.least(orbit, many);
        // Both sets are of the same segment.
        (least != many).then(|| rank - orbit.rank(many) + orbit.rank(least))
    }

    fn has_gaps(&self) -> bool {
        true
    }

    fn classes(&self, side: Side) -> u64 {
        if !self.checked.play.numbers_suffice {
            return (0..self.len).filter(|&rank| self.orbit(side, rank) > 0).count() as u64;
        }
        self.segments_of(side).map(|segment| self.classes_of(segment)).sum()
    }

    fn shares_ranks(&self) -> bool {
        self.all_are_positions
    }

    fn visit_small_orbits(&self, side: Side, ranks: Range<u64>, mut visit: impl FnMut(u64, u64)) {
        let symmetries = self.checked.symmetries.len() as u64;
        for (segment, ranks) in self.segments_in(ranks) {
            let orbit = self.orbit_of(segment);
            // Without symmetries that fix the few, all orbits are full.
            if self.all_are_positions && orbit.fixed_by.is_empty() {
                continue;
            }
            let mut many =
                orbit.unrank(segment.many.into(), segment.height, ranks.start - segment.start);
            for rank in ranks.clone() {
                let size = self.orbit_of_set(orbit, side, many);
                if size < symmetries {
                    visit(rank, size);
                }
                if rank + 1 < ranks.end {
                    many = match orbit.sums {
                        None => orbit.next(many),
                        Some(_) => orbit.unrank(
                            segment.many.into(),
                            segment.height,
                            rank + 1 - segment.start,
                        ),
                    };
                }
            }
        }
    }

    fn visit_shares(&self, side: Side, ranks: Range<u64>, mut visit: impl FnMut(u64, u64)) {
        if !self.all_are_positions {
            return self.visit_small_orbits(side, ranks, visit);
        }
        let symmetries = self.checked.symmetries.len() as u64;
        for (segment, ranks) in self.segments_in(ranks) {
            // Beside each member of the orbit of the few, a class has as many positions as it has
            // entries here.
            let share = self.orbit_of(segment).size;
            if share < symmetries {
                ranks.for_each(|rank| visit(rank, share));
            }
        }
    }
}
