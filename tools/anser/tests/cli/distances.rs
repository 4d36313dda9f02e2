//! Distances on the command line, from tables of the metric `dtw`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{
    CAPTURE, DRAWN, Ran, anser, copies, distances as shared, keys, probe, run, table, tables,
};

/// The geese trap the fox with their next move.
const ONE_PLY: &str = "gFg/1g1/7/3g3/7/3/3 g";

/// The same with a fifth goose.
const WON: &str = "gFg/1g1/7/3g3/7/3/g2 g";

/// Layer 4 of `free` in both metrics, and the answer of solving them.
fn both() -> (TempDir, Value) {
    let dir = TempDir::new().unwrap();
    let answer = run("solve --layers 4 --metric wdl,dtw --json", dir.path()).json();
    (dir, answer)
}

/// Layer 4 of `free`, distances alone.
fn distances() -> TempDir {
    let dir = TempDir::new().unwrap();
    assert_eq!(run("solve --layers 4 --metric dtw", dir.path()).code, 0);
    dir
}

fn files(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.retain(|name| name.contains(".L"));
    names.sort();
    names
}

#[test]
fn both_metrics_are_solved_into_tables_beside_each_other() {
    let (dir, answer) = both();
    assert_eq!(files(dir.path()), ["fox-geese.free.L04.dtw.anser", "fox-geese.free.L04.wdl.anser"]);
    let layer = &answer["layers"][0];
    assert_eq!((&layer["layer"], &layer["kept"]), (&json!(4), &json!(false)));
    assert_eq!(keys(&layer["dtw"]), ["blake3", "bytes", "rounds", "seconds"]);
    // Each side wins some positions of layer 4, with either side to move.
    for side in ["fox", "geese"] {
        for winner in ["fox", "geese"] {
            assert!(layer["longest"][side][winner].is_u64(), "{layer}");
        }
    }
    // Four geese win only if they trap the fox at once.
    assert_eq!(layer["longest"]["geese"]["geese"], 1);
    assert_ne!(layer["blake3"], layer["dtw"]["blake3"]);
    let again = run("solve --layers 4 --metric dtw,wdl --json", dir.path()).json();
    assert_eq!(
        (&again["layers"][0]["layer"], &again["layers"][0]["kept"]),
        (&json!(4), &json!(true))
    );
    let text = run("stats", dir.path()).text().to_owned();
    assert!(text.contains("longest, geese") && text.contains("printed"), "{text}");
    let text = run("stats --metric wdl", dir.path()).text().to_owned();
    assert!(!text.contains("longest"), "{text}");
}

#[test]
fn a_win_has_its_plies_if_there_are_distances() {
    let ((both, _), distances) = (both(), distances());
    for dir in [both.path(), distances.path()] {
        let answer = probe(ONE_PLY, dir, &["--json"]).json();
        assert_eq!((&answer["outcome"], &answer["dtw"]), (&json!("geese"), &json!(1)));
        let moves = answer["moves"].as_array().unwrap();
        assert_eq!(
            (&moves[0]["move"], &moves[0]["dtw"], &moves[0]["ending"]),
            (&json!("d4-d5"), &json!(0), &json!("blocked"))
        );
        // Fastest wins come first, then draws, then the slowest losses.
        let key = |mv: &Value| match &mv["outcome"] {
            outcome if outcome == "geese" => (0, mv["dtw"].as_u64().unwrap() as i64),
            outcome if outcome == "draw" => (1, 0),
            _ => (2, -(mv["dtw"].as_u64().unwrap() as i64)),
        };
        assert!(moves.iter().map(key).is_sorted(), "{moves:?}");
        let text = probe(ONE_PLY, dir, &[]).text().to_owned();
        assert!(text.contains("geese to move: won for the geese in 1 ply\n"), "{text}");
        assert!(text.contains("won for the geese in 0 plies  d4-d5"), "{text}");
        let drawn = probe(&format!("{DRAWN} f"), dir, &["--json"]).json();
        assert_eq!((&drawn["outcome"], &drawn["dtw"]), (&json!("draw"), &json!(null)));
    }
    let text = probe(ONE_PLY, tables(), &[]).text().to_owned();
    assert!(text.contains("won for the geese\n") && !text.contains(" pl"), "{text}");
}

#[test]
fn a_batch_has_the_plies_of_single_probes() {
    let dir = distances();
    let mut command = anser(["probe", "--batch", "-", "--tables"]);
    let input = format!("{ONE_PLY}\n{DRAWN} f\ngFg/1g1/3g3/7/7/3/3 f\n");
    let ran = Ran::new(&command.arg(dir.path()).write_stdin(input).output().unwrap());
    let lines: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let found: Vec<_> = lines.iter().map(|line| (&line["outcome"], &line["dtw"])).collect();
    assert_eq!(
        found,
        [
            (&json!("geese"), &json!(1)),
            (&json!("draw"), &json!(null)),
            (&json!("geese"), &json!(0))
        ]
    );
}

