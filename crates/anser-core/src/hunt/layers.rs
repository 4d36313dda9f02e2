//! The layer of a position, and the layers that moves lead to.

use std::ops::RangeInclusive;

use crate::Side;
use crate::hunt::checked::Checked;
use crate::hunt::contents::{Contents, Placement};
use crate::hunt::scheme::Scheme;
use crate::hunt::{Description, Layering, Position};

/// Returns the numbers of all layers. Those at the bottom in which too few of the many are left, so
/// that the game is over in every position, count on the cross alone: elsewhere the rules answer,
/// and no table is needed.
pub(super) fn layers(
    description: &Description,
    contents: &[Contents],
    scheme: Scheme,
) -> RangeInclusive<u16> {
    let first = match description.layers {
        // A layer without pieces of the many has nothing to play.
        Layering::Pieces => u16::from(description.sides[1].number[0]),
        _ => 0,
    };
    let layers = first..=contents.len() as u16 - 1;
    if !matches!(description.layers, Layering::Pieces | Layering::Placement)
        || !matches!(scheme, Scheme::General)
    {
        return layers;
    }
    let fewest = description.fewest_in_play(Side::Second);
    let is_over = |layer: &u16| {
        let Contents { many, hand, .. } = &contents[usize::from(*layer)];
        many.end() + hand[1] < fewest
    };
    let over = layers.clone().take_while(is_over).count() as u16;
    first + over..=*layers.end()
}

/// Returns the layer of a position.
#[inline]
pub(super) fn layer(checked: &Checked, position: &Position) -> u16 {
    let many = || position.many().len() as u16;
    match checked.description.layers {
        Layering::Pieces => many(),
        Layering::Plies => position.left.unwrap_or(0).into(),
        Layering::Advance => {
            let sum = Side::BOTH.map(|side| {
                let heights = &checked.play.mover(side).heights;
                position.pieces(side).iter().map(|point| heights[usize::from(point)]).sum::<u16>()
            });
            let layer = sum[0] + sum[1] - checked.contents[0].height.unwrap_or(0) as u16;
            layer + checked.scheme.half(position) * (checked.contents.len() / 2) as u16
        }
        Layering::Placement => {
            let many = many();
            let captured = checked.most(Side::Second) as u16 - many - u16::from(position.hand[1]);
            let few = position.few().len() as u8;
            Placement::new(&checked.description).layer(captured as u8, few, many as u8)
        }
    }
}

/// Returns the lower layers that a move can lead to from a layer.
pub(super) fn lower_layers(checked: &Checked, layer: u16) -> Vec<u16> {
    let description = &checked.description;
    let chain = description.sides[0].chain;
    let captures =
        !description.sides[0].jumps.is_empty() && !checked.play.capture_wins(Side::First);
    let fewest = description.fewest_in_play(Side::Second);
    match description.layers {
        Layering::Plies => layer.checked_sub(1).into_iter().collect(),
        Layering::Pieces => {
            let lowest = u16::from(fewest.max(description.sides[1].number[0]));
            if !captures || layer <= lowest {
                Vec::new()
            } else if chain {
                (lowest..layer).collect()
            } else {
                vec![layer - 1]
            }
        }
        Layering::Advance => {
            let half = checked.contents.len() as u16 / 2;
            let bottom = if checked.scheme.has_halves() && layer >= half { half } else { 0 };
            (layer.saturating_sub(greatest_drop(checked)).max(bottom)..layer).collect()
        }
        Layering::Placement => {
            let contents = checked.contents(layer);
            let Contents { few, many, hand, .. } = contents;
            let (few, many) = (*few.start(), *many.start());
            let placement = Placement::new(description);
            let there = many + hand[1];
            let captured = placement.most[1] - there;
            let mut lower = Vec::new();
            if there >= fewest {
                if hand[0] > 0 {
                    lower.push(placement.layer(captured, few + 1, many));
                }
                if hand[1] > 0 {
                    lower.push(placement.layer(captured, few, many + 1));
                }
                let most = if chain { many } else { many.min(1) };
                if captures && hand[0] == 0 {
                    let left = (1..=most).take_while(|jumps| there - jumps >= fewest);
                    let left = left.take_while(|jumps| captured + jumps <= placement.most_captured);
                    lower.extend(
                        left.map(|jumps| placement.layer(captured + jumps, few, many - jumps)),
                    );
                }
            }
            lower.sort_unstable();
            lower
        }
    }
}

/// Returns the number of layers that a move can go down at most, in layers by advance.
fn greatest_drop(checked: &Checked) -> u16 {
    let drop = |side: Side| {
        let of = checked.description.side(side);
        let [own, others] = [side, side.other()].map(|side| &checked.play.mover(side).heights);
        let fall = |from: u8, to: u8| own[usize::from(from)].saturating_sub(own[usize::from(to)]);
        let steps = of.steps.iter().map(|&[from, to]| fall(from, to));
        let captures =
            of.captures.iter().map(|&[from, to]| fall(from, to) + others[usize::from(to)]);
        steps.chain(captures).max().unwrap_or(0)
    };
    drop(Side::First).max(drop(Side::Second))
}

/// Whether a move of `side` can stay in a layer.
pub(super) fn stays(checked: &Checked, layer: u16, side: Side) -> bool {
    let description = &checked.description;
    let loses = description.blocked_loses(side);
    match description.layers {
        Layering::Plies => false,
        _ if !loses => true,
        Layering::Pieces => true,
        Layering::Advance => {
            let mover = checked.play.mover(side);
            description.side(side).steps.iter().any(|&[from, to]| mover.is_level(from, to))
        }
        Layering::Placement => checked.contents(layer).hand[side.index()] == 0,
    }
}
