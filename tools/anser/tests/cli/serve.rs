//! `anser serve`: the address on standard output, and the signals.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use crate::support::binary;

#[test]
fn options_of_the_server_are_checked() {
    for (option, value, says) in [
        ("--trusted-header", "x forwarded", "invalid HTTP header name"),
        ("--task-threads", "0", "1..=256"),
        ("--listen", "localhost", "invalid socket address"),
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
    let signal = |name: &str| {
        let id = server.id().to_string();
        let sent = Command::new("kill").args([name, &id]).status();
        assert!(sent.expect("kill is there").success());
    };
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
