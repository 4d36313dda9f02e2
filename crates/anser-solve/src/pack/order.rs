//! Brings the entries of a raw table into the order in which a packed table stores them.

use std::ops::Range;

use anser_core::{GridEntries, LayerIndex, Side};
use anser_table::format::{Content, get, set};
use rayon::prelude::*;

/// Number of entries in a piece that is in the order of the ranks, a multiple of 64.
pub(crate) const PIECE: u64 = 1 << 24;

/// Entries that are brought into order together.
pub(crate) enum Piece {
    /// These ranks, already in order.
    Ranks(Range<u64>),
    /// A grid of the packing order. Its words are pairs: no content of wider entries is reordered
    /// yet.
    Grid(GridEntries),
}

impl Piece {
    /// Visits the pieces of a side to move, in the order of their ranks, until one fails.
    pub(crate) fn try_for_each<E>(
        content: Content,
        index: &impl LayerIndex,
        side: Side,
        visit: impl FnMut(Piece) -> Result<(), E>,
    ) -> Result<(), E> {
        if content.is_reordered() {
            index.packing_order(side).grids().map(Piece::Grid).try_for_each(visit)
        } else {
            Piece::by_rank(index.len(side)).map(Piece::Ranks).try_for_each(visit)
        }
    }

    /// Returns the ranks of the pieces of `entries` entries in the order of the ranks.
    pub(crate) fn by_rank(entries: u64) -> impl Iterator<Item = Range<u64>> {
        (0..entries).step_by(PIECE as usize).map(move |start| start..entries.min(start + PIECE))
    }

    pub(crate) fn ranks(&self) -> Range<u64> {
        match self {
            Piece::Ranks(ranks) => ranks.clone(),
            Piece::Grid(grid) => grid.ranks.clone(),
        }
    }
}

/// The entries of one side to move as groups of words in the order of the blocks.
#[derive(Default)]
pub(crate) struct Ordered {
    /// The first part of the packing order, without what was taken, or all entries by rank.
    first: Vec<u64>,
    /// The second part, which follows the first parts of all grids.
    second: Vec<u64>,
    /// The codes of the third part, which comes last.
    third: Vec<u8>,
}

impl Ordered {
    /// Adds the next piece. Its first entry is entry `offset` of `words`.
    pub(crate) fn add(&mut self, piece: &Piece, words: &[u64], offset: u64) {
        match piece {
            // Pieces by rank begin with a group.
            Piece::Ranks(_) => self.first.extend(words),
            Piece::Grid(grid) => self.add_grid(grid, words, offset),
        }
    }

    fn add_grid(&mut self, grid: &GridEntries, words: &[u64], offset: u64) {
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
        // A small grid is one task.
        let first = (0..first).into_par_iter().with_min_len(1 << 10);
        let second = (0..second).into_par_iter().with_min_len(1 << 10);
        let first: Vec<[u64; 2]> = first.map(|word| gather(&mut grid.first(word))).collect();
        let second: Vec<[u64; 2]> = second.map(|word| gather(&mut grid.second(word))).collect();
        self.first.extend(first.as_flattened());
        self.second.extend(second.as_flattened());
        self.third.extend(grid.third().map(|entry| get(words, offset + entry)));
    }

    /// Takes the words that are ready, a multiple of `multiple` words.
    pub(crate) fn take(&mut self, multiple: usize) -> Vec<u64> {
        let rest = self.first.split_off(self.first.len() / multiple * multiple);
        std::mem::replace(&mut self.first, rest)
    }

    /// Returns the rest, after all pieces were added.
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
