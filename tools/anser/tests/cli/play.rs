//! `anser play`, with the input of the person from a pipe.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::support::{
    CAPTURE, DRAWN, Ran, anser, binary, distances, keys, run, send, tables, with_terminal,
};
use serde_json::{Value, json};

/// Plays with these words on the command line, and these lines at the prompt.
fn play(words: &str, lines: &str) -> Ran {
    let mut command = anser(["play"]);
    let dir = tempfile::TempDir::new().expect("there is a temporary directory");
    // The directory has no tables.
    command.args(words.split(' ').filter(|word| !word.is_empty())).current_dir(dir.path());
    Ran::new(&command.write_stdin(lines).output().expect("anser runs"))
}

/// Command in a directory without tables.
fn command(words: &str, dir: &std::path::Path) -> std::process::Command {
    let mut command = std::process::Command::new(binary());
    command
        .args(words.split(' '))
        .current_dir(dir)
        .env("ANSER_TABLES", "")
        .env("NO_COLOR", "1")
        .env("TERM", "xterm");
    command
}

/// Plays, asking for the best moves at every turn, and playing the first of them. Returns the
/// record.
fn play_hints(words: &str) -> Value {
    let dir = tempfile::TempDir::new().expect("there is a temporary directory");
    let mut play = command(&format!("play {words}"), dir.path());
    let play = play.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = play.spawn().expect("anser runs");
    let (mut to, from) =
        (child.stdin.take().expect("a pipe"), BufReader::new(child.stderr.take().expect("a pipe")));
    let mut lines = from.lines().map(|line| line.expect("text"));
    // After the last move there is no one to read the next line.
    while writeln!(to, "hint").is_ok()
        && let Some(hint) = lines.find(|line| line.contains("best: "))
    {
        let best = hint.split("best: ").nth(1).and_then(|rest| rest.split([',', ' ']).next());
        writeln!(to, "{}", best.expect("a move")).expect("anser reads");
    }
    let output = child.wait_with_output().expect("anser ends");
    assert!(output.status.success(), "{words}: {}", output.status);
    serde_json::from_slice(&output.stdout).expect("a record")
}

/// Moves of a record, in notation.
fn moves(record: &Value) -> Vec<&str> {
    record["line"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|mv| mv["move"].as_str().expect("a move"))
        .collect()
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
        let record = play_hints(&format!("{game} --as {side} --seed 3 --json"));
        assert_eq!(record["result"]["by"], "end", "{game}");
        assert_eq!(record["result"]["outcome"], side, "{game}");
        assert_eq!(record["outcome"], side, "{game}");
        // The person plays fastest wins, so the game is at most as long as the distance.
        let longest = record["dtw"].as_u64().expect("a distance");
        assert!(plies == 0 || longest == plies, "{game}");
        assert!(record["plies"].as_u64().expect("a number") <= longest, "{game}");
        let gave_away =
            record["line"].as_array().expect("a list").iter().any(|mv| mv["gave_away"] == true);
        assert!(!gave_away, "{game}");
    }
}

#[test]
fn the_computer_punishes_a_move_that_gives_the_win_away() {
    // White opens in the middle, which delays its loss longest. Black wins by capturing, not by
    // stepping past.
    let ran = play("hexapawn:3x3 --as black --seed 1 --json", "eval\na3-a2\n");
    let record = ran.json();
    assert!(ran.err.contains("black to move: won for black in 5 plies"), "{}", ran.err);
    assert_eq!(moves(&record), ["b1-b2", "a3-a2", "b2xc3"]);
    assert_eq!(record["line"][1]["gave_away"], true);
    assert_eq!(record["result"], json!({ "outcome": "white", "by": "end", "ending": "far row" }));

    // The line to the opposite position of Fox-and-Hounds: "Hounds opening tip: don't play this as
    // your first move!"
    let ran = play("fox-hounds:8 4/1F2/4/4/4/4/4/hhhh_h --as hounds --seed 1", "f1-g2\nquit\n");
    assert!(ran.text().contains("1. f1-g2? "), "{}", ran.out);
    assert!(
        ran.out
            .contains("given away by 1. f1-g2?: won for the hounds before, won for the fox after"),
        "{}",
        ran.out
    );
}

#[test]
fn a_review_has_wins_by_endless_play_where_the_rules_give_it_to_a_side() {
    let game = "thy --rules hare-wins --seed 1";
    let (hounds, hare) = ("4h/2/4h2/1h/2hR1_h --as hounds", "5/1h/3h1h1/2/3hR_r --as hare");
    for (start, mv, remark) in [
        (
            hounds,
            "e2-f1",
            Some("the hounds before, won for the hare by endless play after; better e3-f3"),
        ),
        (
            hare,
            "f1-g3",
            Some("the hare by endless play before, won for the hounds after; better f1-e2"),
        ),
        // It keeps the win.
        (hare, "f1-e2", None),
    ] {
        let ran = play(&format!("{game} {start}"), &format!("{mv}\nquit\n"));
        let given_away = ran.text().contains("given away");
        assert_eq!(given_away, remark.is_some(), "{mv}: {}", ran.out);
        let remark = remark.map(|remark| format!("given away by 1. {mv}?: won for {remark}"));
        assert!(remark.is_none_or(|remark| ran.out.contains(&remark)), "{mv}: {}", ran.out);
    }
}

#[test]
fn players_follow_the_documents() {
    // The hounds delay their loss to the last ply.
    let opposite = "4/1F2/4/4/4/4/3h/hh1h_f";
    let record =
        play(&format!("fox-hounds:8 {opposite} --as none --style hard --seed 4 --json"), "").json();
    assert_eq!(
        (record["result"]["outcome"].as_str(), record["plies"].as_u64()),
        (Some("fox"), Some(29))
    );
    // In the style of the document the fox wins later.
    let record =
        play(&format!("fox-hounds:8 {opposite} --as none --style document --seed 4 --json"), "")
            .json();
    assert_eq!(record["result"]["outcome"], "fox");
    assert!(record["plies"].as_u64() > Some(29));
    // Hasenspiel is won for black, and its document does not delay wins.
    let record = play("hasenspiel --as none --style quick --seed 1 --json", "").json();
    assert_eq!(
        (record["result"]["outcome"].as_str(), record["plies"].as_u64()),
        (Some("pawns"), Some(44))
    );
    let record = play("hasenspiel --as none --style document --seed 1 --json", "").json();
    assert_eq!(record["result"]["outcome"], "pawns");
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
        assert_eq!(record["result"]["outcome"], winner, "{game}");
        let counted =
            record["line"].as_array().expect("a list").iter().rev().map(|mv| mv["dtw"].as_u64());
        assert!(counted.eq((0..plies).map(Some)), "each move is worth one ply less: {game}");
    }
}

