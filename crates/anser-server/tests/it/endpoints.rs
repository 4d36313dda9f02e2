//! Every endpoint with good and bad input.

use std::io::{BufReader, Write};
use std::net::Shutdown;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anser_core::Side;
use anser_games::{Registry, SearchPath};
use anser_server::Options;
use anser_solve::{SolveOptions, Unobserved};
use anser_table::Metric;
use serde_json::{Value, json};

use crate::answers::in_query;
use crate::support::{Reply, Running, shared, start};

const OPENING: &str = "/api/v1/probe?game=fox-geese&position=3/3/7/3F3/ggggggg/ggg/ggg_f";

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

#[test]
fn games_tell_what_is_at_hand() {
    let answer = shared().get("/api/v1/games").json();
    let games = list(&answer["games"]);
    assert_eq!(games.len(), 46);
    let geese = &games[0];
    assert_eq!((text(&geese["game"]), list(&geese["board"]["points"]).len()), ("fox-geese", 33));
    assert_eq!(geese["sets"][0]["layers"]["wdl"], json!([1, 2, 3, 4, 5, 6, 7]));
    assert_eq!(geese["sides"][1]["noun"], "plural");
    assert_eq!(geese["sets"][0]["whole"], json!(["stats", "census", "hardest"]));
    for game in &games[..5] {
        for side in list(&game["sides"]) {
            assert_eq!((text(&side["piece"]).len(), text(&side["to_move"]).len()), (1, 1));
            assert!(text(&side["to_move"]).chars().all(char::is_lowercase), "{side}");
        }
        let has = |set: &Value, metric: &str| !list(&set["layers"][metric]).is_empty();
        let is_known = |set: &Value| has(set, "wdl") || has(set, "solved");
        assert!(list(&game["sets"]).iter().any(is_known), "{game}");
        // Promised answers are given, and no others.
        for set in list(&game["sets"]).iter().filter(|set| !text(&set["rules"]).contains('+')) {
            for name in ["stats", "census", "hardest"] {
                let of = format!("game={}&rules={}", text(&game["game"]), text(&set["rules"]));
                let status = shared().get(&format!("/api/v1/{name}?{of}")).status;
                let is_promised = list(&set["whole"]).contains(&json!(name));
                assert_eq!(status == 200, is_promised, "{name} {of}: {status}");
            }
        }
        assert!(
            list(&game["board"]["points"]).iter().all(|point| !text(&point["name"]).is_empty())
        );
    }
    let six = shared().get("/api/v1/games?game=fox-hounds:6").json();
    assert_eq!(six["games"][0]["game"], "fox-hounds:6");
    shared().get("/api/v1/games?game=chess").fails(400, "usage", "no game is called \"chess\"");
    shared().get("/api/v1/games?name=x").fails(400, "usage", "unknown field");
}

#[test]
fn rule_sets_have_boards_sides_starts_and_winners_of_endless_play() {
    let answer = shared().get("/api/v1/games").json();
    let games = list(&answer["games"]);
    let game = |name: &str| {
        games.iter().find(|game| text(&game["game"]) == name).expect("it is listed").clone()
    };
    // A game with many rule sets has the default one in the list of all games.
    let listed = game("ludus-coriovalli");
    assert_eq!((list(&listed["sets"]).len(), list(&listed["rule_sets"]).len()), (1, 137));
    assert_eq!(game("thy")["source"].as_str().map(|source| &source[..9]), Some("Michaelse"));
    let whole = shared().get("/api/v1/games?game=ludus-coriovalli").json()["games"][0].clone();
    let sets = list(&whole["sets"]);
    assert_eq!(sets.len(), 137);
    let set = |rules: &str| {
        sets.iter().find(|set| text(&set["rules"]) == rules).expect("it is listed").clone()
    };
    let usual = set("3-1-j0");
    assert_eq!((&usual["board"], &usual["sides"]), (&json!(null), &json!(null)));
    assert_eq!((&usual["start"], &usual["endless"]), (&json!("3/2/2/3 d 1 3"), &json!("hare")));
    let other = set("4-2-start1-n2");
    assert_eq!(list(&other["board"]["points"]).len(), 20);
    assert_eq!(text(&other["sides"][0]["name"]), "hares");
    assert_eq!(set("block4-n2")["endless"], json!(null));
    for set in sets.iter().step_by(16) {
        let of = format!("game=ludus-coriovalli&rules={}", text(&set["rules"]));
        let position = text(&set["start"]).replace(' ', "_");
        let probe = shared().get(&format!("/api/v1/probe?{of}&position={position}"));
        assert!([200, 202, 503].contains(&probe.status), "{of}: {}", probe.status);
    }
}

