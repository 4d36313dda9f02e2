//! Every value, every reachable position and every number of games is what a plain search finds.

mod support;

use anser_analyse::{AnalyseError, Games, Limits, Solution, Unobserved, count};
use anser_core::fox_geese::{FoxGeese, RuleSet};
use anser_core::{Dtw, Game};
use support::noughts::Noughts;
use support::oracle;

/// Reachable positions, values and numbers of games from the start of a game in which play can not go round.
fn agrees_with_the_search<G: Game>(game: &G) {
    let root = game.start();
    let solution = Solution::reachable(game, &root).expect("there is room");
    let games = Games::new(&solution, &Unobserved).expect("games end");
    let mut known = oracle::Known::new();
    oracle::search(game, &root, &mut known);
    assert_eq!(solution.len(), known.len() as u64);
    for (position, (value, numbers)) in &known {
        assert!(solution.contains(position), "{position:?}");
        assert_eq!(solution.value(position), Some(*value), "{position:?}");
        let tally = games.tally(position).expect("it was reached");
        assert_eq!([&tally.won[0], &tally.won[1], &tally.drawn], numbers.each_ref(), "{position:?}");
    }
    let listed: Vec<_> = solution.layers().flat_map(|layer| solution.positions(layer)).collect();
    assert_eq!(listed.len(), known.len());
    for (position, value) in listed {
        assert_eq!(known[&position].0, value);
    }
    let counted = count(&solution, &Unobserved).expect("games end");
    assert_eq!(Some(counted.tally), games.tally(&root));
    assert_eq!((counted.reachable, counted.value), (solution.len(), known[&root].0));
}

#[test]
fn noughts_and_crosses_has_5478_positions_and_255168_games() {
    for symmetric in [false, true] {
        let game = Noughts { symmetric };
        for layer in 0..=9 {
            anser_core::validate(&game, layer, u64::MAX).expect("the rules hold together");
        }
        agrees_with_the_search(&game);
        let counted = count(&Solution::reachable(&game, &game.start()).expect("there is room"), &Unobserved);
        let counted = counted.expect("games end");
        assert_eq!(counted.reachable, 5_478);
        assert_eq!(counted.tally.games(), 255_168_u32.into());
        assert_eq!(counted.tally.won, [131_184_u32.into(), 77_904_u32.into()]);
        assert_eq!(counted.value, Dtw::DRAW);
    }
}

#[test]
fn symmetric_positions_are_reached_one_by_one() {
    // A cross in the corner leads to a fraction of what the empty board leads to, but has images that it does not lead to.
    let (plain, symmetric) = (Noughts { symmetric: false }, Noughts { symmetric: true });
    let corner = plain.parse_position("100000000").expect("a position");
    let other = plain.parse_position("001000000").expect("a position");
    let solved = [&plain, &symmetric].map(|game| Solution::reachable(game, &corner).expect("there is room"));
    let reached = oracle::reachable(&plain, corner);
    for solution in &solved {
        assert_eq!(solution.len(), reached.len() as u64);
        assert!(reached.iter().all(|position| solution.contains(position)));
        assert!(!solution.contains(&other));
    }
    assert_eq!(solved[0].value(&other), None);
    assert_eq!(solved[1].value(&other), Some(Dtw::DRAW), "the image of a solved position has its value");
}

#[test]
fn foxes_and_few_geese_play_as_the_plain_search_says() {
    for (rules, text) in [(RuleSet::FORWARD, "gFg/1g1/7/3g3/7/3/3 g"), (RuleSet::FORWARD, "1gg/gFg/3g3/7/7/3/3 f")] {
        {
            let symmetric = FoxGeese::new(rules);
            let root = symmetric.parse_position(text).expect("a position");
            let expected = oracle::values(&symmetric, root);
            for game in [symmetric.clone().without_symmetry(), symmetric] {
                let solution = Solution::reachable(&game, &root).expect("there is room");
                assert_eq!(solution.len(), expected.len() as u64);
                for (position, value) in &expected {
                    assert_eq!(solution.value(position), Some(*value), "{position:?}");
                }
            }
        }
    }
}

#[test]
fn whole_layers_hold_every_position() {
    let game = FoxGeese::default();
    let solution = Solution::of_layers(&game, 4..=5, &Limits::default()).expect("there is room");
    let positions = |layer: u16| anser_core::Side::BOTH.map(|side| game.positions(layer, side)).iter().sum::<u64>();
    assert_eq!(solution.layers().collect::<Vec<_>>(), [4, 5]);
    assert_eq!(solution.len(), positions(4) + positions(5));
    assert_eq!(solution.positions(4).count() as u64, positions(4));
    let won = solution.positions(5).filter(|(_, value)| value.winner() == Some(anser_core::Side::Second)).count();
    assert_eq!(won, 1_280);
}

#[test]
fn what_takes_too_much_room_is_refused() {
    let game = FoxGeese::default();
    let limits = Limits { memory: 1 << 20, ..Limits::default() };
    let refused = Solution::of_layers(&game, 8..=8, &limits);
    assert!(matches!(refused, Err(AnalyseError::Memory { .. })));
    let root = game.parse_position("ggg/g1g/3F3/7/7/3/3 f").expect("a position");
    let refused = Solution::reachable_within(&game, &root, &limits);
    assert!(matches!(refused, Err(AnalyseError::Memory { .. })));
}
