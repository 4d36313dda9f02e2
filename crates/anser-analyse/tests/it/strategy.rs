//! Compares players with the documents, on every position of small boards.

use std::convert::Infallible;

use anser_analyse::{
    Advisor, FoxBoxes, Fuzzy, Level, Random, Strategy, Style, Weights, known_moves, ranked_moves,
};
use anser_core::hunt::Position;
use anser_core::{Dtw, Hunt, Outcome, Probe, RatedMove, Side, Unobserved, Value};
use anser_retrograde::{AnalyseError, Games, Solution};

fn solution(size: usize) -> Solution {
    let game = Hunt::fox_hounds(size, "escape").expect("a size");
    Solution::reachable(&game, &game.start()).expect("a solution")
}

fn positions(solution: &Solution) -> Vec<(Position, Dtw)> {
    let all = solution.layers().flat_map(|layer| solution.positions(layer));
    all.filter(|(position, _)| solution.game().terminal(position).is_none()).collect()
}

type DynAdvisor<'a> = dyn Advisor<Error = AnalyseError> + 'a;

fn best(
    strategy: &Strategy,
    game: &Hunt,
    advisor: &DynAdvisor<'_>,
    position: &Position,
) -> Vec<bool> {
    strategy.best(game, advisor, position, &known_moves(game, advisor, position), &[])
}

#[test]
fn in_the_style_of_the_document_it_is_the_fuzzy_player() {
    let solution = solution(6);
    let (game, boxes) = (solution.game(), FoxBoxes::new(&solution).expect("boxes"));
    for weights in Weights::ALL {
        let strategy =
            Strategy { style: Style::Document, fuzz: 0.1, weights, ..Strategy::default() };
        let fuzzy = Side::BOTH.map(|side| Fuzzy::new(&boxes, side, weights));
        for (position, _) in positions(&solution) {
            let expected =
                fuzzy[position.to_move().index()].moves(0.1, &position).expect("it was solved");
            let chances = strategy.chances(&best(&strategy, game, &boxes, &position));
            assert_eq!(chances, expected, "{}", game.format_position(&position));
        }
    }
}

#[test]
fn a_hard_player_hurries_and_a_lost_one_follows_the_document() {
    let solution = solution(6);
    let (game, boxes) = (solution.game(), FoxBoxes::new(&solution).expect("boxes"));
    let style = |style| Strategy { style, ..Strategy::default() };
    let (mut apart, mut together) = (0, 0);
    for (position, value) in positions(&solution) {
        let [hard, document, quick] = [Style::Hard, Style::Document, Style::Quick]
            .map(|of| best(&style(of), game, &boxes, &position));
        let won = value.outcome() == Outcome::Win(position.to_move());
        assert_eq!(hard, if won { quick.clone() } else { document.clone() });
        // The quick player plays the moves with the best exact values.
        let moves = solution.rated_moves(game, &position).expect("it was solved");
        let before = |rated: &RatedMove| rated.value.and_then(Value::dtw).map(Dtw::before);
        assert!(moves.iter().map(|rated| before(rated) == Some(value)).eq(quick.iter().copied()));
        if document == quick { together += 1 } else { apart += 1 }
    }
    assert!(apart > 1000 && together > 1000, "{apart} {together}");
}

#[test]
fn the_ranking_of_the_hasenspiel_document_is_kept_to() {
    let solution = solution(4);
    let (game, games) = (solution.game(), Games::new(&solution, &Unobserved).expect("numbers"));
    let strategy = Strategy { style: Style::Document, ..Strategy::default() };
    for (position, _) in positions(&solution) {
        let first = ranked_moves(&games, &position).expect("it was solved").swap_remove(0);
        let chosen = strategy
            .choose(game, &games, &position, &[], &mut Random::new(1))
            .expect("there is a move");
        let moves = known_moves(game, &games, &position);
        let place =
            moves.iter().position(|rated| rated.mv == first.rated.mv).expect("it is a move");
        assert!(
            best(&strategy, game, &games, &position)[place],
            "{}",
            game.format_position(&position)
        );
        assert_eq!(
            chosen.value.map(|value| value.outcome),
            moves[place].value.map(|value| value.outcome)
        );
    }
}

