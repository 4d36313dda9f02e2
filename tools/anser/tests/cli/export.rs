//! `anser export`: every position with its value.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::{Ran, anser, run, tables};

/// Runs a command without --tables.
fn plain(words: &str) -> Ran {
    Ran::new(&anser(words.split(' ')).output().expect("anser runs"))
}

fn export(words: &str) -> String {
    let ran = run(&format!("export {words}"), tables());
    ran.text().to_owned()
}

#[test]
fn the_reachable_positions_of_hexapawn_are_135_lines_with_the_values_that_probe_gives() {
    let ran = anser(["export", "hexapawn:3x3", "--reachable"]).output().expect("anser runs");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let text = String::from_utf8(ran.stdout).expect("text");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines[0], lines.len()), ("layer,position,to_move,outcome,dtw,orbit", 136));
    assert!(lines.contains(&"12,ppp/3/PPP w,white,black,6,1"), "{text}");
    // One position of each class.
    let ran = anser(["export", "hexapawn:3x3", "--reachable", "--canonical"])
        .output()
        .expect("anser runs");
    let classes = String::from_utf8(ran.stdout).expect("text").lines().count() - 1;
    assert!((68..135).contains(&classes), "{classes}");
}

#[cfg(unix)]
#[test]
fn a_link_leads_to_the_file_that_is_written_and_a_pipe_stays_one() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    use std::{fs, thread};

    let dir = tempfile::TempDir::new().unwrap();
    let [real, link, pipe] = ["real.csv", "link.csv", "pipe"].map(|name| dir.path().join(name));
    let export = |to: &std::path::Path| {
        let words = ["export", "hexapawn:3x3", "--reachable", "--out"];
        Ran::new(&anser(words).arg(to).output().expect("anser runs"))
    };
    fs::write(&real, "old").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    symlink("real.csv", &link).unwrap();
    assert_eq!(export(&link).code, 0);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    let text = fs::read_to_string(&real).unwrap();
    assert_eq!(text.lines().count(), 136);
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
    assert!(made.success());
    let reader = thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    assert_eq!(export(&pipe).code, 0);
    assert_eq!(reader.join().unwrap(), text);
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    // A link to a file that does not exist yet, and links that lead nowhere.
    symlink("new.csv", dir.path().join("dangling")).unwrap();
    assert_eq!(export(&dir.path().join("dangling")).code, 0);
    assert_eq!(fs::read_to_string(dir.path().join("new.csv")).unwrap(), text);
    symlink("circle", dir.path().join("circle")).unwrap();
    export(&dir.path().join("circle"))
        .fails(4, &["circle: it cannot be written", "too many links"]);
    assert!(fs::symlink_metadata(dir.path().join("circle")).unwrap().is_symlink());
    export(dir.path()).fails(4, &["it cannot be written", "name a file in it"]);
    export("-".as_ref()).fails(2, &["- does not name a file", "leave --out out"]);
}

#[test]
fn all_positions_of_hare_and_hounds_are_2640_objects() {
    let ran = anser(["export", "hare-hounds", "--rules", "unlimited", "--format", "ndjson"])
        .output()
        .expect("anser runs");
    let text = String::from_utf8(ran.stdout).expect("text");
    let rows: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    assert_eq!(rows.len(), 2_640);
    let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
    for row in &rows {
        assert_eq!(row["schema"], 1);
        *outcomes.entry(format!("{} {}", row["to_move"], row["outcome"])).or_default() += 1;
    }
    let known = include_str!("../../../../crates/anser-reproduce/data/hare-hounds.json");
    let known: Value = serde_json::from_str(known).expect("JSON");
    let entries = known["entries"].as_array().expect("entries");
    let won = |entry: &&Value| entry["figure"] == "won_positions" && entry["rules"] == "unlimited";
    let won = &entries.iter().find(won).expect("an entry")["true"];
    for (letter, side) in [("r", "hare"), ("h", "hounds")] {
        for outcome in ["hare", "hounds", "draw"] {
            let count = outcomes.get(&format!("\"{side}\" \"{outcome}\"")).copied().unwrap_or(0);
            assert_eq!(
                count as u64,
                won[letter][outcome].as_u64().unwrap_or(0),
                "{side} {outcome}"
            );
        }
    }
}

