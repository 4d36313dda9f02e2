//! What a table says of itself.

use std::path::Path;

use anser_core::Side;
use anser_core::prelude::*;
use anser_games::{AnyGame, GameInfo, manifest_entry};
use anser_solve::Bytes;
use anser_table::format::{Content, Fill, HEADER_LEN, Header, Packing, hex};
use anser_table::manifest::ManifestEntry;
use anser_table::{Access, Defect, PositionedReads, Table, TableError};
use serde::Serialize;

use crate::advice::Advised;
use crate::failure::Failure;
use crate::games;
use crate::json::{self, Object};
use crate::output::{note, print, print_json};
use crate::text::{Columns, duration, grouped, printable, rounds, won_for};

#[derive(Serialize)]
struct Answer<'a> {
    path: String,
    game: &'a str,
    rules: &'a str,
    layer: u16,
    metric: &'static str,
    /// Bits an entry of the raw payload.
    bits: u32,
    kind: &'static str,
    format_version: u16,
    complete: bool,
    /// The length of the file.
    bytes: u64,
    positions: u64,
    to_move: Object<Object<u64>>,
    entries: Object<u64>,
    /// By side to move and winner: the plies of the longest win; only of distances.
    #[serde(skip_serializing_if = "Option::is_none")]
    longest: Option<Object<Object<Option<u16>>>>,
    index: IndexAnswer<'a>,
    rules_hash: String,
    payload: RegionAnswer,
    checks: RegionAnswer,
    packing: Option<PackingAnswer>,
    generator: &'a str,
    /// What the manifest knows; nothing if there is none.
    manifest: Option<ManifestEntry>,
}

#[derive(Serialize)]
struct IndexAnswer<'a> {
    scheme: &'a str,
    version: u16,
    symmetries: u16,
}

#[derive(Serialize)]
struct RegionAnswer {
    offset: u64,
    bytes: u64,
    /// BLAKE3 of the raw payload, xxh3-64 of the checks.
    hash: String,
}

#[derive(Serialize)]
struct PackingAnswer {
    stored: Vec<&'static str>,
    fill: &'static str,
    content: &'static str,
    level: i8,
    block_entries: u32,
    dictionary_bytes: u32,
}

/// Shows the table in the file `path`.
pub(super) fn run(path: &Path, json: bool) -> Result<(), Failure> {
    let (header, bytes) = read(path)?;
    let shown = games::with_game(header.game(), Some(header.rules()), |game, info| {
        let job = Show { path, header: &header, bytes, json };
        job.run(game, info)
    });
    if let Err(failure) = shown {
        return match games::find(header.game()) {
            // A header of a game or rule set that this program does not know.
            Err(_) => Err(Failure::corrupt(format!(
                "{}: a table of {} (rules {}), which this anser does not know; a newer one may",
                path.display(),
                header.game(),
                header.rules()
            ))),
            Ok(_) => Err(failure),
        };
    }
    // A file that is still being made is what it is; anything else that keeps a table from being used is an error.
    match Table::open(path, &PositionedReads) {
        Err(error) if matches!(error.defect(), Defect::Unfinished) => {
            note(error.words());
            Ok(())
        }
        opened => Ok(opened.map(drop)?),
    }
}

/// Reads a header, of a complete table or one that is still being made, and the length of the file.
fn read(path: &Path) -> Result<(Header, u64), TableError> {
    let failed = |error: std::io::Error| TableError::new(path, error);
    let file = PositionedReads.open(path).map_err(failed)?;
    let bytes = file.len();
    let mut start = vec![0; bytes.min(HEADER_LEN as u64) as usize];
    file.read_exact_at(0, &mut start).map_err(failed)?;
    Ok((Header::decode(&start).map_err(|defect| TableError::new(path, defect))?, bytes))
}

/// Shows a header in the words of its game.
struct Show<'a> {
    path: &'a Path,
    header: &'a Header,
    bytes: u64,
    json: bool,
}

impl Show<'_> {
    fn run(self, game: &AnyGame, info: &GameInfo) -> Result<(), Failure> {
        let answer = self.answer(game);
        if self.json { print_json(&answer) } else { print(&text(game, info, self.header, &answer)) }
    }
}

