//! Directories that are searched for tables, and tables that commands work on by default.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{
    DRAWN, OPENING, Ran, anser, binary, copies, edit, keys, probe, run, skip, table, tables,
};

/// A position of layer 7, whose only table is the embedded one.
const SEVEN: &str = "3/3/7/3F3/2ggg2/1gg/1gg f";

#[test]
fn only_chosen_directories_and_the_embedded_tables_are_searched() {
    let above = TempDir::new().unwrap();
    let planted = above.path().join("data/tables");
    run("solve fox-hounds:4", &planted).text();
    let below = above.path().join("a/b");
    fs::create_dir_all(&below).unwrap();
    let stats = |words: &[&str]| Ran::new(&anser(words).current_dir(&below).output().unwrap());
    // Tables in an ancestor of the working directory are not found.
    stats(&["stats", "fox-hounds:4"])
        .fails_in_a_line(1, &["no table of fox-hounds:4", "(built into anser)"]);
    // Nor are those beside the program.
    let copied = above.path().join("anser");
    fs::copy(binary(), &copied).unwrap();
    let output = Command::new(&copied)
        .args(["stats", "fox-hounds:4"])
        .env("ANSER_TABLES", "")
        .current_dir(&below)
        .output()
        .unwrap();
    Ran::new(&output).fails_in_a_line(1, &["no table of fox-hounds:4"]);
    // The embedded tables are found anywhere, with their manifest.
    for rules in ["free", "first-capture", "forward"] {
        let answer = stats(&["stats", "--rules", rules, "--json"]).json();
        let layers = answer["layers"].as_array().unwrap();
        assert_eq!(
            layers.iter().map(|layer| layer["layer"].as_u64().unwrap()).collect::<Vec<_>>(),
            [1, 2, 3, 4, 5, 6, 7]
        );
        assert!(layers.iter().all(|layer| layer["rounds"].is_u64()), "{answer}");
        let probed = stats(&["probe", "--json", SEVEN, "--rules", rules]);
        assert!(probed.json()["outcome"].is_string());
    }
    // Errors list them among the places searched.
    stats(&["probe", OPENING]).fails_in_a_line(1, &["layer 13", "in (built into anser)"]);
    // If a directory is given, only that is searched.
    run("stats --rules free", &planted).fails_in_a_line(1, &["no table of fox-geese (rules free)"]);
}

/// A copy of all of `tables`, with its manifests.
fn copy_of_all() -> TempDir {
    let dir = TempDir::new().unwrap();
    for file in fs::read_dir(tables()).unwrap().map(Result::unwrap) {
        if file.file_name().to_str().unwrap().starts_with("fox-geese.") {
            fs::copy(file.path(), dir.path().join(file.file_name())).unwrap();
        }
    }
    dir
}

/// The values of a key of all tables or sets.
fn each<'a>(answers: &'a Value, key: &str) -> Vec<&'a Value> {
    answers.as_array().expect("a list").iter().map(|answer| &answer[key]).collect()
}

