//! `anser site`: what is refused before anything is written, and the answer.

use std::fs;

use anser_games::answers::{SiteAnswer, Versioned};
use serde_json::Value;

use crate::schema::Schema;
use crate::support::{Ran, anser};

/// Runs `anser site` on the embedded tables, with the package of the decoder that `ANSER_FZSTD`
/// names.
fn site(out: &std::path::Path, more: &[&str]) -> Option<Ran> {
    let Ok(package) = std::env::var("ANSER_FZSTD") else {
        let why = "no site is made: ANSER_FZSTD names no package of fzstd";
        assert!(std::env::var("CI").as_deref() != Ok("true"), "{why}");
        eprintln!("skipped: {why}");
        return None;
    };
    let mut command = anser(["site", "--fzstd", &package, "--out"]);
    command.arg(out).args(more).current_dir(out);
    Some(Ran::new(&command.output().expect("anser runs")))
}

#[test]
fn a_decoder_that_is_not_there_or_another_is_said_first() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let run = |package: &std::path::Path| {
        let mut command = anser(["site", "--fzstd"]);
        command.arg(package).arg("--out").arg(&out).current_dir(dir.path());
        Ran::new(&command.output().expect("anser runs"))
    };
    run(&dir.path().join("none.tgz")).fails(4, &["none.tgz", "npm pack fzstd@0.1.1"]);
    fs::create_dir(dir.path().join("esm")).unwrap();
    fs::write(dir.path().join("esm/index.mjs"), "export const decompress = (x) => x;").unwrap();
    fs::write(dir.path().join("LICENSE"), "None").unwrap();
    run(dir.path()).fails(3, &["not the files of fzstd@0.1.1", "--fzstd"]);
    // Without npm, the error says what to do before anything else is done.
    let mut command = anser(["site", "--out"]);
    command.arg(&out).env_remove("ANSER_FZSTD").env("PATH", dir.path());
    let ran = Ran::new(&command.output().expect("anser runs"));
    ran.fails_in_a_line(4, &["npm cannot fetch fzstd@0.1.1", "not installed", "--fzstd"]);
    assert!(!out.exists());
}

#[test]
fn a_site_is_refused_if_it_is_too_large_or_has_no_tables() {
    let dir = tempfile::tempdir().unwrap();
    let rules = ["--game", "fox-geese", "--rules", "free", "--layers", "1-3"];
    let with = |more: &[&str]| site(dir.path(), &[&rules[..], more].concat());
    let Some(large) = with(&["--max-size", "10kB"]) else { return };
    large.fails_in_a_line(2, &["the site would have", "more than --max-size", "fewer"]);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    let none = site(dir.path(), &["--game", "hare-hounds"]).unwrap();
    none.fails_in_a_line(1, &["no packed table", "anser pack"]);
    let one = ["--game", "fox-geese", "--rules", "free,forward+chain", "--layers", "1-3"];
    let absent = site(dir.path(), &one).unwrap();
    absent.fails_in_a_line(1, &["no packed table of forward+chain", "anser pack"]);
    let answer = with(&["--json"]).unwrap().json();
    Schema::of_answers().check("site", &answer).unwrap();
    let read: Versioned<SiteAnswer> = serde_json::from_value(answer.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), answer);
    assert_eq!(answer["sets"][0]["wdl"], serde_json::json!([1, 2, 3]));
    assert_eq!(answer["files"], answer["written"]);
    let again: Value = with(&["--json"]).unwrap().json();
    assert_eq!((&again["kept"], &again["written"]), (&answer["files"], &Value::from(0)));
    let text = with(&[]).unwrap();
    assert!(text.text().contains("fox-geese  free"), "{}", text.out);
    // Other files are no site.
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("notes.txt"), "mine").unwrap();
    let refused = site(other.path(), &rules).unwrap();
    refused.fails_in_a_line(2, &["no site that was made before", "empty directory"]);
}
