//! Counts positions by value.

use std::ops::AddAssign;

use anser_core::Side;

use super::codes::{LONE_WON, PACK_WON, decode};
use super::lanes::{Ends, MAX_LANES};
use super::solver::EndNames;
use super::values::Row;
use crate::bits::for_each_bit;
use crate::census::Census;

/// By side to move, the code in lanes with a man of the pack.
const OCCUPIED: [u8; 2] = [LONE_WON, PACK_WON];

/// Numbers of positions by side to move.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    /// By code.
    codes: [[u64; 256]; 2],
    /// Positions lost for the side to move because it has no move.
    no_move: [u64; 2],
    /// Positions won for the lone man by the goal of the game.
    goal: [u64; 2],
}

impl Counts {
    pub(super) fn new() -> Counts {
        Counts { codes: [[0; 256]; 2], no_move: [0; 2], goal: [0; 2] }
    }

    /// Returns the census.
    pub(super) fn census(&self, names: &EndNames) -> Census {
        let values = Side::BOTH.into_iter().flat_map(|side| {
            let counts = (0..=u8::MAX).zip(self.codes[side.index()]);
            counts.map(move |(code, count)| (side, decode(side, code), count))
        });
        let ends = Side::BOTH.into_iter().flat_map(|side| {
            [
                (side, &names.blocked[side][..], side.other(), self.no_move[side.index()]),
                (side, &names.goal[..], Side::First, self.goal[side.index()]),
            ]
        });
        Census::of_values(values, ends)
    }
}

/// Counts the positions of a block of arrangements.
#[derive(Clone, Debug)]
pub(super) struct BlockCount {
    /// Counts by side to move, of the even lanes if all lanes are counted.
    codes: [[u32; 256]; 2],
    /// Counts of the odd lanes. Separate counters avoid a dependency between adjacent lanes with
    /// the same code.
    odd_codes: [[u32; 256]; 2],
    /// Number of lanes counted that have a man of the pack, so are not positions.
    occupied: [u32; 2],
    no_move: [u64; 2],
    goal: [u64; 2],
}

impl BlockCount {
    pub(super) fn new() -> BlockCount {
        let none = [[0; 256]; 2];
        BlockCount { codes: none, odd_codes: none, occupied: [0; 2], no_move: [0; 2], goal: [0; 2] }
    }

    /// Counts all positions of an arrangement on a board of `lanes` lanes per parity.
    #[inline]
    pub(super) fn add_all(&mut self, lanes: usize, ends: &Ends, row: &Row) {
        for (side, codes) in [&row.lone, &row.pack].into_iter().enumerate() {
            for pair in codes[..lanes.min(MAX_LANES)].chunks(2) {
                self.codes[side][usize::from(pair[0])] += 1;
                if let Some(&code) = pair.get(1) {
                    self.odd_codes[side][usize::from(code)] += 1;
                }
            }
            self.occupied[side] += lanes as u32 - ends.empty[side].count_ones();
            self.add_ends(side, ends, u64::MAX);
        }
    }

    /// Counts the positions of an arrangement whose lanes are in `selected`, by side to move.
    #[inline]
    pub(super) fn add_lanes(&mut self, selected: [u64; 2], ends: &Ends, row: &Row) {
        for (side, codes) in [&row.lone, &row.pack].into_iter().enumerate() {
            for_each_bit(selected[side], |lane| {
                self.codes[side][usize::from(codes[lane as usize])] += 1;
            });
            self.add_ends(side, ends, selected[side]);
        }
    }

    #[inline]
    fn add_ends(&mut self, side: usize, ends: &Ends, lanes: u64) {
        self.no_move[side] += u64::from((ends.blocked[side] & lanes).count_ones());
        self.goal[side] += u64::from((ends.goal[side] & lanes).count_ones());
    }
}

impl AddAssign<&BlockCount> for Counts {
    fn add_assign(&mut self, block: &BlockCount) {
        for (side, occupied) in OCCUPIED.into_iter().enumerate() {
            let counts = block.codes[side].iter().zip(&block.odd_codes[side]);
            for (sum, (even, odd)) in self.codes[side].iter_mut().zip(counts) {
                *sum += u64::from(even + odd);
            }
            self.codes[side][usize::from(occupied)] -= u64::from(block.occupied[side]);
            self.no_move[side] += block.no_move[side];
            self.goal[side] += block.goal[side];
        }
    }
}
