//! Playing: a person at the prompt is a pipe here.

use crate::support::{CAPTURE, DRAWN, Ran, anser, keys, tables};
use serde_json::Value;

/// Plays with these words on the command line, and these lines at the prompt.
fn play(words: &str, lines: &str) -> Ran {
    let mut command = anser(["play"]);
    let dir = tempfile::TempDir::new().expect("there is a temporary directory");
    // Away from tables that lie about.
    command.args(words.split(' ').filter(|word| !word.is_empty())).current_dir(dir.path());
    Ran::new(&command.write_stdin(lines).output().expect("anser runs"))
}

/// The moves of a record as written.
fn moves(record: &Value) -> Vec<&str> {
    record["moves"].as_array().expect("a list").iter().map(|mv| mv["move"].as_str().expect("a move")).collect()
}

#[test]
fn the_winning_side_wins_by_the_hints() {
    for (game, side, plies) in [
        ("fox-hounds:4", "hounds", 8),
        ("fox-hounds:6", "fox", 21),
        ("hasenspiel", "pawns", 44),
        ("hare-hounds", "hounds", 23),
        ("hexapawn:3x3", "black", 6),
        ("hexapawn:4x4", "white", 0),
    ] {
        // The best moves are asked for at every turn, and the first of them is played.
        let mut lines = String::new();
        let record = loop {
            let ran = play(&format!("{game} --as {side} --seed 3 --json"), &format!("{lines}hint\n"));
            let record = ran.json();
            if record["result"]["by"] == "end" {
                break record;
            }
            let hint = ran.err.lines().rfind(|line| line.contains("best: ")).expect("a hint");
            let best = hint.split("best: ").nth(1).and_then(|rest| rest.split([',', ' ']).next()).expect("a move");
            lines.push_str(best);
            lines.push('\n');
        };
        assert_eq!(record["result"]["winner"], side, "{game}");
        assert_eq!(record["outcome"], side, "{game}");
        // The person hurries, and nobody plays longer than the loser can hold out.
        let longest = record["dtw"].as_u64().expect("a distance");
        assert!(plies == 0 || longest == plies, "{game}");
        assert!(record["plies"].as_u64().expect("a number") <= longest, "{game}");
        let gave_away = record["moves"].as_array().expect("a list").iter().any(|mv| mv["gave_away"] == true);
        assert!(!gave_away, "{game}");
    }
}

#[test]
fn the_computer_punishes_a_move_that_gives_the_win_away() {
    // White opens in the middle and holds out longest by it; Black wins by capturing, and not by stepping past.
    let ran = play("hexapawn:3x3 --as black --seed 1 --json", "eval\na3-a2\n");
    let record = ran.json();
    assert!(ran.err.contains("black to move: won for black in 5 plies"), "{}", ran.err);
    assert_eq!(moves(&record), ["b1-b2", "a3-a2", "b2xc3"]);
    assert_eq!(record["moves"][1]["gave_away"], true);
    assert_eq!(record["result"], serde_json::json!({ "winner": "white", "by": "end" }));

    // The way to the opposite position of Fox-and-Hounds: "Hounds opening tip: don't play this as your first move!"
    let ran = play("fox-hounds:8 4/1F2/4/4/4/4/4/hhhh_h --as hounds --seed 1", "f1-g2\nquit\n");
    assert!(ran.text().contains("1. f1-g2? "), "{}", ran.out);
    assert!(
        ran.out.contains("given away by 1. f1-g2?: won for the hounds before, won for the fox after"),
        "{}",
        ran.out
    );
}

#[test]
fn lost_players_do_what_the_documents_say() {
    // The hounds hold out to the last ply.
    let opposite = "4/1F2/4/4/4/4/3h/hh1h_f";
    let record = play(&format!("fox-hounds:8 {opposite} --as none --style hard --seed 4 --json"), "").json();
    assert_eq!((record["result"]["winner"].as_str(), record["plies"].as_u64()), (Some("fox"), Some(29)));
    // In the style of the document the fox makes the same win last longer, and still wins.
    let record = play(&format!("fox-hounds:8 {opposite} --as none --style document --seed 4 --json"), "").json();
    assert_eq!(record["result"]["winner"], "fox");
    assert!(record["plies"].as_u64() > Some(29));
    // Hasenspiel is won for black, whose document says nothing against a quick win.
    let record = play("hasenspiel --as none --style quick --seed 1 --json", "").json();
    assert_eq!((record["result"]["winner"].as_str(), record["plies"].as_u64()), (Some("pawns"), Some(44)));
    let record = play("hasenspiel --as none --style document --seed 1 --json", "").json();
    assert_eq!(record["result"]["winner"], "pawns");
}

