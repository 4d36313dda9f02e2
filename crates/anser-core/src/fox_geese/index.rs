//! The index `cross33`, version 1: a minimal perfect numbering of the symmetry classes of a layer.
//!
//! # Specification
//! The index numbers, for either side to move in the same way, the classes of positions with `p`
//! geese (layer `p`) under a group `G`: the eight symmetries, the left-right mirror, or the
//! identity alone. It wastes nothing: the numbers are exactly `0..classes`. A reader needs the five
//! steps below and nothing else; `scripts/read_table.py` was written from them.
//!
//! 1. *Coordinates.* d4 is (0, 0), x grows to the right, y toward rank 7. Points are ordered by y,
//!    then x, both ascending: c1 is the first, e7 the last. Symmetry `s`, 0 to 7, exchanges x and y
//!    if bit 2 of `s` is set, *then* negates x if bit 0 is set and y if bit 1 is set. A group is
//!    written as a mask in which bit `s` stands for symmetry `s`. Subgroups are numbered 0 to 9; in
//!    hexadecimal they are 01, 03, 05, 09, 11, 81, 0F, 69, 99, FF.
//! 2. *Fox.* The representative of a fox point is the point of its orbit under `G` with the
//!    greatest (x, y), x first. Representatives in ascending order of (x, y) are fox classes 0, 1,
//!    2, ...: under eight symmetries d4, e4, e5, f4, f5, g4, g5. Apply a symmetry of `G` that takes
//!    the fox to its representative; any of them will do. `H` is the subgroup of `G` that fixes the
//!    representative, *the fox's point* from here on.
//! 3. *Goose set as two halves.* The inner points are the eight neighbors of d4 and the eight
//!    points a knight's move from it; the other 16, d4 left out, are the outer points. In each half
//!    bit 0 goes to the first point, bit 15 to the last. A goose on d4 is written at the bit of the
//!    fox's point, which no goose can need. So a goose set is an outer word `o` and an inner word
//!    `i` of 16 bits each.
//! 4. *Classes.* Replace `o` by the least of its images under `H`, as unsigned numbers, and `i` by
//!    its image under the same symmetry (if several give the least `o`, any of them). `K` is the
//!    subgroup of `H` that fixes `o`. Replace `i` by the least of its images under `K`. The
//!    position is canonical.
//! 5. *Order.* Canonical positions are ordered by fox class, then by the number `k` of points in
//!    `o`, then by the number of the subgroup `K`, then by `o`, then by `i`; a position's rank is
//!    its place in that order, from 0. As all `o` with equal `k` and `K` have equally many `i`, the
//!    rank is `base(class, k, K) + place(o) * size(K, p - k) + place(i)`: the number of canonical
//!    positions before the first one with this class, `k` and `K`; the place of `o`, from 0, among
//!    the canonical outer words with the same `H`, `k` and `K`; the number of inner words of
//!    `p - k` bits that are least under `K`; and the place of `i` among those. All four come from
//!    tables.
//!
//! Nearly all `o` are fixed by the identity alone; in each class and `k` those come first and lie
//! as equal contiguous blocks, one for each `o`, of all `i` with `p - k` bits in ascending order.
//! In such blocks a goose move inside the inner half is a fixed order-preserving map, a goose move
//! inside the outer half goes from block to block, and a fox step changes the fox class and the bit
//! that stands for d4: what a check needs that works on whole blocks.
//!
//! # The packing order
//! Packed tables may hold entries in another order, see `order.rs` of this crate: each class, `k`
//! and `K` is a grid whose rows are the `o` and whose columns are the `i`. Both are permuted in the
//! same way: the 16 points of the half are put in order of `d(fox) + 2 d(d4)`, from the greatest to
//! the least and equal ones as their bits are, where `d` is the square of the distance and the fox
//! is on its representative; a word is read with its bits in this order, the first point giving bit
//! 0; and the words go in ascending order of that reading. So neighbors differ mostly in points far
//! from the fox.

use std::ops::Range;

use crate::fox_geese::orbits::{
    Halves, InnerOrbits, OuterClass, OuterOrbits, inner_orbits, outer_orbits,
};
use crate::fox_geese::packing::places;
use crate::fox_geese::{POINTS, Point};
use crate::hunt::Position;
use crate::{Group, IndexScheme, LayerIndex, PackingOrder, Permutation, Side, Symmetry};

