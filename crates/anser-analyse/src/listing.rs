//! Positions of a kind: all counted, and the first ones listed.

use anser_core::Value;

/// The number of positions of a kind, and the first ones: from the highest layer down, in a layer
/// those with the first side to move first, in the order of the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing<P> {
    /// The number of positions, symmetric ones counted separately.
    pub count: u64,
    /// The first ones with their values, up to the requested number.
    pub first: Vec<(P, Value)>,
}

impl<P> Default for Listing<P> {
    fn default() -> Self {
        Listing { count: 0, first: Vec::new() }
    }
}

impl<P: Copy> Listing<P> {
    pub(crate) fn add(&mut self, position: &P, value: Value, limit: usize) {
        self.count += 1;
        if self.first.len() < limit {
            self.first.push((*position, value));
        }
    }

    /// Appends a listing that follows this one, and lists up to `limit` positions.
    #[must_use]
    pub fn join(mut self, next: Listing<P>, limit: usize) -> Listing<P> {
        self.count += next.count;
        self.first.extend(next.first);
        self.first.truncate(limit);
        self
    }
}
