//! `anser fuzz`: chances against a player that now and then errs.

use std::ops::{ControlFlow, RangeInclusive};

use anser_analyse::{FoxBoxes, Fuzzy, Solution, Weights, opposite};
use anser_core::hounds::{Hunt, HuntRules, Position};
use anser_core::prelude::*;
use anser_core::{Dtw, Next, Observer, Side};
use clap::{Args, ValueEnum};
use rayon::prelude::*;
use serde::Serialize;

use crate::asking::{AboutArgs, Watch, heading};
use crate::board::board;
use crate::failure::Failure;
use crate::games::HuntJob;
use crate::json::{self, Root, distance_after, outcome_name};
use crate::output::{note, print, print_json};
use crate::plot::{Kind, Mark, Plot, PlotArgs, Series};
use crate::text::{Columns, wins};

const AFTER: &str = "\
The fuzzy player keeps the best result it can; of the moves that do, it takes those that make a win of the fox last \
longest, or those with the greatest maxB (see `anser foxbox`). With the fuzz factor p it strays from them:
  printed  a best move weighs 1, any other p; the table of the document comes out by this
  literal  with probability p any move at all, as the text of the document has it
Against it plays somebody who knows it and makes no mistake, from a position that is lost against best play: a side that \
wins with best play wins against a fuzzy player too. Without a position the table is that of the document: the chance of the \
side that has lost at the start against a fuzzy winner, and that of the other side at the opposite position (see `anser \
opposite`). With a position it is about the side that has lost there. A plot has a logarithmic axis of p, with the fairest p, \
which leaves either side half of the games, and points of its own unless --p names them.

Examples:
  anser fuzz fox-hounds:8
  anser fuzz fox-hounds:8 --weights literal --json
  anser fuzz fox-hounds:8 '4/1F2/4/4/2h1/hh1h/4/4 h' --moves 0.01
  anser fuzz fox-hounds:8 --plot --svg fuzz.svg";

/// The fuzz factors of the document's table: binary fractions, which it prints with six decimals.
const TABLE: [f64; 19] = [
    0.0,
    0.003_906_25,
    0.005_859_375,
    0.006_835_937_5,
    0.006_896_972_656_25,
    0.006_927_490_234_375,
    0.006_935_119_628_906_25,
    0.006_942_749_023_437_5,
    0.006_958_007_812_5,
    0.007_080_078_125,
    0.007_324_218_75,
    0.007_812_5,
    0.015_625,
    0.031_25,
    0.062_5,
    0.125,
    0.25,
    0.5,
    1.0,
];

/// The points of a plot, 0.0001 to 1: the exponents of ten, in parts of one.
const PLOTTED: RangeInclusive<i32> = -48..=0;
const PER_DECADE: f64 = 12.0;

/// Show the winning chances against a player that now and then errs, and the fairest fuzz factor
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct FuzzArgs {
    #[command(flatten)]
    about: AboutArgs,
    /// How the fuzz factor makes chances of moves
    #[arg(long, value_enum, default_value_t = By::Printed)]
    weights: By,
    /// Fuzz factors for the table or the plot, 0 to 1, separated by commas [default: those of the document]
    #[arg(long = "p", value_name = "P,P,..", value_delimiter = ',', value_parser = factor)]
    factors: Vec<f64>,
    /// Show how the fuzzy player of the side to move would choose its move in the position, with this fuzz factor
    #[arg(long, value_name = "P", value_parser = factor)]
    moves: Option<f64>,
    #[command(flatten)]
    plot: PlotArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum By {
    /// A best move weighs 1, any other p
    Printed,
    /// With probability p any move
    Literal,
}

impl By {
    fn weights(self) -> Weights {
        match self {
            By::Printed => Weights::Printed,
            By::Literal => Weights::Literal,
        }
    }
}

fn factor(text: &str) -> Result<f64, String> {
    let p: f64 = text.parse().map_err(|_| format!("{text:?} is no number from 0 to 1"))?;
    if (0.0..=1.0).contains(&p) { Ok(p) } else { Err("a fuzz factor is a number from 0 to 1".into()) }
}

#[derive(Serialize)]
struct Answer<'a> {
    game: String,
    rules: String,
    /// The position that was asked about.
    position: String,
    weights: &'a str,
    columns: Vec<ColumnAnswer<'a>>,
    table: Vec<RowAnswer>,
}

