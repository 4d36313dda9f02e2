//! Rules and routines of the oracles, checked by hand or in a second way.

use anser_oracle::fox_hounds::{FoxHounds, Position, Square};
use anser_oracle::foxbox::{NEVER, b_values, is_box, max_b};
use anser_oracle::fuzz::{Fuzz, Match};
use anser_oracle::hare_hounds::HareHounds;
use anser_oracle::hasenspiel::Hasenspiel;
use anser_oracle::hexapawn::Hexapawn;
use anser_oracle::noughts::Noughts;
use anser_oracle::{Game, Graph, Side, Value};

fn opening<G: Game>(game: &G) -> (String, Vec<String>) {
    let start = game.start();
    (game.notation(&start), game.moves(&start).iter().map(|(mv, _)| mv.to_string()).collect())
}

#[test]
fn the_starts_and_their_moves() {
    let (start, moves) = opening(&FoxHounds::new(8));
    assert_eq!((start.as_str(), moves.join(" ")), ("2F1/4/4/4/4/4/4/hhhh f", "e8-d7 e8-f7".into()));
    let (start, moves) = opening(&Hasenspiel::Literal);
    assert_eq!((start.as_str(), moves.join(" ")), ("1W2/4/4/4/4/4/4/bbbb w", "d8-c7 d8-e7".into()));
    let (start, moves) = opening(&HareHounds { budget: Some(60) });
    assert_eq!(
        (start.as_str(), moves.join(" ")),
        ("h2/h3R/h2 h", "1-2 1-5 1-6 4-5 9-5 9-6 9-10".into())
    );
    let (start, moves) = opening(&Hexapawn { columns: 3, rows: 3 });
    assert_eq!((start.as_str(), moves.join(" ")), ("ppp/3/PPP w", "a1-a2 b1-b2 c1-c2".into()));
    assert_eq!(opening(&Noughts).1.len(), 9);
}

#[test]
fn plies_used_stand_behind_the_side_to_move() {
    let game = HareHounds { budget: Some(60) };
    let next = game.moves(&game.start())[0].1;
    assert_eq!(game.notation(&next), "1h1/h3R/h2 r 59");
    let unlimited = HareHounds { budget: None };
    assert_eq!(unlimited.notation(&unlimited.moves(&unlimited.start())[0].1), "1h1/h3R/h2 r");
}

#[test]
fn pawns_capture_diagonally_forward() {
    let game = Hexapawn { columns: 3, rows: 3 };
    let graph = Graph::reachable(&game, &game.start());
    let at = graph.by_notation(&game)["ppp/P2/1PP b"];
    let moves: Vec<String> =
        game.moves(&graph.positions[at]).iter().map(|(mv, _)| mv.to_string()).collect();
    assert_eq!(moves, ["b3-b2", "b3xa2", "c3-c2"]);
}

#[test]
fn values_by_search_and_by_rounds_are_the_same() {
    for game in [FoxHounds::new(4), FoxHounds::new(6), FoxHounds { n: 6, strict: true }] {
        let graph = Graph::of(&game, game.all_positions());
        assert_eq!(graph.values(), graph.values_by_rounds());
    }
    let game = Hexapawn { columns: 3, rows: 3 };
    let graph = Graph::of(&game, game.all_positions());
    assert_eq!(graph.values(), graph.values_by_rounds());
    // Draws by the rules, not by endless play.
    let graph = Graph::reachable(&Noughts, &Noughts.start());
    assert_eq!(graph.values(), graph.values_by_rounds());
    let game = HareHounds { budget: Some(9) };
    let graph = Graph::of(&game, game.all_positions());
    assert_eq!(graph.len(), 10 * 2640);
    assert_eq!(graph.values(), graph.values_by_rounds());
}

#[test]
fn everything_that_can_be_reached_is_among_all_positions() {
    for game in [FoxHounds::new(2), FoxHounds::new(4), FoxHounds::new(6)] {
        let all = game.all_positions();
        let (count, graph) = (all.len(), Graph::of(&game, all));
        assert_eq!(graph.len(), count);
        assert_eq!(graph.numbers.len(), count, "no position twice");
        assert!(graph.find(&game.start()).is_some());
    }
    for (columns, rows) in [(3, 3), (2, 4), (4, 3)] {
        let game = Hexapawn { columns, rows };
        let all = game.all_positions();
        let (count, graph) = (all.len(), Graph::of(&game, all));
        assert_eq!((graph.len(), graph.numbers.len()), (count, count));
        assert!(graph.find(&game.start()).is_some());
    }
}

#[test]
fn wherever_hexapawn_ends_the_side_to_move_has_lost() {
    for (columns, rows) in [(3, 3), (4, 4)] {
        let game = Hexapawn { columns, rows };
        let graph = Graph::reachable(&game, &game.start());
        let mut ends =
            graph.ended.iter().zip(&graph.to_move).filter_map(|(end, side)| Some(((*end)?, *side)));
        assert!(ends.all(|(end, side)| end.winner == Some(side.other())));
    }
}