#[test]
fn missing_layers_are_null_with_a_reason() {
    let reply = shared().get(OPENING);
    assert_eq!((reply.status, reply.header("cache-control")), (200, Some("no-store")));
    let answer = reply.json();
    assert!(answer["outcome"].is_null() && answer["dtw"].is_null());
    assert_eq!(list(&answer["moves"]).len(), 5);
    assert_eq!(
        (&answer["unknown"][0]["layer"], &answer["unknown"][0]["metric"]),
        (&json!(13), &json!("wdl"))
    );
    let line = "/api/v1/line?game=fox-geese&position=3/3/7/3F3/ggggggg/ggg/ggg_f";
    shared().get(line).fails(404, "missing", "distances of layer 13");
    // If the game is over, the rules answer without a table: the fox cannot move.
    let over = "/api/v1/probe?game=fox-geese&position=Fgg/ggg/ggggggg/7/7/3/3_f";
    let answer = shared().get(over).json();
    assert_eq!((&answer["outcome"], &answer["dtw"]), (&json!("geese"), &json!(0)), "{answer}");
    // A capture leads to a layer that is there.
    let capture = "/api/v1/probe?game=fox-geese&position=3/3/7/3F3/ggg1ggg/2g/3_f";
    let answer = shared().get(capture).json();
    assert!(list(&answer["unknown"]).iter().all(|unknown| unknown["metric"] == "dtw"), "{answer}");
    // Outcomes are known and distances are not: the answer may be another when they are served.
    let won = shared().get("/api/v1/probe?game=fox-geese&position=3/3/1ggg3/1gg3g/Fg5/3/3_g");
    assert_eq!((won.status, won.header("cache-control")), (200, Some("no-cache")));
    let won = won.json();
    assert_eq!((&won["outcome"], &won["unknown"][0]["metric"]), (&json!("geese"), &json!("dtw")));
    let drawn = "/api/v1/probe?game=fox-geese&position=3/3/7/3F3/2ggg2/1g1/1g1_f";
    let drawn = shared().get(drawn);
    assert_eq!(drawn.header("cache-control"), Some("no-cache"));
}

#[test]
fn positions_and_games_that_are_none() {
    let server = shared();
    let bad = server.get("/api/v1/probe?game=fox-geese&position=3/3_f");
    bad.fails(400, "usage", "column 4");
    assert_eq!(bad.json()["error"]["column"], 4);
    for (target, status, kind, says) in [
        ("/api/v1/probe?game=fox-geese", 400, "usage", "position"),
        ("/api/v1/probe?game=fox-geese&rules=none&position=x", 400, "usage", "none"),
        ("/api/v1/probe?game=../../etc&position=x", 400, "usage", "no game"),
        ("/api/v1/probe?game=hexapawn:99x99&position=x", 400, "usage", ""),
        ("/api/v1/stats?game=hexapawn", 404, "missing", "no tables"),
        ("/api/v1/census?game=fox-geese&rules=forward", 404, "missing", "too large"),
        ("/api/v1/hardest?game=fox-geese&rules=free%2Bchain", 404, "missing", "too large"),
        ("/api/v1/stats?game=fox-geese&rules=free%2Bchain", 404, "missing", "no tables"),
        ("/api/v1/random?game=fox-geese&layer=99", 400, "usage", "layer 99"),
        ("/api/v1/random?game=fox-geese&layer=1&outcome=hounds", 400, "usage", "fox, draw, geese"),
        ("/api/v1/random?game=fox-geese&layer=1&outcome=geese", 404, "missing", "at random"),
        ("/api/v1/random?game=fox-geese&layer=1&to_move=hounds", 400, "usage", "fox or geese"),
        ("/api/v1/random?game=fox-geese&max_plies=9", 404, "missing", "no distance is known"),
        ("/api/v1/random?game=fox-geese&min_plies=9&max_plies=8", 400, "usage", "at least 9 and"),
        ("/api/v1/random?game=hexapawn&longest=true&outcome=draw", 400, "usage", "no win"),
        ("/api/v1/random?game=fox-geese&layer=31", 404, "missing", "layer 31"),
        ("/nothing/here", 404, "missing", "no game is called"),
        ("/assets/%ff/x", 404, "missing", "UTF-8"),
        ("/%ff", 404, "missing", "UTF-8"),
        ("/../../etc/passwd", 404, "missing", "nothing at this path"),
    ] {
        server.get(target).fails(status, kind, says);
    }
    server.send("DELETE", "/healthz", "", b"").fails(405, "usage", "method");
    let long = format!("/api/v1/probe?game=fox-geese&position={}", "g".repeat(5000));
    let refused = server.get(&long);
    refused.fails(414, "usage", "longer");
    assert_eq!(refused.header("access-control-allow-origin"), Some("*"));
    let kind = "content-type: application/json\r\n";
    for body in ["{", r#"["hexapawn", "standard", ["ppp/3/PPP w"], false]"#] {
        let reply = server.send("POST", "/api/v1/probe", kind, body.as_bytes());
        reply.fails(400, "usage", "not a batch");
    }
    let both = "/api/v1/probe?game=hexapawn";
    server.send("POST", both, kind, b"{}").fails(400, "usage", "query must be empty");
    let send = |headers, body: &[u8]| server.send("POST", "/api/v1/probe", headers, body);
    send("", b"{}").fails(415, "usage", "another type");
    let json = "content-type: Application/JSON; charset=utf-8\r\n";
    send(json, b"[]").fails(400, "usage", "expected an object with a game and positions");
    let packed = format!("{json}content-encoding: gzip\r\n");
    send(&packed, b"{}").fails(415, "usage", "a compressed body");
    let reply = server.get("/api/v1/probe?game=fox-geese");
    reply.fails(400, "usage", "the query cannot be read: missing field `position`");
    let many = json!({ "game": "hexapawn", "positions": vec!["x"; 10_001] }).to_string();
    server.send("POST", "/api/v1/probe", kind, many.as_bytes()).fails(413, "usage", "10001");
    server.send("POST", "/api/v1/probe", kind, &vec![b' '; 3 << 20]).fails(413, "usage", "longer");
}

