//! `anser foxbox`: how well the pack holds the lone man.

use anser_analyse::{BValue, FoxBoxes, is_fox_box};
use anser_core::hounds::{Hunt, HuntRules, Position};
use anser_core::prelude::*;
use anser_core::{Next, Side};
use clap::Args;
use serde::Serialize;

use crate::asking::{AboutArgs, Watch, heading};
use crate::board::board;
use crate::failure::Failure;
use crate::games::HuntJob;
use crate::json::{self, Ply, Root};
use crate::output::{print, print_json};
use crate::plot::{Kind, Plot, PlotArgs, Series};
use crate::text::{grouped, plies, side_by_side, the, value_text, verb, wins, won_for};

const AFTER: &str = "\
A position is a FoxBox if the fox is shut in on one square, or if every square it could walk to, were the hounds to stand \
still, is one that a hound can still come to. B is the number of plies that the hounds need to force a FoxBox that is \
also won for them, the hounds hurrying, the fox delaying; it is finite exactly where the hounds win. maxB is the largest B \
that the fox can force over the rest of the game: a lost fox that plays for it makes it hardest for the hounds.

Examples:
  anser foxbox fox-hounds:8
  anser foxbox fox-hounds:8 --line
  anser foxbox fox-hounds:8 '4/1F2/4/4/2h1/hh1h/4/4 f' --json
  anser foxbox fox-hounds:8 --plot
  anser foxbox fox-hounds:8 --svg foxbox.svg";

/// Say how well the hounds hold the fox: FoxBoxes, B and maxB
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct FoxBoxArgs {
    #[command(flatten)]
    about: AboutArgs,
    /// Show how play comes to the largest B that the fox can force, board by board
    #[arg(long)]
    line: bool,
    #[command(flatten)]
    plot: PlotArgs,
}

#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    root: Root,
    fox_box: bool,
    /// Plies; nothing where the hounds cannot force a FoxBox.
    b: BValue,
    max_b: MaxBAnswer,
    /// Positions that play can reach, by B from 0 up.
    positions_by_b: Vec<u64>,
    /// Those from which the hounds cannot force a FoxBox.
    positions_never: u64,
    line: Vec<PlyAnswer>,
}

#[derive(Serialize)]
struct PlyAnswer {
    #[serde(flatten)]
    ply: Ply,
    b: BValue,
}

#[derive(Serialize)]
struct MaxBAnswer {
    b: BValue,
    plies: u16,
}

impl FoxBoxArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.about.hunt(self)
    }
}

impl HuntJob for &FoxBoxArgs {
    type Output = ();

    fn run<R: HuntRules>(self, game: &Hunt<R>) -> Result<(), Failure> {
        let watch = Watch::new()?;
        let position = self.about.position(game)?;
        let boxes = FoxBoxes::new(&self.about.solution_of(game, &watch)?)?;
        drop(watch);
        let unknown = || Failure::usage("the position was not solved");
        let value = boxes.value(&position).ok_or_else(unknown)?;
        let (b, max) = boxes.b(&position).zip(boxes.max_b(&position)).ok_or_else(unknown)?;
        let line = boxes.line(&position).ok_or_else(unknown)?;
        let (by_b, never) = boxes.histogram();
        if self.plot.is_asked() {
            return self.plot.show(&plot(game, &by_b));
        }
        if self.about.json {
            return print_json(&Answer {
                root: json::root(game, &position, value),
                fox_box: is_fox_box(game.board(), &position),
                b,
                max_b: MaxBAnswer { b: max.b, plies: max.plies },
                positions_by_b: by_b,
                positions_never: never,
                line: line_answer(game, &boxes, &line)?,
            });
        }
        let mut text = heading(game, &position) + "\n" + &board(game, &position);
        text += &format!("\n{}\n", value_text(game, value));
        text += &format!(
            "FoxBox  {}\nB       {}\nmaxB    {}\n",
            if is_fox_box(game.board(), &position) { "yes" } else { "no" },
            plies_text(game, b),
            match max.b {
                None => format!("not finite: {}", wins(game, Side::First)),
                Some(b) => format!("{b}, after {}", plies(max.plies)),
            }
        );
        text += &census_text(game, &by_b, never);
        if self.line {
            let boards: Vec<String> = line
                .iter()
                .map(|position| {
                    let mut text = board(game, position);
                    let b = boxes.b(position).flatten().map_or("never".into(), |b| b.to_string());
                    text += &format!("B = {b}");
                    text
                })
                .collect();
            text += &format!("\n{}", side_by_side(&boards, 3));
        }
        print(&text)
    }
}

/// The moves between the positions of a line.
fn line_answer<R: HuntRules>(
    game: &Hunt<R>,
    boxes: &FoxBoxes<R>,
    line: &[Position],
) -> Result<Vec<PlyAnswer>, Failure> {
    let mut plies = Vec::new();
    for (number, pair) in (1..).zip(line.windows(2)) {
        let (from, to) = (&pair[0], &pair[1]);
        let unknown = || Failure::corrupt("two positions of a line are not a move apart");
        let moves = boxes.rated_moves(game, from)?;
        let played = moves.iter().find(|rated| rated.next == Next::Position(*to)).ok_or_else(unknown)?;
        let ply = json::ply(game, number, game.side_to_move(from), played);
        plies.push(PlyAnswer { ply, b: boxes.b(to).flatten() });
    }
    Ok(plies)
}

fn plies_text<R: HuntRules>(game: &Hunt<R>, b: BValue) -> String {
    match b {
        None => format!("never: {} {} not lose", the(game, Side::First), verb(game, Side::First, "does", "do")),
        Some(0) => format!("0: it is a FoxBox that {}", wins(game, Side::Second)),
        Some(b) => plies(b),
    }
}

fn census_text<R: HuntRules>(game: &Hunt<R>, by_b: &[u64], never: u64) -> String {
    let mut text = format!("\npositions that play can reach from here, {}, by B:\n", won_for(game, Side::Second));
    for (b, &count) in by_b.iter().enumerate().filter(|(_, count)| **count > 0) {
        text += &format!("  {b:>3}  {:>10}\n", grouped(count));
    }
    text += &format!("others: {}\n", grouped(never));
    text
}

fn plot<R: HuntRules>(game: &Hunt<R>, by_b: &[u64]) -> Plot {
    Plot {
        title: format!("{}, rules {}: positions by B value", game.name(), game.rules_id()),
        x: "B, plies".into(),
        y: "positions".into(),
        kind: Kind::Bars,
        series: vec![Series {
            name: won_for(game, Side::Second),
            side: Some(Side::Second),
            points: by_b.iter().enumerate().map(|(b, &count)| (b as f64, count as f64)).collect(),
        }],
        marks: Vec::new(),
    }
}