/// A column of the table: who wins from where against whom.
#[derive(Serialize)]
struct ColumnAnswer<'a> {
    position: String,
    to_move: &'a str,
    /// The side whose chances the column shows.
    side: &'a str,
    fuzzy: &'a str,
    /// The fuzz factor that gives either side half of the games.
    fairest: f64,
}

#[derive(Serialize)]
struct RowAnswer {
    p: f64,
    chances: Vec<f64>,
}

#[derive(Serialize)]
struct MovesAnswer<'a> {
    #[serde(flatten)]
    root: Root,
    fuzzy: &'a str,
    weights: &'a str,
    p: f64,
    moves: Vec<MoveAnswer>,
}

#[derive(Serialize)]
struct MoveAnswer {
    #[serde(rename = "move")]
    mv: String,
    outcome: &'static str,
    dtw: Option<u16>,
    chance: f64,
}

/// A question of the table.
struct Column<'b, R: HuntRules> {
    position: Position,
    fuzzy: Fuzzy<'b, R>,
    side: Side,
    head: String,
}

impl FuzzArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.about.hunt(self)
    }

    /// The columns of the table.
    fn columns<'b, R: HuntRules>(
        &self,
        game: &Hunt<R>,
        solution: &Solution<Hunt<R>>,
        boxes: &'b FoxBoxes<R>,
    ) -> Result<Vec<Column<'b, R>>, Failure> {
        let root = self.about.position(game)?;
        let column = |position: Position, place: &str| -> Result<_, Failure> {
            // The winner is the one that errs: the chance of the other side is what depends on p.
            let winner = solution.require(&position)?.winner();
            let side = winner.ok_or_else(|| Failure::missing("the position is drawn, so neither side has to err"))?;
            Ok(Column {
                position,
                fuzzy: Fuzzy::new(boxes, side, self.weights.weights()),
                side,
                head: format!("{} from the {place}", wins(game, side.other())),
            })
        };
        if self.about.is_placed() {
            return Ok(vec![column(root, "position")?]);
        }
        let mut columns = vec![column(root, "start")?];
        if let Some(found) = opposite(game, &root, solution)? {
            columns.push(column(found.position, "opposite position")?);
        } else {
            note("every position that play can reach is won for the same side, so there is no opposite position");
        }
        Ok(columns)
    }

    /// The fuzz factors of the table, or of the points of a plot.
    fn factors(&self) -> Vec<f64> {
        match &self.factors[..] {
            [] if self.plot.is_asked() => PLOTTED.map(|part| 10f64.powf(f64::from(part) / PER_DECADE)).collect(),
            [] => TABLE.to_vec(),
            factors => {
                let mut factors = factors.to_vec();
                factors.sort_by(f64::total_cmp);
                factors
            }
        }
    }

    fn tell_moves<R: HuntRules>(&self, game: &Hunt<R>, boxes: &FoxBoxes<R>, p: f64) -> Result<(), Failure> {
        let position = self.about.position(game)?;
        let side = game.side_to_move(&position);
        let chances = Fuzzy::new(boxes, side, self.weights.weights()).moves(p, &position)?;
        let mut moves = Vec::new();
        let _ = game.visit_moves(&position, |mv, next: Next<Position>| {
            moves.push((mv, next));
            ControlFlow::<()>::Continue(())
        });
        let unknown = || Failure::usage("the position was not solved");
        let rated = |((mv, next), chance): ((<Hunt<R> as Rules>::Move, Next<Position>), f64)| {
            let value = match &next {
                Next::End(outcome) => Dtw::ended(*outcome),
                Next::Position(next) => boxes.value(next).ok_or_else(unknown)?,
            };
            let (outcome, dtw) = (outcome_name(game, value.outcome()), distance_after(game, &next, value.plies()));
            Ok(MoveAnswer { mv: game.format_move(&mv), outcome, dtw, chance })
        };
        let mut moves = moves.into_iter().zip(chances).map(rated).collect::<Result<Vec<_>, Failure>>()?;
        moves.sort_by(|a, b| b.chance.total_cmp(&a.chance));
        if self.about.json {
            return print_json(&MovesAnswer {
                root: json::root(game, &position, boxes.value(&position).ok_or_else(unknown)?),
                fuzzy: game.side_name(side),
                weights: self.weights.weights().id(),
                p,
                moves,
            });
        }
        let mut text = heading(game, &position) + "\n" + &board(game, &position) + "\n";
        if moves.is_empty() {
            text += "the game is over\n";
        } else {
            text += &format!("how fuzzy {} with p = {p} choose a move:\n", game.side_name(side));
        }
        for MoveAnswer { mv, chance, .. } in moves {
            text += &format!("  {mv:<8} {chance:.4}\n");
        }
        print(&text)
    }
}

