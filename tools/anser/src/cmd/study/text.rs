//! Studies as text.

use anser_core::{Hunt, Side};
use anser_games::answers::{
    ChanceRow, ChancesAnswer, IdlePlace, IdleRuleAnswer, RatedPosition, StudyAnswer, SurveyAnswer,
};

use super::fairest;
use super::table::{self, Column, Studied};
use crate::text::{
    Columns, grouped, outcome_text, percent, plies, the, verb, wins, won_for, wrapped,
};

/// A study of one rule set. `word` is the game on the command line, which has `unasked` more rule
/// sets if none was named.
pub(super) fn of_one(game: &Hunt, answer: &StudyAnswer, word: &str, unasked: usize) -> String {
    let mut text = format!("{}, rules {}\n{}\n", answer.game, answer.rules, answer.position);
    text += "\nfrom the openings, with best play\n\n";
    let mut columns = Columns::new(3, ["opening", "to move", "value", "moves", "that keep it"]);
    for opening in &answer.openings {
        columns.row([
            opening.name.clone(),
            opening.rated.to_move.clone(),
            value_text(game, &opening.rated),
            grouped(opening.legal_moves),
            grouped(opening.keeping_moves),
        ]);
    }
    text += &columns.text();
    let parts =
        [("all positions", &answer.all), ("positions that play can reach", &answer.reachable)];
    for (title, survey) in parts {
        if let Some(survey) = survey {
            text += &format!("\n{title}: {}\n\n", grouped(survey.positions));
            text += &survey_text(game, survey);
        }
    }
    if let Some(chances) = &answer.chances {
        text += &chances_text(game, chances);
    }
    text += &idle_text(answer);
    text +=
        &format!("\n`anser line {word} --rules {}` shows best play from the start\n", answer.rules);
    if unasked > 0 {
        text += &format!(
            "`anser study {word} --all-rules` compares this rule set with {} more\n",
            grouped(unasked)
        );
    }
    text
}

/// The table of several rule sets of as many as were requested, those that are fairest, and their
/// rules without an effect. `word` is the game on the command line.
pub(super) fn of_several(
    studied: &[Studied],
    requested: usize,
    columns: &[Column],
    word: &str,
) -> String {
    let first = &studied[0].answer;
    let is_whole = |studied: &Studied| studied.answer.all.is_some();
    let title = match (studied.iter().all(is_whole), studied.iter().any(is_whole)) {
        (true, _) => "all positions",
        (_, false) => "positions that play can reach",
        _ => "all positions, or those that play can reach where all do not fit into the memory",
    };
    let mut text = format!("{}: {title}\n\n", first.game);
    text += &table::aligned(studied, columns);
    if let Some(chances) = studied.iter().find_map(|studied| studied.answer.chances.as_ref()) {
        text += &format!(
            "\nchances are those from the start, within {} plies; in a lost position every move \
             keeps the outcome\n",
            chances.plies
        );
    }
    text += &fairest::text(studied, requested);
    for (place, title) in PLACES {
        // Sentences, each with the rule sets for which it holds.
        let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
        for Studied { answer, .. } in studied {
            for rule in answer.idle_rules.iter().filter(|rule| rule.place == place) {
                match found.iter_mut().find(|(text, _)| *text == rule.text) {
                    Some((_, rules)) => rules.push(&answer.rules),
                    None => found.push((&rule.text, vec![&answer.rules])),
                }
            }
        }
        if found.is_empty() {
            continue;
        }
        text += &format!("\n{title}\n\n");
        for (sentence, rules) in found {
            let rules = if rules.len() == studied.len() {
                "under all these rules".into()
            } else {
                format!("under {}", rules.join(", "))
            };
            text += &wrapped(&format!("{sentence}: {rules}"), 2);
        }
    }
    text + &format!("\n`anser study {word} --rules {}` reports one rule set in full\n", first.rules)
}

const PLACES: [(IdlePlace, &str); 2] = [
    (IdlePlace::Anywhere, "rules without an effect in any position"),
    (
        IdlePlace::Reachable,
        "rules without an effect in positions that play from the start can reach",
    ),
];

fn value_text(game: &Hunt, rated: &RatedPosition) -> String {
    let winner = rated.outcome.as_deref().and_then(|name| game.side_named(name));
    let endless = rated.dtw.is_none() && winner == game.endless();
    let winner = winner.filter(|_| !endless);
    let outcome = winner.map_or(anser_core::Outcome::Draw, anser_core::Outcome::Win);
    match rated.dtw {
        Some(0) => format!("over: {}", outcome_text(game, outcome, None)),
        distance => outcome_text(game, outcome, distance),
    }
}

