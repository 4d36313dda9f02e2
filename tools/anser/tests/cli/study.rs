//! `anser study`: its forms, its figures beside those of other commands, and its errors.

use std::collections::HashMap;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Ran, anser, keys};

const TRIANGLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/hunts/triangle.toml");
const RULES: [&str; 4] = ["standard", "forward", "standard+must", "forward+must"];

/// Runs `anser study` with words separated by spaces; `TRIANGLE` is the path of the game.
fn study(words: &str) -> Ran {
    let words = words.split(' ').map(|word| if word == "TRIANGLE" { TRIANGLE } else { word });
    Ran::new(&anser(["study"].into_iter().chain(words)).output().expect("anser runs"))
}

fn ask(words: &[&str]) -> Value {
    Ran::new(&anser(words.iter().chain(&["--json"])).output().expect("anser runs")).json()
}

/// The rows of a table in CSV, each by the names of the columns.
fn rows(text: &str) -> Vec<HashMap<String, String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().collect::<Result<_, _>>().expect("the table is CSV")
}

#[test]
fn a_side_that_wins_by_endless_play_alone_does_not_win_nothing() {
    let ran = study("thy --rules hare-wins");
    let text = ran.text();
    assert!(text.contains("\nthe hare wins by endless play alone\n"), "{text}");
    assert!(!text.contains("the hare wins no position"), "{text}");
}

#[test]
fn one_rule_set_is_described_in_text() {
    let ran = study("TRIANGLE --rules standard+must --fuzz 0.25");
    for part in [
        "triangle, rules standard+must\nT/3/1g1/ggg g\n",
        "start    goats    drawn",
        "low      goats    drawn",
        "all positions: 4,200\n",
        "positions that play can reach: 3,782\n",
        "longest win for the tiger: 6 plies, from ",
        "the goats win no position\n",
        "chances from the start, within 250 plies\n",
        "both play at random ",
        "the tiger errs, P = 0.25 ",
        "both err, P = 0.25 ",
        "rules without an effect in any position\n\n  no game ends by \"blocked\" (blocked many), a \
         win for the tiger\n",
        "rules without an effect in positions that play from the start can reach\n\n  the goats win \
         no position\n",
        "--rules standard+must` shows best play from the start\n",
    ] {
        assert!(ran.text().contains(part), "{part:?} is not in {}", ran.out);
    }
    assert_eq!(ran.err, "");
    assert!(!ran.out.contains("--all-rules"), "{}", ran.out);
}

#[test]
fn a_study_of_the_default_names_the_command_for_all_rule_sets() {
    let dir = TempDir::new().expect("there is a temporary directory");
    let tables = dir.path().to_str().expect("a plain name");
    let solve = ["solve", TRIANGLE, "--metric", "dtw", "--tables", tables];
    assert!(anser(solve).output().expect("anser runs").status.success());
    let ran = study(&format!("TRIANGLE --tables {tables}"));
    let text = ran.text();
    assert!(text.contains(" shows best play from the start\n`anser study "), "{text}");
    assert!(text.ends_with(" --all-rules` compares this rule set with 3 more\n"), "{text}");
    // Without tables all are compared.
    let ran = study("TRIANGLE");
    assert_eq!(ran.text(), study("TRIANGLE --all-rules").out);
    assert!(ran.out.ends_with(" --rules standard` reports one rule set in full\n"), "{}", ran.out);
    // A game of one rule set.
    let ran = study("hexapawn:3x3");
    assert!(ran.text().ends_with(" shows best play from the start\n"), "{}", ran.out);
}

