//! Hare-and-Hounds: evaluations, the line of best play, stalemates, and zugzwangs.

use std::collections::BTreeMap;

use anser_analyse::{Tie, best_line};
use anser_core::hunt::Position;
use anser_core::{BLOCKED, BySide, Dtw, Hunt, Outcome, Side};
use anser_retrograde::{AnalyseError, Solution};
use serde_json::{Value as Json, json};

use crate::common::{SolvedGame, value};
use crate::question::{Answer, Question};
use crate::{DataError, Entry, Figure, ReproduceError};

/// All arrangements of the pieces, with every number of plies left of the budget.
struct Arrangements {
    game: Hunt,
    solution: Solution,
    /// The 2,640 arrangements with the whole budget left, and their values.
    whole_budget: Vec<(Position, Dtw)>,
}

pub(crate) fn answers(rules: &str, question: &Question<'_>) -> Result<Vec<Answer>, ReproduceError> {
    let game = Hunt::hare_hounds(rules).map_err(DataError::from)?;
    let solution = Solution::of_layers(&game, game.layers(), question.limits)?;
    let plies = game.description().plies.map(u16::from);
    let layers = plies.map_or(game.layers(), |plies| plies..=plies);
    let whole_budget = layers.flat_map(|layer| solution.positions(layer)).collect();
    let solved = Arrangements { game: game.clone(), solution, whole_budget };
    let from_start = |entry: &&&Entry| {
        matches!(entry.figure, Figure::Reachable | Figure::Games | Figure::GamesWon)
    };
    let played = question
        .entries
        .iter()
        .find(from_start)
        .map(|_| SolvedGame::new(game.clone(), question.limits))
        .transpose()?;
    let answer = |entry: &&Entry| {
        if let Some(found) = solved.figure(entry)? {
            return Ok(Answer::Computed(found));
        }
        let ending = |position: &Position| game.ending(position).unwrap_or(BLOCKED).to_owned();
        Ok(match &played {
            Some(played) => played.figure(entry.figure, ending)?,
            None => None,
        }
        .into())
    };
    question.entries.iter().map(answer).collect()
}

impl Arrangements {
    fn figure(&self, entry: &Entry) -> Result<Option<Json>, ReproduceError> {
        Ok(Some(match entry.figure {
            Figure::Positions => json!(self.whole_budget.len()),
            Figure::Value => value(&self.game, self.solution.require(&self.position(entry)?)?),
            Figure::Line => json!(self.line(entry)?.iter().map(|(mv, _)| mv).collect::<Vec<_>>()),
            Figure::LinePosition => {
                let line = self.line(entry)?;
                let after = entry.after.and_then(|plies| line.get(plies.checked_sub(1)?));
                json!(after.map(|(_, position)| position))
            }
            Figure::Stalemates => json!(self.texts(|position, _| {
                position.to_move() == Side::Second && self.game.ending(position) == Some(BLOCKED)
            })),
            Figure::Zugzwangs => self.zugzwangs(entry)?,
            Figure::WonPositions => self.won(),
            Figure::LongestHoundsWin => {
                let won = self
                    .whole_budget
                    .iter()
                    .filter(|(_, value)| value.winner() == Some(Side::Second));
                json!(won.filter_map(|(_, value)| value.plies()).max())
            }
            _ => return Ok(None),
        }))
    }

    /// Position that an entry is about.
    fn position(&self, entry: &Entry) -> Result<Position, ReproduceError> {
        let Some(text) = &entry.position else { return Ok(self.game.start()) };
        let error = |error| DataError::Position {
            game: self.game.name().into(),
            position: text.clone(),
            error,
        };
        Ok(self.game.parse_position(text).map_err(error)?)
    }

    /// Moves of a line of best play, each with the position after it.
    fn line(&self, entry: &Entry) -> Result<Vec<(String, String)>, ReproduceError> {
        // By default ties are broken as in the line that the document prints.
        let ties = entry.ties.unwrap_or(BySide::new(Tie::Last, Tie::First));
        let line = best_line(&self.game, &self.position(entry)?, ties, &self.solution)?;
        Ok(line
            .moves
            .into_iter()
            .map(|rated| {
                (self.game.format_move(&rated.mv), self.game.format_position(rated.next.position()))
            })
            .collect())
    }

    /// Arrangements with the whole budget left that satisfy a condition, as sorted texts.
    fn texts(&self, is_one: impl Fn(&Position, Dtw) -> bool) -> Vec<String> {
        let found = self.whole_budget.iter().filter(|(position, value)| is_one(position, *value));
        let mut texts: Vec<String> =
            found.map(|(position, _)| self.game.format_position(position)).collect();
        texts.sort();
        texts
    }

    /// Arrangements in which it is a disadvantage for either side to be on move. In a full zugzwang
    /// the side to move loses.
    fn zugzwangs(&self, entry: &Entry) -> Result<Json, AnalyseError> {
        let (mut full, mut half) = (Vec::new(), 0);
        for (position, here) in
            self.whole_budget.iter().filter(|(position, _)| position.to_move() == Side::First)
        {
            let Some(passed) = self.game.passed(position) else { continue };
            if self.game.terminal(position).is_some() || self.game.terminal(&passed).is_some() {
                continue;
            }
            let there = self.solution.require(&passed)?.outcome().score(Side::First);
            match there - here.outcome().score(Side::First) {
                2 => full.push(self.game.format_position(position)),
                1 => half += 1,
                _ => {}
            }
        }
        full.sort();
        let mut found = json!({"full": full.len(), "half": half});
        if entry.truth.get("full_positions").is_some() {
            found["full_positions"] = json!(full);
        }
        Ok(found)
    }

    /// Arrangements with the whole budget left by side to move and outcome, without zero counts.
    fn won(&self) -> Json {
        let mut sides: BTreeMap<&str, BTreeMap<&str, u64>> = BTreeMap::new();
        for (position, value) in &self.whole_budget {
            let letter = if position.to_move() == Side::First { "r" } else { "h" };
            let outcome = match value.outcome() {
                Outcome::Win(side) => self.game.side_name(side),
                Outcome::Draw => "draw",
            };
            *sides.entry(letter).or_default().entry(outcome).or_default() += 1;
        }
        json!(sides)
    }
}
