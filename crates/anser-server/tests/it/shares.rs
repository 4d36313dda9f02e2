//! Limits of clients: room for work, connections, and questions that take long.

use std::io::{BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use anser_games::SearchPath;
use anser_server::{HeaderName, Options};
use socket2::{Domain, Socket, Type};

use crate::support::{Reply, Running, start};

const GOOD: &str = "/api/v1/probe?game=fox-geese&position=3/3/7/3F3/2ggg2/1g1/1g1_f";

/// A question that looks at thousands of positions and finds none: nobody has an only move where
/// all lose.
const LONG: &str = "/api/v1/random?game=fox-geese&layer=6&outcome=fox&to_move=geese&only_move=true";

/// A question that takes a tenth of a second: hardly any draw of the geese hangs on one move.
const LONGER: &str =
    "/api/v1/random?game=fox-geese&layer=7&outcome=draw&to_move=geese&only_move=true";

/// A question of the same lane whose first draw is an answer.
const DRAW: &str = "/api/v1/random?game=fox-geese&layer=6";

/// Connects from an address of this machine.
fn connect_from(server: &Running, last: u8) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
    let from = SocketAddr::from((Ipv4Addr::new(127, 0, 0, last), 0));
    socket.bind(&from.into()).expect("all of 127.0.0.0/8 is this machine");
    socket.connect(&server.address.into()).expect("it accepts connections");
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(Duration::from_mins(1))).expect("there are timeouts");
    stream
}

/// Asks from an address, with these headers.
fn ask(server: &Running, last: u8, target: &str, headers: &str) -> Reply {
    let mut stream = connect_from(server, last);
    let head = format!("GET {target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{headers}\r\n");
    stream.write_all(head.as_bytes()).expect("it reads");
    Reply::read(&mut BufReader::new(stream), false).expect("it answers")
}

/// The middle of the times that probes take.
fn median_of_probes(server: &Running) -> Duration {
    let mut times: Vec<Duration> = (0..41)
        .map(|_| {
            let began = Instant::now();
            assert_eq!(server.get(GOOD).status, 200);
            began.elapsed()
        })
        .collect();
    times.sort();
    times[20]
}

/// The value of a counter.
fn counter(server: &Running, name: &str) -> u64 {
    let metrics = server.get("/metrics");
    let value = metrics.text().lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    value.expect("the counter is there").parse().expect("a number")
}

/// Allows this process both ends of a thousand connections.
fn raise_open_files() {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointer is valid for the call, which writes one value of this type.
    assert_eq!(unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) }, 0);
    limit.rlim_cur = limit.rlim_max.min(1 << 16);
    assert!(limit.rlim_cur >= 4096, "the test needs 4096 open files: raise the limit, ulimit -Hn");
    // SAFETY: the pointer is valid for the call, which reads one value of this type.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit) }, 0);
}

#[test]
fn idle_batches_take_no_room() {
    raise_open_files();
    let server = start(&Options::new(SearchPath::embedded()));
    let head = "POST /api/v1/probe?game=hexapawn HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\
                content-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n\
                e\r\n\"ppp/3/PPP w\"\n\r\n5\r\n\"ppp/\r\n";
    let mut idle: Vec<TcpStream> = (0..1000)
        .map(|number: u32| {
            let mut stream = connect_from(&server, 2 + (number % 20) as u8);
            stream.write_all(head.as_bytes()).expect("it reads");
            stream
        })
        .collect();
    let median = median_of_probes(&server);
    assert!(median < Duration::from_millis(50), "{median:?}");
    // None of them is forgotten.
    for mut stream in idle.drain(..).step_by(97) {
        stream.write_all(b"9\r\n3/PPP w\"\n\r\n0\r\n\r\n").expect("it reads");
        let reply = Reply::read(&mut BufReader::new(stream), false).expect("it answers");
        let answers = reply.lines();
        assert_eq!((reply.status, answers.len()), (200, 2));
        assert!(answers.iter().all(|answer| answer["dtw"] == 6), "{answers:?}");
    }
}