#[test]
fn figures_are_those_of_other_commands() {
    for (game, rules) in [("hexapawn:3x3", "standard"), ("hare-hounds", "unlimited")] {
        let of = |command: &'static str| ask(&[command, game, "--rules", rules]);
        let (answer, census, probe) = (of("study"), of("census"), of("probe"));
        for part in ["all", "reachable"] {
            let mut positions = 0;
            for (side, found) in answer[part]["to_move"].as_object().expect("sides") {
                let counted = &census[part]["to_move"][side];
                assert_eq!(found["outcomes"], counted["outcomes"], "{game} {part} {side}");
                let outcomes = found["outcomes"].as_object().expect("outcomes");
                positions += outcomes.values().filter_map(Value::as_u64).sum::<u64>();
                let over = counted["ends"].as_object().expect("ends").values();
                let over = over.flat_map(|end| end.as_object().expect("outcomes").values());
                assert_eq!(found["over"], over.filter_map(Value::as_u64).sum::<u64>());
            }
            assert_eq!(answer[part]["positions"], positions, "{game}");
        }
        let start = &answer["openings"][0];
        assert_eq!((&start["name"], &start["position"]), (&"start".into(), &probe["position"]));
        for key in ["to_move", "outcome", "dtw"] {
            assert_eq!(start[key], probe[key], "{game} {key}");
        }
        let moves = probe["moves"].as_array().expect("moves");
        let keeping = moves.iter().filter(|mv| mv["outcome"] == probe["outcome"]).count();
        assert_eq!(start["legal_moves"], moves.len());
        assert_eq!(start["keeping_moves"], keeping);
        let hardest = ask(&["hardest", game, "--rules", rules, "--all"]);
        for longest in hardest["longest"].as_array().expect("sides") {
            let winner = longest["outcome"].as_str().expect("a side");
            let found = &answer["all"]["longest"][winner];
            assert_eq!(found["dtw"], longest["dtw"], "{game}");
            // The position has that value.
            let position = found["position"].as_str().expect("a position");
            let probed = ask(&["probe", game, "--rules", rules, position]);
            assert_eq!((&probed["outcome"], &probed["dtw"]), (&winner.into(), &found["dtw"]));
        }
    }
}

#[test]
fn rule_sets_are_compared_in_a_table_in_every_form() {
    let csv = study("TRIANGLE --all-rules --fuzz 0.2 --format csv");
    let table = rows(csv.text());
    let ids: Vec<&str> = table.iter().map(|row| &row["rules"][..]).collect();
    assert_eq!(ids, RULES);
    let json = study("TRIANGLE --all-rules --fuzz 0.2 --json").json();
    assert_eq!(keys(&json), ["schema", "sets"]);
    for (row, answer) in table.iter().zip(json["sets"].as_array().expect("a list")) {
        assert_eq!(row["rules"], answer["rules"]);
        let number = |id: &str| row[id].parse::<f64>().expect("a number");
        assert_eq!(row["positions"], answer["all"]["positions"].to_string());
        assert_eq!(row["reachable"], answer["reachable"]["positions"].to_string());
        assert_eq!((&row["outcome"][..], &row["dtw"][..]), ("draw", ""));
        let shares = ["won_few", "drawn", "won_many"].map(number);
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-5, "{shares:?}");
        let chances = &answer["chances"];
        let random = &chances["table"][0];
        assert_eq!(random["errors"], serde_json::json!({ "tiger": 1.0, "goats": 1.0 }));
        for (id, chance) in [
            ("random_few", &random["won"]["tiger"]),
            ("random_many", &random["won"]["goats"]),
            ("random_undecided", &random["undecided"]),
            ("fuzz_0.2_few_won_few", &chances["table"][1]["won"]["tiger"]),
            ("fuzz_0.2_many_won_few", &chances["table"][2]["won"]["tiger"]),
            ("fuzz_0.2_both_won_many", &chances["table"][3]["won"]["goats"]),
        ] {
            let chance = chance.as_f64().expect("a chance");
            assert!((number(id) - chance).abs() < 1e-6, "{id}: {} {chance}", row[id]);
        }
        assert_eq!(chances["table"].as_array().map(Vec::len), Some(4));
        assert_eq!(chances["even"].as_array().map(Vec::len), Some(3));
    }
    let text = study("TRIANGLE --all-rules");
    assert!(text.text().starts_with("triangle: all positions\n\nrules "), "{}", text.out);
    for rules in RULES {
        assert!(text.out.lines().any(|line| line.starts_with(&format!("{rules} "))), "{rules}");
    }
    let idle = "no game ends by \"blocked\" (blocked few), a win for the goats: under \
                standard+must, forward+must\n";
    assert!(text.out.contains(idle), "{}", text.out);
    let fairest = "the fairest of these rule sets\n\n  best play draws under every rule set\n  \
                   shares of positions are most even under standard, standard+must\n  random play \
                   is most even under forward: the tiger wins 0.901, the goats win 0.000\n";
    assert!(text.out.contains(fairest), "{}", text.out);
    let markdown = study("TRIANGLE --all-rules --format markdown");
    let lines: Vec<&str> = markdown.text().lines().collect();
    assert_eq!(lines.len(), 2 + RULES.len());
    assert!(lines[1].starts_with("| --- | ---: |"), "{}", lines[1]);
    assert!(
        lines[2].starts_with("| standard | 4,200 | 4,100 | draw | - | 5 | 5 | "),
        "{}",
        lines[2]
    );
}

