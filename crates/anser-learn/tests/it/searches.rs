//! The search, with evaluators that are right, wrong, and indifferent.

use anser_core::hunt::Position;
use anser_core::{Outcome, Unobserved};
use anser_learn::{
    Evaluation, Evaluator, LearnError, Network, Search, Searcher, Selection, Shape, grade, search,
};
use anser_retrograde::Solution;

use crate::hexapawn;

/// Evaluates by exact values, times `sign`, and prefers no move.
struct Exact<'a>(&'a Solution, f32);

impl Evaluator for Exact<'_> {
    fn evaluate(&mut self, positions: &[Position]) -> Result<Vec<Evaluation>, LearnError> {
        let game = self.0.game();
        let evaluate = |position: &Position| {
            let value = match self.0.require(position)?.outcome() {
                Outcome::Draw => 0.0,
                Outcome::Win(side) if side == position.to_move() => self.1,
                Outcome::Win(_) => -self.1,
            };
            Ok(Evaluation { scores: vec![0.0; game.moves(position).len()], value })
        };
        positions.iter().map(evaluate).collect()
    }
}

const SELECTIONS: [Selection; 3] = [
    Selection::Puct { c: 1.0, reduction: None, noise: 0.0 },
    Selection::Puct { c: 1.5, reduction: Some(0.2), noise: 0.25 },
    Selection::Gumbel { considered: 16, scale: 0.1 },
];

#[test]
fn with_a_perfect_evaluator_the_search_plays_perfectly() {
    for game in [hexapawn(3, 3), hexapawn(4, 3)] {
        let solution = Solution::reachable(&game, &game.start()).unwrap();
        for selection in SELECTIONS {
            for exact in [false, true] {
                let settings = Search { simulations: 32, selection, exact };
                let mut player = Searcher::new(&game, Exact(&solution, 1.0), Some(settings));
                let grade = grade(&solution, &mut player, &Unobserved).unwrap();
                assert_eq!(grade.all.wrong, 0, "{settings:?}");
            }
        }
    }
}

#[test]
fn certain_values_hold_against_any_evaluation() {
    let game = hexapawn(3, 3);
    let solution = Solution::reachable(&game, &game.start()).unwrap();
    for selection in SELECTIONS {
        let settings = Search { simulations: 2_000, selection, exact: true };
        let mut player = Searcher::new(&game, Exact(&solution, -1.0), Some(settings));
        let grade = grade(&solution, &mut player, &Unobserved).unwrap();
        assert_eq!((grade.all.wrong, grade.wrong_signs), (0, 0), "{settings:?}");
        // Without them a wrong evaluator is believed.
        let few = Search { simulations: 4, exact: false, ..settings };
        let mut player = Searcher::new(&game, Exact(&solution, -1.0), Some(few));
        assert!(super::grades::wrong(&solution, &mut player) > 0, "{few:?}");
    }
}

#[test]
fn shares_are_those_of_legal_moves_and_the_choice_is_one_of_them() {
    let game = hexapawn(4, 4);
    let solution = Solution::reachable(&game, &game.start()).unwrap();
    let open: Vec<_> = super::positions(&solution)
        .into_iter()
        .filter(|position| game.terminal(position).is_none())
        .step_by(40)
        .collect();
    for selection in SELECTIONS {
        for simulations in [1, 2, 7, 40] {
            let settings = Search { simulations, selection, exact: true };
            let found = search(&game, settings, &open, &mut Exact(&solution, 1.0)).unwrap();
            for (position, found) in open.iter().zip(found) {
                assert_eq!(found.shares.len(), game.moves(position).len());
                assert!(found.choice < found.shares.len());
                assert!((found.shares.iter().sum::<f32>() - 1.0).abs() < 1e-4);
                assert!(found.shares.iter().all(|share| (0.0..=1.0001).contains(share)));
                assert!((-1.0001..=1.0001).contains(&found.value));
            }
        }
    }
}

#[test]
fn numbers_that_are_not_finite_are_errors() {
    let shape = Shape { inputs: 2, hidden: vec![4], actions: 3 };
    let network = Network::new(&shape, 1).unwrap();
    assert!(network.evaluate(vec![1.0, 0.0]).is_ok());
    for input in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
        let found = network.evaluate(vec![input, input]);
        assert!(matches!(found, Err(LearnError::NotFinite)), "{input}");
    }
}