#[test]
fn without_a_rule_set_commands_work_on_all_sets_found_and_list_them() {
    let dir = copy_of_all();
    let both = "found 2 sets of tables: fox-geese --rules first-capture, layers 4-5; fox-geese \
                --rules free, layers 1-5";
    let stats = run("stats --json", dir.path());
    assert!(stats.err.contains(both), "{}", stats.err);
    let answer = stats.json();
    assert_eq!((keys(&answer), &answer["schema"]), (vec!["schema", "sets"], &json!(1)));
    assert_eq!(each(&answer["sets"], "rules"), ["first-capture", "free"]);
    assert_eq!(keys(&answer["sets"][0]), ["game", "layers", "rules"]);
    for rules in ["first-capture", "free"] {
        assert!(run("stats", dir.path()).text().contains(&format!("fox-geese, rules {rules}\n")));
        assert!(run("verify", dir.path()).text().contains(&table(rules, 4)));
    }
    // A game alone selects all its rule sets; a rule set alone selects that one.
    assert!(run("stats fox-geese --json", dir.path()).json()["sets"].is_array());
    assert_eq!(
        run("stats --rules first-capture --json", dir.path()).json()["rules"],
        "first-capture"
    );

    // Damage in one set does not stop the check of the other.
    for rules in ["first-capture", "free"] {
        let damaged = copy_of_all();
        edit(&damaged.path().join(table(rules, 5)), |bytes| bytes[9000] ^= 1);
        let ran = run("verify --json", damaged.path());
        ran.fails(3, &[&format!("fox-geese (rules {rules}): 1 of"), "have problems"]);
        let answer: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(each(&answer["sets"], "sound"), [rules != "first-capture", rules != "free"]);
    }

    let (packed, back) = (dir.path().join("packed"), dir.path().join("back"));
    let made = run(&format!("pack --json --out {}", packed.display()), dir.path()).json();
    assert_eq!(
        made["sets"]
            .as_array()
            .unwrap()
            .iter()
            .map(|set| set["tables"].as_array().unwrap().len())
            .sum::<usize>(),
        7
    );
    run(&format!("unpack --out {}", back.display()), &packed).text();
    for (rules, layer) in [("free", 1), ("free", 5), ("first-capture", 4), ("first-capture", 5)] {
        let name = table(rules, layer);
        assert!(
            fs::read(back.join(&name)).unwrap() == fs::read(dir.path().join(&name)).unwrap(),
            "{name}"
        );
    }
}

#[test]
fn errors_about_a_missing_set_list_the_sets_found() {
    let dir = copy_of_all();
    for layer in 1..=5 {
        fs::remove_file(dir.path().join(table("free", layer))).unwrap();
    }
    fs::remove_file(dir.path().join("fox-geese.free.manifest.json")).unwrap();
    // A single set is answered as if it had been given.
    let stats = run("stats --json", dir.path());
    assert!(stats.err.contains("fox-geese --rules first-capture, layers 4-5"), "{}", stats.err);
    assert_eq!(
        (keys(&stats.json()), &stats.json()["rules"]),
        (vec!["game", "layers", "rules", "schema"], &json!("first-capture"))
    );
    assert_eq!(run("verify --json", dir.path()).json()["rules"], "first-capture");
    // If another set is requested, the error lists the one found.
    let there = "found fox-geese --rules first-capture, layers 4-5";
    probe(&format!("{DRAWN} f"), dir.path(), &[])
        .fails_in_a_line(1, &["layer 4", "rules free", there]);
    for command in ["stats", "verify", "pack --out unused", "unpack --out unused"] {
        run(&format!("{command} --rules free"), dir.path())
            .fails_in_a_line(1, &["no table of", there]);
        run(&format!("{command} fox-hounds:8"), dir.path())
            .fails_in_a_line(1, &["no table of fox-hounds:8", there]);
    }
    assert!(!Path::new("unused").exists(), "a refused command leaves no directory");
    // Not if only a layer of the requested set is missing.
    assert!(!probe(OPENING, tables(), &[]).err.contains("found"));
}

#[test]
fn missing_tables_are_solved_into_a_directory_that_is_made_as_by_solve() {
    let dir = TempDir::new().expect("there is a temporary directory");
    let new = dir.path().join("new/tables");
    run("probe haretavl", &new).fails(4, &["new/tables: the directory of tables cannot be read"]);
    assert_eq!(run("probe haretavl --solve --json", &new).json()["outcome"], "hounds");
    assert!(new.join("haretavl.standard.manifest.json").exists());
}

