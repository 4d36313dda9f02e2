//! The first look at a position: its value as far as the rules and lower layers determine it,
//! before anything in its layer is known.

use std::ops::ControlFlow;

use anser_core::hunt::Position;
use anser_core::{Dtw, Hunt, Next, Outcome, Side};

use super::task::TooLong;

/// Result of a first look.
pub enum FirstLook {
    /// The game is over.
    Over(Outcome),
    /// The side to move has moves.
    Open {
        /// The value of the best move that leaves the layer; `None` if every move stays.
        best: Option<Dtw>,
        /// Whether a move stays in the layer.
        stays: bool,
    },
}

/// The moves that are examined.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scan {
    /// All, for the exact value.
    All,
    /// Up to the first that wins, for the outcome.
    UntilWon,
}

/// Takes the first look at a position of `layer` with `side` to move. `below` returns the value of
/// a position of a lower layer.
///
/// # Errors
/// The first error of `below`, and [`TooLong`].
#[inline]
pub fn first_look<E: From<TooLong>>(
    game: &Hunt,
    layer: u16,
    side: Side,
    position: &Position,
    scan: Scan,
    mut below: impl FnMut(&Position) -> Result<Dtw, E>,
) -> Result<FirstLook, E> {
    if let Some(outcome) = game.terminal(position) {
        return Ok(FirstLook::Over(outcome));
    }
    let mut best = None;
    let flow = game.visit_leaving(layer, position, |next| {
        let after = match &next {
            Next::End(end) => Ok(Dtw::ended(end.outcome)),
            Next::Position(next) => below(next),
        };
        improve(&mut best, after, layer, side, scan)
    });
    let stays = match flow {
        ControlFlow::Break(Some(error)) => return Err(error),
        // Whether others stay does not matter beside a win.
        ControlFlow::Break(None) => false,
        ControlFlow::Continue(stays) => stays,
    };
    Ok(if best.is_none() && !stays {
        FirstLook::Over(blocked(side))
    } else {
        FirstLook::Open { best, stays }
    })
}

/// Takes a move after which the value is `after` into account. Breaks if it wins and that is
/// enough, or with the error of `after`, or that it takes too long.
#[inline]
pub(super) fn improve<E: From<TooLong>>(
    best: &mut Option<Dtw>,
    after: Result<Dtw, E>,
    layer: u16,
    side: Side,
    scan: Scan,
) -> ControlFlow<Option<E>> {
    let value = match after {
        Ok(after) if after.plies().is_none_or(|plies| plies < Dtw::LONGEST) => after.before(),
        Ok(_) => return ControlFlow::Break(Some(TooLong { layer }.into())),
        Err(error) => return ControlFlow::Break(Some(error)),
    };
    if best.is_none_or(|best| value.score(side) > best.score(side)) {
        *best = Some(value);
    }
    if scan == Scan::UntilWon && value.winner() == Some(side) {
        return ControlFlow::Break(None);
    }
    ControlFlow::Continue(())
}

/// Returns the outcome of a position in which `side` is to move and has no move: it has lost.
///
/// Rules that pass [`validate`](anser_core::validate) have such positions only where
/// [`terminal`](anser_core::Hunt::terminal) gives the outcome. For other rules this is what the
/// checks of `anser-solve` expect, too.
pub(super) fn blocked(side: Side) -> Outcome {
    Outcome::Win(side.other())
}