#[test]
fn a_demonstration_takes_as_long_as_the_value_says() {
    for (game, plies, winner) in [
        ("fox-hounds:8", 44, "hounds"),
        ("fox-hounds:6", 21, "fox"),
        ("hare-hounds", 23, "hounds"),
        ("hexapawn", 6, "black"),
    ] {
        let record = play(&format!("{game} --as none --style quick --seed 5 --json"), "").json();
        assert_eq!(record["plies"], plies, "{game}");
        assert_eq!(record["result"]["winner"], winner, "{game}");
        let counted = record["moves"].as_array().expect("a list").iter().rev().map(|mv| mv["dtw"].as_u64());
        assert!(counted.eq((0..plies).map(Some)), "each move is worth one ply less: {game}");
    }
}

#[test]
fn fuzz_is_the_same_again_with_the_same_seed() {
    let game = |seed: u32, more: &str| play(&format!("fox-hounds:6 --as none --seed {seed} --json {more}"), "").json();
    let fuzzy = "--fuzz 0.5";
    assert_eq!(game(7, fuzzy), game(7, fuzzy));
    let others: Vec<Value> = (0..6).map(|seed| game(seed, fuzzy)["moves"].clone()).collect();
    assert!(others.iter().any(|other| *other != others[0]), "seeds differ");
    assert_eq!(game(7, fuzzy)["style"], "document");
    assert_eq!(game(7, "")["style"], "hard");
    // Whoever errs half of the time gives something away now and then, and without fuzz nobody does.
    let gives = |record: &Value| record["moves"].as_array().expect("a list").iter().any(|mv| mv["gave_away"] == true);
    assert!((0..6).any(|seed| gives(&game(seed, "--fuzz 1 --fuzz-as literal"))));
    assert!(!(0..6).any(|seed| gives(&game(seed, "--style document"))));
}

#[test]
fn moves_may_be_short_and_wrong_ones_say_why() {
    let ran = play("fox-hounds:4 --as fox --seed 1", "C\nc\nd3\n");
    assert!(ran.text().contains("that could be c4-b3, c4-d3"), "{}", ran.out);
    assert!(ran.out.contains("c4-d3"), "{}", ran.out);

    for (line, says) in [
        ("c4-c3", "from c4 there is c4-b3, c4-d3"),
        ("c4-z9", "not a column"),
        ("a1-b2", "nothing of yours can move from a1; there is c4-b3, c4-d3"),
        ("castle", "there is c4-b3, c4-d3"),
        ("\u{1b}[31m", "there is c4-b3, c4-d3"),
    ] {
        let ran = play("fox-hounds:4 --as fox", &format!("{line}\n"));
        assert!(ran.text().contains(says), "{line:?}: {}", ran.out);
        assert!(!ran.out.contains('\u{1b}'), "what was typed does not reach the terminal");
        assert!(ran.out.contains("left after 0 plies"), "{}", ran.out);
    }
}

#[test]
fn a_move_can_be_taken_back_and_a_game_begun_again() {
    let record = play("hare-hounds --seed 2 --json", "1-6\nundo\n1-2\nundo\nundo\n4-5\n").json();
    assert_eq!(moves(&record)[0], "4-5");
    assert_eq!(record["plies"], 2);
    let ran = play("hare-hounds --seed 2", "undo\n1-6\nnew\nboard\nrecord\n");
    assert!(ran.text().contains("there is no move of yours to take back"));
    assert!(ran.out.contains("not over after 0 plies"), "{}", ran.out);
    assert_eq!(ran.out.matches("left after").count(), 2, "the game that was left has a record too");
}

