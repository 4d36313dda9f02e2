//! Every command works on a game that another program registers.

#[cfg(all(unix, feature = "server"))]
use std::io::{BufRead, BufReader, Read, Write};
#[cfg(all(unix, feature = "server"))]
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A position that is not terminal.
const POSITION: &str = "1g1/1L1/ggg l";

/// The program that registers the game.
fn program() -> PathBuf {
    let name = format!("leopard{}", std::env::consts::EXE_SUFFIX);
    let program = Path::new(env!("CARGO_BIN_EXE_anser")).with_file_name("examples").join(name);
    assert!(
        program.is_file(),
        "{} does not exist; `cargo test -p anser` builds it",
        program.display()
    );
    program
}

/// Runs a command in `dir`; returns its standard output, its standard error, and its exit status.
fn run(args: &str, dir: &Path) -> (String, String, Option<i32>) {
    let args = args.split(' ').map(|arg| arg.replace('_', " "));
    let output = Command::new(program())
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
    ("games", "leopard"),
    ("rules leopard", "A side that cannot move has lost."),
    ("solve leopard --metric wdl,dtw", "leopard, rules standard"),
    ("stats leopard", "goats"),
    ("probe leopard POSITION", "leopard to move"),
    ("probe leopard --json POSITION", "\"game\":\"leopard\""),
    ("line leopard POSITION", "POSITION"),
    ("verify leopard --full", "sound, every value"),
    ("verify leopard --well-founded", "sound"),
    ("pack leopard --out packed", "made"),
    ("unpack leopard --tables packed --out again", "made"),
    ("info packed", "leopard, rules standard"),
    ("info packed/leopard.standard.L02.wdl.anserz", "leopard"),
    ("census leopard", "how the game is over there"),
    ("hardest leopard", "longest win"),
    ("zugzwang leopard", "zugzwang"),
    ("opposite leopard", "won for the"),
    ("export leopard", "position,to_move,outcome,dtw,orbit"),
    ("export leopard --canonical --layers 2", "1g1/1L1"),
    ("play leopard --as none --seed 1", "leopard"),
    ("completions bash", "leopard"),
    ("man", "anser"),
    ("reproduce hexapawn", "agree"),
    #[cfg(feature = "learn")]
    ("grade leopard --player random", "leopard"),
];

/// Questions without an answer for this game, each with its exit status and the reason.
const REFUSED: &[(&str, i32, &str)] = &[
    ("count leopard", 1, "infinitely many games"),
    ("policy leopard", 1, "infinitely many games"),
    #[cfg(feature = "learn")]
    ("learn leopard", 2, "no encoding"),
    ("foxbox leopard", 2, "a pack that encloses it"),
    ("fuzz leopard", 2, "a pack that encloses it"),
];

#[test]
fn every_command_works_on_a_registered_game() {
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
        assert!(used || ["", "help", "serve"].contains(&command), "{command} is not run");
    }
}

#[cfg(all(unix, feature = "server"))]
#[test]
fn the_server_answers_about_a_registered_game() {
    let mut server = Command::new(program())
        .args(["serve", "--listen", "127.0.0.1:0"])
        .env_remove("ANSER_TABLES")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("http://").expect("a URL");
    let mut stream = TcpStream::connect(address).unwrap();
    let target = format!("/api/v1/probe?game=leopard&position={}", POSITION.replace(' ', "_"));
    write!(stream, "GET {target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    server.kill().unwrap();
    server.wait().unwrap();
    let expected = format!("\"position\":\"{POSITION}\"");
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains(&expected), "{answer}");
}