#[test]
fn distances_verify_pack_and_unpack() {
    let dir = distances();
    let answer = run("verify --full --metric dtw --json", dir.path()).json();
    assert_eq!((&answer["sound"], &answer["tables"][0]["metric"]), (&json!(true), &json!("dtw")));
    assert!(run("verify --well-founded", dir.path()).text().contains("sound, every distance"));
    run("verify --metric wdl", dir.path())
        .fails_in_a_line(1, &["no table of fox-geese", "anser solve"]);
    let (packed, back) = (dir.path().join("packed"), dir.path().join("back"));
    let packing = run(&format!("pack --json --out {}", packed.display()), dir.path()).json();
    assert_eq!(packing["tables"][0]["metric"], "dtw");
    assert!(packing["tables"][0]["bytes"].as_u64() < packing["tables"][0]["raw_bytes"].as_u64());
    assert_eq!(probe(ONE_PLY, &packed, &["--json"]).json()["dtw"], 1);
    assert!(run("verify --full", &packed).text().contains("sound, every distance"));
    assert_eq!(run(&format!("unpack --out {}", back.display()), &packed).code, 0);
    let name = "fox-geese.free.L04.dtw.anser";
    assert_eq!(fs::read(back.join(name)).unwrap(), fs::read(dir.path().join(name)).unwrap());
    let wanted = format!("pack --metric wdl --layers 4 --out {}", packed.display());
    run(&wanted, dir.path()).fails_in_a_line(1, &["layer 4", "fox-geese.free.L04.wdl.anser"]);
}

#[test]
fn info_describes_a_table_of_distances_and_lists_missing_layers() {
    let (dir, _) = both();
    let info = |path: &Path| {
        let ran = Ran::new(&anser(["info", "--json"]).arg(path).output().unwrap());
        ran.json()
    };
    let answer = info(&dir.path().join("fox-geese.free.L04.dtw.anser"));
    assert_eq!((&answer["metric"], &answer["format_version"]), (&json!("dtw"), &json!(1)));
    let longest = answer["longest"]["geese"]["geese"].as_u64().unwrap();
    assert!(1 << answer["bits"].as_u64().unwrap() > 2 * longest + 2);
    let sets = info(dir.path())["sets"].as_array().unwrap().clone();
    assert_eq!(sets.len(), 2);
    assert!(sets[0]["metric"] == "wdl" && sets[1]["metric"] == "dtw");
    assert!(
        sets[1]["command"].as_str().unwrap().contains("--layers 1-31 --metric dtw"),
        "{}",
        sets[1]
    );
}

#[test]
fn distances_need_lower_distances_and_the_error_names_the_command() {
    let dir = TempDir::new().unwrap();
    let ran = run("solve --layers 5 --metric dtw", dir.path());
    ran.fails_in_a_line(1, &["depends on layer 4", "--layers 1-5 --metric dtw"]);
    let plan = run("solve --layers 4 --metric dtw --dry-run --json", dir.path()).json();
    assert_eq!((&plan["metric"], &plan["layers"][0]["layer"]), (&json!("dtw"), &json!(4)));
    let plans = run("solve --layers 4 --metric wdl,dtw --dry-run --json", dir.path()).json();
    let metrics: Vec<_> =
        plans["sets"].as_array().unwrap().iter().map(|plan| plan["metric"].clone()).collect();
    assert_eq!((keys(&plans), metrics), (vec!["schema", "sets"], vec![json!("wdl"), json!("dtw")]));
    assert_eq!(files(dir.path()), Vec::<String>::new());
}

/// Tables of outcomes and distances, of which the distances of layer 5 are truncated.
fn truncated() -> TempDir {
    let dir = TempDir::new().unwrap();
    for entry in fs::read_dir(shared()).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        if name.starts_with("fox-geese.free.") {
            fs::copy(entry.path(), dir.path().join(&name)).unwrap();
        }
    }
    let table = dir.path().join("fox-geese.free.L05.dtw.anser");
    fs::OpenOptions::new().write(true).open(table).unwrap().set_len(5000).unwrap();
    dir
}

