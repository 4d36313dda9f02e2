//! Hexapawn from its start: the positions that play can reach, and nothing else.
//!
//! Play reaches only a small part of the positions that the index of a table has places for (3.2 million on 5 x 5). So this
//! solver lists what can be reached, layer by layer: a layer has all positions in which all pawns together have equally many
//! rows to go, and every move lowers that number.
//!
//! - Downward: the positions of a layer are sorted, each taken once, and what they lead to is put aside for lower layers.
//! - Upward: every position's value follows from those below. At the end of a game the side to move has always lost, so a
//!   byte with the plies to the end is all there is to store: if it is odd, the side to move wins. The numbers of games are
//!   summed up on the way, kept only as long as a move can lead back to them, in as many limbs as they need.
//!
//! Mirror images are one *class*. A class is a number of at most 61 bits, its key (`board.rs`), mixed such that keys are
//! spread evenly: that divides a layer into equal parts for the threads, and tells nearly where in the sorted list a key is
//! (`lists.rs`). `forward.rs` and `backward.rs` are the two passes, `tallies.rs` has the numbers of games, and `estimate.rs`
//! says how much memory a board will take.
//!
//! # Who wins, with fewer positions
//!
//! If only the winner is asked for ([`HexapawnSolver::winner`]), positions in which the side to move can bring a pawn to the
//! far row at once need not be looked at: such a position is won in one ply, no win is quicker, and so no other move from
//! there can change a value, neither its own nor those it goes into. All values that are computed are exact, distances
//! included.

mod backward;
mod board;
mod census;
mod estimate;
mod forward;
mod lists;
mod meter;
mod solution;
mod tallies;

pub use solution::{HexapawnSolution, HexapawnWinner};

use anser_core::hexapawn::{Hexapawn, Position};
use anser_core::prelude::*;
use anser_core::{Dtw, Observer, Side, Unobserved};

use crate::{AnalyseError, Limits};
use backward::{Task, Values};
use board::{Arrangement, Board};
use forward::{Scope, Stop, forward};
use meter::Meter;

/// What [`HexapawnSolver::solve`] computes and keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HexapawnOptions {
    /// Whether to count the games. Takes about 16 bytes for each class of some layers.
    pub games: bool,
    /// Whether the values of all positions stay in memory, for [`HexapawnSolution::get`].
    pub keep: bool,
}

impl Default for HexapawnOptions {
    /// With the games, without keeping the values.
    fn default() -> HexapawnOptions {
        HexapawnOptions { games: true, keep: false }
    }
}

/// The solver of Hexapawn from one position on.
///
/// ```
/// use anser_analyse::Limits;
/// use anser_analyse::hexapawn::{HexapawnOptions, HexapawnSolver};
/// use anser_core::prelude::*;
/// use anser_core::{Dtw, Side, hexapawn::Hexapawn};
///
/// let game = Hexapawn::new("3x3".parse()?);
/// let options = HexapawnOptions { keep: true, ..HexapawnOptions::default() };
/// let solution = HexapawnSolver::new(&game).solve(&options, &Limits::default())?;
/// assert_eq!(solution.start(), Dtw::win(Side::Second, 6));
/// assert_eq!(solution.reachable(), 135);
/// assert_eq!(solution.games().map(|games| games.games()), Some(134_u32.into()));
/// let after_one_move = game.parse_position("ppp/1P1/P1P b")?;
/// assert_eq!(solution.get(&after_one_move), Some(Dtw::win(Side::Second, 5)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct HexapawnSolver {
    game: Hexapawn,
    board: Board,
    start: Arrangement,
    top: u16,
}

impl HexapawnSolver {
    /// The solver of a game from its start.
    pub fn new(game: &Hexapawn) -> HexapawnSolver {
        HexapawnSolver::from_position(game, &game.start()).expect("the start is a position of the game")
    }

    /// The solver of a game from this position on; `None` if it is not one of the game.
    pub fn from_position(game: &Hexapawn, position: &Position) -> Option<HexapawnSolver> {
        let position = game.position(position.white(), position.black(), position.to_move())?;
        let start = Board::new(game.size(), false).arrangement(&position)?;
        // Where the mirror image of what can be reached can be reached as well, the two are one class.
        let board = Board::new(game.size(), !start.is_symmetric());
        Some(HexapawnSolver { game: game.clone(), board, start, top: game.layer(&position) })
    }

