//! `anser foxbox`: how well the pack encloses the lone piece.

use anser_analyse::{BValue, FoxBoxes, is_fox_box};
use anser_core::hounds::Board;
use anser_core::hunt::Position;
use anser_core::{Hunt, Next, Probe, Side};
use anser_games::answers::{FoxBoxAnswer, FoxBoxPly, MaxBAnswer, Ply, PositionAnswer};
use clap::Args;

use crate::board::board;
use crate::failure::Failure;
use crate::plot::{Kind, Plot, PlotArgs, Series};
use crate::question::{Question, QuestionArgs};
use crate::reply::Reply;
use crate::text::{grouped, plies, side_by_side, the, value_text, verb, wins, won_for};

const AFTER: &str = "\
A position is a FoxBox if the fox is enclosed on one square, or if a hound can still reach every \
square that the fox could walk to while the hounds stand still. B is the number of plies in which \
the hounds force a FoxBox that they also win; the hounds hurry, and the fox delays. B is finite \
exactly where the hounds win. maxB is the largest B that the fox can force in the rest of the \
game: a lost fox that plays for it gives the hounds the most chances to err.

Examples:
  anser foxbox fox-hounds:8
  anser foxbox fox-hounds:8 --line
  anser foxbox fox-hounds:8 '4/1F2/4/4/2h1/hh1h/4/4 f' --json
  anser foxbox fox-hounds:8 --plot
  anser foxbox fox-hounds:8 --svg foxbox.svg";

/// Show how well the hounds enclose the fox: FoxBoxes, B, and maxB
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct FoxBoxArgs {
    #[command(flatten)]
    question: QuestionArgs,
    /// Show the moves to the largest B that the fox can force, board by board
    #[arg(long)]
    line: bool,
    #[command(flatten)]
    plot: PlotArgs,
}

impl FoxBoxArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.question.ask_in_rows(&self.plot, |question, squares| self.answer(question, squares))
    }

    fn answer(
        &self,
        question: &Question<'_>,
        squares: &Board,
    ) -> Result<Reply<FoxBoxAnswer>, Failure> {
        let (game, position) = (question.game, &question.position);
        let boxes = FoxBoxes::new(&question.solution()?)?;
        let unknown = || Failure::usage("the position was not solved");
        let value = boxes.get(position).ok_or_else(unknown)?;
        let (b, max) = boxes.b(position).zip(boxes.max_b(position)).ok_or_else(unknown)?;
        let line = boxes.line(position).ok_or_else(unknown)?;
        let (by_b, never) = boxes.histogram();
        let plot = plot(game, &by_b);
        let mut text = question.heading() + "\n" + &board(game, position);
        text += &format!("\n{}\n", value_text(game, value));
        text += &format!(
            "FoxBox  {}\nB       {}\nmaxB    {}\n",
            if is_fox_box(squares, position) { "yes" } else { "no" },
            plies_text(game, b),
            match max.b {
                None => format!("not finite: {}", wins(game, Side::First)),
                Some(b) => format!("{b}, after {}", plies(max.plies)),
            }
        );
        text += &census_text(game, &by_b, never);
        if self.line {
            let board = |position: &Position| {
                let b = boxes.b(position).flatten().map_or("never".into(), |b| b.to_string());
                format!("{}B = {b}", board(game, position))
            };
            let boards: Vec<String> = line.iter().map(board).collect();
            text += &format!("\n{}", side_by_side(&boards, 3));
        }
        let mut plies = Vec::new();
        for (number, pair) in (1..).zip(line.windows(2)) {
            let (from, to) = (&pair[0], &pair[1]);
            let unknown = || Failure::corrupt("two positions of a line are not a move apart");
            let moves = boxes.rated_moves(game, from)?;
            let played =
                moves.iter().find(|rated| rated.next == Next::Position(*to)).ok_or_else(unknown)?;
            let ply = Ply::new(game, number, from.to_move(), played);
            plies.push(FoxBoxPly { ply, b: boxes.b(to).flatten() });
        }
        let answer = FoxBoxAnswer {
            root: PositionAnswer::new(game, position, Some(value.into())),
            fox_box: is_fox_box(squares, position),
            b,
            max_b: MaxBAnswer { b: max.b, plies: max.plies },
            positions_by_b: by_b,
            positions_never: never,
            line: plies,
        };
        Ok(Reply::new(answer, text).with_plot(plot))
    }
}

fn plies_text(game: &Hunt, b: BValue) -> String {
    match b {
        None => format!(
            "never: {} {} not lose",
            the(game, Side::First),
            verb(game, Side::First, "does", "do")
        ),
        Some(0) => format!("0: it is a FoxBox that {}", wins(game, Side::Second)),
        Some(b) => plies(b),
    }
}

fn census_text(game: &Hunt, by_b: &[u64], never: u64) -> String {
    let mut text = format!(
        "\npositions that play can reach from here, {}, by B:\n",
        won_for(game, Side::Second)
    );
    for (b, &count) in by_b.iter().enumerate().filter(|(_, count)| **count > 0) {
        text += &format!("  {b:>3}  {:>10}\n", grouped(count));
    }
    text += &format!("others: {}\n", grouped(never));
    text
}

fn plot(game: &Hunt, by_b: &[u64]) -> Plot {
    let title = format!("{}, rules {}: positions by B value", game.name(), game.rules_id());
    let series = Series {
        name: won_for(game, Side::Second),
        side: Some(Side::Second),
        points: by_b.iter().enumerate().map(|(b, &count)| (b as f64, count as f64)).collect(),
    };
    Plot::new(Kind::Bars, title, ["B, plies", "positions"], [series])
}
