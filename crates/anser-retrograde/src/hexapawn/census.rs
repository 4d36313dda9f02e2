//! Numbers of positions of each value.

use std::ops::AddAssign;

use anser_core::{BLOCKED, Side};

use super::board::{Arrangement, Board};
use super::value;
use crate::census::Census;

/// More plies than any game has: every ply takes one of the rows that the pawns have to go.
const MOST_PLIES: usize = 61;

/// Kinds of ends: a pawn of the other side is on its far row, or there are no pawns, or no moves.
const ENDS: [&str; 3] = ["far row", "no pawns", BLOCKED];

/// Numbers of positions of a part by the side to move; mirror images are counted separately.
#[derive(Clone, Debug)]
pub(super) struct PartCount {
    plies: [[u64; MOST_PLIES]; 2],
    /// By kind of [`ENDS`].
    ends: [[u64; 2]; 3],
    /// The number of classes of mirror images.
    pub(super) classes: u64,
}

impl Default for PartCount {
    fn default() -> PartCount {
        PartCount { plies: [[0; MOST_PLIES]; 2], ends: [[0; 2]; 3], classes: 0 }
    }
}

impl PartCount {
    /// Counts a position `plies` plies from the end, and its mirror image.
    #[inline]
    pub(super) fn add(&mut self, board: &Board, position: &Arrangement, plies: u8) {
        let (orbit, to_move) = (board.orbit(position), position.to_move.index());
        self.classes += 1;
        self.plies[to_move][usize::from(plies)] += orbit;
        if plies == 0 {
            let own = if position.to_move == Side::First { position.white } else { position.black };
            let kind = match (board.is_through(position), own) {
                (true, _) => 0,
                (false, 0) => 1,
                (false, _) => 2,
            };
            self.ends[kind][to_move] += orbit;
        }
    }

    /// Returns the census. Where the game is over, the side to move has lost.
    pub(super) fn census(&self) -> Census {
        let values = Side::BOTH.into_iter().flat_map(|side| {
            let counts = (0..).zip(self.plies[side.index()]);
            counts.map(move |(plies, count)| (side, value(side, plies), count))
        });
        let ends = Side::BOTH.into_iter().flat_map(|side| {
            let counts = ENDS.into_iter().zip(self.ends);
            counts.map(move |(kind, counts)| (side, kind, side.other(), counts[side.index()]))
        });
        Census::of_values(values, ends)
    }
}

impl AddAssign<&PartCount> for PartCount {
    fn add_assign(&mut self, other: &PartCount) {
        let add = |sums: &mut [u64], others: &[u64]| {
            sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += other);
        };
        add(self.plies.as_flattened_mut(), other.plies.as_flattened());
        add(self.ends.as_flattened_mut(), other.ends.as_flattened());
        self.classes += other.classes;
    }
}
