//! Fox-and-Geese: Table 1 of the paper. States and sizes follow from the rules; the counts of won positions take tables.

use anser_core::fox_geese::FoxGeese;
use anser_core::{Game, Side};
use serde_json::json;

use super::{Answer, Missing, Question, ReproduceError};

pub(super) fn answers(question: &Question<'_>) -> Result<Vec<Answer>, ReproduceError> {
    let game = FoxGeese::new(question.rules.parse().map_err(|_| question.unknown())?);
    let answers = question.entries.iter().map(|entry| {
        let Some(geese) = entry.layer.filter(|layer| game.layers().contains(layer)) else {
            return Answer::Missing(Missing::Unknown);
        };
        let states: u64 = Side::BOTH.into_iter().map(|side| game.positions(geese, side)).sum();
        match &*entry.figure {
            "states" => Answer::Computed(json!(states)),
            // The paper's tables have a bit for each state.
            "space" => Answer::Computed(json!(states / 8)),
            "won" => {
                let won = question.supplied.geese_won.get(&(question.rules.to_owned(), geese));
                won.map_or(Answer::Missing(Missing::Table), |won| Answer::Computed(json!(won)))
            }
            _ => Answer::Missing(Missing::Unknown),
        }
    });
    Ok(answers.collect())
}