#[test]
fn fuzz_is_the_same_again_with_the_same_seed() {
    let game = |seed: u32, more: &str| {
        play(&format!("fox-hounds:6 --as none --seed {seed} --json {more}"), "").json()
    };
    let fuzzy = "--fuzz 0.5";
    assert_eq!(game(7, fuzzy), game(7, fuzzy));
    let others: Vec<Value> = (0..6).map(|seed| game(seed, fuzzy)["line"].clone()).collect();
    assert!(others.iter().any(|other| *other != others[0]), "seeds differ");
    assert_eq!(game(7, fuzzy)["style"], "document");
    assert_eq!(game(7, "")["style"], "hard");
    // Some random games give the outcome away, and no game without fuzz does.
    let gives = |record: &Value| {
        record["line"].as_array().expect("a list").iter().any(|mv| mv["gave_away"] == true)
    };
    assert!((0..6).any(|seed| gives(&game(seed, "--fuzz 1 --fuzz-as literal"))));
    assert!(!(0..6).any(|seed| gives(&game(seed, "--style document"))));
}

#[test]
fn one_side_alone_may_have_fuzz() {
    let words = "fox-hounds:6 --as none --fuzz-as literal";
    let records = (0..6)
        .map(|seed| play(&format!("{words} --fuzz hounds=1 --seed {seed} --json"), "").json());
    let gives = |record: &Value, side: &str| {
        let line = record["line"].as_array().expect("a list");
        line.iter().any(|mv| mv["gave_away"] == true && mv["side"] == side)
    };
    let records: Vec<Value> = records.collect();
    assert_eq!(records[0]["fuzz"], json!({ "fox": 0.0, "hounds": 1.0 }));
    // The side without fuzz keeps its style.
    assert_eq!(records[0]["style"], "fox=hard,hounds=document");
    assert!(!records.iter().any(|record| gives(record, "fox")));
    assert!(play(&format!("{words} --fuzz 0.5 --json"), "").json()["fuzz"] == 0.5);
    let ran = play(&format!("{words} --fuzz fox=0.5"), "");
    assert!(ran.text().contains("fuzz fox=0.5,hounds=0 literal"), "{}", ran.out);
    for (fuzz, says) in [
        ("geese=0.5", "no side is called \"geese\"; the sides are fox, hounds"),
        ("fox=0.5,fox=1", "--fuzz names fox twice"),
        ("fox=2", "a fuzz factor is a number from 0 to 1"),
        ("fox=0.5,1", "write SIDE=P, not \"1\""),
    ] {
        play(&format!("{words} --fuzz {fuzz}"), "").fails(2, &[says]);
    }
}

#[test]
fn levels_err_and_differ_by_side() {
    let words = "fox-hounds:6 --as none --style fox=quick,hounds=beginner --json --seed";
    let game = |seed: u32| play(&format!("{words} {seed}"), "").json();
    assert_eq!(game(3), game(3));
    let records: Vec<Value> = (0..6).map(game).collect();
    assert_eq!(records[0]["style"], "fox=quick,hounds=beginner");
    let errs = |side: &str| {
        let line = |record: &Value| record["line"].as_array().expect("a list").clone();
        let mut plies = records.iter().flat_map(line).filter(|mv| mv["side"] == side);
        plies.any(|mv| mv["lost_plies"].as_u64().is_some_and(|plies| plies > 0))
    };
    assert!(errs("hounds") && !errs("fox"));
    for wrong in ["--style casual --fuzz 0.1", "--style fox=casual --fuzz fox=0.1"] {
        play(&format!("fox-hounds:6 {wrong}"), "").fails(2, &["--fuzz is not for levels"]);
    }
    play("fox-hounds:6 --style nice", "").fails(2, &["beginner, casual, skilled, expert"]);
}

#[test]
fn a_search_gives_wins_away_though_values_are_known() {
    let won = |of_hounds: &str, seed: u32| {
        let style = format!("hare=quick,hounds={of_hounds}");
        let words = format!("--as none --style {style} --nodes 10000 --json --seed {seed}");
        let record = play(&format!("hare-hounds {words}"), "").json();
        assert_eq!(record["style"], style);
        record["result"]["outcome"] == "hounds"
    };
    assert!((0..4).all(|seed| won("hard", seed)));
    assert!(!(0..4).all(|seed| won("search-2", seed)));
    // The hounds win here too, and do not find out how.
    let words = "--as none --style hare=quick,hounds=search-2 --nodes 1000 --json --seed 1";
    let record = play(&format!("vendsyssel {words}"), "").json();
    assert_eq!(record["result"]["by"], "repetition", "{}", record["result"]);
}

#[test]
fn moves_may_be_abbreviated_and_wrong_ones_are_explained() {
    let ran = play("fox-hounds:4 --as fox --seed 1", "C\nc\nd3\n");
    assert!(ran.text().contains("\"c\" could be c4-b3, c4-d3"), "{}", ran.out);
    assert!(ran.out.contains("c4-d3"), "{}", ran.out);

    for (line, says) in [
        ("c4-c3", "legal moves from c4: c4-b3, c4-d3"),
        ("c4-z9", "columns are a to d"),
        ("a1-b2", "none of your pieces is on a1; legal moves: c4-b3, c4-d3"),
        ("castle", "legal moves: c4-b3, c4-d3"),
        ("\u{1b}[31m", "legal moves: c4-b3, c4-d3"),
    ] {
        let ran = play("fox-hounds:4 --as fox", &format!("{line}\n"));
        assert!(ran.text().contains(says), "{line:?}: {}", ran.out);
        assert!(
            !ran.out.contains('\u{1b}'),
            "control characters of the input are not written to the terminal"
        );
        assert!(ran.out.contains("left after 0 plies"), "{}", ran.out);
    }
}

#[test]
fn a_move_can_be_taken_back_and_a_game_restarted() {
    let record = play("hare-hounds --seed 2 --json", "1-6\nundo\n1-2\nundo\nundo\n4-5\n").json();
    assert_eq!(moves(&record)[0], "4-5");
    assert_eq!(record["plies"], 2);
    let ran = play("hare-hounds --seed 2", "undo\n1-6\nnew\nboard\nrecord\n");
    assert!(ran.text().contains("you have no move to take back"));
    assert!(ran.out.contains("not over after 0 plies"), "{}", ran.out);
    assert_eq!(ran.out.matches("left after").count(), 2, "the abandoned game has a record too");
}

#[test]
fn resigning_loses_and_leaving_does_not() {
    for (lines, by, winner) in [
        ("resign\n", "resignation", "hounds".into()),
        ("QUIT\n", "left", Value::Null),
        ("", "left", Value::Null),
    ] {
        let record = play("fox-hounds:4 --as fox --json", lines).json();
        assert_eq!(record["result"]["by"], by);
        assert_eq!(record["result"]["outcome"], winner);
    }
    assert!(
        play("fox-hounds:4 --as fox", "resign")
            .text()
            .contains("won for the hounds by resignation after 0 plies")
    );
}

