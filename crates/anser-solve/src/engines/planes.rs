//! The outcomes of a layer that is being solved: a raw payload as shared words.
//!
//! Codes are those of a finished table. Zero means undecided at first, and drawn in the end.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use anser_core::{BySide, Side};
use anser_table::format::{ENTRIES_PER_PAIR, pairs};

/// The outcomes of both sides to move.
///
/// Several threads may read and write at once. After the fill, bits are only set, either in words
/// that no other thread writes or by one atomic operation. So a reader sees each entry undecided or
/// with its final value, and a copy of the words is a valid checkpoint.
#[derive(Clone, Copy)]
pub(crate) struct Planes<'a> {
    sides: BySide<&'a [[AtomicU64; 2]]>,
    entries: BySide<u64>,
}

impl<'a> Planes<'a> {
    /// Creates a view of the payload of a raw table with these numbers of entries by side to move.
    pub(crate) fn new(values: &'a [AtomicU64], entries: [u64; 2]) -> Planes<'a> {
        let first = pairs(entries[0]) as usize;
        let (first, second) = values.as_chunks().0.split_at(first);
        Planes { sides: BySide::new(first, second), entries: entries.into() }
    }

    /// Returns the number of entries with `side` to move.
    pub(crate) fn entries(&self, side: Side) -> u64 {
        self.entries[side]
    }

    /// Returns the pairs of words with `side` to move.
    pub(crate) fn pairs(&self, side: Side) -> &'a [[AtomicU64; 2]] {
        self.sides[side]
    }

    /// Returns the mask of the entries of a pair that exist: all, except in the last pair.
    pub(crate) fn valid(&self, side: Side, pair: usize) -> u64 {
        let rest = self.entries(side) - pair as u64 * ENTRIES_PER_PAIR;
        if rest >= ENTRIES_PER_PAIR { u64::MAX } else { (1 << rest) - 1 }
    }

    /// Returns whether an entry is decided as won for `winner`.
    #[inline]
    pub(crate) fn is_won(&self, side: Side, entry: u64, winner: Side) -> bool {
        let pair = &self.sides[side][(entry / ENTRIES_PER_PAIR) as usize];
        pair[winner.index()].load(Relaxed) >> (entry % ENTRIES_PER_PAIR) & 1 != 0
    }

    /// Returns whether an entry is decided.
    #[inline]
    pub(crate) fn is_decided(&self, side: Side, entry: u64) -> bool {
        self.decided(side, (entry / ENTRIES_PER_PAIR) as usize) >> (entry % ENTRIES_PER_PAIR) & 1
            != 0
    }

    /// Returns the mask of the decided entries of a pair.
    #[inline]
    pub(crate) fn decided(&self, side: Side, pair: usize) -> u64 {
        let [first, second] = &self.sides[side][pair];
        first.load(Relaxed) | second.load(Relaxed)
    }

    /// Decides an entry that was undecided.
    #[inline]
    pub(crate) fn decide(&self, side: Side, entry: u64, winner: Side) {
        let pair = &self.sides[side][(entry / ENTRIES_PER_PAIR) as usize];
        pair[winner.index()].fetch_or(1 << (entry % ENTRIES_PER_PAIR), Relaxed);
    }
}
