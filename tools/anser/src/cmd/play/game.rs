//! A game: its settings, its moves, its end, and the score of several.

use std::time::Duration;

use anser_analyse::{Strategy, Style};
use anser_core::{BySide, Hunt, Next, Outcome, Side, hunt};
use anser_games::answers::EndedBy;

/// Settings of a game.
pub(super) struct Setup {
    /// Whether a person plays each side.
    pub(super) persons: BySide<bool>,
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
        let plays = |&side: &Side| !self.persons[side] && self.strategies[side].style == style;
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

/// Counts of games by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Score {
    /// Games that each side won.
    won: BySide<usize>,
    drawn: usize,
    /// Games that were not played to the end.
    left: usize,
}

impl Score {
    /// Counts a game.
    pub(super) fn add(&mut self, game: &Hunt, outcome: Option<Outcome>) {
        match outcome.map(|outcome| game.winner(outcome)) {
            Some(Some(side)) => self.won[side] += 1,
            Some(None) => self.drawn += 1,
            None => self.left += 1,
        }
    }

    fn games(&self) -> usize {
        self.won.as_array().iter().sum::<usize>() + self.drawn + self.left
    }

    /// Formats the score as one line.
    pub(super) fn text(&self, game: &Hunt) -> String {
        let games = if self.games() == 1 { "game".to_owned() } else { "games".to_owned() };
        let sides = Side::BOTH.map(|side| format!("{} {}", game.side_name(side), self.won[side]));
        let left = if self.left > 0 { format!(", left {}", self.left) } else { String::new() };
        format!(
            "score after {} {games}: {}, drawn {}{left}\n",
            self.games(),
            sides.join(", "),
            self.drawn
        )
    }
}
