//! The first look at a position: what ends of the game, and moves that leave the layer, say of it before anything in the
//! layer is known.

use std::ops::ControlFlow;

use anser_core::{Dtw, Game, Next, Outcome, Side};

use super::engine::Task;
use crate::SolveError;

/// Result of a first look.
pub(crate) enum FirstLook {
    /// The game is over, or the side to move cannot move and has lost.
    Over(Outcome),
    /// There are moves.
    Open {
        /// The best value that leaving the layer gives the side to move; `None` if every move stays.
        best: Option<Dtw>,
        /// Whether a move stays in the layer.
        stays: bool,
    },
}

/// How many moves to look at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scan {
    /// All, for the exact value.
    All,
    /// Up to the first that wins, for the outcome.
    UntilWon,
}

/// Takes the first look at a position with `side` to move. `below` looks up positions of lower layers.
#[inline]
pub(crate) fn first_look<G: Game>(
    task: &Task<'_, G>,
    side: Side,
    position: &G::Position,
    scan: Scan,
    mut below: impl FnMut(&G::Position) -> Result<Dtw, SolveError>,
) -> Result<FirstLook, SolveError> {
    if let Some(outcome) = task.game.terminal(position) {
        return Ok(FirstLook::Over(outcome));
    }
    let mut stays = false;
    let best = best_move(task, side, position, scan, |next| {
        if task.game.layer(next) == task.layer {
            stays = true;
            return Ok(None);
        }
        below(next).map(Some)
    })?;
    Ok(if best.is_none() && !stays {
        FirstLook::Over(Outcome::Win(side.other()))
    } else {
        FirstLook::Open { best, stays }
    })
}

/// Returns the value of the best move of `side`, one ply added for the move. `value` gives the value of the position after a
/// move, or `None` to pass over the move. `None` if all moves are passed over.
#[inline]
pub(crate) fn best_move<G: Game>(
    task: &Task<'_, G>,
    side: Side,
    position: &G::Position,
    scan: Scan,
    mut value: impl FnMut(&G::Position) -> Result<Option<Dtw>, SolveError>,
) -> Result<Option<Dtw>, SolveError> {
    let mut best: Option<Dtw> = None;
    let stopped = task.game.visit_moves(position, |_, next| {
        let after = match next {
            Next::End(outcome) => Dtw::ended(outcome),
            Next::Position(next) => match value(&next) {
                Ok(Some(after)) => after,
                Ok(None) => return ControlFlow::Continue(()),
                Err(error) => return ControlFlow::Break(Some(error)),
            },
        };
        let Some(value) = before(after) else { return ControlFlow::Break(Some(task.too_long())) };
        if best.is_none_or(|best| value.score(side) > best.score(side)) {
            best = Some(value);
        }
        if scan == Scan::UntilWon && value.winner() == Some(side) {
            return ControlFlow::Break(None);
        }
        ControlFlow::Continue(())
    });
    match stopped {
        ControlFlow::Break(Some(error)) => Err(error),
        ControlFlow::Break(None) | ControlFlow::Continue(()) => Ok(best),
    }
}

/// Returns the value one ply before a position of this value; `None` if that is beyond [`Dtw::LONGEST`].
pub(crate) fn before(value: Dtw) -> Option<Dtw> {
    value.plies().is_none_or(|plies| plies < Dtw::LONGEST).then(|| value.before())
}
