//! Sets of points.

use std::fmt;

/// Greatest number of points of a board.
pub const MOST_POINTS: usize = 128;

/// A set of points of a board: bit `n` stands for point number `n`.
///
/// ```
/// use anser_core::hunt::PointSet;
/// let set: PointSet = [3, 1].into_iter().collect();
/// assert_eq!((set.len(), set.contains(1), set.contains(2)), (2, true, false));
/// assert_eq!(set.iter().collect::<Vec<_>>(), [1, 3]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct PointSet(u128);

impl PointSet {
    /// The empty set.
    pub const EMPTY: PointSet = PointSet(0);

    /// Creates the set with these bits.
    #[inline]
    pub const fn from_bits(bits: u128) -> PointSet {
        PointSet(bits)
    }

    /// Creates the set of the points `0..count`.
    ///
    /// # Panics
    /// If `count` is more than [`MOST_POINTS`].
    pub const fn first_points(count: usize) -> PointSet {
        assert!(count <= MOST_POINTS, "a board has at most 128 points");
        PointSet(if count == MOST_POINTS { u128::MAX } else { (1 << count) - 1 })
    }

    /// Creates the set of one point, below [`MOST_POINTS`].
    #[inline]
    pub const fn of(point: u8) -> PointSet {
        PointSet(1 << point)
    }

    /// Creates the set of some points.
    pub(super) fn of_all(points: &[u8]) -> PointSet {
        points.iter().copied().collect()
    }

    /// Returns the bits.
    #[inline]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// Returns the number of points.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `point` is in the set.
    #[inline]
    pub const fn contains(self, point: u8) -> bool {
        self.0 >> point & 1 != 0
    }

    /// Whether all points of `other` are in the set.
    #[inline]
    pub const fn contains_all(self, other: PointSet) -> bool {
        other.0 & !self.0 == 0
    }

    /// Returns the point with the lowest number.
    #[inline]
    pub const fn first(self) -> Option<u8> {
        if self.0 == 0 { None } else { Some(self.0.trailing_zeros() as u8) }
    }

    /// Returns the points of the set with a lower number than `point`.
    #[inline]
    #[must_use]
    pub const fn below(self, point: u8) -> PointSet {
        PointSet(self.0 & ((1 << point) - 1))
    }

    /// Returns the points in the order of their numbers.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = u8> + Clone {
        // Each half for itself: that takes half the instructions.
        let [mut low, mut high] = [self.0 as u64, (self.0 >> 64) as u64];
        std::iter::from_fn(move || {
            let (half, first) = if low == 0 { (&mut high, 64) } else { (&mut low, 0) };
            let point = half.trailing_zeros() as u8;
            *half &= half.checked_sub(1)?;
            Some(first + point)
        })
    }
}

impl FromIterator<u8> for PointSet {
    fn from_iter<I: IntoIterator<Item = u8>>(points: I) -> PointSet {
        points.into_iter().fold(PointSet::EMPTY, |set, point| set | PointSet::of(point))
    }
}

impl std::ops::BitOr for PointSet {
    type Output = PointSet;

    #[inline]
    fn bitor(self, other: PointSet) -> PointSet {
        PointSet(self.0 | other.0)
    }
}

impl std::ops::BitOrAssign for PointSet {
    #[inline]
    fn bitor_assign(&mut self, other: PointSet) {
        self.0 |= other.0;
    }
}

impl std::ops::BitAnd for PointSet {
    type Output = PointSet;

    #[inline]
    fn bitand(self, other: PointSet) -> PointSet {
        PointSet(self.0 & other.0)
    }
}

/// Returns the points of the first set that are not in the second.
impl std::ops::Sub for PointSet {
    type Output = PointSet;

    #[inline]
    fn sub(self, other: PointSet) -> PointSet {
        PointSet(self.0 & !other.0)
    }
}

impl fmt::Debug for PointSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