#[test]
fn an_address_has_a_share_of_the_connections() {
    let mut options = Options::new(SearchPath::embedded());
    options.limits.client_connections = 5;
    let server = start(&options);
    let held: Vec<TcpStream> = (0..5).map(|_| connect_from(&server, 7)).collect();
    assert_eq!(ask(&server, 8, GOOD, "").status, 200);
    let refused = ask(&server, 7, GOOD, "");
    refused.fails(429, "io", "5 connections from your address");
    assert_eq!(refused.header("retry-after"), Some("1"));
    drop(held);
    let began = Instant::now();
    while ask(&server, 7, GOOD, "").status != 200 {
        assert!(began.elapsed() < Duration::from_secs(5), "there is room again");
    }
    // Behind a proxy, all connections come from one address.
    options.trusted_header = Some(HeaderName::from_static("x-forwarded-for"));
    let server = start(&options);
    let _held: Vec<TcpStream> = (0..20).map(|_| connect_from(&server, 7)).collect();
    assert_eq!(ask(&server, 7, GOOD, "").status, 200);
}

/// Asks long questions with these headers all the time, until the test of this server returns.
fn while_asked(server: &Running, headers: &str, test: impl FnOnce()) {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while !is_over.load(Relaxed) {
                    ask(server, 7, LONG, headers);
                }
            });
        }
        test();
        is_over.store(true, Relaxed);
    });
}

/// Asks until an answer has this status.
fn until(server: &Running, last: u8, headers: &str, status: u16) -> Reply {
    let began = Instant::now();
    loop {
        let reply = ask(server, last, LONG, headers);
        if reply.status == status {
            return reply;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "{reply:?}");
    }
}

#[test]
fn an_address_has_a_share_of_the_work() {
    let mut options = Options::new(SearchPath::embedded());
    options.limits.client_requests = 1;
    let server = start(&options);
    while_asked(&server, "x-forwarded-for: 192.0.2.1\r\n", || {
        // Whatever a client writes into its headers.
        let refused = until(&server, 7, "x-forwarded-for: 192.0.2.2\r\n", 429);
        refused.fails(429, "io", "1 requests from your address");
        assert_eq!(refused.header("retry-after"), Some("1"));
        for _ in 0..20 {
            assert_eq!(ask(&server, 8, GOOD, "").status, 200);
        }
    });
    assert!(counter(&server, "anser_shed_total") > 0);
    // With a proxy, the header tells.
    options.trusted_header = Some(HeaderName::from_static("x-forwarded-for"));
    let server = start(&options);
    while_asked(&server, "x-forwarded-for: 192.0.2.2, 192.0.2.1\r\n", || {
        until(&server, 7, "x-forwarded-for: 192.0.2.1\r\n", 429);
        for _ in 0..20 {
            assert_eq!(ask(&server, 7, GOOD, "x-forwarded-for: 192.0.2.2\r\n").status, 200);
        }
    });
}

#[test]
fn an_address_leaves_room_for_others_to_run() {
    let mut options = Options::new(SearchPath::embedded());
    // A fourth of them in the lane of these questions.
    (options.limits.running, options.limits.client_running) = (16, 2);
    let server = start(&options);
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..40 {
            scope.spawn(|| {
                while !is_over.load(Relaxed) {
                    ask(&server, 7, LONGER, "");
                }
            });
        }
        thread::sleep(Duration::from_millis(300));
        // Those of the first address wait for one another, and not before these.
        let mut times: Vec<(Duration, u16)> = (0..21)
            .map(|_| {
                let began = Instant::now();
                let status = ask(&server, 8, DRAW, "").status;
                (began.elapsed(), status)
            })
            .collect();
        times.sort();
        is_over.store(true, Relaxed);
        assert!(times.iter().all(|(_, status)| *status == 200), "{times:?}");
        assert!(times[10].0 < Duration::from_millis(50), "{times:?}");
    });
}

