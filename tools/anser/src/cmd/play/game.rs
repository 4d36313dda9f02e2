//! A game: its settings, its moves, and its end.

use std::time::Duration;

use anser_analyse::{Strategy, Style};
use anser_core::{BySide, Next, Outcome, Side, hunt};
use anser_games::answers::EndedBy;

use super::players::Player;

/// Settings of a game.
pub(super) struct Setup {
    /// Player of each side.
    pub(super) players: BySide<Player>,
    /// Strategy of the computer for each side, also for hints.
    pub(super) strategies: BySide<Strategy>,
    /// Search time per move if the values are not known.
    pub(super) think: Option<Duration>,
    /// Number of positions searched per move if the values are not known.
    pub(super) nodes: Option<u64>,
    /// Number of random plies at the start.
    pub(super) random_plies: usize,
    /// Number of plies after which the game is left.
    pub(super) limit: usize,
    /// Whether standard output is reserved for the record as JSON.
    pub(super) json: bool,
    /// Whether only the results of games are shown.
    pub(super) quiet: bool,
}

impl Setup {
    /// Whether some side has this style.
    pub(super) fn has_style(&self, style: Style) -> bool {
        self.strategies.iter().any(|(_, strategy)| strategy.style == style)
    }

    /// Sides that the computer plays in this style.
    pub(super) fn computers(&self, style: Style) -> Vec<Side> {
        let plays =
            |&side: &Side| matches!(self.players[side], Player::Computer(it) if it.style == style);
        Side::BOTH.into_iter().filter(plays).collect()
    }
}

/// Move of a game, with the position before it and its result.
pub(crate) struct Played {
    pub(crate) from: hunt::Position,
    pub(crate) mv: hunt::Move,
    pub(crate) next: Next,
}

/// End of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The rules, with the reason in words.
    Over(Outcome, Option<String>),
    /// Resignation of this side.
    Resigned(Side),
    /// Third occurrence of a position that is drawn or not known.
    Repetition,
    /// The game was left before its end.
    Left,
}

impl Ending {
    pub(super) fn outcome(&self) -> Option<Outcome> {
        match self {
            Ending::Over(outcome, _) => Some(*outcome),
            Ending::Resigned(side) => Some(Outcome::Win(side.other())),
            Ending::Repetition => Some(Outcome::Draw),
            Ending::Left => None,
        }
    }

    pub(super) fn by(&self) -> EndedBy {
        match self {
            Ending::Over(..) => EndedBy::End,
            Ending::Resigned(_) => EndedBy::Resignation,
            Ending::Repetition => EndedBy::Repetition,
            Ending::Left => EndedBy::Left,
        }
    }
}