#[test]
fn other_origins_may_ask() {
    let preflight = "origin: https://example.org\r\naccess-control-request-method: POST\r\n\
                     access-control-request-headers: content-type\r\n";
    for path in ["/api/v1/probe", "/api/v1/games", "/openapi.json"] {
        let reply = shared().send("OPTIONS", path, preflight, b"");
        assert_eq!(reply.status, 200, "{path}");
        assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
        let allowed = reply.header("access-control-allow-headers");
        assert_eq!(allowed, Some("content-type"));
        assert!(
            reply.header("access-control-allow-methods").is_some_and(|all| all.contains("POST"))
        );
    }
    let origin = "origin: https://example.org\r\ncontent-type: application/json\r\n";
    let bad = shared().send("POST", "/api/v1/probe", origin, b"{");
    assert_eq!((bad.status, bad.header("access-control-allow-origin")), (400, Some("*")));
    let bad = shared().send("DELETE", "/api/v1/probe", origin, b"");
    assert_eq!((bad.status, bad.header("access-control-allow-origin")), (405, Some("*")));
}

#[test]
fn a_client_that_has_sent_all_is_answered() {
    // The answer takes a moment: the game is solved first.
    let server = start(&Options::new(SearchPath::embedded()));
    let mut stream = server.connect();
    let head =
        "GET /api/v1/census?game=hexapawn:3x5 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    stream.write_all(head.as_bytes()).expect("it reads");
    stream.shutdown(Shutdown::Write).expect("it can be shut");
    let reply = Reply::read(&mut BufReader::new(stream), false).expect("it answers");
    assert_eq!(reply.status, 200);
}

#[test]
fn a_plus_sign_in_a_query_is_understood() {
    let position = "position=3/3/7/3F3/2ggg2/1g1/1g1_f";
    for rules in ["free+chain", "free%2Bchain", "free chain"] {
        let target =
            format!("/api/v1/probe?game=fox-geese&rules={}&{position}", rules.replace(' ', "%20"));
        let reply = shared().get(&target);
        assert_eq!((reply.status, &reply.json()["rules"]), (200, &json!("free+chain")), "{rules}");
    }
}

#[test]
fn browsers_get_a_page_where_there_is_nothing() {
    let accept = "accept: text/html,application/xhtml+xml;q=0.9\r\n";
    for (path, says) in [
        ("/fox-gese", "fox-gese"),
        ("/fox-geese/nonsense/3_3", "nonsense"),
        ("/a/b/c/d", "nothing at this path"),
        ("/%3Cscript%3E", "&lt;script&gt;"),
        ("/%ff", "UTF-8"),
    ] {
        let page = shared().send("GET", path, accept, b"");
        assert_eq!(
            (page.status, page.header("content-type")),
            (404, Some("text/html; charset=utf-8"))
        );
        let text = page.text();
        assert!(text.contains(says), "{path}: {text}");
        for link in
            ["<a href=\"/\">To the start</a>", "<a href=\"/fox-geese/free\">Fox-and-Geese</a>"]
        {
            assert!(text.contains(link), "{path}: {text}");
        }
        // The names stand in the links.
        assert!(!text.contains("<script") && !text.contains("games are"), "{text}");
    }
    for path in ["/fox-geese/", "/fox-geese/free/", "/fox-geese/free/3_3_7_7_ggggggg_ggg_ggg_f/"] {
        assert_eq!(shared().send("GET", path, accept, b"").status, 200, "{path}");
    }
    let reply = shared().send("GET", "/api/v1/none", "", b"");
    reply.fails(404, "missing", "");
    let icon = shared().get("/favicon.ico");
    assert_eq!((icon.status, icon.header("content-type")), (200, Some("image/svg+xml")));
}

#[test]
fn quiet_puzzles_are_not_solved_by_the_only_capture_or_end() {
    let puzzles = |more: &str| {
        let sets = [
            ("fox-geese", "free"),
            ("fox-geese", "first-capture"),
            ("hare-hounds", "budget-60"),
            ("hexapawn:4x4", "standard"),
        ];
        let mut loud = 0;
        for (game, rules) in sets {
            for seed in 0..5 {
                let target = format!(
                    "/api/v1/random?game={game}&rules={rules}&only_move=true&seed={seed}{more}"
                );
                // Beside other tests the time for drawing may be too short.
                let mut replies = (0..20).map(|_| shared().get(&target));
                let reply = replies.find(|reply| reply.status == 200).expect(&target);
                let answer = reply.json();
                let moves = list(&answer["moves"]);
                let is_loud =
                    |mv: &Value| text(&mv["move"]).contains('x') || !mv["ending"].is_null();
                // The only move comes first.
                let others = moves[1..].iter().any(is_loud);
                loud += u32::from(is_loud(&moves[0]) && !others);
            }
        }
        loud
    };
    assert_eq!(puzzles("&quiet=true"), 0);
    assert!(puzzles("") > 5);
}