impl<'a> Show<'a> {
    fn answer(&self, game: &AnyGame) -> Answer<'a> {
        let (header, layout) = (self.header, self.header.layout());
        Answer {
            path: self.path.display().to_string(),
            game: header.game(),
            rules: header.rules(),
            layer: header.layer(),
            metric: header.metric().id(),
            bits: header.bits(),
            kind: header.kind().id(),
            format_version: header.format_version(),
            complete: header.is_complete(),
            bytes: self.bytes,
            positions: Side::BOTH.iter().map(|&side| game.positions(header.layer(), side)).sum(),
            to_move: json::counts(game, &header.counts()),
            entries: Object(Side::BOTH.map(|side| (game.side_name(side), header.entries()[side.index()])).into()),
            longest: header.longest().map(|longest| json::longest(game, &longest)),
            index: IndexAnswer {
                scheme: header.scheme(),
                version: header.scheme_version(),
                symmetries: header.symmetries(),
            },
            rules_hash: format!("{:016x}", header.rules_hash()),
            payload: RegionAnswer {
                offset: layout.payload.offset,
                bytes: layout.payload.len,
                hash: hex(header.payload_digest()),
            },
            checks: RegionAnswer {
                offset: layout.checks.offset,
                bytes: layout.checks.len,
                hash: format!("{:016x}", header.checks_hash()),
            },
            packing: header.packing().map(|packing| packing_answer(game, packing)),
            generator: header.generator(),
            manifest: manifest_entry(header.game(), header.rules(), self.path),
        }
    }
}

fn packing_answer(game: &AnyGame, packing: &Packing) -> PackingAnswer {
    let stored = Side::BOTH.into_iter().filter(|side| packing.stored[side.index()]);
    PackingAnswer {
        stored: stored.map(|side| game.side_name(side)).collect(),
        fill: match packing.fill {
            Fill::Exact => "exact",
            Fill::StaticDontCare => "settled-is-anything",
        },
        content: match packing.content {
            Content::Bytes => "bytes",
            Content::Pairs => "pairs",
            Content::Planes => "planes",
            Content::Distances => "distances",
        },
        level: packing.level,
        block_entries: packing.block_entries,
        dictionary_bytes: packing.dictionary_len,
    }
}

fn text(game: &AnyGame, info: &GameInfo, header: &Header, answer: &Answer<'_>) -> String {
    let mut columns = Columns::new(2, [answer.kind.to_owned() + " table", printable(&answer.path)]);
    let mut row = |name: &str, value: String| columns.row([name.to_owned(), value]);
    row("game", format!("{}, rules {}", answer.game, answer.rules));
    row("layer", format!("{} {}", answer.layer, info.layer_unit));
    row("state", if answer.complete { "complete".into() } else { "unfinished".into() });
    row("metric", format!("{}, {} bits an entry", answer.metric, answer.bits));
    row("format", format!("version {}", answer.format_version));
    row("file", format!("{} ({} bytes)", Bytes(answer.bytes), grouped(answer.bytes)));
    row("positions", grouped(answer.positions));
    for side in Side::BOTH {
        let name = game.side_name(side);
        row(&format!("{name} to move"), format!("{} classes", grouped(header.entries()[side.index()])));
        if answer.complete {
            let [first, draw, second] = header.counts()[side.index()].map(grouped);
            let (own, other) = (game.side_name(Side::First), game.side_name(Side::Second));
            let [first_won, second_won] = Side::BOTH.map(|side| won_for(game, side));
            row("", format!("{first} {first_won}, {draw} drawn, {second} {second_won}"));
            if let Some(longest) = header.longest() {
                let plies = longest[side.index()].map(|plies| plies.map_or("none".into(), |plies| plies.to_string()));
                row("", format!("longest wins in plies: {own} {}, {other} {}", plies[0], plies[1]));
            }
        }
    }
    let IndexAnswer { scheme, version, symmetries } = &answer.index;
    row("index", format!("{scheme} version {version}, {symmetries} symmetries"));
    row("rules hash", answer.rules_hash.clone());
    row("payload", format!("{} bytes at {}", grouped(answer.payload.bytes), grouped(answer.payload.offset)));
    if answer.complete {
        row("", format!("BLAKE3 (as raw) {}", answer.payload.hash));
    }
    if let Some(packing) = &answer.packing {
        let stored = packing.stored.join(" and ");
        row(
            "packed",
            format!("{} entries a block, zstd level {}", grouped(packing.block_entries.into()), packing.level),
        );
        row("", format!("{stored} to move stored; fill {}; content {}", packing.fill, packing.content));
    }
    row("made by", answer.generator.into());
    match &answer.manifest {
        None => row("manifest", "none, or it does not know this file".into()),
        Some(ManifestEntry { file, run, .. }) => {
            if let Some(run) = run {
                let (time, threads) = (duration(run.seconds), run.threads);
                row("run", format!("engine {}, {}, {time}, {threads} threads", run.engine, rounds(run.rounds)));
            }
            row("sha256", file.sha256.clone());
            row("blake3", file.blake3.clone());
        }
    }
    columns.text()
}
