//! `anser probe --batch`.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{
    CAPTURE, DRAWN, OPENING, Ran, anser, binary, copies, edit, keys, table, tables,
};

fn batch(input: impl Into<Vec<u8>>, more: &[&str]) -> (Ran, Vec<Value>) {
    let mut command = anser(["probe", "--batch", "-", "--tables"]);
    let ran = Ran::new(&command.arg(tables()).args(more).write_stdin(input).output().unwrap());
    let lines = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line is an object"))
        .collect();
    (ran, lines)
}

#[test]
fn every_line_is_answered_in_its_place() {
    let input = format!("{DRAWN} f\n\n{OPENING}\r\nnonsense\n{CAPTURE}\n{DRAWN} g");
    let (ran, lines) = batch(input, &[]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let numbers: Vec<u64> = lines.iter().map(|line| line["line"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
    assert_eq!(
        keys(&lines[0]),
        ["dtw", "game", "line", "outcome", "position", "rules", "schema", "to_move"]
    );
    assert_eq!((&lines[0]["outcome"], &lines[5]["to_move"]), (&json!("draw"), &json!("geese")));
    let code = |line: usize| lines[line]["error"]["code"].as_u64();
    assert_eq!([0, 1, 2, 3, 4].map(code), [None, Some(2), Some(1), Some(2), None]);
    assert_eq!(keys(&lines[1]), ["error", "input", "line", "schema"]);
    assert_eq!(lines[2]["input"], OPENING);
    assert_eq!(
        lines[2]["error"]["hint"].as_str().map(|hint| hint.contains("--layers 1-13")),
        Some(true)
    );
    assert_eq!(
        (&lines[1]["error"]["kind"], &lines[1]["error"]["column"]),
        (&json!("usage"), &json!(1))
    );
    assert!(
        ran.err.contains("3 of 6 positions have no answer: 2 malformed, 1 without a table"),
        "{}",
        ran.err
    );
}

#[test]
fn single_and_batch_answers_agree() {
    let (_, lines) = batch(format!("{CAPTURE}\n"), &["--rules", "first-capture"]);
    assert_eq!(lines[0]["outcome"], "fox");
    let (ran, lines) = batch("", &[]);
    assert_eq!((ran.code, lines.len(), &*ran.err), (0, 0, ""));
}

#[test]
fn small_games_are_solved_in_memory_unless_tables_are_named() {
    let position = "ppp/3/PPP w";
    let asked = |tables: &[&str]| {
        let mut command = anser(["probe", "hexapawn:3x3", "--batch", "-", "--moves"]);
        let command = command.args(tables).write_stdin(format!("{position}\n"));
        let ran = Ran::new(&command.output().unwrap());
        (serde_json::from_str::<Value>(&ran.out).unwrap(), ran)
    };
    let (line, ran) = asked(&[]);
    let single = Ran::new(&anser(["probe", "hexapawn:3x3", position, "--json"]).output().unwrap());
    let single: Value = serde_json::from_str(&single.out).unwrap();
    assert_eq!((ran.code, &line["dtw"], &line["moves"]), (0, &single["dtw"], &single["moves"]));
    assert_eq!(line["dtw"], 6);
    let empty = TempDir::new().unwrap();
    let (line, _) = asked(&["--tables", empty.path().to_str().unwrap()]);
    assert_eq!(line["error"]["kind"], "missing");
}

#[test]
fn thousands_of_lines_keep_their_order() {
    let mut input = String::new();
    let positions =
        [format!("{DRAWN} f"), CAPTURE.to_owned(), format!("{DRAWN} g"), "?".to_owned()];
    for line in 0..20_000 {
        writeln!(input, "{}", positions[line * 7 % 4]).unwrap();
    }
    let (ran, lines) = batch(input, &[]);
    assert_eq!((ran.code, lines.len()), (0, 20_000));
    for (number, line) in lines.iter().enumerate() {
        assert_eq!(line["line"], number + 1);
        let asked = line.get("position").or_else(|| line.get("input")).unwrap();
        assert_eq!(asked, &json!(positions[number * 7 % 4]));
    }
}

#[test]
fn malformed_and_overlong_lines_are_errors_in_their_place() {
    let mut input = vec![b'3'; 3_000_000];
    input.extend(b"\n\xff\xfe 3/3\n");
    input.extend(format!("{DRAWN} f\n").bytes());
    let (ran, lines) = batch(input, &[]);
    assert_eq!((ran.code, lines.len()), (0, 3));
    assert!(lines[0]["error"]["message"].as_str().unwrap().contains("longer than 1000 bytes"));
    assert_eq!((&lines[1]["error"]["code"], &lines[2]["outcome"]), (&json!(2), &json!("draw")));
}

#[test]
fn corrupt_tables_are_errors_of_their_lines_and_of_the_batch() {
    let dir = copies(&[4, 5]);
    edit(&dir.path().join(table("free", 5)), |bytes| bytes.truncate(5000));
    let mut command = anser(["probe", "--batch", "-", "--tables"]);
    let ran = Ran::new(
        &command.arg(dir.path()).write_stdin(format!("{CAPTURE}\n{DRAWN} f\n")).output().unwrap(),
    );
    ran.fails(3, &["1 of 2 positions", "truncated"]);
    let lines: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["error"]["code"], &lines[1]["outcome"]), (&json!(3), &json!("draw")));
}

#[test]
fn a_batch_that_cannot_be_read_is_an_input_error() {
    let dir = TempDir::new().unwrap();
    for file in [dir.path().join("missing"), dir.path().to_owned()] {
        let ran = Ran::new(&anser(["probe", "--batch"]).arg(&file).output().unwrap());
        ran.fails_in_a_line(4, &["reading the batch failed"]);
    }
}

#[test]
fn a_client_that_writes_line_by_line_is_answered_line_by_line() {
    let mut child = Command::new(binary())
        .args(["probe", "--batch", "-", "--tables"])
        .arg(tables())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut ask, mut answers) =
        (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    for _ in 0..3 {
        writeln!(ask, "{DRAWN} f").unwrap();
        let mut line = String::new();
        answers.read_line(&mut line).unwrap();
        assert!(line.contains("\"outcome\":\"draw\""), "{line}");
    }
    drop(ask);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_reader_that_stops_reading_is_no_failure() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("positions");
    fs::write(&file, format!("{DRAWN} f\n").repeat(100_000)).unwrap();
    let mut child = Command::new(binary())
        .args(["probe", "--tables"])
        .arg(tables())
        .arg("--batch")
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &*String::from_utf8_lossy(&output.stderr)), (Some(0), ""));
}

