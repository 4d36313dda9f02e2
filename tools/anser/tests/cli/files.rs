//! Tables that are missing, damaged, foreign, or unfinished.

use std::fs;
use std::path::Path;

use anser_core::Hunt;
use anser_table::format::Header;
use tempfile::TempDir;

use crate::support::{
    CAPTURE, DRAWN, OPENING, Ran, anser, copies, edit, probe, run, table, tables,
};

#[test]
fn a_missing_layer_is_reported_with_the_places_searched_and_the_command_that_solves_it() {
    let ran = probe(OPENING, tables(), &[]);
    ran.fails_in_a_line(
        1,
        &[
            "layer 13",
            tables().to_str().unwrap(),
            "anser solve fox-geese --rules free --layers 1-13",
        ],
    );
}

#[test]
fn a_missing_layer_stops_only_what_needs_it() {
    let dir = copies(&[1, 2, 3, 5]);
    probe(&format!("{DRAWN} f"), dir.path(), &[]).fails_in_a_line(1, &["layer 4", "--layers 4"]);
    probe(CAPTURE, dir.path(), &[]).text();
    assert!(run("stats", dir.path()).text().contains("13,290,816"));
    run("verify --layers 3-5", dir.path()).fails(1, &["layer 4"]);
    fs::remove_file(dir.path().join(table("free", 5))).unwrap();
    run("solve --layers 5", dir.path()).fails(1, &["layer 5 depends on layer 4", "--layers 1-5"]);
    // The advice of the error helps.
    run("solve --layers 4-5", dir.path()).text();
    assert_eq!(
        fs::read(dir.path().join(table("free", 5))).unwrap(),
        fs::read(tables().join(table("free", 5))).unwrap()
    );
}

#[test]
fn an_empty_directory_lacks_tables_and_a_missing_one_cannot_be_read() {
    let dir = TempDir::new().unwrap();
    probe(OPENING, dir.path(), &[]).fails_in_a_line(1, &["layer 13"]);
    for words in ["stats", "verify"] {
        run(words, dir.path())
            .fails_in_a_line(1, &["no table of fox-geese (rules free) was found", "anser solve"]);
    }
    let missing = dir.path().join("missing");
    probe(OPENING, &missing, &[]).fails_in_a_line(4, &["missing", "cannot be read"]);
    for words in ["stats", "verify"] {
        run(words, &missing).fails_in_a_line(4, &["missing", "cannot be read"]);
    }
    Ran::new(&anser(["info"]).arg(&missing).output().unwrap()).fails_in_a_line(4, &["missing"]);
}

/// Replaces layer 5 by an unusable file, and checks the errors of all commands.
fn unusable(says: &str, change: impl FnOnce(&mut Vec<u8>)) {
    let dir = copies(&[4, 5]);
    let file = dir.path().join(table("free", 5));
    edit(&file, change);
    probe(CAPTURE, dir.path(), &[]).fails_in_a_line(3, &["layer 5", says]);
    // The other layers are not affected.
    probe(&format!("{DRAWN} f"), dir.path(), &[]).text();
    let ran = run("stats", dir.path());
    ran.fails(3, &["layer 5", says]);
    assert!(ran.out.contains("2,373,360"), "{}", ran.out);
    // `verify` also names the commands that replace the table.
    let problem = says.split("; run").next().unwrap();
    run("verify", dir.path())
        .fails(3, &["layer 5", problem, "anser solve fox-geese", "1 of 2 tables"]);
    let info = Ran::new(&anser(["info"]).arg(dir.path()).output().unwrap());
    info.fails(3, &[says]);
    assert!(info.out.contains(says), "{}", info.out);
}

#[test]
fn a_foreign_file_is_not_a_table() {
    unusable("not a table", |bytes| *bytes = b"This is a letter.".to_vec());
    unusable("not a table", Vec::clear);
}

#[test]
fn a_table_under_a_wrong_name_is_refused() {
    unusable("a table of another rule set: first-capture", |bytes| {
        *bytes = fs::read(tables().join(table("first-capture", 5))).unwrap();
    });
    unusable("a table of another layer: 4", |bytes| {
        *bytes = fs::read(tables().join(table("free", 4))).unwrap();
    });
}

#[test]
fn a_newer_format_is_refused() {
    unusable("format version 99 is not known here", |bytes| bytes[8] = 99);
}

#[test]
fn a_table_made_before_the_first_release_is_to_be_solved_again() {
    let made_before = |bytes: &mut Vec<u8>| bytes[..8].copy_from_slice(b"\x89ANSR\r\n\x1a");
    unusable("made before 0.1.0", made_before);
    let dir = copies(&[4, 5]);
    edit(&dir.path().join(table("free", 5)), made_before);
    let advice = "move it away and solve it again with `anser solve`";
    probe(CAPTURE, dir.path(), &[]).fails_in_a_line(3, &["layer 5", advice]);
}

#[test]
fn truncated_and_extended_tables_are_refused() {
    unusable("truncated", |bytes| bytes.truncate(bytes.len() - 1));
    unusable("truncated", |bytes| bytes.truncate(100));
    unusable("too long", |bytes| bytes.push(0));
    unusable("the header is damaged", |bytes| bytes[200] ^= 1);
}

#[test]
fn an_unfinished_table_is_not_a_table() {
    let game = Hunt::default();
    let header = Header::new_raw(&game, 5, &game.index(5), None, "a test").unwrap();
    unusable("unfinished; run `anser solve` again", |bytes| {
        bytes[..4096].copy_from_slice(&header.encode());
    });

    // A file with the name of unfinished work is not opened.
    let dir = copies(&[4]);
    let part = dir.path().join(table("free", 5) + ".part");
    fs::write(&part, [&header.encode()[..], &[0; 4096]].concat()).unwrap();
    probe(CAPTURE, dir.path(), &[]).fails_in_a_line(1, &["only the unfinished", "finishes it"]);
    let info = Ran::new(&anser(["info"]).arg(&part).output().unwrap());
    assert!(info.text().contains("unfinished"), "{}", info.out);
}

#[test]
fn a_damaged_block_is_an_error_and_never_an_answer() {
    let dir = copies(&[4, 5]);
    edit(&dir.path().join(table("free", 5)), |bytes| {
        for at in (4096..bytes.len()).step_by(16 << 10) {
            bytes[at] ^= 1;
        }
    });
    probe(CAPTURE, dir.path(), &[]).fails_in_a_line(3, &["layer 5", "is damaged", "anser verify"]);
    let ran = run("verify --json", dir.path());
    ran.fails(3, &["1 of 2 tables have problems"]);
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["sound"], false);
    assert_eq!(answer["tables"][0]["problems"], serde_json::json!([]));
    assert!(!answer["tables"][1]["problems"].as_array().unwrap().is_empty());
}

#[test]
fn info_refuses_other_files() {
    let dir = copies(&[4]);
    let letter = dir.path().join("letter");
    fs::write(&letter, "Dear reader, ").unwrap();
    let info = |path: &Path| Ran::new(&anser(["info"]).arg(path).output().unwrap());
    info(&letter).fails_in_a_line(3, &["not a table"]);
    info(&dir.path().join("nothing")).fails_in_a_line(4, &["No such file"]);
    let cut = dir.path().join(table("free", 4));
    edit(&cut, |bytes| bytes.truncate(5000));
    let ran = info(&cut);
    ran.fails(3, &["truncated"]);
    assert!(ran.out.contains("148,946 entries"), "the header is shown: {}", ran.out);
}
