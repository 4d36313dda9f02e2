//! Positions of a kind: all counted, and the first ones listed.

use anser_core::Value;
use anser_core::hunt::Position;

/// The number of positions of a kind, and the first ones: from the highest layer down, in a layer
/// those with the first side to move first, in the order of the index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The number of positions, symmetric ones counted separately.
    pub count: u64,
    /// The first ones with their values, up to the requested number.
    pub first: Vec<(Position, Value)>,
}

impl Listing {
    pub(crate) fn add(&mut self, position: &Position, value: Value, limit: usize) {
        self.count += 1;
        if self.first.len() < limit {
            self.first.push((*position, value));
        }
    }

    /// Appends a listing that follows this one, and lists up to `limit` positions.
    #[must_use]
    pub fn join(mut self, next: Listing, limit: usize) -> Listing {
        self.count += next.count;
        self.first.extend(next.first);
        self.first.truncate(limit);
        self
    }
}