#[test]
fn the_only_move_of_a_puzzle_is_the_only_one_that_wins_by_endless_play_or_sooner() {
    let mut found = 0;
    for seed in 0..20 {
        let target = format!(
            "/api/v1/random?game=thy&rules=hare-wins&only_move=true&outcome=hare&seed={seed}"
        );
        let reply = shared().get(&target);
        if reply.status != 200 {
            continue;
        }
        let answer = reply.json();
        let keeps = |mv: &&Value| mv["outcome"] == answer["outcome"];
        assert_eq!(list(&answer["moves"]).iter().filter(keeps).count(), 1, "{answer}");
        found += 1;
    }
    assert!(found > 0);
}

#[test]
fn whole_games_and_puzzles() {
    let server = shared();
    let census = server.get("/api/v1/census?game=hexapawn:3x3").json();
    assert_eq!(census["position"], "ppp/3/PPP w");
    assert_eq!(server.get("/api/v1/census?game=hexapawn:3x3").json(), census, "the kept answer");
    let reachable = server.get("/api/v1/hardest?game=fox-hounds:4").json();
    let longest = &reachable["longest"][0];
    let line = list(&longest["examples"][0]["line"]);
    assert_eq!(Some(line.len() as u64), longest["dtw"].as_u64());
    let all = server.get("/api/v1/hardest?game=fox-hounds:4&all=true").json();
    assert!(all["longest"][0]["dtw"].as_u64() >= longest["dtw"].as_u64());
    assert_eq!(census["kept"], json!([]), "it was counted here");
    for seed in 0..20 {
        let target = format!("/api/v1/random?game=fox-geese&layer=7&only_move=true&seed={seed}");
        let puzzle = server.get(&target);
        assert_eq!((puzzle.status, puzzle.header("cache-control")), (200, Some("no-store")));
        let puzzle = puzzle.json();
        let keeps = |mv: &&Value| mv["outcome"] == puzzle["outcome"];
        assert_eq!(list(&puzzle["moves"]).iter().filter(keeps).count(), 1, "{puzzle}");
        assert_eq!(server.get(&target).json(), puzzle, "the same seed draws the same position");
    }
    // Without a layer, one that has such positions is found.
    for game in ["fox-geese", "fox-hounds:8", "hasenspiel", "hare-hounds", "hexapawn:4x4"] {
        for seed in 0..5 {
            let target = format!("/api/v1/random?game={game}&only_move=true&seed={seed}");
            assert_eq!(server.get(&target).status, 200, "{target}");
        }
    }
    let target = "/api/v1/random?game=fox-hounds:8&min_plies=20&outcome=hounds&layer=28";
    let long = server.get(target).json();
    assert!(long["dtw"].as_u64() >= Some(20) && long["outcome"] == "hounds", "{long}");
    // Without distances, the longest wins are those that are kept of full runs.
    let target = "/api/v1/random?game=fox-geese&longest=true";
    let longest = server.get(target).json();
    assert!(["fox", "geese"].map(Value::from).contains(&longest["outcome"]), "{longest}");
    // Where the longest win is the end of the game, it is known to take no plies.
    let plies = if longest["ending"].is_null() { Value::Null } else { json!(0) };
    assert_eq!(longest["dtw"], plies, "{longest}");
    let target = "/api/v1/random?game=hexapawn:4x4&longest=true&outcome=white";
    let hardest = server.get("/api/v1/hardest?game=hexapawn:4x4&all=true").json();
    let longest = list(&hardest["longest"]).iter().find(|win| win["outcome"] == "white");
    assert_eq!(longest.map(|win| &win["dtw"]), Some(&server.get(target).json()["dtw"]));
    for seed in 0..10 {
        let target = "/api/v1/random?game=hare-hounds&outcome=hare&to_move=hare";
        let short = server.get(&format!("{target}&min_plies=3&max_plies=5&seed={seed}")).json();
        assert_eq!((&short["to_move"], &short["outcome"]), (&json!("hare"), &json!("hare")));
        assert!((3..=5).contains(&short["dtw"].as_u64().expect("a distance")), "{short}");
    }
}

#[test]
fn a_game_that_solves_in_seconds_is_counted_as_a_whole() {
    let server = shared();
    let wolf = server.get("/api/v1/games?game=wolf-and-sheep").json();
    let set = &wolf["games"][0]["sets"][0];
    assert_eq!(set["whole"], json!(["census", "hardest"]));
    // More than is solved when a position is looked up.
    assert!(!list(&set["layers"]["solved"]).contains(&wolf["games"][0]["last_layer"]), "{set}");
    let census = server.get("/api/v1/census?game=wolf-and-sheep").json();
    let positions: u64 = ["wolf", "sheep"]
        .iter()
        .flat_map(|side| ["wolf", "draw", "sheep"].map(|outcome| (side, outcome)))
        .map(|(side, outcome)| census["all"]["to_move"][side]["outcomes"][outcome].as_u64())
        .map(|count| count.expect("a count"))
        .sum();
    assert_eq!(positions, 2_013_760);
    let hardest = server.get("/api/v1/hardest?game=wolf-and-sheep").json();
    let longest = &hardest["longest"][0];
    let line = list(&longest["examples"][0]["line"]);
    assert_eq!(Some(line.len() as u64), longest["dtw"].as_u64());
}

