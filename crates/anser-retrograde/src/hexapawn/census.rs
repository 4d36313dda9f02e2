//! Numbers of positions of each value.

use std::ops::AddAssign;

use anser_core::{BLOCKED, BySide, Side};

use super::board::{Arrangement, Board};
use crate::census::Census;

/// More plies than any game has: every ply takes one of the rows that the pawns have to go.
const MOST_PLIES: usize = 61;

/// Numbers of positions of a part by the side to move; mirror images are counted separately.
#[derive(Clone, Debug)]
pub(super) struct PartCount {
    plies: [[u64; MOST_PLIES]; 2],
    through: [u64; 2],
    no_pawns: [u64; 2],
    no_move: [u64; 2],
    classes: u64,
}

impl Default for PartCount {
    fn default() -> PartCount {
        PartCount {
            plies: [[0; MOST_PLIES]; 2],
            through: [0; 2],
            no_pawns: [0; 2],
            no_move: [0; 2],
            classes: 0,
        }
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
                (true, _) => &mut self.through,
                (false, 0) => &mut self.no_pawns,
                (false, _) => &mut self.no_move,
            };
            kind[to_move] += orbit;
        }
    }

    /// Returns the number of positions.
    pub(super) fn positions(&self) -> u64 {
        self.plies.iter().flatten().sum()
    }

    /// Returns the number of classes of mirror images.
    pub(super) fn classes(&self) -> u64 {
        self.classes
    }

    /// Returns the census. Where the game is over, the side to move has lost.
    pub(super) fn census(&self) -> Census {
        let plies = BySide::from_fn(|to_move| {
            BySide::from_fn(|winner| {
                let odd = usize::from(to_move == winner);
                let own = |(plies, &count)| if plies % 2 == odd { count } else { 0 };
                self.plies[to_move.index()].iter().enumerate().map(own).collect()
            })
        });
        let ends = Side::BOTH.into_iter().flat_map(|side| {
            [("far row", self.through), ("no pawns", self.no_pawns), (BLOCKED, self.no_move)]
                .map(|(kind, counts)| (side, kind, side.other(), counts[side.index()]))
        });
        Census::of_counts(&plies, ends)
    }
}

impl AddAssign<&PartCount> for PartCount {
    fn add_assign(&mut self, other: &PartCount) {
        let add = |sums: &mut [u64], others: &[u64]| {
            sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += other);
        };
        for side in 0..2 {
            add(&mut self.plies[side], &other.plies[side]);
        }
        self.classes += other.classes;
        add(&mut self.through, &other.through);
        add(&mut self.no_pawns, &other.no_pawns);
        add(&mut self.no_move, &other.no_move);
    }
}
