//! Brings the entries of a raw table into the packing order of its numbering.

use anser_core::GridEntries;
use anser_table::format::{get, set};
use rayon::prelude::*;

/// The entries of one side to move, grid by grid, as pairs of words in the packing order.
#[derive(Default)]
pub(crate) struct Reordered {
    /// The first part, as far as it was not taken yet.
    first: Vec<u64>,
    /// The second part, which comes after all of the first.
    second: Vec<u64>,
    /// The codes of the third part, which comes last.
    third: Vec<u8>,
}

impl Reordered {
    /// Adds the next grid. Its first entry is number `offset` of `words`.
    pub(crate) fn add(&mut self, grid: &GridEntries, words: &[u64], offset: u64) {
        let gather = |entries: &mut dyn Iterator<Item = u64>| {
            let mut pair = [0; 2];
            for (bit, entry) in entries.enumerate() {
                let code = get(words, offset + entry);
                pair[0] |= u64::from(code & 1) << bit;
                pair[1] |= u64::from(code >> 1) << bit;
            }
            pair
        };
        let [first, second] = grid.words();
        // Few enough at a time for a small grid to be one task.
        let first = (0..first).into_par_iter().with_min_len(1 << 10);
        let second = (0..second).into_par_iter().with_min_len(1 << 10);
        let first: Vec<[u64; 2]> = first.map(|word| gather(&mut grid.first(word))).collect();
        let second: Vec<[u64; 2]> = second.map(|word| gather(&mut grid.second(word))).collect();
        self.first.extend(first.as_flattened());
        self.second.extend(second.as_flattened());
        self.third.extend(grid.third().map(|entry| get(words, offset + entry)));
    }

    /// The pairs of words that are ready, a multiple of `multiple` words.
    pub(crate) fn take(&mut self, multiple: usize) -> Vec<u64> {
        let rest = self.first.split_off(self.first.len() / multiple * multiple);
        std::mem::replace(&mut self.first, rest)
    }

    /// The rest, once all grids were added.
    pub(crate) fn finish(mut self) -> Vec<u64> {
        self.first.extend(self.second);
        for codes in self.third.chunks(64) {
            let mut pair = [0; 2];
            for (entry, &code) in codes.iter().enumerate() {
                set(&mut pair, entry as u64, code);
            }
            self.first.extend(pair);
        }
        self.first
    }
}
