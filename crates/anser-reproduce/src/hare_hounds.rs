//! Hare-and-Hounds: the evaluations, the line of best play, stalemates and zugzwangs.

use std::collections::BTreeMap;

use anser_core::hare_hounds::{HareHounds, Position, RuleSet};
use anser_core::prelude::*;
use anser_core::{BLOCKED, Dtw, Next, Outcome, Side};
use serde_json::{Value as Json, json};

use super::facts::{Played, value};
use super::{Answer, DataError, Entry, Question, ReproduceError};
use anser_analyse::{AnalyseError, Solution, Tie, best_line};

/// All arrangements, with every number of plies left.
struct Solved {
    game: HareHounds,
    solution: Solution<HareHounds>,
    /// The 2,640 arrangements with the whole budget left, with their values.
    fresh: Vec<(Position, Dtw)>,
}

pub(super) fn answers(question: &Question<'_>) -> Result<Vec<Answer>, ReproduceError> {
    let rules: RuleSet = question.rules.parse().map_err(|_| question.unknown())?;
    let game = HareHounds::new(rules);
    let solution = Solution::of_layers(&game, game.layers(), question.limits)?;
    // Without a budget every arrangement is fresh.
    let layers = rules.budget().map_or(game.layers(), |plies| u16::from(plies)..=u16::from(plies));
    let fresh = layers.flat_map(|layer| solution.positions(layer)).collect();
    let solved = Solved { game: game.clone(), solution, fresh };
    let from_start = |entry: &&&Entry| matches!(&*entry.figure, "reachable" | "games" | "games_won");
    let played =
        question.entries.iter().find(from_start).map(|_| Played::new(game.clone(), question.limits)).transpose()?;
    let answer = |entry: &&Entry| {
        if let Some(found) = solved.figure(entry)? {
            return Ok(Answer::Computed(found));
        }
        let ending = |position: &Position| game.ending(position).unwrap_or(BLOCKED);
        Ok(match &played {
            Some(played) => played.figure(&entry.figure, ending)?,
            None => None,
        }
        .into())
    };
    question.entries.iter().map(answer).collect()
}

impl Solved {
    fn figure(&self, entry: &Entry) -> Result<Option<Json>, ReproduceError> {
        Ok(Some(match &*entry.figure {
            "positions" => json!(self.fresh.len()),
            "value" => value(&self.game, self.solution.require(&self.position(entry)?)?),
            "line" => json!(self.line(entry)?.iter().map(|(mv, _)| mv).collect::<Vec<_>>()),
            "line_position" => {
                let line = self.line(entry)?;
                let after = entry.after.and_then(|plies| line.get(plies.checked_sub(1)?));
                json!(after.and_then(|(_, position)| position.as_ref()))
            }
            "stalemates" => json!(self.texts(|position, _| {
                position.to_move() == Side::Second && self.game.ending(position) == Some(BLOCKED)
            })),
            "zugzwangs" => self.zugzwangs(entry)?,
            "won_positions" => self.won(),
            "longest_hounds_win" => {
                let won = self.fresh.iter().filter(|(_, value)| value.winner() == Some(Side::Second));
                json!(won.filter_map(|(_, value)| value.plies()).max())
            }
            _ => return Ok(None),
        }))
    }

    /// The position that an entry is about.
    fn position(&self, entry: &Entry) -> Result<Position, ReproduceError> {
        let Some(text) = &entry.position else { return Ok(self.game.start()) };
        self.game.parse_position(text).map_err(|error| DataError::new(error.to_string()).into())
    }

    /// The moves of a line of best play, with what each leads to.
    fn line(&self, entry: &Entry) -> Result<Vec<(String, Option<String>)>, ReproduceError> {
        // Where the entry does not say, ties are broken as in the line that the document prints.
        let usual = |side| if side == Side::First { "last" } else { "first" };
        let ties = Side::BOTH.map(|side| {
            let tie = entry.ties.get(self.game.side_name(side)).map_or(usual(side), String::as_str);
            if tie == "last" { Tie::Last } else { Tie::First }
        });
        let line = best_line(&self.game, &self.position(entry)?, ties, |position| self.solution.require(position))?;
        let text = |next| match next {
            Next::Position(position) => Some(self.game.format_position(&position)),
            Next::End(_) => None,
        };
        Ok(line.plies.into_iter().map(|ply| (self.game.format_move(&ply.mv), text(ply.next))).collect())
    }

    /// The fresh arrangements of a kind as texts, in their order.
    fn texts(&self, is_one: impl Fn(&Position, Dtw) -> bool) -> Vec<String> {
        let found = self.fresh.iter().filter(|(position, value)| is_one(position, *value));
        let mut texts: Vec<String> = found.map(|(position, _)| self.game.format_position(position)).collect();
        texts.sort();
        texts
    }

    /// The arrangements in which either side would rather not have the move: full where whoever moves loses.
    fn zugzwangs(&self, entry: &Entry) -> Result<Json, AnalyseError> {
        let (mut full, mut half) = (Vec::new(), 0);
        for (position, here) in self.fresh.iter().filter(|(position, _)| position.to_move() == Side::First) {
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

    /// The fresh arrangements by side to move and outcome; kinds that there are none of are left out.
    fn won(&self) -> Json {
        let mut sides: BTreeMap<&str, BTreeMap<&str, u64>> = BTreeMap::new();
        for (position, value) in &self.fresh {
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