#[test]
fn a_record_has_all_its_keys() {
    let record = play("hexapawn --as white --seed 9 --json", "b2\n").json();
    let all = [
        "schema",
        "game",
        "rules",
        "position",
        "to_move",
        "outcome",
        "dtw",
        "sides",
        "style",
        "fuzz",
        "fuzz_as",
        "seed",
        "random_plies",
        "line",
        "plies",
        "result",
    ];
    let mut expected = all.to_vec();
    expected.sort_unstable();
    let mut found = keys(&record);
    found.sort_unstable();
    assert_eq!(found, expected);
    assert_eq!(record["sides"], json!({ "white": "person", "black": "computer" }));
    assert_eq!((&record["schema"], &record["position"]), (&1.into(), &"ppp/3/PPP w".into()));
    let first = &record["line"][0];
    assert_eq!((first["ply"].as_u64(), first["side"].as_str()), (Some(1), Some("white")));
    assert_eq!(first["position"], "ppp/1P1/P1P b");
    assert_eq!((first["outcome"].as_str(), first["dtw"].as_u64()), (Some("black"), Some(5)));

    // Text numbers the moves in pairs.
    let text = play("hexapawn --as black --seed 1", "record\n").out;
    assert!(text.contains(
        "hexapawn:3x3, rules standard\nppp/3/PPP w\nwhite: computer, black: person (style hard, \
         seed 1)\n"
    ));
    assert!(text.contains("\n1. "), "{text}");
}

#[test]
fn geese_are_played_from_tables_and_without() {
    let dir = tables().display();
    // From tables without distances.
    let ran = play(&format!("fox-geese {CAPTURE} --tables {dir} --seed 1 --json"), "hint\n");
    assert_eq!(ran.json()["outcome"], "draw", "{}", ran.err);
    assert!(ran.err.contains("best: "), "{}", ran.err);
    // A finished game has no moves.
    let record = play(&format!("fox-geese gFg/1g1/3g3/7/7/3/3 f --json --tables {dir}"), "").json();
    assert_eq!(record["result"], json!({ "outcome": "geese", "by": "end", "ending": "blocked" }));
    // A drawn game ends by repetition.
    let record =
        play(&format!("fox-geese {DRAWN} g --as none --seed 1 --json --tables {dir}"), "").json();
    assert_eq!(record["result"]["outcome"], "draw", "{record}");
    assert_eq!(record["result"]["by"], "repetition");

    // Without a table, the note names the command that solves it, and the game continues.
    let empty = tempfile::TempDir::new().expect("there is a temporary directory");
    let ran = play(
        &format!("fox-geese --as fox --seed 1 --nodes 2000 --tables {}", empty.path().display()),
        "d4-d5\neval\n",
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("anser solve fox-geese --rules free --layers 1-13"), "{}", ran.err);
    assert_eq!(ran.err.matches("is not there").count(), 1, "it is noted once: {}", ran.err);
    assert_eq!(
        ran.err.matches("the computer searches 2,000 positions per move").count(),
        1,
        "{}",
        ran.err
    );
    assert_eq!(ran.err.lines().count(), 2, "{}", ran.err);
    assert!(ran.out.contains("fox to move: not known; a search of "), "{}", ran.out);
    assert!(ran.out.contains("geese: "), "{}", ran.out);
}

#[test]
fn what_cannot_be_played_is_wrong_usage() {
    for (words, says) in [
        (
            "fox-hounds:4 --as cat",
            "no side is called \"cat\"; the sides are fox, hounds; or both, or none",
        ),
        ("hexapawn --as fox", "the sides are white, black; or both, or none"),
        ("chess", "no game is called"),
        ("fox-hounds:4 --fuzz 2", "a fuzz factor is a number from 0 to 1"),
        ("fox-hounds:4 --fuzz NaN", "a fuzz factor is a number from 0 to 1"),
        ("fox-hounds:4 x", "this is not a position"),
        ("fox-hounds:4 --style nice", "possible values"),
    ] {
        let ran = play(words, "");
        assert_eq!(ran.code, 2, "{words}: {}", ran.err);
        assert!(ran.err.contains(says), "{words}: {}", ran.err);
        assert_eq!(ran.out, "", "{words}");
    }
}

/// A directory without tables, as an option.
fn no_tables() -> (tempfile::TempDir, String) {
    let dir = tempfile::TempDir::new().expect("there is a temporary directory");
    let option = format!("--tables {}", dir.path().display());
    (dir, option)
}

#[test]
fn without_values_the_computer_captures_and_reports_what_is_not_known() {
    let (_dir, none) = no_tables();
    let position = "3/3/7/gggFg2/ggggggg/ggg/ggg f";
    for seed in 0..8 {
        let words = format!(
            "fox-geese {position} --as none --plies 1 --nodes 3000 --seed {seed} --json {none}"
        );
        let ran = play(&words, "");
        let record = ran.json();
        assert_eq!(moves(&record), ["d4xf4"], "seed {seed}");
        assert_eq!((&record["outcome"], &record["dtw"]), (&Value::Null, &Value::Null));
        assert!(ran.err.contains("the outcome is not known: the computer searches"), "{}", ran.err);
        assert!(ran.err.contains("evaluates by material"), "{}", ran.err);
    }
    // With a limit of time, which is the default.
    let ran =
        play(&format!("fox-geese {position} --as none --plies 1 --think 0.05 --json {none}"), "");
    assert_eq!(moves(&ran.json()), ["d4xf4"]);

    let text =
        play(&format!("fox-geese {position} --nodes 3000 {none}"), "hint\nmoves\neval\n").out;
    assert!(text.contains("the outcome is not known; a search of "), "{text}");
    assert!(text.contains("; it prefers d4xf4\n"), "{text}");
    assert!(text.contains("expects +1 in material for the fox"), "{text}");
    assert!(text.contains("positions)"), "{text}");
    assert!(!text.contains("best"), "{text}");
    assert!(text.contains("  not known  "), "{text}");
    // Limits of the search are checked.
    for (wrong, says) in [
        ("--think 0", "number of seconds"),
        ("--think x", "number of seconds"),
        ("--nodes 0", "--nodes"),
    ] {
        play(&format!("fox-geese {wrong} {none}"), "").fails(2, &[says]);
    }
}

#[test]
fn the_search_uses_the_tables_found() {
    // Layer 6 has no table, so the search decides; after a capture it uses the table of layer 5.
    let copied = crate::support::copies(&[4, 5]);
    let words = format!(
        "fox-geese 3/3/7/3F3/2ggg2/1g1/g1g_f --nodes 2000 --tables {}",
        copied.path().display()
    );
    let ran = play(&words, "hint\n");
    assert!(ran.text().contains("prefers "), "{}", ran.out);
    assert!(ran.err.contains("layer 6 of fox-geese (rules free) is not there"), "{}", ran.err);
}

