//! Descriptions: what is wrong with one is named with its place, and notation fits games that are
//! no family of the crate.

use std::ops::ControlFlow;

use anser_core::hunt::{
    BoardPoint, Condition, Description, EndRule, Hunt, Layering, Place, Position, fox_geese,
    hare_hounds,
};
use anser_core::{BLOCKED, LayerIndex, Next, Noun, Side, validate};

const FEW: Side = Side::First;
const MANY: Side = Side::Second;

/// Hare-and-Hounds with a change.
fn changed(change: impl FnOnce(&mut Description)) -> Result<Hunt, anser_core::hunt::Problem> {
    let mut description = hare_hounds("unlimited").expect("a rule set");
    change(&mut description);
    Hunt::new(description)
}

#[test]
fn a_wrong_description_is_answered_with_the_place_where_it_goes_wrong() {
    type Change = fn(&mut Description);
    let cases: [(Change, Place, &str); 30] = [
        // Points that do not exist.
        (|it| it.lines[2].push(11), Place::Line(2), "there is no point number 11"),
        (|it| it.sides[0].start[0] = 11, Place::Field(FEW, "start"), "no point number 11"),
        (|it| it.sides[1].region = vec![12], Place::Field(MANY, "region"), "no point number 12"),
        (|it| it.sides[0].steps[3][1] = 200, Place::Field(FEW, "steps"), "no point number 200"),
        (
            |it| it.ends[0].condition = Condition::Filled(FEW, vec![3, 11]),
            Place::End(0),
            "no point number 11",
        ),
        // Lines that bend, go back, or are none.
        (
            |it| it.lines[0] = vec![0, 1, 9],
            Place::Line(0),
            "2 does not follow 1 on the way from 1 to 10",
        ),
        (|it| it.lines[1].swap(1, 2), Place::Line(1), "not straight"),
        (|it| it.lines.push(vec![3]), Place::Line(12), "it has 1 of the points"),
        // Moves.
        (
            |it| it.sides[0].jumps = vec![[0, 1, 2], [0, 0, 2]],
            Place::Field(FEW, "jumps"),
            "the jump 1, 1, 3 has no middle",
        ),
        (
            |it| it.sides[0].jumps = vec![[0, 1, 2], [0, 5, 2]],
            Place::Field(FEW, "jumps"),
            "a second jump goes from 1 to 3",
        ),
        (|it| it.sides[1].steps.push([4, 4]), Place::Field(MANY, "steps"), "5-5"),
        // Pieces.
        (|it| it.sides[1].number = [3, 11], Place::Field(MANY, "number"), "11 pieces do not fit"),
        (|it| it.sides[1].number = [3, 2], Place::Field(MANY, "number"), "3 to 2 pieces"),
        (|it| it.sides[1].start.push(1), Place::Field(MANY, "start"), "4 pieces start"),
        (|it| it.sides[1].start[0] = 7, Place::Field(MANY, "start"), "two pieces start on 8"),
        (|it| it.sides[1].start[0] = 3, Place::Field(MANY, "start"), "named twice"),
        (|it| it.sides[1].letter = 'R', Place::Side(MANY), "'R' is no letter of its pieces"),
        // Names.
        (|it| it.points[4].name = "4".into(), Place::Point(4), "a second point is called 4"),
        (|it| it.points[4].name = "x4".into(), Place::Point(4), "cannot be called x4"),
        (|it| (it.points[4].x, it.points[4].y) = (1, 2), Place::Point(4), "coordinates of another"),
        // Ends.
        (|it| it.ends.clear(), Place::Ends, "the game cannot end"),
        (|it| it.plies = Some(60), Place::Ends, "when no plies are left"),
        (
            |it| {
                let captured = EndRule::new(Condition::Captured(FEW), FEW, "captured");
                it.ends.insert(0, EndRule { after_placement: true, ..captured });
            },
            Place::End(0),
            "a capture or an arrival ends the game at any time",
        ),
        (
            |it| {
                let home = EndRule::new(Condition::Arrived(MANY, vec![5]), MANY, "home");
                it.ends.insert(0, EndRule { to_move: Some(FEW), ..home });
            },
            Place::End(0),
            "a capture or an arrival ends the game at any time",
        ),
        (
            |it| {
                let first = it.first_to_move;
                let there = it.sides[first.index()].start.clone();
                it.ends.insert(0, EndRule::new(Condition::Arrived(first, there), first, "home"));
            },
            Place::End(0),
            "over before the start",
        ),
        (
            |it| it.ends.push(EndRule::new(Condition::Fewer(MANY, 4), FEW, "too few")),
            Place::Field(MANY, "number"),
            "with at most 3 pieces the game is over before the start",
        ),
        // Layers and the other rules.
        (
            |it| it.layers = Layering::Placement,
            Place::Layers,
            "layers by placement need pieces in hand",
        ),
        (|it| it.layers = Layering::Plies, Place::Layers, "layers by plies need a limit of plies"),
        (
            |it| {
                it.sides[0].number = [0, 1];
                it.sides[1].jumps = vec![[0, 1, 2]];
                it.ends.push(EndRule::new(Condition::Fewer(FEW, 1), MANY, "none left"));
                it.layers = Layering::Pieces;
            },
            Place::Field(MANY, "jumps"),
            "only the few capture",
        ),
        // Nobody captures the few where pieces are placed.
        (
            |it| {
                let [few, many] = &mut it.sides;
                few.number = [0, 1];
                (many.hand, many.start) = (3, Vec::new());
                it.ends.push(EndRule::new(Condition::Fewer(FEW, 1), MANY, "none left"));
                it.layers = Layering::Placement;
            },
            Place::Field(FEW, "number"),
            "so that their number stays",
        ),
    ];
    for (number, (change, place, what)) in cases.into_iter().enumerate() {
        let problem = changed(change).expect_err("it is wrong");
        assert_eq!(problem.place, place, "case {number}: {problem}");
        assert!(problem.what.contains(what), "case {number}: {problem}");
        // The whole message: where, what, and what a right one looks like.
        assert!(!problem.right.is_empty(), "case {number}: {problem}");
        assert_eq!(
            problem.to_string(),
            format!("{place}: {}; {}", problem.what, problem.right),
            "case {number}"
        );
    }
    assert!(changed(|_| ()).is_ok());
    // Places are counted from 1 and sides are called as in the text of a description.
    let message = changed(|it| it.lines[2].push(11)).expect_err("no such point").to_string();
    assert!(message.starts_with("line 3: "), "{message}");
    let message = changed(|it| it.sides[1].steps.push([4, 4])).expect_err("no step").to_string();
    assert!(message.starts_with("steps of the many: "), "{message}");
}