#[test]
fn a_table_of_distances_that_cannot_be_used_is_reported_with_what_is_known() {
    let dir = truncated();
    let file = "fox-geese.free.L05.dtw.anser";
    let whole = probe(WON, shared(), &["--json"]).json();
    assert!(whole["dtw"].is_u64(), "{whole}");
    let ran = probe(WON, dir.path(), &["--json"]);
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(ran.err.contains(file), "{}", ran.err);
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["outcome"], whole["outcome"]);
    assert!(answer["dtw"].is_null(), "{answer}");
    let ran = probe(WON, dir.path(), &[]);
    ran.fails(3, &[file, "5000 bytes"]);
    assert!(ran.out.contains("to move:"), "{}", ran.out);
    // Layers that the answer does not need are not in doubt.
    let below = format!("{DRAWN} f");
    assert_eq!(probe(&below, dir.path(), &[]).code, 0);

    let batch = dir.path().join("batch");
    fs::write(&batch, format!("{WON}\n{below}\n")).unwrap();
    let words = format!("probe --batch {}", batch.display());
    let ran = run(&words, dir.path());
    ran.fails(3, &[file, "1 of 2 answers lack"]);
    let lines: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["outcome"], whole["outcome"]);
    assert_eq!(lines[0]["error"]["kind"], "corrupt");
    assert_eq!(lines[1].get("error"), None);
    let text = format!("position\n{WON}\n");
    fs::write(&batch, text).unwrap();
    let ran = run(&format!("{words} --format csv"), dir.path());
    ran.fails(3, &[file]);
    assert!(ran.out.lines().nth(1).unwrap().contains(file), "{}", ran.out);

    for words in ["zugzwang --layers 5", "census --layers 5", "hardest --layers 5"] {
        run(words, dir.path()).fails(3, &[file]);
    }
    assert!(run("zugzwang --layers 5", dir.path()).out.contains("one-sided"));
    let ran = run("stats", dir.path());
    ran.fails(3, &[file]);
    assert!(ran.out.contains("13,290,816"), "{}", ran.out);
    run(&format!("line {WON}"), dir.path()).fails(3, &[file]);
    let mut play = anser(["play", "--tables"]);
    let played = play.arg(dir.path()).arg(WON).write_stdin("quit\n").output().unwrap();
    Ran::new(&played).fails(3, &[file]);
}

#[test]
fn a_table_of_outcomes_that_cannot_be_used_leaves_the_moves_to_other_layers() {
    let dir = copies(&[4, 5]);
    let table = dir.path().join(table("free", 4));
    fs::OpenOptions::new().write(true).open(table).unwrap().set_len(5000).unwrap();
    let ran = probe(CAPTURE, dir.path(), &["--json"]);
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(ran.err.contains("L04.wdl.anser"), "{}", ran.err);
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert!(answer["outcome"].is_string(), "{answer}");
    let moves = answer["moves"].as_array().unwrap();
    assert!(moves.iter().any(|mv| mv["outcome"].is_null()), "{answer}");
}

#[test]
fn an_export_without_the_distances_of_a_damaged_table_is_complete_otherwise_and_fails() {
    let (dir, file) = (copies(&[4]), "fox-geese.free.L04.dtw.anser");
    let words = "export --layers 4 --canonical --format csv";
    let outcomes = run(words, dir.path());
    assert_eq!(outcomes.code, 0, "{}", outcomes.err);
    fs::copy(shared().join(file), dir.path().join(file)).unwrap();
    let table = fs::OpenOptions::new().write(true).open(dir.path().join(file));
    table.unwrap().set_len(5000).unwrap();
    let ran = run(words, dir.path());
    assert_eq!((ran.code, ran.out == outcomes.out), (3, true), "{}", ran.err);
    assert!(ran.err.contains(file) && ran.err.contains("5000 bytes"), "{}", ran.err);
    let out = dir.path().join("out.csv");
    let ran = run(&format!("{words} --out {}", out.display()), dir.path());
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(fs::read_to_string(out).unwrap() == outcomes.out);
}

#[test]
fn statistics_in_csv_have_a_row_for_each_outcome_under_one_header() {
    let (dir, _) = both();
    assert_eq!(run("solve --layers 4 --rules forward", dir.path()).code, 0);
    let text = run("stats --format csv", dir.path()).text().to_owned();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("game,rules,layer,to_move,outcome,positions,longest"));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 12);
    let mut rows = rows.iter();
    for rules in ["forward", "free"] {
        let answer = run(&format!("stats --rules {rules} --json"), dir.path()).json();
        let layer = &answer["layers"][0];
        for side in ["fox", "geese"] {
            for outcome in ["fox", "draw", "geese"] {
                let longest = layer["longest"][side][outcome].as_u64();
                let longest = longest.map_or(String::new(), |plies| plies.to_string());
                let positions = layer["to_move"][side][outcome].to_string();
                let row = ["fox-geese", rules, "4", side, outcome, &positions, &longest];
                assert_eq!(rows.next().unwrap(), &row);
            }
        }
    }
}
