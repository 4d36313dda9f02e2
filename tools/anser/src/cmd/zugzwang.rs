//! `anser zugzwang`: zugzwangs and stalemates.

use anser_analyse::{Listing, Zugzwangs, stalemates, zugzwangs, zugzwangs_of_layer};
use anser_core::{Hunt, Side};
use anser_games::answers::{
    LayerZugzwangs, RatedPosition, ZugzwangAnswer, ZugzwangKind, ZugzwangKindAnswer,
};
use anser_games::layer_pieces;
use clap::Args;

use crate::args::whole;
use crate::csv::{CsvTable, or_empty};
use crate::failure::Failure;
use crate::plot::{self, Plot, Series};
use crate::question::{LayerQuestion, LayeredArgs, Question, QuestionArgs};
use crate::reply::Reply;
use crate::text::{Columns, grouped, heading, layer_title, the, value_text, verb};

const AFTER: &str = "\
Full zugzwang: the side to move loses, whichever it is, and the game is not over for either. \
One-sided zugzwang: a side loses if it is to move, and the game is drawn if the other side is. \
Endless play is won if the rules give it to a side. Stalemate: the side to move has no move, and may \
not pass. All positions of the game are searched, symmetric ones counted apart, unless a position to \
begin from or --reachable is given.

With --layers, searches all positions of each layer in tables, which may be larger than the \
memory. Tables of outcomes are enough; with tables of distances the listed positions have their \
plies. Raw tables are read fastest. Stalemates are not counted: `anser census --layers` has them, \
as wins in 0 plies.

CSV has a row for each listed position, with the layer that it is in; a kind without any has one \
without a position. The column positions has the number of all positions of the same kind.

Examples:
  anser zugzwang fox-geese --rules first-capture --layers 4-12 --tables DIR
  anser zugzwang fox-geese --layers 1-13 --json | jq '.layers[] | [.layer, .kinds[0].positions]'
  anser zugzwang fox-geese --layers 1-31 --plot
  anser zugzwang hare-hounds --rules unlimited
  anser zugzwang hare-hounds --list 100 --format csv
  anser zugzwang fox-hounds:6";

/// List positions that the side to move loses, whichever it is, and stalemates
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct ZugzwangArgs {
    #[command(flatten)]
    question: QuestionArgs,
    /// Only positions that play can reach
    #[arg(long, conflicts_with = "range")]
    reachable: bool,
    #[command(flatten)]
    layered: LayeredArgs,
    /// Number of positions of each kind to list
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole::<usize>)]
    list: usize,
}

impl ZugzwangArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.layered.check_plot()?;
        self.layered.ask(
            &self.question,
            |question| self.of_layers(question),
            |question| self.of_position(question),
        )
    }

    /// Lists the zugzwangs and stalemates of all positions, or of those that play can reach.
    fn of_position(&self, question: &Question<'_>) -> Result<Reply<ZugzwangAnswer>, Failure> {
        let game = question.game;
        question.check_size(Some("zugzwang"))?;
        let from_root = self.reachable || self.question.has_position();
        let solution = if from_root { question.solution()? } else { question.solution_of_all()? };
        let mut found = kinds(zugzwangs(&solution, self.list));
        for side in Side::BOTH {
            let listing = stalemates(&solution, side, self.list);
            found.push((ZugzwangKind::Stalemate, Some(side), listing));
        }
        let answer = ZugzwangAnswer {
            game: game.name().into(),
            rules: game.rules_id().into(),
            position: from_root.then(|| question.position_text()),
            kinds: kinds_answer(game, &found),
            layers: None,
        };
        let mut csv = CsvTable::new(COLUMNS);
        rows(&mut csv, game, None, &found);
        Ok(Reply::new(answer, heading(game) + &kinds_text(game, &found)).with_csv(csv))
    }

    /// Lists the zugzwangs of layers.
    fn of_layers(&self, question: &LayerQuestion<'_>) -> Result<Reply<ZugzwangAnswer>, Failure> {
        let game = question.game;
        question.require_outcomes()?;
        let mut layers = Vec::new();
        for layer in question.layers.clone() {
            let found =
                zugzwangs_of_layer(game, &question.values, layer, self.list, question.progress)?;
            layers.push((layer, found));
        }
        let all = layers.iter().rev().map(|(_, found)| found.clone());
        let all = all.reduce(|a, b| a.join(b, self.list)).unwrap_or_default();
        let layers: Vec<_> =
            layers.into_iter().map(|(layer, found)| (layer, kinds(found))).collect();
        let (mut text, mut csv) = (heading(game), CsvTable::new(COLUMNS));
        let pieces: Vec<_> = layers.iter().map(|(layer, _)| layer_pieces(game, *layer)).collect();
        let has_pieces = pieces.iter().any(Option::is_some);
        let mut head = vec!["layer".to_owned()];
        head.extend(has_pieces.then(|| "pieces".into()));
        head.push("full".into());
        head.extend(Side::BOTH.map(|side| to_move(game, side)));
        let mut columns = Columns::new(if has_pieces { 2 } else { 0 }, head);
        for ((layer, found), pieces) in layers.iter().zip(&pieces) {
            let mut row = vec![layer.to_string()];
            row.extend(has_pieces.then(|| or_empty(pieces.as_ref())));
            row.extend(found.iter().map(|(_, _, listing)| grouped(listing.count)));
            columns.row(row);
        }
        text += &format!("\n{}", columns.text());
        for (layer, found) in &layers {
            rows(&mut csv, game, Some(*layer), found);
            if found.iter().any(|(_, _, listing)| listing.count > 0) {
                text += &format!("\n{}\n{}", layer_title(game, *layer), kinds_text(game, found));
            }
        }
        let of_layer = |((layer, found), pieces): (&(u16, Vec<Kind>), _)| LayerZugzwangs {
            layer: *layer,
            pieces,
            kinds: kinds_answer(game, found),
        };
        let answer = ZugzwangAnswer {
            game: game.name().into(),
            rules: game.rules_id().into(),
            position: None,
            kinds: kinds_answer(game, &kinds(all)),
            layers: Some(layers.iter().zip(pieces).map(of_layer).collect()),
        };
        let plot = layers_plot(question, &layers);
        Ok(Reply::new(answer, text).with_csv(csv).with_plot(plot))
    }
}

