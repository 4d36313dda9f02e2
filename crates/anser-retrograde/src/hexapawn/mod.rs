//! Hexapawn from one position: the positions that play can reach, and no others.
//!
//! Play reaches only a small part of the positions that the index of a table numbers (3.2 million
//! on 5 x 5), so this solver lists them, layer by layer. A layer has the positions in which the
//! pawns together have equally many rows to go; every move lowers that number.
//!
//! - Downward: the positions of a layer are sorted, duplicates are removed, and their successors
//!   are stored for lower layers.
//! - Upward: the value of each position follows from the layers below. At the end of a game the
//!   side to move has always lost, so one byte with the plies to the end is enough: if it is odd,
//!   the side to move wins. Numbers of games are summed on the way. They are kept as long as a move
//!   can lead to them, in as many limbs as they need.
//!
//! Mirror images form one *class*. Its *key* has at most 61 bits (`board.rs`). A bijection spreads
//! the keys evenly, which divides a layer into equal parts for the threads, and gives the
//! approximate position of a key in a sorted list (`lists.rs`). `forward.rs` and `backward.rs` are
//! the two passes, `tallies.rs` holds the numbers of games, and `estimate.rs` estimates the memory
//! of a board.
//!
//! # Who wins, with fewer positions
//!
//! [`HexapawnSolver::winner`] skips positions in which the side to move can bring a pawn to the far
//! row at once. Such a position is won in one ply, and no win is quicker, so its other moves change
//! no value. All values that are computed are exact, distances included.

mod backward;
mod board;
mod census;
mod estimate;
mod forward;
mod lists;
mod meter;
mod root;
mod solution;
mod tallies;

use anser_core::hunt::{PointSet, Position};
use anser_core::{Dtw, Hunt, Observer, Unobserved};
pub use solution::{HexapawnSolution, HexapawnWinner};

use crate::error::AnalyseError;
use crate::limits::Limits;
use crate::tally::Tally;
use backward::{Task, Values};
use forward::{Scope, Stop, forward};
use meter::Meter;
use root::Root;
use solution::value;

/// Optional results of [`HexapawnSolver::solve`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HexapawnOptions {
    /// Whether to count the games, which takes about 16 bytes per class of some layers.
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

/// The solver of Hexapawn from one position.
///
/// ```
/// use anser_core::Hunt;
/// use anser_core::{Dtw, Side};
/// use anser_retrograde::Limits;
/// use anser_retrograde::hexapawn::{HexapawnOptions, HexapawnSolver};
///
/// let game = Hunt::hexapawn("3x3".parse()?);
/// let options = HexapawnOptions { keep: true, ..HexapawnOptions::default() };
/// let solution = HexapawnSolver::new(&game).unwrap().solve(&options, &Limits::default())?;
/// assert_eq!(solution.start(), Dtw::win(Side::Second, 6));
/// assert_eq!(solution.reachable(), 135);
/// assert_eq!(solution.games().map(|games| games.games()), Some(134_u32.into()));
/// let after_one_move = game.parse_position("ppp/1P1/P1P b")?;
/// assert_eq!(solution.get(&after_one_move), Some(Dtw::win(Side::Second, 5)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct HexapawnSolver {
    game: Hunt,
    root: Root,
}

impl HexapawnSolver {
    /// Creates the solver of a game from its start; `None` if the game is not
    /// [Hexapawn](Hunt::pawn_board).
    pub fn new(game: &Hunt) -> Option<HexapawnSolver> {
        HexapawnSolver::from_position(game, &game.start())
    }

    /// Creates the solver of a game from this position; `None` as well if it is not a position of
    /// the game.
    pub fn from_position(game: &Hunt, position: &Position) -> Option<HexapawnSolver> {
        Some(HexapawnSolver { game: game.clone(), root: Root::new(game, position)? })
    }

