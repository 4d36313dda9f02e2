//! `anser stats`: how many positions of each layer are won for whom.

use std::path::PathBuf;

use anser_core::{Game, Side};
use anser_solve::Bytes;
use anser_table::{Counts, Kind, RunInfo, TableError, first_needed, hex};
use clap::Args;
use serde::Serialize;

use crate::args::{GameArgs, TablesArgs};
use crate::failure::Failure;
use crate::games::{self, GameInfo, Job};
use crate::json::{self, Object};
use crate::output::{note, print, print_json};
use crate::shelf::{Shelf, manifest_entry};
use crate::tables;
use crate::text::{Columns, duration, grouped, percent, ranges, wrap};

const AFTER: &str = "\
Counts are over all positions, symmetric ones counted apart. They come from the headers of the \
tables; rounds and seconds come from the manifest beside them. Layers without a table are left out.

Examples:
  anser stats
  anser stats fox-geese --rules first-capture
  anser stats --json | jq '.layers[] | [.layer, .to_move.fox.geese]'";

/// Count the positions of each layer by outcome
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct StatsArgs {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    tables: TablesArgs,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

/// What is known of a layer.
pub(crate) struct LayerStats {
    pub(crate) layer: u16,
    classes: u64,
    counts: Counts,
    digest: [u8; 32],
    /// The lengths of the files.
    raw: Option<u64>,
    packed: Option<u64>,
    run: Option<RunInfo>,
}

/// What lies in some directories.
pub(crate) struct Gathered {
    /// The layers that there are tables for, lowest first.
    pub(crate) layers: Vec<LayerStats>,
    /// Files that have the name of a table and can not be used.
    pub(crate) rejected: Vec<(u16, TableError)>,
}

#[derive(Serialize)]
struct Answer {
    game: String,
    rules: String,
    layers: Vec<LayerAnswer>,
}

#[derive(Serialize)]
pub(crate) struct LayerAnswer {
    layer: u16,
    positions: u64,
    to_move: Object<Object<u64>>,
    classes: u64,
    rounds: Option<u64>,
    seconds: Option<f64>,
    bytes: BytesAnswer,
    blake3: String,
}

#[derive(Serialize)]
struct BytesAnswer {
    raw: Option<u64>,
    packed: Option<u64>,
}

impl StatsArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        games::play(&self.game.game, self.game.rules.id.as_deref(), self)
    }
}

impl Job for &StatsArgs {
    type Output = ();

    fn run<G: Game>(self, game: &G, info: &GameInfo) -> Result<(), Failure> {
        let dirs = self.tables.dirs();
        let Gathered { layers, rejected } = gather(game, &dirs)?;
        for (_, error) in &rejected {
            note(error);
        }
        let lost = rejected.iter().find(|(layer, _)| layers.iter().all(|found| found.layer != *layer));
        if layers.is_empty() {
            return Err(match lost {
                Some((_, error)) => error.clone().into(),
                None => tables::nothing_there(game, &dirs),
            });
        }
        tell_what_is_missing(game, &layers);
        if self.json {
            let layers = layers.iter().map(|layer| layer.answer(game)).collect();
            print_json(&Answer { game: game.name(), rules: game.rules_id(), layers })?;
        } else {
            print(&text(game, info, &layers))?;
        }
        // What could be counted was, but not everything that seemed to be there.
        lost.map_or(Ok(()), |(_, error)| Err(error.clone().into()))
    }
}