#[test]
fn a_game_with_tables_of_all_distances_is_counted_from_them() {
    let (game, rules) = ("cercar-la-liebre", "10");
    let set = format!("game={game}&rules={rules}");
    let whole = |server: &Running| {
        let games = server.get(&format!("/api/v1/games?game={game}")).json();
        let sets = list(&games["games"][0]["sets"]);
        sets.iter().find(|set| set["rules"] == rules).expect("it is listed")["whole"].clone()
    };
    let without = shared();
    assert_eq!(whole(without), json!([]));
    for question in ["census", "hardest"] {
        let refused = without.get(&format!("/api/v1/{question}?{set}"));
        refused.fails(404, "missing", "needs raw tables of distances of all layers");
    }
    let dir = tempfile::tempdir().unwrap();
    let hunt = Registry::standard().game(game, Some(rules)).unwrap();
    let options = SolveOptions { metrics: Metric::Dtw.into(), ..SolveOptions::new(dir.path()) };
    anser_solve::solve(&hunt, &options, &Unobserved).expect("there is room");
    let server = start(&Options::new(SearchPath::directories([dir.path()])));
    assert_eq!(whole(&server), json!(["stats", "census", "hardest"]));
    let census = server.get(&format!("/api/v1/census?{set}")).json();
    let stats = server.get(&format!("/api/v1/stats?{set}")).json();
    assert_eq!((&census["kept"], list(&census["layers"]).len()), (&json!([]), hunt.layers().len()));
    for (layer, counted) in list(&census["layers"]).iter().zip(list(&stats["layers"])) {
        assert_eq!(layer["layer"], counted["layer"]);
        for side in ["hare", "hunters"] {
            assert_eq!(layer["to_move"][side]["outcomes"], counted["to_move"][side]);
        }
    }
    let hardest = server.get(&format!("/api/v1/hardest?{set}")).json();
    for win in list(&hardest["longest"]) {
        // The last position of the line is the end of the game.
        let line = list(&win["examples"][0]["line"]);
        assert_eq!(Some(line.len() as u64), win["dtw"].as_u64());
        let depths = |layer: &Value, side: &str| {
            let depths = &layer["to_move"][side]["depths"][text(&win["outcome"])];
            depths.as_object().expect("depths").keys().map(|it| it.parse().unwrap()).max()
        };
        let layers = list(&census["layers"]).iter();
        let longest = layers.flat_map(|layer| ["hare", "hunters"].map(|side| depths(layer, side)));
        assert_eq!(longest.flatten().max(), win["dtw"].as_u64());
    }
}

#[test]
fn a_longest_win_is_drawn_where_its_layer_is_at_hand() {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/fixtures/v1");
    let server = start(&Options::new(SearchPath::directories([fixtures])));
    let set = "game=fox-geese&rules=first-capture";
    let hardest = server.get(&format!("/api/v1/hardest?{set}")).json();
    let layer = list(&hardest["layers"]).iter().find(|layer| layer["layer"] == 29);
    let to_move = &layer.expect("it is listed")["to_move"];
    for (seed, winner) in (0..8).zip(["fox", "geese"].into_iter().cycle()) {
        let target = format!("/api/v1/random?{set}&longest=true&outcome={winner}&seed={seed}");
        let drawn = server.get(&target).json();
        let wins = list(&to_move[text(&drawn["to_move"])]);
        let longest = wins.iter().find(|win| win["outcome"] == winner).expect("it is listed");
        assert_eq!((&drawn["dtw"], &drawn["outcome"]), (&longest["dtw"], &json!(winner)));
    }
    let longer = format!("/api/v1/random?{set}&longest=true&min_plies=100");
    server.get(&longer).fails(404, "missing", "none of the longest wins");
}

/// Numbers of positions of a layer by side to move and outcome.
fn counts(layer: &Value, within: &str) -> [u64; 6] {
    let mut all = [0; 6];
    let names = ["fox", "geese"].into_iter().flat_map(|side| {
        ["fox", "draw", "geese"].map(|outcome| format!("/to_move/{side}{within}/{outcome}"))
    });
    for (count, path) in all.iter_mut().zip(names) {
        *count = layer.pointer(&path).and_then(Value::as_u64).expect("a count");
    }
    all
}