#[test]
fn resigning_loses_and_leaving_does_not() {
    for (lines, by, winner) in
        [("resign\n", "resignation", "hounds".into()), ("QUIT\n", "left", Value::Null), ("", "left", Value::Null)]
    {
        let record = play("fox-hounds:4 --as fox --json", lines).json();
        assert_eq!(record["result"]["by"], by);
        assert_eq!(record["result"]["winner"], winner);
    }
    assert!(play("fox-hounds:4 --as fox", "resign").text().contains("won for the hounds by resignation after 0 plies"));
}

#[test]
fn the_record_has_what_it_promises() {
    let record = play("hexapawn --as white --seed 9 --json", "b2\n").json();
    let all = [
        "game", "rules", "sides", "style", "fuzz", "fuzz_as", "seed", "start", "to_move", "outcome", "dtw", "moves",
        "plies", "result",
    ];
    let mut expected = all.to_vec();
    expected.sort_unstable();
    let mut found = keys(&record);
    found.sort_unstable();
    assert_eq!(found, expected);
    assert_eq!(record["sides"], serde_json::json!({ "white": "person", "black": "computer" }));
    assert_eq!(record["start"], "ppp/3/PPP w");
    let first = &record["moves"][0];
    assert_eq!((first["ply"].as_u64(), first["side"].as_str()), (Some(1), Some("white")));
    assert_eq!(first["position"], "ppp/1P1/P1P b");
    assert_eq!((first["outcome"].as_str(), first["dtw"].as_u64()), (Some("black"), Some(5)));

    // As text, moves stand in pairs, and what gave the outcome away has a mark.
    let text = play("hexapawn --as black --seed 1", "record\n").out;
    assert!(
        text.contains(
            "hexapawn:3x3, rules standard\nppp/3/PPP w\nwhite: computer, black: person (style hard, seed 1)\n"
        )
    );
    assert!(text.contains("\n1. "), "{text}");
}

#[test]
fn geese_are_played_from_tables_and_without() {
    let dir = tables().display();
    // From tables, which know no distances here.
    let ran = play(&format!("fox-geese {CAPTURE} --tables {dir} --seed 1 --json"), "hint\n");
    assert_eq!(ran.json()["outcome"], "draw", "{}", ran.err);
    assert!(ran.err.contains("best: "), "{}", ran.err);
    // A game that is over is not played.
    let record = play(&format!("fox-geese gFg/1g1/3g3/7/7/3/3 f --json --tables {dir}"), "").json();
    assert_eq!(record["result"], serde_json::json!({ "winner": "geese", "by": "end" }));
    // A drawn game ends when it goes round.
    let record = play(&format!("fox-geese {DRAWN} g --as none --seed 1 --json --tables {dir}"), "").json();
    assert_eq!(record["result"]["winner"], "draw", "{record}");
    assert_eq!(record["result"]["by"], "repetition");

    // Where there is no table, the command that makes it is told, and play goes on.
    let empty = tempfile::TempDir::new().expect("there is a temporary directory");
    let ran = play(&format!("fox-geese --as fox --seed 1 --tables {}", empty.path().display()), "d4-d5\neval\n");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("anser solve fox-geese --rules free --layers 1-13"), "{}", ran.err);
    assert_eq!(ran.err.lines().count(), 1, "it is told once: {}", ran.err);
    assert!(ran.out.contains("fox to move: not known"), "{}", ran.out);
    assert!(ran.out.contains("geese: "), "{}", ran.out);
}

#[test]
fn what_cannot_be_played_is_wrong_usage() {
    for (words, says) in [
        ("fox-hounds:4 --as cat", "no side is called \"cat\"; there is fox, hounds, and none"),
        ("hexapawn --as fox", "there is white, black, and none"),
        ("chess", "no game is called"),
        ("fox-hounds:4 --fuzz 2", "from 0, never, to 1"),
        ("fox-hounds:4 --fuzz NaN", "from 0, never, to 1"),
        ("fox-hounds:4 x", "this is not a position"),
        ("fox-hounds:4 --style nice", "possible values"),
    ] {
        let ran = play(words, "");
        assert_eq!(ran.code, 2, "{words}: {}", ran.err);
        assert!(ran.err.contains(says), "{words}: {}", ran.err);
        assert_eq!(ran.out, "", "{words}");
    }
}
