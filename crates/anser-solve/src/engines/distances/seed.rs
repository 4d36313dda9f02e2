//! What ends, and moves that leave the layer, say of a position before anything else in the layer is known.

use std::ops::ControlFlow;

use anser_core::{Dtw, Game, Next, Outcome, Side};

use crate::SolveError;
use crate::engines::distances::DistanceTask;

/// The value of a move to a position of this value; `None` if there is no room for it.
pub(crate) fn before(value: Dtw) -> Option<Dtw> {
    value.plies().is_none_or(|plies| plies < Dtw::LONGEST).then(|| value.before())
}

/// What is known of an undecided position, as a code that is kept in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seed {
    /// Nothing leaves the layer.
    Nothing,
    /// The side to move has a draw in hand, and no win outside the layer.
    Held,
    /// The side to move can leave the layer and win in so many plies, not sooner.
    Win(u16),
    /// Every move that leaves the layer loses, and not later than in so many plies.
    Loss(u16),
}

impl Seed {
    /// The code of [`Seed::Held`], which no value has.
    const HELD: u16 = u16::MAX;

    pub(super) fn code(self, side: Side) -> u16 {
        match self {
            Seed::Nothing => Dtw::DRAW.code(),
            Seed::Held => Seed::HELD,
            Seed::Win(plies) => Dtw::win(side, plies).code(),
            Seed::Loss(plies) => Dtw::win(side.other(), plies).code(),
        }
    }

    /// The seed of a position with `side` to move.
    #[inline]
    pub(super) fn of_code(code: u16, side: Side) -> Seed {
        match Dtw::from_code(code).map(|value| (value.winner(), value.plies())) {
            None => Seed::Held,
            Some((Some(winner), Some(plies))) if winner == side => Seed::Win(plies),
            Some((Some(_), Some(plies))) => Seed::Loss(plies),
            Some(_) => Seed::Nothing,
        }
    }

    /// The distance at which the seed has something to say.
    pub(super) fn plies(self) -> Option<u16> {
        match self {
            Seed::Win(plies) | Seed::Loss(plies) => Some(plies),
            Seed::Nothing | Seed::Held => None,
        }
    }
}

/// What a first look at a position gives.
pub(super) enum FirstLook {
    /// The game is over.
    Over(Side),
    Open(Seed),
}

/// Looks at a position with `side` to move, at its end and at the moves that leave the layer.
pub(super) fn first_look<G: Game>(
    task: &DistanceTask<'_, G>,
    side: Side,
    position: &G::Position,
) -> Result<FirstLook, SolveError> {
    match task.game.terminal(position) {
        Some(Outcome::Win(winner)) => return Ok(FirstLook::Over(winner)),
        Some(Outcome::Draw) => return Ok(FirstLook::Open(Seed::Held)),
        None => {}
    }
    // Nothing else than the best of the moves that leave: a loser delays, a draw is better than any loss.
    let (mut best, mut stays): (Option<Dtw>, bool) = (None, false);
    let failed = task.game.visit_moves(position, |_, next| {
        let after = match next {
            Next::End(outcome) => Ok(Dtw::ended(outcome)),
            Next::Position(next) if task.game.layer(&next) == task.layer => {
                stays = true;
                return ControlFlow::Continue(());
            }
            Next::Position(next) => task.lower.probe_distance(&next).map_err(SolveError::from),
        };
        match after.and_then(|after| before(after).ok_or_else(|| task.too_long())) {
            Err(error) => return ControlFlow::Break(error),
            Ok(value) if best.is_none_or(|best| value.score(side) > best.score(side)) => best = Some(value),
            Ok(_) => {}
        }
        ControlFlow::Continue(())
    });
    if let ControlFlow::Break(error) = failed {
        return Err(error);
    }
    Ok(match best {
        Some(Dtw::DRAW) => FirstLook::Open(Seed::Held),
        Some(value) => FirstLook::Open(Seed::of_code(value.code(), side)),
        None if stays => FirstLook::Open(Seed::Nothing),
        // A side that cannot move has lost.
        None => FirstLook::Over(side.other()),
    })
}
