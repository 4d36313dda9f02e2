//! Brings the entries of a raw table into the order in which a packed table stores them.

use std::ops::Range;

use anser_core::GridEntries;
use anser_retrograde::parallel;
use anser_table::format::ENTRIES_PER_PAIR;

use crate::pack::payload::Packable;

/// Number of entries in a piece of a side to move that is only read, a multiple of 64.
const PIECE: u64 = 1 << 24;

/// Returns the ranks of the pieces of `entries` entries.
pub(crate) fn pieces(entries: u64) -> impl Iterator<Item = Range<u64>> {
    (0..entries).step_by(PIECE as usize).map(move |start| start..entries.min(start + PIECE))
}

/// The entries of one side to move in the order of the blocks.
pub(crate) struct Ordered<V: Packable> {
    /// The first part of the packing order, without what was taken.
    first: Vec<V::Word>,
    /// The second part, which follows the first parts of all grids.
    second: Vec<V::Word>,
    /// The values of the third part, which comes last.
    third: Vec<Option<V>>,
}

impl<V: Packable> Default for Ordered<V> {
    fn default() -> Self {
        Ordered { first: Vec::new(), second: Vec::new(), third: Vec::new() }
    }
}

impl<V: Packable> Ordered<V> {
    /// Adds the next grid. Its first entry is entry `offset` of `values`.
    pub(crate) fn add(&mut self, grid: &GridEntries, values: &[V::Word], offset: u64) {
        // A small grid is one task.
        const LEAST: usize = 1 << 10;
        let size = V::words(ENTRIES_PER_PAIR);
        let [first, second] = grid.words();
        let append = |to: &mut Vec<V::Word>,
                      groups: usize,
                      gather: &(dyn Fn(usize, &mut [V::Word]) + Sync)| {
            let start = to.len();
            to.resize(start + groups * size, V::Word::default());
            let chunks = to[start..].chunks_mut(LEAST * size).zip((0..).step_by(LEAST));
            parallel::for_each(chunks, &|(words, first)| {
                for (words, group) in words.chunks_mut(size).zip(first..) {
                    gather(group, words);
                }
            });
        };
        append(&mut self.first, first, &|group, words| {
            V::gather(values, grid.first(group).map(|entry| offset + entry), words);
        });
        append(&mut self.second, second, &|group, words| {
            V::gather(values, grid.second(group).map(|entry| offset + entry), words);
        });
        self.third.extend(grid.third().map(|entry| V::get(values, offset + entry)));
    }

    /// Takes the words that are ready, a multiple of `multiple` words.
    pub(crate) fn take(&mut self, multiple: usize) -> Vec<V::Word> {
        let rest = self.first.split_off(self.first.len() / multiple * multiple);
        std::mem::replace(&mut self.first, rest)
    }

    /// Returns the rest, after all grids were added.
    pub(crate) fn finish(mut self) -> Vec<V::Word> {
        self.first.extend(self.second);
        let mut last = vec![V::Word::default(); V::words(self.third.len() as u64)];
        for (entry, value) in (0..).zip(self.third) {
            V::set(&mut last, entry, value);
        }
        self.first.extend(last);
        self.first
    }
}
