//! `anser opposite`: the first position that the other side wins.

use anser_analyse::opposite;
use anser_core::Value;
use anser_games::answers::{OppositeAnswer, Ply, PositionAnswer, RatedPosition};
use clap::Args;

use crate::board::board;
use crate::failure::Failure;
use crate::question::QuestionArgs;
use crate::reply::Reply;
use crate::text::{grouped, value_text};

const AFTER: &str = "\
Searches positions breadth first from the start (or from a position), moves in the game's order. \
The answer is the first position won by a side that does not win at the start: the fewest moves \
after which the winner has lost its win.

Examples:
  anser opposite fox-hounds:8
  anser opposite hexapawn:4x4 --json";

/// Find the first position, going away from the start, that the other side wins
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct OppositeArgs {
    #[command(flatten)]
    question: QuestionArgs,
}

impl OppositeArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.question.ask(|question| {
            let (game, from, solution) = (question.game, &question.position, question.solution()?);
            let found = opposite(game, from, &solution)?.ok_or_else(|| {
                Failure::missing(
                    "no position that play can reach from there is won for the other side",
                )
            })?;
            let value = Value::from(solution.require(from)?);
            let line: Vec<String> = found.line.iter().map(|mv| game.format_move(mv)).collect();
            let text = format!(
                "{}{}\n\nafter {} ({} positions searched):\n{}\n{}\n{}\n",
                question.heading(),
                value_text(game, value),
                line.join(" "),
                grouped(found.searched),
                game.format_position(&found.position),
                board(game, &found.position),
                value_text(game, found.value),
            );
            let answer = OppositeAnswer {
                root: PositionAnswer::new(game, from, Some(value)),
                opposite: RatedPosition::new(game, &found.position, Some(found.value)),
                line: Ply::of_moves(game, from, found.line, &solution)?,
                searched: found.searched,
            };
            Ok(Reply::new(answer, text))
        })
    }
}