#[test]
fn the_fairest_rule_sets_are_named_with_those_that_are_alike() {
    let ran = study("hare-hounds --rules budget-60,budget-30");
    let best = "best play draws under none; the longest win takes 23 plies, under every rule set\n";
    assert!(ran.text().contains(best), "{}", ran.out);
    // Play that does not end is won for the hare under one of them, and under the other one the
    // hare wins nothing.
    let ran = study("thy --rules standard,hare-wins");
    let random =
        "random play is most even under hare-wins: the hare wins 0.977, the hounds win 0.023";
    assert!(ran.text().contains(random), "{}", ran.out);
    let ran = study("gioco-dell-orso");
    assert!(!ran.text().contains("shares of positions"), "the bear wins nothing: {}", ran.out);
    assert!(ran.out.contains("the longest win takes 24 plies, under text, text+bear-wins\n"));
}

#[test]
fn the_table_is_sorted_by_any_column() {
    let header = study("TRIANGLE --format csv --fuzz 0.1");
    let ids = header.text().lines().next().expect("a header").split(',').collect::<Vec<_>>();
    assert!(ids.len() > 25, "{ids:?}");
    for (number, id) in ids.into_iter().enumerate() {
        // Every third column is sorted in descending order as well.
        for (order, is_reversed) in
            &[("", false), (" --descending", true)][..=usize::from(number % 3 == 0)]
        {
            let ran =
                study(&format!("TRIANGLE --all-rules --fuzz 0.1 --format csv --sort {id}{order}"));
            let mut values: Vec<String> = rows(ran.text())
                .into_iter()
                .map(|mut row| row.remove(id).expect("it is there"))
                .collect();
            assert_eq!(values.len(), RULES.len());
            // Those without a value come last.
            let known = values.iter().position(String::is_empty).unwrap_or(values.len());
            assert!(values[known..].iter().all(String::is_empty), "{id}: {values:?}");
            values.truncate(known);
            if *is_reversed {
                values.reverse();
            }
            let numbers: Result<Vec<f64>, _> = values.iter().map(|value| value.parse()).collect();
            match numbers {
                Ok(numbers) => assert!(numbers.is_sorted(), "{id}{order}: {numbers:?}"),
                Err(_) => assert!(values.is_sorted(), "{id}{order}: {values:?}"),
            }
        }
    }
}

#[test]
fn reachable_positions_alone_are_studied() {
    let answer = study("TRIANGLE --rules standard --reachable --json").json();
    assert!(answer["all"].is_null(), "{answer}");
    let both = study("TRIANGLE --rules standard --json").json();
    assert_eq!(answer["reachable"], both["reachable"]);
    assert_eq!(answer["chances"], both["chances"]);
    let text = study("TRIANGLE --rules standard,forward --reachable");
    assert!(text.text().starts_with("triangle: positions that play can reach\n"), "{}", text.out);
}

#[test]
fn tables_have_the_same_answer_as_memory() {
    let dir = TempDir::new().expect("there is a temporary directory");
    let solve = anser(["solve", TRIANGLE, "--metric", "wdl,dtw", "--tables"])
        .arg(dir.path())
        .output()
        .expect("anser runs");
    assert!(solve.status.success());
    let tables = dir.path().to_str().expect("a plain name");
    let words = "TRIANGLE --rules standard --fuzz 0.1 --json";
    assert_eq!(study(&format!("{words} --tables {tables}")).json(), study(words).json());
    // The tables are those of one rule set.
    let missing = study(&format!("TRIANGLE --rules forward --tables {tables}"));
    missing.fails_in_a_line(1, &["rules forward", "anser solve"]);
}