#[test]
fn what_cannot_be_read_is_told_from_what_is_damaged() {
    let dir = copies(&[4]);
    std::fs::create_dir(dir.path().join(table("free", 5))).expect("the name is new");
    let info = Ran::new(&anser(["info"]).arg(dir.path()).output().expect("anser runs"));
    info.fails(4, &["free.L05.wdl.anser"]);
    edit(&dir.path().join(table("free", 4)), |bytes| bytes.truncate(100));
    let info = Ran::new(&anser(["info"]).arg(dir.path()).output().expect("anser runs"));
    info.fails(3, &["1 more cannot be used"]);
}

#[test]
fn a_listed_set_without_any_table_is_reported() {
    let dir = copy_of_all();
    for layer in 4..=5 {
        fs::remove_file(dir.path().join(table("first-capture", layer))).unwrap();
    }
    let ran = run("verify", dir.path());
    ran.fails(3, &["fox-geese (rules first-capture)", "listed in the manifest and not there"]);
    ran.fails(3, &["2 of 2 tables are missing; copy or solve them again; the command of a run"]);
    fs::remove_file(dir.path().join("fox-geese.first-capture.manifest.json")).unwrap();
    run("verify", dir.path()).text();
    let sums = format!("{}  ./{}\n", "0".repeat(64), table("first-capture", 4));
    fs::write(dir.path().join("SHA256SUMS"), sums).unwrap();
    run("verify", dir.path())
        .fails(3, &["first-capture.L04", "listed in SHA256SUMS and not there"]);
}

#[test]
fn verify_reports_files_without_a_listed_digest_and_checks_sha256sums() {
    let dir = copies(&[3, 4]);
    let ran = run("verify --json", dir.path());
    assert!(ran.err.contains("listed in no manifest and no SHA256SUMS"), "{}", ran.err);
    let answer = ran.json();
    assert_eq!(answer["not_compared"].as_array().unwrap().len(), 1);
    assert_eq!(
        each(&answer["tables"], "compared"),
        [&json!({"manifest": false, "sha256sums": false}); 2]
    );

    // A listed table that cannot be opened is not called unlisted.
    let solved = TempDir::new().unwrap();
    run("solve --layers 1-2", solved.path()).text();
    edit(&solved.path().join(table("free", 2)), |bytes| bytes.truncate(300));
    let ran = run("verify", solved.path());
    ran.fails(3, &["truncated"]);
    assert!(!ran.err.contains("listed in no manifest"), "{}", ran.err);

    let sums = |text: &str| fs::write(dir.path().join("SHA256SUMS"), text).unwrap();
    let line = |layer: u16| {
        let name = table("free", layer);
        let digest =
            anser_table::manifest::FileDigest::of_file(&dir.path().join(&name)).unwrap().sha256;
        format!("{digest}  ./{name}\n")
    };
    sums(&line(3));
    let answer = run("verify --json", dir.path()).json();
    assert!(
        answer["not_compared"][0].as_str().unwrap().contains("tables of layer 4 of"),
        "{answer}"
    );
    sums(&(line(3) + &line(4)));
    let ran = run("verify --json", dir.path());
    assert_eq!((ran.json()["not_compared"].clone(), ran.err.as_str()), (json!([]), ""));
    // A listed table that cannot be opened has a problem of its own.
    let sound = fs::read(dir.path().join(table("free", 4))).unwrap();
    edit(&dir.path().join(table("free", 4)), |bytes| bytes.truncate(5000));
    let ran = run("verify --json", dir.path());
    assert!(ran.err.contains("truncated"), "{}", ran.err);
    assert!(!ran.err.contains("listed in no manifest"), "{}", ran.err);
    fs::write(dir.path().join(table("free", 4)), sound).unwrap();
    // A sound table whose digest is not the listed one.
    let other = format!("{}  ./{}\n", "0".repeat(64), table("free", 3));
    sums(&(other + &line(4)));
    run("verify", dir.path()).fails(3, &["L03", "its SHA-256 is another", "1 of 2 tables"]);
    // Files that are listed but missing, or are not tables.
    sums(&(line(3) + &line(4) + &line(4).replace("L04", "L05")));
    run("verify", dir.path()).fails(3, &["L05", "listed in SHA256SUMS and not there"]);
    run("verify --layers 3-4", dir.path()).text();
    sums(&(line(3) + &format!("{}  NOTES\n", "0".repeat(64))));
    run("verify", dir.path()).fails(3, &["NOTES: listed in SHA256SUMS and not there"]);
    sums("this is not a list\n");
    run("verify", dir.path()).fails(3, &["SHA256SUMS: not a list of checksums", "line 1"]);
}

