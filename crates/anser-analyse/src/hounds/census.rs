//! Numbers of positions of each value.

use std::ops::AddAssign;

use anser_core::{BLOCKED, BySide, Side};

use super::codes::{LONE_NOW, PACK_NOW, decode};
use super::lanes::{Ends, MOST_LANES};
use super::values::Row;
use crate::Census;

/// The codes in lanes where a man of the pack stands, for each side to move.
const TAKEN: [u8; 2] = [LONE_NOW, PACK_NOW];

/// Numbers of positions by the side to move.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    /// By winner, the positions won in 0, 1, 2, ... plies.
    plies: BySide<BySide<Vec<u64>>>,
    /// The positions in which the side to move has lost because it has no move.
    no_move: BySide<u64>,
    /// The positions in which the lone man has won by the goal of the game.
    goal: BySide<u64>,
}

impl Counts {
    /// The number of positions with `to_move` to move.
    pub(super) fn positions(&self, to_move: Side) -> u64 {
        self.plies[to_move].as_array().iter().flatten().sum()
    }

    /// Returns the census of a game with this name of the goal.
    pub(super) fn census(&self, goal: &'static str) -> Census {
        let ends = Side::BOTH.into_iter().flat_map(|side| {
            [
                (side, BLOCKED, side.other(), self.no_move[side]),
                (side, goal, Side::First, self.goal[side]),
            ]
        });
        Census::of_counts(&self.plies, ends)
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
    /// How many of the codes counted are those of lanes where a man of the pack stands, which are
    /// no positions.
    taken: [u32; 2],
    no_move: [u64; 2],
    goal: [u64; 2],
}

impl BlockCount {
    pub(super) fn new() -> BlockCount {
        let none = [Codes { of: [0; 256] }; 2];
        BlockCount {
            codes: none,
            codes_of_others: none,
            taken: [0; 2],
            no_move: [0; 2],
            goal: [0; 2],
        }
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

impl AddAssign<&BlockCount> for Counts {
    fn add_assign(&mut self, block: &BlockCount) {
        for side in Side::BOTH {
            let to_move = side.index();
            for code in 0..=u8::MAX {
                let of = |codes: &[Codes<u32>; 2]| codes[to_move].of[usize::from(code)];
                let taken = if code == TAKEN[to_move] { block.taken[to_move] } else { 0 };
                let count = of(&block.codes) + of(&block.codes_of_others) - taken;
                let value = decode(side, code);
                let (Some(winner), Some(plies), true) = (value.winner(), value.plies(), count > 0)
                else {
                    continue;
                };
                let counts = &mut self.plies[side][winner];
                if counts.len() <= plies.into() {
                    counts.resize(usize::from(plies) + 1, 0);
                }
                counts[usize::from(plies)] += u64::from(count);
            }
            self.no_move[side] += block.no_move[to_move];
            self.goal[side] += block.goal[to_move];
        }
    }
}
