//! Description of a table from its header and manifest.

use std::path::Path;

use anser_core::{Hunt, Outcome, Side};
use anser_games::answers::{FileAnswer, IndexAnswer};
use anser_games::{GameInfo, manifest_entry};
use anser_solve::Bytes;
use anser_table::format::{HEADER_LEN, Header};
use anser_table::{Access, Defect, PositionedReads, Table, TableError};

use crate::failure::{Failure, words};
use crate::games;
use crate::output::{Form, note};
use crate::reply::Reply;
use crate::text::{Columns, duration, grouped, outcome_text, printable, rounds, won_for};

/// Describes the table in the file `path`.
pub(super) fn run(path: &Path, json: bool) -> Result<(), Failure> {
    let failed = |error: std::io::Error| TableError::new(path, error);
    let file = PositionedReads.open(path).map_err(failed)?;
    let bytes = file.len();
    // The table may be unfinished.
    let mut start = vec![0; bytes.min(HEADER_LEN as u64) as usize];
    file.read_exact_at(0, &mut start).map_err(failed)?;
    let header = Header::decode(&start).map_err(|defect| TableError::new(path, defect))?;
    let (game, info) = games::open_of_tables(header.game(), header.rules(), [path])?;
    let manifest = manifest_entry(header.game(), header.rules(), path);
    let answer = FileAnswer::new(&game, path, &header, bytes, manifest);
    let text = text(&game, info, &header, &answer);
    Reply::new(answer, text).print(Form::of(json))?;
    // An unfinished file is described with a note; every other defect is an error.
    match Table::open(path, &PositionedReads) {
        Err(error) if matches!(error.defect(), Defect::Unfinished) => {
            note(words(&error));
            Ok(())
        }
        opened => Ok(opened.map(drop)?),
    }
}

fn text(game: &Hunt, info: &GameInfo, header: &Header, answer: &FileAnswer) -> String {
    let mut columns =
        Columns::new(2, [answer.kind.id().to_owned() + " table", printable(&answer.path)]);
    let mut row = |name: &str, value: String| columns.row([name.to_owned(), value]);
    row("game", format!("{}, rules {}", answer.game, answer.rules));
    row("layer", info.layer_text(answer.layer));
    row("state", if answer.complete { "complete".into() } else { "unfinished".into() });
    row("metric", format!("{}, {} bits per entry", answer.metric.id(), answer.bits));
    row("format", format!("version {}", answer.format_version));
    row("file", format!("{} ({} bytes)", Bytes(answer.bytes), grouped(answer.bytes)));
    row("positions", grouped(answer.positions));
    for side in Side::BOTH {
        let name = game.side_name(side);
        row(&format!("{name} to move"), format!("{} entries", grouped(header.entries()[side])));
        if answer.complete {
            let [first, draw, second] = header.counts()[side].map(grouped);
            let (own, other) = (game.side_name(Side::First), game.side_name(Side::Second));
            let [first_won, second_won] = Side::BOTH.map(|side| won_for(game, side));
            let drawn = outcome_text(game, Outcome::Draw, None);
            row("", format!("{first} {first_won}, {draw} {drawn}, {second} {second_won}"));
            if let Some(longest) = header.longest() {
                let [first, second] = longest[side]
                    .map(|plies| plies.map_or("none".to_owned(), |plies| plies.to_string()))
                    .into_array();
                row("", format!("longest wins in plies: {own} {first}, {other} {second}"));
            }
        }
    }
    let IndexAnswer { scheme, version, symmetries } = &answer.index;
    row("index", format!("{scheme} version {version}, {symmetries} symmetries"));
    row("rules hash", answer.rules_hash.clone());
    row(
        "payload",
        format!("{} bytes at {}", grouped(answer.payload.bytes), grouped(answer.payload.offset)),
    );
    if answer.complete {
        row("", format!("BLAKE3 (as raw) {}", answer.payload.hash));
    }
    let description = &answer.description;
    row(
        "description",
        format!("{} bytes at {}", grouped(description.bytes), grouped(description.offset)),
    );
    if let Some(packing) = &answer.packing {
        let stored = packing.stored.join(" and ");
        row(
            "packed",
            format!(
                "{} entries per block, zstd level {}",
                grouped(packing.block_entries),
                packing.level
            ),
        );
        row("", format!("{stored} to move stored"));
    }
    row("made by", answer.generator.clone());
    match &answer.manifest {
        None => row("manifest", "none, or without an entry for this file".into()),
        Some(manifest) => {
            if let Some(run) = &manifest.run {
                let (time, threads) = (duration(run.seconds), run.threads);
                row(
                    "run",
                    format!(
                        "engine {}, {}, {time}, {threads} threads",
                        run.engine,
                        rounds(run.rounds)
                    ),
                );
            }
            row("sha256", manifest.sha256.clone());
            row("blake3", manifest.blake3.clone());
        }
    }
    columns.text()
}
