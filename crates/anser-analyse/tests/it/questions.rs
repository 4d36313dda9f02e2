//! Compares answers to the questions of the documents with the published ones and with plain
//! searches.

use std::collections::{HashMap, HashSet};

use anser_analyse::{
    LineEnd, Tie, best_first, best_line, hardest, opposite, ranked_moves, stalemates, zugzwangs,
};
use anser_core::hexapawn::BoardSize;
use anser_core::hunt::{PointSet, Position};
use anser_core::{
    BLOCKED, BySide, Dtw, Hunt, Next, Outcome, Probe, RatedMove, Side, Unobserved, Value,
};
use anser_retrograde::{AnalyseError, Games, Limits, Solution, census};
use num_bigint::BigUint;

use crate::support::{brute_force, hunts};

fn reached(game: &Hunt) -> Solution {
    Solution::reachable(game, &game.start()).expect("enough memory")
}

fn fox_hounds(size: usize) -> Hunt {
    Hunt::fox_hounds(size, "escape").expect("a board")
}

fn hare_hounds(rules: &str) -> Hunt {
    Hunt::hare_hounds(rules).unwrap()
}

#[test]
fn the_opposite_position_is_the_one_drawn_and_takes_the_fox_29_plies() {
    let game = fox_hounds(8);
    let solution = reached(&game);
    let found = opposite(&game, &game.start(), &solution).expect("all are solved");
    let found = found.expect("the fox wins somewhere");
    assert_eq!(game.format_position(&found.position), "4/1F2/4/4/4/4/3h/hh1h f");
    assert_eq!(found.value, Dtw::win(Side::First, 29).into());
    let mut here = game.start();
    for mv in &found.line {
        let mut after = None;
        let _ = game.visit_moves(&here, |other, next| {
            if other == *mv {
                after = Some(next);
            }
            std::ops::ControlFlow::<()>::Continue(())
        });
        let Some(Next::Position(next)) = after else { panic!("an illegal move") };
        here = next;
    }
    assert_eq!(here, found.position);
    // A plain search: all earlier positions in breadth-first order are won for the hounds.
    let before = brute_force::reachable(&game, game.start())
        .into_iter()
        .take_while(|position| *position != found.position);
    let before: Vec<_> = before.collect();
    assert_eq!(found.searched, before.len() as u64 + 1);
    assert!(
        before
            .iter()
            .all(|position| solution.get(position).and_then(Dtw::winner) == Some(Side::Second))
    );
}

#[test]
fn there_is_no_opposite_position_where_one_side_wins_everything() {
    let game = fox_hounds(2);
    let solution = reached(&game);
    assert_eq!(opposite(&game, &game.start(), &solution), Ok(None));
}

#[test]
fn the_perfect_game_of_the_hounds_is_the_printed_one() {
    let game = hare_hounds("budget-60");
    let solution = reached(&game);
    let ties = BySide::new(Tie::Last, Tie::First);
    let line = best_line(&game, &game.start(), ties, &solution).expect("all are solved");
    let moves: Vec<String> = line.moves.iter().map(|rated| game.format_move(&rated.mv)).collect();
    assert_eq!(
        moves.join(" "),
        "1-6 8-11 4-5 11-10 5-1 10-11 1-2 11-8 6-11 8-7 2-6 7-3 9-5 3-7 5-1 7-3 1-2 3-8 6-3 8-7 \
         2-6 7-8 6-7"
    );
    assert_eq!(
        (line.value, line.end),
        (Dtw::win(Side::Second, 23).into(), LineEnd::Over(Outcome::Win(Side::Second)))
    );
    for ((side, rated), left) in line.played().zip((0..23).rev()) {
        assert_eq!(rated.value, Some(Dtw::win(Side::Second, left).into()));
        assert_eq!(side, if left % 2 == 0 { Side::Second } else { Side::First });
    }
}

#[test]
fn a_drawn_line_says_where_it_repeats() {
    let game = hare_hounds("unlimited");
    let all = Solution::of_layers(&game, game.layers(), &Limits::default()).expect("enough memory");
    let drawn: Vec<_> = all
        .layers()
        .flat_map(|layer| all.positions(layer))
        .filter(|(_, v)| *v == Dtw::DRAW)
        .collect();
    assert!(!drawn.is_empty());
    for (position, _) in drawn {
        let line = best_line(&game, &position, BySide::default(), &all).expect("solved");
        let LineEnd::Repeats(from) = line.end else { panic!("a draw goes on for ever") };
        let place = |ply: usize| match ply {
            0 => Next::Position(position),
            _ => line.moves[ply - 1].next,
        };
        assert_eq!(place(from), place(line.moves.len()));
    }
}

