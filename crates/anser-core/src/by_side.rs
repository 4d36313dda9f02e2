//! Pairs of values, one for each side.

use std::array;
use std::ops::{Index, IndexMut};

use crate::Side;

/// One `T` for each side, indexed by [`Side`].
///
/// ```
/// use anser_core::{BySide, Side};
/// let mut captured = BySide::from_fn(|side| if side == Side::First { 3 } else { 0 });
/// captured[Side::Second] += 1;
/// assert_eq!(captured, BySide::new(3, 1));
/// assert_eq!(captured.map(|count| count > 2), BySide::new(true, false));
/// assert_eq!(captured.iter().map(|(_, count)| count).sum::<i32>(), 4);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BySide<T>([T; 2]);

impl<T> BySide<T> {
    /// Creates a pair from the values of the first and the second side.
    pub const fn new(first: T, second: T) -> BySide<T> {
        BySide([first, second])
    }

    /// Creates a pair from the results of `of`, called for the first side first.
    pub fn from_fn(mut of: impl FnMut(Side) -> T) -> BySide<T> {
        BySide([of(Side::First), of(Side::Second)])
    }

    /// Creates a pair from the results of `of`, called for the first side first, until it fails.
    ///
    /// # Errors
    /// The first error of `of`.
    pub fn try_from_fn<E>(mut of: impl FnMut(Side) -> Result<T, E>) -> Result<BySide<T>, E> {
        Ok(BySide([of(Side::First)?, of(Side::Second)?]))
    }

    /// Applies `f` to both values.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> BySide<U> {
        let [first, second] = self.0;
        BySide([f(first), f(second)])
    }

    /// Returns references to both values.
    pub fn as_ref(&self) -> BySide<&T> {
        let [first, second] = &self.0;
        BySide([first, second])
    }

    /// Returns both sides with their values, the first side first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Side, &T)> + ExactSizeIterator {
        Side::BOTH.into_iter().zip(&self.0)
    }

    /// The values, that of the first side first.
    pub const fn as_array(&self) -> &[T; 2] {
        &self.0
    }

    /// The values, that of the first side first.
    pub fn into_array(self) -> [T; 2] {
        self.0
    }
}

impl<T> From<[T; 2]> for BySide<T> {
    fn from(values: [T; 2]) -> BySide<T> {
        BySide(values)
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    #[inline]
    fn index(&self, side: Side) -> &T {
        &self.0[side.index()]
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    #[inline]
    fn index_mut(&mut self, side: Side) -> &mut T {
        &mut self.0[side.index()]
    }
}

impl<T> IntoIterator for BySide<T> {
    type Item = (Side, T);
    type IntoIter = std::iter::Zip<array::IntoIter<Side, 2>, array::IntoIter<T, 2>>;

    fn into_iter(self) -> Self::IntoIter {
        Side::BOTH.into_iter().zip(self.0)
    }
}
