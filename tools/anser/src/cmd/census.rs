//! `anser census`: counts of positions by winner and plies to the win.

use anser_analyse::census_of_layer;
use anser_core::{Hunt, Outcome, Side};
use anser_games::answers::{CensusAnswer, CensusValues, LayerCensus, Map};
use anser_retrograde::{Census, WholeCensus};
use clap::Args;

use crate::csv::{CsvTable, or_empty};
use crate::failure::Failure;
use crate::output::note;
use crate::plot::{Kind, Plot, Series};
use crate::question::{LayerQuestion, LayeredArgs, Question, QuestionArgs};
use crate::reply::Reply;
use crate::text::{Columns, grouped, heading, layer_title, outcome_text, percent, verb, won_for};

const AFTER: &str = "\
Counts positions by side to move, winner, and plies to the win; symmetric positions are counted \
apart. Counts those that play can reach from the start (or from a position), and all positions. \
At 0 plies the game is over. Layers in which it is over in every position are left out: in Kaooa \
those after the last capture.

With --layers, counts all positions of each layer from tables of distances, which may be larger \
than the memory. `anser solve --metric dtw` makes them. The sum over the depths of a layer is \
what `anser stats` shows.

CSV has a row for each number of plies; dtw is empty for draws and wins by endless play.

Examples:
  anser census fox-geese --rules first-capture --layers 9-12 --tables DIR
  anser census fox-geese --layers 1-31 --json | jq '.layers[] | [.layer, .to_move.fox.depths.geese]'
  anser census fox-geese --layers 13 --plot --svg layer-13.svg
  anser census fox-hounds:8
  anser census hare-hounds --rules unlimited --json
  anser census hexapawn:5x5 --reachable --format csv
  anser census fox-hounds:8 --plot --svg census.svg";

/// Count reachable positions, and all positions, by winner and depth
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct CensusArgs {
    #[command(flatten)]
    question: QuestionArgs,
    /// Only positions that play can reach
    #[arg(long, conflicts_with = "range")]
    reachable: bool,
    #[command(flatten)]
    layered: LayeredArgs,
}

impl CensusArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.layered.ask(&self.question, of_layers, |question| self.of_position(question))
    }

    fn of_position(&self, question: &Question<'_>) -> Result<Reply<CensusAnswer>, Failure> {
        question.check_size(Some("census"))?;
        let (reachable, all) = self.count(question)?;
        let game = question.game;
        let mut text = question.heading();
        text += &format!("\n{}", part_text(game, "positions that play can reach", &reachable));
        if let Some(all) = &all {
            text += &format!("\n{}", part_text(game, "all positions", all));
        }
        let answer = CensusAnswer::new(game, &question.position, &reachable, all.as_ref());
        let title =
            format!("{}, rules {}: reachable positions by depth", game.name(), game.rules_id());
        let csv = csv(&answer);
        Ok(Reply::new(answer, text).with_csv(csv).with_plot(plot(game, title, &reachable)))
    }

    /// Counts the positions that play can reach, and all positions if they are requested and fit
    /// into the memory.
    fn count(&self, question: &Question<'_>) -> Result<(Census, Option<Census>), Failure> {
        // A plot shows reachable positions.
        let wants_all = !self.reachable && !self.layered.plot.is_requested();
        let WholeCensus { reachable, all } =
            WholeCensus::of(question.game, &question.position, wants_all, &question.limits())?;
        let all = all.and_then(|all| match all {
            Ok(all) => Some(all),
            Err(error) => {
                note(format_args!(
                    "only positions that play can reach are counted, because for all positions \
                     {error}"
                ));
                None
            }
        });
        Ok((reachable, all))
    }
}

/// Counts all positions of layers.
fn of_layers(question: &LayerQuestion<'_>) -> Result<Reply<CensusAnswer>, Failure> {
    let game = question.game;
    question.require_distances(question.layers.clone())?;
    let (mut text, mut layers, mut sum) = (heading(game), Vec::new(), Census::default());
    for layer in question.layers.clone() {
        let census = census_of_layer(game, &question.values, layer, question.progress)?;
        let title = format!("{}, positions", layer_title(game, layer));
        text += &format!("\n{}", part_text(game, &title, &census));
        sum.add(&census);
        layers.push(LayerCensus::new(game, layer, &census));
    }
    let answer = CensusAnswer::of_layers(game, layers);
    let title = question.title("positions by depth");
    let csv = csv(&answer);
    Ok(Reply::new(answer, text).with_csv(csv).with_plot(plot(game, title, &sum)))
}

