//! Requests that are drawn from the OpenAPI document: whatever a client sends, it gets an answer
//! that the document describes. `ANSER_CONTRACT_REQUESTS` is their number, `ANSER_CONTRACT_SEED`
//! chooses others.

use std::collections::BTreeMap;
use std::fmt::Write;

use anser_analyse::Random;
use serde_json::{Value, json};

use crate::openapi::{check, document};
use crate::support::shared;

/// Games that are answered at once.
const GAMES: [&str; 8] = [
    "fox-geese",
    "fox-hounds:8",
    "fox-hounds:4",
    "hasenspiel",
    "hare-hounds",
    "hexapawn",
    "hexapawn:4x4",
    "hexapawn:2x3",
];

/// Source of requests, sensible ones and others.
struct Draw {
    random: Random,
    /// `GET /api/v1/games` about each game.
    games: Vec<Value>,
}

/// The values of parameters that belong together.
struct Sense {
    game: String,
    rules: String,
    position: String,
    sides: [String; 2],
}

impl Draw {
    fn below(&mut self, most: usize) -> usize {
        (self.random.bits() % most as u64) as usize
    }

    fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// Names and a position that go together.
    fn sense(&mut self) -> Sense {
        let number = self.below(self.games.len());
        let game = self.games[number].clone();
        let name = |value: &Value| value.as_str().expect("a name").to_owned();
        let sets = game["sets"].as_array().expect("a list");
        let rules = name(&self.of(sets)["rules"]);
        let openings = game["openings"].as_array().expect("a list");
        let mut position = name(&self.of(openings)["position"]);
        // Moves lead to other positions.
        for _ in 0..self.below(4) {
            let target = format!(
                "/api/v1/probe?game={}&rules={}&position={}",
                name(&game["game"]),
                encoded(&rules),
                encoded(&position)
            );
            let answer = shared().get(&target).json();
            let moves = answer["moves"].as_array().cloned().unwrap_or_default();
            let next = moves.iter().filter_map(|mv| mv["position"].as_str()).collect::<Vec<_>>();
            if !next.is_empty() {
                (*self.of(&next)).clone_into(&mut position);
            }
        }
        let side = |number: usize| name(&game["sides"][number]["name"]);
        Sense { game: name(&game["game"]), rules, position, sides: [side(0), side(1)] }
    }

    /// A value of a parameter that makes sense.
    fn sensible(&mut self, sense: &Sense, name: &str, kind: &str) -> String {
        match (name, kind) {
            ("game", _) => sense.game.clone(),
            ("rules", _) => sense.rules.clone(),
            ("position", _) => sense.position.clone(),
            ("outcome", _) => (*self.of(&[&sense.sides[0], &sense.sides[1]])).clone(),
            ("to_move", _) => self.of(&sense.sides).clone(),
            (_, "boolean") => (*self.of(&["true", "false"])).to_owned(),
            (_, "integer") => self.below(12).to_string(),
            ("moves", _) => String::new(),
            ("style", _) => (*self.of(&["quick", "casual"])).to_owned(),
            ("fuzz", _) => (*self.of(&["0", "0.5", "1"])).to_owned(),
            _ => panic!("no value of {name} is known"),
        }
    }

    /// Anything at all.
    fn junk(&mut self) -> String {
        let length = self.below(40);
        let some = [
            "F",
            "g",
            "/",
            "3",
            "7",
            " ",
            "_",
            "-1",
            "99999999999999999999",
            "null",
            "{",
            "\"",
            "ä",
            "\u{0}",
            "\n",
            "free",
            "%",
            "true",
        ];
        (0..length).map(|_| *self.of(&some)).collect()
    }
}

/// Text in a query.
fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
        encoded
    })
}

/// Whether a value has the type of a parameter, as the document names it.
fn has_type(kind: &str, value: &str) -> bool {
    match kind {
        "boolean" => value == "true" || value == "false",
        "integer" => value.parse::<u64>().is_ok(),
        _ => true,
    }
}

