//! Seeds: what the first look at an undecided position finds. They are kept where the value of the
//! position will be.

use anser_core::hunt::Position;
use anser_core::{Dtw, Outcome, Side};

use super::first_look::{FirstLook, Scan, first_look};
use super::task::{Context, Layer};

/// Contribution of the moves that leave the layer to an undecided position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seed {
    /// No move leaves the layer.
    Nothing,
    /// The side to move can leave the layer with a draw, and not with a win.
    Held,
    /// The side to move can leave the layer and win in this many plies, not sooner.
    Win(u16),
    /// Every move that leaves the layer loses in at most this many plies.
    Loss(u16),
}

impl Seed {
    /// The code of [`Seed::Held`], which is the code of no value.
    const HELD: u16 = u16::MAX;

    pub(super) fn code(self, side: Side) -> u16 {
        match self {
            Seed::Nothing => Dtw::DRAW.code(),
            Seed::Held => Seed::HELD,
            Seed::Win(plies) => Dtw::win(side, plies).code(),
            Seed::Loss(plies) => Dtw::win(side.other(), plies).code(),
        }
    }

    /// Returns the seed of a position with `side` to move.
    #[inline]
    pub(super) fn of_code(code: u16, side: Side) -> Seed {
        match Dtw::from_code(code).map(|value| (value.winner(), value.plies())) {
            None => Seed::Held,
            Some((Some(winner), Some(plies))) if winner == side => Seed::Win(plies),
            Some((Some(_), Some(plies))) => Seed::Loss(plies),
            Some(_) => Seed::Nothing,
        }
    }

    /// Returns the distance of the round in which the seed may decide the position.
    pub(super) fn plies(self) -> Option<u16> {
        match self {
            Seed::Win(plies) | Seed::Loss(plies) => Some(plies),
            Seed::Nothing | Seed::Held => None,
        }
    }
}

/// A position after the first look.
pub(super) enum Start {
    /// The game is over and this side has won.
    Won(Side),
    /// Undecided.
    Open(Seed),
}

/// Takes the first look at a position with `side` to move.
pub(super) fn start<C: Context>(
    layer: &Layer<'_>,
    context: &C,
    side: Side,
    position: &Position,
) -> Result<Start, C::Error> {
    // The best of the moves that leave decides: a loser delays, and a draw is better than any loss.
    let below = |next: &Position| context.below(next);
    Ok(match first_look(layer.game, layer.number, side, position, Scan::All, below)? {
        FirstLook::Over(Outcome::Win(winner)) => Start::Won(winner),
        FirstLook::Open { best: None, .. } => Start::Open(Seed::Nothing),
        FirstLook::Over(Outcome::Draw) | FirstLook::Open { best: Some(Dtw::DRAW), .. } => {
            Start::Open(Seed::Held)
        }
        FirstLook::Open { best: Some(value), .. } => Start::Open(Seed::of_code(value.code(), side)),
    })
}
