//! Games that files describe: the commands that answers suggest name the file, and work.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::support::{Ran, anser, binary};

const TRIANGLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/hunts/triangle.toml");

/// Runs a command in `dir`, which has the description `my hunt.toml`.
fn ran(dir: &Path, words: &[&str], lines: &str) -> Ran {
    let mut command = anser(words);
    Ran::new(&command.current_dir(dir).write_stdin(lines).output().expect("anser runs"))
}

/// A directory with the description `my hunt.toml`.
fn described() -> TempDir {
    let dir = TempDir::new().expect("a directory");
    std::fs::copy(TRIANGLE, dir.path().join("my hunt.toml")).expect("it is copied");
    dir
}

#[test]
fn suggested_commands_name_the_file_and_make_the_missing_tables() {
    let dir = described();
    let run = |words: &[&str]| ran(dir.path(), words, "");
    run(&["solve", "my hunt.toml", "--metric", "wdl,dtw", "--tables", "t"]).text();
    for metric in ["wdl", "dtw"] {
        let name = format!("t/triangle.standard.L04.{metric}.anser");
        std::fs::remove_file(dir.path().join(name)).expect("it was there");
    }
    let mut commands = Vec::new();
    for words in [
        &["probe", "my hunt.toml", "--tables", "t"][..],
        &["line", "my hunt.toml", "--start", "--tables", "t"],
        &["stats", "my hunt.toml", "--tables", "t"],
        &["study", "my hunt.toml", "--tables", "t"],
        &["info", "t"],
        &["stats", "my hunt.toml", "--rules", "forward", "--tables", "t"],
    ] {
        let ran = run(words);
        let text = format!("{}{}", ran.out, ran.err);
        let starts = text.match_indices("anser solve ").map(|(at, _)| &text[at..]);
        let found: Vec<&str> = starts.filter_map(|text| text.split(['`', '\n']).next()).collect();
        assert!(!found.is_empty(), "{words:?}: {text}");
        commands.extend(found.into_iter().map(str::to_owned));
    }
    for command in commands {
        let mut shell = Command::new("sh");
        let command = command.replacen("anser", binary(), 1);
        let output =
            shell.args(["-c", &command]).current_dir(dir.path()).output().expect("a shell");
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    }
    run(&["verify", "my hunt.toml", "--tables", "t", "--full"]).text();
    let rules = run(&["rules", "my hunt.toml"]);
    assert!(rules.text().contains("anser solve 'my hunt.toml' --rules "), "{}", rules.out);
    assert!(run(&["study", "my hunt.toml", "--rules", "x"]).err.contains("anser rules 'my hunt"));
}

#[test]
fn a_record_is_continued_and_reviewed_with_the_file() {
    let dir = described();
    let run = |words: &[&str], lines: &str| ran(dir.path(), words, lines);
    let saved = run(&["play", "my hunt.toml", "--seed", "1"], "d2-b2\nsave tg.json\nquit\n");
    let command = "`anser play 'my hunt.toml' --load tg.json` continues it";
    assert!(saved.text().contains(command), "{}", saved.out);
    let loaded = run(&["play", "my hunt.toml", "--load", "tg.json"], "quit\n");
    assert!(loaded.text().contains("triangle"), "{}", loaded.out);
    let line = run(&["line", "my hunt.toml", "--record", "tg.json"], "");
    assert!(line.text().contains("d2-b2"), "{}", line.out);
    for words in [&["play", "--load", "tg.json"][..], &["line", "--record", "tg.json"]] {
        let alone = run(words, "");
        assert!(alone.err.contains("no game is called \"triangle\""), "{}", alone.err);
        assert!(alone.err.contains("name it before the record"), "{}", alone.err);
    }
    let other = run(&["play", "fox-geese", "--load", "tg.json"], "");
    assert!(other.err.contains("the record is of triangle, not of fox-geese"), "{}", other.err);
}
