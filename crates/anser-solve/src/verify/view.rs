//! Outcomes of a layer as the checks look them up: all, those proven so far, or none.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use anser_core::{BySide, Side};
use anser_table::format::ENTRIES_PER_PAIR;

/// Pairs of words that a thread takes at a time: 262,144 entries. That is several blocks of a
/// packed table, and enough blocks of the index that computing the first and the last one twice
/// does not matter.
pub(crate) const CHUNK_PAIRS: usize = 4096;

/// The outcomes that successors are taken to have.
#[derive(Clone, Copy)]
pub(crate) enum View<'v> {
    /// Those of this layer are draws. Only terminal positions and moves to lower layers decide.
    Leaving,
    /// Those of this layer are these values, by side to move, in pairs of words.
    Values(&'v BySide<Vec<u64>>),
    /// Those of this layer are these values where the bit of the entry is set in the second list,
    /// and draws elsewhere.
    Marked(&'v BySide<Vec<u64>>, &'v BySide<Vec<AtomicU64>>),
}

impl View<'_> {
    /// Returns pair number `pair` of the values with `side` to move; draws beyond the end.
    #[inline]
    pub(crate) fn pair(self, side: Side, pair: usize) -> [u64; 2] {
        let of = |values: &BySide<Vec<u64>>| {
            values[side].as_chunks().0.get(pair).copied().unwrap_or_default()
        };
        match self {
            View::Leaving => [0; 2],
            View::Values(values) => of(values),
            View::Marked(values, marks) => {
                let mark = marks[side].get(pair).map_or(0, |word| word.load(Relaxed));
                of(values).map(|word| word & mark)
            }
        }
    }
}

/// Whether entry `at` is wanted; without a list all are.
#[inline]
pub(crate) fn is_wanted(wanted: Option<&[u64]>, at: u64) -> bool {
    wanted.is_none_or(|words| {
        words[(at / ENTRIES_PER_PAIR) as usize] >> (at % ENTRIES_PER_PAIR) & 1 != 0
    })
}