/// Index of the positions with a given number of geese. The source of the module has the
/// specification.
///
/// ```
/// use anser_core::{Hunt, LayerIndex, Side};
/// let game = Hunt::fox_geese("free")?;
/// let index = game.index(16);
/// assert_eq!(index.len(Side::First), 2_479_562_482);
/// # Ok::<(), anser_core::hunt::FamilyError>(())
/// ```
pub struct CrossIndex {
    symmetry: Group,
    geese: usize,
    /// By fox point: its class, and the symmetry that takes it to the representative.
    pub(super) foxes: [(usize, Symmetry); POINTS],
    classes: Vec<FoxClass>,
    /// By fox class, number of outer geese (0 to 16) and subgroup (0 to 9): the first rank.
    bases: Vec<u64>,
    /// By subgroup: the number of inner classes by number of outer geese, and the tables of these
    /// classes.
    inner: Vec<([u32; 17], &'static InnerOrbits)>,
    segments: Vec<Segment>,
    finder: Finder,
    len: u64,
}

struct FoxClass {
    fox: Point,
    /// The symmetries that fix the fox.
    group: Group,
    orbits: &'static OuterOrbits,
}

/// A run of consecutive ranks: one fox class, one number of outer geese, one subgroup. The order
/// within is that of step 5 of the specification: all of `inner` for the first of `outer`, then all
/// of `inner` for the second, and so on.
#[derive(Clone, Copy, Debug)]
pub struct IndexSegment<'a> {
    /// The first rank.
    pub start: u64,
    /// The representative of the fox class.
    pub fox: Point,
    /// The subgroup that fixes the fox and the outer words.
    pub fixed_by: Group,
    /// The outer words, ascending; [`CrossIndex::outer_points`] says what their bits stand for.
    pub outer: &'a [u16],
    /// The inner words, ascending; [`CrossIndex::inner_points`] says what their bits stand for.
    pub inner: &'a [u16],
}

/// Finds the segment of a rank. The ranks are cut into stretches of equal length, and the segments
/// in which they start and end are known: mostly the same one, or two.
struct Finder {
    /// The length of a stretch is 2 to this power.
    shift: u32,
    /// By stretch: the number of the segment that holds its first rank. One more at the end: the
    /// last segment.
    first: Vec<u16>,
}

impl Finder {
    /// Number of stretches per segment, at least.
    const STRETCHES: u64 = 4;

    fn new(segments: &[Segment], len: u64) -> Finder {
        let shift = (len / (Finder::STRETCHES * segments.len().max(1) as u64)).max(1).ilog2();
        let starts = (0..len).step_by(1 << shift);
        let mut first: Vec<u16> = starts
            .map(|rank| (segments.partition_point(|segment| segment.start <= rank) - 1) as u16)
            .collect();
        first.push(segments.len().saturating_sub(1) as u16);
        Finder { shift, first }
    }

    /// Returns the segment that holds `rank`, which must be less than the length of the index.
    #[inline]
    fn find<'s>(&self, segments: &'s [Segment], rank: u64) -> &'s Segment {
        let stretch = (rank >> self.shift) as usize;
        let (first, last) =
            (usize::from(self.first[stretch]), usize::from(self.first[stretch + 1]));
        let after = segments[first + 1..=last].partition_point(|segment| segment.start <= rank);
        &segments[first + after]
    }
}

/// Place of the entries of an outer word.
#[derive(Clone, Copy, Debug)]
pub struct OuterBlock {
    /// The rank of the canonical outer word with the first inner word.
    pub start: u64,
    /// A symmetry that takes the outer word to the canonical one, and fixes the fox.
    pub to_canonical: Symmetry,
    /// The subgroup that fixes the fox and the canonical outer word.
    pub fixed_by: Group,
}

/// The ranks of one fox class, number of outer geese and subgroup.
struct Segment {
    start: u64,
    class: usize,
    subgroup: usize,
    outer_geese: usize,
}

/// The ranks of one fox class and outer word.
pub(super) struct Block {
    pub(super) class: usize,
    /// The number of the subgroup that fixes fox and outer word.
    pub(super) subgroup: usize,
    pub(super) outer: u16,
    pub(super) ranks: Range<u64>,
}

