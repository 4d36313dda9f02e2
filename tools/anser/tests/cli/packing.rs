//! `anser pack` and `anser unpack`: smaller files, the same answers, the same bytes back, and
//! tables of several directories in one.

use std::fs;
use std::path::Path;

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

/// Starts a task of the job array for Slurm, which solves into a directory of its own in `shards`.
#[cfg(unix)]
fn start_task(task: &str, rules: &[&str], shards: &Path) -> std::process::Child {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/cluster/array.sbatch");
    let mut command = std::process::Command::new("bash");
    command.arg(script).args(rules).env("ANSER", crate::support::binary()).env("OUT", shards);
    command.env("SLURM_ARRAY_TASK_ID", task).env("SLURM_MEM_PER_NODE", "1000");
    command.spawn().unwrap()
}

#[test]
#[cfg(unix)]
fn layers_that_jobs_solved_into_directories_of_their_own_are_merged() {
    let dir = TempDir::new().unwrap();
    let tasks = ["4", "5"].map(|task| start_task(task, &[], dir.path()));
    for mut task in tasks {
        assert!(task.wait().unwrap().success());
    }
    let shards = ["4", "5"].map(|task| dir.path().join(task));
    let info = anser(["info", "--json"]).args(&shards).output().unwrap();
    let answer = Ran::new(&info).json();
    let names = shards.each_ref().map(|shard| shard.to_str().unwrap());
    assert_eq!((&answer["directory"], &answer["directories"]), (&json!(names[0]), &json!(names)));
    assert_eq!(answer["sets"].as_array().unwrap().len(), 1);
    let set = &answer["sets"][0];
    assert_eq!([&set["layers"][0]["layer"], &set["layers"][1]["layer"]], [4, 5]);
    assert_eq!(set["missing"].as_array().unwrap().len(), 29);
    // Layers that stand alone are not solved again, although they are in another directory.
    let solve = |layers| {
        let first = names[0];
        format!("anser solve fox-geese --rules first-capture --layers {layers} --tables {first}")
    };
    assert_eq!(set["command"], format!("{} && {}", solve("1-3"), solve("6-31")));
    let text = Ran::new(&anser(["info"]).args(&shards).output().unwrap());
    assert!(text.text().starts_with(&format!("{}\n{}\n\n", names[0], names[1])), "{}", text.out);
    assert!(text.out.contains("fox-geese, rules first-capture: layers 4-5\n"), "{}", text.out);

    let ship = dir.path().join("ship");
    let list = std::env::join_paths(&shards).unwrap();
    let mut pack = anser(["pack", "--json", "--out"]);
    let made = Ran::new(&pack.arg(&ship).env("ANSER_TABLES", list).output().unwrap()).json();
    assert_eq!(made["tables"].as_array().unwrap().len(), 2);
    let rules = ["--rules", "first-capture"];
    for position in [CAPTURE, &format!("{DRAWN} f")] {
        let merged = probe(position, &ship, &rules);
        assert_eq!(merged.text(), probe(position, tables(), &rules).text());
    }
    let verified = run("verify --full", &ship);
    assert!(!verified.err.contains("listed in no manifest"), "{}", verified.err);
    assert_eq!(verified.text().matches("sound, every value").count(), 2, "{}", verified.out);
    let stats = run("stats --json", &ship).json();
    for layer in stats["layers"].as_array().unwrap() {
        assert!(layer["rounds"].is_u64(), "how each job solved its layer is kept: {layer}");
    }

    // A task per rule set.
    let refused = start_task("3", &["free", "forward"], dir.path()).wait().unwrap();
    assert_eq!(refused.code(), Some(2));
}

#[test]
fn several_directories_are_described_together() {
    let info = |json: &[&str], paths: &[&Path]| {
        Ran::new(&anser(["info"]).args(json).args(paths).output().unwrap())
    };
    // A table in two directories counts once.
    let (once, twice) =
        (info(&["--json"], &[tables()]).json(), info(&["--json"], &[tables(), tables()]).json());
    for key in ["directory", "sets", "total", "unfinished", "unusable"] {
        assert_eq!(once[key], twice[key]);
    }
    assert!(once.get("directories").is_none());
    // One command makes layers that depend on each other.
    let (low, high) = (copies(&[1, 2]), copies(&[4]));
    let together = info(&["--json"], &[high.path(), low.path()]).json();
    let set = &together["sets"][0];
    assert_eq!(set["missing"].as_array().unwrap()[..2], [json!(3), json!(5)]);
    let command = format!(
        "anser solve fox-geese --rules free --layers 1-31 --tables {}",
        high.path().display()
    );
    assert_eq!(set["command"], command);
    // Files are named with their directory.
    fs::write(low.path().join("fox-geese.free.L03.wdl.anser"), "no table").unwrap();
    fs::write(high.path().join("fox-geese.free.L05.wdl.anser.part"), "half a table").unwrap();
    let ran = info(&[], &[low.path(), high.path()]);
    ran.fails(3, &["L03", "not a table"]);
    for part in [low.path().join(table("free", 3)), high.path().join(table("free", 5))] {
        assert!(ran.out.contains(part.to_str().unwrap()), "{}", ran.out);
    }
    let file = tables().join(table("free", 4));
    let advice = format!("`anser info {}` describes the file", file.display());
    info(&[], &[low.path(), &file]).fails_in_a_line(2, &["is not a directory", &advice]);
    info(&[], &[low.path(), &low.path().join("none")]).fails_in_a_line(4, &["cannot be read"]);
}
