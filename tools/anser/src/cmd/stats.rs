//! `anser stats`: counts of positions by layer and outcome, and the longest wins.

use anser_core::{Hunt, Side};
use anser_games::answers::StatsAnswer;
use anser_games::{
    GameInfo, LayerStats, SearchPath, Statistics, TableStats, is_solved_on_the_spot, layer_pieces,
    shell_word, tables_command,
};
use anser_reproduce::table_1;
use anser_solve::Bytes;
use anser_table::Metric;
use clap::Args;

use crate::args::{FormatArg, MetricArg, TablesArgs};
use crate::csv::{CsvTable, or_empty};
use crate::failure::{Failure, words};
use crate::games;
use crate::output::note;
use crate::reply::Reply;
use crate::sets::{Filter, SetsArgs};
use crate::tables;
use crate::text::{
    Columns, duration, grouped, heading, layers_text, or_dash, percent, won_for, wrapped,
};

const AFTER: &str = "\
Counts include all positions; symmetric positions are counted separately. They come from the \
headers of the tables, and rounds and seconds from the manifest beside them. Without GAME and \
--rules, shows every game and rule set found. Layers without a table are omitted. Tables of \
distances (metric dtw) add the longest wins, in plies.

CSV has a row for each layer, side to move, and outcome.

Examples:
  anser stats
  anser stats fox-geese --rules first-capture
  anser stats --format csv > stats.csv
  anser stats --json | jq '.layers[] | [.layer, .to_move.fox.geese]'";

/// Count the positions of each layer by outcome
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct StatsArgs {
    #[command(flatten)]
    sets: SetsArgs,
    #[command(flatten)]
    metric: MetricArg,
    #[command(flatten)]
    tables: TablesArgs,
    #[command(flatten)]
    format: FormatArg,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

impl StatsArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let (path, wanted) = (self.tables.search_path(), self.metric.name);
        let filter = Filter { metric: wanted, ..Filter::default() };
        self.sets.each(&path, &filter, self.format.form(self.json), |game, info| {
            let Statistics { layers, rejected, .. } =
                gather(game, &path, |metric| wanted.is_none_or(|wanted| wanted == metric))?;
            let is_lost = |layer: u16, metric: Metric| {
                layers.iter().all(|found| found.layer != layer || found.of(metric).is_none())
            };
            let lost = rejected.iter().find(|(layer, metric, _)| is_lost(*layer, *metric));
            let lost = lost.map(|(_, _, error)| error);
            for (_, _, error) in &rejected {
                note(words(error));
            }
            if layers.is_empty() {
                return Err(match lost {
                    Some(error) => error.clone().into(),
                    None => no_tables(game, &path, wanted),
                });
            }
            // A table of no use is in the way of a new one, and the note about it says what to do.
            let lacks_table = |layer: &u16| {
                layers.iter().all(|found| found.layer != *layer)
                    && rejected.iter().all(|(rejected, ..)| rejected != layer)
            };
            let missing: Vec<u16> = game.layers().filter(lacks_table).collect();
            note_missing_layers(game, &missing, wanted, &path);
            let text = text(game, info, &layers);
            let layers = layers.iter().map(|layer| layer.answer(game)).collect();
            let answer =
                StatsAnswer { game: game.name().into(), rules: game.rules_id().into(), layers };
            let csv = csv(&answer);
            // Not all that have a file were counted.
            let lost = lost.map(|error| error.clone().into());
            Ok(Reply::new(answer, text).with_csv(csv).with_failure(lost))
        })
    }
}

/// No table was found; a small game is counted without tables.
fn no_tables(game: &Hunt, path: &SearchPath, metric: Option<Metric>) -> Failure {
    let failure = tables::no_tables(game, path, metric);
    if !is_solved_on_the_spot(game) {
        return failure;
    }
    let (word, rules) = (games::word(game.name()), game.rules_id());
    failure.with_more_advice(&format!("`anser census {word} --rules {rules}` needs none"))
}

/// The answer as comma-separated values: a row for each layer, side to move, and outcome.
fn csv(answer: &StatsAnswer) -> CsvTable {
    let mut table =
        CsvTable::new(["game", "rules", "layer", "to_move", "outcome", "positions", "longest"]);
    for of in &answer.layers {
        for (to_move, outcomes) in of.to_move.iter() {
            let longest = of.longest.as_ref().and_then(|longest| longest.get(to_move));
            for (outcome, positions) in outcomes.iter() {
                let longest = longest.and_then(|longest| *longest.get(outcome)?);
                let (layer, positions) = (of.layer.to_string(), positions.to_string());
                let [game, rules] = [&answer.game[..], &answer.rules];
                let longest = or_empty(longest);
                table.row([game, rules, &layer, to_move, outcome, &positions, &longest]);
            }
        }
    }
    table
}

