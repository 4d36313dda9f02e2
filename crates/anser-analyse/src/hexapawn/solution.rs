//! What was found out about a board.

use anser_core::Dtw;
use anser_core::hexapawn::{Hexapawn, Position};
use anser_core::prelude::*;

use super::backward::Values;
use super::board::Board;
use super::census::PartCount;
use super::{HexapawnOptions, HexapawnSolver, value};
use crate::{AnalyseError, Census, Tally};

/// Everything that play can reach, solved.
#[derive(Clone, Debug)]
pub struct HexapawnSolution {
    game: Hexapawn,
    board: Board,
    values: Values,
    start: Dtw,
    classes: u64,
    census: Census,
    games: Option<Tally>,
    peak_memory: u64,
}

impl HexapawnSolution {
    pub(super) fn new(
        solver: &HexapawnSolver,
        options: HexapawnOptions,
        values: Values,
        count: &PartCount,
        peak_memory: u64,
    ) -> Result<HexapawnSolution, AnalyseError> {
        let start = solver.start_value(&values)?;
        let games = values.games(&solver.board, solver.top.into(), &solver.start);
        let games = games.filter(|_| options.games).map(|(tallies, place)| Tally::won_by(tallies.get(place)));
        Ok(HexapawnSolution {
            game: solver.game.clone(),
            board: solver.board.clone(),
            values: if options.keep { values } else { Values::default() },
            start,
            classes: count.classes(),
            census: count.census(),
            games,
            peak_memory,
        })
    }

    /// The value of the position that was started from.
    pub fn start(&self) -> Dtw {
        self.start
    }

    /// The value of a position; `None` if it can not be reached, or values were not kept.
    pub fn get(&self, position: &Position) -> Option<Dtw> {
        let arrangement = self.board.arrangement(position)?;
        let plies = self.values.plies(&self.board, self.game.layer(position).into(), &arrangement)?;
        Some(value(position.to_move(), plies))
    }

    /// How many positions can be reached, the start and those in which the game is over included, mirror images counted
    /// apart.
    pub fn reachable(&self) -> u64 {
        self.census.positions()
    }

    /// How many classes of mirror images these are.
    pub fn classes(&self) -> u64 {
        self.classes
    }

    /// The census of the positions that can be reached.
    pub fn census(&self) -> &Census {
        &self.census
    }

    /// The number of different games, if they were counted.
    pub fn games(&self) -> Option<&Tally> {
        self.games.as_ref()
    }

    /// The most memory that its lists took at a time, in bytes.
    pub fn peak_memory(&self) -> u64 {
        self.peak_memory
    }
}

/// Who wins a board, and what it took to find out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HexapawnWinner {
    /// The value of the position that was started from.
    pub start: Dtw,
    /// The positions that were looked at, mirror images counted apart.
    pub positions: u64,
    /// The classes of mirror images that were looked at.
    pub classes: u64,
    /// The most memory that the lists took at a time, in bytes.
    pub peak_memory: u64,
}
