//! `anser stats`: counts of positions by layer and outcome, and the longest wins.

use anser_core::Side;
use anser_core::prelude::*;
use anser_games::answers::{
    LayerAnswer, LayerBytes, StatsAnswer, TableRun, longest_wins, position_counts,
};
use anser_games::{AnyGame, GameInfo, SearchPath};
use anser_reproduce::table_1;
use anser_solve::Bytes;
use anser_table::format::{Counts, Longest, hex};
use anser_table::manifest::RunInfo;
use anser_table::{Kind, Metric, TableError};
use clap::Args;

use crate::advice::Advised;
use crate::args::{MetricArg, TablesArgs};
use crate::failure::Failure;
use crate::games;
use crate::output::{Reply, note};
use crate::sets::{Filter, SetsArgs};
use crate::tables;
use crate::text::{Columns, duration, grouped, percent, ranges, won_for, wrap};
use crate::text_style::text_style;

const AFTER: &str = "\
Counts include all positions; symmetric positions are counted separately. They come from the headers of the tables, and \
rounds and seconds from the manifest beside them. Without GAME and --rules, shows every game and rule set found. Layers \
without a table are omitted. Tables of distances (metric dtw) add the longest wins, in plies.

Examples:
  anser stats
  anser stats fox-geese --rules first-capture
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
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

/// Statistics of one layer.
pub(crate) struct LayerStats {
    pub(crate) layer: u16,
    /// Statistics by metric, at least one.
    tables: [Option<TableStats>; Metric::ALL.len()],
}

/// Statistics of the tables of one layer and metric.
struct TableStats {
    classes: u64,
    /// Longest wins, in plies, if the values are distances.
    longest: Option<Longest>,
    counts: Counts,
    digest: [u8; 32],
    /// The lengths of the files.
    raw: Option<u64>,
    packed: Option<u64>,
    run: Option<RunInfo>,
}

/// Statistics of the tables found.
pub(crate) struct Gathered {
    /// Layers with tables, lowest first.
    pub(crate) layers: Vec<LayerStats>,
    /// Unusable files with the name of a table, by layer.
    pub(crate) rejected: Vec<(u16, TableError)>,
}

impl StatsArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let (path, metric) = (self.tables.search_path(), self.metric.get());
        let filter = Filter { metric, ..Filter::default() };
        self.sets.each(&path, &filter, self.json, |game, info| count(game, info, &path, metric))
    }
}

/// Counts the positions of one set of tables.
fn count(
    game: &AnyGame,
    info: &GameInfo,
    path: &SearchPath,
    wanted: Option<Metric>,
) -> Result<Reply<StatsAnswer>, Failure> {
    let Gathered { layers, rejected } =
        gather(game, path, |metric| wanted.is_none_or(|wanted| wanted == metric))?;
    for (_, error) in &rejected {
        note(error.advised());
    }
    let lost = rejected.iter().find(|(layer, _)| layers.iter().all(|found| found.layer != *layer));
    if layers.is_empty() {
        return Err(match lost {
            Some((_, error)) => error.clone().into(),
            None => tables::no_tables(game, path, wanted),
        });
    }
    note_missing_layers(game, &layers, wanted);
    let text = text(game, info, &layers);
    let layers = layers.iter().map(|layer| layer.answer(game)).collect();
    let answer = StatsAnswer { game: game.name(), rules: game.rules_id(), layers };
    // Some layers were counted, but not all that have a file.
    Ok(Reply::new(answer, text).with_failure(lost.map(|(_, error)| error.clone().into())))
}

/// Reads the headers of all tables of a game on a search path, of the metrics that `wanted`
/// accepts.
pub(crate) fn gather(
    game: &AnyGame,
    path: &SearchPath,
    wanted: impl Fn(Metric) -> bool,
) -> Result<Gathered, Failure> {
    let mut gathered = Gathered { layers: Vec::new(), rejected: Vec::new() };
    for directory in path.list(games::registry())? {
        for found in directory
            .tables
            .into_iter()
            .filter(|found| found.is_of(game) && wanted(found.name.metric))
        {
            let table = match found.open_as(game) {
                Ok(table) => table,
                Err(error) => {
                    gathered.rejected.push((found.name.layer, error));
                    continue;
                }
            };
            let header = table.header();
            let number = gathered.layers.binary_search_by_key(&header.layer(), |layer| layer.layer);
            let number = number.unwrap_or_else(|number| {
                gathered.layers.insert(
                    number,
                    LayerStats { layer: header.layer(), tables: Metric::ALL.map(|_| None) },
                );
                number
            });
            let layer = gathered.layers[number].tables[header.metric() as usize]
                .get_or_insert_with(|| TableStats {
                    classes: header.entries().as_array().iter().sum(),
                    longest: header.longest(),
                    counts: header.counts(),
                    digest: *header.payload_digest(),
                    raw: None,
                    packed: None,
                    run: None,
                });
            if layer.digest != *header.payload_digest() {
                note(format_args!(
                    "{}: ignored, because it differs from the first table of this layer",
                    found.path.display()
                ));
                continue;
            }
            let bytes = match header.kind() {
                Kind::Raw => &mut layer.raw,
                Kind::Packed => &mut layer.packed,
            };
            bytes.get_or_insert(found.bytes);
            layer.run = layer.run.take().or_else(|| {
                found.manifest_entry(&game.name(), &game.rules_id()).and_then(|entry| entry.run)
            });
        }
    }
    Ok(gathered)
}