#[test]
#[cfg(target_os = "linux")]
fn output_that_cannot_be_written_is_an_output_error() {
    let full = || Stdio::from(fs::File::options().write(true).open("/dev/full").unwrap());
    for words in [&["rules"][..], &["games", "--json"]] {
        let output = Command::new(binary())
            .args(words)
            .stdout(full())
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let ran = Ran::new(&output);
        assert!(ran.code == 4 && ran.err.contains("writing the output failed"), "{}", ran.err);
        assert_eq!(
            (ran.err.lines().count(), ran.err.starts_with('{')),
            (1, words.contains(&"--json")),
            "{}",
            ran.err
        );
    }
}

#[test]
fn moves_come_with_a_batch_on_request() {
    let (_, lines) = batch(format!("{CAPTURE}\nnonsense\n"), &["--moves"]);
    let single = crate::support::probe(CAPTURE, tables(), &["--json"]).json();
    assert_eq!(lines[0]["moves"], single["moves"]);
    assert!(lines[0]["moves"].as_array().is_some_and(|moves| moves.len() > 1), "{}", lines[0]);
    assert_eq!(keys(&lines[1]), ["error", "input", "line", "schema"]);
    let (_, lines) = batch(format!("{CAPTURE}\n"), &[]);
    assert!(lines[0].get("moves").is_none());
    Ran::new(&anser(["probe", CAPTURE, "--moves"]).output().unwrap()).fails(2, &["--batch"]);
}