#[test]
fn captures_may_leave_no_fewer_pieces_than_the_least_number() {
    let mut description = fox_geese("free").expect("a rule set");
    description.sides[1].number[0] = 5;
    let problem = Hunt::new(description).expect_err("a capture leaves four");
    assert_eq!(problem.place, Place::Field(MANY, "number"), "{problem}");
}

/// A tiger and three elephants, two of them in hand, on three by three points.
fn tiger() -> Hunt {
    let mut description = hare_hounds("unlimited").expect("a rule set");
    let places = (0..3).flat_map(|y| (0..3).map(move |x| (x, y)));
    let name = |x: i32, y: i32| format!("{}{}", ["a", "b", "c"][x as usize], y + 1);
    description.points = places.map(|(x, y)| BoardPoint { name: name(x, y), x, y }).collect();
    let rows = (0..3).map(|y| vec![3 * y, 3 * y + 1, 3 * y + 2]);
    description.lines = rows.chain((0..3).map(|x| vec![x, x + 3, x + 6])).collect();
    let steps = description.steps_along_lines(|_, _| true);
    let jumps = description.jumps_along_lines();
    let [few, many] = &mut description.sides;
    (few.name, few.piece, few.letter, few.turn) = ("tiger".into(), "tiger".into(), 'T', 't');
    (few.start, few.steps, few.jumps) = (vec![8], steps.clone(), jumps);
    (many.name, many.piece) = ("elephants".into(), "elephant".into());
    (many.letter, many.turn, many.noun) = ('e', 'e', Noun::Plural);
    (many.start, many.hand, many.number, many.steps) = (vec![0], 2, [1, 3], steps);
    description.first_to_move = MANY;
    description.layers = Layering::Placement;
    description.ends = vec![
        EndRule::new(Condition::Fewer(MANY, 2), FEW, "too few elephants"),
        EndRule::new(Condition::Blocked(FEW), MANY, BLOCKED),
    ];
    Hunt::new(description).unwrap_or_else(|problem| panic!("{problem}"))
}

