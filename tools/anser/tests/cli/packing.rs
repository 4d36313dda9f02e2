//! `anser pack` and `anser unpack`: smaller files, the same answers, the same bytes back.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{CAPTURE, DRAWN, Ran, anser, copies, edit, keys, probe, run, table, tables};

/// Packs layers of `free` into a temporary directory.
fn packed(layers: &str) -> (TempDir, Value) {
    let dir = TempDir::new().unwrap();
    let mut command = anser(["pack", "--rules", "free", "--layers", layers, "--json", "--tables"]);
    let ran = Ran::new(&command.arg(tables()).arg("--out").arg(dir.path()).output().unwrap());
    (dir, ran.json())
}

#[test]
fn packed_tables_are_smaller_and_answer_the_same() {
    let (dir, answer) = packed("3-5");
    assert_eq!(keys(&answer), ["game", "rules", "schema", "tables"]);
    let made = answer["tables"].as_array().unwrap();
    assert_eq!(
        made.iter().map(|table| table["layer"].as_u64().unwrap()).collect::<Vec<_>>(),
        [3, 4, 5]
    );
    assert_eq!(
        keys(&made[2]),
        ["bytes", "format_version", "kept", "layer", "metric", "path", "raw_bytes", "seconds"]
    );
    assert!(made[2]["bytes"].as_u64() < made[2]["raw_bytes"].as_u64());
    for position in [CAPTURE.to_owned(), format!("{DRAWN} f"), format!("{DRAWN} g")] {
        for more in [&["--json"][..], &[]] {
            assert_eq!(
                probe(&position, dir.path(), more).text(),
                probe(&position, tables(), more).text()
            );
        }
    }
    run("verify --full", dir.path()).text();
    let stats = run("stats --json", dir.path()).json();
    let five = &stats["layers"][2];
    assert_eq!(
        (&five["bytes"]["raw"], &five["bytes"]["packed"]),
        (&json!(null), &made[2]["bytes"])
    );
    // The manifest of the run is kept.
    assert!(five["rounds"].is_u64(), "{five}");
}

#[test]
fn unpacking_gives_the_same_bytes_back() {
    let (dir, _) = packed("1-5");
    let back = TempDir::new().unwrap();
    let mut command = anser(["unpack", "--tables"]);
    let ran = Ran::new(&command.arg(dir.path()).arg("--out").arg(back.path()).output().unwrap());
    assert!(ran.text().contains("made"));
    for layer in 1..=5 {
        let name = table("free", layer);
        assert!(
            fs::read(back.path().join(&name)).unwrap() == fs::read(tables().join(&name)).unwrap(),
            "{name}"
        );
    }
    // The second time nothing is unpacked.
    assert!(Ran::new(&command.output().unwrap()).text().contains("kept"));
}

#[test]
fn refused_packing_has_a_reason() {
    let out = TempDir::new().unwrap();
    let pack = |tables: &std::path::Path, more: &[&str]| {
        let mut command = anser(["pack", "--tables"]);
        Ran::new(&command.arg(tables).arg("--out").arg(out.path()).args(more).output().unwrap())
    };
    let empty = TempDir::new().unwrap();
    pack(empty.path(), &[]).fails_in_a_line(1, &["no table of fox-geese (rules free) was found"]);
    pack(tables(), &["--rules", "free", "--layers", "4-9"]).fails_in_a_line(1, &["layer 6"]);
    pack(tables(), &["--layers", "0"]).fails_in_a_line(2, &["no layer 0"]);
    let damaged = copies(&[4, 5]);
    edit(&damaged.path().join(table("free", 5)), |bytes| bytes[8192] ^= 1);
    pack(damaged.path(), &[]).fails(3, &["layer 5", "damaged"]);
    // No unfinished files are left, and the finished ones are tables.
    let mut left = fs::read_dir(out.path())
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap());
    assert!(!left.any(|name| name.contains("L05") || name.contains(".part")));
}

#[test]
fn packed_tables_are_packed_again_at_another_level() {
    let out = TempDir::new().unwrap();
    let pack = |from: &std::path::Path, more: &[&str]| {
        let mut command =
            anser(["pack", "fox-geese", "--rules", "first-capture", "--layers", "4", "--json"]);
        command.args(more).arg("--tables").arg(from).arg("--out").arg(out.path());
        let answer = Ran::new(&command.output().unwrap()).json();
        assert_eq!(answer["tables"][0]["format_version"], 1);
        answer["tables"][0]["kept"].as_bool().unwrap()
    };
    assert!(!pack(tables(), &[]));
    let level = || {
        let file = out.path().join("fox-geese.first-capture.L04.wdl.anserz");
        let info = Ran::new(&anser(["info", "--json"]).arg(file).output().unwrap()).json();
        info["packing"]["level"].as_u64().unwrap()
    };
    assert!(pack(out.path(), &[]) && level() == 15);
    assert!(!pack(out.path(), &["--level", "1"]) && level() == 1);
    assert!(pack(out.path(), &[]) && level() == 1);
    run("verify fox-geese --rules first-capture --full", out.path()).text();
}