#[test]
fn large_games_are_answered_from_kept_results_that_agree_with_the_tables() {
    let server = shared();
    let all = json!((1..=31).collect::<Vec<_>>());
    for rules in ["free", "first-capture", "forward"] {
        let get = |endpoint: &str| {
            let began = Instant::now();
            let reply = server.get(&format!("/api/v1/{endpoint}?game=fox-geese&rules={rules}"));
            assert!(began.elapsed() < Duration::from_secs(5), "{endpoint} computes nothing");
            reply
        };
        // Layers with tables are counted from these; the others are kept.
        let stats = get("stats").json();
        assert_eq!(stats["kept"], json!((8..=31).collect::<Vec<_>>()));
        let layers = list(&stats["layers"]);
        assert_eq!(layers.len(), 31);
        for (number, layer) in (1..).zip(layers) {
            assert_eq!(layer["layer"], number);
            assert_eq!(layer["bytes"]["packed"].is_u64(), number < 8, "{layer}");
        }
        let census = get("census");
        if rules == "forward" {
            continue;
        }
        assert_eq!(census.header("cache-control"), Some("no-cache"));
        let (census, hardest) = (census.json(), get("hardest").json());
        assert_eq!((&census["kept"], &hardest["kept"]), (&all, &all));
        let zipped = layers.iter().zip(list(&census["layers"])).zip(list(&hardest["layers"]));
        let mut longest = 0;
        for ((stats, census), hardest) in zipped {
            assert_eq!(counts(stats, ""), counts(census, "/outcomes"), "{rules}");
            for (side, wins) in hardest["to_move"].as_object().expect("an object") {
                for win in list(wins) {
                    let depths = &census["to_move"][side]["depths"][text(&win["outcome"])];
                    let depths = depths.as_object().expect("an object");
                    let last = depths.keys().map(|plies| plies.parse::<u64>().expect("plies"));
                    assert_eq!(win["dtw"].as_u64(), last.max(), "{win}");
                    longest = longest.max(win["dtw"].as_u64().expect("a distance"));
                    let example = &win["examples"][0];
                    assert_eq!((&example["dtw"], &example["to_move"]), (&win["dtw"], &json!(side)));
                    // The tables agree, where there are any.
                    if hardest["layer"].as_u64() < Some(8) {
                        let position = text(&example["position"]).replace(' ', "_");
                        let probe = "/api/v1/probe?game=fox-geese";
                        let found = format!("{probe}&rules={rules}&position={position}");
                        assert_eq!(server.get(&found).json()["outcome"], win["outcome"]);
                    }
                }
            }
        }
        let of_all = list(&hardest["longest"]).iter().map(|win| win["dtw"].as_u64());
        assert_eq!(of_all.max(), Some(Some(longest)));
    }
    let games = server.get("/api/v1/games?game=fox-geese").json();
    let openings = list(&games["games"][0]["sets"][0]["openings"]);
    assert_eq!(openings.len(), 3);
    for opening in openings.iter().filter(|opening| opening["outcome"] != "draw") {
        assert_eq!(Some(list(&opening["line"]).len() as u64), opening["dtw"].as_u64());
    }
}

#[test]
fn bagh_chal_is_answered_from_its_kept_results() {
    let server = shared();
    let games = server.get("/api/v1/games?game=bagh-chal").json();
    let sets = list(&games["games"][0]["sets"]);
    let set = sets.iter().find(|set| set["rules"] == "standard").expect("it is listed");
    assert_eq!(set["whole"], json!(["stats", "census", "hardest"]));
    let opening = &set["openings"][0];
    assert_eq!((&opening["position"], &opening["outcome"]), (&set["start"], &json!("draw")));
    // The moves from the start are kept, with their values.
    let moves = list(&opening["moves"]);
    let drawn = moves.iter().filter(|mv| mv["outcome"] == "draw" && mv["dtw"].is_null()).count();
    assert_eq!((moves.len(), drawn), (21, 21), "{opening}");
    let other = sets.iter().find(|set| set["rules"] == "three").expect("it is listed");
    assert_eq!(other["whole"], json!([]));

    let get = |endpoint: &str| {
        server.get(&format!("/api/v1/{endpoint}?game=bagh-chal&rules=standard")).json()
    };
    let [stats, census, hardest] = ["stats", "census", "hardest"].map(get);
    let all = json!((16..=110).collect::<Vec<_>>());
    assert_eq!([&stats["kept"], &census["kept"], &hardest["kept"]], [&all, &all, &all]);
    let game = Registry::standard().game("bagh-chal", None).unwrap();
    let zipped = list(&stats["layers"]).iter().zip(list(&census["layers"]));
    let (mut positions, mut classes) = (0, 0);
    for (stats, census) in zipped {
        let layer = stats["layer"].as_u64().expect("a number") as u16;
        let of_layer = Side::BOTH.map(|side| game.positions(layer, side)).iter().sum::<u64>();
        assert_eq!((&stats["layer"], &stats["positions"]), (&census["layer"], &json!(of_layer)));
        positions += of_layer;
        classes += stats["classes"].as_u64().expect("a number");
        for side in ["tigers", "goats"] {
            assert_eq!(stats["to_move"][side], census["to_move"][side]["outcomes"]);
            for winner in ["tigers", "goats"] {
                let depths = &census["to_move"][side]["depths"][winner];
                let depths = depths.as_object().expect("depths").keys();
                let longest = depths.map(|plies| plies.parse::<u64>().expect("plies")).max();
                assert_eq!(stats["longest"][side][winner].as_u64(), longest);
            }
        }
        assert_eq!(stats["blake3"], stats["dtw"]["blake3"]);
    }
    assert_eq!((positions, classes), (265_052_818_800_u64, 33_135_682_052_u64));
    for win in list(&hardest["longest"]) {
        let example = &win["examples"][0];
        assert_eq!((&example["outcome"], &example["dtw"]), (&win["outcome"], &win["dtw"]));
    }
}