#[test]
fn tables_are_exported_by_layer_and_a_missing_one_is_an_error() {
    let text = export("fox-geese --rules free --layers 1-2");
    assert_eq!(text.lines().count(), 1 + 2_112 + 32_736);
    let canonical = export("fox-geese --rules free --layers 1-2 --canonical");
    let orbits = canonical
        .lines()
        .skip(1)
        .map(|line| line.rsplit(',').next().expect("a size").parse::<u64>().expect("a number"));
    assert_eq!(orbits.sum::<u64>(), 2_112 + 32_736);
    let empty = tempfile::TempDir::new().expect("a directory");
    let ran = anser(["export", "fox-geese", "--layers", "20", "--tables"])
        .arg(empty.path())
        .output()
        .expect("anser runs");
    assert_eq!(ran.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("anser solve"));
}

#[test]
fn a_file_appears_under_its_name_when_it_is_complete() {
    let dir = tempfile::TempDir::new().expect("a directory");
    let file = dir.path().join("positions.csv");
    let out = file.to_str().expect("text");
    let ran = anser(["export", "hexapawn:3x3", "--reachable", "--out", out])
        .output()
        .expect("anser runs");
    assert!(ran.status.success() && ran.stdout.is_empty());
    assert_eq!(std::fs::read_to_string(&file).expect("the file").lines().count(), 136);
    assert_eq!(std::fs::read_dir(dir.path()).expect("the directory").count(), 1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // A file of another program, with the permissions that the user's mask leaves.
        let other = dir.path().join("other");
        std::fs::write(&other, "").expect("it can be written");
        let mode = |path| std::fs::metadata(path).expect("it is there").permissions().mode();
        assert_eq!(mode(&file), mode(&other));
    }
    let ran = anser(["export", "hexapawn:3x3", "--out", "/nowhere/positions.csv"])
        .output()
        .expect("anser runs");
    let says = [
        "/nowhere/positions.csv: it cannot be written: its directory does not exist",
        "name a file in a directory",
    ];
    Ran::new(&ran).fails_in_a_line(4, &says);
}

#[test]
fn families_of_rule_sets_and_names_that_cannot_be_chosen_are_listed() {
    let text = plain("rules hare-hounds");
    assert!(text.text().contains("budget-N, N from 1 to 200"), "{}", text.out);
    let text = plain("rules hasenspiel");
    assert!(text.text().contains("as-printed (cannot be chosen)"), "{}", text.out);
    let answer = plain("rules hare-hounds --json").json();
    assert_eq!(answer["families"][0]["pattern"], "budget-N");
    assert_eq!(answer["families"][0]["greatest"], 200);
    let ran = anser(["count", "hasenspiel", "--rules", "as-printed"]).output().expect("anser runs");
    assert_eq!(ran.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("anser reproduce hasenspiel"));
}

#[test]
fn hasenspiel_is_counted_exported_and_solved_on_other_boards() {
    let answer = plain("count hasenspiel:6 --json").json();
    assert_eq!(answer["game"], "hasenspiel:6");
    let general = plain("export hasenspiel:6 --reachable").text().to_owned();
    assert_eq!(answer["reachable"], general.lines().count() as u64 - 1);
    let start =
        general.lines().find(|line| line.contains(",1W1/3/3/3/3/bbb w,")).expect("the start");
    let value = format!(
        "{},{}",
        answer["start"]["outcome"].as_str().expect("a side"),
        answer["start"]["dtw"]
    );
    assert!(start.contains(&value), "{start} {value}");
    assert_eq!(plain("count hasenspiel:8-4 --json").json()["game"], "hasenspiel");
    let dir = tempfile::TempDir::new().expect("a directory");
    let solved = anser(["solve", "hasenspiel:6-2", "--metric", "dtw", "--tables"])
        .arg(dir.path())
        .output()
        .expect("anser runs");
    assert!(solved.status.success(), "{}", String::from_utf8_lossy(&solved.stderr));
    let probed = anser(["probe", "hasenspiel:6-2", "1W1/3/3/3/3/bb1 w", "--json", "--tables"])
        .arg(dir.path())
        .output();
    let probed: Value =
        serde_json::from_slice(&probed.expect("anser runs").stdout).expect("an answer");
    assert_eq!((&probed["game"], &probed["outcome"]), (&"hasenspiel:6-2".into(), &"rabbit".into()));
    let ran = anser(["count", "hasenspiel:8-5"]).output().expect("anser runs");
    assert_eq!(ran.status.code(), Some(2));
}
