//! `anser hardest`: the longest wins.

use anser_analyse::{Hardest, hardest, hardest_of_layer};
use anser_core::{Hunt, Probe, Side};
use anser_games::answers::{HardestAnswer, LayerHardest, LongestAnswer};
use clap::Args;

use crate::args::whole;
use crate::board::board;
use crate::csv::{CsvTable, or_empty};
use crate::failure::Failure;
use crate::plot::{Kind, Plot, Series};
use crate::question::{LayerQuestion, LayeredArgs, Question, QuestionArgs};
use crate::reply::Reply;
use crate::text::{counted, grouped, heading, layer_title, plies, the, won_for, wrapped};

const AFTER: &str = "\
For each side the wins that take most plies, with a line of best play (the first of equal moves). \
Searches the positions that play can reach from the start (or from a position), or all positions \
with --all.

With --layers, searches all positions of each layer, with either side to move, in tables of \
distances, which may be larger than the memory. The lines lead through the lower layers, whose \
distances are needed too, unless --list 0 leaves the lines out. `anser solve --metric dtw` makes \
tables of distances.

CSV has a row for each listed position, with the layer that it is in. The column positions has the \
number of all wins of the same length.

Examples:
  anser hardest fox-geese --rules first-capture --layers 9-12 --tables DIR
  anser hardest fox-geese --layers 1-13 --list 1 --json
  anser hardest fox-geese --layers 1-31 --list 0 --svg longest.svg
  anser hardest fox-hounds:8
  anser hardest hare-hounds --rules unlimited --all --list 20
  anser hardest hexapawn:4x4 --format csv";

/// Find the longest wins of either side, with their lines
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct HardestArgs {
    #[command(flatten)]
    question: QuestionArgs,
    /// All positions, not only those that play can reach
    #[arg(long, conflicts_with = "range")]
    all: bool,
    #[command(flatten)]
    layered: LayeredArgs,
    /// Number of positions to list; of mirror images the first one is listed
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = whole::<usize>)]
    list: usize,
}

impl HardestArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        if self.all && self.question.has_position() {
            return Err(Failure::usage(
                "a position cannot be used with --all, which takes all positions",
            ));
        }
        self.layered.check_plot()?;
        self.layered.ask(
            &self.question,
            |question| self.of_layers(question),
            |question| self.of_position(question),
        )
    }

    /// Lists the longest wins of all positions, or of those that play can reach.
    fn of_position(&self, question: &Question<'_>) -> Result<Reply<HardestAnswer>, Failure> {
        let game = question.game;
        question.check_size(Some("hardest"))?;
        let solution = if self.all { question.solution_of_all()? } else { question.solution()? };
        let mut csv = CsvTable::new(COLUMNS);
        let of = if self.all { "all positions" } else { "positions that play can reach" };
        let (mut longest, mut text) = (Vec::new(), format!("{}{of}\n", heading(game)));
        for winner in Side::BOTH {
            let Some(found) = hardest(&solution, winner, self.list) else { continue };
            let (answer, described) = describe(game, &found, None, &solution)?;
            text += &described;
            rows(&mut csv, game, &found, (None, None), &answer);
            longest.push(answer);
        }
        if longest.is_empty() {
            text += &match game.endless() {
                None => "\nneither side wins any of these positions\n".into(),
                Some(side) => format!(
                    "\nnobody can force the end of the game in any of these positions; endless play \
                     is {}\n",
                    won_for(game, side)
                ),
            };
        }
        let position = (!self.all).then(|| question.position_text());
        let answer = HardestAnswer::new(game, position, longest);
        Ok(Reply::new(answer, text).with_csv(csv))
    }

    /// Lists the longest wins of layers.
    fn of_layers(&self, question: &LayerQuestion<'_>) -> Result<Reply<HardestAnswer>, Failure> {
        let (game, values) = (question.game, &question.values);
        let layers = question.layers.clone();
        let needed =
            if self.list == 0 { layers.clone().collect() } else { game.descent(layers.clone()) };
        question.require_distances(needed)?;
        let (mut text, mut csv) = (heading(game), CsvTable::new(COLUMNS));
        let mut answers = Vec::new();
        for layer in layers {
            let found = hardest_of_layer(game, values, layer, self.list, question.progress)?;
            text += &format!("\n{}\n", layer_title(game, layer));
            let mut to_move = Vec::new();
            for (side, found) in found.iter() {
                let mut longest = Vec::new();
                for (_, found) in found.iter() {
                    let Some(found) = found else { continue };
                    let (answer, described) = describe(game, found, Some(side), values)?;
                    text += &described;
                    rows(&mut csv, game, found, (Some(layer), Some(side)), &answer);
                    longest.push(answer);
                }
                to_move.push((game.side_name(side), longest));
            }
            answers.push(LayerHardest::new(game, layer, to_move.into_iter().collect()));
        }
        let plot = layers_plot(question, &answers);
        let answer = HardestAnswer::of_layers(game, answers, self.list);
        Ok(Reply::new(answer, text).with_csv(csv).with_plot(plot))
    }
}

