//! Answers as text and as JSON.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{
    CAPTURE, DRAWN, OPENING, Ran, anser, copies, edit, keys, probe, run, table, tables,
};

#[test]
fn four_geese_trap_the_fox_on_the_edge_of_an_arm() {
    // The game is over, so no table is needed.
    let empty = TempDir::new().unwrap();
    let ran = probe("gFg/1g1/3g3/7/7/3/3 f", empty.path(), &[]);
    assert!(ran.text().contains("the game is over: won for the geese"), "{}", ran.out);
    assert!(ran.out.contains("7      g F g\n"), "the board is drawn: {}", ran.out);
    let answer = probe("gFg/1g1/3g3/7/7/3/3 f", empty.path(), &["--json"]).json();
    assert_eq!((&answer["outcome"], &answer["dtw"]), (&json!("geese"), &json!(0)));
    assert_eq!((&answer["ending"], &answer["moves"]), (&json!("blocked"), &json!([])));
}

#[test]
fn a_probe_in_json_has_the_documented_form() {
    let ran = probe("gFg/1g1/7/3g3/7/3/3 g", tables(), &["--json"]);
    assert_eq!(
        ran.out.split_once(",\"moves\"").unwrap().0,
        r#"{"schema":1,"game":"fox-geese","rules":"free","position":"gFg/1g1/7/3g3/7/3/3 g","to_move":"geese","outcome":"geese","dtw":null,"ending":null"#
    );
    let answer = ran.json();
    let moves = answer["moves"].as_array().unwrap();
    // The move ends the game, so its distance is known without a table of distances.
    let position = "gFg/1g1/3g3/7/7/3/3 f";
    assert_eq!(
        moves[0],
        json!({
            "move": "d4-d5",
            "outcome": "geese",
            "dtw": 0,
            "position": position,
            "ending": "blocked"
        })
    );
    assert_eq!(moves.last().unwrap()["dtw"], json!(null));
    let score = |mv: &Value| {
        ["geese", "draw", "fox"].iter().position(|name| mv["outcome"] == **name).unwrap()
    };
    assert!(moves.iter().map(score).is_sorted(), "best first: {moves:?}");
}

#[test]
fn a_position_may_be_one_word_or_two() {
    let answers: Vec<String> = [
        &["probe", "3/3/7/3F3/3gg2/1g1/1g1 g"][..],
        &["probe", "3/3/7/3F3/3gg2/1g1/1g1", "g"],
        &["probe", "3/3/7/3F3/3gg2/1g1/1g1_g"],
    ]
    .iter()
    .map(|words| {
        let output = anser(words.iter()).arg("--tables").arg(tables()).output().unwrap();
        Ran::new(&output).text().to_owned()
    })
    .collect();
    assert!(answers[0].contains("geese to move: drawn"), "{}", answers[0]);
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0], answers[2]);
}

#[test]
fn moves_into_a_missing_layer_have_no_outcome_and_the_layer_is_named() {
    let dir = copies(&[3, 5]);
    let ran = probe(CAPTURE, dir.path(), &["--json"]);
    let answer = ran.json();
    let capture = answer["moves"].as_array().unwrap().last().unwrap();
    assert_eq!(
        *capture,
        json!({
            "move": "d4xd2",
            "outcome": null,
            "dtw": null,
            "position": "ggg/g2/7/7/7/1F1/3 g",
            "ending": null
        })
    );
    assert!(ran.err.contains("layer 4") && ran.err.contains("--layers 4"), "{}", ran.err);
    let ran = probe(CAPTURE, dir.path(), &[]);
    assert!(ran.text().contains("unknown"), "{}", ran.out);
    assert!(!probe(CAPTURE, tables(), &[]).text().contains("unknown"));
}

