//! External faults: files that change while they are read, exhausted memory, forged sizes.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anser_core::{Hunt, LayerIndex, Side};
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Ran, anser, binary, probe, table, tables};

/// A table that is longer than the system allows a file to be is an error, and leaves nothing.
#[test]
fn files_that_are_too_long_for_the_system_are_errors() {
    let dir = TempDir::new().unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -f 16; exec \"$@\"", "sh", binary(), "solve", "--layers", "1-5"]);
    let ran = Ran::new(&command.arg("--tables").arg(dir.path()).output().unwrap());
    assert_eq!(ran.code, 4, "{}", ran.err);
    assert!(ran.err.contains("File too large"), "{}", ran.err);
    let names = fs::read_dir(dir.path()).unwrap().map(|file| file.unwrap().file_name());
    assert!(names.into_iter().all(|name| !name.to_string_lossy().ends_with(".part")));
}

/// Running batch that waits for positions.
struct Batch {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Batch {
    fn start(dir: &Path, more: &[&str]) -> Batch {
        let mut command = Command::new(binary());
        command
            .args(["probe", "--rules", "first-capture", "--batch", "-", "--tables"])
            .arg(dir)
            .args(more);
        let streams = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = streams.spawn().unwrap();
        let questions = child.stdin.take().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Batch { child, questions, answers }
    }

    /// Answer to a position; `None` if the program has ended.
    fn ask(&mut self, position: &str) -> Option<Value> {
        writeln!(self.questions, "{position}").ok()?;
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        (!line.is_empty()).then(|| serde_json::from_str(&line).expect("an object"))
    }