/// The positions of a kind, with this side to move if that is part of the kind.
type Kind = (ZugzwangKind, Option<Side>, Listing);

/// Columns of the comma-separated values.
const COLUMNS: [&str; 9] =
    ["game", "rules", "layer", "kind", "to_move", "positions", "position", "outcome", "dtw"];

/// Plots the numbers of zugzwangs by layer.
fn layers_plot(question: &LayerQuestion<'_>, layers: &[(u16, Vec<Kind>)]) -> Plot {
    let kinds = layers.first().map_or(&[][..], |(_, found)| found);
    let series = |(number, (kind, side, _)): (usize, &Kind)| Series {
        name: match (kind, side) {
            (ZugzwangKind::OneSided, Some(side)) => to_move(question.game, *side),
            _ => "full".into(),
        },
        side: *side,
        points: layers
            .iter()
            .map(|(layer, found)| (f64::from(*layer), found[number].2.count as f64))
            .collect(),
    };
    let series = kinds.iter().enumerate().map(series);
    Plot::new(plot::Kind::Bars, question.title("zugzwangs"), ["layer", "positions"], series)
}

/// Adds a row for each listed position of each kind; a single one without a position if none is
/// listed.
fn rows(csv: &mut CsvTable, game: &Hunt, layer: Option<u16>, kinds: &[Kind]) {
    for (kind, side, listing) in kinds {
        let positions = listing.count.to_string();
        let mut row = |layer: Option<u16>, side: Option<Side>, value: [&str; 3]| {
            let layer = or_empty(layer);
            let to_move = side.map_or("", |side| game.side_name(side));
            let counted = [game.name(), game.rules_id(), &layer, kind.id(), to_move, &positions];
            csv.row([&counted[..], &value].concat());
        };
        for (position, value) in &listing.first {
            let rated = RatedPosition::new(game, position, Some(*value));
            let (outcome, dtw) = (rated.outcome.unwrap_or_default(), or_empty(rated.dtw));
            let (layer, side) = (game.layer(position), position.to_move());
            row(Some(layer), Some(side), [&rated.position, &outcome, &dtw]);
        }
        if listing.first.is_empty() {
            row(layer, *side, ["", "", ""]);
        }
    }
}

/// The kinds of zugzwangs.
fn kinds(found: Zugzwangs) -> Vec<Kind> {
    let mut kinds = vec![(ZugzwangKind::Full, None, found.full)];
    for (side, listing) in found.one_sided {
        kinds.push((ZugzwangKind::OneSided, Some(side), listing));
    }
    kinds
}

fn kinds_answer(game: &Hunt, kinds: &[Kind]) -> Vec<ZugzwangKindAnswer> {
    let answer =
        |(kind, side, listing): &Kind| ZugzwangKindAnswer::new(game, *kind, *side, listing);
    kinds.iter().map(answer).collect()
}

fn kinds_text(game: &Hunt, kinds: &[Kind]) -> String {
    let mut text = String::new();
    for (kind, side, listing) in kinds {
        let (title, count) = (title(game, *kind, *side), grouped(listing.count));
        text += &format!("\n{title}: {count}\n");
        for (position, value) in &listing.first {
            let position = game.format_position(position);
            text += &format!("  {position}  {}\n", value_text(game, *value));
        }
        let more = listing.count - listing.first.len() as u64;
        if more > 0 {
            text += &format!("  and {} more (--list N shows more)\n", grouped(more));
        }
    }
    text
}

/// Short name of the one-sided zugzwangs of a side.
fn to_move(game: &Hunt, side: Side) -> String {
    format!("one-sided, {} to move", game.side_name(side))
}

/// Returns the title of the positions of a kind.
fn title(game: &Hunt, kind: ZugzwangKind, side: Option<Side>) -> String {
    match (kind, side) {
        (ZugzwangKind::OneSided, Some(side)) => format!(
            "one-sided zugzwangs: {} to move {}, and {} if the other side moves",
            the(game, side),
            verb(game, side, "loses", "lose"),
            verb(game, side, "draws", "draw")
        ),
        (ZugzwangKind::Stalemate, side) => {
            format!(
                "stalemates of {}",
                side.map_or("the side to move".into(), |side| the(game, side))
            )
        }
        (ZugzwangKind::Full | ZugzwangKind::OneSided, _) => {
            "full zugzwangs: either side loses if it is to move".to_owned()
        }
    }
}
