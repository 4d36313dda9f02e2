//! The moves of blocks are the moves of their positions, under every rule set and in every layer.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{ControlFlow, Range};

use anser_core::hunt::{
    BoardPoint, Condition, Description, EndRule, FOX_GEESE_RULES, HuntIndex, Layering, Position,
    SideDescription,
};
use anser_core::{
    BlockMoves, Hunt, LONGEST_BLOCK, LayerIndex, Moves, Next, Noun, Outcome, Places, Side,
};

/// Results of moves: a class by layer and rank, or an end. Several moves may lead to the same
/// class.
type Successors = Vec<Result<(u16, u64), Outcome>>;

/// Places of a block that are looked at: the first, the last and some between.
fn places(block: &Range<u64>) -> BTreeSet<usize> {
    let len = (block.end - block.start) as usize;
    (0..len).step_by(len / 30 + 1).chain([len - 1]).collect()
}

fn by_block(
    moves: &dyn BlockMoves,
    side: Side,
    block: &Range<u64>,
    looked_at: &BTreeSet<usize>,
) -> BTreeMap<usize, Option<Successors>> {
    let mut found: BTreeMap<_, _> =
        looked_at.iter().map(|&place| (place, Some(Vec::new()))).collect();
    moves.visit(side, block.start, &mut |moves| {
        let (Moves::To(places, _)
        | Moves::End(places, _)
        | Moves::Over(places, _)
        | Moves::Only(places)
        | Moves::Unlisted(places)) = moves;
        let listed: Vec<(usize, usize)> = match places {
            Places::All => looked_at.iter().map(|&place| (place, place)).collect(),
            Places::Some(list) => {
                assert!(
                    list.is_sorted_by(|a, b| a[0] < b[0])
                        && usize::from(list[list.len() - 1][0]) < LONGEST_BLOCK
                );
                let number_of = |&place: &usize| {
                    let at = list.binary_search_by_key(&(place as u16), |&[from, _]| from).ok()?;
                    Some((place, usize::from(list[at][1])))
                };
                looked_at.iter().filter_map(number_of).collect()
            }
        };
        for (place, number) in listed {
            let Some(of) = found.get_mut(&place) else { continue };
            let next = match moves {
                Moves::To(_, target) => {
                    let after = target.places.map_or(number, |places| usize::from(places[number]));
                    assert!(after < target.len && target.len <= LONGEST_BLOCK);
                    Ok((target.layer, target.start + after as u64))
                }
                Moves::End(_, outcome) | Moves::Over(_, outcome) => Err(outcome),
                Moves::Only(_) => {
                    *of = Some(Vec::new());
                    continue;
                }
                Moves::Unlisted(_) => {
                    *of = None;
                    continue;
                }
            };
            if let Some(of) = of {
                of.push(next);
            }
        }
    });
    found
}

fn by_position(
    game: &Hunt,
    numbering: &BTreeMap<u16, HuntIndex>,
    position: &Position,
) -> Successors {
    let mut found = Vec::new();
    let _ = game.visit_moves(position, |_, next| {
        found.push(match next {
            Next::End(end) => Err(end.outcome),
            Next::Position(next) => {
                let layer = game.layer(&next);
                Ok((layer, numbering[&layer].rank(&next)))
            }
        });
        ControlFlow::<()>::Continue(())
    });
    found
}

fn sorted(mut successors: Successors) -> Vec<String> {
    let mut texts: Vec<String> = successors.drain(..).map(|next| format!("{next:?}")).collect();
    texts.sort();
    texts
}

/// Compares some places of some blocks of a layer: those of the first and the last rank, and others
/// by chance.
fn compare(game: &Hunt, numbering: &BTreeMap<u16, HuntIndex>, layer: u16) {
    let index = &numbering[&layer];
    let moves = game.block_moves(layer, index).unwrap();
    let len = index.len(Side::First);
    let chance =
        (1..=4u64).map(|n| (n * u64::from(layer)).wrapping_mul(0x9e37_79b9_7f4a_7c15) % len);
    let (mut all, mut unlisted) = (0, 0);
    for rank in [0, len - 1].into_iter().chain(chance) {
        let block = moves.block(rank);
        assert!(block.contains(&rank) && block.end <= len);
        for side in Side::BOTH {
            for (place, by_block) in by_block(&*moves, side, &block, &places(&block)) {
                all += 1;
                let position = index.unrank(side, block.start + place as u64);
                let name = format!("{}: {}", game.rules_id(), game.format_position(&position));
                match by_block {
                    Some(found) if layer >= 4 => {
                        assert_eq!(
                            sorted(found),
                            sorted(by_position(game, numbering, &position)),
                            "{name}"
                        );
                    }
                    // With fewer geese the game is over, and the block says so.
                    Some(found) => assert_eq!(
                        found[..],
                        [Err(Outcome::Win(Side::First))][side.index()..],
                        "{name}"
                    ),
                    // Asked for one by one: chains of captures, and blocks with a symmetry, of
                    // which there are few.
                    None => unlisted += 1,
                }
            }
        }
    }
    assert!(unlisted < all || !(4..30).contains(&layer), "{}, layer {layer}", game.rules_id());
}

