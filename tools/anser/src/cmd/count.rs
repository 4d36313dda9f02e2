//! `anser count`: positions and games.

use std::time::Instant;

use anser_analyse::{Count, WholeGame};
use anser_core::prelude::*;
use anser_core::{Outcome, Side};
use anser_games::{AnyGame, AnyPosition, GameInfo};
use anser_solve::{Bytes, peak_memory};
use clap::Args;
use num_bigint::BigUint;
use serde::Serialize;

use crate::asking::{AboutArgs, Watch, heading};
use crate::failure::Failure;

use crate::json::{Object, outcome_name};
use crate::output::{print, print_json};
use crate::text::{big, duration, grouped, percent_of, value_text, won_for};

const AFTER: &str = "\
A game is a way of playing on to the end: two games differ if a move of theirs does. The numbers are exact. Where play can \
go round there is no end of games, and no answer (exit status 1). The time and the most memory that was held at a time follow.

Examples:
  anser count fox-hounds:8
  anser count hexapawn:4x4 --json
  anser count fox-hounds:8 '4/1F2/4/4/4/4/3h/hh1h f'";

/// Count the positions that play can reach, and the games, exactly
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct CountArgs {
    #[command(flatten)]
    about: AboutArgs,
}

#[derive(Serialize)]
struct Answer<'a> {
    game: String,
    rules: String,
    position: String,
    /// Positions, the one asked about included, symmetric ones apart.
    reachable: u64,
    /// In decimal: more digits than JSON numbers are read with.
    games: String,
    games_won: Object<String>,
    games_drawn: String,
    start: Start<'a>,
    /// What it took to find out: time, and the most memory that the program held at a time, if the system tells.
    seconds: f64,
    memory_bytes: Option<u64>,
}

/// What a count took.
struct Took {
    seconds: f64,
    /// In bytes, if the system tells.
    memory: Option<u64>,
}

#[derive(Serialize)]
struct Start<'a> {
    outcome: &'a str,
    dtw: Option<u16>,
}

impl CountArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.about.with_game(|game, info| self.answer_for(game, info))
    }
}

impl CountArgs {
    /// Answers for the game in question.
    fn answer_for(&self, game: &AnyGame, _: &GameInfo) -> Result<(), Failure> {
        let started = Instant::now();
        let watch = Watch::new()?;
        let position = self.about.position(game)?;
        let counted = game.count(&position, &self.about.effort.limits(&watch))?;
        drop(watch);
        let took = Took { seconds: started.elapsed().as_secs_f64(), memory: peak_memory() };
        if self.about.json {
            return print_json(&answer(game, &position, &counted, &took));
        }
        print(&(heading(game, &position) + &text(game, &counted, &took)))
    }
}

fn answer<'a>(game: &'a AnyGame, position: &AnyPosition, counted: &Count, took: &Took) -> Answer<'a> {
    let Count { reachable, value, tally } = counted;
    let won = Side::BOTH.into_iter().map(|side| (game.side_name(side), tally.won(side).to_string()));
    Answer {
        game: game.name(),
        rules: game.rules_id(),
        position: game.format_position(position),
        reachable: *reachable,
        games: tally.games().to_string(),
        games_won: Object(won.collect()),
        games_drawn: tally.drawn.to_string(),
        start: Start { outcome: outcome_name(game, value.outcome()), dtw: value.plies() },
        seconds: (took.seconds * 1000.0).round() / 1000.0,
        memory_bytes: took.memory,
    }
}

fn text(game: &AnyGame, counted: &Count, took: &Took) -> String {
    let Count { reachable, value, tally } = counted;
    let mut text = format!(
        "{}\n\nreachable positions  {}\ngames                {}\n",
        value_text(game, *value),
        grouped(*reachable),
        big(&tally.games())
    );
    let drawn = (tally.drawn != BigUint::ZERO).then_some((Outcome::Draw, &tally.drawn));
    let won = Side::BOTH.into_iter().map(|side| (Outcome::Win(side), tally.won(side)));
    for (outcome, number) in won.chain(drawn) {
        let label = match outcome {
            Outcome::Draw => "  drawn".to_owned(),
            Outcome::Win(side) => format!("  {}", won_for(game, side)),
        };
        text += &format!("{label:<20} {}  ({})\n", big(number), percent_of(number, &tally.games()));
    }
    text += &format!("time                 {}\n", duration(took.seconds));
    if let Some(memory) = took.memory {
        text += &format!("memory               {}\n", Bytes(memory));
    }
    text
}
