//! Fox-and-Geese: Table 1 of the paper, and the figures in its text.
//!
//! States and sizes follow from the rules. Counts of won positions are options, or those of
//! verified runs.

use std::collections::BTreeMap;

use anser_core::{Hunt, Side};
use anser_games::full_run;
use serde_json::{Value as Json, json};

use crate::common::rounded;
use crate::question::{Answer, Question};
use crate::{DataError, Figure, Missing, ReproduceError, table_1};

/// Seconds in a day.
const DAY: f64 = 86_400.0;

pub(crate) fn answers(rules: &str, question: &Question<'_>) -> Result<Vec<Answer>, ReproduceError> {
    let game = Hunt::fox_geese(rules).map_err(DataError::from)?;
    let kept = geese_won(rules)?;
    let states =
        |geese: u16| Side::BOTH.into_iter().map(|side| game.positions(geese, side)).sum::<u64>();
    // The count of a layer, and whether it is that of a verified run.
    let won = |geese: u16| {
        let read = question.options.geese_won.get(&(rules.to_owned(), geese));
        read.map(|&won| (won, false)).or_else(|| kept.get(&geese).map(|&won| (won, true)))
    };
    // The least number of geese whose count satisfies a condition.
    let first = |holds: &dyn Fn(u64, u64) -> bool| {
        let mut any_kept = false;
        for geese in game.layers() {
            let Some((count, is_kept)) = won(geese) else { return Answer::Missing(Missing::Table) };
            any_kept |= is_kept;
            if holds(count, states(geese)) {
                return Answer::of(json!(geese), any_kept);
            }
        }
        Answer::Missing(Missing::Table)
    };
    let of_layer = |figure: Figure, geese: u16| match figure {
        Figure::States => Answer::Computed(json!(states(geese))),
        // The tables of the paper have one bit per state, its search two.
        Figure::Space => Answer::Computed(json!(states(geese) / 8)),
        Figure::Memory => Answer::Computed(json!(states(geese) / 4)),
        Figure::Won => won(geese).map_or(Answer::Missing(Missing::Table), |(count, kept)| {
            Answer::of(json!(count), kept)
        }),
        _ => Answer::Missing(Missing::NoSuchFigure),
    };
    let answers = question.entries.iter().map(|entry| match (entry.figure, entry.layer) {
        (figure, Some(geese)) if game.layers().contains(&geese) => of_layer(figure, geese),
        (Figure::SpaceAll, None) => {
            Answer::Computed(json!(game.layers().map(states).sum::<u64>() / 8))
        }
        (Figure::LeastGeese, None) => first(&|won, _| won > 0),
        (Figure::Half, None) => first(&|won, states| 2 * won > states),
        (Figure::SpeedUp | Figure::Days, None) => Answer::Computed(printed_times(entry.figure)),
        _ => Answer::Missing(Missing::NoSuchFigure),
    });
    Ok(answers.collect())
}

/// Sums of the times in Table 1: processor time over wall time, or both in days.
fn printed_times(figure: Figure) -> Json {
    let (mut real, mut user) = (0.0, 0.0);
    for (row_real, row_user) in table_1::rows().filter_map(|row| row.seconds) {
        real += row_real;
        user += row_user;
    }
    match figure {
        Figure::SpeedUp => json!(rounded(user / real, 1)),
        _ => json!({"real": rounded(real / DAY, 1), "user": rounded(user / DAY, 1)}),
    }
}

/// Returns the positions that the geese win, both sides to move, by number of geese; empty for rule
/// sets that the paper is not compared with. The counts are those of [`full_run`].
fn geese_won(rules: &str) -> Result<BTreeMap<u16, u64>, DataError> {
    if !["free", "first-capture"].contains(&rules) {
        return Ok(BTreeMap::new());
    }
    let run = Hunt::fox_geese(rules).ok().and_then(|game| full_run(&game));
    let Some(counts) = run.and_then(|run| run.outcomes) else {
        return Ok(BTreeMap::new());
    };
    let results: Json = serde_json::from_str(counts)?;
    let row = |layer: &Json| -> Option<(u16, u64)> {
        let won = ["fox", "geese"].map(|side| layer["to_move"][side]["geese"].as_u64());
        Some((u16::try_from(layer["layer"].as_u64()?).ok()?, won[0]? + won[1]?))
    };
    let rows: Option<_> =
        results["layers"].as_array().and_then(|layers| layers.iter().map(row).collect());
    rows.ok_or_else(|| DataError::Counts { rules: rules.to_string() })
}
