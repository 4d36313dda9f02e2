//! `anser line --record`: the values along a game that was played.

use anser_core::prelude::*;
use anser_core::{Next, Value};
use anser_games::{AnyGame, AnyPosition};
use serde::Serialize;

use crate::cmd::play::{PlayAdvisor, Played, RecordedMove, distance, known, known_text, recorded};
use crate::failure::Failure;
use crate::json::outcome_name;
use crate::output::{print, print_json};
use crate::text::Columns;

#[derive(Serialize)]
struct Answer<'a> {
    game: String,
    rules: String,
    position: String,
    to_move: &'a str,
    /// Nothing where it is not known.
    outcome: Option<&'a str>,
    dtw: Option<u16>,
    line: Vec<RecordedMove<'a>>,
    /// Why the line stops: `over`, or `left` where the game was not played to its end.
    end: &'a str,
    repeats_from: Option<usize>,
}

/// Writes the values along a game.
pub(super) fn write(
    game: &AnyGame,
    source: &PlayAdvisor<'_>,
    start: &AnyPosition,
    played: &[Played],
    json: bool,
) -> Result<(), Failure> {
    let line = recorded(game, source, start, played);
    let is_over = match played.last().map(|played| &played.next) {
        None => game.terminal(start).is_some(),
        Some(Next::End(_)) => true,
        Some(Next::Position(last)) => game.terminal(last).is_some(),
    };
    let value = known(game, source, start);
    if json {
        return print_json(&Answer {
            game: game.name(),
            rules: game.rules_id(),
            position: game.format_position(start),
            to_move: game.side_name(game.side_to_move(start)),
            outcome: value.map(|value| outcome_name(game, value.outcome)),
            dtw: distance(value, game.terminal(start).is_some()),
            line,
            end: if is_over { "over" } else { "left" },
            repeats_from: None,
        });
    }
    let mut text = format!(
        "{}, rules {}\n{}\n\n{}\n{}\n\n",
        game.name(),
        game.rules_id(),
        game.format_position(start),
        crate::board::board(game, start),
        known_text(game, value)
    );
    let mut columns = Columns::new(5, ["ply", "side", "move", "value after it", "position"]);
    for (mv, played) in line.iter().zip(played) {
        let (after, position) = match &played.next {
            Next::Position(next) => (known(game, source, next), game.format_position(next)),
            Next::End(outcome) => (Some(Value::ended(*outcome)), String::new()),
        };
        columns.row([mv.ply.to_string(), mv.side.into(), mv.marked(), known_text(game, after), position]);
    }
    text += &columns.text();
    text += &format!("\n{}\n", if is_over { "over" } else { "the record ends here" });
    for given in line.iter().filter(|mv| mv.gave_away) {
        text += &given.given_away();
    }
    print(&text)
}
