//! `anser line --record`: the values along a game that was played.

use anser_core::prelude::*;
use anser_core::{Next, Value};
use anser_games::answers::{LineEnd, PlayedLineAnswer, PositionAnswer};
use anser_games::{AnyGame, AnyPosition};

use crate::cmd::play::{PlayAdvisor, Played, given_away, known, known_text, marked, recorded};
use crate::failure::Failure;
use crate::output::{print, print_json};
use crate::text::Columns;

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
        return print_json(&PlayedLineAnswer {
            root: PositionAnswer::new(game, start, value),
            line,
            end: if is_over { LineEnd::Over } else { LineEnd::Left },
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
    for (ply, played) in line.iter().zip(played) {
        let (after, position) = match &played.next {
            Next::Position(next) => (known(game, source, next), game.format_position(next)),
            Next::End(outcome) => (Some(Value::ended(*outcome)), String::new()),
        };
        columns.row([
            ply.ply.ply.to_string(),
            ply.ply.side.to_string(),
            marked(ply),
            known_text(game, after),
            position,
        ]);
    }
    text += &columns.text();
    text += &format!("\n{}\n", if is_over { "over" } else { "the record ends here" });
    text += &given_away(game, source, start, &line, played);
    print(&text)
}