    /// Solves the reachable positions.
    ///
    /// Runs on the current Rayon pool. Memory: downward, 8 bytes per class, and 8 per successor not
    /// sorted yet; upward, 10 bytes per class, and with numbers of games 16 or more per class of as
    /// many layers as there are rows.
    ///
    /// # Errors
    /// [`AnalyseError::Memory`] if the memory does not suffice, [`AnalyseError::Interrupted`] if
    /// the observer interrupts, [`AnalyseError::Lost`] if the start is not among what was solved, a
    /// defect.
    pub fn solve(
        &self,
        options: &HexapawnOptions,
        limits: &Limits<'_>,
    ) -> Result<HexapawnSolution, AnalyseError> {
        let task = Task { scope: Scope::Reachable, games: options.games, keep: options.keep };
        let meter = Meter::new(limits.memory);
        let (values, count) = self.both_passes(task, &meter, limits.observer)?;
        let start = self.start_value(&values)?;
        let games = values.games(&self.root.board, self.root.top.into(), &self.root.start);
        let games = games
            .filter(|_| options.games)
            .map(|(tallies, place)| Tally::won_by(tallies.get(place)));
        Ok(HexapawnSolution {
            game: self.game.clone(),
            board: self.root.board.clone(),
            values: if options.keep { values } else { Values::default() },
            start,
            classes: count.classes(),
            census: count.census(),
            games,
            peak_memory: meter.peak(),
        })
    }

    /// Estimates the memory in bytes that [`HexapawnSolver::solve`] takes with these options, in at
    /// most half a second. From a position other than the start this is an upper bound.
    pub fn memory(&self, options: &HexapawnOptions) -> u64 {
        let task = Task { scope: Scope::Reachable, games: options.games, keep: options.keep };
        self.memory_for(task, &Unobserved).unwrap_or(u64::MAX)
    }

    /// Computes the value of the start from as few positions as possible; see the [module](self).
    ///
    /// # Errors
    /// As [`HexapawnSolver::solve`].
    ///
    /// ```
    /// use anser_core::Hunt;
    /// use anser_core::{Dtw, Side};
    /// use anser_retrograde::{Limits, hexapawn::HexapawnSolver};
    /// let game = Hunt::hexapawn("4x4".parse()?);
    /// let winner = HexapawnSolver::new(&game).unwrap().winner(&Limits::default())?;
    /// assert_eq!(winner.start.winner(), Some(Side::First));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn winner(&self, limits: &Limits<'_>) -> Result<HexapawnWinner, AnalyseError> {
        let decided = |plies| HexapawnWinner {
            start: self.dtw(plies),
            positions: 1,
            classes: 1,
            peak_memory: 0,
        };
        if self.root.board.is_through(&self.root.start) {
            return Ok(decided(0));
        }
        if self.root.board.can_get_through(&self.root.start) {
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
        let too_much = |needed| AnalyseError::Memory {
            what: self.game.name().into(),
            needed,
            allowed: meter.budget(),
        };
        // From another position than the start an estimate is only a bound, so that is let try.
        if self.root.top == *self.game.layers().end() && estimate::is_quick(self.root.size) {
            let needed = needed()?;
            // The estimate may be too high by a little.
            if meter.budget() < needed / 4 * 3 {
                return Err(too_much(needed));
            }
        }
        let passes =
            forward(&self.root.board, &self.root.start, self.root.top, task.scope, meter, observer)
                .and_then(|lists| Values::new(&self.root.board, lists, task, meter, observer));
        passes.map_err(|stop| match (stop, needed()) {
            (Stop::Memory, Ok(needed)) => too_much(needed.max(meter.peak())),
            _ => AnalyseError::Interrupted,
        })
    }

    /// Estimates the memory of a pass in bytes. From a position other than the start this is an
    /// upper bound.
    fn memory_for(&self, task: Task, observer: &dyn Observer) -> Result<u64, AnalyseError> {
        let classes = estimate::classes(self.root.size, task.scope, observer)
            .map_err(|_| AnalyseError::Interrupted)?;
        let folded = if self.root.start.is_symmetric() { 1.0 } else { 2.0 };
        Ok(estimate::bytes(classes * folded, task))
    }

    /// Returns the value of the start; an error if it is not among the values.
    fn start_value(&self, values: &Values) -> Result<Dtw, AnalyseError> {
        let plies = values.plies(&self.root.board, self.root.top.into(), &self.root.start);
        plies
            .map(|plies| self.dtw(plies))
            .ok_or_else(|| AnalyseError::Lost { position: self.start_text() })
    }

    /// Returns the start in the notation of the game.
    fn start_text(&self) -> String {
        let pieces = [self.root.start.white, self.root.start.black];
        let pieces = pieces.map(|pawns| PointSet::from_bits(pawns.into()));
        let position = self.game.position(pieces, [0; 2], self.root.start.to_move);
        position.map_or_else(String::new, |position| self.game.format_position(&position))
    }

    /// Returns the value of the start if it is `plies` plies from the end.
    fn dtw(&self, plies: u8) -> Dtw {
        value(self.root.start.to_move, plies)
    }
}
