//! Compares values, reachable positions, and numbers of games with a plain search.

use std::sync::Mutex;

use anser_core::hexapawn::BoardSize;
use anser_core::{Dtw, Hunt, Next, Observer, Side, Unobserved};
use anser_retrograde::{AnalyseError, Games, Limits, Solution, count};

use crate::support::brute_force;

/// Compares reachable positions, values, and numbers of games from the start of an acyclic game.
fn agrees_with_the_search(game: &Hunt) {
    let root = game.start();
    let solution = Solution::reachable(game, &root).expect("enough memory");
    let games = Games::new(&solution, &Unobserved).expect("games end");
    let mut known = brute_force::Known::new();
    brute_force::search(game, &root, &mut known);
    assert_eq!(solution.len(), known.len() as u64);
    for (position, (value, numbers)) in &known {
        assert!(solution.contains(position), "{position:?}");
        assert_eq!(solution.get(position), Some(*value), "{position:?}");
        let tally = games.tally(position).expect("it was reached");
        assert_eq!(
            [tally.won(Side::First), tally.won(Side::Second), &tally.drawn],
            numbers.each_ref(),
            "{position:?}"
        );
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
fn symmetric_positions_are_reached_one_by_one() {
    // The positions reachable from a pawn moved in the corner are not closed under symmetry.
    let game = Hunt::hexapawn(BoardSize::THREE);
    let [corner, other] = [0, 1].map(|symmetry| {
        let moved = game.parse_move(&game.start(), "a1-a2").expect("a move");
        let next = game.after(&game.start(), &moved).expect("it is legal");
        game.image(next.position(), symmetry)
    });
    assert_ne!(corner, other);
    let solution = Solution::reachable(&game, &corner).expect("enough memory");
    let reached = brute_force::reachable(&game, corner);
    assert_eq!(solution.len(), reached.len() as u64);
    assert!(reached.iter().all(|position| solution.contains(position)));
    assert!(!solution.contains(&other));
    let value = solution.get(&corner);
    assert_eq!(value, Some(Dtw::win(Side::Second, 3)));
    assert_eq!(solution.get(&other), value, "the image of a solved position has its value");
}

#[test]
fn the_smaller_games_are_solved_and_counted_as_the_plain_search_says() {
    for size in [2, 4, 6] {
        for rules in ["escape", "strict"] {
            agrees_with_the_search(&Hunt::fox_hounds(size, rules).expect("a board"));
        }
    }
    for size in ["3x3", "4x4", "3x5"] {
        agrees_with_the_search(&Hunt::hexapawn(size.parse().expect("a board")));
    }
    agrees_with_the_search(&Hunt::hare_hounds("budget-11").unwrap());
}

#[test]
fn hexapawn_3x3_has_135_positions_and_black_wins_in_6() {
    let game = Hunt::hexapawn(BoardSize::THREE);
    let solution = Solution::reachable(&game, &game.start()).expect("enough memory");
    assert_eq!(solution.len(), 135);
    assert_eq!(solution.get(&game.start()), Some(Dtw::win(Side::Second, 6)));
}

#[test]
fn a_hare_that_is_not_hurried_has_no_end_of_games() {
    let game = Hunt::hare_hounds("unlimited").unwrap();
    let solution = Solution::reachable(&game, &game.start()).expect("enough memory");
    let expected = brute_force::values(&game, game.start());
    assert_eq!(solution.len(), expected.len() as u64);
    for (position, value) in &expected {
        assert_eq!(solution.get(position), Some(*value), "{position:?}");
    }
    let Err(AnalyseError::Endless { position }) = count(&solution, &Unobserved) else {
        panic!("play can go round");
    };
    // Play returns to the reported position.
    let position = game.parse_position(&position).expect("a position");
    let after = brute_force::nexts(&game, &position).into_iter().filter_map(|next| match next {
        Next::Position(next) => Some(brute_force::reachable(&game, next)),
        Next::End(_) => None,
    });
    assert!(after.flatten().any(|reached| reached == position));
}

#[test]
fn foxes_and_few_geese_play_as_the_plain_search_says() {
    for text in ["gFg/1g1/7/3g3/7/3/3 g", "1gg/gFg/3g3/7/7/3/3 f"] {
        let symmetric = Hunt::fox_geese("forward").unwrap();
        let root = symmetric.parse_position(text).expect("a position");
        let expected = brute_force::values(&symmetric, root);
        for game in [symmetric.clone().without_symmetry(), symmetric] {
            let solution = Solution::reachable(&game, &root).expect("enough memory");
            assert_eq!(solution.len(), expected.len() as u64);
            for (position, value) in &expected {
                assert_eq!(solution.get(position), Some(*value), "{position:?}");
            }
        }
    }
}

/// Asserts that each root in a layer of more than 2^26 positions is part of its own solution. Few
/// positions are reachable from the roots.
fn roots_in_large_layers_hold_themselves(game: &Hunt, roots: &[&str]) {
    for text in roots {
        let root = game.parse_position(text).expect("a position");
        let positions: u64 = anser_core::Side::BOTH
            .iter()
            .map(|&side| game.positions(game.layer(&root), side))
            .sum();
        assert!(positions > 1 << 26, "{text}: {positions} positions");
        let solution = Solution::reachable(game, &root).expect("enough memory");
        let expected = brute_force::values(game, root);
        assert_eq!(solution.len(), expected.len() as u64, "{text}");
        for (position, value) in &expected {
            assert!(solution.contains(position), "{position:?}");
            assert_eq!(solution.get(position), Some(*value), "{position:?}");
        }
    }
}

#[test]
fn a_root_in_a_large_layer_is_in_its_own_solution() {
    // A fox that can only capture, and a trapped fox; both with and without symmetries.
    let roots = ["3/3/7/g6/g1g4/gg1/Fgg f", "3/3/7/g6/g1g1g2/gg1/Fgg f"];
    let game = Hunt::fox_geese("first-capture").unwrap();
    roots_in_large_layers_hold_themselves(&game, &roots);
    roots_in_large_layers_hold_themselves(&game.without_symmetry(), &roots);
    let game = Hunt::fox_hounds(12, "escape").expect("a size");
    roots_in_large_layers_hold_themselves(&game, &["hhh3/F5/6/6/6/1h4/hh4/6/6/6/6/6 f"]);
}

#[test]
fn layers_that_the_game_does_not_have_are_refused() {
    let game = Hunt::default();
    let refused =
        Solution::of_layers(&game, 40..=50, &Limits::default()).map(|solution| solution.len());
    assert_eq!(refused, Err(AnalyseError::NoLayer { asked: (40, 50), layers: (1, 31) }));
}

#[test]
fn whole_layers_hold_every_position() {
    let game = Hunt::default();
    let solution = Solution::of_layers(&game, 4..=5, &Limits::default()).expect("enough memory");
    let positions = |layer: u16| {
        anser_core::Side::BOTH.map(|side| game.positions(layer, side)).iter().sum::<u64>()
    };
    assert_eq!(solution.layers().collect::<Vec<_>>(), [4, 5]);
    assert_eq!(solution.len(), positions(4) + positions(5));
    assert_eq!(solution.positions(4).count() as u64, positions(4));
    let won = solution
        .positions(5)
        .filter(|(_, value)| value.winner() == Some(anser_core::Side::Second))
        .count();
    assert_eq!(won, 1_280);
}

#[test]
fn what_takes_too_much_room_is_refused() {
    let game = Hunt::default();
    let limits = Limits { memory: 1 << 20, ..Limits::default() };
    let refused = Solution::of_layers(&game, 8..=8, &limits);
    assert!(matches!(refused, Err(AnalyseError::Memory { .. })));
    let root = game.parse_position("ggg/g1g/3F3/7/7/3/3 f").expect("a position");
    let refused = Solution::reachable_within(&game, &root, &limits);
    assert!(matches!(refused, Err(AnalyseError::Memory { .. })));
}

/// Description of one stage of work, its units, and the units of every advance.
type Piece = (String, u64, Vec<u64>);

/// Records every advance, and interrupts after `last` of them.
struct Watch {
    work: Mutex<Vec<Piece>>,
    last: usize,
}

impl Watch {
    fn advances(work: &[Piece]) -> usize {
        work.iter().map(|(.., advances)| advances.len()).sum()
    }
}

impl Observer for Watch {
    fn begin(&self, what: &str, units: u64) {
        self.work.lock().expect("nobody panics").push((what.to_owned(), units, Vec::new()));
    }
    fn advance(&self, units: u64) {
        let mut work = self.work.lock().expect("nobody panics");
        work.last_mut().expect("work begins before it advances").2.push(units);
    }
    fn interrupted(&self) -> bool {
        Watch::advances(&self.work.lock().expect("nobody panics")) >= self.last
    }
}

#[test]
fn who_watches_sees_every_layer_and_can_stop_the_work() {
    let game = Hunt::fox_hounds(6, "escape").expect("a board");
    let layers = usize::from(game.layer(&game.start())) + 1;
    let watched = |last| {
        let watch = Watch { work: Mutex::default(), last };
        let limits = Limits { observer: &watch, ..Limits::default() };
        let counted = Solution::reachable_within(&game, &game.start(), &limits)
            .and_then(|s| count(&s, &watch));
        (counted.map(|counted| counted.reachable), watch.work.into_inner().expect("nobody panics"))
    };
    let (counted, work) = watched(usize::MAX);
    assert_eq!(counted, Ok(8_175));
    let pieces =
        [("layers of reachable positions", layers as u64), ("values", 8_175), ("games", 8_175)];
    assert_eq!(
        work.iter().map(|(what, units, _)| (what.as_str(), *units)).collect::<Vec<_>>(),
        pieces
    );
    for (_, units, advances) in work {
        assert_eq!(advances.len(), layers);
        assert_eq!(advances.iter().sum::<u64>(), units);
    }
    for last in [0, 3, layers, layers + 2, 2 * layers, 3 * layers - 1] {
        let (counted, work) = watched(last);
        assert_eq!(counted, Err(AnalyseError::Interrupted), "after {last} advances");
        // Only a layer without positions is finished without a check for an interruption.
        assert!(Watch::advances(&work) <= last + 1);
    }
}
