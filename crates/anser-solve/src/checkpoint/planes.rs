//! The values of a layer while it is being solved: the raw payload as shared words.
//!
//! Codes are those of a finished table. What was just made holds nothing but zeros, which is to say that nothing is decided, and
//! what is never decided is the draw that zero means.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use anser_core::Side;
use anser_table::format::{ENTRIES_PER_PAIR, pairs};

/// The values of both sides to move.
///
/// Several threads may read and write at once. Once an engine is past its fill a change only ever sets bits, of words that are
/// the thread's own or by one atomic operation, and none is taken back, so a reader sees each value either as it was or as
/// it will stay, and any copy of the words is true.
#[derive(Clone, Copy)]
pub(crate) struct Planes<'a> {
    sides: [&'a [[AtomicU64; 2]]; 2],
    entries: [u64; 2],
}

impl<'a> Planes<'a> {
    /// `values` is the payload of a raw table with this many entries for each side to move.
    pub(crate) fn new(values: &'a [AtomicU64], entries: [u64; 2]) -> Planes<'a> {
        let first = pairs(entries[0]) as usize;
        Planes { sides: values.as_chunks().0.split_at(first).into(), entries }
    }

    /// The number of entries with `side` to move.
    pub(crate) fn entries(&self, side: Side) -> u64 {
        self.entries[side.index()]
    }

    /// The pairs of words of `side` to move.
    pub(crate) fn pairs(&self, side: Side) -> &'a [[AtomicU64; 2]] {
        self.sides[side.index()]
    }

    /// The mask of the entries of a pair that exist: all but in the last pair.
    pub(crate) fn valid(&self, side: Side, pair: usize) -> u64 {
        let rest = self.entries(side) - pair as u64 * ENTRIES_PER_PAIR;
        if rest >= ENTRIES_PER_PAIR { u64::MAX } else { (1 << rest) - 1 }
    }

    /// Whether `winner` is known to win the entry.
    #[inline]
    pub(crate) fn is_won(&self, side: Side, entry: u64, winner: Side) -> bool {
        let pair = &self.sides[side.index()][(entry / ENTRIES_PER_PAIR) as usize];
        pair[winner.index()].load(Relaxed) >> (entry % ENTRIES_PER_PAIR) & 1 != 0
    }

    /// Whether it is known who wins the entry.
    #[inline]
    pub(crate) fn is_decided(&self, side: Side, entry: u64) -> bool {
        self.decided(side, (entry / ENTRIES_PER_PAIR) as usize) >> (entry % ENTRIES_PER_PAIR) & 1 != 0
    }

    /// The mask of the decided entries of a pair.
    #[inline]
    pub(crate) fn decided(&self, side: Side, pair: usize) -> u64 {
        let [first, second] = &self.sides[side.index()][pair];
        first.load(Relaxed) | second.load(Relaxed)
    }

    /// Decides an undecided entry.
    #[inline]
    pub(crate) fn decide(&self, side: Side, entry: u64, winner: Side) {
        let pair = &self.sides[side.index()][(entry / ENTRIES_PER_PAIR) as usize];
        pair[winner.index()].fetch_or(1 << (entry % ENTRIES_PER_PAIR), Relaxed);
    }
}