/// Requests a path with a query; returns the status, which is one that the query allows.
fn get(draw: &mut Draw, document: &Value, path: &str) -> u16 {
    let sense = draw.sense();
    let is_sensible = draw.percent(50);
    let parameters = document["paths"][path]["get"]["parameters"].as_array().cloned();
    let mut query = Vec::new();
    let mut must_fail = false;
    for parameter in parameters.unwrap_or_default() {
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        let (name, kind) = (text(&parameter["name"]), text(&parameter["schema"]["type"]));
        let is_required = parameter["required"] == true;
        if !draw.percent(if is_required { if is_sensible { 100 } else { 90 } } else { 40 }) {
            must_fail |= is_required;
            continue;
        }
        let value = if is_sensible || draw.percent(70) {
            draw.sensible(&sense, &name, &kind)
        } else {
            draw.junk()
        };
        must_fail |= !has_type(&kind, &value);
        query.push(format!("{name}={}", encoded(&value)));
        if !is_sensible && draw.percent(3) {
            query.push(format!("{name}=again"));
            must_fail = true;
        }
    }
    if path.starts_with("/api/") && !is_sensible && draw.percent(5) {
        query.push("no_such_parameter=1".into());
        must_fail = true;
    }
    let target = format!("{path}?{}", query.join("&"));
    let reply = shared().get(&target);
    assert!(!must_fail || reply.status == 400, "{target}: {}", reply.status);
    // Sensible requests are answered, or the answer is not here.
    assert!(!is_sensible || [200, 404, 400].contains(&reply.status), "{target}: {}", reply.status);
    if is_sensible && ["/api/v1/games", "/api/v1/probe"].contains(&path) {
        assert_eq!(reply.status, 200, "{target}");
    }
    let is_json = reply.header("content-type").is_some_and(|kind| kind.contains("json"));
    if is_json && path != "/openapi.json" {
        check(document, path, "get", &reply);
    } else {
        assert_eq!(reply.status, 200, "{target}");
    }
    reply.status
}

/// Sends a batch, as an object or as lines; returns the status.
fn post(draw: &mut Draw, document: &Value) -> u16 {
    let sense = draw.sense();
    let mut positions = Vec::new();
    for _ in 0..draw.below(5) {
        positions.push(if draw.percent(60) { sense.position.clone() } else { draw.junk() });
    }
    let target = "/api/v1/probe";
    let (target, kind, body) = if draw.percent(50) {
        let mut body = json!({
            "game": sense.game,
            "rules": sense.rules,
            "positions": positions,
            "moves": draw.percent(50)
        });
        for key in ["game", "rules", "positions", "moves"] {
            let others = [json!(null), json!(1), json!([1]), json!("x"), json!({}), json!(true)];
            if draw.percent(10) {
                body[key] = draw.of(&others).clone();
            } else if draw.percent(5) {
                body.as_object_mut().expect("an object").remove(key);
            }
        }
        (target.to_owned(), "application/json", body.to_string())
    } else {
        let lines = positions.iter().map(|position| match draw.below(3) {
            0 => json!(position).to_string(),
            1 => json!({ "position": position }).to_string(),
            _ => position.replace('\n', " "),
        });
        let lines: Vec<String> = lines.collect();
        let (game, rules) = (encoded(&sense.game), encoded(&sense.rules));
        let target = format!("{target}?game={game}&rules={rules}&moves={}", draw.percent(50));
        (target, "application/x-ndjson", lines.join("\n"))
    };
    let kind = if draw.percent(5) { "text/html" } else { kind };
    let headers = format!("content-type: {kind}\r\n");
    let reply = shared().send("POST", &target, &headers, body.as_bytes());
    check(document, "/api/v1/probe", "post", &reply);
    reply.status
}

#[test]
fn requests_drawn_from_the_document_get_answers_that_it_describes() {
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let document = document();
    let games = GAMES.map(|game| {
        let answer = shared().get(&format!("/api/v1/games?game={game}")).json();
        answer["games"][0].clone()
    });
    let random = Random::new(number("ANSER_CONTRACT_SEED").unwrap_or(3));
    let mut draw = Draw { random, games: games.into() };
    let paths: Vec<String> =
        document["paths"].as_object().expect("an object").keys().cloned().collect();
    let mut statuses: BTreeMap<(String, u16), u64> = BTreeMap::new();
    let mut left = number("ANSER_CONTRACT_REQUESTS").unwrap_or(600);
    while left > 0 {
        let path = draw.of(&paths).clone();
        // A puzzle that is not found takes its time.
        if path.ends_with("/random") && draw.percent(80) {
            continue;
        }
        left -= 1;
        let (name, status) = if path == "/api/v1/probe" && draw.percent(50) {
            ("POST /api/v1/probe".to_owned(), post(&mut draw, &document))
        } else {
            let status = get(&mut draw, &document, &path);
            (format!("GET {path}"), status)
        };
        *statuses.entry((name, status)).or_default() += 1;
    }
    // Both good and bad requests were drawn of every endpoint.
    for path in paths.iter().filter(|path| path.starts_with("/api/")) {
        for status in [200, 400] {
            assert!(
                statuses.contains_key(&(format!("GET {path}"), status)),
                "{path}: {statuses:?}"
            );
        }
    }
    assert!(statuses.contains_key(&("POST /api/v1/probe".into(), 200)), "{statuses:?}");
    assert!(statuses.keys().all(|(_, status)| *status < 500), "{statuses:?}");
}
