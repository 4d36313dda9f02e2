//! Counts positions by value.

use std::ops::AddAssign;

use anser_core::{BySide, Side};

use super::codes::{LONE_WON, PACK_WON, decode};
use super::lanes::{Ends, MAX_LANES};
use super::solver::EndNames;
use super::values::Row;
use crate::census::Census;

/// By side to move, the code in lanes with a man of the pack.
const OCCUPIED: [u8; 2] = [LONE_WON, PACK_WON];

/// Numbers of positions by side to move.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    /// By side to move and winner, the number of positions won in 0, 1, 2, ... plies.
    plies: BySide<BySide<Vec<u64>>>,
    /// Positions lost for the side to move because it has no move.
    no_move: BySide<u64>,
    /// Positions won for the lone man by the goal of the game.
    goal: BySide<u64>,
}

impl Counts {
    /// Returns the number of positions with `to_move` to move.
    pub(super) fn positions(&self, to_move: Side) -> u64 {
        self.plies[to_move].as_array().iter().flatten().sum()
    }

    /// Returns the census.
    pub(super) fn census(&self, names: &EndNames) -> Census {
        let ends = Side::BOTH.into_iter().flat_map(|side| {
            [
                (side, &names.blocked[side][..], side.other(), self.no_move[side]),
                (side, &names.goal[..], Side::First, self.goal[side]),
            ]
        });
        Census::of_counts(&self.plies, ends)
    }
}

/// One entry per code, for one side to move.
#[derive(Clone, Copy, Debug)]
struct Codes<T> {
    of: [T; 256],
}

/// Counts the positions of a block of arrangements.
#[derive(Clone, Debug)]
pub(super) struct BlockCount {
    /// Counts by side to move, of the even lanes if all lanes are counted.
    codes: [Codes<u32>; 2],
    /// Counts of the odd lanes. Separate counters avoid a dependency between adjacent lanes with
    /// the same code.
    odd_codes: [Codes<u32>; 2],
    /// Number of lanes counted that have a man of the pack, so are not positions.
    occupied: [u32; 2],
    no_move: [u64; 2],
    goal: [u64; 2],
}

impl BlockCount {
    pub(super) fn new() -> BlockCount {
        let none = [Codes { of: [0; 256] }; 2];
        BlockCount { codes: none, odd_codes: none, occupied: [0; 2], no_move: [0; 2], goal: [0; 2] }
    }

    /// Counts all positions of an arrangement on a board of `lanes` lanes per parity.
    #[inline]
    pub(super) fn add_all(&mut self, lanes: usize, ends: &Ends, row: &Row) {
        for (side, codes) in [&row.lone, &row.pack].into_iter().enumerate() {
            for pair in codes[..lanes.min(MAX_LANES)].chunks(2) {
                self.codes[side].of[usize::from(pair[0])] += 1;
                if let Some(&code) = pair.get(1) {
                    self.odd_codes[side].of[usize::from(code)] += 1;
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
            let mut lanes = selected[side];
            while lanes != 0 {
                self.codes[side].of[usize::from(codes[lanes.trailing_zeros() as usize])] += 1;
                lanes &= lanes - 1;
            }
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
        for side in Side::BOTH {
            let to_move = side.index();
            for code in 0..=u8::MAX {
                let of = |codes: &[Codes<u32>; 2]| codes[to_move].of[usize::from(code)];
                let occupied = if code == OCCUPIED[to_move] { block.occupied[to_move] } else { 0 };
                let count = of(&block.codes) + of(&block.odd_codes) - occupied;
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
