//! Tables that are damaged, replaced, or added while the server runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anser_core::{Hunt, LayerIndex, Side};
use anser_games::{Registry, SearchPath};
use anser_server::Options;
use anser_solve::{SolveOptions, Unobserved};
use anser_table::Metric;

use crate::support::{Running, start};

const RULES: &str = "first-capture";

fn game() -> Hunt {
    Registry::standard().game("fox-geese", Some(RULES)).expect("it is registered")
}

fn solve(dir: &Path, last: u16) {
    let options = SolveOptions { layers: Some(1..=last), ..SolveOptions::new(dir) };
    anser_solve::solve(&game(), &options, &Unobserved).expect("there is room");
}

fn table(dir: &Path, layer: u16) -> PathBuf {
    dir.join(format!("fox-geese.{RULES}.L{layer:02}.wdl.anser"))
}

/// Positions spread over a layer.
fn positions(layer: u16, count: u64) -> Vec<String> {
    let game = game();
    let index = game.index(layer);
    let all = index.len(Side::First);
    let ranks = (0..all).step_by((all / count).max(1) as usize);
    ranks.map(|rank| game.format_position(&index.unrank(Side::First, rank))).collect()
}

/// The statuses of probes of positions spread over a layer.
fn statuses(server: &Running, layer: u16) -> Vec<u16> {
    let target = format!("/api/v1/probe?game=fox-geese&rules={RULES}&position=");
    let probe = |text: String| server.get(&(target.clone() + &text.replace(' ', "_"))).status;
    positions(layer, 40).into_iter().map(probe).collect()
}

fn all_known(statuses: &[u16]) -> bool {
    statuses.iter().all(|&status| status == 200)
}

#[test]
fn a_damaged_block_fails_those_that_touch_it_alone() {
    let dir = tempfile::tempdir().expect("a directory");
    solve(dir.path(), 5);
    let path = table(dir.path(), 5);
    let mut bytes = fs::read(&path).expect("the table");
    // Within the values of the first side.
    let at = bytes.len() / 4;
    bytes[at] ^= 0x55;
    fs::write(&path, bytes).expect("the table");
    let server = start(&Options::new(SearchPath::directories([dir.path()])));
    let found = statuses(&server, 5);
    let damaged = found.iter().filter(|&&status| status == 500).count();
    let sound = found.iter().filter(|&&status| status == 200).count();
    assert!(sound > 0 && damaged > 0 && sound + damaged == found.len(), "{found:?}");
    assert!(all_known(&statuses(&server, 4)));
    let counted = format!("\nanser_damaged_total {damaged}\n");
    assert!(server.get("/metrics").text().contains(&counted));
    let answers = server.batch("fox-geese", RULES, &positions(5, 4000));
    let errors = answers.iter().map(|answer| &answer["error"]).filter(|error| error.is_object());
    let errors: Vec<_> = errors.collect();
    assert!(!errors.is_empty() && errors.len() < answers.len(), "{}", errors.len());
    for error in errors {
        assert_eq!(error["kind"], "corrupt");
        // Clients learn which file it is, and not where it is.
        let message = error["message"].as_str().expect("a message");
        assert!(message.contains("L05"), "{message}");
        assert!(!message.contains(&*dir.path().to_string_lossy()), "{message}");
    }
}