#[test]
fn missing_distances_are_noted_once() {
    let dir = tables().display();
    let won = "3/3/7/3F3/3g3/3/ggg f";
    let ran = play(&format!("fox-geese {won} --tables {dir} --seed 1"), "hint\nhint\nd4xd2\n");
    assert_eq!(ran.err.matches("may not convert a won position").count(), 1, "{}", ran.err);
    assert!(
        ran.err.contains("`anser solve fox-geese --rules free --layers 4 --metric dtw --tables "),
        "{}",
        ran.err
    );
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    // Under first-capture one layer is enough.
    let record = play(
        &format!(
            "fox-geese g2/2g/2g4/2F4/1g5/3/3_f --rules first-capture --as none --plies 2 --tables {dir}"
        ),
        "",
    );
    assert_eq!(record.code, 0, "{}", record.err);
    assert!(
        record.err.is_empty()
            || record.err.contains("--rules first-capture --layers 4 --metric dtw"),
        "{}",
        record.err
    );
}

#[test]
fn a_win_without_distances_is_converted_by_search() {
    let (dir, into) = no_tables();
    let solve = ["solve", "fox-geese", "--rules", "first-capture", "--layers", "5", "--tables"];
    assert!(anser(solve).arg(dir.path()).output().expect("anser runs").status.success());
    for seed in 0..3 {
        let position = "3/3/4g1g/4g1F/6g/2g/3_g";
        let words = format!(
            "fox-geese {position} --rules first-capture --as none --nodes 3000 --plies 80 --seed \
             {seed} {into}"
        );
        let ran = play(&format!("{words} --json"), "");
        let record = ran.json();
        assert_eq!((&record["outcome"], &record["dtw"]), (&"geese".into(), &Value::Null));
        assert_eq!(
            record["result"],
            json!({ "outcome": "geese", "by": "end", "ending": "blocked" }),
            "{record}"
        );
    }
}

