//! Compares the results of searches with exact values.

use std::convert::Infallible;

use anser_analyse::{Budget, Judgement, Strategy, Unknown, convert, known_moves, search};
use anser_core::hexapawn::BoardSize;
use anser_core::hunt::{Position, hare_hounds};
use anser_core::{Dtw, Hunt, Next, Outcome, Probe, Side, Value};
use anser_retrograde::Solution;

/// Asserts that every forced win reported by a search is a win, with at least the exact distance.
/// Returns the number of forced wins reported, and the number of searches.
fn agrees(game: &Hunt, nodes: u64) -> (usize, usize) {
    let solution = Solution::reachable(game, &game.start()).expect("it is solved");
    let (mut forced, mut all) = (0, 0);
    for (position, value) in
        solution.layers().flat_map(|layer| solution.positions(layer)).step_by(7)
    {
        if game.terminal(&position).is_some() {
            continue;
        }
        let text = game.format_position(&position);
        let opinion =
            search(game, &Unknown, &position, &[], &Budget::nodes(nodes)).expect("there are moves");
        all += 1;
        let moves = known_moves(game, &solution, &position);
        assert_eq!(opinion.best.len(), moves.len());
        assert!(opinion.best.contains(&true), "{text}");
        assert!(!opinion.line.is_empty() && opinion.depth > 0);
        if let Judgement::Forced { winner, plies } = opinion.judgement {
            forced += 1;
            assert_eq!(value.outcome(), Outcome::Win(winner), "{text}");
            assert!(plies >= value.plies(), "{text}: {plies:?}");
            let side = position.to_move();
            for (mv, best) in moves.iter().zip(&opinion.best) {
                let keeps = mv.value.expect("it is solved").outcome == value.outcome();
                assert!(!best || keeps || winner != side, "{text}");
            }
        }
    }
    (forced, all)
}

#[test]
fn forced_wins_are_true_and_found() {
    let (forced, all) =
        agrees(&Hunt::hexapawn("3x3".parse::<BoardSize>().expect("a size")), 50_000);
    assert_eq!(forced, all, "every position of a small board is searched to its end");
    let (forced, all) = agrees(&Hunt::fox_hounds(4, "escape").expect("a size"), 50_000);
    assert_eq!(forced, all);
    let (forced, all) = agrees(&Hunt::fox_hounds(6, "escape").expect("a size"), 2_000);
    assert!(forced * 4 > all, "{forced} of {all}");
}

#[test]
fn a_goose_that_can_be_taken_is_taken_and_one_that_can_be_kept_is_kept() {
    let game = Hunt::default();
    let preferred = |text: &str| {
        let position = game.parse_position(text).expect("a position");
        let opinion = search(&game, &Unknown, &position, &[], &Budget::nodes(20_000))
            .expect("there are moves");
        let moves = known_moves(&game, &Unknown, &position);
        let best =
            moves.into_iter().zip(&opinion.best).filter(|(_, best)| **best).map(|(mv, _)| mv);
        (best.collect::<Vec<_>>(), opinion.judgement)
    };
    let (best, judgement) = preferred("3/3/7/gggFg2/ggggggg/ggg/ggg f");
    assert!(best.iter().all(|best| best.mv.is_capture()), "{best:?}");
    assert_eq!(judgement, Judgement::Material(1));
    // The fox threatens to jump from d4 over d3 to d2.
    let (best, judgement) = preferred("3/3/7/3F3/ggggggg/g1g/ggg g");
    assert_eq!(judgement, Judgement::Material(0));
    for best in best {
        let Next::Position(after) = best.next else { panic!("no goose ends the game here") };
        let replies = known_moves(&game, &Unknown, &after);
        assert!(replies.iter().all(|reply| !reply.mv.is_capture()), "{best:?}");
    }
}

#[test]
fn the_same_number_of_positions_gives_the_same_opinion() {
    let game = Hunt::default();
    let ask = || {
        search(&game, &Unknown, &game.start(), &[], &Budget::nodes(30_000))
            .expect("there are moves")
    };
    let (one, other) = (ask(), ask());
    assert_eq!(
        (one.best, one.judgement, one.depth, one.line),
        (other.best, other.judgement, other.depth, other.line)
    );
    assert!(one.nodes <= 30_001 && one.nodes == other.nodes, "{}", one.nodes);
}

/// Outcomes of the positions below the highest layers.
struct LowerLayers<'a>(&'a Solution);

impl Probe for LowerLayers<'_> {
    type Error = Unknown;

    fn value(&self, position: &Position) -> Result<Value, Unknown> {
        let game = self.0.game();
        let is_low = game.layer(position) + 5 < game.layer(&game.start());
        if is_low { Outcomes(self.0).value(position) } else { Err(Unknown) }
    }
}