#[test]
fn hounds_that_win_within_the_budget_win_as_fast_without_one() {
    let (budget, unlimited) = (HareHounds { budget: Some(60) }, HareHounds { budget: None });
    let graph = Graph::of(&budget, budget.all_positions());
    assert_eq!(graph.len(), 61 * 2640);
    let values = graph.values();
    let endless = Graph::of(&unlimited, unlimited.all_positions());
    let free = endless.values_by_rounds();
    for (position, free) in endless.positions.iter().zip(free) {
        let bound = values[graph
            .find(&budget.position(position.hounds, position.hare, position.to_move))
            .unwrap()];
        match free.winner {
            // The hare wins when the budget is spent.
            None => assert_eq!(bound, Value { winner: Some(Side::First), plies: 60 }),
            Some(_) => assert_eq!(bound, free),
        }
    }
}

#[test]
fn the_hounds_win_exactly_where_they_can_force_a_fox_box_that_they_win() {
    for n in [2, 4, 6] {
        let game = FoxHounds::new(n);
        let graph = Graph::of(&game, game.all_positions());
        let values = graph.values();
        let b = b_values(&game, &graph, &values);
        let max = max_b(&graph, &b);
        for at in 0..graph.len() {
            assert_eq!(b[at] != NEVER, values[at].winner == Some(Side::Second));
            assert!(max[at].b >= b[at]);
        }
    }
}

/// A position of 8 x 8 with the fox to move, from the columns and rows of the men.
fn fox_to_move(fox: (u8, u8), hounds: [(u8, u8); 4]) -> Position {
    let square = |(x, y)| Square { x, y };
    Position::new(square(fox), &hounds.map(square), Side::First)
}

#[test]
fn the_fox_boxes_that_the_document_draws() {
    let game = FoxHounds::new(8);
    let drawn = [
        ("4/1F2/4/4/2hh/hh2/4/4 f", fox_to_move((3, 6), [(4, 3), (6, 3), (1, 2), (3, 2)])),
        ("2h1/F3/2h1/hh2/4/4/4/4 f", fox_to_move((1, 6), [(4, 7), (4, 5), (1, 4), (3, 4)])),
        ("h1hF/2h1/3h/4/4/4/4/4 f", fox_to_move((6, 7), [(0, 7), (4, 7), (5, 6), (6, 5)])),
    ];
    for (text, position) in drawn {
        assert_eq!(game.notation(&position), text);
        assert!(is_box(&game, &position), "{text}");
    }
    assert!(is_box(&game, &game.start()));
    let escaped = fox_to_move((1, 2), [(1, 4), (5, 4), (3, 2), (5, 2)]);
    assert!(!is_box(&game, &escaped));
    assert!(game.escaped(&escaped));
}

#[test]
fn without_fuzz_the_strategy_wins_and_with_full_fuzz_both_readings_are_the_same() {
    let game = FoxHounds::new(4);
    let graph = Graph::reachable(&game, &game.start());
    let values = graph.values();
    let max = max_b(&graph, &b_values(&game, &graph, &values));
    for fuzzy in [Side::First, Side::Second] {
        let game = Match::new(&graph, &values, &max, fuzzy);
        for fuzz in [Fuzz::Weights, Fuzz::Literal] {
            let chances = game.chances(fuzz, 0.0);
            for at in 0..graph.len() {
                assert!(
                    (chances[at] - f64::from(values[at].winner == Some(fuzzy.other()))).abs()
                        < 1e-12
                );
            }
        }
        let (weights, literal) =
            (game.chances(Fuzz::Weights, 1.0), game.chances(Fuzz::Literal, 1.0));
        assert!(weights.iter().zip(&literal).all(|(a, b)| (a - b).abs() < 1e-12));
        assert!(game.chances(Fuzz::Weights, 0.5) != game.chances(Fuzz::Literal, 0.5));
    }
}

#[test]
fn a_line_is_as_long_as_its_value_says() {
    let game = FoxHounds::new(6);
    let graph = Graph::reachable(&game, &game.start());
    let values = graph.values();
    for last in [&[][..], &[Side::First], &[Side::First, Side::Second]] {
        assert_eq!(graph.line(&game, &values, 0, last).len(), 21);
    }
}

/// Takes more memory and time than all other tests:
/// `cargo test -p anser-oracle --test rules -- --ignored`.
#[test]
#[ignore = "70 million positions: minutes, and many GB"]
fn ten_by_ten() {
    let game = FoxHounds::new(10);
    let graph = Graph::reachable(&game, &game.start());
    assert_eq!(graph.len(), 69_575_678);
    assert_eq!(graph.values()[0], Value { winner: Some(Side::Second), plies: 72 });
}