#[test]
fn missing_tables_that_take_seconds_are_solved_first() {
    let work = tempfile::TempDir::new().expect("there is a temporary directory");
    let temporary = work.path().join("temporary");
    std::fs::create_dir(&temporary).expect("it is new");
    // Beside built-in outcomes, and without any tables.
    for rules in ["free", "free+chain"] {
        let position = "3/3/7/3F3/3g3/1g1/ggg_f";
        let mut command = anser(["play", "fox-geese", position, "--rules", rules, "--json"]);
        let command = command.current_dir(work.path()).env("TMPDIR", &temporary);
        let ran = Ran::new(&command.output().expect("anser runs"));
        let says = format!(
            "anser: solving layers 1-5 of fox-geese (rules {rules}) with distances into a \
             temporary directory: about "
        );
        assert!(ran.err.contains(&says), "{}", ran.err);
        let record = ran.json();
        assert!(record["outcome"].is_string(), "{record}");
        assert!(record["outcome"] == "draw" || record["dtw"].is_u64(), "{record}");
        assert_eq!(std::fs::read_dir(&temporary).expect("it is there").count(), 0);
        assert!(!work.path().join("tables").exists());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_end_of_the_terminal_removes_temporary_tables() {
    use std::io::{BufRead, BufReader};

    let temporary = tempfile::TempDir::new().expect("there is a temporary directory");
    let mut game = with_terminal()
        .args(["play", "fox-geese", "3/3/7/3F3/3g3/1g1/ggg_f", "--as", "fox"])
        .env_remove("ANSER_TABLES")
        .env("TMPDIR", temporary.path())
        .current_dir(temporary.path())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("it starts");
    // The board is shown when the tables are solved.
    let mut line = String::new();
    let mut output = BufReader::new(game.stdout.take().expect("it is piped"));
    output.read_line(&mut line).expect("it prints a line");
    let entries = || std::fs::read_dir(temporary.path()).expect("it is there").count();
    assert_eq!(entries(), 1);
    send("-HUP", &game);
    game.wait().expect("it ends");
    assert_eq!(entries(), 0);
}

#[test]
fn missing_tables_are_solved_on_request() {
    let (dir, into) = no_tables();
    let position = "3/3/7/3F3/3g3/3/ggg f";
    // Without a terminal there is no question, so the error names the option.
    let mut command = anser(["probe", position, "--tables"]);
    let ran = Ran::new(&command.arg(dir.path()).output().expect("anser runs"));
    ran.fails_in_a_line(
        1,
        &[
            "that takes about",
            " of disk, and `--solve` does so first, with distances, in about ",
            "--layers 4 --tables",
        ],
    );
    // The most that it may take is named, too.
    let mut command = anser(["probe", "--game", "orissa-one-tiger", "--tables"]);
    let ran = Ran::new(&command.arg(dir.path()).output().expect("anser runs"));
    let known = "(this position is known to be won for the goats in 92 plies)";
    ran.fails_in_a_line(1, &["takes about", ", up to ", known]);
    // If the memory is too small for distances, the offer says what is lost without them.
    let larger =
        "fox-geese 3/3/7/3F3/ggggg2/g1g/g2_f --memory 60MiB --threads 2 --as none --plies 0";
    let ran = play(&format!("{larger} {into}"), "");
    assert!(
        ran.err.contains("`--solve` does so first; without distances, so answers"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("--layers 1-8 --metric dtw"), "{}", ran.err);
    let ran = play(&format!("fox-geese {position} --json --nodes 100 {into}"), "");
    assert!(ran.err.contains("`--solve` does so first"), "{}", ran.err);
    assert_eq!(ran.json()["outcome"], Value::Null);

    let ran = play(&format!("fox-geese {position} --json --solve {into}"), "");
    assert_eq!(ran.json()["outcome"], "fox");
    assert!(
        ran.err.contains("solving layer 4 of fox-geese (rules free) with distances into "),
        "{}",
        ran.err
    );
    assert!(dir.path().join(crate::support::table("free", 4)).exists());
    // With distances, because they take less than an hour.
    assert!(dir.path().join("fox-geese.free.L04.dtw.anser").exists());

    // Under first-capture it is one layer, in the directory of `anser solve`.
    let work = tempfile::TempDir::new().expect("there is a temporary directory");
    let quiet = "3/3/7/3F3/7/ggg/g1g f";
    let solve = ["probe", quiet, "--rules", "first-capture+orthogonal", "--solve", "--json"];
    let ran = Ran::new(&anser(solve).current_dir(work.path()).output().expect("anser runs"));
    assert!(
        ran.err.contains(
            "solving layer 5 of fox-geese (rules first-capture+orthogonal) with distances into \
             tables"
        ),
        "{}",
        ran.err
    );
    assert!(ran.json()["outcome"].is_string());
    assert!(work.path().join("tables").is_dir());
    // The second time, nothing is solved.
    let again = Ran::new(&anser(solve).current_dir(work.path()).output().expect("anser runs"));
    assert!(!again.err.contains("solving"), "{}", again.err);

    // A line needs distances, which are solved.
    let (dir, _) = no_tables();
    let mut command = anser(["line", position, "--solve", "--json", "--tables"]);
    let ran = Ran::new(&command.arg(dir.path()).output().expect("anser runs"));
    assert_eq!(ran.json()["outcome"], "fox");
    assert!(ran.err.contains("with distances"), "{}", ran.err);
}

#[test]
fn what_a_game_takes_that_is_too_large_to_solve_first_is_said() {
    // Hours, and on most machines more memory or disk than there is.
    let ran = play("asalto --as none --plies 0", "");
    let said = "`anser solve asalto --rules standard --layers 9-24` makes it (that takes about ";
    let (_, rest) = ran.err.split_once(said).unwrap_or_else(|| panic!("{}", ran.err));
    let (costs, _) = rest.split_once(')').expect("the costs end");
    assert!(costs.contains(" of disk"), "{costs}");
}

#[test]
fn two_persons_can_play() {
    let ran = play("hexapawn --as both --seed 1 --json", "b1-b2\na3xb2\nundo\nc3xb2\nrecord\n");
    let record = ran.json();
    assert_eq!(moves(&record), ["b1-b2", "c3xb2"]);
    assert_eq!(record["sides"], json!({ "white": "person", "black": "person" }));
    assert!(ran.err.contains("you play white and black"), "{}", ran.err);
    assert!(ran.err.contains("white> ") && ran.err.contains("black> "), "{}", ran.err);
    let ran = play("fox-hounds:4 --as both", "c4-d3\n");
    assert_eq!(
        ran.text().matches("4  ").count(),
        2,
        "the board is shown after each move: {}",
        ran.out
    );
}

#[test]
fn each_side_may_have_a_style() {
    let record =
        play("fox-hounds:6 --as none --style fox=document,hounds=quick --seed 1 --json", "").json();
    assert_eq!(record["style"], "fox=document,hounds=quick");
    assert_eq!(record["result"]["outcome"], "fox");
    // The fox of the document wins later than a quick one.
    let quick = play("fox-hounds:6 --as none --style quick --seed 1 --json", "").json();
    assert_eq!(quick["style"], "quick");
    assert!(record["plies"].as_u64() > quick["plies"].as_u64());
    // A side without a style has the default one.
    let record = play("fox-hounds:4 --as none --style hounds=quick --seed 1 --json", "").json();
    assert_eq!(record["style"], "fox=hard,hounds=quick");
    for (style, says) in [
        ("cat=hard", "no side is called \"cat\"; the sides are fox, hounds"),
        ("fox=hard,fox=quick", "names fox twice"),
        ("fox=nice", "possible values: hard, document, quick"),
    ] {
        play(&format!("fox-hounds:4 --as none --style {style}"), "").fails(2, &[says]);
    }
}

#[test]
fn a_match_has_a_score_and_its_games_differ() {
    let words = "fox-hounds:6 --as none --games 6 --fuzz 0.3 --seed 5";
    let answer = play(&format!("{words} --json"), "").json();
    assert_eq!(keys(&answer), ["game", "played", "position", "rules", "schema", "score"]);
    let played = answer["played"].as_array().expect("a list");
    assert_eq!(played.len(), 6);
    let score = |name: &str| answer["score"][name].as_u64().expect("a number");
    assert_eq!(score("fox") + score("hounds") + score("draw") + score("left"), 6);
    let wins = |side: &str| {
        played.iter().filter(|record| record["result"]["outcome"] == side).count() as u64
    };
    assert_eq!((wins("fox"), wins("hounds")), (score("fox"), score("hounds")));
    assert!(
        played.iter().any(|record| moves(record)[..2] != moves(&played[0])[..2]),
        "openings differ"
    );
    assert_eq!(
        played.iter().map(|record| record["seed"].as_u64().unwrap()).collect::<Vec<_>>(),
        [5, 6, 7, 8, 9, 10]
    );
    assert!(
        played.iter().all(|record| record["random_plies"] == 2 && record.get("schema").is_none())
    );
    assert_eq!(
        play(&format!("{words} --json"), "").json(),
        answer,
        "the same seeds give the same match"
    );

    let text = play(words, "").out;
    assert_eq!(text.lines().filter(|line| line.starts_with("game ")).count(), 6, "{text}");
    let last =
        format!("score after 6 games: fox {}, hounds {}, drawn 0", score("fox"), score("hounds"));
    assert_eq!(text.lines().last(), Some(&*last));

    // Resigning continues with the next game; leaving a game ends the match.
    let ran = play(
        "hexapawn --as white --games 3 --random-plies 0 --seed 1",
        "resign\nscore\nresign\nquit\n",
    );
    assert!(ran.text().contains("score after 1 game: white 0, black 1, drawn 0"), "{}", ran.out);
    assert!(ran.out.contains("game 3: left after 0 plies"), "{}", ran.out);
    assert!(
        ran.out.contains("score after 3 games: white 0, black 2, drawn 0, left 1"),
        "{}",
        ran.out
    );
    play("hexapawn --games 2 --save x.json", "")
        .fails(2, &["--save writes the record of one game"]);
}

#[test]
fn the_last_board_is_shown_with_the_reason() {
    let position = "3/3/7/3Fg2/2gg3/1g1/3_f";
    let after = "5  . . . . . . .\n4  . . . . . F .\n3  . . g g . . .\n";
    let mut play = anser(["play", "fox-geese", position, "--as", "fox", "--tables"]);
    let output = play.arg(distances()).write_stdin("d4xf4\n").output();
    let ran = Ran::new(&output.expect("anser runs"));
    assert!(ran.text().contains(after), "{}", ran.out);
    assert!(ran.out.contains("won for the fox after 1 ply: fewer than four geese"), "{}", ran.out);
    let record = run(&format!("play fox-geese {position} --as none --json"), distances()).json();
    let ending = json!("fewer than four geese");
    assert_eq!((&record["result"]["ending"], &record["line"][0]["ending"]), (&ending, &ending));
    assert_eq!(record["line"][0]["position"], "3/3/7/5F1/2gg3/1g1/3 g");

    let ran = run(&format!("line {position}"), distances());
    assert!(
        ran.text().contains("\nover: won for the fox (fewer than four geese)\n"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains(after), "{}", ran.out);
}

#[test]
fn a_game_is_saved_and_continued_and_its_values_are_shown() {
    let dir = tempfile::TempDir::new().expect("there is a temporary directory");
    let at = |words: &[&str], lines: &str| {
        let mut command = anser(words.iter().copied());
        Ran::new(&command.current_dir(dir.path()).write_stdin(lines).output().expect("anser runs"))
    };
    let ran = at(
        &["play", "hexapawn", "--as", "black", "--seed", "1"],
        "a3xb2\nsave My Game.json\nsave\n",
    );
    assert!(
        ran.text().contains("saved; `anser play --load 'My Game.json'` continues it"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("`save` needs a file: `save FILE`"), "{}", ran.out);

    // The game, its rules, its moves, and the sides of persons come from the record.
    let record = at(&["play", "--load", "My Game.json", "--json"], "quit\n").json();
    assert_eq!(
        (&record["game"], &record["sides"]["black"]),
        (&"hexapawn:3x3".into(), &"person".into())
    );
    assert_eq!(moves(&record)[..2], ["b1-b2", "a3xb2"]);
    // The output of --json is a record too, and `load` reads it inside a game.
    std::fs::write(dir.path().join("printed.json"), record.to_string())
        .expect("a file can be written");
    let ran = at(&["play", "hexapawn:3x3", "--as", "black", "--json"], "load printed.json\nundo\n");
    assert_eq!(moves(&ran.json()), ["b1-b2"]);
    let ran = at(&["play", "hexapawn:4x4"], "load printed.json\nload nothing.json\n");
    assert!(ran.text().contains(
        "the record is of hexapawn:3x3, rules standard; `anser play --load printed.json`"
    ));
    assert!(ran.out.contains("reading the record nothing.json failed"), "{}", ran.out);

    // The values along a game.
    let lost = at(&["play", "hexapawn", "--as", "black", "--seed", "1", "--json"], "a3-a2\n");
    std::fs::write(dir.path().join("lost.json"), &lost.out).expect("a file can be written");
    let text = at(&["line", "--record", "lost.json"], "").out;
    assert!(text.contains("a3-a2?") && text.contains("won for black in 5 plies"), "{text}");
    assert!(
        text.contains("given away by 1. .. a3-a2?: won for black before, won for white after"),
        "{text}"
    );
    let answer = at(&["line", "--record", "lost.json", "--json"], "").json();
    let mut names = keys(&answer);
    names.sort_unstable();
    let expected = [
        "dtw",
        "end",
        "game",
        "line",
        "outcome",
        "position",
        "repeats_from",
        "rules",
        "schema",
        "to_move",
    ];
    assert_eq!(names, expected);
    assert_eq!((&answer["dtw"], &answer["line"][1]["gave_away"]), (&6.into(), &true.into()));
    let given = &answer["line"][1];
    assert_eq!((&given["better"], &given["refutation"]), (&json!("a3xb2"), &json!("b2xc3")));
    assert!(text.contains("; better a3xb2, refuted by b2xc3"), "{text}");
    assert!(text.contains("\nover: won for white (far row)\n"), "{text}");

    // A move that keeps the outcome and loses many plies, and one that loses a few.
    let slow = r#"{"game":"fox-hounds:6","rules":"escape","position":"3/3/1F1/3/h2/1hh h",
        "line":[{"move":"d1-e2"}]}"#;
    std::fs::write(dir.path().join("slow.json"), slow).expect("a file can be written");
    let text = at(&["line", "--record", "slow.json"], "").out;
    assert!(
        text.contains(" d1-e2?! ") && text.contains("14 plies lost by 1. d1-e2?!; better "),
        "{text}"
    );
    let answer = at(&["line", "--record", "slow.json", "--json"], "").json();
    let ply = &answer["line"][0];
    assert_eq!(
        (&ply["gave_away"], &ply["lost_plies"], &ply["refutation"]),
        (&json!(false), &json!(14), &Value::Null)
    );
    assert!(ply["better"].is_string(), "{ply}");

    // A file that is not a record is neither read nor overwritten.
    std::fs::write(dir.path().join("notes.txt"), "dear diary").expect("a file can be written");
    let ran = at(&["play", "hexapawn"], "save notes.txt\nload notes.txt\nsave no/such/dir\n");
    assert!(ran.text().contains("notes.txt exists and is not the record of a game"), "{}", ran.out);
    assert!(ran.out.contains("notes.txt is not the record of a game"), "{}", ran.out);
    assert!(ran.out.contains("no/such/dir: it cannot be written"), "{}", ran.out);
    // With --save that shows before the game.
    at(&["play", "hexapawn", "--save", "no/such/dir"], "a3xb2\n")
        .fails_in_a_line(4, &["no/such/dir: it cannot be written"]);
    at(&["play", "hexapawn", "--save", "notes.txt"], "a3xb2\n")
        .fails_in_a_line(2, &["notes.txt exists and is not the record of a game"]);
    let saved = std::fs::read_to_string(dir.path().join("My Game.json")).expect("it is there");
    let other = saved.replace("\"person\"", "\"robot\"");
    std::fs::write(dir.path().join("other.json"), other).expect("a file can be written");
    at(&["play", "--load", "other.json"], "")
        .fails_in_a_line(2, &["is not the record of a game", "`robot`"]);
    let other = saved.replace("\"schema\":1", "\"schema\":2");
    assert_ne!(other, saved);
    std::fs::write(dir.path().join("other.json"), other).expect("a file can be written");
    at(&["play", "--load", "other.json"], "")
        .fails_in_a_line(2, &["is not the record of a game", "schema 2 is not schema 1"]);
    assert_eq!(
        std::fs::read_to_string(dir.path().join("notes.txt")).expect("it is there"),
        "dear diary"
    );
    at(&["play", "--load", "notes.txt"], "").fails_in_a_line(2, &["is not the record of a game"]);
    at(&["play", "--load", "."], "").fails_in_a_line(2, &["is not a file"]);
    at(&["line", "--record", "none.json"], "")
        .fails_in_a_line(4, &["reading the record none.json failed", "check the path"]);
    at(&["play", "fox-geese", "--load", "My Game.json"], "")
        .fails_in_a_line(2, &["of hexapawn:3x3, not of fox-geese"]);
    let forged = r#"{"game":"hexapawn:3x3","rules":"standard","position":"ppp/3/PPP w",
        "line":[{"move":"b1-b3"}]}"#;
    std::fs::write(dir.path().join("forged.json"), forged).expect("a file can be written");
    at(&["play", "--load", "forged.json"], "")
        .fails_in_a_line(2, &["breaks the rules at ply 1, \"b1-b3\""]);

    // --save may replace the record that the game was loaded from.
    let load = ["play", "--load", "My Game.json", "--save", "My Game.json", "--seed", "1"];
    assert_eq!(at(&load, "quit\n").code, 0);
    let again = at(&["play", "--load", "My Game.json", "--json"], "").json();
    assert_eq!(moves(&again), moves(&record));
}

#[test]
fn a_continued_game_keeps_the_settings_of_its_record() {
    let dir = tempfile::TempDir::new().expect("there is a temporary directory");
    let at = |words: &str| {
        let mut command = anser(words.split(' '));
        Ran::new(&command.current_dir(dir.path()).output().expect("anser runs"))
    };
    let settings = ["style", "fuzz", "fuzz_as", "seed"];
    let of = |words: &str| {
        let record = at(words).json();
        settings.map(|name| record[name].clone())
    };
    let first = "play hexapawn --style white=quick,black=hard --fuzz black=0.25 --fuzz-as literal \
                 --seed 7 --plies 0 --as none --json --save game.json";
    let recorded = of(first);
    assert_eq!(recorded[2..], [json!("literal"), json!(7)]);
    let load = "play --load game.json --plies 0 --json";
    assert_eq!(of(load), recorded);
    let [style, fuzz, fuzz_as, seed] =
        of(&format!("{load} --style black=document --fuzz 0 --fuzz-as printed --seed 8"));
    assert_eq!(style, json!("white=quick,black=document"));
    assert_eq!((fuzz, fuzz_as, seed), (json!(0.0), json!("printed"), json!(8)));
    // Levels have no fuzz.
    let [style, fuzz, ..] = of(&format!("{load} --style skilled"));
    assert_eq!((style, fuzz), (json!("skilled"), json!(0.0)));
    let forged = r#"{"game":"hexapawn:3x3","rules":"standard","position":"ppp/3/PPP w","line":[],
        "style":"brilliant","fuzz":7}"#;
    std::fs::write(dir.path().join("forged.json"), forged).expect("a file can be written");
    at("play --load forged.json").fails_in_a_line(2, &["--fuzz of the record, \"7\", cannot"]);
    at("play --load forged.json --fuzz 0")
        .fails_in_a_line(2, &["--style of the record, \"brilliant\"", "give another --style"]);
}

#[test]
fn unknown_commands_are_corrected() {
    let ran = play("fox-hounds:4 --as fox", "hnit\nmoves?\nhelp\n");
    assert!(
        ran.text().contains("no command is called \"hnit\"; did you mean `hint`?"),
        "{}",
        ran.out
    );
    for word in ["hint, moves", "undo", "save FILE", "load FILE", "score", "resign, quit"] {
        assert!(ran.out.contains(word), "{word}: {}", ran.out);
    }
}

/// Plays with this input, interrupts the game once `is_ready` accepts its output, and returns that,
/// the errors, and the exit status.
#[cfg(unix)]
fn interrupted(
    words: &str,
    dir: &std::path::Path,
    input: &[u8],
    is_ready: impl Fn(&str) -> bool,
) -> (String, String, Option<i32>) {
    use std::io::Read;
    let mut play = command(words, dir);
    let play = play.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = play.spawn().expect("anser runs");
    // The input stays open: its end would leave the game.
    child.stdin.as_mut().expect("a pipe").write_all(input).expect("anser reads");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut text = String::new();
    while !is_ready(&text) {
        assert!(out.read_line(&mut text).expect("anser writes") > 0, "{text}");
    }
    send("-INT", &child);
    out.read_to_string(&mut text).expect("anser writes");
    let output = child.wait_with_output().expect("anser ends");
    (text, String::from_utf8(output.stderr).expect("text"), output.status.code())
}

#[cfg(unix)]
#[test]
fn an_interrupt_writes_the_record_and_the_command_that_continues() {
    let dir = tempfile::TempDir::new().expect("there is a temporary directory");
    let shows_board = |text: &str| text.ends_with("   a b c\n");
    // White has moved a second time, and the board is shown: it is black's turn again.
    let is_ready = |text: &str| text.matches("white: ").count() >= 2 && shows_board(text);
    let words = "play hexapawn --as black --seed 1 --save game.json";
    let (text, err, status) = interrupted(words, dir.path(), b"a3xb2\n", is_ready);
    assert_eq!(status, Some(130), "{err}");
    assert!(text.contains("1. b1-b2 a3xb2  2. "), "{text}");
    assert!(err.contains("`anser play --load game.json` continues it"), "{err}");
    assert!(dir.path().join("game.json").exists());
    // Settings that the file does not have are options of the command.
    for (words, expected) in [
        ("play --load game.json --style quick --seed 2", "game.json --style quick --seed 2`"),
        ("play hexapawn --fuzz 0.5 --seed 3", " --as white --style document --fuzz 0.5 --seed 3`"),
        ("play hexapawn --seed 3", " --as white --seed 3`"),
    ] {
        let (_, err, _) = interrupted(words, dir.path(), b"", shows_board);
        assert!(err.contains(expected), "{err}");
    }
}

#[cfg(unix)]
#[test]
fn a_terminal_has_line_editing_history_and_offers_tables() {
    const UP: &str = "\u{1b}[A";
    const BACKSPACE: &str = "\u{7f}";
    const CTRL_C: &str = "\u{3}";
    const CTRL_D: &str = "\u{4}";
    let dir = tempfile::TempDir::new().expect("there is a temporary directory");
    // Each step waits for the first text, and then sends the second.
    let talk = |words: &str, steps: &[(&str, &str)]| {
        let session = rexpect::session::spawn_command(command(words, dir.path()), Some(60_000));
        let mut session = session.expect("a terminal");
        for (expected, sent) in steps {
            session
                .exp_string(expected)
                .unwrap_or_else(|error| panic!("{words}: {expected}: {error}"));
            session.send(sent).expect("it reads");
            session.flush().expect("it reads");
        }
        session.exp_eof().expect("it ends");
    };
    talk(
        "play fox-hounds:4 --as fox --seed 1",
        &[
            ("fox> ", "hnit\n"),
            ("did you mean `hint`?", ""),
            // The last line is edited.
            ("fox> ", &[UP, BACKSPACE, BACKSPACE, BACKSPACE, "int\n"].concat()),
            ("best: ", ""),
            ("fox> ", "c4-d3\n"),
            ("hounds: ", ""),
            ("fox> ", CTRL_C),
            ("1. c4-d3 ", ""),
            ("continues it", ""),
        ],
    );

    std::fs::create_dir(dir.path().join("new")).expect("a directory can be made");
    // Missing tables are offered, with time and disk.
    talk(
        "probe 3/3/7/3F3/3g3/3/ggg_f --tables new",
        &[
            ("The answer needs layer 4 of fox-geese (rules free)", ""),
            (" of disk? [Y/n] ", "n\n"),
            ("is not there", ""),
        ],
    );
    talk(
        "play fox-geese 3/3/7/3F3/3g3/3/ggg_f --tables new --seed 1",
        &[("[Y/n] ", "\n"), ("fox> ", "eval\n"), ("won for the fox", CTRL_D)],
    );
    assert!(dir.path().join("new").join(crate::support::table("free", 4)).exists());
}

#[test]
fn trained_matchboxes_win_as_black_and_untrained_ones_do_not_always() {
    let game = |seed: u32, more: &str| {
        play(&format!("hexapawn:3x3 --as none --style matchbox --seed {seed} --json {more}"), "")
            .json()
    };
    let trained = game(1, "");
    assert_eq!(
        (&trained["style"], &trained["result"]["outcome"]),
        (&"matchbox".into(), &"black".into())
    );
    assert_eq!(game(1, ""), game(1, ""), "the training and the game follow from the seed");
    // White loses by every move, and resigns when it has learned that.
    let resigned = game(2, "--train 3000 --train-against perfect");
    assert_eq!(
        resigned["result"],
        json!({ "outcome": "black", "by": "resignation", "ending": null })
    );
    let winners: Vec<Value> =
        (0..12).map(|seed| game(seed, "--train 0")["result"]["outcome"].clone()).collect();
    assert!(winners.iter().any(|winner| winner == "white"), "{winners:?}");
    let ran = play("hexapawn:3x3 --as white --style matchbox --seed 1", "quit\n");
    assert!(ran.err.contains("matchboxes of black: 1"), "{}", ran.err);
    let ran = play("fox-geese --style matchbox", "quit\n");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("anser play hexapawn:3x3 --style matchbox"), "{}", ran.err);
}

/// Positions of `free` and `first-capture` with the longest wins of layer 5, from tables.
fn longest_wins(rules: &str) -> Vec<(String, String, u64)> {
    let words = format!("hardest --rules {rules} --layers 5 --list 2 --json");
    let answer = run(&words, distances()).json();
    let of_layer = answer["layers"][0]["to_move"].as_object().expect("sides");
    let longest = of_layer.values().flat_map(|longest| longest.as_array().expect("a list"));
    let examples = longest.flat_map(|longest| longest["examples"].as_array().expect("a list"));
    let found = examples.map(|example| {
        let text = |key: &str| example[key].as_str().expect("a string").to_owned();
        (text("position"), text("outcome"), example["dtw"].as_u64().expect("a number"))
    });
    found.collect()
}

#[test]
fn games_from_tables_last_as_long_as_promised() {
    let mut captures = 0;
    for rules in ["free", "first-capture"] {
        let starts = longest_wins(rules);
        for winner in ["fox", "geese"] {
            assert!(starts.iter().any(|(_, outcome, _)| outcome == winner), "{starts:?}");
        }
        for (position, outcome, plies) in starts {
            let words = format!(
                "play fox-geese {} --rules {rules} --as none --games 3 --random-plies 0 --seed 1 \
                 --json",
                position.replace(' ', "_")
            );
            let played = run(&words, distances());
            assert!(!played.err.contains("anser:"), "{}", played.err);
            for record in played.json()["played"].as_array().expect("games") {
                assert_eq!(
                    (&record["result"]["outcome"], &record["result"]["by"]),
                    (&json!(outcome), &json!("end"))
                );
                let ending = match (outcome.as_str(), rules) {
                    ("geese", _) => "blocked",
                    (_, "free") => "fewer than four geese",
                    _ => "first capture",
                };
                assert_eq!(record["result"]["ending"], ending, "{record}");
                let last = record["line"].as_array().expect("a list").last();
                assert!(last.is_none_or(|last| last["ending"] == ending), "{record}");
                assert_eq!((&record["dtw"], &record["plies"]), (&json!(plies), &json!(plies)));
                let line = record["line"].as_array().expect("a list");
                let left = (0..plies).rev();
                assert!(line.iter().zip(left).all(|(ply, left)| ply["dtw"] == left), "{record}");
                captures += moves(record).iter().filter(|mv| mv.contains('x')).count();
            }
            // The line of best play is as long.
            let line =
                format!("line fox-geese {} --rules {rules} --json", position.replace(' ', "_"));
            let line = run(&line, distances()).json();
            assert_eq!(line["line"].as_array().map(Vec::len), Some(plies as usize));
            assert_eq!(line["end"], "over");
        }
    }
    assert!(captures > 12, "{captures} captures");
}

#[test]
fn without_distances_moves_are_not_ranked_and_the_command_is_named_once() {
    let winning = |position: &str, dir| {
        let found = run(&format!("probe {} --json", position.replace(' ', "_")), dir).json();
        let won = found["moves"].as_array().expect("moves").clone().into_iter();
        let won = won.filter(|mv| mv["outcome"] == "fox");
        won.map(|mv| (mv["move"].as_str().expect("a move").to_owned(), mv["dtw"].as_u64()))
            .collect::<Vec<_>>()
    };
    // A position on the way to a win with a fast and a slow win.
    let answer = run("hardest --layers 5 --list 3 --json", distances()).json();
    let examples = answer["longest"][0]["examples"].as_array().expect("a list");
    let plies = examples.iter().flat_map(|example| example["line"].as_array().expect("a list"));
    let position = plies
        .map(|ply| ply["position"].as_str().expect("a position"))
        .find(|position| {
            let moves = winning(position, distances());
            position.ends_with('f') && moves.iter().any(|(_, plies)| *plies != moves[0].1)
        })
        .expect("a fast and a slow win");
    let words = format!("play fox-geese {} --as fox --seed 1", position.replace(' ', "_"));
    let ask = |dir| {
        let mut command = anser(words.split(' '));
        command.arg("--tables").arg(dir);
        Ran::new(&command.write_stdin("hint\nhint\nmoves\nquit\n").output().expect("anser runs"))
    };
    // Distances: the fastest wins alone are best, and come first.
    let (exact, all) = (ask(distances()), winning(position, distances()));
    assert!(all.is_sorted_by_key(|(_, plies)| *plies), "{all:?}");
    let fastest: Vec<&str> =
        all.iter().filter(|(_, plies)| *plies == all[0].1).map(|(mv, _)| mv.as_str()).collect();
    assert!(
        exact.text().contains(&format!("best: {} (won for the fox in", fastest.join(", "))),
        "{}",
        exact.out
    );
    assert!(!exact.err.contains("anser:"), "{}", exact.err);
    // Outcomes alone: every move that wins is named, in the order of the game.
    let (outcomes, all) = (ask(tables()), winning(position, tables()));
    assert!(all.len() > 1 && all.iter().all(|(_, plies)| plies.is_none()), "{all:?}");
    let names: Vec<&str> = all.iter().map(|(mv, _)| mv.as_str()).collect();
    let says = format!(
        "these keep the outcome: {} (won for the fox); distances are not known\n",
        names.join(", ")
    );
    assert_eq!(outcomes.text().matches(&says).count(), 2, "{}", outcomes.out);
    assert!(!outcomes.out.contains("best: "), "{}", outcomes.out);
    let notes: Vec<&str> = outcomes.err.lines().filter(|line| line.starts_with("anser:")).collect();
    let [note] = notes[..] else { panic!("one note: {}", outcomes.err) };
    for part in [
        "may not convert a won position",
        "anser solve fox-geese --rules free --layers ",
        " --metric dtw",
    ] {
        assert!(note.contains(part), "{note}");
    }
}
