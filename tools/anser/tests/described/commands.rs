//! Every command works on a game from a file.

#[cfg(all(unix, feature = "server"))]
use std::io::{BufRead, BufReader, Read, Write};
#[cfg(all(unix, feature = "server"))]
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};

/// A position that is not terminal.
const POSITION: &str = "T/3/1g1/ggg g";

/// The game, with its whole path.
fn file() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/hunts/triangle.toml").to_owned()
}

/// Runs a command in `dir`; returns its standard output, its standard error, and its exit status.
fn run(args: &str, dir: &Path) -> (String, String, Option<i32>) {
    let args = args.split(' ').map(|arg| match arg {
        "FILE" => file(),
        _ => arg.replace('_', " "),
    });
    let output = Command::new(env!("CARGO_BIN_EXE_anser"))
        .args(args)
        .current_dir(dir)
        .env_remove("ANSER_TABLES")
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

/// Runs of every command, in this order, each with a part of its output. `_` is a space.
const RUNS: &[(&str, &str)] = &[
    ("games --describe FILE", "name = \"triangle\""),
    ("rules FILE", "A side that cannot move has lost."),
    ("solve FILE --metric wdl,dtw", "triangle, rules standard"),
    ("stats FILE", "goats"),
    ("probe FILE POSITION", "goats to move"),
    ("probe FILE --json POSITION", "\"game\":\"triangle\""),
    ("probe FILE --opening low", "drawn"),
    ("line FILE POSITION", "POSITION"),
    ("verify FILE --full", "sound, every value"),
    ("verify FILE --well-founded", "sound"),
    ("pack FILE --out packed", "made"),
    ("unpack FILE --tables packed --out again", "made"),
    #[cfg(feature = "fetch")]
    ("fetch packed --out fetched", "fetched/triangle.standard.L03.wdl.anserz"),
    ("info packed", "triangle, rules standard"),
    ("info packed/triangle.standard.L03.wdl.anserz", "triangle"),
    // The game of a table, without the file that it came from.
    ("probe packed/triangle.standard.L03.wdl.anserz POSITION --tables packed", "goats to move"),
    ("verify packed/triangle.standard.L03.wdl.anserz --tables packed --full", "sound, every value"),
    ("line packed/triangle.standard.L03.wdl.anserz POSITION --tables packed", "POSITION"),
    ("census FILE", "how the game is over there"),
    ("census FILE --format csv", "triangle,standard,reachable,,tiger,"),
    ("hardest FILE", "longest win"),
    ("hardest FILE --format csv", "triangle,standard,3,"),
    ("zugzwang FILE", "zugzwang"),
    ("zugzwang FILE --format csv", "layer,kind,to_move,positions"),
    ("opposite FILE", "won for the"),
    ("study FILE", "rules without an effect"),
    ("study FILE --all-rules --format csv", "forward+must"),
    ("export FILE", "layer,position,to_move,outcome,dtw,orbit"),
    ("export FILE --canonical --layers 3", "position"),
    ("play FILE --as none --seed 1", "triangle"),
    ("completions bash", "anser"),
    ("man", "anser"),
    ("reproduce hexapawn", "agree"),
    #[cfg(feature = "learn")]
    (r#"learn FILE --settings {"iterations":1,"games":8,"steps":4}"#, "triangle, rules standard"),
    #[cfg(feature = "learn")]
    ("grade FILE --player random", "triangle"),
];

/// Questions without an answer for this game, each with its exit status and the reason.
const REFUSED: &[(&str, i32, &str)] = &[
    ("count FILE", 1, "infinitely many games"),
    ("policy FILE", 1, "infinitely many games"),
    ("foxbox FILE", 2, "about fox-hounds and hasenspiel"),
    ("fuzz FILE", 2, "about fox-hounds and hasenspiel"),
    ("probe FILE --rules none", 2, "the rule sets are standard, forward"),
    ("probe none.toml", 4, "none.toml cannot be read"),
    #[cfg(not(feature = "fetch"))]
    ("fetch packed --out fetched", 2, "has no `fetch`"),
];

#[test]
fn every_command_works_on_a_game_from_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let mut failures = Vec::new();
    for (args, expected) in RUNS {
        let args = args.replace("POSITION", &POSITION.replace(' ', "_"));
        let (out, err, status) = run(&args, dir.path());
        if status != Some(0) || !out.contains(&expected.replace("POSITION", POSITION)) {
            failures.push(format!("$ anser {args}\n{status:?}\n{out}{err}\n"));
        }
    }
    for &(args, expected, reason) in REFUSED {
        let (out, err, status) = run(args, dir.path());
        if status != Some(expected) || !err.contains(reason) {
            failures.push(format!("$ anser {args}\n{status:?}\n{out}{err}\n"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.concat());
    let (help, ..) = run("help", dir.path());
    let commands =
        help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap();
    for command in commands.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next()) {
        let named = |args: &str| args.split(' ').next() == Some(command);
        let used = RUNS.iter().any(|run| named(run.0)) || REFUSED.iter().any(|run| named(run.0));
        // The server runs until it is stopped: it has a test of its own.
        assert!(used || ["", "help", "serve", "site"].contains(&command), "{command} is not run");
    }
}

/// Runs a suggested command.
fn follow(text: &str, verb: &str, dir: &Path) {
    let start = text.find(&format!("anser {verb} ")).unwrap_or_else(|| panic!("{verb}: {text}"));
    let end = text[start..].find(['`', '\n', '"', '&']).map_or(text.len(), |end| start + end);
    let words = text[start + "anser ".len()..end].replace(&file(), "FILE");
    let (_, err, status) = run(words.trim(), dir);
    assert_eq!(status, Some(0), "{}: {err}", &text[start..end]);
}

#[test]
fn suggested_commands_work_for_a_game_from_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).display().to_string();
    for (args, verb) in [
        ("stats FILE", "solve"),
        ("export FILE --layers 3 --tables .", "solve"),
        ("probe FILE T/3/1g1/ggg_g --tables . --memory 1KiB", "solve"),
        ("rules FILE", "solve"),
        ("games FILE", "rules"),
        ("probe FILE --rules none", "rules"),
        ("study FILE --rules standard", "line"),
        ("study FILE", "study"),
    ] {
        let (out, err, _) = run(args, dir.path());
        follow(&(out + &err), verb, dir.path());
    }
    run("solve FILE --layers 3 --tables part", dir.path());
    let (_, err, _) = run("stats FILE --tables part", dir.path());
    assert!(
        err.contains("layer 4 has no table") && err.contains("--tables part` makes it"),
        "{err}"
    );
    follow(&err, "solve", dir.path());
    std::fs::write(at("part/triangle.standard.L04.wdl.anser"), "short").unwrap();
    let (out, err, status) = run("verify FILE --tables part --json", dir.path());
    assert_eq!(status, Some(3), "{err}");
    std::fs::remove_file(at("part/triangle.standard.L04.wdl.anser")).unwrap();
    follow(&out, "solve", dir.path());
}

#[test]
fn tables_describe_their_game_where_none_is_named() {
    let dir = tempfile::tempdir().unwrap();
    run("solve FILE --tables all", dir.path());
    run("solve FILE --rules forward --tables all", dir.path());
    run("solve fox-geese --layers 1 --tables all", dir.path());
    for args in [
        "verify --tables all --full",
        "stats --tables all",
        "pack --tables all --out packed",
        "unpack --tables packed --out again",
    ] {
        let (out, err, status) = run(args, dir.path());
        assert_eq!(status, Some(0), "{args}: {err}");
        for rules in ["forward", "standard"] {
            assert!(out.contains(rules), "{args}: {out}");
        }
    }
    // Commands name a table, which describes the game.
    std::fs::remove_file(dir.path().join("all/triangle.forward.L04.wdl.anser")).unwrap();
    for args in ["verify --tables all", "stats --tables all", "info all"] {
        let (out, err, _) = run(args, dir.path());
        let text = (out + &err).replace("solve fox-geese", "");
        assert!(text.contains("anser solve all/triangle.forward.L03.wdl.anser "), "{text}");
    }
}

#[test]
fn the_only_table_of_a_game_is_replaced_with_its_description() {
    let dir = tempfile::tempdir().unwrap();
    run("solve FILE --layers 3 --tables part", dir.path());
    let table = dir.path().join("part/triangle.standard.L03.wdl.anser");
    let mut bytes = std::fs::read(&table).unwrap();
    // A value. The description follows the values.
    bytes[4096] ^= 1;
    std::fs::write(&table, bytes).unwrap();
    let (_, err, status) = run("verify --tables part", dir.path());
    assert_eq!(status, Some(3), "{err}");
    let command = err.lines().find_map(|line| line.split("to replace it: ").nth(1)).unwrap();
    let (aside, solve) = command.split_once(" && ").unwrap();
    let moved = Command::new("sh").args(["-c", aside]).current_dir(dir.path()).status().unwrap();
    assert!(moved.success() && !table.exists(), "{aside}");
    follow(solve, "solve", dir.path());
    let (_, err, status) = run("verify --tables part", dir.path());
    assert_eq!(status, Some(0), "{err}");
    // A hint names the directory that was searched.
    let (_, err, _) = run("verify FILE --rules forward --tables part", dir.path());
    assert!(err.contains("--tables part` makes some"), "{err}");
    follow(&err, "solve", dir.path());
}

/// The start is not symmetric, and play does not lead to its mirror image.
#[test]
fn an_export_of_reachable_positions_has_those_that_the_census_counts() {
    const TEXT: &str = r#"
name = "line"
[board]
points = [["a1", 0, 0], ["b1", 1, 0], ["c1", 2, 0], ["d1", 3, 0]]
lines = ["a1 b1 c1 d1"]
[few]
name = "hare"
letter = "R"
start = "a1"
steps = "lines"
[many]
name = "dog"
letter = "d"
start = "c1"
steps = "lines"
"#;
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("line.toml"), TEXT).unwrap();
    let rows = |args: &str| {
        let (out, err, status) = run(args, dir.path());
        assert_eq!(status, Some(0), "{err}");
        out.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let reachable = rows("export line.toml --reachable");
    let all = rows("export line.toml");
    assert_eq!((reachable.len(), all.len()), (5, 24));
    assert!(reachable.iter().all(|row| all.contains(row)));
    let (out, ..) = run("census line.toml --reachable", dir.path());
    assert!(out.contains("positions that play can reach: 5"), "{out}");
    // One of each class, which is reachable.
    let classes = rows("export line.toml --reachable --canonical");
    assert!(classes.len() == 5 && classes.iter().all(|row| reachable.contains(row)));
}

#[test]
fn a_saved_game_from_a_file_is_continued_with_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let mut play = Command::new(env!("CARGO_BIN_EXE_anser"))
        .args(["play", &file(), "--seed", "1"])
        .current_dir(dir.path())
        .env("ANSER_TABLES", "")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let input = b"d2-b2\nsave tg.json\nquit\n";
    std::io::Write::write_all(&mut play.stdin.take().unwrap(), input).unwrap();
    let out = String::from_utf8(play.wait_with_output().unwrap().stdout).unwrap();
    assert!(out.contains(".toml --load tg.json` continues it"), "{out}");
    follow(&out, "play", dir.path());
    let (out, err, status) = run("line FILE --record tg.json", dir.path());
    assert!(status == Some(0) && out.contains("d2-b2"), "{err}");
    for (args, hint) in [
        ("play --load tg.json", "`anser play FILE --load tg.json` reads it"),
        ("line --record tg.json", "`anser line FILE --record tg.json` reads it"),
        ("line hexapawn --record tg.json", "the record is of triangle, not of hexapawn:3x3"),
        ("line FILE T/3/1g1/ggg_g --record tg.json", "a position cannot be used with --record"),
        ("line FILE --record tg.json --rules forward", "under the rules standard"),
    ] {
        let (_, err, status) = run(args, dir.path());
        assert!(status == Some(2) && err.contains(hint), "{args}: {err}");
    }
}

