//! Compares FoxBoxes and the fuzzy player with the oracle in every position, and with the published
//! figures.

use std::collections::HashMap;

use anser_analyse::{FoxBoxes, Fuzzy, MaxB, Weights, is_fox_box};
use anser_core::{Hunt, Side};
use anser_oracle::{Game as _, fox_hounds, foxbox, fuzz};
use anser_retrograde::Solution;

/// The published opposite position: the first one won for the fox in breadth-first order.
const OPPOSITE: &str = "4/1F2/4/4/4/4/3h/hh1h f";

fn boxes(size: usize) -> FoxBoxes {
    let game = Hunt::fox_hounds(size, "escape").expect("there is such a board");
    let solution = Solution::reachable(&game, &game.start()).expect("the game can be solved");
    FoxBoxes::new(&solution).expect("its moves can be numbered")
}

#[test]
fn the_plain_program_has_the_same_boxes_values_and_chances_everywhere() {
    for size in [4, 6] {
        let ours = boxes(size);
        let board = ours.game().rows().expect("the hounds only go up").board;
        let plain = fox_hounds::FoxHounds::new(size as u8);
        let graph = anser_oracle::Graph::reachable(&plain, &plain.start());
        let values = graph.values();
        let b = foxbox::b_values(&plain, &graph, &values);
        let max = foxbox::max_b(&graph, &b);
        let finite = |b: u32| (b != foxbox::NEVER).then_some(b as u16);
        let positions: Vec<_> = graph
            .positions
            .iter()
            .map(|position| {
                ours.game().parse_position(&plain.notation(position)).expect("it is a position")
            })
            .collect();
        for (at, position) in positions.iter().enumerate() {
            let text = plain.notation(&graph.positions[at]);
            assert_eq!(
                is_fox_box(board, position),
                foxbox::is_box(&plain, &graph.positions[at]),
                "{text}"
            );
            assert_eq!(ours.b(position), Some(finite(b[at])), "{text}");
            let expected = MaxB { b: finite(max[at].b), plies: max[at].plies.0 as u16 };
            assert_eq!(ours.max_b(position), Some(expected), "{text}");
        }
        let sides =
            [(Side::First, anser_oracle::Side::First), (Side::Second, anser_oracle::Side::Second)];
        let weights =
            [(Weights::Printed, fuzz::Fuzz::Weights), (Weights::Literal, fuzz::Fuzz::Literal)];
        for (side, plain_side) in sides {
            for (ours_by, plain_by) in weights {
                let fuzzy = Fuzzy::new(&ours, side, ours_by);
                let other = fuzz::Match::new(&graph, &values, &max, plain_side);
                for p in [0.0, 0.01, 0.3, 1.0] {
                    let expected = other.chances(plain_by, p);
                    let found = fuzzy.all_opponent_wins(p);
                    for (at, position) in positions.iter().enumerate() {
                        let (found, expected) = (found[position], expected[at]);
                        assert!(
                            (found - expected).abs() < 1e-12,
                            "{p} {side:?}: {found} and {expected}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn b_is_finite_exactly_where_the_hounds_win() {
    let boxes = boxes(8);
    let solution =
        Solution::reachable(boxes.game(), &boxes.game().start()).expect("the game can be solved");
    let wrong = |wrong: u64, position: &_, value: anser_core::Dtw| {
        let finite = boxes.b(position).expect("it was solved").is_some();
        wrong + u64::from(finite != (value.winner() == Some(Side::Second)))
    };
    assert_eq!(solution.fold(|| 0, wrong, |a, b| a + b), 0);
}

#[test]
fn on_the_chessboard_the_published_figures_come_out() {
    let boxes = boxes(8);
    let (start, opposite) =
        (boxes.game().start(), boxes.game().parse_position(OPPOSITE).expect("it is a position"));
    assert_eq!(boxes.b(&start), Some(Some(0)));
    assert_eq!(boxes.max_b(&start).map(|max| max.b), Some(Some(6)));
    assert_eq!(
        boxes.line(&start).map(|line| line.len() - 1),
        boxes.max_b(&start).map(|max| max.plies.into())
    );
    let hounds = Fuzzy::new(&boxes, Side::Second, Weights::Printed);
    let fox = Fuzzy::new(&boxes, Side::First, Weights::Printed);
    let chance = |fuzzy: &Fuzzy<'_>, p, position| {
        format!("{:.3}", fuzzy.opponent_wins(p, position).expect("it was solved"))
    };
    let table: HashMap<&str, [&str; 2]> = HashMap::from([
        ("0.000000", ["0.000", "0.000"]),
        ("0.003906", ["0.326", "0.150"]),
        ("0.031250", ["0.943", "0.696"]),
        ("1.000000", ["1.000", "0.999"]),
    ]);
    for (p, printed) in table {
        let p: f64 = p.parse().expect("a number");
        // The document rounds binary fractions to six decimals; this restores them.
        let p = (p * 1_048_576.0).round() / 1_048_576.0;
        assert_eq!([chance(&hounds, p, &start), chance(&fox, p, &opposite)], printed, "{p}");
    }
    assert_eq!(format!("{:.6}", hounds.fairest(&start, 1e-5).expect("it was solved")), "0.006935");
    let moves = hounds
        .moves(0.25, &boxes.game().parse_position("4/1F2/4/4/4/4/4/hhhh h").expect("a position"));
    assert!((moves.expect("it was solved").iter().sum::<f64>() - 1.0).abs() < 1e-12);
}