#[test]
fn each_rule_set_has_its_own_tables() {
    let answer = probe(CAPTURE, tables(), &["--json", "--rules", "first-capture"]).json();
    assert_eq!((&answer["rules"], &answer["outcome"]), (&json!("first-capture"), &json!("fox")));
    // The capture ends the game.
    let position = "ggg/g2/7/7/7/1F1/3 g";
    assert_eq!(
        answer["moves"][0],
        json!({
            "move": "d4xd2",
            "outcome": "fox",
            "dtw": 0,
            "position": position,
            "ending": "first capture"
        })
    );
    let other = format!("{DRAWN} f");
    probe(&other, tables(), &["--rules", "forward"])
        .fails_in_a_line(1, &["rules forward", "layer 4"]);
}

#[test]
fn stats_count_all_positions_by_side_to_move_and_outcome() {
    let answer = run("stats --rules free --json", tables()).json();
    assert_eq!(keys(&answer), ["game", "layers", "rules", "schema"]);
    let layers = answer["layers"].as_array().unwrap();
    assert_eq!(layers.len(), 5);
    let won = |layer: &Value| {
        layer["to_move"]["fox"]["geese"].as_u64().unwrap()
            + layer["to_move"]["geese"]["geese"].as_u64().unwrap()
    };
    assert_eq!(layers.iter().map(won).collect::<Vec<_>>(), [0, 0, 0, 40, 1280]);
    let four = &layers[3];
    assert_eq!((&four["layer"], &four["positions"]), (&json!(4), &json!(2_373_360)));
    assert_eq!(
        keys(four),
        ["blake3", "bytes", "classes", "layer", "positions", "rounds", "seconds", "to_move"]
    );
    let sum: u64 = ["fox", "geese"]
        .iter()
        .flat_map(|side| four["to_move"][side].as_object().unwrap().values())
        .map(|count| count.as_u64().unwrap())
        .sum();
    assert_eq!(sum, 2_373_360);
    assert!(four["bytes"]["raw"].is_u64() && four["bytes"]["packed"].is_null());
    assert!(four["seconds"].is_f64() && four["rounds"].is_u64());
    assert_eq!(four["blake3"].as_str().unwrap().len(), 64);
}

#[test]
fn stats_show_the_printed_counts_beside_ours() {
    let ran = run("stats --rules free", tables());
    assert!(ran.text().contains("Edelkamp & Messerschmidt, KI 2010, Table 1"), "{}", ran.out);
    let five: Vec<&str> = ran
        .out
        .lines()
        .find(|line| line.trim().starts_with("5 "))
        .unwrap()
        .split_whitespace()
        .collect();
    assert_eq!((five[1], *five.last().unwrap()), ("13,290,816", "equal"));
    assert!(ran.err.contains("layers 6-31 have no table"), "{}", ran.err);
    let into = format!(" --tables {}` makes them", tables().display());
    assert!(ran.err.contains(&into), "{}", ran.err);
    let forward = TempDir::new().unwrap();
    run("solve --rules forward --layers 4", forward.path()).text();
    assert!(!run("stats --rules forward", forward.path()).text().contains("printed"));
}

#[test]
fn stats_do_not_ask_for_a_layer_with_a_damaged_table() {
    let dir = copies(&[4, 5]);
    edit(&dir.path().join(table("free", 4)), |bytes| bytes.truncate(100));
    let ran = run("stats --rules free", dir.path());
    ran.fails(3, &["free.L04.wdl.anser", "layers 1-3, 6-31 have no table"]);
}