#[test]
fn the_moves_of_blocks_are_the_moves_of_their_positions() {
    let games = FOX_GEESE_RULES.map(|rules| Hunt::fox_geese(rules).unwrap());
    for game in games.into_iter().chain([Hunt::default().without_symmetry()]) {
        let numbering = game.layers().map(|layer| (layer, game.index(layer))).collect();
        for layer in game.layers() {
            compare(&game, &numbering, layer);
        }
    }
}

/// Two tigers against goats on the lines of 4 x 4 points. The middle points come first, which every
/// symmetry keeps.
fn tigers(goats: u8, hand: u8) -> Description {
    let is_middle = |x: i32, y: i32| (1..3).contains(&x) && (1..3).contains(&y);
    let all = (0..16).map(|number| (number % 4, number / 4));
    let (middle, edge): (Vec<_>, Vec<_>) = all.partition(|&(x, y)| is_middle(x, y));
    let points: Vec<BoardPoint> = middle
        .into_iter()
        .chain(edge)
        .map(|(x, y)| BoardPoint { name: format!("{}{}", char::from(b'a' + x as u8), y + 1), x, y })
        .collect();
    let at = |x, y| points.iter().position(|point| (point.x, point.y) == (x, y)).unwrap() as u8;
    let rows = (0..4).map(|y| (0..4).map(|x| at(x, y)).collect());
    let columns = (0..4).map(|x| (0..4).map(|y| at(x, y)).collect());
    let diagonals = [
        vec![at(0, 0), at(1, 1), at(2, 2), at(3, 3)],
        vec![at(3, 0), at(2, 1), at(1, 2), at(0, 3)],
    ];
    let lines = rows.chain(columns).chain(diagonals).collect();
    let side =
        |name: &str, letters: [char; 2], number: [u8; 2], start: Vec<u8>, hand| SideDescription {
            name: name.into(),
            noun: Noun::Plural,
            piece: name.trim_end_matches('s').into(),
            letter: letters[0],
            turn: letters[1],
            number,
            start,
            hand,
            ..SideDescription::default()
        };
    let start = vec![at(0, 0), at(3, 3)];
    let goats_start = (0..goats - hand).map(|x| at(x.into(), 1)).collect();
    let mut description = Description {
        name: "tigers".into(),
        rules: "standard".into(),
        points: points.clone(),
        lines,
        point_word: "points".into(),
        sides: [
            side("tigers", ['T', 't'], [2, 2], start, 0),
            side("goats", ['g', 'g'], [1, goats], goats_start, hand),
        ],
        first_to_move: Side::Second,
        ends: [
            (Condition::Fewer(Side::Second, 2), Side::First),
            (Condition::Blocked(Side::First), Side::Second),
            (Condition::Blocked(Side::Second), Side::First),
        ]
        .map(|(condition, winner)| EndRule::new(condition, winner, "over"))
        .into(),
        plies: None,
        endless: None,
        layers: if hand > 0 { Layering::Placement } else { Layering::Pieces },
    };
    let steps = description.steps_along_lines(|_, _| true);
    description.sides[0].jumps = description.jumps_along_lines();
    for side in &mut description.sides {
        side.steps.clone_from(&steps);
    }
    description
}

