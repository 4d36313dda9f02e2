//! Hasenspiel: the game under its two rule sets, and beside it what the author's program made of it.

use anser_core::hasenspiel::{Hasenspiel, RuleSet};
use anser_core::hounds::Position;
use anser_core::prelude::*;
use anser_core::{Next, Outcome, Side};
use serde_json::{Map, Value as Json, json};

use super::facts::{Played, by_side, counted, rounded};
use super::{Answer, Question, ReproduceError};
use anser_analyse::{AnalyseError, Count, Games, Observer, census, ranked_moves};

use crate::AuthorsProgram;

/// The rules that the figures were printed for: the author's, and the slip.
const AS_PRINTED: &str = "as-printed";
/// The plies of the line that the document draws.
const LINE: usize = 10;

pub(super) fn answers(question: &Question<'_>) -> Result<Vec<Answer>, ReproduceError> {
    if question.rules == AS_PRINTED {
        let program = AuthorsProgram::new(RuleSet::Author, true);
        return Ok(question.entries.iter().map(|entry| as_printed(&program, &entry.figure).into()).collect());
    }
    let rules: RuleSet = question.rules.parse().map_err(|_| question.unknown())?;
    let played = Played::new(Hasenspiel::new(rules), question.limits)?;
    let program = AuthorsProgram::new(rules, false);
    let ending = |position: &Position| {
        let lowest = position.hounds().first();
        let home = match rules {
            RuleSet::Literal => played.game.board().row(position.fox()) == 0,
            RuleSet::Author => lowest.is_some_and(|pawn| position.fox().number() < pawn.number() + 3),
        };
        end_name(position.to_move(), home)
    };
    let answer = |figure: &str| -> Result<Answer, ReproduceError> {
        let share = |side| {
            let census = census(&played.solution);
            census.outcome(Outcome::Win(side)) as f64 / census.positions() as f64
        };
        Ok(match figure {
            "share_games_black" => {
                Some(beside(played.count()?.tally.share(Side::Second), program.shares().games_black))
            }
            "share_black_forces" => Some(beside(share(Side::Second), program.shares().black_forces)),
            "share_white_forces" => Some(beside(share(Side::First), program.shares().white_forces)),
            "policy_line" => Some(json!(line(&played, question.limits.observer)?)),
            _ => played.figure(figure, ending)?,
        }
        .into())
    };
    question.entries.iter().map(|entry| answer(&entry.figure)).collect()
}

/// A figure of the program, slip and all.
fn as_printed(program: &AuthorsProgram, figure: &str) -> Option<Json> {
    let game = Hasenspiel::new(RuleSet::Author);
    let share = |side| program.won(side) as f64 / program.states() as f64;
    let shares = program.shares();
    Some(match figure {
        "won_positions" => by_side(&game, |side| json!(program.won(side))),
        "share_games_black" => beside(program.tally().share(Side::Second), shares.games_black),
        "share_black_forces" => beside(share(Side::Second), shares.black_forces),
        "share_white_forces" => beside(share(Side::First), shares.white_forces),
        "ends" => {
            let named = program.ends().into_iter().map(|(side, home, count)| {
                let letter = if side == Side::First { 'w' } else { 'b' };
                (format!("{letter}: {}", end_name(side, home)), json!(count))
            });
            Json::Object(named.collect::<Map<_, _>>())
        }
        "policy_line" => json!(program.line(LINE)),
        "squares" => json!(game.board().squares().len()),
        "encoding_bits" => json!(AuthorsProgram::ENCODING_BITS),
        "highest_encoding" => {
            let (reachable, arrangement) = (program.highest_encoding(), AuthorsProgram::highest_arrangement());
            // Pawns on the first square of the last row and a rabbit on the last one of the first.
            let bound = AuthorsProgram::encoded(3, [28; 4], Side::Second);
            json!({"reachable": reachable, "arrangement": arrangement, "bound": bound})
        }
        "most_moves" => by_side(&game, |side| json!(program.most_moves(side))),
        _ => {
            let count = Count { reachable: program.states(), value: program.value(), tally: program.tally() };
            return counted(&game, &count, figure);
        }
    })
}

/// A true share beside the one that the program computed, in per cent.
fn beside(truth: f64, as_computed: f64) -> Json {
    json!({"true": rounded(truth * 100.0, 4), "as_computed": rounded(as_computed * 100.0, 4)})
}

fn end_name(to_move: Side, home: bool) -> &'static str {
    match (home, to_move) {
        (true, _) => "home",
        (false, Side::First) => "rabbit blocked",
        (false, Side::Second) => "pawns blocked",
    }
}

/// The first moves when both sides take the best-ranked one.
fn line(played: &Played<'_, Hasenspiel>, observer: &dyn Observer) -> Result<Vec<String>, AnalyseError> {
    let games = Games::new(&played.solution, observer)?;
    let (mut here, mut line) = (played.game.start(), Vec::new());
    while line.len() < LINE {
        let Some(best) = ranked_moves(&games, &here)?.into_iter().next() else { break };
        line.push(played.game.format_move(&best.mv));
        match best.next {
            Next::Position(next) => here = next,
            Next::End(_) => break,
        }
    }
    Ok(line)
}