#[test]
fn a_game_that_is_not_small_is_solved_into_tables_that_are_removed() {
    let temporary = TempDir::new().expect("a temporary directory");
    let words = ["study", "hat-diviyan", "--rules", "large", "--json"];
    let mut command = anser(words);
    let ran = Ran::new(&command.env("TMPDIR", temporary.path()).output().expect("anser runs"));
    let solving = "of hat-diviyan (rules large) with distances into a temporary directory";
    assert!(ran.err.contains(solving), "{}", ran.err);
    let answer = ran.json();
    assert_eq!(answer["reachable"]["positions"], 812_234);
    let left = std::fs::read_dir(temporary.path()).expect("it is still there");
    assert_eq!(left.count(), 0);
    // Without a place for them it is solved in memory, with the same answer.
    let mut command = anser(words);
    let ran = Ran::new(&command.env("TMPDIR", "/nowhere").output().expect("anser runs"));
    assert_eq!((ran.err.as_str(), ran.json()), ("", answer));
}

#[test]
fn a_plot_compares_rule_sets() {
    let dir = TempDir::new().expect("there is a temporary directory");
    let path = dir.path().join("chances.svg");
    let svg = path.to_str().expect("a plain name");
    let ran = study(&format!("TRIANGLE --all-rules --fuzz 0.3 --svg {svg}"));
    assert_eq!((ran.text(), ran.err.contains("wrote the plot")), ("", true));
    let drawn = std::fs::read_to_string(&path).expect("the plot was written");
    assert!(drawn.contains("if both sides err with probability 0.3"), "{drawn}");
    for rules in RULES {
        assert!(drawn.contains(&format!(">{rules}</text>")), "{drawn}");
    }
    let plot = study("TRIANGLE --all-rules --plot");
    assert!(plot.text().contains("both sides play at random"), "{}", plot.out);
    assert!(
        plot.out.lines().any(|line| line.trim_start().starts_with("forward+must | ")),
        "{}",
        plot.out
    );
}

#[test]
fn errors_say_what_is_wrong_and_what_to_do() {
    study("TRIANGLE --sort share").fails_in_a_line(
        2,
        &["there is no column \"share\"", "the columns are rules, positions, reachable, outcome"],
    );
    study("TRIANGLE --rules standard,none").fails_in_a_line(2, &["standard, forward"]);
    study("TRIANGLE --fuzz 1.5").fails(2, &["a number from 0 to 1"]);
    study("TRIANGLE --rules standard --all-rules").fails(2, &["cannot be used with"]);
    study("TRIANGLE --descending").fails(2, &["--sort"]);
    let both = study("TRIANGLE --json --format csv");
    assert_eq!((both.code, both.err.contains("cannot be used with")), (2, true), "{}", both.err);
    // Too many positions to solve them on the spot.
    study("fox-geese").fails_in_a_line(
        2,
        &[
            "play from the start can reach up to ",
            " positions of fox-geese, symmetric ones counted once",
            "`anser solve fox-geese --rules free --metric wdl,dtw` makes tables",
        ],
    );
    // Layers that do not depend on each other.
    study("fox-geese --rules first-capture").fails_in_a_line(2, &["positions of fox-geese"]);
    study("TRIANGLE --rules standard --memory 1KiB")
        .fails_in_a_line(2, &["memory", "raise --memory"]);
}

#[test]
fn a_rule_set_that_fails_does_not_stop_the_others() {
    let words = "hare-hounds --rules unlimited,budget-60 --memory 150KiB";
    let ran = study(&format!("{words} --json"));
    assert_eq!(ran.code, 2, "{}", ran.err);
    let answer: Value = serde_json::from_str(&ran.out).expect("the answer is JSON");
    let sets = answer["sets"].as_array().expect("a list");
    assert_eq!(sets.len(), 2);
    assert_eq!((&sets[0]["rules"], &sets[0]["error"]), (&"unlimited".into(), &Value::Null));
    assert_eq!(sets[1]["rules"], "budget-60");
    assert!(sets[1]["error"]["message"].as_str().is_some_and(|text| text.contains("memory")));
    let ran = study(words);
    ran.fails(2, &["rules budget-60: ", "raise --memory"]);
    assert!(ran.out.contains("\nunlimited ") && !ran.out.contains("fairest"), "{}", ran.out);
}