/// Reads the headers of all tables of a game on a search path, of the metrics that `wanted`
/// accepts, and notes the tables that are ignored.
pub(crate) fn gather(
    game: &Hunt,
    path: &SearchPath,
    wanted: impl Fn(Metric) -> bool,
) -> Result<Statistics, Failure> {
    let gathered = path.statistics(games::registry(), game, wanted)?;
    for ignored in &gathered.differing {
        note(format_args!(
            "{}: ignored, because it differs from the first table of this layer",
            ignored.display()
        ));
    }
    Ok(gathered)
}

/// Text: a table like Table 1 of the paper, and one of distances if there are any.
pub(crate) fn text(game: &Hunt, info: &GameInfo, layers: &[LayerStats]) -> String {
    let mut text = heading(game);
    for metric in Metric::ALL {
        let tables = layers.iter().filter_map(|layer| Some((layer.layer, layer.of(metric)?)));
        let tables: Vec<(u16, &TableStats)> = tables.collect();
        if !tables.is_empty() {
            text += &metric_text(game, info, metric, &tables);
        }
    }
    text
}

/// Text of the tables of one metric: counts, and with distances the longest wins in plies.
fn metric_text(
    game: &Hunt,
    info: &GameInfo,
    metric: Metric,
    tables: &[(u16, &TableStats)],
) -> String {
    let has_distances = metric.has_distances();
    let paper = table_1::note(game.name(), game.rules_id()).filter(|_| !has_distances);
    let pieces: Vec<_> = tables.iter().map(|(layer, _)| layer_pieces(game, *layer)).collect();
    let has_pieces = pieces.iter().any(Option::is_some);
    let mut head = vec![info.layer_unit.clone()];
    head.extend(has_pieces.then(|| "pieces".into()));
    head.extend(["positions", "raw", "packed", "rounds"].map(Into::into));
    head.extend([won_for(game, Side::Second), "share".into()]);
    if has_distances {
        head.extend(Side::BOTH.map(|winner| format!("longest, {}", game.side_name(winner))));
    }
    head.push("time".into());
    if paper.is_some() {
        head.extend(["printed", "ours is"].map(Into::into));
    }
    let mut columns = Columns::new(if has_pieces { 2 } else { 0 }, head);
    for (&(layer, table), pieces) in tables.iter().zip(pieces) {
        let (run, won) = (table.run.as_ref(), table.won(Side::Second));
        let mut row = vec![layer.to_string()];
        row.extend(has_pieces.then(|| pieces.unwrap_or_default()));
        row.extend([
            grouped(table.positions()),
            or_dash(table.raw.map(Bytes)),
            or_dash(table.packed.map(Bytes)),
            or_dash(run.map(|run| grouped(run.rounds))),
            grouped(won),
            percent(won, table.positions()),
        ]);
        if has_distances {
            row.extend(Side::BOTH.map(|winner| or_dash(table.longest_win(winner))));
        }
        row.push(or_dash(run.map(|run| duration(run.seconds))));
        if paper.is_some() {
            let printed = table_1::won(layer);
            row.push(or_dash(printed.map(grouped)));
            row.push(or_dash(printed.map(|printed| compared(won, printed))));
        }
        columns.row(row);
    }
    let title =
        if has_distances { "distances (metric dtw), the longest wins in plies\n\n" } else { "" };
    let mut text = format!("\n{title}{}", columns.text());
    if let Some(note) = paper {
        text += &format!("\n{}", wrapped(&note, 0));
    }
    text
}

/// Relative difference of a computed number from a printed one.
fn compared(ours: u64, printed: u64) -> String {
    if ours == printed {
        return "equal".into();
    }
    format!("{:+.2} %", (ours as f64 / printed as f64 - 1.0) * 100.0)
}

/// Notes the layers without a table, and the command that solves them.
fn note_missing_layers(game: &Hunt, missing: &[u16], wanted: Option<Metric>, path: &SearchPath) {
    if let (Some(first), Some(last)) = (missing.first(), missing.last()) {
        let (name, rules, first) = (game.name(), game.rules_id(), game.first_needed(*first));
        let metric = wanted.unwrap_or(Metric::Wdl);
        let command =
            tables_command(games::registry(), "solve", name, rules, first..=*last, metric);
        let into = path.directories.first().map(|dir| format!(" --tables {}", shell_word(dir)));
        let (have, them) = if missing.len() == 1 { ("has", "it") } else { ("have", "them") };
        note(format_args!(
            "{} {have} no table; `{command}{}` makes {them}",
            layers_text(missing),
            into.unwrap_or_default()
        ));
    }
}