#[test]
fn the_moves_of_blocks_of_any_hunt_are_the_moves_of_their_positions() {
    let changed = |mut description: Description, change: fn(&mut Description)| {
        change(&mut description);
        Hunt::new(description).unwrap()
    };
    let same = |_: &mut Description| {};
    // With the most that may be left to the caller, in percent.
    let games = [
        (changed(tigers(4, 0), same), 0),
        (changed(tigers(4, 4), same), 0),
        (changed(tigers(4, 2), |it| it.sides[0].compulsory = true), 0),
        (changed(tigers(4, 0), |it| it.sides[0].chain = true), 2),
        (changed(tigers(4, 4), |it| it.sides[0].chain = true), 2),
        (
            changed(tigers(4, 0), |it| (it.sides[0].chain, it.sides[0].compulsory) = (true, true)),
            31,
        ),
        (
            changed(tigers(4, 0), |it| {
                it.sides[0].chain = true;
                it.ends[0].condition = Condition::Fewer(Side::Second, 3);
                it.sides[1].number[0] = 2;
            }),
            0,
        ),
        (
            changed(tigers(4, 0), |it| {
                it.sides[0].chain = true;
                let there = Condition::Reached(Side::First, vec![2, 9, 14]);
                it.ends.insert(1, EndRule::new(there, Side::First, "there"));
                let filled = Condition::Filled(Side::Second, vec![0, 5]);
                it.ends.push(EndRule::new(filled, Side::Second, "filled"));
            }),
            38,
        ),
        (
            changed(tigers(4, 0), |it| {
                it.sides[0].chain = true;
                let there = Condition::Reached(Side::First, vec![2, 9]);
                let there = EndRule::new(there, Side::First, "there");
                it.ends.push(EndRule { to_move: Some(Side::First), ..there });
            }),
            48,
        ),
        (changed(tigers(4, 0), |it| it.ends.truncate(1)), 20),
        (
            changed(tigers(4, 0), |it| {
                it.ends[1].winner = Side::First;
                it.ends.push(EndRule::new(
                    Condition::Blocked(Side::First),
                    Side::Second,
                    "never the first",
                ));
            }),
            20,
        ),
        (
            changed(tigers(3, 0), |it| {
                it.ends
                    .insert(0, EndRule::new(Condition::Captured(Side::First), Side::First, "one"));
            }),
            0,
        ),
        (
            changed(tigers(3, 3), |it| {
                it.ends.push(EndRule::new(
                    Condition::Filled(Side::Second, vec![0, 1]),
                    Side::Second,
                    "there",
                ));
                it.ends.push(EndRule::new(
                    Condition::Reached(Side::First, vec![9]),
                    Side::First,
                    "there",
                ));
                it.sides[1].region = vec![0, 1, 5, 6, 7, 12, 15];
            }),
            60,
        ),
    ];
    for (number, (game, most)) in games.into_iter().enumerate() {
        let numbering: BTreeMap<u16, HuntIndex> =
            game.layers().map(|layer| (layer, game.index(layer))).collect();
        let canonical = |(layer, rank): (u16, u64), side: Side| {
            (layer, numbering[&layer].copy_of(side, rank).unwrap_or(rank))
        };
        let (mut all, mut unlisted) = (0, 0);
        for (&layer, index) in &numbering {
            let moves = game.block_moves(layer, index).unwrap();
            let mut rank = 0;
            while rank < index.len(Side::First) {
                let block = moves.block(rank);
                assert_eq!(block.start, rank, "blocks follow each other");
                assert!((block.start..block.end).all(|rank| moves.block(rank) == block));
                rank = block.end;
                let places = (0..(block.end - block.start) as usize).collect();
                for side in Side::BOTH {
                    let of_class = |next: Successors| {
                        let after = next.into_iter();
                        after.map(|next| next.map(|at| canonical(at, side.other()))).collect()
                    };
                    for (place, found) in by_block(&*moves, side, &block, &places) {
                        all += 1;
                        let position = index.unrank(side, block.start + place as u64);
                        // A position without moves that is no loss is left to the caller.
                        if game.terminal(&position) == Some(Outcome::Win(side)) {
                            assert!(
                                found.is_none(),
                                "{number}: {}",
                                game.format_position(&position)
                            );
                        }
                        let Some(found) = found else {
                            unlisted += 1;
                            continue;
                        };
                        let expected = by_position(&game, &numbering, &position);
                        assert_eq!(
                            sorted(of_class(found)),
                            sorted(of_class(expected)),
                            "{number}: {}",
                            game.format_position(&position)
                        );
                    }
                }
            }
        }
        assert!(100 * unlisted <= most * all, "{number}: {unlisted} of {all}");
    }
}
