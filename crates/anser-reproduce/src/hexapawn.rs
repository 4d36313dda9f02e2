//! Hexapawn: who wins on boards of several sizes, and the document's figures about moves,
//! matchboxes, and the length of a game.

use std::collections::HashMap;
use std::ops::ControlFlow;

use anser_analyse::Matchboxes;
use anser_core::hexapawn::BoardSize;
use anser_core::hunt::Position;
use anser_core::{BLOCKED, Hunt, Next, Side};
use serde_json::{Value as Json, json};

use crate::common::SolvedGame;
use crate::question::{Answer, Question};
use crate::{Figure, ReproduceError};

pub(crate) fn answers(
    size: BoardSize,
    question: &Question<'_>,
) -> Result<Vec<Answer>, ReproduceError> {
    let game = Hunt::hexapawn(size);
    let solved = SolvedGame::new(game.clone(), question.limits)?;
    let ending = |position: &Position| match solved.game.ending(position) {
        Some("far row") => "through".to_owned(),
        other => other.unwrap_or(BLOCKED).to_owned(),
    };
    let answer = |figure: Figure| -> Result<Option<Json>, ReproduceError> {
        Ok(match figure {
            Figure::Moves => Some(moves(size)),
            Figure::Matchboxes => {
                let to_move = |count: u64, position: &Position, _| {
                    let is_open =
                        game.terminal(position).is_none() && position.to_move() == Side::Second;
                    count + u64::from(is_open)
                };
                let all = solved.solution.fold(|| 0, to_move, |a, b| a + b);
                Some(json!({"up_to_mirror": Matchboxes::needed(&game, Side::Second), "all": all}))
            }
            Figure::LongestGame => Some(longest_game(&game)),
            _ => solved.figure(figure, ending)?,
        })
    };
    question.entries.iter().map(|entry| Ok(answer(entry.figure)?.into())).collect()
}

/// Steps and captures that pawns of both sides can ever make: one step from each square outside the
/// last row, and a capture from there into each neighboring column.
fn moves(size: BoardSize) -> Json {
    let (columns, rows) = (usize::from(size.columns()), usize::from(size.rows()));
    let (forward, captures) = (columns * (rows - 1), 2 * (columns - 1) * (rows - 1));
    json!({"all": 2 * (forward + captures), "forward": forward, "captures": captures})
}

/// Plies of the longest game from the start, and the number of games of that length.
fn longest_game(game: &Hunt) -> Json {
    fn longest(
        game: &Hunt,
        here: Position,
        known: &mut HashMap<Position, (u64, u64)>,
    ) -> (u64, u64) {
        if let Some(&found) = known.get(&here) {
            return found;
        }
        let mut found = if game.terminal(&here).is_some() { (0, 1) } else { (0, 0) };
        let _ = game.visit_moves(&here, |_, next| {
            let (plies, games) = match next {
                Next::Position(next) => longest(game, next, known),
                Next::End(_) => (0, 1),
            };
            if plies + 1 > found.0 {
                found = (plies + 1, 0);
            }
            if plies + 1 == found.0 {
                found.1 += games;
            }
            ControlFlow::<()>::Continue(())
        });
        known.insert(here, found);
        found
    }
    let (plies, games) = longest(game, game.start(), &mut HashMap::new());
    json!({"plies": plies, "games_of_it": games})
}
