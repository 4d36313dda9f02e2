//! How many positions there are of each value.

use std::ops::AddAssign;

use anser_core::Side;

use super::board::{Arrangement, Board};

/// No game is longer: every ply is one row of all that the pawns have to go.
const MOST_PLIES: usize = 61;

/// The number of positions of each value, mirror images counted apart. Arrays are by [`Side::index`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HexapawnCensus {
    /// For each side to move and each winner, the number of positions won in 0, 1, 2, ... plies, up to the last that there
    /// are.
    pub plies: [[Vec<u64>; 2]; 2],
    /// For each side to move, the positions in which the other side has a pawn on its far row.
    pub through: [u64; 2],
    /// For each side to move, the positions in which it has no pawn, and nobody is on a far row.
    pub no_pawns: [u64; 2],
    /// For each side to move, the positions in which it has pawns and no move, and nobody is on a far row.
    pub no_move: [u64; 2],
}

impl HexapawnCensus {
    /// The number of positions with `to_move` to move that `winner` wins.
    pub fn won(&self, to_move: Side, winner: Side) -> u64 {
        self.plies[to_move.index()][winner.index()].iter().sum()
    }

    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.plies.iter().flatten().flatten().sum()
    }

    /// The most plies that any position is from the end.
    pub fn longest(&self) -> usize {
        self.plies.iter().flatten().map(Vec::len).max().unwrap_or(0).saturating_sub(1)
    }
}

/// The same for part of the positions.
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
        PartCount { plies: [[0; MOST_PLIES]; 2], through: [0; 2], no_pawns: [0; 2], no_move: [0; 2], classes: 0 }
    }
}

impl PartCount {
    /// Counts a position, and its mirror image, that is so many plies from the end.
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

    /// The number of positions.
    pub(super) fn positions(&self) -> u64 {
        self.plies.iter().flatten().sum()
    }

    /// The number of classes of mirror images.
    pub(super) fn classes(&self) -> u64 {
        self.classes
    }

    /// For people: who wins, instead of odd and even.
    pub(super) fn census(&self) -> HexapawnCensus {
        let of = |to_move: Side, winner: Side| {
            let odd = usize::from(to_move == winner);
            let counts = self.plies[to_move.index()];
            let last = (0..MOST_PLIES).rev().find(|&plies| plies % 2 == odd && counts[plies] > 0);
            let own = |plies| if plies % 2 == odd { counts[plies] } else { 0 };
            last.map_or_else(Vec::new, |last| (0..=last).map(own).collect())
        };
        HexapawnCensus {
            plies: Side::BOTH.map(|to_move| Side::BOTH.map(|winner| of(to_move, winner))),
            through: self.through,
            no_pawns: self.no_pawns,
            no_move: self.no_move,
        }
    }
}

impl AddAssign<&PartCount> for PartCount {
    fn add_assign(&mut self, other: &PartCount) {
        let add = |sums: &mut [u64], others: &[u64]| sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += other);
        for side in 0..2 {
            add(&mut self.plies[side], &other.plies[side]);
        }
        self.classes += other.classes;
        add(&mut self.through, &other.through);
        add(&mut self.no_pawns, &other.no_pawns);
        add(&mut self.no_move, &other.no_move);
    }
}