impl HuntJob for &FuzzArgs {
    type Output = ();

    fn run<R: HuntRules>(self, game: &Hunt<R>) -> Result<(), Failure> {
        let watch = Watch::new()?;
        let solution = self.about.solution_of(game, &watch)?;
        let boxes = FoxBoxes::new(&solution)?;
        if let Some(p) = self.moves {
            drop(watch);
            return self.tell_moves(game, &boxes, p);
        }
        let columns = self.columns(game, &solution, &boxes)?;
        let factors = self.factors();
        watch.begin("chances", factors.len() as u64);
        let row = |&p: &f64| -> Result<RowAnswer, Failure> {
            watch.check()?;
            let chances = columns.iter().map(|column| column.fuzzy.opponent_wins(p, &column.position));
            let row = RowAnswer { p, chances: chances.collect::<Result<_, _>>()? };
            watch.advance(1);
            Ok(row)
        };
        let table = factors.par_iter().map(row).collect::<Result<Vec<_>, _>>()?;
        let fairest = columns.par_iter().map(|column| column.fuzzy.fairest(&column.position));
        let fairest = fairest.collect::<Result<Vec<_>, _>>()?;
        drop(watch);
        if self.plot.is_asked() {
            return self.plot.show(&plot(game, self.weights.weights(), &columns, &table, &fairest));
        }
        if self.about.json {
            let columns = columns.iter().zip(&fairest).map(|(column, &fairest)| ColumnAnswer {
                position: game.format_position(&column.position),
                to_move: game.side_name(game.side_to_move(&column.position)),
                side: game.side_name(column.side.other()),
                fuzzy: game.side_name(column.side),
                fairest,
            });
            let columns = columns.collect();
            let position = game.format_position(&self.about.position(game)?);
            let (game, rules, weights) = (game.name(), game.rules_id(), self.weights.weights().id());
            return print_json(&Answer { game, rules, position, weights, columns, table });
        }
        let mut text = format!("{}, rules {}, weights {}\n", game.name(), game.rules_id(), self.weights.weights().id());
        for column in &columns {
            text += &format!("{}: {}\n", column.head, game.format_position(&column.position));
        }
        let head = ["fuzz factor p".to_owned()].into_iter().chain(columns.iter().map(|column| column.head.clone()));
        let mut lines = Columns::new(0, head);
        for RowAnswer { p, chances } in &table {
            lines.row([format!("{p:.6}")].into_iter().chain(chances.iter().map(|chance| format!("{chance:.3}"))));
        }
        text += &format!("\n{}\n", lines.text());
        for (column, fairest) in columns.iter().zip(&fairest) {
            text += &format!("fairest p, {}: {fairest:.6}\n", column.head);
        }
        print(&text)
    }
}

fn plot<R: HuntRules>(
    game: &Hunt<R>,
    weights: Weights,
    columns: &[Column<'_, R>],
    table: &[RowAnswer],
    fairest: &[f64],
) -> Plot {
    let series = columns.iter().enumerate().map(|(number, column)| Series {
        name: column.head.clone(),
        side: Some(column.side.other()),
        points: table.iter().map(|row| (row.p, row.chances[number])).collect(),
    });
    let marks = columns.iter().zip(fairest).filter(|&(_, &p)| p > 0.0).map(|(column, &p)| Mark {
        x: p,
        name: format!("fairest p, {}: {p:.6}", column.head),
        side: Some(column.side.other()),
    });
    Plot {
        title: format!("{}, rules {}: chances against a fuzzy player ({})", game.name(), game.rules_id(), weights.id()),
        x: "fuzz factor p".into(),
        y: "chance".into(),
        kind: Kind::Lines,
        series: series.collect(),
        marks: marks.collect(),
    }
}