#[test]
fn info_describes_a_table_and_lists_the_missing_layers_of_a_directory() {
    let file = tables().join("fox-geese.free.L04.wdl.anser");
    let ran = Ran::new(&anser(["info", "--json"]).arg(&file).output().unwrap());
    let answer = ran.json();
    assert_eq!(
        (&answer["kind"], &answer["layer"], &answer["complete"]),
        (&json!("raw"), &json!(4), &json!(true))
    );
    assert_eq!(answer["bytes"], fs::metadata(&file).unwrap().len());
    assert_eq!(answer["manifest"]["run"]["engine"].as_str().map(str::is_empty), Some(false));
    assert!(Ran::new(&anser(["info"]).arg(&file).output().unwrap()).text().contains("2,373,360"));

    let dir = copies(&[1, 2, 4]);
    fs::write(dir.path().join("fox-geese.free.L03.wdl.anser"), "no table").unwrap();
    fs::write(dir.path().join("fox-geese.free.L05.wdl.anser.part"), "half a table").unwrap();
    let ran = Ran::new(&anser(["info", "--json"]).arg(dir.path()).output().unwrap());
    assert_eq!(ran.code, 3, "{}", ran.err);
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    let set = &answer["sets"][0];
    let there: Vec<u64> =
        set["layers"].as_array().unwrap().iter().map(|l| l["layer"].as_u64().unwrap()).collect();
    assert_eq!(there, [1, 2, 4]);
    assert_eq!(set["missing"].as_array().unwrap()[..2], [json!(3), json!(5)]);
    assert!(
        set["command"]
            .as_str()
            .unwrap()
            .starts_with("anser solve fox-geese --rules free --layers 3-31")
    );
    assert!(answer["unusable"][0]["problem"].as_str().unwrap().contains("not a table"));
    assert_eq!(answer["unfinished"].as_array().unwrap().len(), 1);
}

#[test]
fn games_and_rules_explain_themselves() {
    let answer = Ran::new(&anser(["rules", "fox-geese", "--json"]).output().unwrap()).json();
    let rules = answer["rule_sets"].as_array().unwrap();
    assert_eq!(rules.len(), 18);
    assert_eq!((&rules[0]["rules"], &rules[0]["default"]), (&json!("free"), &json!(true)));
    let text = Ran::new(&anser(["rules"]).output().unwrap());
    for rules in rules {
        assert!(text.out.contains(rules["rules"].as_str().unwrap()));
    }
    let answer = Ran::new(&anser(["games", "--json"]).output().unwrap()).json();
    assert_eq!(
        (&answer["games"][0]["game"], &answer["games"][0]["last_layer"]),
        (&json!("fox-geese"), &json!(31))
    );
    assert!(Ran::new(&anser(["games"]).output().unwrap()).text().contains("Fox-and-Geese"));
}