#[test]
fn quick_questions_do_not_wait_for_slow_ones() {
    let mut options = Options::new(SearchPath::embedded());
    options.limits.running = 1;
    let server = start(&options);
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..20 {
            scope.spawn(|| {
                while !is_over.load(Relaxed) {
                    ask(&server, 7, LONGER, "");
                }
            });
        }
        thread::sleep(Duration::from_millis(300));
        let median = median_of_probes(&server);
        is_over.store(true, Relaxed);
        assert!(median < Duration::from_millis(50), "{median:?}");
    });
}

#[test]
fn an_address_has_a_share_of_the_tasks() {
    let mut options = Options::new(SearchPath::embedded());
    options.limits.client_tasks = 1;
    let server = start(&options);
    let target = |game: &str| format!("/api/v1/census?game=hexapawn:{game}");
    thread::scope(|scope| {
        let first = scope.spawn(|| ask(&server, 7, &target("3x7"), ""));
        let began = Instant::now();
        while counter(&server, "anser_tasks_total") == 0 {
            assert!(began.elapsed() < Duration::from_secs(20), "the task begins");
        }
        let refused = ask(&server, 7, &target("3x6"), "");
        refused.fails(429, "io", "1 questions about whole games from your address");
        assert_eq!(refused.header("retry-after"), Some("1"));
        // Who asks the same waits for the same task, and another address has its own share. A brief
        // task does not wait for one that takes longer.
        assert_eq!(ask(&server, 8, &target("3x3"), "").status, 200);
        assert!(!first.is_finished(), "the longer task still runs");
        assert_eq!(ask(&server, 7, &target("3x7"), "").status, 200);
        assert_eq!(first.join().expect("no panic").status, 200);
    });
    assert_eq!(ask(&server, 7, &target("3x6"), "").status, 200);
    assert_eq!(counter(&server, "anser_tasks_total"), 3);
}

#[test]
fn equal_questions_are_answered_by_one_task() {
    let server = start(&Options::new(SearchPath::embedded()));
    thread::scope(|scope| {
        let asked: Vec<_> = (0..128)
            .map(|_| scope.spawn(|| server.get("/api/v1/census?game=hexapawn:4x4")))
            .collect();
        for answer in asked {
            let answer = answer.join().expect("no panic");
            assert_eq!(answer.status, 200, "{answer:?}");
        }
    });
    assert_eq!(counter(&server, "anser_tasks_total"), 1);
    assert_eq!(counter(&server, "anser_abandoned_tasks_total"), 0);
}

#[test]
fn long_questions_leave_room_and_end_when_nobody_waits() {
    let mut options = Options::new(SearchPath::embedded());
    options.limits.request = Duration::from_millis(150);
    options.limits.client_tasks = 6;
    let server = start(&options);
    // Six tasks, of some seconds together.
    let questions = ["census?", "hardest?", "hardest?all=true&"];
    let targets: Vec<String> = ["hexapawn:3x8", "hexapawn:3x7"]
        .into_iter()
        .flat_map(|game| questions.map(|question| format!("/api/v1/{question}game={game}")))
        .collect();
    thread::scope(|scope| {
        let asked: Vec<_> = (0..128)
            .map(|number| {
                scope.spawn({
                    let target = &targets[number % targets.len()];
                    let server = &server;
                    move || server.get(target)
                })
            })
            .collect();
        let median = median_of_probes(&server);
        assert!(median < Duration::from_millis(50), "{median:?}");
        for answer in asked {
            let answer = answer.join().expect("no panic");
            // One that is done already is answered.
            assert!([200, 503].contains(&answer.status), "{}", answer.status);
            assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
        }
    });
    let began = Instant::now();
    while counter(&server, "anser_abandoned_tasks_total") == 0 {
        assert!(began.elapsed() < Duration::from_secs(20), "they are stopped");
        thread::sleep(Duration::from_millis(100));
    }
    // Another one has its turn.
    let began = Instant::now();
    while server.get("/api/v1/census?game=hexapawn:3x3").status != 200 {
        assert!(began.elapsed() < Duration::from_secs(20), "it is stopped");
    }
}
