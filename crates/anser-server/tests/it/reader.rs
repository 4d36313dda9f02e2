//! The reader in JavaScript against the library, by Node.
//!
//! `ANSER_FZSTD` names the directory of the package fzstd, if tables are to be compared as well.

use std::collections::HashMap;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anser_analyse::Random;
use anser_core::hunt::{HuntIndex, Position};
use anser_core::{Hunt, LayerIndex, Next, Side};
use anser_games::{Registry, SearchPath, parse_file};
use anser_server::Options;
use anser_solve::{PackOptions, SolveOptions, Unobserved};
use anser_table::Metric;
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64;

use crate::site::Files;
use crate::support::start;
use crate::webdriver::Browser;

/// Number of positions over all games whose rules, notation, and rank are compared.
const POSITIONS: usize = 50_000;

/// Most classes of a layer whose positions are drawn by rank.
const LARGEST: u64 = 1 << 53;

/// The modules of the page and the script, as modules for any version of Node.
fn script() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    copy(&root.join("web"), &dir.path().join("web"));
    copy(&root.join("tests/reader"), dir.path());
    fs::write(dir.path().join("package.json"), r#"{"type":"module"}"#).expect("a file");
    dir
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("the directory is there") {
        let entry = entry.expect("it can be read");
        let (path, name) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &name);
        } else {
            fs::copy(path, name).expect("it can be copied");
        }
    }
}

/// Runs the script on lines. Nothing is compared where Node is missing, with a note; where `CI` is
/// `true` that is an error.
fn compare(write: impl FnOnce(&mut dyn FnMut(Value))) -> Option<Value> {
    let dir = script();
    let fzstd = fzstd().map(|package| package.join("esm/index.mjs")).unwrap_or_default();
    let node = Command::new("node")
        .arg(dir.path().join("compare.mjs"))
        .arg(fzstd)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut node) = node else {
        let why = "the reader in JavaScript is not tested: install Node";
        assert!(std::env::var("CI").as_deref() != Ok("true"), "{why}");
        eprintln!("skipped: {why}");
        return None;
    };
    let mut input = BufWriter::new(node.stdin.take().expect("it is piped"));
    write(&mut |line| writeln!(input, "{line}").expect("it is read"));
    drop(input.into_inner().expect("it is read"));
    let output = node.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("it prints text");
    assert!(output.status.success(), "{text}");
    Some(serde_json::from_str(text.lines().last().expect("a line")).expect("counts"))
}

