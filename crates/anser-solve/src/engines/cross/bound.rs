//! The two fixpoints of the operator.

use anser_core::Side;

/// One of the two fixpoints of the operator; see [`fixpoint`](super::fixpoint).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The least fixpoint, approached from the empty set: what the geese win.
    Least,
    /// The greatest fixpoint, approached from the full set: what the fox does not win.
    Greatest,
}

impl Bound {
    /// Both fixpoints, in the order in which they are computed.
    pub(super) const BOTH: [Bound; 2] = [Bound::Least, Bound::Greatest];

    /// Returns the side whose wins the fixpoint determines: the geese's are the members of the
    /// least one, the fox's the complement of the greatest one.
    pub(super) fn winner(self) -> Side {
        match self {
            Bound::Least => Side::Second,
            Bound::Greatest => Side::First,
        }
    }
}
