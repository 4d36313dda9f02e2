//! `anser line --record`: the values along a game that was played.

use anser_core::{Hunt, Next, hunt};
use anser_games::answers::{LineEnd, PlayedLineAnswer, PositionAnswer};

use crate::cmd::play::{PlayAdvisor, Played, Reviewed, known, known_text, marked, remarks, review};
use crate::failure::Failure;
use crate::output::{print, print_json};
use crate::text::{Columns, ended_text};

/// Writes the values along a game.
pub(super) fn write(
    game: &Hunt,
    source: &PlayAdvisor<'_>,
    start: &hunt::Position,
    played: &[Played],
    json: bool,
) -> Result<(), Failure> {
    let line = review(game, source, start, played);
    let last = played.last().map_or(Next::Position(*start), |played| played.next);
    let over = game.outcome_after(&last);
    let value = known(game, source, start);
    if json {
        return print_json(&PlayedLineAnswer {
            root: PositionAnswer::new(game, start, value),
            line: line.into_iter().map(|reviewed| reviewed.ply).collect(),
            end: if over.is_some() { LineEnd::Over } else { LineEnd::Left },
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
    for Reviewed { ply, after, .. } in &line {
        columns.row([
            ply.ply.ply.to_string(),
            ply.ply.side.clone(),
            marked(ply),
            known_text(game, *after),
            ply.ply.played.position.clone(),
        ]);
    }
    text += &columns.text();
    text += &match over {
        Some(outcome) => format!("\nover: {}\n", ended_text(game, outcome, &last)),
        None => "\nthe record ends here\n".to_owned(),
    };
    text += &remarks(game, &line);
    print(&text)
}
