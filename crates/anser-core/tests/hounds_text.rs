//! Fox-and-Hounds and Hasenspiel in writing: positions, moves, diagrams, ids and fingerprints.

use std::collections::HashSet;
use std::ops::ControlFlow;

use anser_core::Side;
use anser_core::fox_hounds::{self, FoxHounds};
use anser_core::hasenspiel::{self, Hasenspiel};
use anser_core::hounds::{Position, Square};
use anser_core::prelude::*;
use proptest::prelude::*;

fn fox_hounds(size: usize, rules: fox_hounds::RuleSet) -> FoxHounds {
    FoxHounds::new(size, rules).unwrap_or_else(|e| panic!("{e}"))
}

fn read<G: Game>(game: &G, text: &str) -> G::Position {
    game.parse_position(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn moves<G: Game>(game: &G, position: &G::Position) -> String {
    let mut list = Vec::new();
    let _ = game.visit_moves(position, |mv, _| {
        list.push(game.format_move(&mv));
        ControlFlow::<()>::Continue(())
    });
    list.join(" ")
}

/// What is wrong with each text, and in which column.
fn check_errors<G: Game>(game: &G, example: &str, cases: &[(&str, usize, &str)]) {
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
        ("2F1/4/4/4/4/4/4/hhhh ff", 23, "follows"),
        ("2F1/4/4/4/4/4/hhhh f", 19, "row 1 is missing"),
        ("2F1/4/4/4/4/4/4", 16, "ends after row 2, there are 8"),
        ("2F1/4/4/4/4/4/4/hhhh/4 f", 21, "only 8 rows"),
        ("2F2/4/4/4/4/4/4/hhhh f", 3, "more than 4"),
        ("2F/4/4/4/4/4/4/hhhh f", 3, "only 3 are given"),
        ("2F1/4/3F/4/4/4/4/hhhh f", 8, "second fox, the first is on e8"),
        ("2F1/4/4/4/4/4/3h/hhhh f", 21, "more than 4 hounds"),
        ("2F1/4/4/4/4/4/4/h1hh f", 1, "3 of 4 hounds"),
        ("2F1/4/4/4/4/4/4/4 f", 1, "0 of 4 hounds"),
        ("4/4/4/4/4/4/4/hhhh f", 1, "no fox (F)"),
        ("2f1/4/4/4/4/4/4/hhhh f", 2, "a fox is written F; f is a side to move"),
        ("2F1/4/4/4/4/4/4/Hhhh f", 17, "a hound is written h"),
        ("2F1/4/4/4/4/4/4/bbbb f", 17, "'b' is none of"),
        ("2F1/4/0/4/4/4/4/hhhh f", 7, "'0'"),
        ("2F1/4/ä/4/4/4/4/hhhh f", 7, "'ä'"),
        ("3F2/6/6/6/6/6/6/6/6/6/6/hhhhhh f", 3, "more than 4"),
    ];
    check_errors(&FoxHounds::default(), "2F1/4/4/4/4/4/4/hhhh f", &cases);
    let cases = [
        ("1W2/4/4/4/4/4/4/bbbb f", 22, "write w (rabbit) or b (pawns)"),
        ("1w2/4/4/4/4/4/4/bbbb w", 2, "a rabbit is written W; w is a side to move"),
        ("1W2/4/4/4/4/4/4/hhhh w", 17, "'h' is none of W (rabbit), b (pawn)"),
        ("1W2/4/4/4/4/4/b3/bbbb w", 21, "more than 4 pawns"),
    ];
    check_errors(&Hasenspiel::default(), "1W2/4/4/4/4/4/4/bbbb w", &cases);
    assert!(FoxHounds::default().parse_position(&"4/".repeat(100_000)).is_err());
}

#[test]
fn the_example_in_errors_is_the_start() {
    for size in [2, 4, 6, 8, 10, 12] {
        let game = fox_hounds(size, fox_hounds::RuleSet::Escape);
        let error = game.parse_position("?").expect_err("no position");
        let example = error.example();
        assert_eq!(game.format_position(&game.start()), example);
        assert_eq!(game.parse_position(&example.replace(' ', "_")), Ok(game.start()));
    }
    let game = Hasenspiel::default();
    let error = game.parse_position("?").expect_err("no position");
    let example = error.example();
    assert_eq!(game.format_position(&game.start()), example);
    assert_eq!(game.start().fox().number(), 29);
}

#[test]
fn moves_read_back_and_wrong_ones_name_the_column() {
    let game = FoxHounds::default();
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
        ("i8-d7", 1, "a column from a to h"),
        ("e9-d7", 2, "a row from 1 to 8"),
        ("e0-d7", 2, "a row from 1 to 8"),
        ("e08-d7", 2, "a row from 1 to 8"),
        ("e8-d77777777777777777777777", 5, "a row from 1 to 8"),
        ("e8-dd", 5, "a row from 1 to 8"),
        ("d8-e7", 1, "d8 is not one of the squares"),
        ("e8-e7", 4, "e7 is not one of the squares"),
        ("e8xd7", 3, "'x' is not -"),
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
    let large = fox_hounds(12, fox_hounds::RuleSet::Escape);
    assert_eq!(moves(&large, &large.start()), "g12-f11 g12-h11");
    assert!(large.parse_move(&large.start(), "g12-h11").is_ok());
    let rabbit = Hasenspiel::default();
    let error = rabbit.parse_move(&rabbit.start(), "e8-d7").expect_err("a light square");
    assert!(rabbit.parse_move(&rabbit.start(), error.example()).is_ok());
}

#[test]
fn diagrams_show_the_men_where_they_stand() {
    let game = fox_hounds(4, fox_hounds::RuleSet::Escape);
    let expected = "\
4  .   F
3    .   .
2  .   .
1    h   h
   a b c d
";
    assert_eq!(game.diagram(&game.start()), expected);
    let large = fox_hounds(10, fox_hounds::RuleSet::Escape);
    let shown = large.diagram(&large.start());
    let rows: Vec<&str> = shown.lines().collect();
    assert_eq!((rows[0], rows[1]), ("10  .   .   F   .   .", " 9    .   .   .   .   ."));
    assert_eq!((rows[9], rows[10]), (" 1    h   h   h   h   h", "    a b c d e f g h i j"));
    let game = Hasenspiel::default();
    assert!(game.diagram(&game.start()).starts_with("8    .   W   .   .\n7  .   .   .   .\n"));
}

#[test]
fn what_values_depend_on_is_in_the_fingerprint() {
    let mut all: Vec<String> = Vec::new();
    for size in [2, 4, 6, 8, 10, 12] {
        all.extend(fox_hounds::RuleSet::all().map(|rules| fox_hounds(size, rules).fingerprint()));
    }
    all.extend(hasenspiel::RuleSet::all().map(|rules| Hasenspiel::new(rules).fingerprint()));
    let distinct: HashSet<&String> = all.iter().collect();
    assert_eq!(distinct.len(), all.len());
    assert_eq!(
        all[2],
        "fox-hounds:4 rules=escape lone=fox pack=hounds pack-men=2 lone-steps=any pack-steps=up captures=none \
         end=blocked-mover-loses,then-fox-wins-with-its-square-and-a-neighbour-out-of-reach \
         lines=b1>a2,b1>c2,d1>c2,a2>b3,c2>b3,c2>d3,b3>a4,b3>c4,d3>c4,"
    );
}

#[test]
fn sizes_and_rule_sets_that_there_are_none_of_are_refused() {
    for size in [0, 1, 3, 7, 9, 14, usize::MAX] {
        let error = FoxHounds::new(size, fox_hounds::RuleSet::Escape)
            .expect_err("no such board")
            .to_string();
        assert!(error.contains("an even number from 2 to 12"), "{error}");
    }
    for rules in fox_hounds::RuleSet::all() {
        assert_eq!(rules.to_string().parse(), Ok(rules));
    }
    for rules in hasenspiel::RuleSet::all() {
        assert_eq!(rules.to_string().parse(), Ok(rules));
    }
    for wrong in ["", "Escape", "escape ", "literal"] {
        let error = wrong.parse::<fox_hounds::RuleSet>().expect_err(wrong).to_string();
        assert!(error.contains("fox-hounds:8 has escape and strict"), "{error}");
    }
    let error = "strict".parse::<hasenspiel::RuleSet>().expect_err("of the other game").to_string();
    assert!(error.contains("hasenspiel has literal and author"), "{error}");
}

proptest! {
    #[test]
    fn what_is_written_reads_back_and_ranks_are_inverse(
        size in prop::sample::select(vec![4usize, 6, 8, 10, 12]),
        numbers in Just((0..72).collect::<Vec<usize>>()).prop_shuffle(),
        first in any::<bool>(),
    ) {
        let game = fox_hounds(size, fox_hounds::RuleSet::Escape);
        let mut squares = numbers.into_iter().filter_map(Square::new).filter(|&s| game.board().squares().contains(s));
        let fox = squares.next().expect("every square comes once");
        let hounds = squares.take(size / 2).collect();
        let side = if first { Side::First } else { Side::Second };
        let position = Position::new(game.board(), fox, hounds, side).expect("sound");
        prop_assert_eq!(game.parse_position(&game.format_position(&position)), Ok(position));
        let index = game.index(game.layer(&position));
        let rank = index.rank(&position);
        prop_assert!(rank < index.len(side));
        prop_assert_eq!(index.unrank(side, rank), position);
    }

    #[test]
    fn no_text_makes_the_parsers_panic(text in "[0-9Fhfg/_ a-c\u{e9}-]{0,60}") {
        let game = FoxHounds::default();
        if let Ok(position) = game.parse_position(&text) {
            prop_assert_eq!(game.parse_position(&game.format_position(&position)), Ok(position));
        }
        let _ = game.parse_move(&game.start(), &text);
    }
}

#[test]
fn hasenspiel_has_other_boards_and_the_usual_one_keeps_its_name_and_rules() {
    use anser_core::hasenspiel::RuleSet::{Author, Literal};
    for (size, name, start) in [
        ("", "hasenspiel", "1W2/4/4/4/4/4/4/bbbb w"),
        ("8", "hasenspiel", "1W2/4/4/4/4/4/4/bbbb w"),
        ("8-4", "hasenspiel", "1W2/4/4/4/4/4/4/bbbb w"),
        ("8-2", "hasenspiel:8-2", "1W2/4/4/4/4/4/4/bb2 w"),
        ("10", "hasenspiel:10", "2W2/5/5/5/5/5/5/5/5/bbbbb w"),
        ("10-5", "hasenspiel:10", "2W2/5/5/5/5/5/5/5/5/bbbbb w"),
        ("12-1", "hasenspiel:12-1", "2W3/6/6/6/6/6/6/6/6/6/6/b5 w"),
        ("2", "hasenspiel:2", "W/b w"),
    ] {
        let game = Hasenspiel::of_size(size, Literal).expect("a size");
        assert_eq!((game.name(), game.format_position(&game.start())), (name.into(), start.into()));
        let error = game.parse_position("").expect_err("nothing").to_string();
        assert!(error.contains(start), "{error}");
    }
    for wrong in
        ["7", "0", "14", "8-5", "8-0", "10x10", "8-", "-4", "+8", "08", "99999999999999999999"]
    {
        let error = Hasenspiel::of_size(wrong, Author).expect_err("no size").to_string();
        assert!(error.contains("hasenspiel:10-3"), "{wrong}: {error}");
    }
    // The names alone would not keep tables of two boards apart if the rules did not.
    let prints: std::collections::BTreeSet<String> = ["4", "4-1", "6", "6-1", "6-2", "8", "8-3"]
        .iter()
        .flat_map(|size| {
            [Literal, Author]
                .map(|rules| Hasenspiel::of_size(size, rules).expect("a size").fingerprint())
        })
        .collect();
    assert_eq!(prints.len(), 14);
    assert!(Hasenspiel::new(Author).fingerprint().contains(
        "hasenspiel rules=author lone=rabbit pack=pawns pack-men=4 lone-steps=any pack-steps=up captures=none \
         end=rabbit-wins-below-lowest-pawn-plus-3,then-blocked-mover-loses lines=a1>b2,"
    ));
}
