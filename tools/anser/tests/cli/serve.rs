//! `anser serve`: the address on standard output, and the signals.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{binary, send};

#[test]
fn options_of_the_server_are_checked() {
    for (option, value, says) in [
        ("--trusted-header", "x forwarded", "invalid HTTP header name"),
        ("--task-threads", "0", "from 1 to 256"),
        ("--listen", "localhost", "write an address and a port"),
        ("--solve-time", "10", "30s, 10min, 1h, 2d"),
        ("--solve-disk", "0", "must not be 0"),
    ] {
        let output = Command::new(binary()).args(["serve", option, value]).output();
        let output = output.expect("it starts");
        let said = String::from_utf8(output.stderr).expect("it is text");
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(says) && said.contains(option), "{said}");
    }
}

#[test]
fn the_server_prints_its_address_answers_and_stops_on_a_signal() {
    let mut server = Command::new(binary())
        .args(["serve", "--listen", "127.0.0.1:0", "--log", "json"])
        .env_remove("ANSER_TABLES")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut line = String::new();
    let mut output = BufReader::new(server.stdout.take().expect("it is piped"));
    output.read_line(&mut line).expect("it prints a line");
    let address = line.trim().strip_prefix("http://").expect("a URL").to_owned();
    let ask = || {
        let mut stream = TcpStream::connect(&address).expect("it listens");
        let target = "/api/v1/probe?game=hexapawn&position=ppp/3/PPP_w";
        let head = format!("GET {target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        answer
    };
    let signal = |name: &str| send(name, &server);
    assert!(ask().contains("\"outcome\":\"black\",\"dtw\":6"), "{}", ask());
    // Looks for tables again, and goes on.
    signal("-HUP");
    assert!(ask().starts_with("HTTP/1.1 200 "));
    signal("-TERM");
    let done = server.wait_with_output().expect("it ends");
    assert!(done.status.success(), "{:?}", done.status);
    let log = String::from_utf8(done.stderr).expect("it is text");
    let entry: serde_json::Value =
        serde_json::from_str(log.lines().next().expect("a line per request")).expect("JSON");
    assert_eq!((&entry["endpoint"], &entry["status"]), (&"/api/v1/probe".into(), &200.into()));
    assert!(!log.contains("ppp"), "no position is logged: {log}");
}

/// Asks a server until the answer has these words.
fn wait_for(address: &str, target: &str, words: &str) {
    let began = Instant::now();
    loop {
        let mut stream = TcpStream::connect(address).expect("it listens");
        let head = format!("GET {target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        if answer.contains(words) {
            return;
        }
        assert!(began.elapsed() < Duration::from_mins(2), "{answer}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn solved_tables_are_temporary_or_stay_in_the_directory_of_the_solver() {
    let position = "/api/v1/probe?game=fox-geese&position=3/3/7/3F3/3g3/3/ggg_f";
    for is_kept in [false, true] {
        let work = tempfile::tempdir().expect("there is a temporary directory");
        let temporary = work.path().join("temporary");
        std::fs::create_dir(&temporary).expect("it is new");
        // A server that was killed has left its directory.
        let left = temporary.join("anser-solving-left");
        std::fs::create_dir(&left).expect("it is new");
        std::fs::write(left.join(".anser-process.lock"), "").expect("it is new");
        let solve = if is_kept { &["--solve", "--solve-time", "2s"][..] } else { &[] };
        let mut server = Command::new(binary())
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(solve)
            .env_remove("ANSER_TABLES")
            .env("TMPDIR", &temporary)
            .current_dir(work.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        let mut output = BufReader::new(server.stdout.take().expect("it is piped"));
        output.read_line(&mut line).expect("it prints a line");
        let address = line.trim().strip_prefix("http://").expect("a URL");
        // The built-in tables have outcomes alone.
        wait_for(address, position, "\"outcome\":\"fox\",\"dtw\":1");
        let entries = |dir: &Path| std::fs::read_dir(dir).expect("it is there").count();
        assert_eq!(entries(&temporary), 1);
        assert_eq!(left.exists(), is_kept);
        send("-TERM", &server);
        let done = server.wait_with_output().expect("it ends");
        assert!(done.status.success(), "{:?}", done.status);
        let said = String::from_utf8(done.stderr).expect("it is text");
        let says = "anser: fox-geese (rules free): distances of layer 4 solved in ";
        assert!(said.contains(says), "{said}");
        assert_eq!(entries(&temporary), usize::from(is_kept));
        let table = work.path().join("tables/fox-geese.free.L04.dtw.anser");
        assert_eq!(table.exists(), is_kept);
    }
}