#[test]
fn the_page_is_at_every_position_and_its_files_are_kept() {
    let server = shared();
    let page = server.get("/");
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    for path in [
        "/fox-geese",
        "/hexapawn:4x4/standard",
        "/fox-geese/free+orthogonal/3_3_7_3F3_ggggggg_ggg_ggg_f",
        "/fox-geese/free/no-position",
    ] {
        assert_eq!(
            (server.get(path).status, server.get(path).text()),
            (200, page.text()),
            "{path}"
        );
    }
    for (path, says) in [
        ("/chess", "no game is called \"chess\""),
        ("/fox-geese/none", "no rule set is called \"none\""),
        ("/fox-geese/free/x/y", "nothing at this path"),
        ("/assets/0/main.js", "nothing at this path"),
    ] {
        server.get(path).fails(404, "missing", says);
    }
    let files: Vec<&str> =
        page.text().split('"').filter(|text| text.starts_with("/assets/")).collect();
    assert!(!files.is_empty());
    for file in files {
        let reply = server.get(file);
        assert_eq!(reply.status, 200, "{file}");
        assert!(reply.header("cache-control").is_some_and(|keep| keep.contains("immutable")));
        // The modules that a file imports are there too.
        let imports = reply.text().split("from \"./").skip(1);
        for name in imports.filter_map(|rest| rest.split('"').next()) {
            let (folder, _) = file.rsplit_once('/').expect("a folder");
            assert_eq!(server.get(&format!("{folder}/{name}")).status, 200, "{name}");
        }
    }
    // All of it, compressed, with what it asks for first.
    let mut bytes = 0;
    let files = page.text().split('"').filter(|text| text.starts_with("/assets/"));
    let folder = files.clone().next().and_then(|file| file.rsplit_once('/')).expect("a folder").0;
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/web");
    let names = std::fs::read_dir(directory).expect("it can be read");
    let names = names.map(|file| file.expect("a file").file_name().to_string_lossy().into_owned());
    // The reader of tables is for sites.
    let names = names.filter(|name| name != "reader");
    let paths = names.filter(|name| name != "index.html").map(|name| format!("{folder}/{name}"));
    for path in paths.chain(["/".into(), "/api/v1/games".into(), OPENING.into()]) {
        let reply = server.send("GET", &path, "accept-encoding: gzip\r\n", b"");
        assert_eq!(reply.status, 200, "{path}");
        bytes += reply.body.len();
    }
    assert!(bytes < 150_000, "{bytes} bytes");
    let description = server.get("/api");
    assert!(description.text().contains("<code>POST /api/v1/probe</code>"));
}

#[test]
fn validators_compression_and_headers() {
    let server = shared();
    let target = "/api/v1/probe?game=hexapawn&position=ppp/3/PPP_w";
    let first = server.get(target);
    assert_eq!(first.header("cache-control"), Some("no-cache"));
    let tag = first.header("etag").expect("answers have validators");
    let strong = tag.trim_start_matches("W/");
    for known in [format!("\"x\", {tag}"), strong.into(), "*".into()] {
        let again = server.send("GET", target, &format!("if-none-match: {known}\r\n"), b"");
        assert_eq!((again.status, again.body.len()), (304, 0), "{known}");
    }
    let other = server.send("GET", target, "if-none-match: \"x\"\r\n", b"");
    assert_eq!(other.status, 200);
    let head = server.send("HEAD", target, "", b"");
    assert_eq!((head.status, head.header("etag")), (200, Some(tag)));
    // A page for browsers, and JSON for programs.
    assert_eq!(server.get("/none").header("vary"), Some("accept"));
    let packed = server.send("GET", target, "accept-encoding: gzip\r\n", b"");
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    assert!(packed.body.starts_with(&[0x1f, 0x8b]) && packed.body.len() < first.body.len());
    for target in [target, "/healthz", "/metrics", "/none", "/openapi.json"] {
        let reply = server.get(target);
        let policy = reply.header("content-security-policy").expect("every answer has a policy");
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"));
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    }
    let origin = "origin: https://example.org\r\n";
    let reply = server.send("GET", target, origin, b"");
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
    let reply = server.send("GET", "/metrics", origin, b"");
    assert_eq!(reply.header("access-control-allow-origin"), None);
    assert!(server.get("/robots.txt").text().ends_with("Disallow: /\n"));
    for _ in 0..2 {
        server.get("/api/v1/probe?game=fox-geese&position=3/3/7/3F3/2ggg2/1g1/1g1_f");
    }
    let metrics = server.get("/metrics");
    let requests = "anser_requests_total{endpoint=\"/api/v1/probe\",status=\"2xx\"} ";
    for name in
        ["anser_probes_total ", "anser_blocks_read_total ", "anser_cache_hits_total ", requests]
    {
        let value = metrics.text().lines().find_map(|line| line.strip_prefix(name));
        assert!(value.is_some_and(|value| value.parse::<u64>().is_ok_and(|value| value > 0)));
    }
}

#[test]
fn a_server_without_room_says_so_and_one_that_stops_answers_first() {
    let mut options = Options::new(SearchPath::embedded());
    options.limits.running = 1;
    options.limits.waiting = 0;
    let mut server = start(&options);
    // Look at thousands of positions and find none.
    let long = "/api/v1/random?game=fox-geese&layer=6&outcome=fox&to_move=geese&only_move=true";
    let (began, is_over) = (Instant::now(), AtomicBool::new(false));
    let refused = std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !is_over.load(Relaxed) {
                    server.get(long);
                }
            });
        }
        let refused = loop {
            let reply = server.get("/api/v1/random?game=fox-geese&layer=6");
            if reply.status != 200 || began.elapsed() > Duration::from_secs(20) {
                break reply;
            }
        };
        is_over.store(true, Relaxed);
        refused
    });
    refused.fails(503, "io", "too many requests");
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert_eq!(server.get("/healthz").status, 200, "what needs no room is answered");
    // A batch that has begun is finished.
    let mut stream = server.connect();
    let head = "POST /api/v1/probe?game=hexapawn HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\
                transfer-encoding: chunked\r\ncontent-type: application/x-ndjson\r\n\r\n";
    stream.write_all(head.as_bytes()).expect("it reads");
    stream.write_all(b"e\r\n\"ppp/3/PPP w\"\n\r\n").expect("it reads");
    stream.peek(&mut [0]).expect("the answer begins");
    server.handle.stop();
    stream.write_all(b"0\r\n\r\n").expect("it reads");
    let reply = Reply::read(&mut BufReader::new(stream), false).expect("it answers");
    assert_eq!(reply.json()["dtw"], 6);
    server.stop().expect("it stops");
}

