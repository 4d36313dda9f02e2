//! Grades of players that are known.

use std::collections::HashSet;

use anser_core::hunt::Position;
use anser_core::{Hunt, Next, Unobserved};
use anser_learn::{
    Grade, LearnError, Perfect, Player, Searched, SolutionGrade, Uniform, draw_decisions, grade,
    grade_decisions,
};
use anser_retrograde::{Limits, Solution};

use crate::{hexapawn, positions};

fn graded(solution: &Solution, player: &mut dyn Player) -> Grade {
    grade(solution, player, &Unobserved).unwrap()
}

/// Returns the grade of the solution that a player has found.
fn solved(grade: &Grade) -> SolutionGrade {
    grade.whole.expect("it is over everything that play can reach").solved
}

/// The number of wrong decisions of a player.
pub(crate) fn wrong(solution: &Solution, player: &mut dyn Player) -> u64 {
    graded(solution, player).all.wrong
}

/// A player that plays the last move in some positions, and otherwise perfectly.
struct Planted<'a>(&'a Solution, Vec<Position>);

impl Player for Planted<'_> {
    fn choose(&mut self, positions: &[Position]) -> Result<Vec<Searched>, LearnError> {
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
    let game = Hunt::fox_hounds(6, "escape").unwrap();
    let solution = Solution::reachable(&game, &game.start()).unwrap();
    let grade = graded(&solution, &mut Perfect(&solution));
    let counts = grade.all;
    assert!(counts.decisions > 1_000);
    assert_eq!((counts.wrong, counts.imperfect, grade.wrong_signs), (0, 0, 0));
    assert!(counts.wrong_shares < 1e-9 && grade.value_error < 1e-9);
    assert_eq!((solved(&grade), grade.worst.len()), (SolutionGrade::Strongly, 0));
    let by_moves: u64 = grade.by_moves.iter().map(|(_, counts)| counts.decisions).sum();
    let by_plies: u64 = grade.by_plies.iter().map(|(_, counts)| counts.decisions).sum();
    assert_eq!((by_moves, by_plies), (counts.decisions, counts.decisions));
}

#[test]
fn a_planted_mistake_is_counted_and_decides_what_is_solved() {
    let game = hexapawn(3, 3);
    let solution = Solution::reachable(&game, &game.start()).unwrap();
    let value = |next: &Next| match next {
        Next::Position(next) => solution.require(next).unwrap().outcome(),
        Next::End(end) => end.outcome,
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
        assert_eq!(solved(&grade) == SolutionGrade::Strongly, expected == 0);
        if position == game.start() {
            assert_eq!(expected, 0, "White is lost at the start, so no move is wrong");
        }
        found += expected;
        levels.push(solved(&grade));
    }
    assert!(found > 10, "{found}");
    // Some mistakes come up when the player plays from the start, some do not.
    assert!(
        levels.contains(&SolutionGrade::No)
            && levels.iter().any(|level| *level >= SolutionGrade::Weakly)
    );
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

#[test]
fn decisions_of_layers_are_drawn_once_each_and_graded_as_all_of_them_are() {
    let game = Hunt::fox_geese("free").unwrap();
    let drawn = draw_decisions(&game, 4..=5, 500, 3);
    let each: HashSet<_> = drawn.iter().copied().collect();
    assert_eq!((drawn.len(), each.len()), (500, 500));
    assert_eq!(drawn, draw_decisions(&game, 4..=5, 500, 3));
    assert_ne!(drawn, draw_decisions(&game, 4..=5, 500, 4));
    for position in &drawn {
        assert!(game.terminal(position).is_none() && game.moves(position).len() > 1);
    }
    for layer in [4, 5] {
        assert!(drawn.iter().filter(|it| game.layer(it) == layer).count() > 200);
    }
    // With fewer than four geese the game is over.
    assert_eq!(draw_decisions(&game, 2..=3, 5, 1), []);
    // A value that is missing is an error, and not a grade.
    let lowest = Solution::of_layers(&game, 1..=1, &Limits::default()).unwrap();
    let result = grade_decisions(&game, &lowest, &drawn, &mut Uniform(&game), &Unobserved);
    assert!(matches!(result, Err(LearnError::Analyse(_))));

    // With as many as there are, the grade is that over all.
    let game = hexapawn(3, 3);
    let solution_of_all = Solution::of_layers(&game, game.layers(), &Limits::default()).unwrap();
    let decisions = draw_decisions(&game, game.layers(), 10_000, 1);
    let is_decision = |it: &Position| game.terminal(it).is_none() && game.moves(it).len() > 1;
    let all: HashSet<_> =
        positions(&solution_of_all).into_iter().filter(|it| is_decision(it)).collect();
    assert_eq!(decisions.iter().copied().collect::<HashSet<_>>(), all);
    let graded = |decisions: &[_]| {
        let mut player = Uniform(&game);
        grade_decisions(&game, &solution_of_all, decisions, &mut player, &Unobserved).unwrap()
    };
    let grade = graded(&decisions);
    assert_eq!((grade.all.decisions, grade.whole), (all.len() as u64, None));
    assert!(grade.all.wrong > 0 && grade.all.wrong < grade.all.decisions);
    let parts = decisions.chunks(50).map(|part| graded(part).all.wrong);
    assert_eq!(parts.sum::<u64>(), grade.all.wrong);
    let mut perfect = Perfect(&solution_of_all);
    let perfect =
        grade_decisions(&game, &solution_of_all, &decisions, &mut perfect, &Unobserved).unwrap();
    assert_eq!((perfect.all.wrong, perfect.all.imperfect), (0, 0));
}
