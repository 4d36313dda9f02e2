//! Grades counted again by a plain program: from the rules of the oracle, position by position.

use std::collections::BTreeMap;

use anser_analyse::Random;
use anser_core::hunt::Position;
use anser_core::{Hunt, Unobserved};
use anser_games::answers::CountsAnswer as Counts;
use anser_learn::{LearnError, Player, Searched, SolutionGrade, grade};
use anser_oracle::{Graph, Side, Value};
use anser_retrograde::Solution;

use crate::hexapawn;

/// A player that chooses at random, but the same in the same position: a best move with the chance
/// `skill`.
struct Erratic<'a> {
    solution: &'a Solution,
    seed: u64,
    skill: f64,
}

impl Player for Erratic<'_> {
    fn choose(&mut self, positions: &[Position]) -> Result<Vec<Searched>, LearnError> {
        let perfect = anser_learn::Perfect(self.solution).choose(positions)?;
        let chosen = positions.iter().zip(perfect).map(|(position, perfect)| {
            let mut random = Random::new(self.seed ^ self.solution.game().encode(position) as u64);
            let moves = perfect.shares.len();
            let drawn = (random.bits() % moves as u64) as usize;
            let choice = if random.unit() < self.skill { perfect.choice } else { drawn };
            let weights: Vec<f32> = (0..moves).map(|_| random.unit() as f32).collect();
            let all: f32 = weights.iter().sum();
            let value = 2.0 * random.unit() as f32 - 1.0;
            Searched { choice, shares: weights.iter().map(|it| it / all).collect(), value }
        });
        Ok(chosen.collect())
    }
}

/// Counts of the plain program.
#[derive(Default)]
struct Plain {
    all: Counts,
    near_perfect: Counts,
    perfect_games: [f64; 3],
    by_moves: BTreeMap<usize, Counts>,
    by_plies: BTreeMap<Option<u16>, Counts>,
    wrong_signs: u64,
    value_error: f64,
    errs_from_start: bool,
}

/// Sign of a value for a side: 1, 0, or -1.
fn sign(value: Value, side: Side) -> i64 {
    value.score(side).signum()
}

fn add(counts: &mut Counts, values: &[Value], side: Side, searched: &Searched) {
    let best = values.iter().map(|value| value.score(side)).max().unwrap();
    let outcome = best.signum();
    let chosen = values[searched.choice];
    counts.decisions += 1;
    if sign(chosen, side) < outcome {
        counts.wrong += 1;
    } else if chosen.score(side) < best {
        counts.imperfect += 1;
    }
    for (&value, &share) in values.iter().zip(&searched.shares) {
        if sign(value, side) < outcome {
            counts.wrong_shares += f64::from(share);
        }
        if value.score(side) == best {
            counts.best_shares += f64::from(share);
        }
    }
}

/// Positions that come up from position 0 if `side` plays only the moves that `plays` allows and
/// the other side every move.
fn reach<P: Clone + Eq + std::hash::Hash>(
    graph: &Graph<P>,
    side: Side,
    plays: &dyn Fn(usize, usize) -> bool,
) -> Vec<bool> {
    let mut seen = vec![false; graph.len()];
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut seen[at], true) || graph.ended[at].is_some() {
            continue;
        }
        for (number, next) in graph.next(at).enumerate() {
            if graph.to_move[at] != side || plays(at, number) {
                open.push(next);
            }
        }
    }
    seen
}