#[test]
fn games_are_listed_explained_and_found() {
    let games = |words: &[&str]| Ran::new(&anser(["games"]).args(words).output().unwrap());
    let list = games(&[]).text().to_owned();
    let parts: Vec<&str> = list.split("Games that ").collect();
    let &["", small, rest] = &parts[..] else { panic!("{list}") };
    let (large, rest) = rest.split_once("\n\n").expect("a line without text");
    assert!(small.starts_with("are played without tables:\n"), "{small}");
    assert!(small.contains("\nhexapawn:3x3      1  ") && !small.contains("bagh-chal"), "{small}");
    assert!(large.contains("\nfox-geese  ") && large.contains("\nbagh-chal  "), "{large}");
    assert!(rest.starts_with("fox-hounds: write fox-hounds:N for N x N squares"), "{rest}");
    for opening in
        ["fox-geese         13        3/3/7/3F3/ggggggg/ggg/ggg f  ", "wolf-and-sheep    b8  "]
    {
        assert!(rest.contains(&format!("\n{opening}")), "{rest}");
    }
    assert!(small.contains("\nludus-coriovalli  137  ") && small.contains("\nkaooa  "), "{small}");
    assert!(large.contains("\nasalto  ") && !large.contains("kaooa"), "{large}");
    // Too large for the memory of a question, and solved into tables when play begins.
    for name in ["wolf-and-sheep", "cercar-la-liebre"] {
        assert!(small.contains(&format!("\n{name}  ")), "{small}");
    }
    let one = games(&["bagh-chal"]);
    for part in ["title   Bagh-Chal", "region  Nepal", "Averbakh 1995", "25 points, 8 symmetries"] {
        assert!(one.text().contains(part), "{part}");
    }
    let found = games(&["Denmark", "--json"]).json();
    let found = found["games"].as_array().unwrap();
    let names: Vec<&str> = found.iter().map(|game| game["game"].as_str().unwrap()).collect();
    assert_eq!(names, ["thy", "vendsyssel", "hyvn-aetter-hare"]);
    assert_eq!(found[0]["source"].as_str().map(|source| &source[..9]), Some("Michaelse"));
    let found = games(&["Gardner"]);
    assert!(found.text().contains("hexapawn:MxN") && !found.out.contains("Games that need"));
    // Other names of a game, and each name in the catalogue, find it.
    let catalogue = include_str!("../../../../data/games/catalogue.csv").lines().skip(1);
    let names = catalogue.map(|line| {
        let [name, game, ..] = line.split(',').collect::<Vec<_>>()[..] else { panic!("{line}") };
        (name.split(" (").next().unwrap(), game)
    });
    let names = names.filter(|(_, game)| !game.is_empty()).chain([
        ("sumi", "bagh-chal"),
        ("chochotl", "cercar-la-liebre"),
        ("manu", "fox-geese-placed"),
    ]);
    for (name, game) in names {
        assert!(games(&[name]).text().contains(game), "{name}");
    }
    // A rule set may have a start of its own.
    let six = games(&["kaooa", "--rules", "6"]);
    for part in ["rules   6, one of 44", "start   1/4/2/1/2 v 1 6 0", " Six crows."] {
        assert!(six.text().contains(part), "{part}: {}", six.out);
    }
    games(&["kaooa", "--rules", "none"]).fails(2, &["\"none\"", "the rule sets are"]);
    for words in [&["--rules", "6"][..], &["denmark", "--rules", "6"]] {
        games(words).fails_in_a_line(2, &["--rules needs the name of a game"]);
    }
    games(&["chess"]).fails_in_a_line(2, &["no game has \"chess\" in its name", "`anser games`"]);
    let rules = Ran::new(&anser(["rules", "kaooa"]).output().unwrap());
    assert!(rules.text().contains("6\n    As 7. Six crows.\n"), "{}", rules.out);
    let of = |words: &[&str]| Ran::new(&anser(["rules"]).args(words).output().unwrap());
    let one = of(&["kaooa", "--rules", "6"]);
    let sentence = "Six crows.";
    assert!(one.text().contains(sentence) && !one.out.contains("7 (default)"), "{}", one.out);
    let family = of(&["hare-hounds", "--rules", "budget-20", "--json"]).json();
    let count = |key: &str| family[key].as_array().map(Vec::len);
    assert_eq!(["rule_sets", "families"].map(count), [Some(0), Some(1)]);
    of(&["kaooa", "--rules", "10"]).fails_in_a_line(2, &["\"10\"", "anser rules kaooa"]);
}

#[test]
fn endless_play_is_a_win_without_a_distance_where_the_rules_give_it_to_a_side() {
    let ask = |words: &[&str]| Ran::new(&anser(words).output().unwrap());
    let answer = ask(&["probe", "thy", "--rules", "hare-wins", "--json"]).json();
    assert_eq!((&answer["outcome"], &answer["dtw"]), (&json!("hare"), &json!(null)));
    let words = ask(&["probe", "thy", "--rules", "hare-wins"]);
    assert!(
        words.text().contains("hare to move: won for the hare by endless play"),
        "{}",
        words.out
    );
    // The same positions are drawn under the other rules, and only these are counted otherwise.
    let counts = |rules: &str| {
        let census = ask(&["census", "thy", "--rules", rules, "--json"]).json();
        ["hare", "draw", "hounds"].map(|outcome| {
            let to_move = census["reachable"]["to_move"].as_object().unwrap().values();
            to_move.map(|side| side["outcomes"][outcome].as_u64().unwrap()).sum::<u64>()
        })
    };
    let ([_, drawn, lost], [won, none, same]) = (counts("standard"), counts("hare-wins"));
    assert_eq!((won, none, same), (drawn, 0, lost));
    assert!(drawn > 0 && lost > 0);
    let census = ask(&["census", "thy", "--rules", "hare-wins"]);
    assert!(!census.text().contains("draw"), "{}", census.out);
}