#[test]
fn whoever_moves_loses_with_hounds_on_1_6_9_and_the_hare_on_2() {
    let game = hare_hounds("budget-60");
    let all = Solution::of_layers(&game, game.layers(), &Limits::default()).expect("enough memory");
    let found = zugzwangs(&all, usize::MAX);
    let hounds = [0, 5, 8].into_iter().collect();
    let hare = game.position([PointSet::of(1), hounds], [0; 2], Side::First);
    let hare = hare.expect("a position");
    let hounds = game.passed(&hare).expect("either side can be to move");
    assert!(found.full.first.contains(&(hare, Dtw::win(Side::Second, 18).into())));
    assert_eq!(all.get(&hounds), Some(Dtw::win(Side::First, 60)));
    assert_eq!(found.full.count, found.full.first.len() as u64);
    // Rules with a budget have no draws.
    assert_eq!(found.one_sided.as_ref().map(|listing| listing.count), BySide::new(0, 0));
}

/// Compares zugzwangs, stalemates, longest wins, and the census with single positions.
fn answers_agree_with_a_plain_look(
    game: &Hunt,
    solution: &Solution,
    values: &HashMap<Position, Dtw>,
) {
    let over = |position: &Position| game.terminal(position).is_some();
    let found = zugzwangs(solution, usize::MAX);
    let mut expected = [0, 0, 0];
    for (position, value) in values {
        let side = position.to_move();
        let Some((passed, other)) = game.passed(position).and_then(|p| values.get_key_value(&p))
        else {
            continue;
        };
        if value.winner() == Some(side.other()) && !over(position) && !over(passed) {
            match other.winner() {
                None => expected[side.index()] += 1,
                Some(winner) if winner == side => expected[2] += usize::from(side == Side::First),
                Some(_) => {}
            }
        }
    }
    let [first, second] = found.one_sided.as_array();
    assert_eq!([first, second, &found.full].map(|listing| listing.first.len()), expected);

    for side in Side::BOTH {
        let blocked = |position: &&Position| {
            position.to_move() == side && game.ending(position) == Some(BLOCKED)
        };
        let expected = values.keys().filter(blocked).count() as u64;
        assert_eq!(stalemates(solution, side, 3).count, expected);
        let won = values.iter().filter(|(_, value)| value.winner() == Some(side));
        let longest = hardest(solution, side, 2);
        let plies = won.clone().filter_map(|(_, value)| value.plies()).max();
        assert_eq!(longest.as_ref().map(|found| found.plies), plies);
        if let Some(longest) = longest {
            let longest_won = won.filter(|(_, value)| value.plies() == plies);
            assert_eq!(longest.positions.count, longest_won.clone().count() as u64);
            let least_image = |position: &Position| {
                (0..game.symmetries()).map(|number| game.image(position, number)).min()
            };
            let classes: HashSet<_> =
                longest_won.map(|(position, _)| least_image(position)).collect();
            assert_eq!(longest.classes, classes.len() as u64);
            assert_eq!(longest.positions.first.len(), classes.len().min(2));
        }
    }

    let census = census(solution);
    assert_eq!(census.positions(), values.len() as u64);
    for side in Side::BOTH {
        let mut depths: HashMap<(Outcome, u16), u64> = HashMap::new();
        let mut ends: HashMap<(&str, Outcome), u64> = HashMap::new();
        for (position, value) in values.iter().filter(|(position, _)| position.to_move() == side) {
            *depths.entry((value.outcome(), value.plies().unwrap_or(0))).or_default() += 1;
            if let Some(kind) = game.ending(position) {
                *ends.entry((kind, value.outcome())).or_default() += 1;
            }
        }
        let census = census.to_move(side);
        for winner in Side::BOTH {
            let of_winner =
                depths.iter().filter(|((outcome, _), _)| *outcome == Outcome::Win(winner));
            assert_eq!(census.depths(winner).len(), of_winner.clone().count());
            assert_eq!(
                census.outcome(Outcome::Win(winner)),
                of_winner.clone().map(|(_, count)| count).sum::<u64>()
            );
            assert!(
                of_winner.clone().all(|((_, plies), count)| census.depth(winner, *plies) == *count)
            );
        }
        assert_eq!(
            census.outcome(Outcome::Draw),
            depths.get(&(Outcome::Draw, 0)).copied().unwrap_or(0)
        );
        assert_eq!(census.ends().count(), ends.len());
        assert!(census.ends().all(|(kind, outcome, count)| ends[&(kind, outcome)] == count));
    }
}

