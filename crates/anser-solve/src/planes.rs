//! The values of a layer while it is being solved: the raw payload as shared words.
//!
//! Codes are those of a finished table, with one more: [`HELD`] marks an undecided position whose side to move has a draw
//! in hand by leaving the layer, so that it can still win but no longer lose. A file that was just made holds nothing but
//! zeros, which is to say that nothing is decided.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use anser_core::Side;
use anser_table::{ENTRIES_PER_PAIR, NO_VALUE};

/// Undecided, but the side to move can not lose.
pub(crate) const HELD: u8 = NO_VALUE;

/// The values of both sides to move.
///
/// Several threads may read and write at once. Every change is one atomic operation on one word and goes from undecided to
/// decided, never back, so a reader sees each value either as it was or as it will stay.
#[derive(Clone, Copy)]
pub(crate) struct Planes<'a> {
    sides: [&'a [[AtomicU64; 2]]; 2],
    entries: [u64; 2],
}

impl<'a> Planes<'a> {
    /// `words` is the payload of a raw table with this many entries for each side to move.
    pub(crate) fn new(words: &'a [AtomicU64], entries: [u64; 2]) -> Planes<'a> {
        let (pairs, _) = words.as_chunks();
        let (first, second) = pairs.split_at(entries[0].div_ceil(ENTRIES_PER_PAIR) as usize);
        Planes { sides: [first, second], entries }
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

    /// The code of an entry.
    #[inline]
    pub(crate) fn code(&self, side: Side, entry: u64) -> u8 {
        let [first, second] = &self.sides[side.index()][(entry / ENTRIES_PER_PAIR) as usize];
        let bit = entry % ENTRIES_PER_PAIR;
        (first.load(Relaxed) >> bit & 1) as u8 | ((second.load(Relaxed) >> bit & 1) as u8) << 1
    }

    /// Whether `winner` is known to win the entry.
    #[inline]
    pub(crate) fn is_won(&self, side: Side, entry: u64, winner: Side) -> bool {
        self.code(side, entry) == 1 + winner.index() as u8
    }

    /// The masks of the decided and of the held entries of a pair.
    #[inline]
    pub(crate) fn decided_and_held(&self, side: Side, pair: usize) -> (u64, u64) {
        let [first, second] = &self.sides[side.index()][pair];
        let (first, second) = (first.load(Relaxed), second.load(Relaxed));
        (first ^ second, first & second)
    }

    /// Decides an undecided entry.
    #[inline]
    pub(crate) fn decide(&self, side: Side, entry: u64, winner: Side) {
        let pair = &self.sides[side.index()][(entry / ENTRIES_PER_PAIR) as usize];
        let bit = 1 << (entry % ENTRIES_PER_PAIR);
        // One of the two changes nothing: the win is missing on an undecided entry, the loss is to go on a held one.
        pair[winner.other().index()].fetch_and(!bit, Relaxed);
        pair[winner.index()].fetch_or(bit, Relaxed);
    }
}