/// The rows of a batch in CSV.
fn rows(input: impl Into<Vec<u8>>, more: &[&str]) -> Vec<Vec<String>> {
    let mut command = anser(["probe", "--batch", "-", "--format", "csv", "--tables"]);
    let ran = Ran::new(&command.arg(tables()).args(more).write_stdin(input).output().unwrap());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(ran.out.as_bytes());
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

#[test]
fn a_batch_in_csv_keeps_the_columns_of_its_input() {
    let input = format!(
        "\u{feff}id,Position,\"a, b\"\r\n1,{DRAWN} f,x\r\n2,{CAPTURE},\"y, \"\"z\"\"\"\r\n\
         3,nonsense,\r\n4,{DRAWN} g\r\n"
    );
    let rows = rows(input, &[]);
    assert_eq!(rows[0], ["id", "Position", "a, b", "to_move", "outcome", "dtw", "error"]);
    assert_eq!(rows[1], ["1", &format!("{DRAWN} f"), "x", "fox", "draw", "", ""]);
    assert_eq!(rows[2][..4], ["2", CAPTURE, "y, \"z\"", "fox"]);
    assert_eq!(rows[3][..6], ["3", "nonsense", "", "", "", ""]);
    assert!(rows[3][6].contains("this is not a position: column 1"), "{:?}", rows[3]);
    assert_eq!((rows[4].len(), &*rows[4][6]), (7, "the line has 2 columns, the first line 3"));
}

#[test]
fn the_header_line_of_a_batch_in_csv_is_no_position() {
    let mut command = anser(["probe", "--batch", "-", "--format", "csv", "--tables"]);
    let input = format!("position\n{CAPTURE}\nnonsense\n");
    let ran = Ran::new(&command.arg(tables()).write_stdin(input).output().unwrap());
    assert!(ran.err.contains("1 of 2 positions have no answer: 1 malformed"), "{}", ran.err);
}

#[test]
fn two_columns_of_positions_are_refused() {
    let (ran, _) =
        batch("position,n,Position\n3/3/7/3F3/3gg2/1g1/1g1 f,1,x\n", &["--format", "csv"]);
    ran.fails_in_a_line(2, &["line 1: several columns are called \"position\""]);
}

#[test]
fn a_batch_in_csv_may_be_positions_alone() {
    let over = "gFg/1g1/3g3/7/7/3/3 f";
    let plain = rows(format!("{DRAWN} f\n\n{over}\n"), &[]);
    assert_eq!(plain[0], ["position", "to_move", "outcome", "dtw", "error"]);
    assert_eq!(plain[1], [&format!("{DRAWN} f"), "fox", "draw", "", ""]);
    assert!(plain[2][0].is_empty() && !plain[2][4].is_empty(), "{:?}", plain[2]);
    assert_eq!(plain[3], [over, "fox", "geese", "0", ""]);
    let moves = rows(format!("position\n{CAPTURE}\n"), &["--moves", "--rules", "first-capture"]);
    assert_eq!(moves[0], ["position", "to_move", "outcome", "dtw", "moves", "error"]);
    assert!(moves[1][4].starts_with("d4xd2=fox/0 "), "{}", moves[1][4]);
    let fails = |input: &str, says: &[&str]| {
        let mut command = anser(["probe", "--batch", "-", "--format", "csv"]);
        Ran::new(&command.write_stdin(input).output().unwrap()).fails_in_a_line(2, says);
    };
    fails("a,b\n1,2\n", &["line 1", "none of the 2 columns is called \"position\""]);
    fails("position,outcome\n", &["line 1", "\"outcome\"", "another name"]);
}

#[test]
fn the_answers_do_not_depend_on_the_number_of_threads() {
    let positions =
        [format!("{DRAWN} f"), CAPTURE.to_owned(), format!("{DRAWN} g"), "?".to_owned()];
    let input: String = (0..30_000).map(|line| positions[line * 7 % 4].clone() + "\n").collect();
    let answers = |threads: &str| {
        let mut command = anser(["probe", "--batch", "-", "--threads", threads, "--tables"]);
        let ran = Ran::new(&command.arg(tables()).write_stdin(&*input).output().unwrap());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out
    };
    let one = answers("1");
    assert_eq!(one.lines().count(), 30_000);
    assert!(one == answers("4"));
}
