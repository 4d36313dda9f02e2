//! The moves of blocks are the moves of their positions, under every rule set and in every layer.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{ControlFlow, Range};

use anser_core::fox_geese::RuleSet;
use anser_core::hunt::{HuntIndex, Position};
use anser_core::{BlockMoves, Hunt, LONGEST_BLOCK, LayerIndex, Moves, Next, Outcome, Places, Side};

/// What moves lead to: a class by layer and rank, or an end. Several moves may lead to the same
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
                list.iter().map(|&[from, to]| (usize::from(from), usize::from(to))).collect()
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
    for game in RuleSet::all().map(Hunt::fox_geese).chain([Hunt::default().without_symmetry()]) {
        let numbering = game.layers().map(|layer| (layer, game.index(layer))).collect();
        for layer in game.layers() {
            compare(&game, &numbering, layer);
        }
    }
}