    /// Ends the batch.
    fn end(self) -> Ran {
        drop(self.questions);
        Ran::new(&self.child.wait_with_output().unwrap())
    }
}

/// Positions of layer 5 whose outcome differs between the rule sets `first-capture` and `free`,
/// with the outcome under `first-capture`.
fn disputed() -> Vec<(String, String)> {
    let game = Hunt::fox_geese("first-capture").unwrap();
    let index = game.index(5);
    let mut lines = String::new();
    for side in Side::BOTH {
        for rank in (0..index.len(side)).step_by(401) {
            lines.push_str(&game.format_position(&index.unrank(side, rank)));
            lines.push('\n');
        }
    }
    let outcomes = |rules: &str| -> Vec<(String, String)> {
        let mut command = anser(["probe", "--batch", "-", "--rules", rules, "--tables"]);
        let ran = Ran::new(&command.arg(tables()).write_stdin(lines.clone()).output().unwrap());
        let values = ran.text().lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let text = |value: &Value, key: &str| value[key].as_str().unwrap().to_owned();
        values.map(|value| (text(&value, "position"), text(&value, "outcome"))).collect()
    };
    let both = outcomes("first-capture").into_iter().zip(outcomes("free"));
    let disputed: Vec<_> =
        both.filter(|(sound, other)| sound != other).map(|(sound, _)| sound).collect();
    assert!(disputed.len() > 100, "{}", disputed.len());
    disputed
}

/// Directory with the table of layer 5, last modified a minute ago.
fn layer_5() -> (TempDir, PathBuf) {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join(table("first-capture", 5));
    fs::copy(tables().join(table("first-capture", 5)), &path).unwrap();
    let ago = std::time::SystemTime::now() - std::time::Duration::from_mins(1);
    File::options().write(true).open(&path).unwrap().set_modified(ago).unwrap();
    (dir, path)
}

#[test]
fn a_table_that_is_overwritten_under_a_running_batch_gives_errors_and_never_wrong_answers() {
    let disputed = disputed();
    for more in [&[][..], &["--access", "read"], &["--access", "map"]] {
        let (dir, path) = layer_5();
        let mut batch = Batch::start(dir.path(), more);
        for (position, outcome) in &disputed {
            assert_eq!(batch.ask(position).unwrap()["outcome"], **outcome);
        }
        // By now the checksum of every block was verified.
        let other = fs::read(tables().join(table("free", 5))).unwrap();
        File::options().write(true).open(&path).unwrap().write_all(&other).unwrap();
        let mut failed = 0;
        for (position, outcome) in &disputed {
            let answer = batch.ask(position).unwrap();
            match answer.get("outcome") {
                // A block in the cache is still right.
                Some(found) => assert_eq!(found, outcome, "{more:?} {position}"),
                None => failed += 1,
            }
        }
        // All blocks of this table fit into the cache of --access read; --access map sees the new
        // bytes.
        assert!(more != ["--access", "map"] || failed == disputed.len(), "{more:?}: {failed}");
        let ran = batch.end();
        assert_eq!(ran.code, if failed > 0 { 4 } else { 0 }, "{}", ran.err);
    }
}

#[test]
fn a_table_that_is_truncated_under_a_running_batch_ends_in_a_message_and_not_in_a_signal() {
    let disputed = disputed();
    let (position, outcome) = &disputed[0];
    for json in [false, true] {
        let (dir, path) = layer_5();
        let mut batch = Batch::start(
            dir.path(),
            if json { &["--access", "map", "--json"] } else { &["--access", "map"] },
        );
        assert_eq!(batch.ask(position).unwrap()["outcome"], **outcome);
        File::options().write(true).open(&path).unwrap().set_len(4096).unwrap();
        assert_eq!(batch.ask(position), None);
        let ran = batch.end();
        assert_eq!(ran.code, 4, "{}", ran.err);
        assert!(ran.err.contains("truncated") && ran.err.contains("anser verify"), "{}", ran.err);
        if json {
            let error: Value = serde_json::from_str(ran.err.lines().last().unwrap()).unwrap();
            assert_eq!((&error["schema"], &error["error"]["code"]), (&1.into(), &4.into()));
        }
    }
    // With --access read the error names the file, and the batch continues.
    let (dir, path) = layer_5();
    let mut batch = Batch::start(dir.path(), &[]);
    assert_eq!(batch.ask(position).unwrap()["outcome"], **outcome);
    File::options().write(true).open(&path).unwrap().set_len(4096).unwrap();
    for (position, outcome) in &disputed {
        let answer = batch.ask(position).unwrap();
        if answer.get("outcome").is_some_and(|found| found == outcome) {
            // This position is in the block that was read before.
            continue;
        }
        let answer = answer.to_string();
        assert!(
            answer.contains("was changed while it was open") && answer.contains("L05"),
            "{answer}"
        );
    }
    let ran = batch.end();
    ran.fails(4, &["in tables that cannot be read", "now has 4096"]);
}

#[test]
fn exhausted_memory_is_neither_damage_nor_a_crash() {
    let dir = TempDir::new().unwrap();
    let mut command = anser(["pack", "--rules", "first-capture", "--layers", "5", "--tables"]);
    Ran::new(&command.arg(tables()).arg("--out").arg(dir.path()).output().unwrap()).text();
    let (position, outcome) = disputed().remove(0);
    let limited = |kib: u64, words: &[&str]| {
        let mut shell = Command::new("sh");
        shell.args(["-c", "ulimit -v $0 && exec \"$@\"", &kib.to_string(), binary()]).args(words);
        shell.env("ANSER_TABLES", "").env("RUST_BACKTRACE", "0").output().unwrap()
    };
    // With less memory the system cannot load the program.
    let starts = |&kib: &u64| limited(kib, &["--version"]).status.code() == Some(0);
    let least = (10_000..200_000).step_by(1000).find(starts).unwrap();
    let dir = dir.path().to_str().unwrap();
    let raw = tables().to_str().unwrap();
    let (mut refused, mut answered) = (0, 0);
    for kib in (0..30).map(|step| least + step * 1024) {
        for from in [dir, raw] {
            let words =
                ["probe", &position, "--rules", "first-capture", "--json", "--tables", from];
            let output = limited(kib, &words);
            let err = String::from_utf8_lossy(&output.stderr).into_owned();
            match output.status.code() {
                Some(0) => {
                    answered += 1;
                    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
                    assert_eq!(answer["outcome"], *outcome);
                }
                Some(4) => {
                    refused += 1;
                    // The limit is on the address space, which includes the stacks of threads.
                    let says =
                        err.contains("memory") || err.contains("threads could not be started");
                    assert!(says && !err.contains("damaged"), "{kib}: {err}");
                }
                // The C library ends a process that has no memory for the destructors of its
                // threads.
                None if err.contains("Fatal glibc error") && err.contains("out of memory") => {
                    refused += 1;
                }
                code => panic!("{kib} KiB from {from}: {code:?}: {err}"),
            }
        }
    }
    assert!(refused > 0 && answered > 0, "{refused} {answered}");
}

#[test]
fn a_header_that_claims_a_quintillion_entries_is_refused_by_every_command() {
    /// Entries for each side to move; the second number is for file systems with shorter files.
    const CLAIMS: [u64; 2] = [1 << 60, 1 << 45];
    let shared = Path::new("/dev/shm");
    let dir = if shared.is_dir() { TempDir::new_in(shared) } else { TempDir::new() }.unwrap();
    for layer in 1..=4 {
        fs::copy(tables().join(table("free", layer)), dir.path().join(table("free", layer)))
            .unwrap();
    }
    let path = dir.path().join(table("free", 5));
    let made = CLAIMS.into_iter().any(|entries| {
        let mut header = fs::read(tables().join(table("free", 5))).unwrap()[..4096].to_vec();
        let payload = 2 * entries / 64 * 16;
        let checks = payload.div_ceil(16 << 10) * 8;
        let words =
            [entries, entries, entries, 0, 0, entries, 0, 0, 4096, payload, 4096 + payload, checks];
        let description = (4096 + payload + checks).to_le_bytes();
        header[344..352].copy_from_slice(&description);
        let len = u64::from_le_bytes(header[352..360].try_into().unwrap());
        for (field, word) in header[152..].as_chunks_mut::<8>().0.iter_mut().zip(words) {
            *field = word.to_le_bytes();
        }
        let hash = xxhash_rust::xxh3::xxh3_64(&header[..4088]);
        header[4088..].copy_from_slice(&hash.to_le_bytes());
        fs::write(&path, &header).unwrap();
        File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_len(4096 + payload + checks + len)
            .is_ok()
    });
    assert!(made, "no file of that length can be made here");
    let out = TempDir::new().unwrap();
    let on = |words: &str, more: &[&Path]| {
        let mut command = anser(words.split(' '));
        Ran::new(&command.args(more).output().unwrap())
    };
    // The header alone is sound.
    assert_eq!(on("info", &[&path]).code, 0);
    on("info", &[dir.path()]).fails(3, &["L05", "another number of entries"]);
    let (tables, out) = (dir.path(), out.path());
    for (words, more) in [
        ("verify fox-geese --rules free --tables", &[tables][..]),
        ("verify fox-geese --rules free --full --layers 5 --tables", &[tables]),
        ("stats fox-geese --rules free --tables", &[tables]),
        ("solve fox-geese --rules free --layers 5-6 --tables", &[tables]),
        ("pack fox-geese --rules free --layers 4-5 --out", &[out, Path::new("--tables"), tables]),
        ("unpack fox-geese --rules free --layers 4-5 --out", &[out, Path::new("--tables"), tables]),
    ] {
        let ran = on(words, more);
        ran.fails(3, &[]);
        let said = ran.err + &ran.out;
        assert!(said.contains("another number of entries"), "{words}: {said}");
    }
    let ran = probe("ggg/g2/7/3F3/3g3/3/3 f", tables, &[]);
    ran.fails_in_a_line(3, &["another number of entries"]);
}
