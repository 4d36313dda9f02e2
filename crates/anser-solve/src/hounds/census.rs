//! How many positions there are of each value.

use std::ops::AddAssign;

use anser_core::Side;

use super::codes::{LONE_NOW, PACK_NOW, decode};
use super::lanes::{Ends, MOST_LANES};
use super::values::Row;

/// The codes in lanes where a man of the pack stands, for each side to move.
const TAKEN: [u8; 2] = [LONE_NOW, PACK_NOW];

/// The number of positions of each value. Arrays are by [`Side::index`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HoundsCensus {
    /// For each side to move and each winner, the number of positions won in 0, 1, 2, ... plies, up to the last that there are.
    pub plies: [[Vec<u64>; 2]; 2],
    /// For each side to move, the positions in which the game is over because it has no move.
    pub no_move: [u64; 2],
    /// For each side to move, the positions in which the lone man has won otherwise, by the game's own rule.
    pub goal: [u64; 2],
}

impl HoundsCensus {
    /// The number of positions with `to_move` to move that `winner` wins.
    pub fn won(&self, to_move: Side, winner: Side) -> u64 {
        self.plies[to_move.index()][winner.index()].iter().sum()
    }

    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.plies.iter().flatten().flatten().sum()
    }
}

/// The same by codes, for one side to move.
#[derive(Clone, Copy, Debug)]
struct Codes<T> {
    of: [T; 256],
}

/// Counts of the positions of a block of arrangements.
#[derive(Clone, Debug)]
pub(super) struct BlockCount {
    codes: [Codes<u32>; 2],
    /// The codes of every other lane, apart, so that no count waits for the one just before it.
    codes_of_others: [Codes<u32>; 2],
    /// How many of the codes counted are those of lanes where a man of the pack stands, which are no positions.
    taken: [u32; 2],
    no_move: [u64; 2],
    goal: [u64; 2],
}

impl BlockCount {
    pub(super) fn new() -> BlockCount {
        let none = [Codes { of: [0; 256] }; 2];
        BlockCount { codes: none, codes_of_others: none, taken: [0; 2], no_move: [0; 2], goal: [0; 2] }
    }

    /// Counts all positions of an arrangement; there are `lanes` lanes.
    #[inline]
    pub(super) fn add_all(&mut self, lanes: usize, ends: &Ends, row: &Row) {
        for (side, codes) in [&row.lone, &row.pack].into_iter().enumerate() {
            for pair in codes[..lanes.min(MOST_LANES)].chunks(2) {
                self.codes[side].of[usize::from(pair[0])] += 1;
                if let Some(&code) = pair.get(1) {
                    self.codes_of_others[side].of[usize::from(code)] += 1;
                }
            }
            self.taken[side] += lanes as u32 - ends.empty[side].count_ones();
            self.add_ends(side, ends, u64::MAX);
        }
    }

    /// Counts some positions of an arrangement, by their lanes with either side to move.
    #[inline]
    pub(super) fn add_some(&mut self, some: [u64; 2], ends: &Ends, row: &Row) {
        for (side, codes) in [&row.lone, &row.pack].into_iter().enumerate() {
            let mut lanes = some[side];
            while lanes != 0 {
                self.codes[side].of[usize::from(codes[lanes.trailing_zeros() as usize])] += 1;
                lanes &= lanes - 1;
            }
            self.add_ends(side, ends, some[side]);
        }
    }

    #[inline]
    fn add_ends(&mut self, side: usize, ends: &Ends, lanes: u64) {
        self.no_move[side] += u64::from((ends.blocked[side] & lanes).count_ones());
        self.goal[side] += u64::from((ends.goal[side] & lanes).count_ones());
    }
}

impl AddAssign<&BlockCount> for HoundsCensus {
    fn add_assign(&mut self, block: &BlockCount) {
        for side in Side::BOTH {
            let to_move = side.index();
            for code in 0..=u8::MAX {
                let of = |codes: &[Codes<u32>; 2]| codes[to_move].of[usize::from(code)];
                let taken = if code == TAKEN[to_move] { block.taken[to_move] } else { 0 };
                let count = of(&block.codes) + of(&block.codes_of_others) - taken;
                let value = decode(side, code);
                let (Some(winner), Some(plies), true) = (value.winner(), value.plies(), count > 0) else { continue };
                let counts = &mut self.plies[to_move][winner.index()];
                if counts.len() <= plies.into() {
                    counts.resize(usize::from(plies) + 1, 0);
                }
                counts[usize::from(plies)] += u64::from(count);
            }
            self.no_move[to_move] += block.no_move[to_move];
            self.goal[to_move] += block.goal[to_move];
        }
    }
}