/// A piece against two on a row of points, without captures.
fn row(points: u8) -> Hunt {
    let made = changed(|it| {
        let point = |x: u8| BoardPoint { name: format!("a{}", x + 1), x: 0, y: x.into() };
        it.points = (0..points).map(point).collect();
        it.lines = vec![(0..points).collect()];
        let steps = it.steps_along_lines(|_, _| true);
        for (side, start) in it.sides.iter_mut().zip([vec![0], vec![points - 2, points - 1]]) {
            (side.steps, side.number) = (steps.clone(), [start.len() as u8; 2]);
            side.start = start;
        }
        it.layers = Layering::Pieces;
        it.ends = vec![EndRule::new(Condition::Blocked(FEW), MANY, BLOCKED)];
    });
    made.unwrap_or_else(|problem| panic!("{problem}"))
}

#[test]
fn boards_around_a_word_of_points_are_numbered_alike() {
    for points in 62..=66 {
        let game = row(points);
        let index = game.index(2);
        assert_eq!(index.scheme().name, "hunt");
        let len = index.len(FEW);
        let others = u64::from(points) - 1;
        // Half of the points of the piece, the others by the mirror, and two of the other points.
        assert_eq!(len, u64::from(points).div_ceil(2) * others * (others - 1) / 2);
        let mut positions = 0;
        for rank in 0..len {
            let members = index.orbit(FEW, rank);
            positions += members;
            let position = index.unrank(FEW, rank);
            if members > 0 {
                assert_eq!(index.rank(&position), rank);
                assert_eq!(index.rank(&game.image(&position, 1)), rank);
            }
        }
        assert_eq!(positions, u64::from(points) * others * (others - 1) / 2);
    }
}

/// Codes of boards of more than 52 points have the layer of the position.
#[test]
fn positions_after_the_last_capture_have_codes_on_large_boards() {
    let mut description = row(54).description().clone();
    description.sides[0].jumps = description.jumps_along_lines();
    description.sides[1].number = [1, 2];
    description.ends.insert(0, EndRule::new(Condition::Fewer(MANY, 2), FEW, "captured"));
    let game = Hunt::new(description).unwrap_or_else(|problem| panic!("{problem}"));
    assert_eq!(game.layers(), 2..=2);
    validate(&game, 2, 2_000).unwrap_or_else(|violation| panic!("{violation}"));
}

/// Symmetries of a piece that jumps around a ring. Nothing else tells the points apart.
#[test]
fn the_symmetries_of_jumps_are_found_at_once() {
    for (points, symmetries) in [(16, 16), (32, 1), (128, 1)] {
        let mut description = row(points).description().clone();
        description.lines.clear();
        description.sides.iter_mut().for_each(|side| side.steps.clear());
        let around = |step: u8| {
            move |point: u8| ((u16::from(point) + u16::from(step)) % u16::from(points)) as u8
        };
        description.sides[0].jumps =
            (0..points).map(|point| [0, 1, 3].map(|step| around(step)(point))).collect();
        description.sides[1].number = [0, 2];
        description.ends.push(EndRule::new(Condition::Fewer(MANY, 1), FEW, "captured"));
        let game = Hunt::new(description).unwrap_or_else(|problem| panic!("{problem}"));
        assert_eq!(game.symmetries(), symmetries, "{points} points");
    }
}

#[test]
fn numbers_of_positions_count_pieces_in_hand() {
    let mut description = row(64).description().clone();
    let many = &mut description.sides[1];
    (many.number, many.hand, many.start) = ([44; 2], 44, Vec::new());
    description.layers = Layering::Placement;
    description.first_to_move = MANY;
    let problem = Hunt::new(description).expect_err("it is too large");
    assert!(problem.to_string().contains("more than 10^18 positions"), "{problem}");
}

/// A side without a piece to move has to be at the end of the game, whatever move led there.
#[test]
fn a_capture_does_not_say_how_a_position_without_pieces_ends() {
    let with = |end: Option<EndRule>| {
        let mut description = row(6).description().clone();
        description.sides[0].jumps = description.jumps_along_lines();
        description.sides[1].number = [0, 2];
        description.ends.insert(0, EndRule::new(Condition::Captured(FEW), FEW, "captured"));
        description.ends.extend(end);
        Hunt::new(description)
    };
    let problem = with(None).expect_err("the many without a piece would pass");
    assert!(problem.to_string().contains("no end says who has won when no piece is left"));
    assert!(with(Some(EndRule::new(Condition::Fewer(MANY, 1), FEW, "none"))).is_ok());
}

