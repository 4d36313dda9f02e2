//! The server's answers are those of the library, on thousands of positions of all games.

use std::fmt::Write;
use std::io::{BufReader, Write as _};

use anser_analyse::{Random, best_first, best_line};
use anser_core::{BySide, Hunt, RatedMove, Side, Value, hunt};
use anser_games::answers::{BatchAnswer, LineAnswer, PositionAnswer, ProbeAnswer, Versioned};
use anser_games::{Registry, SearchPath, Size};
use anser_retrograde::Limits;
use anser_table::PositionedReads;
use serde_json::json;

use crate::support::{Reply, shared};

const LINES: &str = "content-type: application/x-ndjson\r\n";

/// About `count` positions of layers, drawn at random; some are terminal.
fn drawn(game: &Hunt, layers: impl Iterator<Item = u16>, count: usize) -> Vec<hunt::Position> {
    let mut random = Random::new(7);
    let layers: Vec<u16> = layers.collect();
    let each = count.div_ceil(2 * layers.len());
    let mut positions = Vec::new();
    for layer in layers {
        let index = game.index(layer);
        for side in Side::BOTH {
            for _ in 0..each {
                positions.extend(random.position(game, &index, &[side]));
            }
        }
    }
    positions
}

pub(crate) fn in_query(text: &str) -> String {
    text.replace('+', "%2B").replace(' ', "_")
}

/// Compares a batch, streamed lines, and single probes with what the library finds.
fn compare(
    game: &Hunt,
    positions: &[hunt::Position],
    find: impl Fn(&hunt::Position) -> (Value, Vec<RatedMove>),
) {
    let (name, rules) = (game.name(), game.rules_id());
    let texts: Vec<String> =
        positions.iter().map(|position| game.format_position(position)).collect();
    let answers = shared().batch(name, rules, &texts);
    assert_eq!(answers.len(), positions.len());
    let (mut lines, mut body) = (Vec::new(), String::new());
    for (number, (position, answer)) in positions.iter().zip(&answers).enumerate() {
        let (value, moves) = find(position);
        let probe = ProbeAnswer::new(game, position, Some(value), &moves);
        let line = number as u64 + 1;
        let moves = Some(probe.moves.clone());
        let expected = BatchAnswer { line, root: probe.root.clone(), moves, error: None };
        assert_eq!(*answer, json!(expected), "{name} {rules}");
        lines.push(json!(Versioned::new(BatchAnswer { moves: None, ..expected })));
        let text = &texts[number];
        let _ = match number % 2 {
            0 => writeln!(body, "{}", json!(text)),
            _ => write!(body, "{}\r\n", json!({ "position": text })),
        };
        if number % 16 == 0 {
            compare_one(game, &texts[number], &probe, &find);
        }
    }
    let target = format!("/api/v1/probe?game={name}&rules={}", in_query(rules));
    let streamed = shared().send("POST", &target, LINES, body.as_bytes());
    assert_eq!(streamed.status, 200);
    assert!(streamed.lines() == lines, "{name} {rules}");
}

/// Compares a single probe.
fn compare_one(
    game: &Hunt,
    text: &str,
    probe: &ProbeAnswer,
    find: impl Fn(&hunt::Position) -> (Value, Vec<RatedMove>),
) {
    let (name, rules) = (game.name(), game.rules_id());
    let (rules, position) = (in_query(rules), in_query(text));
    let target = format!("/api/v1/probe?game={name}&rules={rules}&position={position}");
    let served = shared().get(&target).json();
    let expected = json!(Versioned::new(probe));
    let keys = expected.as_object().expect("an object").iter().filter(|(key, _)| *key != "moves");
    for (key, value) in keys {
        assert_eq!(served[key], *value, "{target}: {key}");
    }
    let moves = served["moves"].as_array().expect("a list");
    assert_eq!(moves.len(), probe.moves.len());
    for (served, expected) in moves.iter().zip(&probe.moves) {
        assert_eq!(*served, json!(expected));
        // The position after a move has the value that the move has, if the game goes on.
        if expected.ending.is_none() {
            let after = game.parse_position(&expected.position).expect("it is a position");
            let after = PositionAnswer::new(game, &after, Some(find(&after).0));
            assert_eq!(json!(after.rated.outcome), served["outcome"]);
        }
    }
}

#[test]
fn answers_from_tables_are_those_of_the_library() {
    let registry = Registry::standard();
    for rules in ["free", "first-capture", "forward"] {
        let game = registry.game("fox-geese", Some(rules)).expect("it is registered");
        let tables = SearchPath::embedded()
            .open(&registry, &game, &PositionedReads)
            .expect("the embedded tables are sound");
        compare(&game, &drawn(&game, 1..=7, 1400), |position| {
            let value = tables.probe(position).expect("the layer is there");
            (value, tables.probe_moves(position).expect("the tables are sound"))
        });
    }
}