#[test]
fn a_style_that_searches_sees_what_is_within_its_depth_and_knows_no_more() {
    let solution = solution(6);
    let game = solution.game();
    for level in Level::ALL {
        let strategy = Strategy { style: Style::Search(level), ..Strategy::default() };
        assert_eq!(strategy.style.id(), format!("search-{}", level.horizon()));
        let (mut seen, mut missed) = (0, 0);
        for (position, value) in positions(&solution).into_iter().step_by(3) {
            let moves = known_moves(game, &solution, &position);
            let best = strategy.best(game, &solution, &position, &moves, &[]);
            let keeps =
                |rated: &RatedMove| rated.value.map(|it| it.outcome) == Some(value.outcome());
            let mut chosen = moves.iter().zip(&best).filter(|&(_, &best)| best);
            let wins = value.outcome() == Outcome::Win(position.to_move());
            let is_kept = chosen.all(|(rated, _)| keeps(rated));
            if wins && value.plies() <= Some(level.horizon()) {
                assert!(is_kept, "{}", game.format_position(&position));
                seen += 1;
            } else if !is_kept {
                missed += 1;
            }
        }
        assert!(seen > 100 && missed > 10, "{level:?}: {seen}, {missed}");
    }
}

#[test]
fn a_level_errs_by_its_temperature_and_has_that_of_the_game_without_one() {
    let solution = solution(6);
    let game = solution.game();
    let usual = Level::Casual.temperature(game);
    let mut hotter = 0;
    for (position, _) in positions(&solution).into_iter().step_by(7) {
        let moves = known_moves(game, &solution, &position);
        let of = |temperature| {
            let style = Style::Level(Level::Casual);
            let strategy = Strategy { style, temperature, ..Strategy::default() };
            let best = strategy.best(game, &solution, &position, &moves, &[]);
            let policy = strategy.policy(game, &solution, &position, &moves, &[]);
            best.into_iter().zip(policy).filter(|(best, _)| *best).map(|(_, it)| it).sum::<f64>()
        };
        let [cold, hot, without] = [Some(0.01), Some(2.5), None].map(of);
        assert!(cold >= hot - 1e-9, "{}", game.format_position(&position));
        hotter += usize::from(cold > hot + 0.1);
        assert!((without - of(Some(usual))).abs() < 1e-12);
    }
    assert!(hotter > 100, "{hotter}");
}

/// Knows that every position is a draw.
struct Drawn;

impl Probe for Drawn {
    type Error = Infallible;

    fn value(&self, _: &Position) -> Result<Value, Infallible> {
        Ok(Outcome::Draw.into())
    }
}

impl Advisor for Drawn {}

#[test]
fn a_level_sees_material_in_draws_within_its_horizon_alone() {
    let game = Hunt::default();
    let index = game.index(4);
    let mut random = Random::new(1);
    let drawn = std::iter::repeat_with(|| random.position(&game, &index, &Side::BOTH));
    let (mut same, mut fewer) = (0, 0);
    for position in drawn.flatten().take(60) {
        let moves = known_moves(&game, &Drawn, &position);
        let best = |level| {
            let strategy = Strategy { style: Style::Level(level), ..Strategy::default() };
            strategy.best(&game, &Drawn, &position, &moves, &[])
        };
        let [near, far] = [Level::Beginner, Level::Expert].map(best);
        // The expert sees further, and finds that some of the moves which seemed equal are better.
        same += usize::from(near == far);
        fewer += usize::from(near != far && far.iter().zip(&near).all(|(far, near)| far <= near));
    }
    assert!(same > 5 && fewer > 5, "{same}, {fewer}");
}