#[test]
fn either_side_to_move_has_a_winner_when_no_plies_are_left() {
    let with = |sides: &[Side]| {
        let mut description = hare_hounds("budget-10").expect("a rule set");
        description.ends.retain(|rule| rule.condition != Condition::OutOfPlies);
        description.ends.extend(sides.iter().map(|&side| {
            let rule = EndRule::new(Condition::OutOfPlies, FEW, "out of plies");
            EndRule { to_move: Some(side), ..rule }
        }));
        Hunt::new(description)
    };
    for (sides, says) in [
        (&[][..], "no plies are left"),
        (&[FEW], "no plies are left and the many are to move"),
        (&[MANY], "no plies are left and the few are to move"),
    ] {
        let problem = with(sides).expect_err("play would go on");
        assert!(problem.what.ends_with(says), "{problem}");
    }
    assert!(with(&[FEW, MANY]).is_ok());
}

/// An end that does not hold inside a chain does not bound it.
#[test]
fn a_chain_is_not_ended_by_a_rule_for_one_side_to_move() {
    let mut description = fox_geese("free+chain").expect("a rule set");
    let of_geese = |rule: &&mut EndRule| matches!(rule.condition, Condition::Fewer(MANY, _));
    let rule = description.ends.iter_mut().find(of_geese).expect("it has one");
    rule.to_move = Some(FEW);
    let problem = Hunt::new(description).expect_err("a chain may be too long");
    assert!(problem.to_string().contains("a chain could capture 31 pieces"), "{problem}");
}