#[test]
fn every_move_has_its_position_and_the_end_its_reason() {
    let sets = list(&shared().get("/api/v1/games?game=fox-geese").json()["games"][0]["sets"]).len();
    assert!(sets >= 3);
    for (rules, board, ending, after) in [
        ("free", "3/3/7/3Fg2/2gg3/1g1/3 f", "fewer than four geese", "3/3/7/5F1/2gg3/1g1/3 g"),
        ("first-capture", "3/3/7/3Fg2/2gg3/1gg/3 f", "first capture", "3/3/7/5F1/2gg3/1gg/3 g"),
    ] {
        let of = format!("game=fox-geese&rules={rules}");
        let probe =
            shared().get(&format!("/api/v1/probe?{of}&position={}", in_query(board))).json();
        assert_eq!(probe["ending"], Value::Null);
        let moves = list(&probe["moves"]);
        assert!(moves.iter().all(|mv| mv["position"].is_string()), "{probe}");
        let last = json!({
            "move": "d4xf4",
            "outcome": "fox",
            "dtw": 0,
            "position": after,
            "ending": ending
        });
        assert!(moves.contains(&last), "{probe}");
        let steps = moves.iter().filter(|mv| text(&mv["move"]).contains('-'));
        assert!(steps.map(|mv| &mv["ending"]).all(Value::is_null));
        // Asked for alone it is over by the number of geese alone.
        let alone =
            shared().get(&format!("/api/v1/probe?{of}&position={}", in_query(after))).json();
        assert_eq!(alone["ending"].is_null(), rules == "first-capture", "{alone}");
        // Nothing is played after the end.
        let answer =
            shared().get(&format!("/api/v1/move?{of}&position={}&moves=d4xf4", in_query(board)));
        answer.fails(400, "usage", &format!("the game is over ({ending})"));
    }
}

#[test]
fn the_computer_plays_by_distances_outcomes_or_a_search() {
    let get = |query: &str| shared().get(&format!("/api/v1/move?seed=1&{query}")).json();
    // Black wins in six plies, and the board has distances.
    let answer = get("game=hexapawn:3x3&position=ppp/3/PPP_w&moves=b1-b2");
    assert_eq!((text(&answer["by"]), text(&answer["to_move"])), ("distance", "black"));
    assert_eq!(
        (&answer["chosen"]["outcome"], &answer["chosen"]["dtw"]),
        (&json!("black"), &json!(4))
    );
    // A layer that is not served: the fox takes what it can.
    let answer = get("game=fox-geese&position=3/3/7/3Fg2/2ggg2/ggg/ggg_f");
    assert_eq!((text(&answer["by"]), &answer["outcome"]), ("search", &Value::Null));
    assert!(answer["searched"]["positions"].as_u64() > Some(100), "{answer}");
    assert_eq!(answer["chosen"]["move"], "d4xf4");
    // The winning side keeps its win without distances.
    let won = "/api/v1/random?game=fox-geese&layer=7&outcome=geese&to_move=geese&seed=1";
    let won = shared().get(won).json();
    let answer = get(&format!("game=fox-geese&position={}", in_query(text(&won["position"]))));
    assert_eq!(text(&answer["by"]), "conversion");
    assert_eq!(answer["chosen"]["outcome"], "geese");
    // The only move needs no values.
    let answer = get("game=fox-geese&position=1Fg/1gg/2gg3/7/ggggggg/ggg/ggg_f");
    assert_eq!((text(&answer["by"]), text(&answer["chosen"]["move"])), ("only", "d7-c7"));
    // A search uses none.
    let answer = get("game=hexapawn:3x3&position=ppp/3/PPP_w&style=search-2");
    assert_eq!((text(&answer["by"]), &answer["searched"]["plies"]), ("search", &json!(2)));
    let fails = |query: &str, why: &str| {
        shared().get(&format!("/api/v1/move?{query}")).fails(400, "usage", why);
    };
    fails(
        "game=hexapawn:3x3&position=ppp/3/PPP_w&moves=b1-b3",
        "move 1, \"b1-b3\", cannot be played",
    );
    fails("game=hexapawn:3x3&position=ppp/3/PPP_w&fuzz=2", "fuzz is a number from 0 to 1");
    fails(
        "game=hexapawn:3x3&position=ppp/3/PPP_w&style=casual&fuzz=0.5",
        "fuzz is not for levels, which err by themselves",
    );
    fails(
        "game=hexapawn:3x3&position=ppp/3/PPP_w&style=nice",
        "no style is called \"nice\" [possible values: beginner, casual, skilled, expert, search-2, \
         search-4, search-7, search-12, quick]",
    );
    fails("game=hexapawn:3x3&position=2P/p2/3_b", "the game is over (far row)");
}
