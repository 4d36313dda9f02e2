//! `anser hardest`: the longest wins.

use anser_analyse::{Line, best_line, hardest};
use anser_core::prelude::*;
use anser_core::{BySide, Side};
use anser_games::{AnyGame, AnyPosition, GameInfo};
use clap::Args;
use serde::Serialize;

use crate::asking::{AboutArgs, Watch};
use crate::board::board;
use crate::failure::Failure;

use crate::json::{self, Ply, Rated};
use crate::look::look;
use crate::output::{print, print_json};
use crate::text::{counted, grouped, plies, the, wrap};

const AFTER: &str = "\
For either side the wins that take longest, against the longest resistance, with a line of best play (the first of equal \
moves). Positions that play can reach from the start (or from a position) are looked at, or all there are with --all.

Examples:
  anser hardest fox-hounds:8
  anser hardest hare-hounds --rules unlimited --all --list 20
  anser hardest hexapawn:4x4 --json";

/// Find the longest wins of either side, with their lines
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct HardestArgs {
    #[command(flatten)]
    about: AboutArgs,
    /// All positions, not only those that play can reach
    #[arg(long)]
    all: bool,
    /// How many of the positions to list; of mirror images the first one is listed
    #[arg(long, value_name = "N", default_value_t = 3)]
    list: usize,
}

#[derive(Serialize)]
struct Answer {
    game: String,
    rules: String,
    /// Where play begins; nothing if all positions were looked at.
    position: Option<String>,
    longest: Vec<LongestAnswer>,
}

#[derive(Serialize)]
struct LongestAnswer {
    outcome: &'static str,
    dtw: u16,
    /// How many positions take that long.
    positions: u64,
    /// The same with mirror images counted once.
    classes: u64,
    /// Some of them, without mirror images of each other.
    examples: Vec<ExampleAnswer>,
}

#[derive(Serialize)]
struct ExampleAnswer {
    #[serde(flatten)]
    rated: Rated,
    line: Vec<Ply>,
}

impl HardestArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        if self.all && self.about.is_placed() {
            return Err(Failure::usage("a position cannot be used with --all, which takes all positions"));
        }
        self.about.with_game(|game, info| self.answer_for(game, info))
    }
}

impl HardestArgs {
    /// Answers for the game in question.
    fn answer_for(&self, game: &AnyGame, _: &GameInfo) -> Result<(), Failure> {
        let watch = Watch::new()?;
        let solution = if self.all {
            game.solution_of_layers(game.layers(), &self.about.effort.limits(&watch))?
        } else {
            self.about.solution(game, &watch)?
        };
        let mut longest = Vec::new();
        for winner in Side::BOTH {
            let Some(found) = hardest(&solution, winner, None, self.list) else { continue };
            let mut positions = Vec::new();
            for (position, _) in &found.positions.first {
                let line = best_line(game, position, BySide::default(), &solution)?;
                positions.push((*position, line));
            }
            longest.push((winner, found.plies, [found.positions.count, found.classes], positions));
        }
        drop(watch);
        if self.about.json {
            let example = |(position, line): (AnyPosition, Line<AnyGame>)| ExampleAnswer {
                rated: json::rated(game, &position, line.value),
                line: json::plies(game, &line),
            };
            let longest = longest.into_iter().map(|(winner, dtw, [positions, classes], examples)| LongestAnswer {
                outcome: game.side_name(winner),
                dtw,
                positions,
                classes,
                examples: examples.into_iter().map(example).collect(),
            });
            let longest = longest.collect();
            let position = if self.all { None } else { Some(game.format_position(&self.about.position(game)?)) };
            return print_json(&Answer { game: game.name(), rules: game.rules_id(), position, longest });
        }
        let mut text = format!("{}, rules {}\n", game.name(), game.rules_id());
        if longest.is_empty() {
            text += "\nneither side wins any of these positions\n";
        }
        for (winner, length, [count, classes], positions) in longest {
            let images = match count - classes {
                0 => String::new(),
                1 => ", 1 of them a mirror image".into(),
                images => format!(", {} of them mirror images", grouped(images)),
            };
            text += &format!(
                "\nlongest win for {}: {}, in {}{images}\n",
                the(game, winner),
                plies(length),
                counted(count, "position", "positions")
            );
            for (position, line) in positions {
                let line: Vec<String> = line.moves.iter().map(|rated| game.format_move(&rated.mv)).collect();
                text += &format!("\n{}\n{}", game.format_position(&position), board(game, &position));
                text += &wrap(&line.join(" "), 2, look().at_most(100));
            }
        }
        print(&text)
    }
}
