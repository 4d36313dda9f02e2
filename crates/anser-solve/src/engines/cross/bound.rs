//! The two fixpoints of the operator.

use anser_core::Side;

/// A fixpoint of the operator; see [`fixpoint`](super::fixpoint).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The least, approached from the empty set: what the geese win.
    Least,
    /// The greatest, approached from the full set: what the fox does not win.
    Greatest,
}

impl Bound {
    /// Both, in the order in which they are found.
    pub(super) const BOTH: [Bound; 2] = [Bound::Least, Bound::Greatest];

    /// The side whose wins the fixpoint gives: its members for the least one, its complement for the greatest one.
    pub(super) fn winner(self) -> Side {
        match self {
            Bound::Least => Side::Second,
            Bound::Greatest => Side::First,
        }
    }
}