#[test]
fn the_worker_of_a_site_keeps_what_is_sound_and_needed() {
    let dir = script();
    let Ok(output) = Command::new("node").arg(dir.path().join("worker.mjs")).output() else {
        let why = "the worker of sites is not tested: install Node";
        assert!(std::env::var("CI").as_deref() != Ok("true"), "{why}");
        eprintln!("skipped: {why}");
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The package of the decoder. `None` where there is none, with a note; where `CI` is `true` that
/// is an error.
pub(crate) fn fzstd() -> Option<PathBuf> {
    let path = std::env::var_os("ANSER_FZSTD").map(PathBuf::from);
    if path.is_none() {
        let why = "tables are not read in JavaScript: ANSER_FZSTD names no package of fzstd";
        assert!(std::env::var("CI").as_deref() != Ok("true"), "{why}");
        eprintln!("skipped: {why}");
    }
    path
}

/// Every game of this program in its common sizes, under every listed rule set, and a wide one.
fn games() -> Vec<Hunt> {
    let registry = Registry::standard();
    let mut games = Vec::new();
    for info in registry.games() {
        let sizes = info.sizes.map_or(&[""][..], |sizes| sizes.common);
        for (size, rules) in
            sizes.iter().flat_map(|size| info.rule_sets.iter().map(move |rules| (size, rules)))
        {
            games.push(info.make(size, &rules.id).expect("a listed rule set"));
        }
        for family in &info.families {
            let rules = family.pattern.replace('N', &family.least.to_string());
            games.extend(sizes.iter().filter_map(|size| info.make(size, &rules).ok()));
        }
    }
    games.extend([wide(), line()]);
    games
}

/// A hunt whose chains of jumps stop at a goal.
fn line() -> Hunt {
    let text = r#"
name = "line"
board.points = [
    ["a1", 0, 0], ["b1", 1, 0], ["c1", 2, 0], ["d1", 3, 0], ["e1", 4, 0], ["f1", 5, 0], ["g1", 6, 0],
]
board.lines = ["a1 b1 c1 d1 e1 f1 g1"]
few = { name = "tiger", letter = "T", start = "a1", steps = "lines", jumps = "lines", chain = true }
many = { name = "goats", letter = "g", number = [0, 3], start = "b1 d1 f1", steps = "lines" }
ends = [{ winner = "few", when = "reached few e1" }, { winner = "many", when = "fewer many 1" }]
"#;
    let info = parse_file("line.toml".as_ref(), text).unwrap_or_else(|error| panic!("{error}"));
    info.make("", "standard").expect("its only rule set")
}

/// A hunt with rows of more than nine points.
fn wide() -> Hunt {
    let row = |y: usize| (1..=22).map(move |x| (format!("{}{y}", char::from(b'a' + x)), x, y));
    let points: Vec<_> =
        (1..=2).flat_map(row).map(|(name, x, y)| format!("[\"{name}\", {x}, {y}]")).collect();
    let names = |y| row(y).map(|(name, ..)| name).collect::<Vec<_>>();
    let mut lines: Vec<_> = (1..=2).map(|y| format!("\"{}\"", names(y).join(" "))).collect();
    lines.extend(names(1).iter().zip(names(2)).map(|(low, high)| format!("\"{low} {high}\"")));
    let text = format!(
        r#"
name = "wide"
board = {{ points = [{}], lines = [{}] }}
few = {{ name = "tiger", letter = "T", start = "m2", steps = "lines", jumps = "lines" }}
many = {{ name = "goats", letter = "g", number = [1, 3], start = "b1 m1 w1", steps = "lines" }}
ends = [
    {{ winner = "few", when = "fewer many 2" }},
    {{ winner = "many", when = "blocked few" }},
    {{ winner = "few", when = "blocked many" }},
]
"#,
        points.join(", "),
        lines.join(", ")
    );
    let info = parse_file("wide.toml".as_ref(), &text).unwrap_or_else(|error| panic!("{error}"));
    info.make("", "standard").expect("its only rule set")
}

fn game_line(game: &Hunt) -> Value {
    let scheme = game.index(*game.layers().start()).scheme();
    json!({
        "kind": "set", "text": game.description_text(),
        "numbering": format!("{} {}", scheme.name, scheme.version),
        "fingerprint": format!("{:016x}", xxh3_64(game.fingerprint().as_bytes())),
        "symmetries": scheme.symmetries,
    })
}

fn position_line(game: &Hunt, index: &HuntIndex, position: &Position) -> Value {
    let moves = game.moves(position).into_iter().map(|(mv, next)| {
        let after = game.format_position(next.position());
        json!([game.format_move(&mv), after, game.ending_after(&next)])
    });
    json!({
        "kind": "position", "position": game.format_position(position),
        "layer": game.layer(position), "rank": index.rank(position),
        "entries": Side::BOTH.map(|side| index.len(side)),
        "ending": game.ending(position), "moves": moves.collect::<Vec<_>>(),
    })
}

/// Positions of games played at random, and positions of layers drawn at random.
fn positions(game: &Hunt, random: &mut Random, count: usize) -> Vec<Position> {
    let mut found = Vec::new();
    let mut here = game.start();
    for _ in 0..count / 2 {
        found.push(here);
        let moves = game.moves(&here);
        let next = (!moves.is_empty()).then(|| moves[random.below(moves.len())].1);
        here = match next {
            Some(Next::Position(next)) => next,
            _ => game.start(),
        };
    }
    let layers: Vec<u16> = game.layers().collect();
    let mut drawn = 0;
    while found.len() < count && drawn < 4 * count {
        // Indexes of layers take time to make, so several positions are of one layer.
        let index = game.index(layers[random.below(layers.len())]);
        for _ in 0..20 {
            drawn += 1;
            if Side::BOTH.map(|side| index.len(side)).iter().any(|&len| len > LARGEST) {
                continue;
            }
            found.extend(random.position(game, &index, &Side::BOTH));
        }
    }
    found.truncate(count);
    found
}

/// A text with one character changed, left out, or put in.
fn changed(text: &str, random: &mut Random) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let others: Vec<char> = "123456789/ _*x-Fgf0é".chars().chain(text.chars()).collect();
    let (at, other) = (random.below(chars.len()), others[random.below(others.len())]);
    match random.below(4) {
        0 => chars[at] = other,
        1 => chars.insert(at, other),
        2 => chars.truncate(at),
        _ => drop(chars.remove(at)),
    }
    chars.into_iter().collect()
}

/// Writes the lines about the rules, the notation, and the numbering of every game.
fn every_game(line: &mut dyn FnMut(Value)) {
    let games = games();
    let each = POSITIONS.div_ceil(games.len());
    let mut random = Random::new(1);
    for length in (0..300).chain([1023, 1024, 1025, 4088, 70_001]) {
        let text: String = (0..length).map(|_| char::from(b' ' + random.below(90) as u8)).collect();
        let hash = format!("{:016x}", xxh3_64(text.as_bytes()));
        line(json!({ "kind": "hash", "text": text, "hash": hash }));
    }
    for game in &games {
        line(game_line(game));
        let mut indexes: HashMap<u16, HuntIndex> = HashMap::new();
        for (number, position) in positions(game, &mut random, each).iter().enumerate() {
            let layer = game.layer(position);
            let index = indexes.entry(layer).or_insert_with(|| game.index(layer));
            line(position_line(game, index, position));
            if number % 10 == 0 {
                let text = changed(&game.format_position(position), &mut random);
                line(match game.parse_position(&text) {
                    Ok(read) => json!({ "kind": "malformed", "text": text, "column": null,
                        "problem": game.format_position(&read) }),
                    Err(error) => json!({ "kind": "malformed", "text": text,
                        "column": error.column(), "problem": error.problem() }),
                });
            }
        }
    }
}

/// Checks that every game was compared.
fn check_every_game(counts: &Value) {
    eprintln!("{counts}");
    assert_eq!(counts["wrong"], 0);
    assert_eq!(counts["set"], games().len());
    assert!(counts["position"].as_u64().is_some_and(|count| count >= POSITIONS as u64), "{counts}");
}

#[test]
fn the_reader_has_the_rules_notation_and_numbering_of_every_game() {
    if let Some(counts) = compare(every_game) {
        check_every_game(&counts);
    }
}

#[test]
fn the_reader_has_them_in_a_browser_as_well() {
    let Some(browser) = Browser::start() else { return };
    let dir = script();
    let mut lines = Vec::new();
    every_game(&mut |line| lines.extend(format!("{line}\n").into_bytes()));
    fs::write(dir.path().join("lines.jsonl"), lines).expect("they can be written");
    fs::write(dir.path().join("index.html"), "<!doctype html><title>Reader</title>")
        .expect("a page");
    let files = Files::start(dir.path());
    browser.open(&files.origin());
    let origin = json!(files.origin());
    browser.eval(&format!(
        "(import({origin} + 'compare.js').then(async ({{ Comparison }}) => {{
           const comparison = new Comparison();
           const lines = (await (await fetch({origin} + 'lines.jsonl')).text()).trimEnd().split('\\n');
           for (const line of lines) await comparison.line(line);
           const shown = comparison.shown.join('; ');
           window.compared = {{ ...comparison.counts, wrong: comparison.wrong, shown }};
         }}).catch((error) => {{ window.compared = {{ wrong: String(error) }}; }}), 0)"
    ));
    browser.wait("window.compared");
    check_every_game(&browser.eval("window.compared"));
}

