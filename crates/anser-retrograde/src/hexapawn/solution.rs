//! Results of the solver.

use anser_core::hunt::Position;
use anser_core::{Dtw, Hunt, Side};

use super::backward::Values;
use super::board::Board;
use crate::census::Census;
use crate::tally::Tally;

/// The reachable positions, solved.
#[derive(Clone, Debug)]
pub struct HexapawnSolution {
    pub(super) game: Hunt,
    pub(super) board: Board,
    pub(super) values: Values,
    pub(super) start: Dtw,
    pub(super) classes: u64,
    pub(super) census: Census,
    pub(super) games: Option<Tally>,
    pub(super) peak_memory: u64,
}

impl HexapawnSolution {
    /// Returns the value of the start of the solver.
    pub fn start(&self) -> Dtw {
        self.start
    }

    /// Returns the value of a position; `None` if it cannot be reached, or values were not kept.
    pub fn get(&self, position: &Position) -> Option<Dtw> {
        let arrangement = self.board.arrangement(position)?;
        let plies =
            self.values.plies(&self.board, self.game.layer(position).into(), &arrangement)?;
        Some(value(position.to_move(), plies))
    }

    /// Returns the number of reachable positions, the start and terminal ones included; mirror
    /// images are counted separately.
    pub fn reachable(&self) -> u64 {
        self.census.positions()
    }

    /// Returns the number of classes of mirror images of these.
    pub fn classes(&self) -> u64 {
        self.classes
    }

    /// Returns the census of the reachable positions.
    pub fn census(&self) -> &Census {
        &self.census
    }

    /// Returns the number of different games, if they were counted.
    pub fn games(&self) -> Option<&Tally> {
        self.games.as_ref()
    }

    /// Returns the peak memory of its lists, in bytes.
    pub fn peak_memory(&self) -> u64 {
        self.peak_memory
    }
}

/// The value of the start, and the work that it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HexapawnWinner {
    /// Returns the value of the start of the solver.
    pub start: Dtw,
    /// The number of positions examined; mirror images are counted separately.
    pub positions: u64,
    /// The number of classes of mirror images examined.
    pub classes: u64,
    /// The peak memory of the lists, in bytes.
    pub peak_memory: u64,
}

/// Returns the value of a position `plies` plies from the end.
pub(super) fn value(to_move: Side, plies: u8) -> Dtw {
    Dtw::win(if plies % 2 == 1 { to_move } else { to_move.other() }, plies.into())
}