/// Columns of the comma-separated values.
const COLUMNS: [&str; 9] =
    ["game", "rules", "layer", "to_move", "outcome", "dtw", "positions", "position", "line"];

/// Plots the lengths of the longest wins by layer.
fn layers_plot(question: &LayerQuestion<'_>, layers: &[LayerHardest]) -> Plot {
    let game = question.game;
    let point = |of: &LayerHardest, winner| {
        Some((f64::from(of.layer), f64::from(of.longest(game.side_name(winner))?)))
    };
    let series = Side::BOTH.map(|winner| Series {
        name: won_for(game, winner),
        side: Some(winner),
        points: layers.iter().filter_map(|of| point(of, winner)).collect(),
    });
    let (kind, title) = (Kind::Lines { logarithmic: false }, question.title("the longest wins"));
    Plot::new(kind, title, ["layer", "plies to the win"], series)
}

/// Adds a row for each listed position; a single one without a position if none is listed.
fn rows(
    csv: &mut CsvTable,
    game: &Hunt,
    found: &Hardest,
    (layer, to_move): (Option<u16>, Option<Side>),
    answer: &LongestAnswer,
) {
    let mut row = |layer: Option<u16>, to_move: Option<Side>, position: &str, line: &str| {
        let (layer, dtw) = (or_empty(layer), answer.dtw.to_string());
        let to_move = to_move.map_or("", |side| game.side_name(side));
        let (rules, positions) = (game.rules_id(), answer.positions.to_string());
        let value = [to_move, &answer.outcome, &dtw, &positions];
        csv.row([&[game.name(), rules, &layer][..], &value, &[position, line]].concat());
    };
    for ((position, _), example) in found.positions.first.iter().zip(&answer.examples) {
        let moves: Vec<&str> = example.line.iter().map(|ply| &*ply.played.mv).collect();
        let (layer, to_move) = (game.layer(position), position.to_move());
        row(Some(layer), Some(to_move), &example.rated.position, &moves.join(" "));
    }
    if answer.examples.is_empty() {
        row(layer, to_move, "", "");
    }
}

/// Describes the longest wins of a side, with lines of best play; `to_move` is the side to move if
/// only that one was searched.
fn describe<P: Probe>(
    game: &Hunt,
    found: &Hardest,
    to_move: Option<Side>,
    values: &P,
) -> Result<(LongestAnswer, String), Failure>
where
    Failure: From<P::Error>,
{
    let (count, classes) = (found.positions.count, found.classes);
    let images = match count - classes {
        0 => String::new(),
        1 => ", 1 of them a mirror image".into(),
        images => format!(", {} of them mirror images", grouped(images)),
    };
    let to_move = to_move.map_or_else(String::new, |side| format!(", {} to move", the(game, side)));
    let mut text = format!(
        "\nlongest win for {}{to_move}: {}, in {}{images}\n",
        the(game, found.winner),
        plies(found.plies),
        counted(count, "position", "positions")
    );
    let answer = LongestAnswer::new(game, found, values)?;
    for ((position, _), example) in found.positions.first.iter().zip(&answer.examples) {
        let moves: Vec<&str> = example.line.iter().map(|ply| &*ply.played.mv).collect();
        text += &format!("\n{}\n{}", example.rated.position, board(game, position));
        text += &wrapped(&moves.join(" "), 2);
    }
    Ok((answer, text))
}