/// Runs commands as they are printed.
fn shell(commands: &str) -> Ran {
    let programs = Path::new(binary()).parent().unwrap().display();
    let mut shell = Command::new("bash");
    shell.args(["-c", commands]).env("ANSER_TABLES", "");
    shell.env("PATH", format!("{programs}:{}", std::env::var("PATH").unwrap()));
    Ran::new(&shell.output().unwrap())
}

#[test]
fn a_damaged_table_is_reported_with_the_commands_that_replace_it() {
    let dir = copy_of_all();
    edit(&dir.path().join(table("free", 5)), |bytes| bytes[9000] ^= 1);
    let ran = run("verify --rules free --json", dir.path());
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    let command = answer["tables"][4]["command"].as_str().unwrap().to_owned();
    assert!(answer["tables"][3]["command"].is_null());
    run("verify --rules free", dir.path()).fails(3, &["to replace it: ", &command]);
    shell(&command).text();
    run("verify --rules free", dir.path()).text();
    // `info` reports the command too, for damage that opening detects.
    edit(&dir.path().join(table("free", 5)), |bytes| bytes[200] ^= 1);
    let ran = Ran::new(&anser(["info", "--json"]).arg(dir.path()).output().unwrap());
    assert_eq!(ran.code, 3, "{}", ran.err);
    let info: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(info["unusable"][0]["command"], json!(command));
    fs::remove_file(dir.path().join(table("free", 5).replace(".anser", ".damaged.anser"))).unwrap();
    shell(&command).text();
    run("verify --rules free", dir.path()).text();
}

#[test]
fn damaged_packed_tables_of_both_metrics_are_replaced_by_the_printed_commands() {
    let dir = TempDir::new().unwrap();
    run("solve --rules free --layers 1-3 --metric wdl,dtw --packed", dir.path()).text();
    let of = |metric: &str| dir.path().join(format!("fox-geese.free.L03.{metric}.anserz"));
    let sound = ["wdl", "dtw"].map(|metric| fs::read(of(metric)).unwrap());
    for metric in ["wdl", "dtw"] {
        edit(&of(metric), |bytes| *bytes.last_mut().unwrap() ^= 1);
    }
    let answer: Value = serde_json::from_str(&run("verify --json", dir.path()).out).unwrap();
    let commands: Vec<&str> =
        each(&answer["tables"], "command").into_iter().filter_map(Value::as_str).collect();
    assert_eq!(commands.len(), 2, "{answer}");
    for command in commands {
        shell(command).text();
    }
    run("verify --full", dir.path()).text();
    assert_eq!(["wdl", "dtw"].map(|metric| fs::read(of(metric)).unwrap()), sound);
}

#[test]
fn info_sums_up_every_set_and_all_of_them() {
    let info =
        |more: &[&str]| Ran::new(&anser(["info"]).args(more).arg(tables()).output().unwrap());
    let answer = info(&["--json"]).json();
    let totals = each(&answer["sets"], "total");
    assert_eq!(
        [&totals[0]["layer_count"], &totals[1]["layer_count"], &answer["total"]["layer_count"]],
        [2, 5, 7]
    );
    for key in ["/positions", "/bytes/raw", "/bytes/packed"] {
        let sum: u64 =
            totals.iter().map(|total| total.pointer(key).unwrap().as_u64().unwrap()).sum();
        assert_eq!(*answer["total"].pointer(key).unwrap(), sum);
    }
    assert_eq!(totals[0]["positions"], 2_373_360 + 13_290_816);
    let text = info(&[]);
    assert!(text.text().contains("in all 2 layers, 15,664,176 positions"), "{}", text.out);
    assert!(text.out.contains("2 sets of tables: 7 layers, "), "{}", text.out);
}