/// Reads the headers of all tables of a game in `dirs`.
pub(crate) fn gather<G: Game>(game: &G, dirs: &[PathBuf]) -> Result<Gathered, Failure> {
    let mut gathered = Gathered { layers: Vec::new(), rejected: Vec::new() };
    for dir in dirs {
        for found in Shelf::of(dir)?.tables.into_iter().filter(|found| found.is_of(game)) {
            let table = match found.open_as(game) {
                Ok(table) => table,
                Err(error) => {
                    gathered.rejected.push((found.name.layer, error));
                    continue;
                }
            };
            let header = table.header();
            let place = gathered.layers.binary_search_by_key(&header.layer(), |layer| layer.layer);
            let place = place.unwrap_or_else(|place| {
                gathered.layers.insert(
                    place,
                    LayerStats {
                        layer: header.layer(),
                        classes: header.entries().iter().sum(),
                        counts: header.counts(),
                        digest: *header.payload_digest(),
                        raw: None,
                        packed: None,
                        run: None,
                    },
                );
                place
            });
            let layer = &mut gathered.layers[place];
            if layer.digest != *header.payload_digest() {
                note(format_args!(
                    "{}: differs from the table of this layer that was found first",
                    found.path.display()
                ));
                continue;
            }
            let bytes = match header.kind() {
                Kind::Raw => &mut layer.raw,
                Kind::Packed => &mut layer.packed,
            };
            bytes.get_or_insert(found.bytes);
            layer.run = layer
                .run
                .take()
                .or_else(|| manifest_entry(&game.name(), &game.rules_id(), &found.path).and_then(|entry| entry.run));
        }
    }
    Ok(gathered)
}

impl LayerStats {
    fn positions(&self) -> u64 {
        self.counts.iter().flatten().sum()
    }

    /// Positions that the second side wins, whoever is to move.
    pub(crate) fn won(&self) -> u64 {
        self.counts.iter().map(|outcomes| outcomes[2]).sum()
    }

    pub(crate) fn answer<G: Game>(&self, game: &G) -> LayerAnswer {
        LayerAnswer {
            layer: self.layer,
            positions: self.positions(),
            to_move: json::counts(game, &self.counts),
            classes: self.classes,
            rounds: self.run.as_ref().map(|run| run.rounds),
            seconds: self.run.as_ref().map(|run| run.seconds),
            bytes: BytesAnswer { raw: self.raw, packed: self.packed },
            blake3: hex(&self.digest),
        }
    }
}

/// The table for people, after the paper's Table 1.
pub(crate) fn text<G: Game>(game: &G, info: &GameInfo, layers: &[LayerStats]) -> String {
    let paper = (info.paper)(&game.rules_id());
    let winner = game.side_name(Side::Second);
    let mut head = vec![info.layer.to_owned()];
    head.extend(["positions", "raw", "packed", "rounds"].map(Into::into));
    head.extend([format!("won for {winner}"), "share".into(), "time".into()]);
    if paper.is_some() {
        head.extend(["printed", "ours is"].map(Into::into));
    }
    let mut columns = Columns::new(0, head);
    for layer in layers {
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".into());
        let bytes = |bytes: Option<u64>| or_none(bytes.map(|bytes| Bytes(bytes).to_string()));
        let mut row = vec![
            layer.layer.to_string(),
            grouped(layer.positions()),
            bytes(layer.raw),
            bytes(layer.packed),
            or_none(layer.run.as_ref().map(|run| grouped(run.rounds))),
            grouped(layer.won()),
            percent(layer.won(), layer.positions()),
            or_none(layer.run.as_ref().map(|run| duration(run.seconds))),
        ];
        if let Some(printed) = paper.as_ref().map(|paper| (paper.won)(layer.layer)) {
            row.push(or_none(printed.map(grouped)));
            row.push(or_none(printed.map(|printed| compared(layer.won(), printed))));
        }
        columns.row(row);
    }
    let mut text = format!("{}, rules {}\n\n{}", game.name(), game.rules_id(), columns.text());
    if let Some(paper) = paper {
        text += &format!("\n{}", wrap(paper.note, 0, 100));
    }
    text
}

/// How a number of ours compares with a printed one.
fn compared(ours: u64, printed: u64) -> String {
    if ours == printed {
        return "equal".into();
    }
    format!("{:+.2} %", (ours as f64 / printed as f64 - 1.0) * 100.0)
}

fn tell_what_is_missing<G: Game>(game: &G, layers: &[LayerStats]) {
    let missing: Vec<u16> = game.layers().filter(|layer| layers.iter().all(|found| found.layer != *layer)).collect();
    if let (Some(first), Some(last)) = (missing.first(), missing.last()) {
        let (name, rules, first) = (game.name(), game.rules_id(), first_needed(game, *first));
        note(format_args!(
            "layers {} are not there; `anser solve {name} --rules {rules} --layers {first}-{last}` makes them",
            ranges(missing.iter().copied())
        ));
    }
}
