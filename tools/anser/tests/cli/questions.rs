//! Questions about solved games: known answers, keys of the JSON, and errors.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::{Ran, anser, keys};

fn ask(words: &[&str]) -> Ran {
    Ran::new(&anser(words).output().expect("anser runs"))
}

fn json_of(words: &[&str]) -> Value {
    ask(&[words, &["--json"]].concat()).json()
}

/// Games that are solved as a whole, with their rule sets and starts.
const SOLVED_WHOLE: [(&str, &[&str], &str); 6] = [
    ("fox-hounds:4", &["escape", "strict"], "1F/2/2/hh f"),
    ("fox-hounds:6", &["escape", "strict"], "1F1/3/3/3/3/hhh f"),
    ("hasenspiel", &["literal", "author"], "1W2/4/4/4/4/4/4/bbbb w"),
    ("hexapawn:3x3", &["standard"], "ppp/3/PPP w"),
    ("hexapawn:4x4", &["standard"], "pppp/4/4/PPPP w"),
    ("hexapawn:3x5", &["standard"], "ppp/3/3/3/PPP w"),
];

#[test]
fn solvers_of_whole_games_count_as_the_general_solver_does() {
    for (game, rules, start) in SOLVED_WHOLE {
        for &rules in rules {
            // A given position selects the general solver, even if it is the start.
            for question in ["census", "count"] {
                let quick = untimed(json_of(&[question, game, "--rules", rules]));
                let general = untimed(json_of(&[question, game, start, "--rules", rules]));
                assert_eq!(quick, general, "{question} {game}, rules {rules}");
            }
        }
    }
}

/// Answer without its time and memory.
fn untimed(mut answer: Value) -> Value {
    for key in ["seconds", "memory_bytes"] {
        answer.as_object_mut().expect("an object").remove(key);
    }
    answer
}

