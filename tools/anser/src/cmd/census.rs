//! `anser census`: who wins how many positions, in how many plies.

use anser_analyse::{Census, WholeCensus, WholeGame};
use anser_core::prelude::*;
use anser_core::{Outcome, Side};
use anser_games::{AnyGame, GameInfo};
use clap::Args;
use serde::Serialize;

use crate::asking::{AboutArgs, Watch, heading};
use crate::failure::Failure;

use crate::json::outcome_name;
use crate::output::{note, print, print_json};
use crate::plot::{Kind, Plot, PlotArgs, Series};
use crate::text::{Columns, grouped, outcome_text, percent, verb, won_for};

const AFTER: &str = "\
Counts positions, symmetric ones apart, by whose turn it is, who wins, and in how many plies: those that play can reach \
from the start (or from a position), and all there are. Depth 0 are positions in which the game is over.

Examples:
  anser census fox-hounds:8
  anser census hare-hounds --rules unlimited --json
  anser census hexapawn:5x5 --reachable
  anser census fox-hounds:8 --plot --svg census.svg";

/// Count positions by winner and depth, those that play can reach and all there are
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct CensusArgs {
    #[command(flatten)]
    about: AboutArgs,
    /// Only positions that play can reach
    #[arg(long)]
    reachable: bool,
    #[command(flatten)]
    plot: PlotArgs,
}

#[derive(Serialize)]
struct Answer<'a> {
    game: String,
    rules: String,
    /// Where play begins.
    position: String,
    reachable: &'a Census,
    /// Nothing if it was not asked for, or does not fit into the memory.
    all: Option<&'a Census>,
}

impl CensusArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.about.with_game(|game, info| self.answer_for(game, info))
    }

    /// Answers for the game in question.
    fn answer_for(&self, game: &AnyGame, _: &GameInfo) -> Result<(), Failure> {
        let watch = Watch::new()?;
        let position = self.about.position(game)?;
        let limits = self.about.effort.limits(&watch);
        let all = !self.reachable && !self.plot.is_asked();
        let WholeCensus { reachable, all } = game.census(&position, all, &limits)?;
        if self.plot.is_asked() {
            drop(watch);
            return self.plot.show(&plot(game, &reachable));
        }
        let all = all.and_then(|all| match all {
            Ok(all) => Some(all),
            Err(error) => {
                note(format_args!("only positions that play can reach are counted: for all positions {error}"));
                None
            }
        });
        drop(watch);
        if self.about.json {
            let (name, rules, position) = (game.name(), game.rules_id(), game.format_position(&position));
            return print_json(&Answer { game: name, rules, position, reachable: &reachable, all: all.as_ref() });
        }
        let mut text = heading(game, &position);
        text += &format!("\n{}", part_text(game, "positions that play can reach", &reachable));
        if let Some(all) = all {
            text += &format!("\n{}", part_text(game, "all positions", &all));
        }
        print(&text)
    }
}

const OUTCOMES: [Outcome; 3] = [Outcome::Win(Side::First), Outcome::Draw, Outcome::Win(Side::Second)];

fn part_text(game: &AnyGame, title: &str, census: &Census) -> String {
    let mut text = format!("{title}: {}\n\n", grouped(census.positions()));
    let head = OUTCOMES.map(|outcome| outcome_name(game, outcome));
    let mut columns = Columns::new(1, ["to move", head[0], head[1], head[2], "won for the mover"]);
    for side in Side::BOTH {
        let counts = census.to_move(side);
        let mut row = vec![game.side_name(side).to_owned()];
        row.extend(OUTCOMES.map(|outcome| grouped(counts.outcome(outcome))));
        row.push(percent(counts.outcome(Outcome::Win(side)), counts.positions()));
        columns.row(row);
    }
    text += &columns.text();
    text.push('\n');
    let head = Side::BOTH.map(|side| {
        let moves = format!("{} {}", game.side_name(side), verb(game, side, "moves", "move"));
        Side::BOTH.map(|winner| format!("{moves}, {} {}", game.side_name(winner), verb(game, winner, "wins", "win")))
    });
    let mut columns = Columns::new(0, ["plies".to_owned()].into_iter().chain(head.into_iter().flatten()));
    for plies in 0..=census.longest() {
        let counts = Side::BOTH.map(|side| Side::BOTH.map(|winner| census.to_move(side).depth(winner, plies)));
        if counts.as_flattened().iter().any(|&count| count > 0) {
            let cells = counts.as_flattened().iter().map(|&count| if count > 0 { grouped(count) } else { "-".into() });
            columns.row([plies.to_string()].into_iter().chain(cells));
        }
    }
    text += &columns.text();
    text += "\nhow the game is over there:\n";
    for side in Side::BOTH {
        for (kind, outcome, count) in census.to_move(side).ends() {
            let to_move = game.side_name(side);
            text +=
                &format!("  {to_move} to move, {kind}, {}: {}\n", outcome_text(game, outcome, None), grouped(count));
        }
    }
    text
}

fn plot(game: &AnyGame, census: &Census) -> Plot {
    let series = |winner: Side| Series {
        name: won_for(game, winner),
        side: Some(winner),
        points: (0..=census.longest())
            .map(|plies| {
                let count: u64 = Side::BOTH.iter().map(|&side| census.to_move(side).depth(winner, plies)).sum();
                (f64::from(plies), count as f64)
            })
            .collect(),
    };
    Plot {
        title: format!("{}, rules {}: reachable positions by depth", game.name(), game.rules_id()),
        x: "plies to the win".into(),
        y: "positions".into(),
        kind: Kind::Bars,
        series: Side::BOTH.map(series).into(),
        marks: Vec::new(),
    }
}