#[test]
fn tables_are_found_by_option_by_environment_and_in_the_default_directory() {
    let position = format!("{DRAWN} f");
    let (three, four) = (copies(&[3]), copies(&[4]));
    let both = std::env::join_paths([three.path(), four.path()]).unwrap();
    let mut command = anser(["probe", &position]);
    Ran::new(&command.env("ANSER_TABLES", &both).output().unwrap()).text();
    // The option replaces the environment.
    let ran = Ran::new(&command.arg("--tables").arg(three.path()).output().unwrap());
    ran.fails_in_a_line(1, &["layer 4", three.path().to_str().unwrap()]);
    // A directory may be given several times.
    Ran::new(&command.arg("--tables").arg(four.path()).output().unwrap()).text();
    // Without either, ./tables is searched.
    let work = TempDir::new().unwrap();
    fs::create_dir(work.path().join("tables")).unwrap();
    fs::copy(
        four.path().join("fox-geese.free.L04.wdl.anser"),
        work.path().join("tables/fox-geese.free.L04.wdl.anser"),
    )
    .unwrap();
    Ran::new(&anser(["probe", &position]).current_dir(work.path()).output().unwrap()).text();
    let ran = Ran::new(&anser(["probe", OPENING]).current_dir(work.path()).output().unwrap());
    ran.fails_in_a_line(
        1,
        &["layer 13", "in tables", "anser solve fox-geese --rules free --layers 1-13"],
    );
}

#[test]
fn sound_tables_verify() {
    let answer = run("verify --rules free --layers 1-4 --full --json", tables()).json();
    assert_eq!((&answer["sound"], &answer["full"]), (&json!(true), &json!(true)));
    let checked = answer["tables"].as_array().unwrap();
    assert_eq!(
        checked.iter().map(|table| table["layer"].as_u64().unwrap()).collect::<Vec<_>>(),
        [1, 2, 3, 4]
    );
    assert!(checked.iter().all(|table| table["problems"] == json!([])));
    assert!(checked.iter().all(|table| table["rounds"].is_null()));
    assert!(run("verify --rules free", tables()).text().contains("sound"));
}

#[test]
fn the_wins_of_sound_tables_are_well_founded() {
    let answer = run("verify --rules free --layers 1-5 --well-founded --json", tables()).json();
    let wanted = ["sound", "full", "founded"].map(|key| &answer[key]);
    assert_eq!(wanted, [&json!(true); 3]);
    let rounds: Vec<u64> = answer["tables"]
        .as_array()
        .unwrap()
        .iter()
        .map(|table| table["rounds"].as_u64().unwrap())
        .collect();
    assert_eq!(rounds, [0, 0, 0, 7, 1]);
    let text = run("verify --rules free --layers 4 --well-founded", tables()).text().to_owned();
    assert!(text.contains("every win well-founded in 7 rounds"), "{text}");
}

#[test]
fn a_position_is_given_in_as_many_words_as_it_has() {
    let of = |words: &[&str]| Ran::new(&anser(["probe", "kaooa"]).args(words).output().unwrap());
    let whole = of(&["1/4/2/1/2 v 1 7 0", "--json"]).json();
    assert_eq!(of(&["1/4/2/1/2", "v", "1", "7", "0", "--json"]).json(), whole);
    of(&["1/4/2/1/2", "v", "1", "7", "0", "0", "0"]).fails(2, &["unexpected"]);
}

#[test]
fn stats_of_a_small_game_without_tables_name_the_command_that_needs_none() {
    let ran = Ran::new(&anser(["stats", "haretavl", "--tables", "."]).output().unwrap());
    ran.fails_in_a_line(1, &["makes some (`anser census haretavl --rules standard` needs none)"]);
    // Packing takes tables.
    let ran = Ran::new(&anser(["verify", "haretavl", "--tables", "."]).output().unwrap());
    assert!(!ran.err.contains("census"), "{}", ran.err);
}