#[cfg(all(unix, feature = "server"))]
#[test]
fn the_server_refuses_a_game_with_the_name_of_its_own_pages() {
    let dir = tempfile::tempdir().unwrap();
    let triangle = std::fs::read_to_string(file()).unwrap();
    for name in ["api", "assets", "healthz", "metrics"] {
        let named = triangle.replace("name = \"triangle\"", &format!("name = \"{name}\""));
        std::fs::write(dir.path().join("game.toml"), named).unwrap();
        // It would end at once, with another error: no machine has this address.
        let args = "serve --listen 192.0.2.1:1 --solve-time 0s --game game.toml";
        let (_, err, status) = run(args, dir.path());
        assert!(status == Some(2) && err.contains(&format!("at /{name}")), "{err}");
    }
}

#[cfg(all(unix, feature = "server"))]
#[test]
fn the_server_answers_about_a_game_from_a_file_and_of_tables() {
    let dir = tempfile::tempdir().unwrap();
    let (_, err, status) = run("solve FILE --tables tables", dir.path());
    assert_eq!(status, Some(0), "{err}");
    std::fs::write(dir.path().join("tables/torn.standard.L01.wdl.anser"), "no table").unwrap();
    let tables = dir.path().join("tables");
    let (file, tables) = (file(), tables.to_str().unwrap());
    for (given, said) in [(["--game", &file], ""), (["--tables", tables], "torn.standard.L01")] {
        let mut server = Command::new(env!("CARGO_BIN_EXE_anser"))
            // It is killed, and would leave a temporary directory.
            .args(["serve", "--listen", "127.0.0.1:0", "--solve-time", "0s"])
            .args(given)
            .env_remove("ANSER_TABLES")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").expect("a URL");
        let mut stream = TcpStream::connect(address).unwrap();
        let target = format!("/api/v1/probe?game=triangle&position={}", POSITION.replace(' ', "_"));
        write!(stream, "GET {target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        server.kill().unwrap();
        let notes = server.wait_with_output().unwrap().stderr;
        let notes = String::from_utf8(notes).unwrap();
        assert!(notes.contains(said) && notes.is_empty() == said.is_empty(), "{notes}");
        let expected = format!("\"position\":\"{POSITION}\"");
        assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains(&expected), "{answer}");
    }
}