    /// Solves every position that can be reached.
    ///
    /// Runs on the current pool of rayon. Memory: 8 bytes for each class and what was met in the layers below and not yet
    /// sorted, at its worst; then 10 bytes a class, and with the numbers of games 16 or more for those of as many layers as
    /// there are rows.
    ///
    /// # Errors
    /// [`AnalyseError::Memory`] if the memory does not suffice, [`AnalyseError::Interrupted`] if the observer interrupts,
    /// [`AnalyseError::Lost`] if the start is not among what was solved, a defect.
    pub fn solve(&self, options: &HexapawnOptions, limits: &Limits<'_>) -> Result<HexapawnSolution, AnalyseError> {
        let task = Task { scope: Scope::Reachable, games: options.games, keep: options.keep };
        let meter = Meter::new(limits.memory);
        let (values, count) = self.both_passes(task, &meter, limits.observer)?;
        HexapawnSolution::new(self, *options, values, &count, meter.peak())
    }

    /// About the memory that [`HexapawnSolver::solve`] takes with these options, in bytes, in at most half a second; from
    /// another position than the start the most it can be.
    pub fn memory(&self, options: &HexapawnOptions) -> u64 {
        let task = Task { scope: Scope::Reachable, games: options.games, keep: options.keep };
        self.memory_for(task, &Unobserved).unwrap_or(u64::MAX)
    }

    /// Finds out who wins, and in how many plies, by as few positions as that takes: see the [module](self).
    ///
    /// # Errors
    /// As [`HexapawnSolver::solve`].
    ///
    /// ```
    /// use anser_analyse::{Limits, hexapawn::HexapawnSolver};
    /// use anser_core::{Dtw, Side, hexapawn::Hexapawn};
    /// let game = Hexapawn::new("4x4".parse()?);
    /// let winner = HexapawnSolver::new(&game).winner(&Limits::default())?;
    /// assert_eq!(winner.start.winner(), Some(Side::First));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn winner(&self, limits: &Limits<'_>) -> Result<HexapawnWinner, AnalyseError> {
        let decided = |plies| HexapawnWinner { start: self.dtw(plies), positions: 1, classes: 1, peak_memory: 0 };
        if self.board.is_through(&self.start) {
            return Ok(decided(0));
        }
        if self.board.can_get_through(&self.start) {
            return Ok(decided(1));
        }
        let task = Task { scope: Scope::Winner, games: false, keep: false };
        let meter = Meter::new(limits.memory);
        let (values, count) = self.both_passes(task, &meter, limits.observer)?;
        Ok(HexapawnWinner {
            start: self.start_value(&values)?,
            positions: count.positions(),
            classes: count.classes(),
            peak_memory: meter.peak(),
        })
    }

    fn both_passes(
        &self,
        task: Task,
        meter: &Meter,
        observer: &dyn Observer,
    ) -> Result<(Values, census::PartCount), AnalyseError> {
        let needed = || self.memory_for(task, observer);
        let too_much = |needed| AnalyseError::Memory { what: self.game.name(), needed, allowed: meter.budget() };
        // From another position than the start an estimate is only a bound, so that is let try.
        if self.top == *self.game.layers().end() && estimate::is_quick(self.game.size()) {
            let needed = needed()?;
            // The estimate may be too high by a little.
            if meter.budget() < needed / 4 * 3 {
                return Err(too_much(needed));
            }
        }
        let passes = forward(&self.board, &self.start, self.top, task.scope, meter, observer)
            .and_then(|lists| Values::new(&self.board, lists, task, meter, observer));
        passes.map_err(|stop| match (stop, needed()) {
            (Stop::Memory, Ok(needed)) => too_much(needed.max(meter.peak())),
            _ => AnalyseError::Interrupted,
        })
    }

    /// About the memory that a pass takes, in bytes; from another position than the start the most it can be.
    fn memory_for(&self, task: Task, observer: &dyn Observer) -> Result<u64, AnalyseError> {
        let classes =
            estimate::classes(self.game.size(), task.scope, observer).map_err(|_| AnalyseError::Interrupted)?;
        let folded = if self.start.is_symmetric() { 1.0 } else { 2.0 };
        Ok(estimate::bytes(classes * folded, task))
    }

    /// The value of the start; an error if it is not among the values.
    fn start_value(&self, values: &Values) -> Result<Dtw, AnalyseError> {
        let plies = values.plies(&self.board, self.top.into(), &self.start);
        plies.map(|plies| self.dtw(plies)).ok_or_else(|| AnalyseError::Lost { position: self.start_text() })
    }

    /// The start, in the notation of the game.
    fn start_text(&self) -> String {
        let position = self.game.position(self.start.white, self.start.black, self.start.to_move);
        position.map_or_else(String::new, |position| self.game.format_position(&position))
    }

    /// The value of the start if it is `plies` plies from the end.
    fn dtw(&self, plies: u8) -> Dtw {
        value(self.start.to_move, plies)
    }
}

/// The value of a position so many plies from the end.
fn value(to_move: Side, plies: u8) -> Dtw {
    Dtw::win(if plies % 2 == 1 { to_move } else { to_move.other() }, plies.into())
}