impl CrossIndex {
    pub(crate) fn new(symmetry: Group, layer: u16) -> CrossIndex {
        let geese = usize::from(layer);
        let key = |s: Symmetry, p: Point| p.image(s).coordinates();
        let to_representative = Point::all()
            .map(|p| symmetry.members().max_by_key(|&s| key(s, p)).unwrap_or(Symmetry::IDENTITY))
            .collect::<Vec<_>>();
        let representative = |p: Point| p.image(to_representative[p.number()]);
        let mut representatives: Vec<Point> =
            Point::all().filter(|&p| representative(p) == p).collect();
        representatives.sort_by_key(|p| p.coordinates());

        let mut foxes = [(0, Symmetry::IDENTITY); POINTS];
        for p in Point::all() {
            let class = representatives.iter().position(|&r| r == representative(p)).unwrap_or(0);
            foxes[p.number()] = (class, to_representative[p.number()]);
        }
        let classes: Vec<FoxClass> = representatives
            .into_iter()
            .map(|fox| {
                let group = symmetry.filter(|s| fox.image(s) == fox);
                FoxClass { fox, group, orbits: outer_orbits(group) }
            })
            .collect();
        let inner: Vec<_> = (0..10)
            .map(|subgroup| {
                let orbits = inner_orbits(subgroup);
                let mut sizes = [0; 17];
                for (outer_geese, size) in sizes.iter_mut().enumerate() {
                    *size = geese
                        .checked_sub(outer_geese)
                        .and_then(|inner_geese| orbits.canonical.get(inner_geese))
                        .map_or(0, |list| list.len() as u32);
                }
                (sizes, orbits)
            })
            .collect();

        let mut bases = Vec::with_capacity(classes.len() * 170);
        let mut segments = Vec::new();
        let mut len = 0;
        for (class, fox) in classes.iter().enumerate() {
            for (outer_geese, lists) in fox.orbits.canonical.iter().enumerate() {
                for (subgroup, list) in lists.iter().enumerate() {
                    bases.push(len);
                    let size = list.len() as u64 * u64::from(inner[subgroup].0[outer_geese]);
                    if size > 0 {
                        segments.push(Segment { start: len, class, subgroup, outer_geese });
                    }
                    len += size;
                }
            }
        }
        let finder = Finder::new(&segments, len);
        CrossIndex { symmetry, geese, foxes, classes, bases, inner, segments, finder, len }
    }

    /// Returns the points of the bits of an outer word. The bit of the fox's own point stands for
    /// d4.
    pub fn outer_points() -> [Point; 16] {
        std::array::from_fn(Halves::point)
    }

    /// Returns the points of the bits of an inner word. The bit of the fox's own point stands for
    /// d4.
    pub fn inner_points() -> [Point; 16] {
        std::array::from_fn(|bit| Halves::point(16 + bit))
    }

    /// Returns all ranks as runs, in ascending order.
    pub fn segments(&self) -> impl Iterator<Item = IndexSegment<'_>> {
        self.segments.iter().map(|&Segment { start, class, subgroup, outer_geese }| IndexSegment {
            start,
            fox: self.classes[class].fox,
            fixed_by: Group::SUBGROUPS[subgroup],
            outer: &self.classes[class].orbits.canonical[outer_geese][subgroup],
            inner: &self.inner[subgroup].1.canonical[self.geese - outer_geese],
        })
    }

    /// Returns the place of the entries with the fox on `fox`, a representative, and this outer
    /// word.
    pub fn outer_block(&self, fox: Point, outer: u16) -> OuterBlock {
        let (to_canonical, subgroup, ranks) = self.block_of(self.foxes[fox.number()].0, outer);
        OuterBlock { start: ranks.start, to_canonical, fixed_by: Group::SUBGROUPS[subgroup] }
    }

    /// Returns the place of an inner word among those of its outer word, whose subgroup is
    /// `fixed_by`.
    #[inline]
    pub fn inner_place(&self, fixed_by: Group, inner: u16) -> u64 {
        u64::from(self.inner[fixed_by.number()].1.rank[usize::from(inner)])
    }

    /// Returns the representatives of the fox classes, in the order of the classes.
    pub fn representatives(&self) -> impl Iterator<Item = Point> + '_ {
        self.classes.iter().map(|class| class.fox)
    }

    /// Returns the block that holds a rank.
    pub(super) fn block(&self, rank: u64) -> Block {
        let &Segment { start, class, subgroup, outer_geese } =
            self.finder.find(&self.segments, rank);
        let size = u64::from(self.inner[subgroup].0[outer_geese]);
        let place = (rank - start) / size;
        let outer = self.classes[class].orbits.canonical[outer_geese][subgroup][place as usize];
        let first = start + place * size;
        Block { class, subgroup, outer, ranks: first..first + size }
    }

    /// Returns for any outer word the symmetry that makes it canonical, the number of the subgroup
    /// that then fixes it, and the ranks of its block.
    pub(super) fn block_of(&self, class: usize, outer: u16) -> (Symmetry, usize, Range<u64>) {
        let OuterClass { rank, stabilizer, to_canonical } =
            self.classes[class].orbits.class[usize::from(outer)];
        let (subgroup, outer_geese) = (usize::from(stabilizer), outer.count_ones() as usize);
        let size = u64::from(self.inner[subgroup].0[outer_geese]);
        let first = self.bases[(class * 17 + outer_geese) * 10 + subgroup] + u64::from(rank) * size;
        (to_canonical, subgroup, first..first + size)
    }

    /// Returns the canonical position of a rank in parts: the fox, its goose set, and the subgroup
    /// that fixes fox and outer set.
    #[inline]
    fn parts(&self, rank: u64) -> (Point, Halves, usize) {
        assert!(rank < self.len, "rank {rank} is beyond the layer's {} classes", self.len);
        let &Segment { start, class, subgroup, outer_geese } =
            self.finder.find(&self.segments, rank);
        let (sizes, inner) = &self.inner[subgroup];
        let size = u64::from(sizes[outer_geese]);
        let offset = rank - start;
        let (outer_place, inner_place) = if let Ok(offset) = u32::try_from(offset) {
            (offset / size as u32, offset % size as u32)
        } else {
            ((offset / size) as u32, (offset % size) as u32)
        };
        let fox = &self.classes[class];
        let outer = fox.orbits.canonical[outer_geese][subgroup][outer_place as usize];
        let inner = inner.canonical[self.geese - outer_geese][inner_place as usize];
        (fox.fox, Halves::new(outer, inner), subgroup)
    }
}

