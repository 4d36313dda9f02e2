//! Hostile input: the server answers all of it or cuts it off, and answers others meanwhile.
//! `ANSER_HOSTILE_REQUESTS` is the number of fuzzed requests.

use std::collections::BTreeMap;
use std::io::{BufReader, ErrorKind, Read, Write};
use std::net::Shutdown;
use std::time::{Duration, Instant};

use anser_analyse::Random;
use anser_games::SearchPath;
use anser_server::Options;

use crate::support::{Reply, start};

const GOOD: &str = "/api/v1/probe?game=hexapawn&position=ppp/3/PPP_w";

/// Bytes, most of them of texts that mean something somewhere.
fn any_bytes(random: &mut Random, longest: u64) -> Vec<u8> {
    let common = b"/?&=%_ .\\:;\"'<>{}[]()+-*\0\r\nabcfgFGhHpPwWrR0123456789\xff\xc3\xa4";
    let length = random.bits() % longest;
    let mut byte = || match random.bits() % 8 {
        0 => (random.bits() & 0xff) as u8,
        _ => common[(random.bits() % common.len() as u64) as usize],
    };
    (0..length).map(|_| byte()).collect()
}

/// A request of one of four kinds: a path, a position, a body, or anything at all.
fn any_request(random: &mut Random, kind: u32) -> Vec<u8> {
    let rest = " HTTP/1.1\r\nhost: x\r\nconnection: close\r\n";
    match kind % 4 {
        0 => {
            let bytes = any_bytes(random, 80).into_iter();
            let path =
                bytes.map(|byte| if byte.is_ascii_graphic() { char::from(byte) } else { '%' });
            format!("GET /{}{rest}\r\n", path.collect::<String>()).into_bytes()
        }
        1 => {
            let bytes = any_bytes(random, 60);
            let position = bytes
                .iter()
                .fold(String::new(), |position, byte| position + &format!("%{byte:02x}"));
            format!("GET /api/v1/probe?game=fox-geese&position={position}{rest}\r\n").into_bytes()
        }
        2 => {
            let body = any_bytes(random, 300);
            let kinds = ["application/json", "application/x-ndjson"];
            let kind = kinds[(random.bits() % 2) as usize];
            let head = format!("POST /api/v1/probe?game=hexapawn{rest}content-type: {kind}\r\n");
            let mut request = format!("{head}content-length: {}\r\n\r\n", body.len()).into_bytes();
            request.extend(body);
            request
        }
        _ => {
            let mut request = any_bytes(random, 400);
            request.extend_from_slice(b"\r\n\r\n");
            request
        }
    }
}

#[test]
fn fuzzed_requests_are_answered_or_cut_off() {
    let mut options = Options::new(SearchPath::embedded());
    options.limits.head = Duration::from_millis(500);
    options.limits.request = Duration::from_secs(5);
    let server = start(&options);
    let mut random = Random::new(11);
    let mut statuses: BTreeMap<u16, u32> = BTreeMap::new();
    let requests = std::env::var("ANSER_HOSTILE_REQUESTS").ok();
    let requests = requests.and_then(|count| count.parse().ok()).unwrap_or(3000);
    for number in 0..requests {
        let mut stream = server.connect();
        let _ = stream.write_all(&any_request(&mut random, number));
        // Anything at all may be the beginning of a request, whose rest the server would wait for.
        if number % 4 == 3 {
            let _ = stream.shutdown(Shutdown::Write);
        }
        if let Ok(reply) = Reply::read(&mut BufReader::new(stream), false) {
            *statuses.entry(reply.status).or_default() += 1;
        }
    }
    assert!(statuses.keys().all(|status| *status < 500 || *status == 503), "{statuses:?}");
    assert!(statuses.values().sum::<u32>() > requests / 3 * 2, "{statuses:?}");
    assert_eq!(server.get(GOOD).status, 200);
}

#[test]
fn idle_and_slow_clients_are_cut_off_and_others_are_answered() {
    let mut options = Options::new(SearchPath::embedded());
    options.limits.connections = 400;
    options.limits.head = Duration::from_secs(1);
    options.limits.request = Duration::from_secs(2);
    options.limits.stall = Duration::from_secs(1);
    let server = start(&options);
    assert_eq!(server.get(GOOD).status, 200);
    let mut held: Vec<_> = (0..300).map(|_| server.connect()).collect();
    // A head that never ends.
    for stream in held.iter_mut().take(100) {
        stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\nx-slow: ").expect("it reads");
    }
    // A body that never comes.
    for stream in held.iter_mut().skip(100).take(50) {
        let head = "POST /api/v1/probe HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
                    content-length: 100\r\n\r\n";
        stream.write_all(head.as_bytes()).expect("it reads");
    }
    // A batch whose answers nobody reads.
    let mut greedy = server.connect();
    let head = "POST /api/v1/probe?game=hexapawn&moves=true HTTP/1.1\r\nhost: x\r\n\
                content-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n";
    greedy.write_all(head.as_bytes()).expect("it reads");
    greedy.set_nonblocking(true).expect("it can be set");
    let lines = "\"ppp/3/PPP w\"\n".repeat(2000);
    let chunk = format!("{:x}\r\n{lines}\r\n", lines.len()).into_bytes();
    // Rest of a chunk that was not taken whole.
    let mut rest: &[u8] = &chunk;
    let (began, mut answered) = (Instant::now(), 0);
    while began.elapsed() < Duration::from_secs(4) {
        if let Ok(written) = greedy.write(rest) {
            rest = if written == rest.len() { &chunk } else { &rest[written..] };
        }
        assert_eq!(server.get(GOOD).status, 200);
        answered += 1;
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(answered > 20, "others get {answered} answers in four seconds");
    for (number, mut stream) in held.into_iter().enumerate() {
        stream.set_read_timeout(Some(Duration::from_secs(5))).expect("there are timeouts");
        let mut answer = Vec::new();
        let ended = stream.read_to_end(&mut answer);
        let is_open = matches!(&ended, Err(error) if error.kind() == ErrorKind::WouldBlock);
        assert!(!is_open, "connection {number}");
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"), "{number}: {answer}");
    }
    greedy.set_nonblocking(false).expect("it can be set");
    let mut answer = Vec::new();
    let ended = greedy.read_to_end(&mut answer);
    assert!(ended.is_err() || !answer.ends_with(b"\r\n0\r\n\r\n"), "what was cut off has no end");
    let metrics = server.get("/metrics");
    assert!(metrics.text().contains("\nanser_connections 1\n"), "{}", metrics.text());
}

#[test]
fn more_connections_than_the_bound_are_refused() {
    let mut options = Options::new(SearchPath::embedded());
    options.limits.connections = 8;
    let server = start(&options);
    let held: Vec<_> = (0..8).map(|_| server.connect()).collect();
    let mut more = server.connect();
    let mut refusal = String::new();
    more.read_to_string(&mut refusal).expect("it answers");
    assert!(refusal.starts_with("HTTP/1.1 503 ") && refusal.contains("Retry-After"), "{refusal}");
    drop(held);
    let began = Instant::now();
    loop {
        let mut stream = server.connect();
        let _ = stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
        match Reply::read(&mut BufReader::new(stream), false) {
            Ok(reply) if reply.status == 200 => break,
            _ => assert!(began.elapsed() < Duration::from_secs(5), "there is room again"),
        }
    }
}
