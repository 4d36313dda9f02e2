//! The part of a value that the first look gives: kept where the value of an undecided position will be.

use anser_core::{Dtw, Game, Outcome, Side};
use anser_table::Tablebase;

use crate::SolveError;
use crate::engines::engine::Task;
use crate::engines::first_look::{self, Scan};

/// What the moves that leave the layer say of an undecided position.
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

/// Result of a first look.
pub(super) enum FirstLook {
    /// The game is over and this side has won.
    Over(Side),
    Open(Seed),
}

/// Takes the first look at a position with `side` to move.
pub(super) fn first_look<G: Game>(
    task: &Task<'_, G>,
    lower: &Tablebase<G>,
    side: Side,
    position: &G::Position,
) -> Result<FirstLook, SolveError> {
    // The best of the moves that leave decides: a loser delays, and a draw is better than any loss.
    let look = first_look::first_look(task, side, position, Scan::All, |next| Ok(lower.probe_distance(next)?))?;
    Ok(match look {
        first_look::FirstLook::Over(Outcome::Win(winner)) => FirstLook::Over(winner),
        first_look::FirstLook::Open { best: None, .. } => FirstLook::Open(Seed::Nothing),
        first_look::FirstLook::Over(Outcome::Draw) | first_look::FirstLook::Open { best: Some(Dtw::DRAW), .. } => {
            FirstLook::Open(Seed::Held)
        }
        first_look::FirstLook::Open { best: Some(value), .. } => FirstLook::Open(Seed::of_code(value.code(), side)),
    })
}
