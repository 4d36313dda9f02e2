//! `anser hardest`: the longest wins.

use anser_analyse::{best_line, hardest};
use anser_core::prelude::*;
use anser_core::{BySide, Side};
use anser_games::answers::{HardestAnswer, LongestAnswer, LongestExample, Ply, RatedPosition};
use clap::Args;

use crate::board::board;
use crate::failure::Failure;
use crate::output::Reply;
use crate::question::QuestionArgs;
use crate::text::{counted, grouped, plies, the, wrap};
use crate::text_style::text_style;

const AFTER: &str = "\
For each side the wins that take most plies, with a line of best play (the first of equal moves). Searches the positions \
that play can reach from the start (or from a position), or all positions with --all.

Examples:
  anser hardest fox-hounds:8
  anser hardest hare-hounds --rules unlimited --all --list 20
  anser hardest hexapawn:4x4 --json";

/// Find the longest wins of either side, with their lines
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct HardestArgs {
    #[command(flatten)]
    question: QuestionArgs,
    /// All positions, not only those that play can reach
    #[arg(long)]
    all: bool,
    /// Number of positions to list; of mirror images the first one is listed
    #[arg(long, value_name = "N", default_value_t = 3)]
    list: usize,
}

impl HardestArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        if self.all && self.question.has_position() {
            return Err(Failure::usage(
                "a position cannot be used with --all, which takes all positions",
            ));
        }
        self.question.ask(|question| {
            let game = question.game;
            let solution =
                if self.all { question.solution_of_all()? } else { question.solution()? };
            let (mut longest, mut text) =
                (Vec::new(), format!("{}, rules {}\n", game.name(), game.rules_id()));
            for winner in Side::BOTH {
                let Some(found) = hardest(&solution, winner, None, self.list) else { continue };
                let (count, classes) = (found.positions.count, found.classes);
                let images = match count - classes {
                    0 => String::new(),
                    1 => ", 1 of them a mirror image".into(),
                    images => format!(", {} of them mirror images", grouped(images)),
                };
                text += &format!(
                    "\nlongest win for {}: {}, in {}{images}\n",
                    the(game, winner),
                    plies(found.plies),
                    counted(count, "position", "positions")
                );
                let mut examples = Vec::new();
                for (position, _) in &found.positions.first {
                    let line = best_line(game, position, BySide::default(), &solution)?;
                    let moves: Vec<String> =
                        line.moves.iter().map(|rated| game.format_move(&rated.mv)).collect();
                    text +=
                        &format!("\n{}\n{}", game.format_position(position), board(game, position));
                    text += &wrap(&moves.join(" "), 2, text_style().at_most(100));
                    examples.push(LongestExample {
                        rated: RatedPosition::new(game, position, Some(line.value)),
                        line: Ply::of_line(game, &line),
                    });
                }
                let outcome = game.side_name(winner).into();
                longest.push(LongestAnswer {
                    outcome,
                    dtw: found.plies,
                    positions: count,
                    classes,
                    examples,
                });
            }
            if longest.is_empty() {
                text += "\nneither side wins any of these positions\n";
            }
            let (name, rules) = (game.name(), game.rules_id());
            let position = (!self.all).then(|| question.position_text());
            Ok(Reply::new(HardestAnswer { game: name, rules, position, longest }, text))
        })
    }
}
