//! `anser opposite`: the first position that the other side wins.

use anser_analyse::opposite;
use anser_core::Value;
use anser_core::prelude::*;
use anser_games::{AnyGame, GameInfo};
use clap::Args;
use serde::Serialize;

use crate::asking::{AboutArgs, Watch, heading};
use crate::board::board;
use crate::failure::Failure;

use crate::json::{self, Ply, Rated, Root};
use crate::output::{print, print_json};
use crate::text::{grouped, value_text};

const AFTER: &str = "\
Positions are gone through breadth first from the start (or from a position), moves in the game's order; the answer is the \
first one that a side wins which does not win at the start. It is how far one has to err to lose.

Examples:
  anser opposite fox-hounds:8
  anser opposite hexapawn:4x4 --json";

/// Find the first position, going away from the start, that the other side wins
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct OppositeArgs {
    #[command(flatten)]
    about: AboutArgs,
}

#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    root: Root,
    /// The position that was found.
    opposite: Rated,
    /// The moves that lead there.
    line: Vec<Ply>,
    /// Positions looked at.
    searched: u64,
}

impl OppositeArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.about.with_game(|game, info| self.answer_for(game, info))
    }
}

impl OppositeArgs {
    /// Answers for the game in question.
    fn answer_for(&self, game: &AnyGame, _: &GameInfo) -> Result<(), Failure> {
        let watch = Watch::new()?;
        let from = self.about.position(game)?;
        let solution = self.about.solution(game, &watch)?;
        drop(watch);
        let found = opposite(game, &from, &solution)?
            .ok_or_else(|| Failure::missing("no position that play can reach from there is won for the other side"))?;
        let before = Value::from(solution.require(&from)?);
        if self.about.json {
            return print_json(&Answer {
                root: json::root(game, &from, before),
                opposite: json::rated(game, &found.position, found.value),
                line: json::played(game, &from, found.line, &solution)?,
                searched: found.searched,
            });
        }
        let line: Vec<String> = found.line.iter().map(|mv| game.format_move(mv)).collect();
        print(&format!(
            "{}{}\n\nafter {} ({} positions looked at):\n{}\n{}\n{}\n",
            heading(game, &from),
            value_text(game, before),
            line.join(" "),
            grouped(found.searched),
            game.format_position(&found.position),
            board(game, &found.position),
            value_text(game, found.value),
        ))
    }
}
