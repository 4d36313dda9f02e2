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
//! the two passes, and `estimate.rs` estimates the memory of a board.
//!
//! # Who wins, with fewer positions
//!
//! [`HexapawnScope::Winner`] skips positions in which the side to move can bring a pawn to the far
//! row at once. Such a position is won in one ply, and no win is quicker, so its other moves change
//! no value. All values that are computed are exact, distances included.

mod backward;
mod board;
mod census;
mod estimate;
mod forward;
mod lists;
mod meter;

use anser_core::hexapawn::BoardSize;
use anser_core::hunt::Position;
use anser_core::{Dtw, Hunt, Observer, Side, Unobserved};

use crate::census::Census;
use crate::error::AnalyseError;
use crate::limits::Limits;
use crate::tally::Tally;
use backward::Values;
use board::{Arrangement, Board};
use forward::{Stop, forward};
use meter::Meter;

/// What [`HexapawnSolver::solve`] computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HexapawnScope {
    /// The value of the start, from as few positions as possible; see the [module](self).
    Winner,
    /// The values of all reachable positions.
    Positions,
    /// These, and the number of games, which takes about 16 bytes per class of some layers.
    Games,
}

/// Result of [`HexapawnSolver::solve`].
#[derive(Clone, Debug)]
pub struct HexapawnReport {
    /// The value of the start of the solver.
    pub start: Dtw,
    /// The census of the positions of the scope, the start and terminal ones included; mirror
    /// images are counted separately.
    pub census: Census,
    /// The number of classes of mirror images of these.
    pub classes: u64,
    /// The number of different games, if they were counted.
    pub games: Option<Tally>,
    /// The peak memory of the lists, in bytes.
    pub peak_memory: u64,
}

/// The solver of Hexapawn from one position.
///
/// ```
/// use anser_core::Hunt;
/// use anser_core::{Dtw, Side};
/// use anser_retrograde::Limits;
/// use anser_retrograde::hexapawn::{HexapawnScope, HexapawnSolver};
///
/// let game = Hunt::hexapawn("3x3".parse()?);
/// let solver = HexapawnSolver::new(&game).unwrap();
/// let report = solver.solve(HexapawnScope::Games, &Limits::default())?;
/// assert_eq!(report.start, Dtw::win(Side::Second, 6));
/// assert_eq!(report.census.positions(), 135);
/// assert_eq!(report.games.map(|games| games.games()), Some(134_u32.into()));
///
/// let after_one_move = game.parse_position("ppp/1P1/P1P b")?;
/// let solver = HexapawnSolver::from_position(&game, &after_one_move).unwrap();
/// let winner = solver.solve(HexapawnScope::Winner, &Limits::default())?;
/// assert_eq!(winner.start, Dtw::win(Side::Second, 5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct HexapawnSolver {
    game: Hunt,
    size: BoardSize,
    board: Board,
    /// The position that is solved, also on the board.
    position: Position,
    start: Arrangement,
    /// The layer of the start.
    top: usize,
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
        let size = game.pawn_board()?;
        let pieces = [position.few(), position.many()];
        let position = game.position(pieces, [0; 2], position.to_move())?;
        let start = Board::new(size, false).arrangement(&position)?;
        // If the mirror image of every reachable position can be reached as well, both are one
        // class.
        let board = Board::new(size, !start.is_symmetric());
        let top = game.layer(&position).into();
        Some(HexapawnSolver { game: game.clone(), size, board, position, start, top })
    }

    /// Solves the positions of a scope.
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
        scope: HexapawnScope,
        limits: &Limits<'_>,
    ) -> Result<HexapawnReport, AnalyseError> {
        let (meter, observer) = (Meter::new(limits.memory), limits.observer);
        let needed = || self.estimate(scope, observer);
        let too_much = |needed| AnalyseError::memory(&self.game, needed, limits.memory);
        // From another position than the start an estimate is only a bound, so that is let try.
        if self.top == usize::from(*self.game.layers().end()) && estimate::is_quick(self.size) {
            let needed = needed()?;
            // The estimate may be too high by a little.
            if limits.memory < needed / 4 * 3 {
                return Err(too_much(needed));
            }
        }
        let passes = forward(self, scope, &meter, observer)
            .and_then(|lists| Values::new(&self.board, lists, scope, &meter, observer));
        let (values, count) = passes.map_err(|stop| match (stop, needed()) {
            (Stop::Memory, Ok(needed)) => too_much(needed.max(meter.peak())),
            _ => AnalyseError::Interrupted,
        })?;
        let lost = || AnalyseError::lost(&self.game, &self.position);
        let (plies, games) = values.of(&self.board, self.top, &self.start).ok_or_else(lost)?;
        Ok(HexapawnReport {
            start: value(self.start.to_move, plies),
            census: count.census(),
            classes: count.classes,
            games,
            peak_memory: meter.peak(),
        })
    }

    /// Estimates the memory in bytes that [`HexapawnSolver::solve`] takes, in at most half a
    /// second. From a position other than the start this is an upper bound.
    pub fn memory(&self, scope: HexapawnScope) -> u64 {
        self.estimate(scope, &Unobserved).unwrap_or(u64::MAX)
    }

    fn estimate(&self, scope: HexapawnScope, observer: &dyn Observer) -> Result<u64, AnalyseError> {
        let classes =
            estimate::classes(self.size, scope, observer).map_err(|_| AnalyseError::Interrupted)?;
        let folded = if self.start.is_symmetric() { 1.0 } else { 2.0 };
        Ok(estimate::bytes(classes * folded, scope))
    }
}

/// Returns the value of a position `plies` plies from the end.
fn value(to_move: Side, plies: u8) -> Dtw {
    Dtw::win(if plies % 2 == 1 { to_move } else { to_move.other() }, plies.into())
}