impl LayerIndex for CrossIndex {
    fn scheme(&self) -> IndexScheme {
        IndexScheme { name: "cross33", version: 1, symmetries: self.symmetry.order() as u16 }
    }

    fn len(&self, _side: Side) -> u64 {
        self.len
    }

    #[inline]
    fn rank(&self, position: &Position) -> u64 {
        let fox = position.few().first().and_then(Point::new);
        let fox = fox.expect("a position on the cross has one piece of the few");
        debug_assert_eq!(position.many().len(), self.geese, "the position is of another layer");
        let (class, to_representative) = self.foxes[fox.number()];
        let mut halves = Halves::of(position.many().bits() as u64, fox);
        if to_representative != Symmetry::IDENTITY {
            halves = halves.image(to_representative);
        }
        let outer = self.classes[class].orbits.class[usize::from(halves.outer())];
        if outer.to_canonical != Symmetry::IDENTITY {
            halves = halves.image(outer.to_canonical);
        }
        let outer_geese = halves.outer().count_ones() as usize;
        let subgroup = usize::from(outer.stabilizer);
        let (sizes, inner) = &self.inner[subgroup];
        self.bases[(class * 17 + outer_geese) * 10 + subgroup]
            + u64::from(outer.rank) * u64::from(sizes[outer_geese])
            + u64::from(inner.rank[usize::from(halves.inner())])
    }

    #[inline]
    fn unrank(&self, side: Side, rank: u64) -> Position {
        let (fox, halves, _) = self.parts(rank);
        Position::on_board(1 << fox.number(), halves.geese(fox).into(), side)
    }

    fn orbit(&self, _side: Side, rank: u64) -> u64 {
        let (_, halves, subgroup) = self.parts(rank);
        let stabilizer = Group::SUBGROUPS[subgroup].filter(|s| halves.image(s) == halves);
        u64::from(self.symmetry.order() / stabilizer.order())
    }

    fn packing_order(&self, _side: Side) -> PackingOrder {
        PackingOrder::new(self.segments.iter().map(
            |&Segment { class, subgroup, outer_geese, .. }| {
                let FoxClass { fox, group, .. } = self.classes[class];
                let places = places(fox, group);
                (
                    Permutation::Table((&places.outer[outer_geese][subgroup]).into()),
                    Permutation::Table((&places.inner[subgroup][self.geese - outer_geese]).into()),
                )
            },
        ))
    }

    fn shares_ranks(&self) -> bool {
        true
    }

    fn visit_small_orbits(&self, side: Side, ranks: Range<u64>, mut visit: impl FnMut(u64, u64)) {
        let symmetries = u64::from(self.symmetry.order());
        for (number, segment) in self.segments.iter().enumerate() {
            // In the segments of the trivial subgroup every orbit is full.
            if segment.subgroup == 0 {
                continue;
            }
            let end = self.segments.get(number + 1).map_or(self.len, |next| next.start);
            for rank in segment.start.max(ranks.start)..end.min(ranks.end) {
                let orbit = self.orbit(side, rank);
                if orbit < symmetries {
                    visit(rank, orbit);
                }
            }
        }
    }
}
