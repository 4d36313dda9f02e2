//! Fox-and-Geese: rules, notation and index hold together, under every rule set.

use std::ops::ControlFlow;

use anser_core::fox_geese::Point;
use anser_core::hunt::{FOX_GEESE_RULES, PointSet, Position};
use anser_core::{Group, Hunt, LayerIndex, Next, Outcome, Side, validate};
use proptest::prelude::*;

fn read(text: &str) -> Position {
    Hunt::default().parse_position(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn moves(game: &Hunt, position: &Position) -> Vec<String> {
    let mut list = Vec::new();
    let _ = game.visit_moves(position, |mv, _| {
        list.push(game.format_move(&mv));
        ControlFlow::<()>::Continue(())
    });
    list
}

fn name(point: u8) -> String {
    Point::new(point).unwrap().to_string()
}

fn binomial(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

/// The number of orbits on (fox, goose set) by Burnside's lemma: fixed positions of each symmetry,
/// from its cycles.
fn burnside(group: Group, geese: u64) -> u64 {
    let mut fixed_in_all = 0;
    for s in group.members() {
        for fox in Point::all().filter(|&fox| fox.image(s) == fox) {
            // ways[n]: goose sets of n points made of whole cycles of the other points.
            let mut ways = vec![0u64; geese as usize + 1];
            ways[0] = 1;
            let mut seen = vec![fox];
            for start in Point::all() {
                if seen.contains(&start) {
                    continue;
                }
                let (mut cycle, mut point) = (0, start);
                while !seen.contains(&point) {
                    seen.push(point);
                    point = point.image(s);
                    cycle += 1;
                }
                for n in (cycle..ways.len()).rev() {
                    ways[n] += ways[n - cycle];
                }
            }
            fixed_in_all += ways[geese as usize];
        }
    }
    fixed_in_all / u64::from(group.order())
}

#[test]
fn the_index_has_exactly_as_many_ranks_as_there_are_classes() {
    let (square, mirror) = (Hunt::default(), Hunt::fox_geese("forward").unwrap());
    let plain = Hunt::default().without_symmetry();
    let mut total = 0;
    for layer in square.layers() {
        let geese = u64::from(layer);
        assert_eq!(
            square.index(layer).len(Side::First),
            burnside(Group::SQUARE, geese),
            "layer {layer}"
        );
        assert_eq!(
            mirror.index(layer).len(Side::First),
            burnside(Group::MIRROR, geese),
            "layer {layer}"
        );
        assert_eq!(plain.index(layer).len(Side::First), 33 * binomial(32, geese), "layer {layer}");
        assert_eq!(square.positions(layer, Side::First), 33 * binomial(32, geese));
        total += 2 * square.index(layer).len(Side::First);
    }
    assert_eq!(square.index(16).len(Side::Second), 2_479_562_482);
    assert_eq!(total, 35_435_528_292);
}

#[test]
fn rank_and_unrank_are_inverse_and_orbits_add_up_on_whole_layers() {
    for game in
        [Hunt::default(), Hunt::fox_geese("forward").unwrap(), Hunt::default().without_symmetry()]
    {
        for layer in [1, 2, 3, 4, 29, 30, 31] {
            let index = game.index(layer);
            let mut positions = 0;
            for rank in 0..index.len(Side::First) {
                let position = index.unrank(Side::First, rank);
                assert_eq!(index.rank(&position), rank);
                positions += index.orbit(Side::First, rank);
            }
            assert_eq!(positions, game.positions(layer, Side::First), "layer {layer}");
            let mut missing = 0;
            let half = index.len(Side::First) / 2;
            for ranks in [0..half, half..index.len(Side::First)] {
                index.visit_small_orbits(Side::First, ranks, |_, orbit| {
                    missing += game.symmetries() as u64 - orbit;
                });
            }
            assert_eq!(positions + missing, index.len(Side::First) * game.symmetries() as u64);
        }
    }
}

#[test]
fn every_rule_set_holds_together() {
    for rules in FOX_GEESE_RULES {
        let game = Hunt::fox_geese(rules).unwrap();
        // Chains and directions of the geese show in three layers.
        let whole = if ["free+chain", "forward+chain+compulsory"].contains(&rules) { 3 } else { 2 };
        for layer in game.layers() {
            let samples = if layer <= whole { u64::MAX } else { 60 };
            validate(&game, layer, samples)
                .unwrap_or_else(|e| panic!("{rules}, layer {layer}: {e}"));
            if layer % 6 == 5 {
                validate(&game.without_symmetry(), layer, 20)
                    .unwrap_or_else(|e| panic!("{rules}: {e}"));
            }
        }
    }
}

#[test]
fn four_geese_trap_a_fox_on_an_arms_edge_and_three_have_lost() {
    let game = Hunt::default();
    assert_eq!(game.terminal(&read("gFg/1g1/3g3/7/7/3/3 f")), Some(Outcome::Win(Side::Second)));
    assert_eq!(game.terminal(&read("gFg/1g1/3g3/7/7/3/3 g")), None);
    assert_eq!(game.terminal(&read("gFg/1g1/7/7/7/3/3 f")), Some(Outcome::Win(Side::First)));
    assert!(moves(&game, &read("gFg/1g1/7/7/7/3/3 f")).is_empty());
}

#[test]
fn geese_that_cannot_move_have_lost() {
    // Forward geese on rank 7 with the fox and each other in the way.
    let position = read("ggg/gFg/7/7/7/3/3 g");
    assert_eq!(
        Hunt::fox_geese("forward").unwrap().terminal(&position),
        Some(Outcome::Win(Side::First))
    );
    assert_eq!(Hunt::default().terminal(&position), None);
}

#[test]
fn the_fox_captures_along_lines_only() {
    let game = Hunt::default();
    // d4 has diagonals, so c5 can be jumped to b6 - which does not exist - and e5 to f6, neither.
    let position = read("3/3/2g1g2/3F3/3g3/g1g/3 f");
    assert_eq!(moves(&game, &position), ["d4xd2", "d4-c3", "d4-e3", "d4-c4", "d4-e4", "d4-d5"]);
    let orthogonal = Hunt::fox_geese("free+orthogonal").unwrap();
    assert_eq!(moves(&orthogonal, &position), ["d4xd2", "d4-c4", "d4-e4", "d4-d5"]);
    let compulsory = Hunt::fox_geese("free+compulsory").unwrap();
    assert_eq!(moves(&compulsory, &position), ["d4xd2"]);
}

#[test]
fn chains_of_jumps_go_on_as_the_switches_say() {
    // Three geese in a row with gaps, and enough others for the game to go on without them.
    let position = read("gg1/3/7/Fg1g1g1/7/3/ggg f");
    let captures = |rules: &str| {
        let list = moves(&Hunt::fox_geese(rules).unwrap(), &position);
        let steps = list.iter().filter(|mv| mv.contains('-')).count();
        (list.into_iter().filter(|mv| mv.contains('x')).collect::<Vec<_>>().join(" "), steps)
    };
    assert_eq!(captures("free"), ("a4xc4".into(), 2));
    assert_eq!(captures("first-capture"), ("a4xc4".into(), 2));
    assert_eq!(captures("free+compulsory"), ("a4xc4".into(), 0));
    assert_eq!(captures("free+chain"), ("a4xc4 a4xc4xe4 a4xc4xe4xg4".into(), 2));
    assert_eq!(captures("free+chain+compulsory"), ("a4xc4xe4xg4".into(), 0));
}

#[test]
fn the_positions_inside_a_chain_are_played_one_jump_at_a_time() {
    let plain = Hunt::default();
    let (mut longest, mut returns) = (0, 0);
    for rules in FOX_GEESE_RULES {
        let game = Hunt::fox_geese(rules).unwrap();
        assert_eq!(game.has_chains(), rules.contains("+chain"));
        // Chains lead round the square, in both directions and back to their start, and along an
        // edge.
        for text in ["ggg/3/3gF2/2g1g2/3g3/3/ggg f", "gg1/3/7/Fg1g1g1/7/3/ggg f"] {
            let position = read(text);
            let _ = game.visit_moves(&position, |mv, next| {
                let inner = game.inner_positions(&position, &mv);
                assert_eq!(inner.len() + 2, mv.path().len(), "{mv:?}");
                let mut before = position;
                for (after, jump) in inner.iter().zip(mv.path().windows(2)) {
                    assert_eq!(
                        (after.few(), after.to_move()),
                        (PointSet::of(jump[1]), Side::First)
                    );
                    let one = jump.iter().map(|&point| name(point)).collect::<Vec<_>>().join("x");
                    assert!(plain.parse_move(&before, &one).is_ok(), "{one} in {mv:?}");
                    let taken = before.many() - after.many();
                    assert_eq!((taken.len(), after.many() - before.many()), (1, PointSet::EMPTY));
                    before = *after;
                }
                if let Next::Position(next) = next
                    && mv.is_capture()
                {
                    assert_eq!((before.many() - next.many()).len(), 1);
                }
                longest = longest.max(inner.len());
                returns +=
                    usize::from(inner.len() == 3 && PointSet::of(mv.path()[4]) == position.few());
                ControlFlow::<()>::Continue(())
            });
        }
    }
    // Two ways round, in each of the 8 rule sets with chains.
    assert_eq!((longest, returns), (3, 16));
}

#[test]
fn the_first_capture_ends_the_game_where_the_rules_say_so() {
    let position = read("3/3/7/3F3/gggg1gg/3/3 g");
    for (rules, ends) in [("free", false), ("first-capture", true)] {
        let game = Hunt::fox_geese(rules).unwrap();
        let to_move = game.passed(&position).unwrap();
        let mut seen = 0;
        let _ = game.visit_moves(&to_move, |mv, next| {
            if mv.is_capture() {
                seen += 1;
                assert_eq!(game.outcome_after(&next) == Some(Outcome::Win(Side::First)), ends);
            }
            ControlFlow::<()>::Continue(())
        });
        assert!(seen > 0);
    }
}

#[test]
fn malformed_positions_name_the_column() {
    let cases = [
        ("", 1, "row 7 has 3 points, only 0 are given"),
        ("3/3/7/3F3/ggggggg/ggg/ggg", 26, "side to move is missing"),
        ("3/3/7/3F3/ggggggg/ggg/ggg ", 27, "side to move is missing"),
        ("3/3/7/3F3/ggggggg/ggg/ggg x", 27, "no side to move"),
        ("3/3/7/3F3/ggggggg/ggg/ggg ff", 28, "'f' follows where the position is complete"),
        ("3/3/7/3F3/ggggggg/ggg f", 22, "row 1 is missing, there are 7"),
        ("3/3/7/3F3/ggggggg/ggg/ggg/3 f", 26, "only 7 rows"),
        ("4/3/7/3F3/ggggggg/ggg/ggg f", 1, "row 7 has more than 3 points"),
        ("3/2/7/3F3/ggggggg/ggg/ggg f", 4, "row 6 has 3 points, only 2 are given"),
        ("3/3/7/3F4/ggggggg/ggg/ggg f", 9, "row 4 has more than 7 points"),
        ("3/3/7/3FF2/ggggggg/ggg/ggg f", 9, "there is a second fox, the first is on d4"),
        ("3/3/7/7/ggggggg/ggg/ggg f", 1, "there is no fox (F)"),
        ("3/3/7/3F3/7/3/3 f", 1, "there is no goose (g); a position has 1 to 31 geese"),
        ("ggg/ggg/ggggggg/gggFggg/ggggggg/ggg/ggg f", 39, "32 geese are too many"),
        ("3/3/7/3F3/ggggägg/ggg/ggg f", 15, "'ä' is none of F (fox), g (goose), a digit"),
        ("3/3/7/3F3/gggg0gg/ggg/ggg f", 15, "a digit from 1 to 7 (empty points), / and *"),
        ("3/3/7/3f3/ggggggg/ggg/ggg f", 8, "a fox is written F; f is a side to move"),
        ("*3*/3/7/3F3/ggggggg/ggg/ggg f", 2, "write **"),
        ("**3*/3/7/3F3/ggggggg/ggg/ggg f", 5, "row 7 has missing points at this place: write **"),
        ("**3/3/7/3F3/ggggggg/ggg/ggg f", 4, "row 7 has missing points at this place: write **"),
        ("3/3/*7/3F3/ggggggg/ggg/ggg f", 5, "no point is missing at this place of row 5"),
        ("3**/3/7/3F3/ggggggg/ggg/ggg f", 2, "row 7 has missing points before this place"),
        ("***3**/3/7/3F3/ggggggg/ggg/ggg f", 3, "no point is missing at this place of row 7"),
    ];
    for (text, column, problem) in cases {
        let error = Hunt::default().parse_position(text).unwrap_err();
        assert_eq!(error.column(), column, "{text}: {error}");
        assert!(error.to_string().contains(problem), "{text}: {error}");
        assert!(error.to_string().contains("3/3/7/3F3/ggggggg/ggg/ggg f"));
    }
    assert!(Hunt::default().parse_position(&"3/".repeat(100_000)).is_err());
}

#[test]
fn stars_and_underscores_are_read_and_never_written() {
    let position = read("**3**/**3**/7/3F3/ggggggg/**ggg**/**g1g**_f");
    assert_eq!(Hunt::default().format_position(&position), "3/3/7/3F3/ggggggg/ggg/g1g f");
}

#[test]
fn moves_read_back_and_wrong_ones_name_the_column() {
    let game = Hunt::default();
    let position = read("3/3/7/3F3/gggg1gg/3/3 f");
    for text in moves(&game, &position) {
        assert_eq!(game.format_move(&game.parse_move(&position, &text).unwrap()), text);
    }
    for (text, column, problem) in [
        ("", 1, "not complete"),
        ("d4", 3, "not complete"),
        ("d4-", 4, "not complete"),
        ("d4-d", 5, "not complete"),
        ("x4-d5", 1, "'x' is not the name of a point"),
        ("h4-d5", 1, "the board has no point h4; columns are a to g, rows 1 to 7"),
        ("d8-d5", 2, "the board has no point d8; columns are a to g, rows 1 to 7"),
        ("a1-a2", 2, "the board has no point a1"),
        ("d-d5", 2, "the board has no point d;"),
        ("d4-d5-", 6, "'-' follows where the move is complete"),
        ("d4xd6x", 6, "'x' follows where the move is complete"),
        ("d4-d6", 1, "d4-d6 is not a legal move in 3/3/7/3F3/gggg1gg/3/3 f under free"),
        ("d4 d5", 3, "points are separated by - or x"),
    ] {
        let error = game.parse_move(&position, text).unwrap_err();
        assert_eq!(error.column(), column, "{text}: {error}");
        assert!(error.problem().contains(problem), "{text}: {error}");
    }
    // Under rules with chains, jumps may follow a jump, and steps may not.
    let chains = Hunt::fox_geese("free+chain").unwrap();
    for (text, column) in [("d4xd6x", 7), ("d4xd6-d5", 6), ("d4-d5xd7", 6)] {
        let error = chains.parse_move(&position, text).unwrap_err();
        assert_eq!(error.column(), column, "{text}: {error}");
    }
}

fn any_position() -> impl Strategy<Value = Position> {
    (0u8..33, any::<u64>(), any::<u64>(), any::<bool>()).prop_filter_map(
        "no goose, or too many",
        |(fox, a, b, side)| {
            let fox = PointSet::of(fox);
            // Sparse, dense and middling sets alike.
            let geese = PointSet::from_bits(u128::from(if a % 3 == 0 {
                a & b
            } else if a % 3 == 1 {
                a | b
            } else {
                b
            })) & PointSet::first_points(33);
            let geese = geese - fox;
            let side = if side { Side::First } else { Side::Second };
            Hunt::default().position([fox, geese], [0; 2], side)
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_reads_back(position in any_position()) {
        let game = Hunt::default();
        prop_assert_eq!(game.parse_position(&game.format_position(&position)), Ok(position));
    }

    #[test]
    fn unrank_of_rank_is_canonical_and_shared_by_all_images(position in any_position()) {
        let [free, forward] = [Hunt::default(), Hunt::fox_geese("forward").unwrap()];
        for game in [free.without_symmetry(), free, forward] {
            let index = game.index(game.layer(&position));
            let rank = index.rank(&position);
            prop_assert!(rank < index.len(position.to_move()));
            let canonical = index.unrank(position.to_move(), rank);
            prop_assert_eq!(index.rank(&canonical), rank);
            let images: Vec<Position> =
                (0..game.symmetries()).map(|s| game.image(&position, s)).collect();
            prop_assert!(images.contains(&canonical));
            for image in &images {
                prop_assert_eq!(index.rank(image), rank);
            }
        }
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "[0-9Fg/*_ f\u{e9}Hunt]{0,60}") {
        let game = Hunt::default();
        if let Ok(position) = game.parse_position(&text) {
            prop_assert_eq!(game.parse_position(&game.format_position(&position)), Ok(position));
        }
        let _ = game.parse_move(&read("3/3/7/3F3/ggggggg/ggg/ggg f"), &text);
    }
}

#[test]
fn every_move_that_ends_the_game_has_its_position() {
    for rules in FOX_GEESE_RULES {
        let game = Hunt::fox_geese(rules).unwrap();
        let mut ends = 0;
        for (layer, step) in [(4, 101), (5, 1997)] {
            let index = game.index(layer);
            for rank in (0..index.len(Side::First)).step_by(step) {
                let position = index.unrank(Side::First, rank);
                let _ = game.visit_moves(&position, |mv, next| {
                    if let Next::End(end) = next {
                        ends += 1;
                        let captured = mv.path().len() as u16 - 1;
                        assert_eq!(end.outcome, Outcome::Win(Side::First));
                        assert_eq!(end.position.few().first().as_ref(), mv.path().last());
                        assert_eq!(game.layer(&end.position), layer - captured);
                        assert!((end.position.many() - position.many()).is_empty());
                        assert_eq!(end.position.to_move(), Side::Second);
                        // Of the two, only the number of geese is a matter of the position.
                        let is_over = game.terminal(&end.position).is_some();
                        let few = game.layer(&end.position) < 4;
                        let first = rules.starts_with("first-capture");
                        let reason = if first { "first capture" } else { "fewer than four geese" };
                        assert_eq!(game.reason_text(end.reason), reason, "{rules}");
                        assert!(is_over || first, "{rules}: {}", game.format_position(&position));
                        assert!(first || few);
                        assert_eq!(game.outcome_after(&next), Some(end.outcome));
                    }
                    ControlFlow::<()>::Continue(())
                });
            }
        }
        assert!(ends > 100, "{rules}: {ends}");
    }
}

#[test]
fn every_id_reads_back_and_switches_are_read_in_any_order() {
    for id in FOX_GEESE_RULES {
        assert_eq!(Hunt::fox_geese(id).unwrap().rules_id(), id);
        assert!(id.len() < 64);
    }
    let game = Hunt::fox_geese("forward+compulsory+chain+orthogonal").unwrap();
    assert_eq!(game.rules_id(), "forward+orthogonal+chain+compulsory");
}

#[test]
fn wrong_ids_say_what_a_right_one_is() {
    for wrong in [
        "",
        "Free",
        "free+",
        "free+diagonal",
        "free+chain+chain",
        "first-capture+chain",
        "chain",
        "free ",
    ] {
        let error = Hunt::fox_geese(wrong).unwrap_err().to_string();
        assert!(error.contains("a rule set is free, first-capture, or forward"), "{error}");
    }
}