/// Columns of the comma-separated values.
const COLUMNS: [&str; 8] =
    ["game", "rules", "scope", "layer", "to_move", "outcome", "dtw", "positions"];

/// The answer as comma-separated values: a row for each number of plies in which a side wins, and
/// one for positions without a distance.
fn csv(answer: &CensusAnswer) -> CsvTable {
    let mut table = CsvTable::new(COLUMNS);
    let mut add = |scope: &str, layer: Option<u16>, to_move: &str, values: &CensusValues| {
        for (outcome, &positions) in values.outcomes.iter() {
            let mut row = |plies: &str, count: u64| {
                let [game, rules] = [&answer.game[..], &answer.rules];
                let (layer, count) = (or_empty(layer), count.to_string());
                table.row([game, rules, scope, &layer, to_move, outcome, plies, &count]);
            };
            let mut left = positions;
            for (plies, &count) in values.depths.get(outcome).into_iter().flat_map(Map::iter) {
                row(plies, count);
                left -= count;
            }
            if left > 0 {
                row("", left);
            }
        }
    };
    for (scope, part) in [("reachable", &answer.reachable), ("all", &answer.all)] {
        for (to_move, side) in part.iter().flat_map(|part| part.to_move.iter()) {
            add(scope, None, to_move, &side.values);
        }
    }
    for of in answer.layers.iter().flatten() {
        for (to_move, values) in of.to_move.iter() {
            add("all", Some(of.layer), to_move, values);
        }
    }
    table
}

fn part_text(game: &Hunt, title: &str, census: &Census) -> String {
    let mut text = format!("{title}: {}\n\n", grouped(census.positions()));
    // If endless play is won, no position is drawn.
    let mut winners = vec![Some(Side::First), None, Some(Side::Second)];
    winners.retain(|winner| winner.is_some() || game.endless().is_none());
    let name = |winner: &Option<Side>| winner.map_or("draw", |side| game.side_name(side));
    let head = ["to move"].into_iter().chain(winners.iter().map(name)).chain(["won for the mover"]);
    let mut columns = Columns::new(1, head);
    for side in Side::BOTH {
        let counts = census.to_move(side);
        let won = |winner: Option<Side>| -> u64 {
            let of_winner =
                Outcome::ALL.into_iter().filter(|&outcome| game.winner(outcome) == winner);
            of_winner.map(|outcome| counts.outcome(outcome)).sum()
        };
        let mut row = vec![game.side_name(side).to_owned()];
        row.extend(winners.iter().map(|&winner| grouped(won(winner))));
        row.push(percent(won(Some(side)), counts.positions()));
        columns.row(row);
    }
    text += &columns.text();
    text.push('\n');
    let head = Side::BOTH.map(|side| {
        let moves = format!("{} {}", game.side_name(side), verb(game, side, "moves", "move"));
        Side::BOTH.map(|winner| {
            format!("{moves}, {} {}", game.side_name(winner), verb(game, winner, "wins", "win"))
        })
    });
    let mut columns =
        Columns::new(0, ["plies".to_owned()].into_iter().chain(head.into_iter().flatten()));
    for plies in 0..=census.longest() {
        let counts = Side::BOTH
            .map(|side| Side::BOTH.map(|winner| census.to_move(side).depth(winner, plies)));
        if counts.as_flattened().iter().any(|&count| count > 0) {
            let cells = counts
                .as_flattened()
                .iter()
                .map(|&count| if count > 0 { grouped(count) } else { "-".into() });
            columns.row([plies.to_string()].into_iter().chain(cells));
        }
    }
    text += &columns.text();
    if Side::BOTH.iter().any(|&side| census.to_move(side).ends().next().is_some()) {
        text += "\nhow the game is over there:\n";
    }
    for side in Side::BOTH {
        for (kind, outcome, count) in census.to_move(side).ends() {
            let to_move = game.side_name(side);
            text += &format!(
                "  {to_move} to move, {kind}, {}: {}\n",
                outcome_text(game, outcome, None),
                grouped(count)
            );
        }
    }
    text
}

fn plot(game: &Hunt, title: String, census: &Census) -> Plot {
    let series = |winner: Side| Series {
        name: won_for(game, winner),
        side: Some(winner),
        points: (0..=census.longest())
            .map(|plies| {
                let count: u64 =
                    Side::BOTH.iter().map(|&side| census.to_move(side).depth(winner, plies)).sum();
                (f64::from(plies), count as f64)
            })
            .collect(),
    };
    Plot::new(Kind::Bars, title, ["plies to the win", "positions"], Side::BOTH.map(series))
}
