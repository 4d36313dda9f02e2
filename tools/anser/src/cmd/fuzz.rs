//! `anser fuzz`: winning chances against a player that sometimes errs.

use std::ops::RangeInclusive;

use anser_analyse::{FoxBoxes, Fuzzy, Weights, opposite};
use anser_core::hunt::Position;
use anser_core::{Hunt, Observer, Probe, Side};
use anser_games::answers::{
    FuzzAnswer, FuzzColumn, FuzzMove, FuzzMovesAnswer, FuzzRow, MoveAnswer, PositionAnswer,
};
use anser_retrograde::Solution;
use clap::Args;
use rayon::prelude::*;
use serde::Serialize;

use crate::args::one_of;
use crate::board::board;
use crate::failure::Failure;
use crate::output::note;
use crate::plot::{Kind, Mark, Plot, PlotArgs, Series};
use crate::question::{Question, QuestionArgs};
use crate::reply::Reply;
use crate::text::{Columns, wins};

const AFTER: &str = "\
The games are fox-hounds and hasenspiel, in all sizes and rule sets. In every game, `anser study \
GAME --fuzz P` has the chances against a player that errs, and `anser play GAME --fuzz P` plays \
against one.

The fuzzy player chooses among the moves that keep the best outcome: those that make a win of the \
fox last longest, or those with the largest maxB (see `anser foxbox`). With the fuzz factor p it \
plays other moves:
  printed  a best move weighs 1, any other p; the table of the document comes out by this
  literal  with probability p any move at all, as the text of the document has it
Its opponent knows this and does not err, from a position that is lost against best play: a side \
that wins with best play also wins against a fuzzy player. Without a position the table is that \
of the document: the chance of the side that loses at the start against a fuzzy winner, and that \
of the other side at the opposite position (see `anser opposite`). With a position it is the \
chance of the side that loses there. A plot has a logarithmic axis of p, the fairest p, for which \
each side wins half of the games, and points chosen by the command unless --p names them.

Examples:
  anser fuzz fox-hounds:8
  anser fuzz fox-hounds:8 --weights literal --json
  anser fuzz fox-hounds:8 '4/1F2/4/4/2h1/hh1h/4/4 h' --moves 0.01
  anser fuzz fox-hounds:8 --plot --svg fuzz.svg";

/// The fuzz factors of the document's table, in units of 1 / [`PARTS`]. It prints them with six
/// decimals.
const TABLE: [u32; 19] = [
    0, 512, 768, 896, 904, 908, 909, 910, 912, 928, 960, 1024, 2048, 4096, 8192, 16_384, 32_768,
    65_536, 131_072,
];
const PARTS: f64 = 131_072.0;

/// The points of a plot, 0.0001 to 1: exponents of ten, in units of 1 / [`PER_DECADE`].
const PLOTTED: RangeInclusive<i32> = -48..=0;
const PER_DECADE: f64 = 12.0;

/// Show the winning chances against a player that sometimes errs, and the fairest fuzz factor
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct FuzzArgs {
    #[command(flatten)]
    question: QuestionArgs,
    /// Rule that turns the fuzz factor into the chances of moves
    #[arg(
        long, value_name = "WEIGHTS", default_value = "printed",
        value_parser = one_of([
            (Weights::Printed, "printed", Some("A best move weighs 1, any other p")),
            (Weights::Literal, "literal", Some("With probability p any move")),
        ])
    )]
    weights: Weights,
    /// Fuzz factors for the table or the plot, 0 to 1, separated by commas [default: those of the
    /// document]
    #[arg(long = "p", value_name = "P,P,..", value_delimiter = ',', value_parser = factor)]
    factors: Vec<f64>,
    /// Show how the fuzzy player of the side to move would choose its move in the position, with
    /// this fuzz factor
    #[arg(
        long, value_name = "P", value_parser = factor,
        conflicts_with_all = ["plot", "svg", "factors"]
    )]
    moves: Option<f64>,
    #[command(flatten)]
    plot: PlotArgs,
}

/// Parses a probability of errors.
pub(crate) fn factor(text: &str) -> Result<f64, String> {
    let p: f64 = text.parse().map_err(|_| format!("{text:?} is not a number from 0 to 1"))?;
    if (0.0..=1.0).contains(&p) {
        Ok(p)
    } else {
        Err("a fuzz factor is a number from 0 to 1".into())
    }
}

/// The table, or the moves of one position.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Answer {
    Table(FuzzAnswer),
    Moves(FuzzMovesAnswer),
}

/// A column of the table: a position, the side that errs, and its head.
struct Column<'b> {
    position: Position,
    fuzzy: Fuzzy<'b>,
    side: Side,
    head: String,
}

