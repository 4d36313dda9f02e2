//! `scripts/read_table.py`, which was written from the specification alone, agrees with `anser`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anser_core::{Hunt, LayerIndex, Side};
use serde_json::Value;

use crate::support::{Ran, anser, skip, table, tables};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Output of the script; `None` if it cannot run.
fn read_table(table: &Path, arguments: &[String]) -> Option<Output> {
    let mut python = Command::new("python3");
    let Ok(output) =
        python.arg(root().join("scripts/read_table.py")).arg(table).args(arguments).output()
    else {
        skip("python3 is not installed");
        return None;
    };
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    if err.contains("zstandard") {
        skip("python3 has no package zstandard");
        return None;
    }
    Some(output)
}

/// Positions of a layer with either side to move, and the answers of `anser`: the outcome, and the
/// plies, if there are distances.
fn answers(rules: &str, layer: u16, dir: &Path, distances: bool) -> (Vec<String>, Vec<String>) {
    let game = Hunt::fox_geese(rules).unwrap();
    let index = game.index(layer);
    let last = index.len(Side::First) - 1;
    let some = |side: Side| {
        let position = |part| game.format_position(&index.unrank(side, part * last / 19));
        (0..20).map(position).collect::<Vec<_>>()
    };
    let positions: Vec<String> = Side::BOTH.into_iter().flat_map(some).collect();
    let mut command = anser(["probe", "--batch", "-", "--rules", rules, "--tables"]);
    let ran =
        Ran::new(&command.arg(dir).write_stdin(positions.join("\n") + "\n").output().unwrap());
    let values = ran.text().lines().map(|line| {
        let value: Value = serde_json::from_str(line).unwrap();
        let outcome = value["outcome"].as_str().unwrap();
        // Terminal positions have distance 0 even without tables of distances.
        value["dtw"]
            .as_u64()
            .filter(|_| distances)
            .map_or(outcome.to_owned(), |plies| format!("{outcome} {plies}"))
    });
    (positions, values.collect())
}

fn agree(rules: &str, layer: u16, dir: &Path, table: &Path) {
    let (positions, expected) =
        answers(rules, layer, dir, table.display().to_string().contains(".dtw."));
    let Some(output) = read_table(table, &positions) else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found: Vec<String> =
        String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
    assert_eq!(found, expected, "{}", table.display());
}

#[test]
fn a_side_that_is_not_stored_is_computed_from_its_successors() {
    let fixtures = root().join("data/fixtures/v1");
    let packed = fixtures.join("fox-geese.first-capture.L04.wdl.anserz");
    agree("first-capture", 4, &fixtures, &packed);
}

#[test]
fn captures_use_the_table_of_the_lower_layer() {
    agree("free", 4, tables(), &tables().join(table("free", 4)));
}

#[test]
fn distances_are_read_raw_and_packed() {
    let fixtures = root().join("data/fixtures/v1");
    for end in ["anser", "anserz"] {
        let table = fixtures.join(format!("fox-geese.first-capture.L29.dtw.{end}"));
        agree("first-capture", 29, &fixtures, &table);
    }
}

#[test]
fn the_description_of_any_game_is_printed() {
    for (name, game) in [
        ("fox-geese.first-capture.L29.dtw.anser", Hunt::fox_geese("first-capture").unwrap()),
        ("hexapawn-3x3.standard.L08.wdl.anserz", Hunt::hexapawn("3x3".parse().unwrap())),
    ] {
        let table = root().join("data/fixtures/v1").join(name);
        let Some(output) = read_table(&table, &["--description".to_owned()]) else { return };
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(String::from_utf8_lossy(&output.stdout), game.description_text(), "{name}");
    }
}

#[test]
fn a_position_that_cannot_be_answered_does_not_stop_the_others() {
    let raw = root().join("data/fixtures/v1/fox-geese.first-capture.L04.wdl.anser");
    let asked =
        ["3/3/7/3F3/ggggggg/ggg/ggg f", "nonsense", "gFg/1g1/3g3/7/7/3/3 f"].map(str::to_owned);
    let Some(output) = read_table(&raw, &asked) else { return };
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "-\n-\ngeese\n");
    assert!(String::from_utf8_lossy(&output.stderr).contains("not in this layer"));
}