#[test]
fn answers_about_small_games_are_those_of_the_library() {
    let registry = Registry::standard();
    for (name, rules) in [
        ("fox-hounds:8", "escape"),
        ("fox-hounds:6", "strict"),
        ("hasenspiel", "literal"),
        ("hare-hounds", "budget-60"),
        ("hare-hounds", "unlimited"),
        ("hexapawn:3x3", "standard"),
        ("hexapawn:4x4", "standard"),
    ] {
        let game = registry.game(name, Some(rules)).expect("it is registered");
        assert!(Size::of_layers(&game, game.layers()).is_small(), "{name}");
        let solution =
            anser_retrograde::Solution::of_layers(&game, game.layers(), &Limits::default())
                .expect("it fits into the memory");
        let positions = drawn(&game, game.layers(), 600);
        compare(&game, &positions, |position| {
            let solved = || solution.require(position).expect("it is solved").into();
            let value = game.terminal(position).map_or_else(solved, Value::ended);
            (value, best_first(&game, position, &solution).expect("it is solved"))
        });
        for position in positions.iter().step_by(40) {
            let text = in_query(&game.format_position(position));
            let target = format!("/api/v1/line?game={name}&rules={rules}&position={text}");
            let line = best_line(&game, position, BySide::default(), &solution).expect("solved");
            let expected = json!(Versioned::new(LineAnswer::new(&game, position, &line)));
            assert_eq!(shared().get(&target).json(), expected, "{target}");
        }
    }
}

/// Whether a line is too long does not depend on how it arrives, and later lines have answers.
#[test]
fn a_line_of_a_batch_that_is_too_long_has_an_error_of_its_own() {
    let position = "\"ppp/3/PPP w\"";
    for length in [1_999, 2_000, 2_001, 100_000] {
        let long = format!("{{\"position\":{position},\"note\":\"\"}}");
        let long = long.replace("\"\"}", &format!("\"{}\"}}", "x".repeat(length - long.len())));
        assert_eq!(long.len(), length);
        let text = format!("{position}\r\n{long}\r\n{position}\n{long}");
        for part in [1 << 20, 700, 2_013, 16] {
            let mut stream = shared().connect();
            let head = "POST /api/v1/probe?game=hexapawn HTTP/1.1\r\nhost: x\r\n\
                        connection: close\r\ntransfer-encoding: chunked\r\n";
            stream.write_all(format!("{head}{LINES}\r\n").as_bytes()).expect("it reads");
            for part in text.as_bytes().chunks(part) {
                let chunk = [format!("{:x}\r\n", part.len()).as_bytes(), part, b"\r\n"].concat();
                stream.write_all(&chunk).expect("it reads");
            }
            stream.write_all(b"0\r\n\r\n").expect("it reads");
            let reply = Reply::read(&mut BufReader::new(stream), false).expect("it answers");
            let answers = reply.lines();
            assert_eq!(answers.len(), 4, "{length} {part}: {}", reply.text());
            for (number, answer) in (1..).zip(&answers) {
                assert_eq!(answer["line"], number);
                let is_long = number % 2 == 0 && length > 2_000;
                let message = answer["error"]["message"].as_str();
                assert_eq!(message, is_long.then_some("the line is too long"), "{answer}");
                assert_eq!(answer["dtw"].is_u64(), !is_long, "{answer}");
                let input = is_long.then(|| &long[..2_000]);
                assert_eq!(answer["input"].as_str(), input, "{length} {part}");
            }
        }
    }
}

#[test]
fn lines_of_a_batch_keep_their_order_and_errors_stand_inline() {
    let lines = [
        "\"ppp/3/PPP w\"",
        "",
        "nonsense",
        "{\"position\":\"ppp/3/PPP_b\"}",
        "\"ppp/3/PPP x\"",
        "7",
        "\"ppp/3/PPP w\"",
        "[\"ppp/3/PPP w\"]",
    ];
    let target = "/api/v1/probe?game=hexapawn&moves=true";
    let reply = shared().send("POST", target, LINES, lines.join("\n").as_bytes());
    let answers = reply.lines();
    // Empty lines are no questions.
    let is_error: Vec<bool> = answers.iter().map(|answer| answer["error"].is_object()).collect();
    assert_eq!(is_error, [false, true, false, true, true, false, true]);
    let numbers: Vec<u64> = answers.iter().filter_map(|answer| answer["line"].as_u64()).collect();
    assert_eq!(numbers, [1, 3, 4, 5, 6, 7, 8]);
    assert_eq!(answers[0]["moves"].as_array().map(Vec::len), Some(3));
    let long = format!("\"{}\"\n", "p".repeat(1500));
    let reply = shared().send("POST", target, LINES, long.as_bytes());
    assert!(reply.text().contains("at most 1000 characters"), "{}", reply.text());
    assert_eq!(answers[1]["input"], "nonsense");
    let none = shared().send("POST", "/api/v1/probe?game=chess", LINES, b"");
    none.fails(400, "usage", "chess");
}
