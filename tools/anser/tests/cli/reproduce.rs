//! Published figures are reproduced: exit status 0, and an answer with the verdicts and the reasons
//! for differences.

use std::path::Path;

use serde_json::Value;

use crate::support::{Ran, anser, keys, run, tables};

fn json(document: &str) -> Value {
    let ran = run(&format!("reproduce {document} --json"), tables());
    let answer = ran.json();
    let documents = answer["documents"].as_array().expect("a list of documents").clone();
    assert_eq!(documents.len(), 1);
    assert_eq!(documents[0]["document"], document);
    assert_eq!(documents[0]["fails"], 0);
    documents[0].clone()
}

/// Reproduces a document with the tables of a directory; the text contains all of these parts.
fn shows(document: &str, tables: &Path, parts: &[&str]) -> String {
    let ran = run(&format!("reproduce {document}"), tables);
    let words: Vec<&str> = ran.text().split_whitespace().collect();
    let words = words.join(" ");
    for part in parts {
        assert!(words.contains(part), "{part}: {}", ran.out);
    }
    ran.out
}

#[test]
fn the_answer_in_json_has_a_row_for_each_figure() {
    let answer = json("hexapawn");
    assert_eq!(
        keys(&answer),
        [
            "agrees",
            "author",
            "differs_as_known",
            "document",
            "fails",
            "kept",
            "learner",
            "not_computed",
            "not_judged",
            "not_printed",
            "rows",
            "title",
            "year"
        ]
    );
    assert_eq!(answer["year"], 2020);
    let who_wins = &answer["rows"].as_array().expect("rows")[1];
    assert_eq!(
        keys(who_wins),
        [
            "computed", "figure", "game", "kept", "known", "layer", "note", "p", "position",
            "printed", "reason", "rules", "source", "verdict"
        ]
    );
    assert_eq!(who_wins["verdict"], "agrees");
    assert_eq!(who_wins["computed"], serde_json::json!({"outcome": "black", "dtw": 6}));
    assert_eq!(answer["not_judged"][0]["figure"], "learner");
    // The run that the document prints, beside kept runs.
    let learner = &answer["learner"];
    assert_eq!((&learner["kept"], &learner["figures"][0]["printed"]), (&true.into(), &14.into()));
    assert!(learner["seeds"].as_array().map_or(0, Vec::len) >= 20);
    #[cfg(feature = "learn")]
    {
        let again = run("reproduce hexapawn --run 1 --json", tables()).json();
        let again = &again["documents"][0]["learner"];
        assert_eq!((&again["kept"], &again["seeds"]), (&false.into(), &serde_json::json!([1])));
        assert_eq!(again["figures"].as_array().map(Vec::len), Some(10));
    }
    #[cfg(not(feature = "learn"))]
    run("reproduce hexapawn --run 2", tables()).fails(2, &["--run", "--features learn"]);
    let parts = [
        "28 possible moves",
        "24 matchboxes",
        "up to mirror 19",
        "five or six moves at most",
        "plies 7",
    ];
    shows("hexapawn", tables(), &parts);
}

#[test]
fn hare_and_hounds_agrees_altogether() {
    let answer = json("hare-hounds");
    assert_eq!((&answer["differs_as_known"], &answer["not_computed"]), (&0.into(), &0.into()));
    assert!(answer["learner"].is_null());
    let text = shows("hare-hounds", tables(), &["HOUND wins in 23 moves"]);
    assert!(text.starts_with("A study of Hare and Hounds\n"), "{text}");
}

#[test]
fn hasenspiel_differs_where_the_program_miscounted() {
    let parts = [
        "Manuel Capel, 2025",
        "776,283",
        "54.59 %, truly 3.44 %",
        "differs as known [",
        "895,280",
        "60,614,406",
        "26 bits in total",
        "0.148 seconds",
        "hasenspiel: 8 agree, 4 differ as known",
    ];
    shows("hasenspiel", tables(), &parts);
}

#[test]
fn fox_and_hounds_agrees_and_leaves_the_large_board_out() {
    let parts = [
        "709,868",
        "0.006935",
        "0.326, 0.150",
        "255,168",
        "4 are omitted: --large",
        "king-rook:8",
        "175,168",
        "223,944",
        "90%",
        "22,244",
        "at most 16 moves",
        "41Gb",
    ];
    shows("fox-hounds", tables(), &parts);
}

#[test]
fn fox_and_geese_takes_tables_and_makes_the_first_ones() {
    let answer = json("fox-geese");
    let won = |rules: &str, geese: u64| {
        let rows = answer["rows"].as_array().expect("rows");
        let is_one =
            |row: &&Value| row["figure"] == "won" && row["rules"] == rules && row["layer"] == geese;
        rows.iter().find(is_one).expect("there is such a row").clone()
    };
    for rules in ["free", "first-capture"] {
        assert_eq!(won(rules, 6)["computed"], 21_380);
        assert_eq!(won(rules, 6)["verdict"], "agrees");
        assert_eq!(won(rules, 7)["verdict"], "kept, differs as known");
        assert_eq!(won(rules, 7)["computed"], Value::Null);
        assert_eq!(won(rules, 31)["kept"], if rules == "free" { 2_112 } else { 2_008 });
    }
    assert_eq!((&answer["not_computed"], &answer["kept"]), (&0.into(), &52.into()));
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/anser-games/tables");
    let parts = [
        "920,980",
        "918,236",
        "differs as known [",
        "`anser solve fox-geese` makes them",
        "59,808,675",
        "kept: 6,761,996",
        "about 9.2 GB",
        "about 34 GB",
        "35,433,480,175 B",
    ];
    shows("fox-geese", shipped.as_ref(), &parts);
}

#[test]
fn unknown_documents_are_refused() {
    let ran = Ran::new(&anser(["reproduce", "chess"]).output().unwrap());
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("hare-hounds"), "{}", ran.err);
}
