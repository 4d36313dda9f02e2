//! The rule sets that are nearest to even.

use anser_core::Side;
use anser_games::answers::RatedPosition;

use super::table::{self, Studied};
use crate::text::{percent, plies, wins, won_for, wrapped};

/// Sentences about the rule sets that are nearest to even: with best play, by shares of positions,
/// and at random. `requested` rule sets were to be studied; those that could not be are missing.
/// Empty for a single rule set.
pub(super) fn text(studied: &[Studied], requested: usize) -> String {
    if studied.len() < 2 {
        return String::new();
    }
    let under = |those: &[&Studied]| {
        let ids: Vec<&str> = those.iter().map(|it| &it.answer.rules[..]).collect();
        if ids.len() == requested { "every rule set".into() } else { ids.join(", ") }
    };
    let mut sentences = Vec::new();
    let with = |is: &dyn Fn(&RatedPosition) -> bool| -> Vec<&Studied> {
        let start = |it: &Studied| table::start(&it.answer).is_some_and(|start| is(&start.rated));
        studied.iter().filter(|it| start(it)).collect()
    };
    let drawn = with(&|start| start.outcome.as_deref() == Some("draw"));
    let lengths = studied.iter().filter_map(|it| table::start(&it.answer)?.rated.dtw);
    if !drawn.is_empty() {
        sentences.push(format!("best play draws under {}", under(&drawn)));
    } else if let Some(longest) = lengths.max() {
        sentences.push(format!(
            "best play draws under none; the longest win takes {}, under {}",
            plies(longest),
            under(&with(&|start| start.dtw == Some(longest)))
        ));
    }
    let shares = most_even(studied, table::shares);
    if let [Studied { game, answer }, ..] = shares[..]
        && let Some(survey) = table::surveyed(answer)
    {
        let numbers = Side::BOTH.map(|side| {
            let won = survey.outcome(game.side_name(side));
            format!("{} {}", percent(won, survey.positions), won_for(game, side))
        });
        sentences.push(sentence("shares of positions are", &under(&shares), &shares, &numbers));
    }
    let random = most_even(studied, table::random_chances);
    // Otherwise a rule set without chances might be fairer.
    let are_known = studied.iter().all(|it| it.answer.chances.is_some());
    if let [first, ..] = random[..]
        && let Some(chances) = table::random_chances(first)
        && are_known
    {
        let of = |side: Side| format!("{} {:.3}", wins(&first.game, side), chances[side.index()]);
        let numbers = Side::BOTH.map(of);
        sentences.push(sentence("random play is", &under(&random), &random, &numbers));
    }
    if sentences.is_empty() {
        return String::new();
    }
    let lines: String = sentences.iter().map(|sentence| wrapped(sentence, 2)).collect();
    format!("\nthe fairest of these rule sets\n\n{lines}")
}

/// A sentence about the most even rule sets, with the numbers of a single one.
fn sentence(what: &str, under: &str, those: &[&Studied], numbers: &[String; 2]) -> String {
    let numbers =
        if those.len() == 1 { format!(": {}", numbers.join(", ")) } else { String::new() };
    format!("{what} most even under {under}{numbers}")
}

/// The rule sets under which two numbers differ least, of those in which neither is 0.
fn most_even(studied: &[Studied], numbers: impl Fn(&Studied) -> Option<[f64; 2]>) -> Vec<&Studied> {
    let known = studied.iter().filter_map(|it| {
        let [few, many] = numbers(it)?;
        (few > 0.0 && many > 0.0).then_some((it, (few - many).abs()))
    });
    let known: Vec<(&Studied, f64)> = known.collect();
    let least = known.iter().map(|&(_, difference)| difference).fold(f64::INFINITY, f64::min);
    known.into_iter().filter(|&(_, it)| it - least < 1e-9).map(|(it, _)| it).collect()
}