#[test]
fn a_manifest_lists_plain_names_of_tables_of_its_own_game_only() {
    let dir = TempDir::new().unwrap();
    run("solve --rules first-capture --layers 4-5", dir.path()).text();
    let path = dir.path().join("fox-geese.first-capture.manifest.json");
    let manifest: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let four = table("first-capture", 4);
    let check = |change: &dyn Fn(&mut Value), says: &[&str]| {
        let mut changed = manifest.clone();
        change(&mut changed);
        fs::write(&path, serde_json::to_vec(&changed).unwrap()).unwrap();
        let ran = run("verify", dir.path());
        ran.fails(3, says);
        assert!(!ran.err.contains('\u{1b}') && !ran.out.contains('\u{1b}'), "{:?}", ran.err);
    };
    let entry = |key: &'static str, value: Value| {
        let four = four.clone();
        move |manifest: &mut Value| manifest["tables"][&four][key] = value.clone()
    };
    check(
        &entry("payload_blake3", json!("0".repeat(64))),
        &["L04", "it differs in digest of the payload"],
    );
    check(&entry("metric", json!("dtw")), &["L04", "it differs in metric"]);
    check(&entry("kind", json!("packed")), &["L04", "it differs in kind"]);
    check(&entry("layer", json!(5)), &["L04", "it differs in layer"]);
    check(&entry("bytes", json!(5)), &["L04", "it differs in length"]);
    check(
        &|manifest| manifest["game"] = json!("chess"),
        &["it is of \"chess\"", "fox-geese (rules first-capture)"],
    );
    check(&|manifest| manifest["rules"] = json!("free"), &["(rules \"free\")"]);
    for key in
        ["/etc/passwd", "../x", "\u{1b}]0;title\u{7}", "NOTES", "fox-geese.free.L04.wdl.anser"]
    {
        let rename = |manifest: &mut Value| {
            let entry = manifest["tables"][&four].clone();
            manifest["tables"][key] = entry;
        };
        check(&rename, &["is not the name of a table of this game and rule set"]);
    }
    // A solver does not write into a manifest of another game.
    check(&|manifest| manifest["game"] = json!("chess"), &["chess"]);
    run("solve --rules first-capture --layers 3-4", dir.path())
        .fails_in_a_line(3, &["it is of \"chess\""]);
}

#[test]
fn a_damaged_table_is_not_listed_anew_when_the_manifest_is_lost() {
    let dir = copies(&[4, 5]);
    let path = dir.path().join(table("free", 5));
    edit(&path, |bytes| bytes[9000] ^= 1);
    let ran = run("solve --layers 4-5", dir.path());
    ran.fails(
        3,
        &["L05", "damaged", "make it again: anser solve fox-geese --rules free --layers 1-5"],
    );
    let listed = || fs::read_to_string(dir.path().join("fox-geese.free.manifest.json")).unwrap();
    assert!(listed().contains("L04") && !listed().contains("L05"), "{}", listed());
    fs::copy(tables().join(table("free", 5)), &path).unwrap();
    run("solve --layers 4-5", dir.path()).text();
    assert!(listed().contains("L05"));
}