/// Grades a player without symmetries, batches, or exact values other than those of the oracle.
fn plain<O: anser_oracle::Game>(oracle: &O, game: &Hunt, player: &mut dyn Player) -> Plain {
    let graph = Graph::reachable(oracle, &oracle.start());
    let values = graph.values();
    let after = |at: usize| -> Vec<Value> { graph.next(at).map(|next| values[next]).collect() };
    let chosen: Vec<Option<Searched>> = (0..graph.len())
        .map(|at| {
            let position = game.parse_position(&oracle.notation(&graph.positions[at])).unwrap();
            let moves = graph.next(at).count();
            assert_eq!(game.moves(&position).len() * usize::from(graph.ended[at].is_none()), moves);
            (moves > 0).then(|| player.choose(&[position]).unwrap().remove(0))
        })
        .collect();
    let is_best = |at: usize, number: usize| {
        let (side, after) = (graph.to_move[at], after(at));
        after.iter().all(|value| value.score(side) <= after[number].score(side))
    };
    let mut found = Plain::default();
    // 0 for a perfect move, 1 for a wrong one, 2 for an imperfect one.
    let kind = |at: usize| {
        let (side, after, choice) = (graph.to_move[at], after(at), chosen[at].as_ref()?.choice);
        let is_wrong = sign(after[choice], side) < sign(values[at], side);
        let of_right = if is_best(at, choice) { 0 } else { 2 };
        (after.len() > 1).then_some(if is_wrong { 1 } else { of_right })
    };
    // Every game of perfect players, move by move, with its chance.
    let mut open = vec![(0, 1.0)];
    while let Some((at, chance)) = open.pop() {
        if let Some(kind) = kind(at) {
            found.perfect_games[0] += chance;
            if kind > 0 {
                found.perfect_games[kind] += chance;
            }
        }
        let best: Vec<usize> = (0..after(at).len()).filter(|&number| is_best(at, number)).collect();
        let share = chance / best.len() as f64;
        open.extend(best.iter().map(|&number| (graph.next(at).nth(number).unwrap(), share)));
    }
    let near = [Side::First, Side::Second].map(|side| reach(&graph, side, &is_best));
    let plays =
        |at: usize, number: usize| chosen[at].as_ref().is_some_and(|it| it.choice == number);
    let own = [Side::First, Side::Second].map(|side| reach(&graph, side, &plays));
    for at in 0..graph.len() {
        let (side, after) = (graph.to_move[at], after(at));
        let Some(searched) = chosen[at].as_ref().filter(|_| after.len() > 1) else { continue };
        let value = values[at];
        let plies = value.winner.map(|_| value.plies as u16);
        let parts = [
            &mut found.all,
            found.by_moves.entry(after.len()).or_default(),
            found.by_plies.entry(plies).or_default(),
        ];
        for counts in parts {
            add(counts, &after, side, searched);
        }
        if near.iter().any(|seen| seen[at]) {
            add(&mut found.near_perfect, &after, side, searched);
        }
        let truth = sign(value, side) as f64;
        found.wrong_signs += u64::from(truth * f64::from(searched.value) < 0.0);
        found.value_error += (truth - f64::from(searched.value)).abs();
        let is_wrong = sign(after[searched.choice], side) < sign(value, side);
        found.errs_from_start |= is_wrong && own[usize::from(side == Side::Second)][at];
    }
    found.value_error /= found.all.decisions as f64;
    found
}

fn assert_equal(ours: &Counts, theirs: &Counts) {
    let counts = |it: &Counts| (it.decisions, it.wrong, it.imperfect);
    assert_eq!(counts(ours), counts(theirs));
    assert!((ours.wrong_shares - theirs.wrong_shares).abs() < 1e-3);
    assert!((ours.best_shares - theirs.best_shares).abs() < 1e-3);
}

fn compare<O: anser_oracle::Game>(oracle: &O, game: &Hunt, levels: &mut Vec<SolutionGrade>) {
    let solution = Solution::reachable(game, &game.start()).unwrap();
    for (seed, skill) in (0..).zip([0.0, 0.5, 0.9, 0.95, 0.98, 0.98, 0.99, 0.99, 1.0]) {
        let mut player = Erratic { solution: &solution, seed, skill };
        let ours = grade(&solution, &mut player, &Unobserved).unwrap();
        let theirs = plain(oracle, game, &mut player);
        assert_equal(&ours.all, &theirs.all);
        let whole = ours.whole.unwrap();
        assert_equal(&whole.near_perfect, &theirs.near_perfect);
        let games = whole.perfect_games;
        let of_games = [games.decisions, games.wrong, games.imperfect];
        for (ours, theirs) in of_games.into_iter().zip(theirs.perfect_games) {
            assert!((ours - theirs).abs() < 1e-9, "{games:?}");
        }
        assert_eq!(ours.by_moves.len(), theirs.by_moves.len());
        assert_eq!(ours.by_plies.len(), theirs.by_plies.len());
        for (moves, counts) in &ours.by_moves {
            assert_equal(counts, &theirs.by_moves[moves]);
        }
        for (plies, counts) in &ours.by_plies {
            assert_equal(counts, &theirs.by_plies[plies]);
        }
        assert_eq!(ours.wrong_signs, theirs.wrong_signs);
        assert!((ours.value_error - theirs.value_error).abs() < 1e-4);
        let expected = match (theirs.all.wrong, theirs.errs_from_start, theirs.near_perfect.wrong) {
            (0, ..) => SolutionGrade::Strongly,
            (_, true, _) => SolutionGrade::No,
            (_, false, 0) => SolutionGrade::SemiStrongly,
            (_, false, _) => SolutionGrade::Weakly,
        };
        assert_eq!(whole.solved, expected);
        levels.push(expected);
    }
}

#[test]
fn grades_are_those_of_a_plain_program() {
    let mut levels = Vec::new();
    for (columns, rows) in [(3, 3), (4, 3)] {
        let oracle = anser_oracle::hexapawn::Hexapawn { columns, rows };
        compare(&oracle, &hexapawn(columns, rows), &mut levels);
    }
    let game = Hunt::fox_hounds(4, "escape").unwrap();
    compare(&anser_oracle::fox_hounds::FoxHounds::new(4), &game, &mut levels);
    // The comparison is worth something only if players of several kinds are among them.
    for level in [SolutionGrade::No, SolutionGrade::Weakly, SolutionGrade::Strongly] {
        assert!(levels.contains(&level), "{levels:?}");
    }
}
