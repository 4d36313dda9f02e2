//! Fox-and-Hounds and Hasenspiel in writing: positions, moves, diagrams, ids and fingerprints.

use std::collections::HashSet;
use std::ops::ControlFlow;

use anser_core::hunt::{Description, PointSet, Position};
use anser_core::{Hunt, LayerIndex, Side};
use proptest::prelude::*;

fn fox_hounds(size: usize, rules: &str) -> Hunt {
    Hunt::fox_hounds(size, rules).unwrap_or_else(|e| panic!("{e}"))
}

/// Fox-and-Hounds on the chessboard.
fn chessboard() -> Hunt {
    fox_hounds(8, "escape")
}

fn hasenspiel(size: usize, pawns: usize, rules: &str) -> Hunt {
    Hunt::hasenspiel(size, pawns, rules).unwrap_or_else(|e| panic!("{e}"))
}

fn read(game: &Hunt, text: &str) -> Position {
    game.parse_position(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn moves(game: &Hunt, position: &Position) -> String {
    let mut list = Vec::new();
    let _ = game.visit_moves(position, |mv, _| {
        list.push(game.format_move(&mv));
        ControlFlow::<()>::Continue(())
    });
    list.join(" ")
}

/// Checks the problem of each text, and its column.
fn check_errors(game: &Hunt, example: &str, cases: &[(&str, usize, &str)]) {
    for &(text, column, problem) in cases {
        let error = game.parse_position(text).expect_err(text);
        assert_eq!(error.column(), column, "{text}: {error}");
        assert!(error.problem().contains(problem), "{text}: {error}");
        assert_eq!(error.example(), example);
    }
}

#[test]
fn malformed_positions_name_the_column() {
    let cases = [
        ("", 1, "row 8 has 4 playable squares, only 0"),
        ("2F1/4/4/4/4/4/4/hhhh", 21, "side to move is missing"),
        ("2F1/4/4/4/4/4/4/hhhh ", 22, "side to move is missing: f (fox) or h (hounds)"),
        ("2F1/4/4/4/4/4/4/hhhh g", 22, "'g' is no side to move"),
        ("2F1/4/4/4/4/4/4/hhhh ff", 23, "follows where the position is complete"),
        ("2F1/4/4/4/4/4/hhhh f", 19, "row 1 is missing, there are 8"),
        ("2F1/4/4/4/4/4/4", 16, "ends after row 2, there are 8"),
        ("2F1/4/4/4/4/4/4/hhhh/4 f", 21, "only 8 rows"),
        ("2F2/4/4/4/4/4/4/hhhh f", 3, "more than 4"),
        ("2F/4/4/4/4/4/4/hhhh f", 3, "only 3 are given"),
        ("2F1/4/3F/4/4/4/4/hhhh f", 8, "second fox, the first is on e8"),
        ("2F1/4/4/4/4/4/3h/hhhh f", 21, "5 hounds are too many; a position has 4"),
        ("2F1/4/4/4/4/4/4/h1hh f", 1, "a position has 4 hounds (h), not 3"),
        ("2F1/4/4/4/4/4/4/4 f", 1, "there is no hound (h); a position has 4 hounds"),
        ("4/4/4/4/4/4/4/hhhh f", 1, "no fox (F)"),
        ("2f1/4/4/4/4/4/4/hhhh f", 2, "a fox is written F; f is a side to move"),
        ("2F1/4/4/4/4/4/4/Hhhh f", 17, "a hound is written h"),
        ("2F1/4/4/4/4/4/4/bbbb f", 17, "'b' is none of"),
        ("2F1/4/0/4/4/4/4/hhhh f", 7, "'0'"),
        ("2F1/4/ä/4/4/4/4/hhhh f", 7, "'ä'"),
        ("3F2/6/6/6/6/6/6/6/6/6/6/hhhhhh f", 3, "more than 4"),
    ];
    check_errors(&chessboard(), "2F1/4/4/4/4/4/4/hhhh f", &cases);
    let cases = [
        ("1W2/4/4/4/4/4/4/bbbb f", 22, "write w (rabbit) or b (pawns)"),
        ("1w2/4/4/4/4/4/4/bbbb w", 2, "a rabbit is written W; w is a side to move"),
        ("1W2/4/4/4/4/4/4/hhhh w", 17, "'h' is none of W (rabbit), b (pawn)"),
        ("1W2/4/4/4/4/4/b3/bbbb w", 21, "5 pawns are too many; a position has 4"),
    ];
    let game = hasenspiel(8, 4, "literal");
    check_errors(&game, "1W2/4/4/4/4/4/4/bbbb w", &cases);
    assert!(chessboard().parse_position(&"4/".repeat(100_000)).is_err());
}

#[test]
fn the_example_in_errors_is_the_start() {
    for size in [2, 4, 6, 8, 10, 12] {
        let game = fox_hounds(size, "escape");
        let error = game.parse_position("?").expect_err("no position");
        let example = error.example();
        assert_eq!(game.format_position(&game.start()), example);
        assert_eq!(game.parse_position(&example.replace(' ', "_")), Ok(game.start()));
    }
    let game = hasenspiel(8, 4, "literal");
    let error = game.parse_position("?").expect_err("no position");
    let example = error.example();
    assert_eq!(game.format_position(&game.start()), example);
    assert_eq!(game.start().few().first(), Some(29));
}

#[test]
fn moves_read_back_and_wrong_ones_name_the_column() {
    let game = chessboard();
    for text in ["2F1/4/4/4/4/4/4/hhhh f", "2F1/4/4/1h2/4/4/2h1/h1h1 h"] {
        let position = read(&game, text);
        for mv in moves(&game, &position).split(' ') {
            assert_eq!(game.format_move(&game.parse_move(&position, mv).expect("legal")), mv);
        }
    }
    let cases = [
        ("", 1, "not complete"),
        ("e", 2, "not complete"),
        ("e8", 3, "not complete"),
        ("e8-", 4, "not complete"),
        ("e8-d", 5, "not complete"),
        ("i8-d7", 1, "the board has no playable square i8; columns are a to h, rows 1 to 8"),
        ("e9-d7", 2, "rows 1 to 8"),
        ("e0-d7", 2, "rows 1 to 8"),
        ("e08-d7", 2, "rows 1 to 8"),
        ("e8-d77777777777777777777777", 6, "no playable square d7777777777777777777; "),
        ("e8-dd", 5, "rows 1 to 8"),
        ("d8-e7", 2, "the board has no playable square d8"),
        ("e8-e7", 5, "the board has no playable square e7"),
        ("e8xd7", 3, "'x' cannot follow here; points are separated by -"),
        ("e8-d7-", 6, "follows"),
        ("e8-c6", 1, "not a legal move"),
        ("b1-a2", 1, "not a legal move"),
    ];
    for (text, column, problem) in cases {
        let error = game.parse_move(&game.start(), text).expect_err(text);
        assert_eq!(error.column(), column, "{text}: {error}");
        assert!(error.problem().contains(problem), "{text}: {error}");
        assert!(game.parse_move(&game.start(), error.example()).is_ok());
    }
    // Rows of two digits.
    let large = fox_hounds(12, "escape");
    assert_eq!(moves(&large, &large.start()), "g12-f11 g12-h11");
    assert!(large.parse_move(&large.start(), "g12-h11").is_ok());
    let rabbit = hasenspiel(8, 4, "literal");
    let error = rabbit.parse_move(&rabbit.start(), "e8-d7").expect_err("a light square");
    assert!(rabbit.parse_move(&rabbit.start(), error.example()).is_ok());
}

#[test]
fn diagrams_show_the_men_where_they_stand() {
    let game = fox_hounds(4, "escape");
    let expected = "\
4  .   F
3    .   .
2  .   .
1    h   h
   a b c d
";
    assert_eq!(game.diagram(&game.start()), expected);
    let large = fox_hounds(10, "escape");
    let shown = large.diagram(&large.start());
    let rows: Vec<&str> = shown.lines().collect();
    assert_eq!((rows[0], rows[1]), ("10  .   .   F   .   .", " 9    .   .   .   .   ."));
    assert_eq!((rows[9], rows[10]), (" 1    h   h   h   h   h", "    a b c d e f g h i j"));
    let game = hasenspiel(8, 4, "literal");
    assert!(game.diagram(&game.start()).starts_with("8    .   W   .   .\n7  .   .   .   .\n"));
}

#[test]
fn what_values_depend_on_is_in_the_fingerprint() {
    let mut all: Vec<String> = Vec::new();
    for size in [2, 4, 6, 8, 10, 12] {
        all.extend(["escape", "strict"].map(|rules| fox_hounds(size, rules).fingerprint()));
    }
    all.extend(["literal", "author"].map(|rules| hasenspiel(8, 4, rules).fingerprint()));
    let distinct: HashSet<&String> = all.iter().collect();
    assert_eq!(distinct.len(), all.len());
    assert_eq!(
        all[2],
        "points 8\n\
         few number 1 1\n\
         few steps 0-2 0-3 1-3 2-0 2-4 3-0 3-1 3-4 3-5 4-2 4-3 4-6 4-7 5-3 5-7 6-4 7-4 7-5\n\
         many number 2 2\n\
         many steps 0-2 0-3 1-3 2-4 3-4 3-5 4-6 4-7 5-7\n\
         end many blocked few\n\
         end few blocked many\n\
         end few escaped\n\
         layers advance\n\
         numbering hounds 1\n"
    );
}

#[test]
fn names_words_and_the_order_of_moves_are_not_in_the_fingerprint() {
    let game = chessboard();
    let mut renamed = game.description().clone();
    renamed.name = "my-hunt".into();
    renamed.rules = "mine".into();
    renamed.point_word = "fields".into();
    for (side, letters) in renamed.sides.iter_mut().zip([('W', 'w'), ('d', 'd')]) {
        (side.letter, side.turn) = letters;
        side.name = format!("side {}", letters.0);
        side.piece = "other".into();
        side.order.clear();
        side.steps.reverse();
    }
    for point in &mut renamed.points {
        point.name = format!("at{}", point.name);
    }
    for end in &mut renamed.ends {
        end.text = "over".into();
    }
    let renamed = Hunt::new(renamed).expect("only words are new");
    assert_ne!(renamed.format_position(&renamed.start()), game.format_position(&game.start()));
    assert_eq!(renamed.fingerprint(), game.fingerprint());

    // Everything that values depend on is in it, however small.
    let same_but = |change: fn(&mut Description)| {
        let mut description = game.description().clone();
        change(&mut description);
        Hunt::new(description).expect("a game").fingerprint()
    };
    assert_ne!(same_but(|it| it.ends.swap(0, 2)), game.fingerprint());
    assert_ne!(same_but(|it| it.ends[2].winner = Side::Second), game.fingerprint());
    assert_ne!(same_but(|it| it.sides[0].steps.truncate(90)), game.fingerprint());
}

#[test]
fn sizes_and_rule_sets_that_there_are_none_of_are_refused() {
    for size in [0, 1, 3, 7, 9, 14, usize::MAX] {
        let error = Hunt::fox_hounds(size, "escape").expect_err("no such board").to_string();
        assert!(error.contains("an even number from 2 to 12"), "{error}");
    }
    for (size, pawns) in [(7, 3), (0, 0), (14, 7), (8, 5), (8, 0)] {
        assert!(Hunt::hasenspiel(size, pawns, "literal").is_err(), "{size}, {pawns}");
    }
    for rules in ["escape", "strict"] {
        assert_eq!(fox_hounds(8, rules).rules_id(), rules);
    }
    for rules in ["literal", "author"] {
        assert_eq!(hasenspiel(8, 4, rules).rules_id(), rules);
    }
    for wrong in ["", "Escape", "escape ", "literal"] {
        let error = Hunt::fox_hounds(8, wrong).expect_err(wrong).to_string();
        assert!(error.contains("fox-hounds has escape and strict"), "{error}");
    }
    let error = Hunt::hasenspiel(8, 4, "strict").expect_err("of the other game").to_string();
    assert!(error.contains("hasenspiel has literal and author"), "{error}");
}

proptest! {
    #[test]
    fn what_is_written_reads_back_and_ranks_are_inverse(
        size in prop::sample::select(vec![4usize, 6, 8, 10, 12]),
        numbers in Just((0..72).collect::<Vec<u8>>()).prop_shuffle(),
        first in any::<bool>(),
    ) {
        let game = fox_hounds(size, "escape");
        let mut squares = numbers.into_iter().filter(|&square| usize::from(square) < size * size / 2);
        let fox = PointSet::of(squares.next().expect("every square comes once"));
        let hounds = squares.take(size / 2).collect();
        let side = if first { Side::First } else { Side::Second };
        let position = game.position([fox, hounds], [0; 2], side).expect("sound");
        prop_assert_eq!(game.parse_position(&game.format_position(&position)), Ok(position));
        let index = game.index(game.layer(&position));
        let rank = index.rank(&position);
        prop_assert!(rank < index.len(side));
        prop_assert_eq!(index.unrank(side, rank), position);
    }

    #[test]
    fn no_text_makes_the_parsers_panic(text in "[0-9Fhfg/_ a-c\u{e9}-]{0,60}") {
        let game = chessboard();
        if let Ok(position) = game.parse_position(&text) {
            prop_assert_eq!(game.parse_position(&game.format_position(&position)), Ok(position));
        }
        let _ = game.parse_move(&game.start(), &text);
    }
}

#[test]
fn hasenspiel_has_other_boards_and_the_usual_one_keeps_its_name_and_rules() {
    for (size, pawns, name, start) in [
        (8, 4, "hasenspiel", "1W2/4/4/4/4/4/4/bbbb w"),
        (8, 2, "hasenspiel:8-2", "1W2/4/4/4/4/4/4/bb2 w"),
        (10, 5, "hasenspiel:10", "2W2/5/5/5/5/5/5/5/5/bbbbb w"),
        (12, 1, "hasenspiel:12-1", "2W3/6/6/6/6/6/6/6/6/6/6/b5 w"),
        (2, 1, "hasenspiel:2", "W/b w"),
    ] {
        let game = hasenspiel(size, pawns, "literal");
        assert_eq!((game.name(), game.format_position(&game.start())), (name, start.into()));
        let error = game.parse_position("").expect_err("nothing").to_string();
        assert!(error.contains(start), "{error}");
    }
    // The names alone would not keep tables of two boards apart if the rules did not.
    let sizes = [(4, 2), (4, 1), (6, 3), (6, 1), (6, 2), (8, 4), (8, 3)];
    let prints: HashSet<String> = sizes
        .into_iter()
        .flat_map(|(size, pawns)| {
            ["literal", "author"].map(|rules| hasenspiel(size, pawns, rules).fingerprint())
        })
        .collect();
    assert_eq!(prints.len(), 14);
    let print = hasenspiel(8, 4, "author").fingerprint();
    for line in ["many number 4 4", "end few behind 3", "numbering hounds 1"] {
        assert!(print.lines().any(|of_print| of_print == line), "{line}: {print}");
    }
    assert!(print.contains("\nmany steps 0-4 1-4 1-5 "), "{print}");
    let home = hasenspiel(8, 4, "literal").fingerprint();
    assert!(home.contains("\nend few reached few 0 1 2 3\n"), "{home}");
}
