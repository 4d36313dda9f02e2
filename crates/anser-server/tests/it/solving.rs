//! Layers that are solved while the server answers.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use anser_core::Hunt;
use anser_games::{Registry, SearchPath};
use anser_server::{HeaderName, Options, Solving};
use anser_solve::{Observer, RunObserver, SolveOptions, Unobserved};
use anser_table::{Access, Metric, PositionedReads, Storage, Tablebase};
use serde_json::{Value, json};

use crate::support::{Running, start};

/// Rules without embedded tables.
const RULES: &str = "first-capture+orthogonal";

/// A position of 5 geese, the lowest layer that is too large for a solution in memory.
const FIVE: &str = "3/3/7/3F3/2gg3/1g1/g1g f";

/// A position of 11 geese.
const ELEVEN: &str = "3/3/7/3F3/ggggggg/ggg/1g1 f";

fn options(solving: Solving) -> Options {
    let mut options = Options::new(SearchPath::embedded());
    options.solving = Some(solving);
    options
}

fn target(rules: &str, position: &str) -> String {
    let position = position.replace(' ', "_");
    format!("/api/v1/probe?game=fox-geese&rules={}&position={position}", rules.replace('+', "%2B"))
}

/// Looks a position up until its answer is as wanted.
fn wait_for(server: &Running, target: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    let began = Instant::now();
    loop {
        let reply = server.get(target);
        assert_eq!(reply.status, 200, "{reply:?}");
        let answer = reply.json();
        if wanted(&answer) {
            return answer;
        }
        assert!(began.elapsed() < Duration::from_mins(2), "{answer}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Solves layers as `anser solve` does.
fn solve(game: &Hunt, dir: &Path, layers: std::ops::RangeInclusive<u16>, metric: Metric) {
    let options =
        SolveOptions { layers: Some(layers), metrics: metric.into(), ..SolveOptions::new(dir) };
    anser_solve::solve(game, &options, &Unobserved).expect("there is room");
}

fn game() -> Hunt {
    Registry::standard().game("fox-geese", Some(RULES)).expect("it is registered")
}

#[test]
fn a_layer_that_takes_seconds_is_solved_when_it_is_looked_up() {
    let (dir, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let server = start(&options(Solving::on_demand(dir.path())));
    let target = target(RULES, FIVE);
    let reply = server.get(&target);
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    let first = reply.json();
    // Before the layer is complete, nothing of it is known.
    assert_eq!(first["outcome"], Value::Null);
    assert!(first["moves"].as_array().unwrap().iter().all(|made| made["outcome"].is_null()));
    assert_eq!(first["unknown"][0]["layer"], 5);
    let solving = &first["solving"];
    assert_eq!((&solving["layer"], &solving["metric"]), (&json!(5), &json!("wdl")), "{first}");
    assert!(["queued", "running"].contains(&solving["state"].as_str().unwrap()), "{first}");
    let known = wait_for(&server, &target, |answer| {
        let state = &answer["solving"]["state"];
        assert!(state != "refused" && state != "failed", "{answer}");
        answer["solving"].is_null()
    });
    // The values are those of tables that were solved alone.
    let game = game();
    solve(&game, other.path(), 5..=5, Metric::Dtw);
    let tables = Tablebase::open(game.clone(), [other.path()]).unwrap();
    let position = game.parse_position(FIVE).unwrap();
    let value = tables.probe(&position).unwrap();
    assert_eq!(known["dtw"], json!(value.plies), "{known}");
    assert_eq!(known["unknown"], json!([]));
    let moves = tables.probe_moves(&position).unwrap();
    for (made, rated) in known["moves"].as_array().unwrap().iter().zip(&moves) {
        assert_eq!(made["move"], game.format_move(&rated.mv));
        assert_eq!(made["dtw"], json!(rated.value.unwrap().plies), "{made}");
    }
    // The list of games has the layers, and the counters their number.
    let games = server.get("/api/v1/games?game=fox-geese").json();
    let sets = games["games"][0]["sets"].as_array().unwrap();
    let set = sets.iter().find(|set| set["rules"] == RULES).unwrap();
    assert_eq!(set["layers"]["wdl"], json!([5]), "{set}");
    let metrics = server.get("/metrics");
    assert!(!metrics.text().contains("anser_solved_layers_total 0\n"), "{}", metrics.text());
    assert!(metrics.text().contains("\nanser_solving 0\n"), "{}", metrics.text());
    assert_eq!(server.get("/api/v1/solving").json()["layers"], json!([]));
}

#[test]
fn pages_of_other_sites_do_not_request_layers() {
    let dir = tempfile::tempdir().unwrap();
    let server = start(&options(Solving::on_demand(dir.path())));
    let of = target(RULES, FIVE);
    let ask =
        |site: &str| server.send("GET", &of, &format!("sec-fetch-site: {site}\r\n"), b"").json();
    let answer = ask("cross-site");
    assert_eq!((&answer["solving"], &answer["unknown"][0]["layer"]), (&Value::Null, &json!(5)));
    assert_eq!(server.get("/api/v1/solving").json()["layers"], json!([]));
    assert_eq!(ask("same-origin")["solving"]["layer"], 5);
}

#[test]
fn a_directory_that_was_removed_is_empty_and_is_created_again() {
    let work = tempfile::tempdir().unwrap();
    let dir = work.path().join("tables");
    let server = start(&options(Solving::on_demand(&dir)));
    let of = target(RULES, FIVE);
    let known = wait_for(&server, &of, |answer| !answer["outcome"].is_null());
    std::fs::remove_dir_all(&dir).unwrap();
    server.handle.rescan().unwrap();
    // Games whose tables are elsewhere are served, and the layer is solved again.
    let other = server.get(&target("free", "3/3/7/3F3/3g3/3/ggg f")).json();
    assert_eq!(other["outcome"], "fox", "{other}");
    let again = wait_for(&server, &of, |answer| !answer["outcome"].is_null());
    assert_eq!(again["outcome"], known["outcome"]);
    assert!(dir.is_dir());
}

#[test]
fn embedded_outcomes_get_distances() {
    let dir = tempfile::tempdir().unwrap();
    let server = start(&options(Solving::on_demand(dir.path())));
    let target = target("free", "3/3/7/3F3/3g3/3/ggg f");
    let first = server.get(&target).json();
    let outcome = &first["outcome"];
    assert!(outcome == "fox" && first["dtw"].is_null(), "{first}");
    assert_eq!(first["solving"]["metric"], "dtw");
    let known = wait_for(&server, &target, |answer| answer["solving"].is_null());
    assert!(known["outcome"] == *outcome && known["dtw"].is_u64(), "{known}");
}

#[test]
fn a_layer_beyond_the_limits_is_refused_with_the_command_that_solves_it() {
    let dir = tempfile::tempdir().unwrap();
    for (limit, says) in
        [("time", "at most"), ("disk", "of disk"), ("memory", "of memory and the limit is")]
    {
        let mut solving = Solving::on_demand(dir.path());
        match limit {
            "time" => solving.time = Duration::from_micros(1),
            "disk" => solving.disk = 100,
            _ => solving.memory = Some(1),
        }
        let server = start(&options(solving));
        let target = target(RULES, FIVE);
        let refused = wait_for(&server, &target, |answer| answer["solving"]["state"] == "refused");
        let reason = refused["solving"]["reason"].as_str().unwrap();
        assert!(reason.contains(says), "{limit}: {reason}");
        let command = format!("anser solve fox-geese --rules {RULES} --layers 5");
        assert_eq!(refused["solving"]["command"], json!(command));
        assert!(refused["outcome"].is_null());
        assert!(server.get("/metrics").text().contains("\nanser_refused_layers_total 1\n"));
    }
    let made = std::fs::read_dir(dir.path()).unwrap().filter_map(Result::ok);
    assert_eq!(made.filter(|file| file.file_name() != ".anser.lock").count(), 0);
}

#[test]
fn puzzles_and_statistics_request_a_layer_where_nothing_is_known() {
    let dir = tempfile::tempdir().unwrap();
    let mut solving = Solving::on_demand(dir.path());
    let [random, stats] = ["random", "stats"].map(|name| format!("/api/v1/{name}?game=coyote"));
    let wait = |server: &Running, target: &str| loop {
        let reply = server.get(target);
        if reply.status != 503 {
            break reply;
        }
        let seconds: u32 = reply.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=5).contains(&seconds), "{seconds}");
        let detail = reply.json()["detail"].as_str().unwrap().to_owned();
        let solves = ["is being solved", "waits to be solved"]
            .iter()
            .any(|state| detail.contains(&format!(" of coyote (rules standard) {state}")));
        assert!(solves, "{detail}");
        thread::sleep(Duration::from_millis(20));
    };
    // Neither the start nor the lowest layer has room.
    solving.disk = 100;
    let server = start(&options(solving.clone()));
    let moved = "/api/v1/move?game=coyote&position=5/5/s1C1s/sssss/sssss_s";
    for (target, status) in [(&*random, 404), (&stats, 404), (moved, 200)] {
        let other = server.send("GET", target, "sec-fetch-site: cross-site\r\n", b"");
        assert_eq!(other.status, status, "{other:?}");
    }
    assert_eq!(server.get("/api/v1/solving").json()["layers"], json!([]));
    assert_eq!(server.get(&random).status, 503);
    for target in [&random, &stats] {
        let refused = wait(&server, target);
        assert_eq!(refused.status, 404, "{refused:?}");
        let answer = refused.json();
        let [detail, hint] = [&answer["detail"], &answer["error"]["hint"]];
        assert!(detail.as_str().unwrap().contains(" of disk"), "{detail}");
        let command = "`anser solve coyote --rules standard --layers 10-12";
        assert!(hint.as_str().unwrap().starts_with(command), "{hint}");
    }
    drop(server);
    // A game that is counted without tables needs none.
    let server = start(&options(solving.clone()));
    server.get("/api/v1/stats?game=hexapawn:4x4").fails(404, "missing", "there are no tables");
    drop(server);
    // The lowest layer alone fits.
    solving.disk = 30 << 20;
    let server = start(&options(solving));
    let found = wait(&server, &format!("{random}&only_move=true")).json();
    assert_eq!((&found["layer"], found["outcome"].is_null()), (&json!(10), false), "{found}");
    let found = wait(&server, &stats).json();
    assert_eq!(found["layers"][0]["layer"], 10, "{found}");
    // The move of the computer says why values are unknown.
    let chosen = server.get(moved).json();
    let reason = &chosen["unknown"][0];
    assert_eq!((&chosen["outcome"], &reason["layer"]), (&Value::Null, &json!(12)), "{chosen}");
    assert_eq!(chosen["solving"]["layer"], 12, "{chosen}");
}

/// Holds the lock of a directory until it may go on.
struct Holds {
    began: Mutex<Sender<()>>,
    goes_on: Mutex<Receiver<()>>,
    waited: AtomicBool,
}

impl Observer for Holds {
    fn begin(&self, _: &str, _: u64) {
        if !self.waited.swap(true, Relaxed) {
            self.began.lock().unwrap().send(()).unwrap();
            let _ = self.goes_on.lock().unwrap().recv();
        }
    }
}

impl RunObserver for Holds {}

#[test]
fn a_directory_that_another_process_uses_is_tried_again() {
    let dir = tempfile::tempdir().unwrap();
    let (began, has_begun) = channel();
    let (go_on, goes_on) = channel();
    let holds = Holds {
        began: Mutex::new(began),
        goes_on: Mutex::new(goes_on),
        waited: AtomicBool::new(false),
    };
    thread::scope(|scope| {
        let other = scope.spawn(|| {
            let options = SolveOptions { layers: Some(5..=5), ..SolveOptions::new(dir.path()) };
            anser_solve::solve(&game(), &options, &holds).map(|_| ())
        });
        has_begun.recv().unwrap();
        let lines = Arc::new(Mutex::new(Vec::new()));
        let mut solving = Solving::ahead(dir.path());
        let reported = lines.clone();
        solving.report = Some(Arc::new(move |line| reported.lock().unwrap().push(line.to_owned())));
        let server = start(&options(solving));
        let target = target(RULES, FIVE);
        let failed = wait_for(&server, &target, |answer| answer["solving"]["state"] == "failed");
        let reason = failed["solving"]["reason"].as_str().unwrap();
        assert_eq!(reason, "another process solves in the directory of this server");
        assert!(!reason.contains('/') && failed["outcome"].is_null());
        // Attempts are made again and again, and the lock is reported once.
        let attempts = || {
            let metrics = server.get("/metrics").text().to_owned();
            let mut lines = metrics.lines();
            let number = lines.find_map(|line| line.strip_prefix("anser_failed_layers_total "));
            number.unwrap().parse::<u64>().unwrap()
        };
        let began = Instant::now();
        while attempts() < 4 {
            assert!(began.elapsed() < Duration::from_mins(2));
            thread::sleep(Duration::from_millis(100));
        }
        let lines = lines.lock().unwrap().clone();
        assert_eq!(lines.len(), 1, "{lines:?}");
        go_on.send(()).unwrap();
        other.join().unwrap().unwrap();
        wait_for(&server, &target, |answer| !answer["outcome"].is_null());
    });
}

#[test]
fn many_clients_start_one_solve_and_wait_within_their_shares() {
    let dir = tempfile::tempdir().unwrap();
    let mut solving = Solving::on_demand(dir.path());
    solving.time = Duration::from_hours(1);
    solving.threads = Some(1);
    let mut options = options(solving);
    options.trusted_header = Some(HeaderName::from_static("x-forwarded-for"));
    let mut server = start(&options);
    let ask = |client: &str, rules: &str, position: &str| {
        let header = format!("x-forwarded-for: {client}\r\n");
        server.send("GET", &target(rules, position), &header, b"").json()["solving"].clone()
    };
    // It runs until all have asked.
    ask("192.0.2.1", "free", ELEVEN);
    wait_for(&server, &target("free", ELEVEN), |answer| answer["solving"]["state"] == "running");
    let rules = ["free+orthogonal", "free+chain", "forward+orthogonal", RULES, "forward+chain"];
    let positions = ["3/3/7/3F3/gg3gg/1g1/1g1 f", "3/3/7/3F3/ggg1ggg/1g1/1g1 f"];
    // A client waits for four layers, and gets the state of those that others requested.
    for (client, waiting) in [("192.0.2.1", 4), ("192.0.2.2", 8), ("192.0.2.3", 10)] {
        let asked = rules.iter().flat_map(|rules| positions.map(|position| (rules, position)));
        let states = asked.map(|(rules, position)| ask(client, rules, position)["state"].clone());
        assert_eq!(states.collect::<Vec<_>>(), ["queued"; 10], "{client}");
        let list = server.get("/api/v1/solving").json();
        let listed = list["layers"].as_array().unwrap().iter().map(|layer| &layer["state"]);
        assert!(listed.eq(["running"].iter().chain(&vec!["queued"; waiting])), "{list}");
    }
    // The server stops soon, and what is unfinished resumes.
    let began = Instant::now();
    server.stop().unwrap();
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

/// Positioned reads, the first of which panics.
struct PanicsOnce(AtomicBool);

impl Access for PanicsOnce {
    fn open(&self, path: &Path) -> std::io::Result<Box<dyn Storage>> {
        assert!(self.0.swap(true, Relaxed), "the first table is opened");
        PositionedReads.open(path)
    }
}

#[test]
fn solving_ahead_survives_a_panic() {
    let dir = tempfile::tempdir().unwrap();
    solve(&Hunt::default(), dir.path(), 1..=1, Metric::Dtw);
    let mut options = options(Solving::ahead(dir.path()));
    let access = Arc::new(PanicsOnce(AtomicBool::new(false)));
    options.access = access.clone();
    let server = start(&options);
    // Nothing but the search for the next layer opens tables.
    let began = Instant::now();
    while !access.0.load(Relaxed) || server.get("/api/v1/solving").json()["layers"] == json!([]) {
        assert!(began.elapsed() < Duration::from_mins(1), "nothing is solved");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn layers_are_solved_ahead_of_requests_within_the_limits() {
    let dir = tempfile::tempdir().unwrap();
    let game = Registry::standard().game("fox-geese", Some("free")).unwrap();
    // Outcomes come first. Those of higher layers would take longer than is allowed.
    let mut solving = Solving::ahead(dir.path());
    solving.disk = 30 << 20;
    let server = start(&options(solving));
    let began = Instant::now();
    loop {
        let games = server.get("/api/v1/games?game=fox-geese").json();
        let layers = &games["games"][0]["sets"][0]["layers"];
        assert_eq!(games["games"][0]["sets"][0]["rules"], game.rules_id());
        let distances = layers["dtw"].as_array().unwrap();
        if layers["wdl"] == json!([1, 2, 3, 4, 5, 6, 7]) && distances.len() >= 4 {
            break;
        }
        assert!(began.elapsed() < Duration::from_mins(2), "{layers}");
        thread::sleep(Duration::from_millis(50));
    }
    let taken: u64 = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|file| file.unwrap().metadata().unwrap().len())
        .sum();
    assert!(taken <= 30 << 20, "{taken}");
}
