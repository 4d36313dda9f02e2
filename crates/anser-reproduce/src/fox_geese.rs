//! Fox-and-Geese: Table 1 of the paper and what its text makes of it. States and sizes follow from the rules; the counts of won
//! positions take tables, or are those that are kept of verified runs.

use anser_core::Side;
use anser_core::fox_geese::FoxGeese;
use anser_core::prelude::*;
use serde_json::{Value as Json, json};

use super::facts::rounded;
use super::{Answer, Missing, Question, ReproduceError, results, table_1};

/// Seconds in a day.
const DAY: f64 = 86_400.0;

pub(super) fn answers(question: &Question<'_>) -> Result<Vec<Answer>, ReproduceError> {
    let game = FoxGeese::new(question.rules.parse().map_err(|_| question.unknown())?);
    let kept = results::geese_won(question.rules)?;
    let states = |geese: u16| Side::BOTH.into_iter().map(|side| game.positions(geese, side)).sum::<u64>();
    // The count of a layer, and whether it is a kept one.
    let won = |geese: u16| {
        let supplied = question.supplied.geese_won.get(&(question.rules.to_owned(), geese));
        supplied.map(|&won| (won, false)).or_else(|| kept.get(&geese).map(|&won| (won, true)))
    };
    // The first layer whose count passes a test, from the counts of all layers up to it.
    let first = |passes: &dyn Fn(u64, u64) -> bool| {
        let mut any_kept = false;
        for geese in game.layers() {
            let Some((count, is_kept)) = won(geese) else { return Answer::Missing(Missing::Table) };
            any_kept |= is_kept;
            if passes(count, states(geese)) {
                return Answer::of(json!(geese), any_kept);
            }
        }
        Answer::Missing(Missing::Table)
    };
    let of_layer = |figure: &str, geese: u16| match figure {
        "states" => Answer::Computed(json!(states(geese))),
        // The paper's tables have a bit for each state, and its search two.
        "space" => Answer::Computed(json!(states(geese) / 8)),
        "memory" => Answer::Computed(json!(states(geese) / 4)),
        "won" => won(geese).map_or(Answer::Missing(Missing::Table), |(count, kept)| Answer::of(json!(count), kept)),
        _ => Answer::Missing(Missing::Unknown),
    };
    let answers = question.entries.iter().map(|entry| match (&*entry.figure, entry.layer) {
        (figure, Some(geese)) if game.layers().contains(&geese) => of_layer(figure, geese),
        ("space_all", None) => Answer::Computed(json!(game.layers().map(states).sum::<u64>() / 8)),
        ("least_geese", None) => first(&|won, _| won > 0),
        ("half", None) => first(&|won, states| 2 * won > states),
        ("speed_up" | "days", None) => Answer::Computed(printed_times(&entry.figure)),
        _ => Answer::Missing(Missing::Unknown),
    });
    Ok(answers.collect())
}

/// The printed times of Table 1, summed: processor time over wall time, or both in days.
fn printed_times(figure: &str) -> Json {
    let (mut real, mut user) = (0.0, 0.0);
    for (row_real, row_user) in table_1::rows().filter_map(|row| row.seconds) {
        real += row_real;
        user += row_user;
    }
    match figure {
        "speed_up" => json!(rounded(user / real, 1)),
        _ => json!({"real": rounded(real / DAY, 1), "user": rounded(user / DAY, 1)}),
    }
}