#[test]
#[cfg(unix)]
fn pipes_in_the_place_of_files_are_errors_and_never_block() {
    let pipe = |path: &Path| assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    let run = |words: &str, dir: &Path| {
        let mut command = anser(words.split(' '));
        Ran::new(
            &command.arg("--tables").arg(dir).timeout(Duration::from_mins(1)).output().unwrap(),
        )
    };
    let dir = copies(&[1, 2]);
    let place = |name: &str| dir.path().join(name);
    pipe(&place(".anser.lock"));
    run("solve --layers 3", dir.path()).fails(3, &[".anser.lock", "not a file of anser"]);
    run(&format!("pack --out {}", dir.path().display()), dir.path()).fails(3, &[".anser.lock"]);
    fs::remove_file(place(".anser.lock")).unwrap();
    pipe(&place("fox-geese.free.manifest.json"));
    run("solve --layers 3", dir.path()).fails(4, &["manifest.json", "not a regular file"]);
    run("verify", dir.path()).fails(4, &["manifest.json", "not a regular file"]);
    run("stats", dir.path()).text();
    fs::remove_file(place("fox-geese.free.manifest.json")).unwrap();
    pipe(&place("SHA256SUMS"));
    run("verify", dir.path()).fails(4, &["SHA256SUMS", "not a regular file"]);
    fs::remove_file(place("SHA256SUMS")).unwrap();
    pipe(&place(&table("free", 3)));
    run("verify", dir.path()).fails(4, &["L03", "not a regular file"]);
    run("stats", dir.path()).fails(4, &["L03", "not a regular file"]);
    let info =
        anser(["info"]).arg(place(&table("free", 3))).timeout(Duration::from_mins(1)).output();
    Ran::new(&info.unwrap()).fails_in_a_line(4, &["not a regular file"]);
    // An endless list is rejected before it fills the memory.
    fs::remove_file(place(&table("free", 3))).unwrap();
    fs::File::create(place("fox-geese.free.manifest.json")).unwrap().set_len(1 << 40).unwrap();
    run("verify", dir.path()).fails(4, &["too long for a list"]);
}

#[test]
#[cfg(unix)]
fn deleting_the_lock_file_does_not_let_a_second_solver_in() {
    // Outcomes, then distances. The lock is deleted as soon as the run has started.
    for (words, trials, name) in [
        ("--layers 1-5", 6, table("free", 5)),
        (
            "--rules first-capture --layers 4 --metric dtw",
            4,
            "fox-geese.first-capture.L04.dtw.anser".into(),
        ),
    ] {
        let solve = |dir: &Path| {
            let mut command = Command::new(binary());
            command
                .arg("solve")
                .args(words.split(' '))
                .args(["--threads", "1", "--tables"])
                .arg(dir);
            command.env("ANSER_TABLES", "").stdout(Stdio::null()).stderr(Stdio::piped());
            command
        };
        let whole = TempDir::new().unwrap();
        assert!(solve(whole.path()).status().unwrap().success());
        let expected = fs::read(whole.path().join(&name)).unwrap();
        let mut refused = 0;
        for _ in 0..trials {
            let dir = TempDir::new().unwrap();
            let lock = dir.path().join(".anser.lock");
            let mut first = solve(dir.path()).spawn().unwrap();
            while !lock.exists() && first.try_wait().unwrap().is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
            std::thread::sleep(Duration::from_millis(30));
            let _ = fs::remove_file(&lock);
            let second = solve(dir.path()).output().unwrap();
            let status = first.wait().unwrap();
            assert!(status.success(), "{status}");
            match second.status.code() {
                Some(0) => {}
                code => {
                    refused += 1;
                    let said = String::from_utf8(second.stderr).unwrap();
                    assert_eq!(code, Some(4), "{said}");
                    assert!(
                        said.contains("another process writes tables to this directory"),
                        "{said}"
                    );
                }
            }
            assert!(fs::read(dir.path().join(&name)).unwrap() == expected, "{name} differs");
        }
        assert!(refused > 0, "{words}: no second solver started while the first one ran");
    }
}

