//! The interface of the numberings of a layer.

use std::ops::Range;

use crate::hunt::Position;
use crate::{PackingOrder, Side};

/// A numbering of the symmetry classes of one layer: for each side to move, every class has a rank
/// of its own in `0..len(side)`. A numbering may have entries that are no rank of any class.
///
/// Implemented for the general numbering, and for those of the cross, of rows, and of Hexapawn;
/// [`HuntIndex`](crate::hunt::HuntIndex) is any of them.
pub trait LayerIndex: Send + Sync + 'static {
    /// Returns the scheme, which tables store.
    fn scheme(&self) -> IndexScheme;
    /// Returns the number of entries with `side` to move: the symmetry classes, and entries that
    /// are no rank, whose [orbit](LayerIndex::orbit) is 0.
    fn len(&self, side: Side) -> u64;
    /// Returns the rank of the class of a position of this layer, below `len` of its side to move.
    fn rank(&self, position: &Position) -> u64;
    /// Returns the canonical position of a class; `rank < self.len(side)`.
    fn unrank(&self, side: Side, rank: u64) -> Position;
    /// Returns the number of positions of the class: the size of its orbit under the symmetries. By
    /// default 1, which suits games without symmetries. It is 0 for an entry that no position has
    /// as its rank: one that a numbering leaves room for, or that repeats a class. Such entries
    /// have values, which nothing reads.
    fn orbit(&self, side: Side, rank: u64) -> u64 {
        let _ = (side, rank);
        1
    }
    /// Returns the entry of the class of an entry, if the entry is a copy: no rank itself, but an
    /// image of the arrangement of another entry. A table holds the value of the class there, so
    /// that a value follows from the rules at every entry of a position.
    fn copy_of(&self, side: Side, rank: u64) -> Option<u64> {
        let _ = (side, rank);
        None
    }
    /// Whether the numbering can have entries whose orbit is 0.
    fn has_gaps(&self) -> bool {
        false
    }
    /// Returns the number of symmetry classes with `side` to move: the entries that are ranks. By
    /// default all are.
    fn classes(&self, side: Side) -> u64 {
        self.len(side)
    }
    /// Whether an arrangement of pieces has the same rank with either side to move. Then a question
    /// that compares the two reads them side by side.
    fn shares_ranks(&self) -> bool {
        false
    }
    /// Returns the order in which packed tables hold the entries with `side` to move. A good order
    /// makes small tables. It belongs to the scheme: it never changes under the same name and
    /// version.
    fn packing_order(&self, side: Side) -> PackingOrder {
        PackingOrder::by_rank(self.len(side))
    }
    /// Visits every class in `ranks` whose orbit is smaller than the symmetry group, in ascending
    /// order, with its rank and the size of its orbit. Few are, so this counts positions much
    /// faster than [`LayerIndex::orbit`].
    fn visit_small_orbits(&self, side: Side, ranks: Range<u64>, mut visit: impl FnMut(u64, u64)) {
        let symmetries = u64::from(self.scheme().symmetries);
        for rank in ranks {
            let orbit = self.orbit(side, rank);
            if orbit < symmetries {
                visit(rank, orbit);
            }
        }
    }
    /// As [`LayerIndex::visit_small_orbits`], but the positions of a class may be shared evenly
    /// among its entries, which have the same value: its rank and the copies. Sums over all values
    /// are the same, and numberings with copies need not tell them from ranks.
    fn visit_shares(&self, side: Side, ranks: Range<u64>, visit: impl FnMut(u64, u64)) {
        self.visit_small_orbits(side, ranks, visit);
    }
}

/// Identity of an index: a reader that knows the scheme can compute every rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexScheme {
    /// The name of the specification, at most 15 bytes of ASCII.
    pub name: &'static str,
    /// The version of the specification.
    pub version: u16,
    /// The order of the symmetry group of the classes.
    pub symmetries: u16,
}
