//! `anser count`: positions and games.

use std::time::Instant;

use anser_core::{Hunt, Outcome, Side};
use anser_games::answers::CountAnswer;
use anser_retrograde::Count;
use anser_solve::{Bytes, peak_memory};
use clap::Args;
use num_bigint::BigUint;

use crate::failure::Failure;
use crate::question::QuestionArgs;
use crate::reply::Reply;
use crate::text::{duration, grouped, percent_of, value_text, won_for};

const AFTER: &str = "\
A game is a sequence of moves to the end: two games differ if a move differs. The numbers are \
exact. Where positions can repeat, the number of games is infinite, and there is no answer (exit \
status 1). The answer includes the time and the peak memory.

Examples:
  anser count fox-hounds:8
  anser count hexapawn:4x4 --json
  anser count fox-hounds:8 '4/1F2/4/4/4/4/3h/hh1h f'";

/// Count the positions that play can reach, and the games, exactly
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct CountArgs {
    #[command(flatten)]
    question: QuestionArgs,
}

impl CountArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let started = Instant::now();
        self.question.ask(|question| {
            let game = question.game;
            question.check_size(None)?;
            let counted = Count::of(game, &question.position, &question.limits())?;
            let seconds = started.elapsed().as_secs_f64();
            let answer =
                CountAnswer::new(game, &question.position, &counted, seconds, peak_memory());
            let text = question.heading() + &text(game, &counted, &answer);
            Ok(Reply::new(answer, text))
        })
    }
}

fn text(game: &Hunt, counted: &Count, answer: &CountAnswer) -> String {
    let Count { reachable, value, tally } = counted;
    let mut text = format!(
        "{}\n\nreachable positions  {}\ngames                {}\n",
        value_text(game, *value),
        grouped(reachable),
        grouped(tally.games())
    );
    let drawn = (tally.drawn != BigUint::ZERO).then_some((Outcome::Draw, &tally.drawn));
    let won = Side::BOTH.into_iter().map(|side| (Outcome::Win(side), tally.won(side)));
    for (outcome, number) in won.chain(drawn) {
        let label = match outcome {
            Outcome::Draw => "  drawn".to_owned(),
            Outcome::Win(side) => format!("  {}", won_for(game, side)),
        };
        text +=
            &format!("{label:<20} {}  ({})\n", grouped(number), percent_of(number, &tally.games()));
    }
    text += &format!("time                 {}\n", duration(answer.seconds));
    if let Some(memory) = answer.memory_bytes {
        text += &format!("memory               {}\n", Bytes(memory));
    }
    text
}