#[test]
fn positions_have_pieces_in_hand_and_captured() {
    let game = tiger();
    assert_eq!(game.format_position(&game.start()), "2T/3/e2 e 2 0");
    for (text, written) in [
        // Pieces that are not on the board are in hand, if nothing else is written.
        ("2T/3/e2 e", "2T/3/e2 e 2 0"),
        ("2T/3/e2_e_1", "2T/3/e2 e 1 1"),
        ("2T/3/ee1 t 0 1", "2T/3/ee1 t 0 1"),
        ("2T/1e1/ee1 t 0", "2T/1e1/ee1 t 0 0"),
    ] {
        let position = game.parse_position(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(game.format_position(&position), written);
    }
    for (text, column, problem) in [
        ("2T/3/e2 ex", 10, "only a space and the number of elephants in hand can"),
        ("2T/3/e2 e ", 11, "the number of elephants in hand is missing"),
        ("2T/3/e2 e 3", 11, "3 elephants in hand and 1 on the board are more than 3"),
        ("2T/3/e2 e 70000", 11, "70000 elephants in hand and 1 on the board are more than 3"),
        ("2T/3/3 e 3", 10, "at most 2 elephants are in hand"),
        ("2T/3/e2 e 2x", 12, "neither a digit nor a space before the number of captured pieces"),
        ("2T/3/e2 e 2 1", 13, "with 1 of 3 elephants on the board and 2 in hand, 0 are captured"),
        ("2T/3/e2 e 2 0 ", 14, "follows where the position is complete"),
        ("2T/3/3 e 0", 1, "there is no elephant (e); a position has 1 to 3 elephants"),
        ("2T/3/Eee e", 6, "an elephant is written e"),
        ("eeT/1e1/e2 e", 9, "4 elephants are too many; a position has 1 to 3"),
    ] {
        let error = game.parse_position(text).expect_err(text);
        assert_eq!(error.column(), column, "{text}: {error}");
        assert!(error.problem().contains(problem), "{text}: {error}");
        assert_eq!(error.example(), "2T/3/e2 e 2 0");
    }
}

#[test]
fn the_example_of_a_move_has_every_kind() {
    let game = tiger();
    let error = game.parse_move(&game.start(), "").expect_err("no move");
    assert_eq!((error.column(), error.example()), (1, "b1 or a1-b1 or a1xc1"));
    assert!(game.parse_move(&game.start(), "b1").is_ok());
    let error = game.parse_move(&game.start(), "a1-b1").expect_err("one is to be placed");
    assert!(error.problem().contains("a1-b1 is not a legal move in 2T/3/e2 e 2 0"), "{error}");
}

/// The number of classes follows from the symmetries without a look at the entries.
#[test]
fn classes_are_the_entries_with_an_orbit() {
    let games = [
        Ok(Hunt::hare_hounds("unlimited").expect("a rule set")),
        Ok(Hunt::hare_hounds("budget-3").expect("a rule set")),
        changed(|it| it.sides[1].number = [2, 3]),
        Ok(Hunt::fox_geese("forward").expect("a rule set")),
    ];
    for game in games.map(|game| game.expect("a game")) {
        for layer in game.layers().take(5) {
            let index = game.index(layer);
            for side in Side::BOTH {
                let len = index.len(side);
                let orbits: Vec<u64> = (0..len).map(|rank| index.orbit(side, rank)).collect();
                let classes = orbits.iter().filter(|&&orbit| orbit > 0).count() as u64;
                assert_eq!(index.classes(side), classes, "{} layer {layer}", game.name());
                // The small ones are also found without a look at each, from any rank on.
                for ranks in [0..len, len / 3..len, len / 2..len - len / 5] {
                    let symmetries = game.symmetries() as u64;
                    let small = ranks.clone().map(|rank| (rank, orbits[rank as usize]));
                    let small: Vec<_> = small.filter(|&(_, orbit)| orbit < symmetries).collect();
                    let mut visited = Vec::new();
                    index
                        .visit_small_orbits(side, ranks, |rank, orbit| visited.push((rank, orbit)));
                    assert_eq!(visited, small, "{} layer {layer}", game.name());
                }
                // By class, which copies share.
                let mut shares = vec![game.symmetries() as u64; len as usize];
                index.visit_shares(side, 0..len, |rank, share| shares[rank as usize] = share);
                let mut sums = vec![0; len as usize];
                for (rank, share) in (0..len).zip(shares) {
                    sums[index.copy_of(side, rank).unwrap_or(rank) as usize] += share;
                }
                assert_eq!(sums, orbits, "{} layer {layer}", game.name());
            }
        }
    }
}

/// Returns the results of the moves that leave the layer of a position, or end the game, and
/// whether others stay.
fn leaving(game: &Hunt, position: &Position) -> (Vec<Next>, bool) {
    let layer = game.layer(position);
    let mut after = Vec::new();
    let _ = game.visit_successors(position, |_, next| {
        after.push(next);
        ControlFlow::<()>::Continue(())
    });
    let stays = |next: &Next| matches!(next, Next::Position(next) if game.layer(next) == layer);
    let moves = after.len();
    after.retain(|next| !stays(next));
    let stay = after.len() < moves;
    (after, stay)
}

#[test]
fn moves_that_leave_a_layer_are_those_of_all_moves_that_do() {
    let rules = ["free", "first-capture", "forward", "free+chain", "free+compulsory"];
    let geese = rules.map(|id| Hunt::fox_geese(id).unwrap());
    let games = geese.into_iter().chain([
        Hunt::fox_hounds(6, "escape").expect("a board"),
        Hunt::hasenspiel(6, 3, "author").expect("a board"),
        Hunt::hare_hounds("budget-30").unwrap(),
        Hunt::hare_hounds("unlimited").unwrap(),
        Hunt::hexapawn("4x4".parse().expect("a size")),
        tiger(),
    ]);
    for game in games {
        let (mut left, mut stayed) = (0, 0);
        for layer in game.layers() {
            let index = game.index(layer);
            for side in Side::BOTH {
                let len = index.len(side);
                for rank in (0..len).step_by(len.div_ceil(500).max(1) as usize) {
                    if index.orbit(side, rank) == 0 {
                        continue;
                    }
                    let position = index.unrank(side, rank);
                    let (expected, stays) = leaving(&game, &position);
                    let mut found = Vec::new();
                    let flow = game.visit_leaving(layer, &position, |next| {
                        found.push(next);
                        ControlFlow::<()>::Continue(())
                    });
                    let text = game.format_position(&position);
                    assert_eq!(found, expected, "{game:?}, {text}");
                    assert_eq!(flow, ControlFlow::Continue(stays), "{game:?}, {text}");
                    // A visit that breaks sees the first one only.
                    let first = game.visit_leaving(layer, &position, ControlFlow::Break);
                    assert_eq!(first.break_value(), expected.first().copied());
                    left += expected.len();
                    stayed += usize::from(stays);
                }
            }
        }
        assert!(left > 0 && (stayed > 0 || game.layers().all(|layer| !game.is_loopy(layer))));
    }
}