#[test]
fn known_values_are_used_inside_the_search() {
    let game = Hunt::fox_hounds(6, "escape").expect("a size");
    let solution = Solution::reachable(&game, &game.start()).expect("it is solved");
    let known = LowerLayers(&solution);
    let (mut with, mut without, mut all) = (0, 0, 0);
    for (position, value) in
        solution.layers().flat_map(|layer| solution.positions(layer)).step_by(11)
    {
        if game.terminal(&position).is_some() || known.value(&position).is_ok() {
            continue;
        }
        all += 1;
        let budget = Budget::nodes(500);
        let informed = search(&game, &known, &position, &[], &budget).expect("there are moves");
        if let Judgement::Forced { winner, .. } = informed.judgement {
            assert_eq!(
                value.outcome(),
                Outcome::Win(winner),
                "{}",
                game.format_position(&position)
            );
            with += 1;
        }
        let blind = search(&game, &Unknown, &position, &[], &budget).expect("there are moves");
        without += usize::from(matches!(blind.judgement, Judgement::Forced { .. }));
    }
    assert!(with > without + 20, "{with} of {all} with values, {without} without");
}

/// Outcomes without distances.
struct Outcomes<'a>(&'a Solution);

impl Probe for Outcomes<'_> {
    type Error = Unknown;

    fn value(&self, position: &Position) -> Result<Value, Unknown> {
        Ok(self.0.get(position).ok_or(Unknown)?.outcome().into())
    }
}

#[test]
fn a_win_without_distances_is_brought_to_its_end() {
    let game = Hunt::fox_hounds(6, "escape").expect("a size");
    let solution = Solution::reachable(&game, &game.start()).expect("it is solved");
    let outcomes = Outcomes(&solution);
    let won = solution.layers().flat_map(|layer| solution.positions(layer)).filter(
        |(position, value)| {
            game.terminal(position).is_none() && value.outcome() == Outcome::Win(position.to_move())
        },
    );
    let (mut longer, mut all) = (0, 0);
    for (start, value) in won.step_by(97) {
        let winner = start.to_move();
        let (mut here, mut seen, mut plies) = (start, Vec::new(), 0);
        while game.terminal(&here).is_none() {
            let moves = known_moves(&game, &solution, &here);
            let chosen = if here.to_move() == winner {
                let opinion = convert(&game, &outcomes, &here, &seen, &Budget::nodes(2_000))
                    .expect("it is won");
                opinion.best.iter().position(|&best| best).expect("a move")
            } else {
                // The loser delays as long as possible.
                let plies = |number: &usize| moves[*number].value.and_then(|value| value.plies);
                (0..moves.len()).max_by_key(plies).expect("a move")
            };
            let after = moves[chosen].value.expect("it is solved");
            assert_eq!(
                after.outcome,
                Outcome::Win(winner),
                "the win is kept: {}",
                game.format_position(&here)
            );
            seen.push(here);
            plies += 1;
            match moves[chosen].next {
                Next::Position(next) => here = next,
                Next::End(_) => break,
            }
            assert!(plies < 300, "no end from {}", game.format_position(&start));
        }
        all += 1;
        longer += u32::from(plies > 2 * u32::from(value.plies().expect("it is won")));
    }
    assert!(longer * 4 < all, "{longer} of {all} take twice as long as they need");
}

#[test]
fn moves_are_open_where_none_is_known_to_win() {
    let game = Hunt::fox_hounds(4, "escape").expect("a size");
    let solution = Solution::reachable(&game, &game.start()).expect("it is solved");
    let start = game.start();
    assert!(Strategy::is_open(&game, &known_moves(&game, &Unknown, &start), Side::First));
    assert!(!Strategy::is_open(&game, &known_moves(&game, &solution, &start), Side::First));
}

/// A move into endless play is known to win for the side that has won then, and the search counts
/// it so.
#[test]
fn moves_into_endless_play_win_for_its_side() {
    let mut description = hare_hounds("unlimited").expect("a rule set");
    for (endless, is_open, judged) in [
        (None, [true, true], None),
        (Some(Side::First), [false, true], Some(Side::First)),
        (Some(Side::Second), [true, false], Some(Side::Second)),
    ] {
        description.endless = endless;
        let game = Hunt::new(description.clone()).expect("a game");
        let start = game.start();
        let mut moves = known_moves(&game, &Unknown, &start);
        moves[0].value = Some(Dtw::DRAW.into());
        assert_eq!(Side::BOTH.map(|side| Strategy::is_open(&game, &moves, side)), is_open);
        // Every position is one of endless play.
        let opinion = search(&game, &AllDraws, &start, &[], &Budget::nodes(1000));
        let found = match opinion.expect("there are moves").judgement {
            Judgement::Forced { winner, plies: None } => Some(winner),
            _ => None,
        };
        assert_eq!(found, judged);
    }
}

struct AllDraws;

impl Probe for AllDraws {
    type Error = Infallible;

    fn value(&self, _: &Position) -> Result<Value, Infallible> {
        Ok(Dtw::DRAW.into())
    }
}