#[test]
fn the_number_of_threads_is_limited_and_small_layers_are_fast_with_many() {
    let dir = TempDir::new().unwrap();
    let started = Instant::now();
    let ran = run("solve --layers 1-3 --threads 4096", dir.path());
    ran.text();
    assert!(ran.err.contains("4096 threads are more than this machine can use; "), "{}", ran.err);
    // Without the limit it took 18 s on two cores.
    assert!(started.elapsed() < Duration::from_secs(9), "{:?}", started.elapsed());

    if !Path::new("/proc/self/task").exists() {
        return skip("/proc, which counts threads, does not exist");
    }
    let most = 256.max(4 * std::thread::available_parallelism().map_or(1, Into::into)) + 16;
    for words in [
        &["solve", "--rules", "first-capture", "--layers", "4-5"][..],
        &["count", "hexapawn:4x4"],
        &["verify"],
    ] {
        let mut child = Command::new(binary())
            .args(words)
            .env("RAYON_NUM_THREADS", "999999")
            .env("ANSER_TABLES", dir.path().join("few"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .current_dir(dir.path())
            .spawn()
            .unwrap();
        let tasks = format!("/proc/{}/task", child.id());
        let mut seen = 0;
        while child.try_wait().unwrap().is_none() {
            seen = seen.max(fs::read_dir(&tasks).map_or(0, Iterator::count));
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(seen <= most, "{words:?}: {seen} threads");
    }
}

#[test]
#[cfg(unix)]
fn advice_about_a_directory_can_be_pasted_whatever_its_name() {
    use std::os::unix::ffi::OsStrExt;
    let root = TempDir::new().unwrap();
    for name in [&b"with space"[..], b"it's", b"\xff\xfe latin", b"esc\x1b[31m", b"-dash"] {
        let dir = root.path().join(std::ffi::OsStr::from_bytes(name));
        fs::create_dir(&dir).unwrap();
        let mut command = anser(["probe", &format!("{DRAWN} f")]);
        let output = command.arg("--tables").arg(&dir).output().unwrap();
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(!said.contains('\u{1b}'), "{said:?}");
        let advice =
            said.split('`').nth(1).expect("a command").replace("--layers 4 ", "--layers 1 ");
        let path = format!(
            "{}:{}",
            Path::new(binary()).parent().unwrap().display(),
            std::env::var("PATH").unwrap()
        );
        let ran = Command::new("bash")
            .args(["-c", &advice])
            .env("PATH", path)
            .current_dir(root.path())
            .output()
            .unwrap();
        assert!(ran.status.success(), "{advice}: {}", String::from_utf8_lossy(&ran.stderr));
        assert!(dir.join(table("free", 1)).exists(), "{advice}");
    }
}

/// Runs `anser` with a standard output that nobody reads.
fn unread(words: &str, tables: &Path) -> Ran {
    let (reader, writer) = std::io::pipe().expect("there is a pipe");
    drop(reader);
    let mut command = std::process::Command::new(binary());
    command.args(words.split(' ')).arg("--tables").arg(tables).stdout(writer);
    Ran::new(&command.output().expect("anser runs"))
}

#[test]
fn a_closed_pipe_is_a_success() {
    let out = TempDir::new().expect("there is a temporary directory");
    let one = copies(&[4]);
    let pack = format!("pack --out {}", out.path().display());
    for dir in [tables(), one.path()] {
        for words in ["stats", "verify", &pack] {
            for words in [words.to_owned(), format!("{words} --json")] {
                let ran = unread(&words, dir);
                assert_eq!(ran.code, 0, "{words}: {}", ran.err);
                assert!(!ran.err.contains("error"), "{words}: {}", ran.err);
            }
        }
    }
    for words in ["unpack --out", "unpack --json --out"] {
        let again = TempDir::new().expect("there is a temporary directory");
        let ran = unread(&format!("{words} {}", again.path().display()), out.path());
        assert_eq!(ran.code, 0, "{words}: {}", ran.err);
    }
}