#[test]
fn zugzwangs_stalemates_longest_wins_and_censuses_are_what_a_plain_look_finds() {
    fn of_all_layers(game: &Hunt) {
        let all =
            Solution::of_layers(game, game.layers(), &Limits::default()).expect("enough memory");
        let values: HashMap<_, _> = all.layers().flat_map(|layer| all.positions(layer)).collect();
        assert_eq!(values.len() as u64, all.len());
        answers_agree_with_a_plain_look(game, &all, &values);
    }
    of_all_layers(&hare_hounds("unlimited"));
    of_all_layers(&hare_hounds("budget-9"));
    of_all_layers(&fox_hounds(4));
    of_all_layers(&Hunt::fox_hounds(6, "strict").expect("a board"));
    of_all_layers(&Hunt::hexapawn(BoardSize::THREE));
    for description in hunts::small() {
        of_all_layers(&Hunt::new(description).expect("a game"));
    }
    let pawns = Hunt::hexapawn("3x4".parse().expect("a board"));
    let start = brute_force::values(&pawns, pawns.start());
    answers_agree_with_a_plain_look(&pawns, &reached(&pawns), &start);
}

#[test]
fn the_hounds_are_stalemated_on_7_8_11_by_a_hare_on_3() {
    let game = hare_hounds("unlimited");
    let all = Solution::of_layers(&game, game.layers(), &Limits::default()).expect("enough memory");
    let found = stalemates(&all, Side::Second, usize::MAX);
    // Points are named from 1 and numbered from 0.
    let [hare, hounds] = [&[3][..], &[7, 8, 11]]
        .map(|names| names.iter().map(|name| name - 1).collect::<PointSet>());
    let printed = game.position([hare, hounds], [0; 2], Side::Second).expect("a position");
    assert!(found.first.contains(&(printed, Dtw::win(Side::First, 0).into())));
    for (position, _) in found.first {
        assert_eq!(brute_force::nexts(&game, &position), []);
    }
}

#[test]
fn moves_are_ranked_by_whether_the_opponent_forces_and_then_by_its_share() {
    let game = Hunt::hasenspiel(8, 4, "literal").expect("a board");
    let root = game.parse_position("4/4/1W2/4/b1b1/4/1b1b/4 w").expect("a position");
    let solution = Solution::reachable(&game, &root).expect("enough memory");
    let games = Games::new(&solution, &Unobserved).expect("games end");
    let mut known = brute_force::Known::new();
    brute_force::search(&game, &root, &mut known);
    for position in known.keys().filter(|position| game.terminal(position).is_none()) {
        let opponent = position.to_move().other();
        let ranked = ranked_moves(&games, position).expect("it was solved");
        let key = |next: &Next| {
            let Next::Position(next) = next else { panic!("no move ends this game") };
            let (value, games) = &known[next];
            let all = games.iter().sum::<BigUint>();
            (value.winner() == Some(opponent), games[opponent.index()].clone(), all)
        };
        assert_eq!(ranked.len(), brute_force::nexts(&game, position).len());
        for pair in ranked.windows(2) {
            let ((a, won_a, of_a), (b, won_b, of_b)) =
                (key(&pair[0].rated.next), key(&pair[1].rated.next));
            assert!(!a & b || a == b && won_a * of_b <= won_b * of_a);
        }
        // The move ranked first keeps a forced win.
        if solution.get(position).and_then(Dtw::winner) == Some(opponent.other()) {
            assert!(!ranked[0].opponent_forces);
        }
    }
}

#[test]
fn moves_come_best_first_and_unknown_positions_are_errors() {
    let game = fox_hounds(6);
    let solution = reached(&game);
    let moves = best_first(&game, &game.start(), &solution).expect("all are solved");
    assert_eq!(solution.get(&game.start()), Some(Dtw::win(Side::First, 21)));
    assert_eq!(moves[0].value, Some(Dtw::win(Side::First, 20).into()));
    assert!(moves.is_sorted_by_key(|rated| std::cmp::Reverse(rated.score(Side::First))));
    let best: Vec<_> = moves.iter().filter(|rated| rated.value == moves[0].value).collect();
    let rated = solution.rated_moves(&game, &game.start()).expect("all are solved");
    let before = |rated: &&RatedMove| rated.value.and_then(Value::dtw).map(Dtw::before);
    let keep = rated.iter().filter(|rated| before(rated) == Some(Dtw::win(Side::First, 21)));
    assert_eq!(keep.collect::<Vec<_>>(), best);
    let foreign = game.passed(&game.start()).expect("there is one");
    let refused = best_line(&game, &foreign, BySide::default(), &solution);
    assert!(matches!(refused, Err(AnalyseError::Unknown { .. })));
}