impl TableStats {
    fn positions(&self) -> u64 {
        self.counts.as_array().iter().flatten().sum()
    }

    /// Positions that the second side wins, with either side to move.
    fn won(&self) -> u64 {
        self.counts.iter().map(|(_, outcomes)| outcomes[2]).sum()
    }

    /// Longest win of `winner` in plies, with either side to move.
    fn longest_win(&self, winner: Side) -> Option<u16> {
        self.longest?.iter().filter_map(|(_, longest)| longest[winner]).max()
    }

    fn answer(&self) -> TableRun {
        TableRun {
            rounds: self.run.as_ref().map(|run| run.rounds),
            seconds: self.run.as_ref().map(|run| run.seconds),
            bytes: LayerBytes { raw: self.raw, packed: self.packed },
            blake3: hex(&self.digest),
        }
    }

    /// Cells of a row that all metrics have.
    fn cells(&self, layer: u16) -> Vec<String> {
        let bytes = |bytes: Option<u64>| or_none(bytes.map(|bytes| Bytes(bytes).to_string()));
        vec![
            layer.to_string(),
            grouped(self.positions()),
            bytes(self.raw),
            bytes(self.packed),
            or_none(self.run.as_ref().map(|run| grouped(run.rounds))),
            grouped(self.won()),
            percent(self.won(), self.positions()),
        ]
    }

    fn time(&self) -> String {
        or_none(self.run.as_ref().map(|run| duration(run.seconds)))
    }
}

fn or_none(text: Option<String>) -> String {
    text.unwrap_or_else(|| "-".into())
}

impl LayerStats {
    /// Positions that the second side wins, with either side to move.
    pub(crate) fn won(&self) -> u64 {
        self.tables.iter().flatten().next().map_or(0, TableStats::won)
    }

    pub(crate) fn answer(&self, game: &AnyGame) -> LayerAnswer {
        let [wdl, dtw] = &self.tables;
        // Either metric counts the positions; there is one at least.
        let counts = wdl.as_ref().or(dtw.as_ref()).map(|table| (table.counts, table.classes));
        let (counts, classes) = counts.unwrap_or_default();
        let table = wdl.as_ref().or(dtw.as_ref()).map(TableStats::answer).unwrap_or_default();
        let longest = dtw
            .as_ref()
            .and_then(|table| table.longest)
            .map(|longest| longest_wins(game, &longest));
        LayerAnswer {
            layer: self.layer,
            positions: counts.as_array().iter().flatten().sum(),
            to_move: position_counts(game, &counts),
            classes,
            table,
            longest,
            dtw: dtw.as_ref().map(TableStats::answer),
        }
    }

    fn of(&self, metric: Metric) -> Option<&TableStats> {
        self.tables[metric as usize].as_ref()
    }
}

/// Text: a table like Table 1 of the paper, and one of distances if there are any.
pub(crate) fn text(game: &AnyGame, info: &GameInfo, layers: &[LayerStats]) -> String {
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
fn head(game: &AnyGame, info: &GameInfo) -> Vec<String> {
    let mut head = vec![info.layer_unit.to_owned()];
    head.extend(["positions", "raw", "packed", "rounds"].map(Into::into));
    head.extend([won_for(game, Side::Second), "share".into()]);
    head
}

fn outcomes_text(game: &AnyGame, info: &GameInfo, layers: &[LayerStats]) -> String {
    let paper = table_1::note(&game.name(), &game.rules_id());
    let mut head = head(game, info);
    head.push("time".into());
    if paper.is_some() {
        head.extend(["printed", "ours is"].map(Into::into));
    }
    let mut columns = Columns::new(0, head);
    for (layer, table) in
        layers.iter().filter_map(|layer| Some((layer.layer, layer.of(Metric::Wdl)?)))
    {
        let mut row = table.cells(layer);
        row.push(table.time());
        if paper.is_some() {
            let printed = table_1::won(layer);
            row.push(or_none(printed.map(grouped)));
            row.push(or_none(printed.map(|printed| compared(table.won(), printed))));
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
fn distances_text(game: &AnyGame, info: &GameInfo, layers: &[LayerStats]) -> String {
    let mut head = head(game, info);
    head.extend(Side::BOTH.map(|winner| format!("longest, {}", game.side_name(winner))));
    head.push("time".into());
    let mut columns = Columns::new(0, head);
    for (layer, table) in
        layers.iter().filter_map(|layer| Some((layer.layer, layer.of(Metric::Dtw)?)))
    {
        let mut row = table.cells(layer);
        row.extend(
            Side::BOTH
                .map(|winner| or_none(table.longest_win(winner).map(|plies| plies.to_string()))),
        );
        row.push(table.time());
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
fn note_missing_layers(game: &AnyGame, layers: &[LayerStats], wanted: Option<Metric>) {
    let missing: Vec<u16> =
        game.layers().filter(|layer| layers.iter().all(|found| found.layer != *layer)).collect();
    if let (Some(first), Some(last)) = (missing.first(), missing.last()) {
        let (name, rules, first) = (game.name(), game.rules_id(), game.first_needed(*first));
        note(format_args!(
            "layers {} have no table; `anser solve {name} --rules {rules} --layers {first}-{last}{}` makes them",
            ranges(missing.iter().copied()),
            tables::metric_option(wanted.unwrap_or(Metric::Wdl))
        ));
    }
}
