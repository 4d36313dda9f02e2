//! Grades of players that are known.

use anser_analyse::Solution;
use anser_core::fox_hounds::{FoxHounds, RuleSet};
use anser_core::prelude::*;
use anser_core::{Next, Unobserved};
use anser_learn::{Grade, LearnError, Perfect, Player, Searched, Solved, Uniform, grade};

use crate::{hexapawn, positions};

fn graded<G: Game>(solution: &Solution<G>, player: &mut dyn Player<G>) -> Grade<G> {
    grade(solution, player, &Unobserved).unwrap()
}

/// The number of wrong decisions of a player.
pub(crate) fn wrong<G: Game>(solution: &Solution<G>, player: &mut dyn Player<G>) -> u64 {
    graded(solution, player).all.wrong
}

/// A player that plays the last move in some positions, and otherwise perfectly.
struct Planted<'a, G: Game>(&'a Solution<G>, Vec<G::Position>);

impl<G: Game> Player<G> for Planted<'_, G> {
    fn choose(&mut self, positions: &[G::Position]) -> Result<Vec<Searched>, LearnError> {
        let mut chosen = Perfect(self.0).choose(positions)?;
        for (position, chosen) in positions.iter().zip(&mut chosen) {
            if self.1.contains(position) {
                chosen.choice = chosen.shares.len() - 1;
            }
        }
        Ok(chosen)
    }
}

#[test]
fn the_perfect_player_has_no_faults() {
    let game = FoxHounds::new(6, RuleSet::Escape).unwrap();
    let solution = Solution::reachable(&game, &game.start()).unwrap();
    let grade = graded(&solution, &mut Perfect(&solution));
    let counts = grade.all;
    assert!(counts.decisions > 1_000);
    assert_eq!((counts.wrong, counts.imperfect, grade.wrong_signs), (0, 0, 0));
    assert!(counts.wrong_shares < 1e-9 && grade.value_error < 1e-9);
    assert_eq!((grade.solved, grade.worst.len()), (Solved::Strongly, 0));
    let by_moves: u64 = grade.by_moves.iter().map(|(_, counts)| counts.decisions).sum();
    let by_plies: u64 = grade.by_plies.iter().map(|(_, counts)| counts.decisions).sum();
    assert_eq!((by_moves, by_plies), (counts.decisions, counts.decisions));
}

#[test]
fn a_planted_mistake_is_counted_and_decides_what_is_solved() {
    let game = hexapawn(3, 3);
    let solution = Solution::reachable(&game, &game.start()).unwrap();
    let value = |next: &Next<_>| match next {
        Next::Position(next) => solution.require(next).unwrap().outcome(),
        Next::End(outcome) => *outcome,
    };
    let (mut found, mut levels) = (0, Vec::new());
    for position in positions(&solution) {
        let moves = game.moves(&position);
        let best = solution.require(&position).unwrap().outcome();
        let Some((_, last)) = moves.last().filter(|_| moves.len() > 1) else { continue };
        let expected = u64::from(value(last) != best);
        let grade = graded(&solution, &mut Planted(&solution, vec![position]));
        assert_eq!(grade.all.wrong, expected, "{}", game.format_position(&position));
        assert_eq!(grade.worst.len() as u64, expected);
        assert_eq!(grade.solved == Solved::Strongly, expected == 0);
        if position == game.start() {
            assert_eq!(expected, 0, "White is lost at the start, so no move is wrong");
        }
        found += expected;
        levels.push(grade.solved);
    }
    assert!(found > 10, "{found}");
    // Some mistakes come up when the player plays from the start, some do not.
    assert!(levels.contains(&Solved::No) && levels.iter().any(|level| *level >= Solved::Weakly));
}

#[test]
fn a_player_by_chance_is_graded_by_its_shares() {
    let game = hexapawn(3, 3);
    let solution = Solution::reachable(&game, &game.start()).unwrap();
    let grade = graded(&solution, &mut Uniform(&game));
    // Counted apart: the wrong moves of every decision over its moves.
    let mut expected = 0.0;
    let mut decisions = 0;
    for position in positions(&solution) {
        let moves = game.moves(&position);
        if moves.len() > 1 {
            let best = solution.require(&position).unwrap().outcome();
            let wrong = moves.iter().filter(|(_, next)| {
                solution.require(&crate::after(*next)).unwrap().outcome() != best
            });
            expected += wrong.count() as f64 / moves.len() as f64;
            decisions += 1;
        }
    }
    assert_eq!(grade.all.decisions, decisions);
    assert!((grade.all.wrong_shares - expected).abs() < 1e-4);
    assert!(grade.classes.decisions < decisions && grade.classes.decisions * 2 >= decisions);
}