#[test]
fn a_count_has_its_time_and_memory() {
    for game in ["fox-hounds:8", "hexapawn:4x4", "hare-hounds"] {
        let answer = json_of(&["count", game]);
        assert!(
            answer["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0 && seconds < 600.0),
            "{answer}"
        );
        let text = ask(&["count", game]);
        assert!(
            text.text().lines().any(|line| line.starts_with("time  ") && line.ends_with(" s")),
            "{}",
            text.out
        );
        if cfg!(target_os = "linux") {
            let memory = answer["memory_bytes"].as_u64().expect("Linux reports the memory");
            assert!((1 << 20..1 << 34).contains(&memory), "{answer}");
            let said =
                text.out.lines().find(|line| line.starts_with("memory  ")).expect("the memory");
            assert!(said.ends_with("MiB"), "{said}");
        }
    }
}

#[test]
fn the_longest_wins_are_listed_without_mirror_images() {
    // Every position of Hexapawn has a mirror image, and the start is its own.
    let answer = json_of(&["hardest", "hexapawn:4x4", "--all", "--list", "1000"]);
    let mut images = 0;
    for longest in answer["longest"].as_array().expect("sides") {
        let [positions, classes] =
            ["positions", "classes"].map(|key| longest[key].as_u64().expect("a number"));
        let examples = longest["examples"].as_array().expect("examples");
        assert_eq!(examples.len() as u64, classes, "{longest}");
        let mut seen = std::collections::HashSet::new();
        for example in examples {
            let position = example["position"].as_str().expect("a position");
            let (board, to_move) = position.split_once(' ').expect("a side to move");
            let rows = board
                .split('/')
                .map(|row| row.chars().rev().collect::<String>())
                .collect::<Vec<_>>();
            assert!(
                !seen.contains(&format!("{} {to_move}", rows.join("/"))),
                "{position} is an image of another"
            );
            seen.insert(position.to_owned());
        }
        images += positions - classes;
    }
    assert!(images > 0, "{answer}");
    let text = ask(&["hardest", "hexapawn:4x4", "--all"]);
    assert!(
        text.text().contains(" of them mirror images\n") || text.out.contains(" a mirror image\n"),
        "{}",
        text.out
    );
}

#[test]
fn outcomes_are_worded_alike_in_every_answer() {
    let says = |words: &[&str], parts: &[&str]| {
        let text = ask(words);
        for part in parts {
            assert!(text.text().contains(part), "{part:?} is not in {}", text.out);
        }
        for wrong in [
            "the black",
            "the white",
            "fox win ",
            "geese wins",
            "hounds wins",
            " 1 plies",
            " 1 positions",
        ] {
            assert!(!text.out.contains(wrong), "{wrong:?} is in {}", text.out);
        }
    };
    says(
        &["count", "hexapawn:3x3"],
        &["won for black in 6 plies", "  won for white", "  won for black"],
    );
    says(&["count", "fox-hounds:4"], &["  won for the fox", "  won for the hounds"]);
    says(&["census", "fox-hounds:4"], &["fox moves, hounds win", "hounds move, fox wins"]);
    says(&["census", "hexapawn:3x3"], &["white moves, black wins"]);
    says(&["line", "hexapawn:3x3"], &["won for black in 1 ply", "over: won for black"]);
    says(&["probe", "hexapawn:3x3", "ppp/1P1/P1P b"], &["black to move: won for black in 5 plies"]);
    says(
        &["hardest", "fox-geese", CAPTURING, "--rules", "first-capture", "--memory", "2GiB"],
        &["longest win for the fox: 1 ply, in 1 position\n"],
    );
    says(
        &["zugzwang", "hare-hounds", "--list", "1"],
        &["hounds to move lose, and draw", "stalemates of the hare"],
    );
    says(
        &["foxbox", "fox-hounds:6"],
        &["not finite: the fox wins", "never: the fox does not lose"],
    );
    says(
        &["policy", "hasenspiel"],
        &["games won for the pawns", "won for the rabbit", "54.59 %, truly 3.44 %"],
    );
    says(&["fuzz", "fox-hounds:4", "--p", "0.5"], &["the fox wins from the start"]);
    says(
        &["play", "hexapawn:3x3", "--as", "none", "--seed", "1"],
        &["won for black after 6 plies"],
    );
}

#[test]
fn a_census_has_outcomes_and_depths_by_side_to_move() {
    let answer = json_of(&["census", "fox-hounds:4"]);
    for part in ["reachable", "all"] {
        assert_eq!(keys(&answer[part]["to_move"]), ["fox", "hounds"], "{answer}");
        let fox = &answer[part]["to_move"]["fox"];
        assert_eq!(keys(&fox["outcomes"]).len(), 3);
        let depths = fox["depths"]["hounds"].as_object().expect("depths by plies");
        let sum: u64 = depths.values().filter_map(Value::as_u64).sum();
        assert_eq!(Some(sum), fox["outcomes"]["hounds"].as_u64());
    }
    assert_eq!(answer["reachable"]["to_move"]["fox"]["depths"]["hounds"]["8"], 1);
    assert!(json_of(&["census", "fox-hounds:4", "--reachable"])["all"].is_null());
}

#[test]
fn the_line_of_the_hare_has_twenty_three_moves() {
    let line = json_of(&["line", "--game", "hare-hounds", "--start", "--tie", "hare=last"]);
    let moves: Vec<&str> = line["line"]
        .as_array()
        .expect("moves")
        .iter()
        .filter_map(|ply| ply["move"].as_str())
        .collect();
    assert_eq!(moves.len(), 23);
    assert_eq!(moves[..5], ["1-6", "8-11", "4-5", "11-10", "5-1"]);
    assert_eq!((&line["end"], &line["dtw"]), (&json!("over"), &json!(23)));
    ask(&["line", "--game", "hare-hounds", "--start", "--tie", "fox=last"])
        .fails_in_a_line(2, &["hare=last"]);
}

#[test]
fn game_and_position_are_distinguished_in_every_command() {
    let position = "1F/2/2/hh f";
    for command in
        ["probe", "line", "count", "census", "opposite", "hardest", "zugzwang", "foxbox", "policy"]
    {
        // Time and memory of a count vary.
        let json_of = |words: &[&str]| untimed(json_of(words));
        let plain = json_of(&[command, "fox-hounds:4", position]);
        assert_eq!(plain["game"], "fox-hounds:4", "{command}");
        for words in [
            &[command, "--game", "fox-hounds:4", position][..],
            &[command, position, "--game", "fox-hounds:4"],
            &[command, "fox-hounds:4", "1F/2/2/hh", "f"],
            &[command, "fox-hounds:4", "1F/2/2/hh_f"],
            &[command, "fox-hounds:4", position, "--game", "fox-hounds:4"],
            &[command, "fox-hounds:4", "--opening", "start"],
        ] {
            assert_eq!(json_of(words), plain, "{words:?}");
        }
        // Without a game it is a position of Fox-and-Geese, which has no FoxBoxes.
        let problem = if command == "foxbox" {
            "not about fox-geese"
        } else {
            "this is not a position: column 3: row 7"
        };
        ask(&[command, position]).fails_in_a_line(2, &[problem]);
        ask(&[command, "fox-hond:4", position])
            .fails_in_a_line(2, &["no game is called \"fox-hond:4\""]);
    }
    assert_eq!(json_of(&["line", "fox-hounds:4"])["position"], position);
    assert_eq!(json_of(&["probe", "hexapawn:3x3"])["to_move"], "white");
}

#[test]
fn openings_have_names() {
    let games = json_of(&["games"]);
    let openings = games["games"][0]["openings"].as_array().expect("openings");
    let named: Vec<&str> =
        openings.iter().filter_map(|opening| opening["opening"].as_str()).collect();
    assert_eq!(named, ["start", "13", "15", "17"]);
    let text = ask(&["games"]);
    for opening in openings {
        assert!(
            text.text().contains(opening["position"].as_str().expect("a position")),
            "{}",
            text.out
        );
        // Without a table the error names the layer of the opening.
        let (name, layer) =
            (opening["opening"].as_str().expect("a name"), opening["position"].as_str());
        let geese = layer.expect("a position").matches('g').count()
            - usize::from(layer.is_some_and(|p| p.ends_with('g')));
        let ran = ask(&["probe", "--opening", name, "--tables", "/"]);
        ran.fails_in_a_line(1, &[&format!("layer {geese} of fox-geese")]);
    }
    ask(&["probe", "--opening", "14"])
        .fails_in_a_line(2, &["no opening \"14\"", "start, 13, 15, 17", "anser games"]);
}

#[test]
fn opposite_zugzwang_and_hardest_are_found() {
    let opposite = json_of(&["opposite", "fox-hounds:8"]);
    assert_eq!(
        (&opposite["position"], &opposite["dtw"]),
        (&json!("2F1/4/4/4/4/4/4/hhhh f"), &json!(44))
    );
    let found = &opposite["opposite"];
    assert_eq!(
        (&found["position"], &found["dtw"]),
        (&json!("4/1F2/4/4/4/4/3h/hh1h f"), &json!(29))
    );
    let last = opposite["line"].as_array().expect("plies").last().expect("a move").clone();
    assert_eq!((&last["position"], &last["dtw"]), (&found["position"], &found["dtw"]));
    let kinds =
        json_of(&["zugzwang", "hare-hounds", "--rules", "unlimited", "--list", "1"])["kinds"]
            .clone();
    let counts: Vec<u64> = kinds
        .as_array()
        .expect("kinds")
        .iter()
        .filter_map(|kind| kind["positions"].as_u64())
        .collect();
    assert_eq!(counts, [4, 38, 6, 3, 4]);
    let hardest = json_of(&["hardest", "hexapawn:4x4"]);
    assert_eq!(
        (&hardest["longest"][0]["dtw"], &hardest["longest"][0]["positions"]),
        (&json!(11), &json!(1))
    );
    assert_eq!(hardest["longest"][0]["examples"][0]["line"].as_array().map(Vec::len), Some(11));
}

#[test]
fn boxes_and_the_fuzzy_player_have_the_published_figures() {
    let boxes = json_of(&["foxbox", "fox-hounds:8"]);
    assert_eq!(
        (&boxes["b"], &boxes["max_b"]["b"], &boxes["fox_box"]),
        (&json!(0), &json!(6), &json!(true))
    );
    let fuzz = ask(&["fuzz", "fox-hounds:8", "--p", "0.00390625,1"]);
    assert!(fuzz.text().contains("0.326") && fuzz.text().contains("0.150"), "{}", fuzz.out);
    assert!(fuzz.text().contains("0.006935"), "{}", fuzz.out);
    let moves = json_of(&["fuzz", "fox-hounds:4", "--moves", "0.1"]);
    let sum: f64 = moves["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .filter_map(|mv| mv["chance"].as_f64())
        .sum();
    assert!((sum - 1.0).abs() < 1e-9, "{moves}");
}

#[test]
fn the_ranking_of_moves_puts_the_smaller_share_of_the_opponent_first() {
    let policy = json_of(&["policy", "hasenspiel", "--rules", "author", "--line", "10"]);
    let shares: Vec<f64> = policy["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .filter_map(|mv| mv["share"].as_f64())
        .collect();
    assert!(shares.len() == 2 && shares[0] < shares[1], "{policy}");
    assert_eq!(policy["line"].as_array().map(Vec::len), Some(10));
    assert_eq!(policy["games"], "1101226120421767687787600873400");
    let published = policy["published"].as_array().expect("what the document prints");
    assert!(
        published.iter().any(|row| row["figure"] == "games" && row["verdict"] == "agrees"),
        "{policy}"
    );
    let differing = published.iter().filter(|row| row["verdict"] == "differs as known");
    assert!(differing.filter_map(|row| row["reason"].as_str()).count() == 4, "{policy}");
    // The document prints no figures of other games.
    assert!(json_of(&["policy", "fox-hounds:4"])["published"].is_null());
}

#[test]
fn plots_are_drawn_on_the_terminal_and_into_a_file() {
    let dir = tempfile::tempdir().expect("there is a temporary directory");
    let file = dir.path().join("census.svg");
    let file = file.to_str().expect("a plain name");
    let ran = ask(&["census", "fox-hounds:4", "--plot", "--svg", file]);
    assert!(ran.text().contains("plies to the win"), "{}", ran.out);
    assert!(std::fs::read_to_string(file).expect("the plot is there").starts_with("<svg "));
    let nowhere = dir.path().join("no/such/place.svg");
    ask(&["census", "fox-hounds:4", "--svg", nowhere.to_str().expect("a plain name")])
        .fails(4, &["it cannot be written"]);
}

#[test]
fn boards_have_lines_and_colors_on_a_terminal_and_are_plain_elsewhere() {
    let shown = |variables: &[(&str, &str)], more: &[&str]| {
        let mut command = anser(["opposite", "fox-hounds:8"]);
        for name in ["NO_COLOR", "TERM", "LC_ALL", "LC_CTYPE", "LANG", "COLUMNS"] {
            command.env_remove(name);
        }
        Ran::new(&command.args(more).envs(variables.iter().copied()).output().expect("anser runs"))
            .text()
            .to_owned()
    };
    let plain = ask(&["opposite", "fox-hounds:8"]).text().to_owned();
    assert!(plain.contains("\n7    .   F   .   .\n"), "{plain}");
    assert_eq!(shown(&[], &[]), plain);
    // Treats the pipe as a terminal with colors.
    let terminal = ("CLICOLOR_FORCE", "1");
    let rich = shown(&[terminal], &[]);
    assert!(rich.contains("\u{1b}[") && rich.contains(" F "), "{rich:?}");
    for variable in [("NO_COLOR", "1"), ("TERM", "dumb"), ("LC_ALL", "C")] {
        assert_eq!(shown(&[terminal, variable], &[]), plain, "{variable:?}");
    }
    assert_eq!(shown(&[terminal], &["--ascii"]), plain);
    let cross =
        anser(["policy", "fox-geese", CAPTURING, "--rules", "first-capture", "--memory", "2GiB"])
            .env_remove("NO_COLOR")
            .envs([terminal, ("TERM", "xterm"), ("LC_ALL", "C.UTF-8")])
            .output()
            .expect("anser runs");
    let cross = Ran::new(&cross);
    for line in ["│ ╲ │ ╱ │", "───"] {
        assert!(cross.text().contains(line), "{}", cross.out);
    }
}

#[test]
fn at_fifty_columns_no_table_board_or_plot_is_wider() {
    let runs: [&[&str]; 7] = [
        &["census", "fox-hounds:6"],
        &["census", "hasenspiel", "--reachable"],
        &["foxbox", "fox-hounds:4", "--line"],
        &["fuzz", "fox-hounds:6", "--p", "0,0.1,1"],
        &["fuzz", "fox-hounds:6", "--plot"],
        &["policy", "fox-hounds:6"],
        &["hardest", "fox-hounds:6"],
    ];
    for words in runs {
        for forced in ["0", "1"] {
            let mut command = anser(words);
            command
                .env("COLUMNS", "50")
                .env_remove("NO_COLOR")
                .env("CLICOLOR_FORCE", forced)
                .env("TERM", "xterm");
            let ran = Ran::new(&command.env("LC_ALL", "C.UTF-8").output().expect("anser runs"));
            // Sentences, which have a colon, may be longer, because the terminal wraps them.
            for line in
                ran.text().lines().filter(|line| !line.contains(':') || words.contains(&"--plot"))
            {
                assert!(
                    console::measure_text_width(line) <= 50,
                    "{words:?}: {line:?} in\n{}",
                    ran.out
                );
            }
        }
    }
}

/// Rows of a plot of bars: the label and the number at the end.
fn bars(text: &str) -> Vec<(String, u64)> {
    let rows = text.lines().filter_map(|line| line.split_once(" | ")).skip(1);
    let number =
        |bar: &str| bar.rsplit(' ').next().and_then(|number| number.replace(',', "").parse().ok());
    rows.map(|(label, bar)| (label.trim().to_owned(), number(bar).expect("a number"))).collect()
}

#[test]
fn every_bar_of_a_census_has_the_counts_of_its_plies() {
    let census = &json_of(&["census", "fox-hounds:8", "--reachable"])["reachable"]["to_move"];
    let bars = bars(ask(&["census", "fox-hounds:8", "--plot"]).text());
    assert_eq!(bars.len(), 45);
    for (plies, (label, count)) in bars.into_iter().enumerate() {
        assert_eq!(label, plies.to_string());
        let depths = census.as_object().expect("sides").values().map(|side| &side["depths"]);
        let counts = depths.flat_map(|depths| depths.as_object().expect("winners").values());
        let sum: u64 = counts.filter_map(|counts| counts[&label].as_u64()).sum();
        assert_eq!(count, sum, "{label} plies");
    }
}

#[test]
fn the_fuzzy_player_is_the_winner_so_that_no_chance_is_certain() {
    for (words, columns) in [
        (
            &["fuzz", "fox-hounds:6", "--p", "0,0.01,0.1,1"][..],
            [("hounds", "fox"), ("fox", "hounds")],
        ),
        (&["fuzz", "fox-hounds:8", "--p", "0,0.01,0.1,1"], [("fox", "hounds"), ("hounds", "fox")]),
    ] {
        let answer = json_of(words);
        for (number, (weaker, fuzzy)) in columns.into_iter().enumerate() {
            let column = &answer["columns"][number];
            let shown = column.get("side").or(column.get("wins"));
            assert_eq!(
                (shown, &column["fuzzy"]),
                (Some(&json!(weaker)), &json!(fuzzy)),
                "{answer}"
            );
            let rows = answer["table"].as_array().expect("rows");
            let chances: Vec<f64> =
                rows.iter().filter_map(|row| row["chances"][number].as_f64()).collect();
            assert!(
                chances[0].abs() < 1e-12,
                "against best play the weaker side has no chance: {answer}"
            );
            assert!(chances.is_sorted() && chances[1] > 0.0 && chances[1] < 1.0, "{answer}");
            assert!(
                column["fairest"].as_f64().is_some_and(|fairest| fairest > 0.0 && fairest < 1.0),
                "{answer}"
            );
        }
    }
    let text = ask(&["fuzz", "fox-hounds:6", "--p", "0.1"]);
    assert!(text.text().contains("the hounds win from the start"), "{}", text.out);
    assert!(text.out.contains("the fox wins from the opposite position"), "{}", text.out);
    // With a position, the chance is that of the side that loses there.
    let placed = json_of(&["fuzz", "fox-hounds:6", "1F1/3/3/3/3/hhh f", "--p", "0.1"]);
    assert_eq!(placed["columns"].as_array().map(Vec::len), Some(1));
    assert_eq!(placed["columns"][0]["fuzzy"], "fox");
}

#[test]
fn the_plot_of_chances_is_logarithmic_and_marks_the_fairest_p() {
    let dir = tempfile::tempdir().expect("there is a temporary directory");
    let file = dir.path().join("fuzz.svg");
    let ran =
        ask(&["fuzz", "fox-hounds:6", "--plot", "--svg", file.to_str().expect("a plain name")]);
    let svg = std::fs::read_to_string(file).expect("the plot is there");
    for shown in [ran.text(), &svg] {
        for part in
            ["0.0001", "0.001", "0.01", "0.1", "fairest p, the hounds win from the start: 0."]
        {
            assert!(shown.contains(part), "{part:?} is not in {shown}");
        }
    }
    let lines = svg.lines().filter(|line| line.starts_with("<polyline"));
    assert!(lines.map(|line| line.matches(',').count()).eq([49, 49]), "{svg}");
}

#[test]
fn plots_fit_the_width_and_the_characters_of_the_terminal() {
    let plot = |variables: &[(&str, &str)], more: &[&str]| {
        let mut command = anser(["census", "fox-hounds:6", "--plot"]);
        for name in ["TERM", "LC_ALL", "LC_CTYPE", "LANG", "COLUMNS"] {
            command.env_remove(name);
        }
        let ran = Ran::new(
            &command.args(more).envs(variables.iter().copied()).output().expect("anser runs"),
        );
        ran.text().to_owned()
    };
    assert!(plot(&[], &[]).contains('█'));
    for ascii in
        [plot(&[("TERM", "dumb")], &[]), plot(&[("LC_ALL", "C")], &[]), plot(&[], &["--ascii"])]
    {
        assert!(ascii.is_ascii() && ascii.contains('#'), "{ascii}");
    }
    for (columns, width) in [("50", 50), ("70", 70), ("500", 120)] {
        let text = plot(&[("COLUMNS", columns)], &[]);
        assert_eq!(text.lines().map(|line| line.chars().count()).max(), Some(width), "{text}");
    }
}

#[test]
fn questions_without_an_answer_have_a_reason() {
    ask(&["count", "chess"]).fails_in_a_line(2, &["no game is called", "fox-hounds"]);
    ask(&["count", "fox-hounds:7"]).fails_in_a_line(2, &["even number from 2 to 12"]);
    ask(&["count", "hexapawn:9x9"]).fails_in_a_line(2, &["at most 36 squares"]);
    ask(&["count", "hare-hounds:8"]).fails_in_a_line(2, &["comes in one size"]);
    ask(&["count", "hasenspiel:7"]).fails_in_a_line(2, &["even number from 2 to 12"]);
    ask(&["count", "hare-hounds", "--rules", "unlimited"])
        .fails_in_a_line(1, &["play can return to", "infinitely many games"]);
    ask(&["count", "fox-hounds:4", "1F/2/2/hx f"]).fails_in_a_line(2, &["column"]);
    ask(&["count", "fox-hounds:12", "--memory", "1GiB"])
        .fails_in_a_line(2, &["fox-hounds:12 needs about", "--memory"]);
    ask(&["foxbox", "hexapawn:3x3"]).fails_in_a_line(2, &["fox-hounds:8 or hasenspiel"]);
    ask(&["fuzz", "fox-hounds:4", "--p", "2"]).fails(2, &["a number from 0 to 1"]);
}

/// A fox that can only capture, in the layer of 7 geese, and a late position of a large board. Few
/// positions are reachable from them, in layers of more than 2^25 positions.
const CAPTURING: &str = "3/3/7/g6/g1g4/gg1/Fgg f";
const LATE: &str = "hhh3/F5/6/6/6/1h4/hh4/6/6/6/6/6 f";

#[test]
fn roots_in_large_layers_are_answered() {
    let fox = |question: &str, more: &[&str]| {
        let words =
            [question, "fox-geese", CAPTURING, "--rules", "first-capture", "--memory", "2GiB"];
        json_of(&[&words, more].concat())
    };
    let outcomes = &fox("census", &["--reachable"])["reachable"]["to_move"]["fox"]["outcomes"];
    assert_eq!(*outcomes, json!({"fox": 1, "draw": 0, "geese": 0}));
    let longest = &fox("hardest", &[])["longest"];
    assert_eq!(
        (&longest[0]["outcome"], &longest[0]["dtw"], &longest[0]["positions"]),
        (&json!("fox"), &json!(1), &json!(1))
    );
    assert_eq!(fox("zugzwang", &["--reachable"])["kinds"][0]["positions"], 0);
    let counted = fox("count", &[]);
    assert_eq!((&counted["reachable"], &counted["games"]), (&json!(1), &json!("1")));
    let policy = fox("policy", &[]);
    assert_eq!((&policy["games"], &policy["moves"][0]["move"]), (&json!("1"), &json!("c1xe3")));
    let words =
        ["opposite", "fox-geese", CAPTURING, "--rules", "first-capture", "--memory", "2GiB"];
    ask(&words).fails_in_a_line(1, &["won for the other side"]);

    // The same from a position with many reachable positions.
    let late = |question: &str| json_of(&[question, "fox-hounds:12", LATE, "--memory", "2GiB"]);
    let counted = late("count");
    let reachable = counted["reachable"].as_u64().expect("a number");
    assert!(reachable > 1_000, "{counted}");
    let census = late("census");
    let sides = census["reachable"]["to_move"].as_object().expect("sides").values();
    let outcomes = sides.flat_map(|side| side["outcomes"].as_object().expect("outcomes").values());
    assert_eq!(outcomes.filter_map(Value::as_u64).sum::<u64>(), reachable);
    assert!(late("hardest")["longest"][0]["positions"].as_u64() > Some(0));
    assert_eq!(late("policy")["games"], counted["games"]);
    assert_eq!(late("opposite")["position"], LATE);
    let zugzwang = json_of(&["zugzwang", "fox-hounds:12", LATE, "--reachable", "--memory", "2GiB"]);
    let counts = zugzwang["kinds"]
        .as_array()
        .expect("kinds")
        .iter()
        .filter_map(|kind| kind["positions"].as_u64());
    assert!(counts.sum::<u64>() > 0, "{zugzwang}");
    let boxes = late("foxbox");
    assert!(boxes["positions_never"].as_u64() > Some(0), "{boxes}");
}

#[test]
fn a_root_in_a_large_layer_can_be_played_from() {
    let words = [
        "play",
        "fox-geese",
        CAPTURING,
        "--rules",
        "first-capture",
        "--memory",
        "2GiB",
        "--as",
        "none",
    ];
    let played = ask(&words);
    assert!(played.text().contains("c1xe3"), "{}", played.out);
}

#[test]
fn a_question_that_does_not_fit_into_the_memory_is_refused_at_once() {
    for command in ["count", "census", "hardest", "policy", "zugzwang"] {
        let began = std::time::Instant::now();
        let ran = ask(&[command, "fox-geese", "--opening", "13", "--memory", "1GiB"]);
        let layered = matches!(command, "census" | "hardest" | "zugzwang");
        let way = format!("`anser {command} fox-geese --rules free --layers 1-13`");
        ran.fails_in_a_line(
            2,
            &["play from here can reach up to", "--memory", "1.0 GiB may be used"],
        );
        assert_eq!(ran.err.contains(&way), layered, "{}", ran.err);
        assert!(began.elapsed().as_secs() < 60, "{command}");
    }
    // One layer may fit, and takes hours.
    for command in ["census", "hardest", "policy", "zugzwang"] {
        let ran = ask(&[command, "fox-geese", "--rules", "first-capture"]);
        ran.fails_in_a_line(2, &["can reach up to 2,865,8", "of memory and 15 h", "may be used"]);
        let way = format!("`anser {command} fox-geese --rules first-capture --layers 13`");
        assert_eq!(ran.err.contains(&way), command != "policy", "{}", ran.err);
    }
    // Few pieces fit.
    let few = "3/3/7/3F3/3g3/3/ggg f";
    let census = ask(&["census", "fox-geese", few, "--reachable", "--memory", "1GiB"]);
    assert!(census.text().contains("positions that play can reach"), "{}", census.out);
}

/// The cells of comma-separated values by column, of which none is quoted.
fn csv_of(words: &[&str]) -> Vec<BTreeMap<String, String>> {
    let ran = ask(&[words, &["--format", "csv"]].concat());
    let text = ran.text().to_owned();
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
    let head: Vec<String> = lines.next().expect("a header").collect();
    lines.map(|cells| head.iter().cloned().zip(cells).collect()).collect()
}

#[test]
fn a_census_in_csv_has_the_numbers_of_the_one_in_json() {
    for (words, layers) in [
        (&["census", "hare-hounds", "--rules", "unlimited"][..], 0),
        (&["census", "hare-hounds", "--rules", "unlimited", "--layers", "3-4"], 2),
    ] {
        let (rows, answer) = (csv_of(words), json_of(words));
        let parts: Vec<(&str, String, &Value)> = if layers > 0 {
            let layers = answer["layers"].as_array().expect("layers");
            layers.iter().map(|of| ("all", of["layer"].to_string(), &of["to_move"])).collect()
        } else {
            let part = |scope| (scope, String::new(), &answer[scope]["to_move"]);
            vec![part("reachable"), part("all")]
        };
        assert_eq!(parts.len(), 2);
        let mut seen = 0;
        for (scope, layer, to_move) in parts {
            for (side, of) in to_move.as_object().expect("sides") {
                for (outcome, count) in of["outcomes"].as_object().expect("outcomes") {
                    let is_of = |row: &&BTreeMap<String, String>| {
                        let cell = |column: &str| &row[column];
                        let found =
                            [cell("scope"), cell("layer"), cell("to_move"), cell("outcome")];
                        found == [scope, &layer, side, outcome]
                    };
                    let found: Vec<_> = rows.iter().filter(is_of).collect();
                    let sum: u64 =
                        found.iter().map(|row| row["positions"].parse::<u64>().unwrap()).sum();
                    assert_eq!(Some(sum), count.as_u64(), "{words:?} {side} {outcome}");
                    for row in &found {
                        let plies = of["depths"][outcome][&row["dtw"]].as_u64();
                        let is_draw = outcome == "draw" && row["dtw"].is_empty();
                        assert!(is_draw || plies == row["positions"].parse().ok(), "{row:?}");
                    }
                    seen += found.len();
                }
            }
        }
        assert_eq!(seen, rows.len());
    }
    // Wins by endless play have no distance.
    let rows = csv_of(&["census", "thy", "--rules", "hare-wins", "--reachable"]);
    let endless =
        |row: &BTreeMap<String, String>| row["outcome"] == "hare" && row["dtw"].is_empty();
    assert!(rows.iter().any(endless) && rows.iter().all(|row| row["outcome"] != "draw"));
}

#[test]
fn listed_positions_in_csv_are_those_in_json_with_their_layers() {
    let exported = csv_of(&["export", "hare-hounds", "--rules", "unlimited"]);
    let layers = exported.iter().map(|row| (row["position"].clone(), row["layer"].clone()));
    let layers: BTreeMap<String, String> = layers.collect();
    for question in ["hardest", "zugzwang"] {
        let game = [question, "hare-hounds", "--rules", "unlimited"];
        for more in [&[][..], &["--list", "0"], &["--layers", "3-5", "--list", "1"]] {
            let words = [&game[..], more].concat();
            let (rows, answer) = (csv_of(&words), json_of(&words));
            // The answers about kinds or winners, in their order.
            let groups: Vec<&Value> = match (&answer["layers"], question) {
                (Value::Null, "hardest") => answer["longest"].as_array().unwrap().iter().collect(),
                (Value::Null, _) => answer["kinds"].as_array().unwrap().iter().collect(),
                (layers, _) => {
                    let layers = layers.as_array().expect("layers").iter();
                    let of = layers.flat_map(|of| match question {
                        "hardest" => of["to_move"].as_object().unwrap().values().collect(),
                        _ => vec![&of["kinds"]],
                    });
                    of.flat_map(|groups| groups.as_array().expect("groups")).collect()
                }
            };
            let mut rows = rows.iter();
            for group in groups {
                let examples = group["examples"].as_array().expect("examples");
                for at in 0..examples.len().max(1) {
                    let row = rows.next().expect("a row");
                    assert_eq!(row["positions"], group["positions"].to_string(), "{words:?}");
                    let Some(example) = examples.get(at) else {
                        assert_eq!(row["position"], "", "{words:?}");
                        continue;
                    };
                    assert_eq!(row["position"], example["position"].as_str().unwrap());
                    assert_eq!(row["to_move"], example["to_move"].as_str().unwrap());
                    assert_eq!(row["dtw"], example["dtw"].to_string());
                    assert_eq!(row["layer"], layers[&row["position"]]);
                    if question == "hardest" {
                        let line = example["line"].as_array().unwrap().iter();
                        let line: Vec<&str> =
                            line.map(|ply| ply["move"].as_str().unwrap()).collect();
                        assert_eq!(row["line"], line.join(" "));
                    } else {
                        assert_eq!(row["kind"], group["kind"].as_str().unwrap());
                    }
                }
            }
            assert_eq!(rows.next(), None, "{words:?}");
        }
    }
}
