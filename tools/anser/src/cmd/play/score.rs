//! Scores of matches.

use anser_core::{BySide, Hunt, Outcome, Side};

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
