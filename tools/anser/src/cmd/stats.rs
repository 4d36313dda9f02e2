//! `anser stats`: counts of positions by layer and outcome, and the longest wins.

use anser_core::{Hunt, Side};
use anser_games::answers::StatsAnswer;
use anser_games::{GameInfo, LayerStats, SearchPath, Statistics, TableStats, tables_command};
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
use crate::text::{Columns, duration, grouped, percent, ranges, won_for, wrap};
use crate::text_style::text_style;

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
        let (path, metric) = (self.tables.search_path(), self.metric.get());
        let filter = Filter { metric, ..Filter::default() };
        let form = self.format.form(self.json);
        self.sets.each(&path, &filter, form, |game, info| count(game, info, &path, metric))
    }
}

/// Counts the positions of one set of tables.
fn count(
    game: &Hunt,
    info: &GameInfo,
    path: &SearchPath,
    wanted: Option<Metric>,
) -> Result<Reply<StatsAnswer>, Failure> {
    let Statistics { layers, rejected, .. } =
        gather(game, path, |metric| wanted.is_none_or(|wanted| wanted == metric))?;
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
            None => tables::no_tables(game, path, wanted),
        });
    }
    note_missing_layers(game, &layers, wanted);
    let text = text(game, info, &layers);
    let layers = layers.iter().map(|layer| layer.answer(game)).collect();
    let answer = StatsAnswer { game: game.name().into(), rules: game.rules_id().into(), layers };
    let csv = csv(&answer);
    // Not all that have a file were counted.
    let lost = lost.map(|error| error.clone().into());
    Ok(Reply::new(answer, text).with_csv(csv).with_failure(lost))
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

/// Cells of a row that all metrics have.
fn cells(layer: u16, table: &TableStats) -> Vec<String> {
    let bytes = |bytes: Option<u64>| or_none(bytes.map(|bytes| Bytes(bytes).to_string()));
    let won = table.won(Side::Second);
    vec![
        layer.to_string(),
        grouped(table.positions()),
        bytes(table.raw),
        bytes(table.packed),
        or_none(table.run.as_ref().map(|run| grouped(run.rounds))),
        grouped(won),
        percent(won, table.positions()),
    ]
}

fn time(table: &TableStats) -> String {
    or_none(table.run.as_ref().map(|run| duration(run.seconds)))
}

fn or_none(text: Option<String>) -> String {
    text.unwrap_or_else(|| "-".into())
}

/// Text: a table like Table 1 of the paper, and one of distances if there are any.
pub(crate) fn text(game: &Hunt, info: &GameInfo, layers: &[LayerStats]) -> String {
    let mut text = format!("{}, rules {}\n", game.name(), game.rules_id());
    if layers.iter().any(|layer| layer.of(Metric::Wdl).is_some()) {
        text += &outcomes_text(game, info, layers);
    }
    if layers.iter().any(|layer| layer.of(Metric::Dtw).is_some()) {
        text += &distances_text(game, info, layers);
    }
    text
}

/// Heads of the columns that all metrics have.
fn head(game: &Hunt, info: &GameInfo) -> Vec<String> {
    let mut head = vec![info.layer_unit.clone()];
    head.extend(["positions", "raw", "packed", "rounds"].map(Into::into));
    head.extend([won_for(game, Side::Second), "share".into()]);
    head
}

fn outcomes_text(game: &Hunt, info: &GameInfo, layers: &[LayerStats]) -> String {
    let paper = table_1::note(game.name(), game.rules_id());
    let mut head = head(game, info);
    head.push("time".into());
    if paper.is_some() {
        head.extend(["printed", "ours is"].map(Into::into));
    }
    let mut columns = Columns::new(0, head);
    for (layer, table) in
        layers.iter().filter_map(|layer| Some((layer.layer, layer.of(Metric::Wdl)?)))
    {
        let mut row = cells(layer, table);
        row.push(time(table));
        if paper.is_some() {
            let printed = table_1::won(layer);
            row.push(or_none(printed.map(grouped)));
            row.push(or_none(printed.map(|printed| compared(table.won(Side::Second), printed))));
        }
        columns.row(row);
    }
    let mut text = format!("\n{}", columns.text());
    if let Some(note) = paper {
        text += &format!("\n{}", wrap(&note, 0, text_style().at_most(100)));
    }
    text
}

/// Text of the tables of distances: counts, and the longest wins in plies.
fn distances_text(game: &Hunt, info: &GameInfo, layers: &[LayerStats]) -> String {
    let mut head = head(game, info);
    head.extend(Side::BOTH.map(|winner| format!("longest, {}", game.side_name(winner))));
    head.push("time".into());
    let mut columns = Columns::new(0, head);
    for (layer, table) in
        layers.iter().filter_map(|layer| Some((layer.layer, layer.of(Metric::Dtw)?)))
    {
        let mut row = cells(layer, table);
        row.extend(
            Side::BOTH
                .map(|winner| or_none(table.longest_win(winner).map(|plies| plies.to_string()))),
        );
        row.push(time(table));
        columns.row(row);
    }
    format!("\ndistances (metric dtw), the longest wins in plies\n\n{}", columns.text())
}

/// Relative difference of a computed number from a printed one.
fn compared(ours: u64, printed: u64) -> String {
    if ours == printed {
        return "equal".into();
    }
    format!("{:+.2} %", (ours as f64 / printed as f64 - 1.0) * 100.0)
}

/// Notes the layers without a table, and the command that solves them.
fn note_missing_layers(game: &Hunt, layers: &[LayerStats], wanted: Option<Metric>) {
    let missing: Vec<u16> =
        game.layers().filter(|layer| layers.iter().all(|found| found.layer != *layer)).collect();
    if let (Some(first), Some(last)) = (missing.first(), missing.last()) {
        let (name, rules, first) = (game.name(), game.rules_id(), game.first_needed(*first));
        note(format_args!(
            "layers {} have no table; `{}` makes them",
            ranges(missing.iter().copied()),
            tables_command("solve", name, rules, first..=*last, wanted.unwrap_or(Metric::Wdl))
        ));
    }
}