impl FuzzArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.question.ask_in_rows(&self.plot, |question, _| self.answer(question))
    }

    /// The columns of the table.
    fn columns<'b>(
        &self,
        question: &Question<'_>,
        solution: &Solution,
        boxes: &'b FoxBoxes,
    ) -> Result<Vec<Column<'b>>, Failure> {
        let (game, root) = (question.game, question.position);
        let column = |position: Position, place: &str| -> Result<_, Failure> {
            // The winner errs: the chance of the other side depends on p.
            let winner = solution.require(&position)?.winner();
            let side = winner.ok_or_else(|| {
                Failure::missing("the position is drawn, so neither side has to err")
            })?;
            Ok(Column {
                position,
                fuzzy: Fuzzy::new(boxes, side, self.weights),
                side,
                head: format!("{} from the {place}", wins(game, side.other())),
            })
        };
        if self.question.has_position() {
            return Ok(vec![column(root, "position")?]);
        }
        let mut columns = vec![column(root, "start")?];
        if let Some(found) = opposite(game, &root, solution)? {
            columns.push(column(found.position, "opposite position")?);
        } else {
            note(
                "every position that play can reach is won for the same side, so no position is \
                 opposite",
            );
        }
        Ok(columns)
    }

    /// The fuzz factors of the table, or of the points of a plot.
    fn factors(&self) -> Vec<f64> {
        match &self.factors[..] {
            [] if self.plot.is_requested() => {
                PLOTTED.map(|part| 10f64.powf(f64::from(part) / PER_DECADE)).collect()
            }
            [] => TABLE.map(|part| f64::from(part) / PARTS).to_vec(),
            factors => {
                let mut factors = factors.to_vec();
                factors.sort_by(f64::total_cmp);
                factors
            }
        }
    }

    /// Returns the chance of each move of the fuzzy player of the side to move.
    fn moves(
        &self,
        question: &Question<'_>,
        boxes: &FoxBoxes,
        p: f64,
    ) -> Result<Reply<Answer>, Failure> {
        let (game, position) = (question.game, &question.position);
        let side = position.to_move();
        let chances = Fuzzy::new(boxes, side, self.weights).moves(p, position)?;
        let moves = boxes.rated_moves(game, position)?.into_iter().zip(chances);
        let mut moves: Vec<FuzzMove> = moves
            .map(|(rated, chance)| FuzzMove { rated: MoveAnswer::new(game, &rated), chance })
            .collect();
        moves.sort_by(|a, b| b.chance.total_cmp(&a.chance));
        let mut text = question.heading() + "\n" + &board(game, position) + "\n";
        if moves.is_empty() {
            text += "the game is over\n";
        } else {
            text += &format!("how fuzzy {} with p = {p} choose a move:\n", game.side_name(side));
        }
        for FuzzMove { rated, chance } in &moves {
            text += &format!("  {:<8} {chance:.4}\n", rated.mv);
        }
        let answer = FuzzMovesAnswer {
            root: PositionAnswer::new(game, position, Some(boxes.value(position)?)),
            fuzzy: game.side_name(side).into(),
            weights: self.weights.id().into(),
            p,
            moves,
        };
        Ok(Reply::new(Answer::Moves(answer), text))
    }

    fn answer(&self, question: &Question<'_>) -> Result<Reply<Answer>, Failure> {
        let (game, progress, weights) = (question.game, question.progress, self.weights);
        let solution = question.solution()?;
        let boxes = FoxBoxes::new(&solution)?;
        if let Some(p) = self.moves {
            return self.moves(question, &boxes, p);
        }
        let columns = self.columns(question, &solution, &boxes)?;
        let factors = self.factors();
        progress.begin("chances", factors.len() as u64);
        let row = |&p: &f64| -> Result<FuzzRow, Failure> {
            progress.check()?;
            let chances =
                columns.iter().map(|column| column.fuzzy.opponent_wins(p, &column.position));
            let row = FuzzRow { p, chances: chances.collect::<Result<_, _>>()? };
            progress.advance(1);
            Ok(row)
        };
        let table = factors.par_iter().map(row).collect::<Result<Vec<_>, _>>()?;
        let fairest = columns.par_iter().map(|column| column.fuzzy.fairest(&column.position, 1e-5));
        let fairest = fairest.collect::<Result<Vec<_>, _>>()?;
        let plot = plot(game, weights, &columns, &table, &fairest);
        let (name, rules) = (game.name(), game.rules_id());
        let mut text = format!("{name}, rules {rules}, weights {}\n", weights.id());
        for column in &columns {
            text += &format!("{}: {}\n", column.head, game.format_position(&column.position));
        }
        let head = ["fuzz factor p".to_owned()]
            .into_iter()
            .chain(columns.iter().map(|column| column.head.clone()));
        let mut lines = Columns::new(0, head);
        for FuzzRow { p, chances } in &table {
            lines.row(
                [format!("{p:.6}")]
                    .into_iter()
                    .chain(chances.iter().map(|chance| format!("{chance:.3}"))),
            );
        }
        text += &format!("\n{}\n", lines.text());
        for (column, fairest) in columns.iter().zip(&fairest) {
            text += &format!("fairest p, {}: {fairest:.6}\n", column.head);
        }
        let columns = columns.iter().zip(&fairest).map(|(column, &fairest)| FuzzColumn {
            position: game.format_position(&column.position),
            to_move: game.side_name(column.position.to_move()).into(),
            side: game.side_name(column.side.other()).into(),
            fuzzy: game.side_name(column.side).into(),
            fairest,
        });
        let answer = FuzzAnswer {
            game: name.into(),
            rules: rules.into(),
            position: question.position_text(),
            weights: weights.id().into(),
            columns: columns.collect(),
            table,
        };
        Ok(Reply::new(Answer::Table(answer), text).with_plot(plot))
    }
}

fn plot(
    game: &Hunt,
    weights: Weights,
    columns: &[Column<'_>],
    table: &[FuzzRow],
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
    let (name, rules, weights) = (game.name(), game.rules_id(), weights.id());
    let title = format!("{name}, rules {rules}: chances against a fuzzy player ({weights})");
    let kind = Kind::Lines { logarithmic: true };
    Plot { marks: marks.collect(), ..Plot::new(kind, title, ["fuzz factor p", "chance"], series) }
}
