//! Hare-and-Hounds: evaluations, the line of best play, stalemates, and zugzwangs.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use anser_analyse::{Tie, Zugzwangs, best_line, census_of_layer, zugzwangs_of_layer};
use anser_core::hunt::Position;
use anser_core::{BLOCKED, BySide, Hunt, Outcome, Side, Unobserved};
use anser_games::answers::outcome_name;
use anser_retrograde::{AnalyseError, Census, Solution};
use serde_json::{Value as Json, json};

use crate::common::{SolvedGame, value};
use crate::question::{Answer, Question};
use crate::{DataError, Entry, Figure, ReproduceError};

/// All arrangements of the pieces, with every number of plies left of the budget.
struct Arrangements {
    game: Hunt,
    solution: Solution,
    /// The layers of the 2,640 arrangements with the whole budget left.
    whole_budget: RangeInclusive<u16>,
    /// The census of these arrangements.
    census: Census,
}

pub(crate) fn answers(rules: &str, question: &Question<'_>) -> Result<Vec<Answer>, ReproduceError> {
    let game = Hunt::hare_hounds(rules).map_err(DataError::from)?;
    let solution = Solution::of_layers(&game, game.layers(), question.limits)?;
    let plies = game.description().plies.map(u16::from);
    let whole_budget = plies.map_or(game.layers(), |plies| plies..=plies);
    let mut census = Census::default();
    for layer in whole_budget.clone() {
        census.add(&census_of_layer(&game, &solution, layer, &Unobserved)?);
    }
    let solved = Arrangements { game: game.clone(), solution, whole_budget, census };
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
            Figure::Positions => json!(self.census.positions()),
            Figure::Value => value(&self.game, self.solution.require(&self.position(entry)?)?),
            Figure::Line => json!(self.line(entry)?.iter().map(|(mv, _)| mv).collect::<Vec<_>>()),
            Figure::LinePosition => {
                let line = self.line(entry)?;
                let after = entry.after.and_then(|plies| line.get(plies.checked_sub(1)?));
                json!(after.map(|(_, position)| position))
            }
            Figure::Stalemates => {
                let layers = self.whole_budget.clone();
                let positions = layers.flat_map(|layer| self.solution.positions(layer));
                let positions = positions.map(|(position, _)| position);
                json!(self.texts(positions.filter(|position| {
                    position.to_move() == Side::Second
                        && self.game.ending(position) == Some(BLOCKED)
                })))
            }
            Figure::Zugzwangs => self.zugzwangs(entry)?,
            Figure::WonPositions => self.won(),
            Figure::LongestHoundsWin => {
                let won = Side::BOTH.map(|side| self.census.to_move(side).depths(Side::Second));
                json!(won.iter().flat_map(|plies| plies.keys()).max())
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

    /// Positions as sorted texts.
    fn texts(&self, positions: impl Iterator<Item = Position>) -> Vec<String> {
        let mut texts: Vec<String> =
            positions.map(|position| self.game.format_position(&position)).collect();
        texts.sort();
        texts
    }

    /// Arrangements in which it is a disadvantage for either side to be on move. In a full zugzwang
    /// the side to move loses.
    fn zugzwangs(&self, entry: &Entry) -> Result<Json, AnalyseError> {
        let (all, mut zugzwangs) = (usize::MAX, Zugzwangs::default());
        for layer in self.whole_budget.clone() {
            let of_layer = zugzwangs_of_layer(&self.game, &self.solution, layer, all, &Unobserved)?;
            zugzwangs = zugzwangs.join(of_layer, all);
        }
        let Zugzwangs { full, one_sided } = zugzwangs;
        let half: u64 = one_sided.iter().map(|(_, listing)| listing.count).sum();
        let mut found = json!({"full": full.count, "half": half});
        if entry.truth.get("full_positions").is_some() {
            found["full_positions"] =
                json!(self.texts(full.first.iter().map(|(position, _)| *position)));
        }
        Ok(found)
    }

    /// Arrangements with the whole budget left by side to move and outcome, without zero counts.
    fn won(&self) -> Json {
        let of_side = |side: Side| {
            let outcomes = [Outcome::Win(Side::First), Outcome::Win(Side::Second), Outcome::Draw];
            let counts = outcomes.map(|outcome| {
                (outcome_name(&self.game, outcome), self.census.to_move(side).outcome(outcome))
            });
            counts.into_iter().filter(|&(_, count)| count > 0).collect::<BTreeMap<_, _>>()
        };
        json!({"r": of_side(Side::First), "h": of_side(Side::Second)})
    }
}
