//! Compares FoxBoxes and the fuzzy player with the oracle in every position.

use anser_analyse::{FoxBoxes, Fuzzy, MaxB, Weights, is_fox_box};
use anser_core::{Hunt, Side};
use anser_oracle::{Game as _, fox_hounds, foxbox, fuzz};
use anser_retrograde::Solution;

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
fn lines_and_chances_are_those_of_the_whole_board() {
    let boxes = boxes(8);
    let start = boxes.game().start();
    let line = boxes.line(&start).expect("the hounds win");
    assert_eq!(line.len() - 1, usize::from(boxes.max_b(&start).expect("it was solved").plies));
    let hounds = Fuzzy::new(&boxes, Side::Second, Weights::Printed);
    let position = boxes.game().parse_position("4/1F2/4/4/4/4/4/hhhh h").expect("a position");
    let moves = hounds.moves(0.25, &position).expect("it was solved");
    assert!((moves.iter().sum::<f64>() - 1.0).abs() < 1e-12);
}
