//! `anser solve`: output, resumption, refused runs, and concurrent runs.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::iter;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant, UNIX_EPOCH};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{
    Ran, anser, binary, copies, keys, run, send, skip, table, tables, with_terminal,
};

fn start_with(more: &[&str], dir: &Path) -> Child {
    start_as(Command::new(binary()), more, dir)
}

fn start_as(mut command: Command, more: &[&str], dir: &Path) -> Child {
    command
        .args(["solve", "--threads", "1", "--tables"])
        .arg(dir)
        .args(more)
        .env("ANSER_TABLES", "")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[track_caller]
fn same_tables(dir: &Path, layers: std::ops::RangeInclusive<u16>) {
    for layer in layers {
        let name = table("free", layer);
        assert!(
            fs::read(dir.join(&name)).unwrap() == fs::read(tables().join(&name)).unwrap(),
            "{name} differs"
        );
    }
}

#[test]
fn solving_prints_the_papers_table_and_logs_without_a_terminal() {
    let dir = TempDir::new().unwrap();
    let ran = run("solve --layers 1-4", dir.path());
    let four = ran.text().lines().find(|line| line.trim().starts_with("4 ")).unwrap();
    assert!(four.contains("2,373,360") && four.ends_with("equal"), "{four}");
    for line in [
        "to solve  layers 1-4",
        "memory    ",
        "disk      ",
        " layer 4: done, 2,373,360 positions, 40 won",
    ] {
        assert!(ran.err.contains(line), "{line}: {}", ran.err);
    }
    assert!(!ran.err.contains('\u{1b}') && !ran.err.contains('\r'), "no bars without a terminal");
    same_tables(dir.path(), 1..=4);
    // The second time nothing is solved, and the answer is the same.
    let again = run("solve --layers 1-4", dir.path());
    assert_eq!(again.text(), ran.out);
    assert!(again.err.contains("layers 1-4 already have tables"), "{}", again.err);
}

#[test]
fn solving_in_json_lists_solved_and_kept_layers() {
    let dir = copies(&[1, 2, 3]);
    let answer = run("solve --layers 2-4 --json", dir.path()).json();
    assert_eq!(keys(&answer), ["directory", "game", "layers", "rules", "schema"]);
    let layers =
        answer["layers"].as_array().unwrap().iter().map(|layer| (&layer["layer"], &layer["kept"]));
    let kept = [(2, true), (3, true), (4, false)].map(|(layer, kept)| (json!(layer), json!(kept)));
    assert!(layers.eq(kept.iter().map(|(layer, kept)| (layer, kept))), "{answer}");
    assert_eq!(answer["layers"][2]["to_move"]["geese"]["geese"], 36);
}

#[test]
fn a_dry_run_plans_and_writes_nothing() {
    let dir = TempDir::new().unwrap();
    let target = dir.path().join("tables");
    assert!(run("solve --layers 1-8 --dry-run", &target).text().contains("layers 1-8"));
    let answer = run("solve --layers 1-8 --dry-run --json", &target).json();
    assert_eq!(
        keys(&answer),
        [
            "classes",
            "directory",
            "disk",
            "game",
            "layers",
            "memory",
            "metric",
            "most_seconds",
            "packed",
            "rules",
            "schema",
            "scratch_bytes",
            "seconds",
            "traffic"
        ]
    );
    assert_eq!(answer["layers"].as_array().map(Vec::len), Some(8));
    assert_eq!(
        (&answer["layers"][7]["layer"], &answer["layers"][7]["scratch"]),
        (&json!(8), &json!(false))
    );
    assert!(!target.exists());
    // The work of the engine of the cross is known. That of sets depends on the values.
    assert_eq!(answer["most_seconds"], answer["seconds"]);
    let long = "solve orissa-one-tiger --layers 1-9 --dry-run";
    let answer = run(&format!("{long} --json"), &target).json();
    let [time, most] = ["seconds", "most_seconds"].map(|key| answer[key].as_f64().unwrap());
    assert!(most > 5.0 * time, "{time} {most}");
    let ran = run(long, &target);
    let (_, said) = ran.text().split_once("\ntime      about ").expect("a time");
    assert!(said.lines().next().unwrap().ends_with(" if most positions are won after many plies"));
}

#[test]
fn a_dry_run_plans_for_many_ranks() {
    let dir = TempDir::new().unwrap();
    let target = dir.path().join("tables");
    let plan = |ranks| {
        run(&format!("solve --layers 1-12 --dry-run --ranks {ranks} --json"), &target).json()
    };
    let [few, many] = [2, 16].map(plan);
    assert_eq!((&few["traffic"]["ranks"], &many["traffic"]["ranks"]), (&json!(2), &json!(16)));
    assert!(few["traffic"]["bytes"].as_u64() < many["traffic"]["bytes"].as_u64());
    assert!(few["memory"]["needed"].as_u64() > many["memory"]["needed"].as_u64());
    let ran = run("solve --layers 1-8 --dry-run --ranks 3", &target);
    let text = ran.text();
    let (_, sent) = text.split_once("ranks     3, which send each other up to ").expect("a line");
    assert!(sent.lines().next().is_some_and(|line| line.contains("iB, each ")), "{text}");
    let refused = run("solve hexapawn --dry-run --ranks 3", &target);
    refused
        .fails(2, &["several ranks cannot solve this game together, because of", "without mpirun"]);
    assert_eq!(run("solve --layers 4 --ranks 3", &target).code, 2, "ranks are only planned");
}

/// Each of the processes would solve everything, and they would lock each other out.
#[cfg(not(feature = "cluster"))]
#[test]
fn a_program_without_mpi_refuses_to_be_one_of_many() {
    let dir = TempDir::new().unwrap();
    let mut command = anser(["solve", "--layers", "4", "--tables"]);
    let output = command.arg(dir.path()).env("OMPI_COMM_WORLD_SIZE", "2").output().unwrap();
    let says = ["2 processes were started, and this anser lacks MPI", "--features cluster"];
    Ran::new(&output).fails(2, &says);
}

#[test]
fn the_whole_game_is_planned_with_the_fastest_engine_that_the_memory_allows() {
    let dir = TempDir::new().unwrap();
    let target = dir.path().join("tables");
    let engine = |command: &str| {
        let plan = run(command, &target).json();
        let mut engines: Vec<Value> = plan["layers"]
            .as_array()
            .unwrap()
            .iter()
            .map(|layer| layer["engine"].clone())
            .collect();
        assert_eq!(engines.len(), 12);
        engines.dedup();
        json!(engines)
    };
    let layers = "solve --rules first-capture --layers 1-12 --dry-run --json";
    assert_eq!(engine(layers), json!(["cross"]));
    assert_eq!(engine(&format!("{layers} --engine general")), json!(["general"]));
    let plan = |memory: &str| {
        run(
            &format!("solve --rules first-capture --layers 1-10 --memory {memory} --dry-run"),
            &target,
        )
        .out
    };
    assert!(!plan("1GiB").contains("scratch"));
    let little = plan("220MiB");
    assert!(
        little.contains("engine    cross\n") && little.contains("memory is short for layer 10"),
        "{little}"
    );
}

#[test]
fn a_plan_says_why_a_game_needs_the_general_engine() {
    let dir = TempDir::new().unwrap();
    for (game, why) in [
        ("neg-tugal", "layers by advance"),
        ("to-kinegi", "a board of more than 40 points"),
        ("hexapawn:3x3", "the numbering of the board"),
        ("hare-hounds", "layers by plies"),
    ] {
        let plan = run(&format!("solve {game} --dry-run"), &dir.path().join("tables")).out;
        assert!(plan.contains(&format!("engine    general, because of {why}\n")), "{plan}");
    }
}

#[test]
fn both_engines_solve_to_the_same_tables() {
    let [best, general] = [(); 2].map(|()| TempDir::new().unwrap());
    run("solve --layers 1-6", best.path()).text();
    run("solve --layers 1-6 --engine general", general.path()).text();
    let digests = |dir: &Path| {
        let answer = run("stats --json", dir).json();
        answer["layers"]
            .as_array()
            .unwrap()
            .iter()
            .map(|layer| layer["blake3"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(digests(best.path()), digests(general.path()));
}

/// Rounds by layer, from the manifest.
fn rounds(dir: &Path) -> Vec<Value> {
    let answer = run("stats --json", dir).json();
    answer["layers"].as_array().unwrap().iter().map(|layer| layer["rounds"].clone()).collect()
}

/// Returns random parts of a time, and prints the seed.
fn delays(length: Duration) -> impl Iterator<Item = Duration> {
    let mut seed = UNIX_EPOCH.elapsed().unwrap().as_nanos() as u64;
    println!("seed {seed}");
    iter::repeat_with(move || {
        // A linear congruential generator is random enough for instants.
        seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        length.mul_f64((seed >> 40) as f64 / (1u64 << 24) as f64)
    })
}

/// Returns the tables of a directory, by name.
fn tables_in(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(dir).unwrap().map(|file| file.unwrap().path());
    files
        .filter(|path| path.extension().is_some_and(|end| end == "anser" || end == "anserz"))
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read(path).unwrap())
        })
        .collect()
}

#[test]
fn packed_layers_replace_their_raw_tables() {
    let [dir, packed] = [(); 2].map(|()| TempDir::new().unwrap());
    let mut command = anser(["pack", "--rules", "free", "--layers", "1-5", "--tables"]);
    command.arg(tables()).arg("--out").arg(packed.path());
    Ran::new(&command.output().unwrap()).text();
    let ran = run("solve --layers 1-5 --packed --json", dir.path());
    for line in ["to pack   layers 1-5; raw tables are removed", " layer 5: packed, "] {
        assert!(ran.err.contains(line), "{line}: {}", ran.err);
    }
    let bytes = &ran.json()["layers"][4]["bytes"];
    assert!(bytes["raw"].is_null() && bytes["packed"].is_u64(), "{bytes}");
    assert!(tables_in(dir.path()) == tables_in(packed.path()));
    run("verify", dir.path()).text();
    let again = run("solve --layers 1-5 --packed", dir.path());
    assert!(again.err.contains("nothing to solve"), "{}", again.err);
    // Tables that were solved before are packed, too.
    let dir = copies(&[1, 2, 3, 4, 5]);
    let ran = run("solve --layers 1-5 --packed", dir.path());
    ran.text();
    assert!(
        !ran.err.contains("to solve") && ran.err.contains("to pack   layers 1-5"),
        "{}",
        ran.err
    );
    assert!(tables_in(dir.path()) == tables_in(packed.path()));
    // The layer above is solved from them.
    let six = run("solve --layers 6 --packed", dir.path());
    assert!(six.text().contains("21,380"), "{}", six.out);
    // Distances are unpacked first.
    let dir = TempDir::new().unwrap();
    run("solve --layers 1-4 --packed --metric dtw", dir.path()).text();
    let ran = run("solve --layers 1-5 --packed --metric dtw", dir.path());
    ran.text();
    assert!(ran.err.contains("layer 4, distances: only packed, unpacking it"), "{}", ran.err);
    assert!(tables_in(dir.path()).keys().all(|name| name.ends_with(".anserz")));
}

#[test]
fn a_dry_run_lists_the_layers_to_be_packed() {
    let dir = TempDir::new().unwrap();
    let plan = |more: &str| {
        run(&format!("solve --layers 1-12 --metric wdl,dtw --dry-run --json{more}"), dir.path())
            .json()["sets"][0]
            .take()
    };
    let (raw, packed) = (plan(""), plan(" --packed"));
    assert_eq!(raw["packed"], json!([]));
    assert_eq!(packed["packed"], json!((1..=12).collect::<Vec<_>>()));
    let needed = |plan: &Value| plan["disk"]["needed"].as_u64().unwrap();
    assert!(needed(&packed) < needed(&raw), "{packed} {raw}");
    assert!(needed(&plan(" --packed --level 3")) > needed(&packed));
}

#[test]
fn the_level_of_packed_tables_is_the_one_that_is_requested() {
    let tables_at = |more: &str| {
        let dir = TempDir::new().unwrap();
        run(&format!("solve --layers 4-5 --metric dtw --packed{more}"), dir.path()).text();
        tables_in(dir.path())
    };
    let [default, fifteen, one] = ["", " --level 15", " --level 1"].map(tables_at);
    assert!(default == fifteen);
    assert_eq!(one.keys().collect::<Vec<_>>(), default.keys().collect::<Vec<_>>());
    // The byte of the level in the header.
    assert!(default.values().all(|table| table[321] == 15));
    assert!(one.values().all(|table| table[321] == 1));
    let dir = TempDir::new().unwrap();
    let errors = [" --level 3", " --packed --level 23"]
        .map(|more| run(&format!("solve --layers 4 --dry-run{more}"), dir.path()).err);
    assert!(errors[0].contains("--packed"), "{}", errors[0]);
    assert!(errors[1].contains("from 1 to 22"), "{}", errors[1]);
}

#[test]
fn packed_runs_killed_at_random_instants_end_with_the_same_bytes() {
    let more = ["--layers", "1-5", "--metric", "wdl,dtw", "--packed"];
    let whole = TempDir::new().unwrap();
    let started = Instant::now();
    assert!(start_with(&more, whole.path()).wait().unwrap().success());
    let length = started.elapsed();
    let expected = tables_in(whole.path());
    assert_eq!(expected.len(), 10);
    let mut delays = delays(length);
    for _ in 0..5 {
        let dir = TempDir::new().unwrap();
        // The run resumes until it is done, each time for a random part of its length.
        for _ in 0..3 {
            let mut child = start_with(&more, dir.path());
            sleep(delays.next().unwrap());
            child.kill().unwrap();
            child.wait().unwrap();
            for (name, bytes) in tables_in(dir.path()) {
                assert!(expected.get(&name).is_none_or(|table| *table == bytes), "{name}");
            }
        }
        assert!(start_with(&more, dir.path()).wait().unwrap().success());
        assert!(tables_in(dir.path()) == expected);
        let left = fs::read_dir(dir.path()).unwrap().map(|file| file.unwrap().path());
        assert_eq!(
            left.filter(|file| file.extension().is_some_and(|end| end == "part")).count(),
            0
        );
        let answer = run("verify --json", dir.path()).json();
        assert_eq!(answer["tables"].as_array().unwrap().len(), 10, "{answer}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn packing_along_the_way_fits_a_disk_that_raw_tables_do_not() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().to_str().unwrap();
    let needed = |more: &str| {
        let plan = run(&format!("solve --layers 1-6 --dry-run --json{more}"), dir.path()).json();
        plan["disk"]["needed"].as_u64().unwrap()
    };
    let size = needed("").midpoint(needed(" --packed"));
    let script = format!(
        "mount -t tmpfs -o size={size} none {path} || exit 77
         {anser} solve --layers 1-6 --tables {path}; echo raw $?
         {anser} solve --layers 1-6 --tables {path} --packed > /dev/null; echo packed $?
         ls {path}/*.anserz | wc -l; ls {path}/*.anser | wc -l",
        anser = binary(),
    );
    let Ok(output) = Command::new("unshare").args(["-rm", "sh", "-c", &script]).output() else {
        return skip("unshare is not installed");
    };
    let ran = Ran::new(&output);
    if ran.code != 0 || !ran.out.contains("raw") {
        return skip(&format!("file systems cannot be mounted: {}", ran.err));
    }
    assert_eq!(ran.out, "raw 4\npacked 0\n6\n0\n", "{}", ran.err);
    assert!(ran.err.contains("remove raw tables along the way with --packed"), "{}", ran.err);
}

#[test]
#[cfg(unix)]
fn runs_for_both_metrics_that_are_stopped_again_and_again_end_with_the_same_bytes() {
    let solve = |more: &str, dir: &Path| {
        let mut command = Command::new(binary());
        command.args("solve --rules free --layers 1-5 --metric wdl,dtw".split(' '));
        command.args(more.split(' ')).arg("--tables").arg(dir).env("ANSER_TABLES", "");
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let whole = TempDir::new().unwrap();
    let started = Instant::now();
    assert!(solve("--threads 1", whole.path()).wait().unwrap().success());
    let (length, expected) = (started.elapsed(), tables_in(whole.path()));
    assert_eq!(expected.len(), 10);
    let mut delays = delays(length);
    let mut interrupted = 0;
    // Layer 5 needs scratch files with 20 MiB.
    let runs = ["--threads 1", "--threads 2", "--threads 3 --memory 20MiB"];
    for stopped in 0..3 {
        let dir = TempDir::new().unwrap();
        for (number, run) in runs.iter().cycle().skip(stopped).take(4).enumerate() {
            let (mut child, delay) = (solve(run, dir.path()), delays.next().unwrap());
            sleep(delay);
            let signal = if (stopped + number) % 2 == 0 { "-INT" } else { "-KILL" };
            // The run may have ended.
            let _ = Command::new("kill").args([signal, &child.id().to_string()]).status();
            interrupted += u32::from(!child.wait().unwrap().success());
            for (name, bytes) in tables_in(dir.path()) {
                assert!(bytes == expected[&name], "{name}: {run}, {signal} after {delay:?}");
            }
        }
        assert!(solve(runs[stopped % 3], dir.path()).wait().unwrap().success());
        assert!(tables_in(dir.path()) == expected);
        assert_eq!(rounds(dir.path()), rounds(whole.path()));
        // Ten tables, the manifest, and the lock: no unfinished work and no scratch files.
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 12);
    }
    assert!(interrupted > 0, "every run ended before it was stopped");
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupted_run_reports_that_and_resumes() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let dir = copies(&[1, 2, 3, 4, 5]);
        let mut child = start_as(with_terminal(), &["--layers", "1-6"], dir.path());
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
        // Signals are handled once the plan is written.
        assert!(lines.any(|line| line.starts_with("disk")));
        send(signal, &child);
        let last = lines.last().unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{last}");
        assert_eq!(last, "anser: interrupted; the same command resumes");
        assert!(!dir.path().join(table("free", 6)).exists());
        same_tables(dir.path(), 1..=5);
    }
}

#[test]
#[cfg(unix)]
fn the_end_of_the_terminal_does_not_stop_a_run_that_nohup_started() {
    let dir = copies(&[1, 2, 3]);
    let mut child = Command::new("sh")
        .args(["-c", "trap '' HUP; exec \"$@\"", "sh", binary(), "solve", "--layers", "1-5"])
        .arg("--tables")
        .arg(dir.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    // Signals are handled once the plan is written.
    assert!(lines.any(|line| line.starts_with("disk")));
    send("-HUP", &child);
    let log: Vec<String> = lines.collect();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{log:?}");
    same_tables(dir.path(), 1..=5);
}

#[test]
#[cfg(target_os = "linux")]
fn the_end_of_the_terminal_removes_the_tables_of_a_study() {
    let temporary = TempDir::new().unwrap();
    let mut child = with_terminal()
        .args(["study", "wolf-and-sheep", "--threads", "1"])
        .env("ANSER_TABLES", "")
        .env("TMPDIR", temporary.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("into a temporary directory")));
    let entries = || fs::read_dir(temporary.path()).unwrap().count();
    assert_eq!(entries(), 1);
    send("-HUP", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(entries(), 0);
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupted_question_cannot_be_resumed() {
    interrupt(&["count", "hexapawn:5x6", "--threads", "1"]);
    interrupt(&["study", "hexapawn:5x6", "--threads", "1"]);
}

/// Interrupts a question as soon as it watches signals.
#[cfg(target_os = "linux")]
fn interrupt(question: &[&str]) {
    let mut child = Command::new(binary())
        .args(question)
        .env("ANSER_TABLES", "")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The system lists the signals that are handled: SIGINT is the second bit.
    let watched = |status: String| {
        let mask = status
            .lines()
            .find_map(|line| line.strip_prefix("SigCgt:").map(str::to_owned))
            .unwrap();
        u64::from_str_radix(mask.trim(), 16).unwrap() & 2 != 0
    };
    while !watched(fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap()) {
        sleep(std::time::Duration::from_millis(5));
    }
    send("-INT", &child);
    let last =
        BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap).last().unwrap();
    assert_eq!(
        (child.wait().unwrap().code(), &*last),
        (Some(130), "anser: interrupted before the answer was found")
    );
}

#[test]
fn damaged_unfinished_work_is_discarded_with_a_note() {
    let table_4 = fs::read(tables().join(table("free", 4))).unwrap();
    for (part, why) in [
        (&table_4[..], "another version of anser wrote it"),
        (&[0; 4096][..], "its checksum does not match"),
        (&table_4[..20], "its length is wrong"),
    ] {
        let dir = copies(&[1, 2, 3]);
        fs::write(dir.path().join(format!("{}.part", table("free", 4))), part).unwrap();
        let ran = run("solve --layers 4", dir.path());
        ran.text();
        let note =
            format!("layer 4: the unfinished table is discarded, because {why}; starting again");
        assert!(ran.err.contains(&note), "{}", ran.err);
        same_tables(dir.path(), 4..=4);
    }
}

#[test]
fn two_solvers_do_not_work_in_one_directory() {
    let dir = copies(&[1, 2, 3, 4]);
    let lock = File::create(dir.path().join(".anser.lock")).unwrap();
    lock.lock().unwrap();
    run("solve --layers 5", dir.path())
        .fails_in_a_line(4, &["another process writes tables to this directory"]);
    // Reading is possible meanwhile.
    run("stats", dir.path()).text();
    drop(lock);
    run("solve --layers 5", dir.path()).text();
}

#[test]
fn a_directory_that_cannot_be_written_is_an_output_error() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("file"), "").unwrap();
    run("solve --layers 1", &dir.path().join("file/tables")).fails_in_a_line(4, &["file/tables"]);
    run("solve --layers 1", &dir.path().join("file")).fails_in_a_line(4, &["file"]);
    #[cfg(target_os = "linux")]
    run("solve --layers 1", Path::new("/proc/anser")).fails_in_a_line(4, &["/proc/anser"]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_loses_nothing() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().to_str().unwrap();
    let script = format!(
        "mount -t tmpfs -o size=256k none {path} || exit 77
         $1
         {anser} solve --layers 1-5 --tables {path}; echo full $?
         mount -o remount,size=8m {path}
         {anser} solve --layers 1-5 --tables {path} > {path}/out; echo after $?
         cat {path}/*.L05.wdl.anser | cmp - {expected}; echo same $?",
        anser = binary(),
        expected = tables().join(table("free", 5)).display(),
    );
    // The first run is refused by the plan. In the second run a sparse file deceives the plan, and
    // the disk is full when layer 5 starts.
    let hole = format!("truncate -s 1m {path}/{}.part", table("free", 5));
    for before in ["", &hole] {
        let output = Command::new("unshare")
            .args(["-rm", "sh", "-c", &script.replace("$1", before)])
            .output();
        let Ok(output) = output else {
            return skip("unshare is not installed");
        };
        let ran = Ran::new(&output);
        if ran.code != 0 || !ran.out.contains("full") {
            return skip(&format!("file systems cannot be mounted: {}", ran.err));
        }
        assert_eq!(ran.out, "full 4\nafter 0\nsame 0\n", "{before}: {}", ran.err);
        assert!(ran.err.contains("free some"), "{before}: {}", ran.err);
    }
}