fn survey_text(game: &Hunt, survey: &SurveyAnswer) -> String {
    let [few, many] = Side::BOTH.map(|side| won_for(game, side));
    let head = ["to move", "positions", &few, "drawn", &many, "one right move", "mean moves"];
    let mut columns = Columns::new(1, head);
    for side in Side::BOTH {
        let name = game.side_name(side);
        let Some(of) = survey.to_move.get(name) else { continue };
        let count = |outcome: &str| of.outcomes.get(outcome).copied().unwrap_or(0);
        let outcomes =
            [game.side_name(Side::First), "draw", game.side_name(Side::Second)].map(count);
        let positions = outcomes.iter().sum();
        let in_play = of.in_play();
        let mut row = vec![name.to_owned(), grouped(positions)];
        row.extend(outcomes.map(|count| percent(count, positions)));
        row.push(if in_play > 0 { percent(of.one_right_move, in_play) } else { "-".into() });
        row.push(of.mean_moves.map_or_else(|| "-".into(), |mean| format!("{mean:.2}")));
        columns.row(row);
    }
    let won = |winner: Side| {
        let outcomes = Side::BOTH.map(|side| survey.to_move.get(game.side_name(side)));
        let counts =
            outcomes.into_iter().flatten().map(|of| of.outcomes.get(game.side_name(winner)));
        counts.flatten().any(|count| *count > 0)
    };
    let mut text = columns.text();
    text.push('\n');
    for side in Side::BOTH {
        let longest = survey.longest.get(game.side_name(side)).and_then(Option::as_ref);
        text += &match longest.and_then(|win| win.dtw.map(|distance| (win, distance))) {
            Some((win, distance)) => format!(
                "longest win for {}: {}, from {}\n",
                the(game, side),
                plies(distance),
                win.position
            ),
            None if game.endless() == Some(side) && won(side) => {
                format!("{} by endless play alone\n", wins(game, side))
            }
            None => format!("{} no position\n", wins(game, side)),
        };
    }
    text
}

fn chances_text(game: &Hunt, chances: &ChancesAnswer) -> String {
    let mut text = format!("\nchances from the start, within {} plies\n\n", chances.plies);
    let [few, many] = Side::BOTH.map(|side| wins(game, side));
    let mut columns = Columns::new(1, ["errors", &few, &many, "undecided"]);
    for row in &chances.table {
        let won = |side: Side| row.won.get(game.side_name(side)).copied().unwrap_or(0.0);
        let numbers = [won(Side::First), won(Side::Second), row.undecided];
        let how = [how_text(game, row)];
        columns.row(how.into_iter().chain(numbers.map(|chance| format!("{chance:.4}"))));
    }
    text += &columns.text();
    if !chances.even.is_empty() {
        text += "\nprobability of errors with which both sides win equally often\n\n";
        let mut columns = Columns::new(1, ["errors", "P"]);
        for even in &chances.even {
            let p = even.p.map_or_else(|| "none".into(), |p| format!("{p:.4}"));
            columns.row([errs_text(game, &even.errs), p]);
        }
        text += &columns.text();
    }
    text
}

/// Returns the sides that err in a row, and how often.
fn how_text(game: &Hunt, row: &ChanceRow) -> String {
    let erring: Vec<(&str, f64)> =
        row.errors.iter().map(|(name, &p)| (name, p)).filter(|&(_, p)| p > 0.0).collect();
    let names: Vec<String> = erring.iter().map(|(name, _)| (*name).to_owned()).collect();
    match erring[..] {
        [] => "none".into(),
        [(_, p), (_, q)] if p.min(q) >= 1.0 => "both play at random".into(),
        [(_, p), ..] => format!("{}, P = {p}", errs_text(game, &names)),
    }
}

fn idle_text(answer: &StudyAnswer) -> String {
    let mut text = String::new();
    for (place, title) in PLACES {
        let rules: Vec<&IdleRuleAnswer> =
            answer.idle_rules.iter().filter(|rule| rule.place == place).collect();
        if !rules.is_empty() {
            text += &format!("\n{title}\n\n");
            for rule in rules {
                text += &wrapped(&rule.text, 2);
            }
        }
    }
    text
}

/// The name of the side that errs, or of both, in a few words.
fn errs_text(game: &Hunt, errs: &[String]) -> String {
    let side = if let [name] = errs { game.side_named(name) } else { None };
    match side {
        Some(side) => {
            let verb = verb(game, side, "errs", "err");
            format!("{} {verb}", the(game, side))
        }
        None => "both err".into(),
    }
}