/// Solves and packs layers of a game.
pub(crate) fn tables_of(game: &Hunt, dir: &Path, layers: Option<(u16, u16)>, metrics: &[Metric]) {
    let raw = dir.join("raw");
    for &metric in metrics {
        let layers = layers.map(|(first, last)| first..=last);
        let options = SolveOptions { layers, metrics: metric.into(), ..SolveOptions::new(&raw) };
        anser_solve::solve(game, &options, &Unobserved).expect("there is room");
    }
    let options = PackOptions { from: vec![raw.clone()], out: dir.into(), ..Default::default() };
    anser_solve::pack(game, &options, &Unobserved).expect("they can be packed");
    fs::remove_dir_all(raw).expect("they were read");
}

fn packed_files(dir: &Path, game: &Hunt) -> Vec<PathBuf> {
    let start = format!("{}.{}.", game.name().replace(':', "-"), game.rules_id());
    let files = fs::read_dir(dir).expect("the directory is there");
    let files = files.map(|file| file.expect("it can be read").path());
    let is_table = |path: &PathBuf| {
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
        name.starts_with(&start) && name.ends_with(".anserz")
    };
    files.filter(is_table).collect()
}

#[test]
fn the_reader_has_the_values_of_the_server() {
    if fzstd().is_none() {
        return;
    }
    let (wdl, dtw) = (&[Metric::Wdl][..], &[Metric::Dtw][..]);
    let both = &[Metric::Wdl, Metric::Dtw][..];
    // Every numbering and kind of layer, and layers that lack lower ones or distances.
    let sets = [
        ("fox-geese", "free", Some((1, 5)), wdl),
        ("fox-geese", "forward", Some((1, 4)), dtw),
        ("fox-geese", "first-capture", Some((4, 5)), both),
        ("hexapawn:4x4", "standard", None, dtw),
        ("fox-hounds:6", "escape", None, both),
        ("hasenspiel:6", "literal", None, dtw),
        ("hare-hounds", "unlimited", None, dtw),
        ("hare-hounds", "budget-60", None, dtw),
        ("vendsyssel", "", None, wdl),
        // Jumps in chains that are compulsory, and pieces in hand.
        ("fox-geese", "free+chain+compulsory", Some((1, 4)), wdl),
        ("kaooa", "", None, both),
    ];
    let registry = Registry::standard();
    let dir = tempfile::tempdir().expect("a directory");
    let mut games = Vec::new();
    for (name, rules, layers, metrics) in sets {
        let rules = (!rules.is_empty()).then_some(rules);
        let game = registry.game(name, rules).expect("it is registered");
        tables_of(&game, dir.path(), layers, metrics);
        games.push((game, layers, metrics));
    }
    let server = start(&Options::new(SearchPath::directories([dir.path()])));
    let counts = compare(|line| {
        let mut random = Random::new(2);
        for (game, layers, metrics) in &games {
            line(game_line(game));
            line(json!({ "kind": "tables", "files": packed_files(dir.path(), game) }));
            let layers: Vec<u16> =
                layers.map_or_else(|| game.layers().collect(), |(a, b)| (a..=b + 1).collect());
            for number in 0..300 {
                let index = game.index(layers[random.below(layers.len())]);
                let Some(position) = random.position(game, &index, &Side::BOTH) else { continue };
                let position = game.format_position(&position).replace(' ', "_");
                let (name, rules) = (game.name(), game.rules_id());
                let mut answered = |kind: &str, path: &str| {
                    let target =
                        format!("/api/v1/{path}?game={name}&rules={rules}&position={position}");
                    let reply = server.get(&target);
                    let mut answer = reply.json();
                    let answer = answer.as_object_mut().expect("an object");
                    answer.remove("schema");
                    answer.insert("kind".into(), kind.into());
                    if reply.status == 200 {
                        line(Value::Object(answer.clone()));
                    }
                    reply.status
                };
                assert_eq!(answered("probe", "probe"), 200, "{position}");
                // If there are no tables of distances, the server solves small layers.
                if number % 10 == 0 && metrics.contains(&Metric::Dtw) {
                    assert!([200, 404].contains(&answered("best", "line")), "{position}");
                }
            }
        }
    });
    let Some(counts) = counts else { return };
    eprintln!("{counts}");
    assert!(counts["probe"].as_u64().is_some_and(|count| count > 2500), "{counts}");
    assert!(counts["best"].as_u64().is_some_and(|count| count > 75), "{counts}");
}