#[test]
fn tables_that_are_replaced_or_added_are_noticed() {
    let dir = tempfile::tempdir().expect("a directory");
    solve(dir.path(), 3);
    let server = start(&Options::new(SearchPath::directories([dir.path()])));
    assert!(all_known(&statuses(&server, 3)));
    // The same values under the same name, in another file.
    let copy = dir.path().join("copy");
    fs::copy(table(dir.path(), 3), &copy).expect("a copy");
    fs::rename(&copy, table(dir.path(), 3)).expect("it is replaced");
    assert!(all_known(&statuses(&server, 3)));
    let layers = || {
        let games = server.get("/api/v1/games").json();
        let sets = games["games"][0]["sets"].as_array().expect("a list");
        let set = sets.iter().find(|set| set["rules"] == RULES).expect("it is listed");
        set["layers"]["wdl"].as_array().expect("a list").len()
    };
    assert_eq!(layers(), 3);
    solve(dir.path(), 5);
    assert_eq!(layers(), 3, "new tables are found when they are looked for");
    server.handle.rescan().expect("the directory is there");
    assert_eq!(layers(), 5);
    assert!(all_known(&statuses(&server, 5)));
    let file = fs::OpenOptions::new().write(true).open(table(dir.path(), 5)).expect("the table");
    file.set_len(5000).expect("it is truncated");
    let began = Instant::now();
    while all_known(&statuses(&server, 5)) {
        // Layer 5 is null once its file is known to be of no use.
        let text = positions(5, 1)[0].replace(' ', "_");
        let target = format!("/api/v1/probe?game=fox-geese&rules={RULES}&position={text}");
        let answer = server.get(&target);
        if answer.status != 200 || answer.json()["outcome"].is_null() {
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(10), "the change is noticed");
    }
    assert!(all_known(&statuses(&server, 4)));
}

#[test]
fn a_table_of_distances_that_cannot_be_used_is_a_reason_and_is_counted() {
    let dir = tempfile::tempdir().expect("a directory");
    let options = SolveOptions {
        layers: Some(1..=4),
        metrics: [Metric::Wdl, Metric::Dtw].into_iter().collect(),
        ..SolveOptions::new(dir.path())
    };
    anser_solve::solve(&game(), &options, &Unobserved).expect("there is room");
    let name = format!("fox-geese.{RULES}.L04.dtw.anser");
    let file = fs::OpenOptions::new().write(true).open(dir.path().join(&name));
    file.and_then(|file| file.set_len(5000)).expect("it is truncated");
    let server = start(&Options::new(SearchPath::directories([dir.path()])));
    let text = positions(4, 1).remove(0);
    let target = format!("/api/v1/probe?game=fox-geese&rules={RULES}&position=");
    let answer = server.get(&(target + &text.replace(' ', "_")));
    assert_eq!(answer.status, 200);
    let answer = answer.json();
    assert!(answer["outcome"].is_string(), "{answer}");
    let unknown = answer["unknown"].as_array().expect("a list");
    let reason = unknown[0]["reason"].as_str().expect("a reason");
    assert!(reason.contains(&name), "{reason}");
    assert!(!reason.contains(&*dir.path().to_string_lossy()), "{reason}");
    assert_eq!((&unknown[0]["layer"], &unknown[0]["metric"]), (&4.into(), &"dtw".into()));
    assert!(server.get("/metrics").text().contains("\nanser_damaged_total 1\n"));
    let answers = server.batch("fox-geese", RULES, std::slice::from_ref(&text));
    assert_eq!(answers[0]["error"]["kind"], "corrupt", "{answers:?}");
    assert!(answers[0]["outcome"].is_string(), "{answers:?}");
    // The other endpoints say so as well, and each answer is counted.
    let of = format!("game=fox-geese&rules={RULES}");
    for (number, question) in
        (3..).zip([format!("move?{of}&position={}", text.replace(' ', "_")), format!("stats?{of}")])
    {
        let answer = server.get(&format!("/api/v1/{question}")).json();
        assert_eq!(
            (&answer["unknown"][0]["layer"], &answer["unknown"][0]["metric"]),
            (&4.into(), &"dtw".into())
        );
        assert!(answer["unknown"][0]["reason"].as_str().expect("a reason").contains(&name));
        let counted = format!("\nanser_damaged_total {number}\n");
        assert!(server.get("/metrics").text().contains(&counted), "{question}");
    }
    let drawn = server.get(&format!("/api/v1/random?{of}&layer=4&min_plies=3"));
    drawn.fails(500, "corrupt", &name);
}
