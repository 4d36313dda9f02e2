//! Layers: which positions they hold, and where moves lead.

use std::ops::RangeInclusive;

use crate::Side;
use crate::hunt::rules::Play;
use crate::hunt::scheme::Scheme;
use crate::hunt::{Checked, Condition, Description, Layering, Position};

/// The positions of a layer: the numbers of pieces on the board, and the rest.
#[derive(Clone)]
pub(super) struct Contents {
    pub(super) few: RangeInclusive<u8>,
    pub(super) many: RangeInclusive<u8>,
    pub(super) hand: [u8; 2],
    pub(super) left: Option<u8>,
    /// The sum of the heights of all pieces, in layers by advance.
    pub(super) height: Option<usize>,
}

/// No positions.
impl Default for Contents {
    fn default() -> Contents {
        #[expect(clippy::reversed_empty_ranges, reason = "no number of pieces")]
        let none = 1..=0;
        Contents { few: none.clone(), many: none, hand: [0; 2], left: None, height: None }
    }
}

/// Returns the positions of each layer.
pub(super) fn contents(description: &Description, play: &Play, scheme: Scheme) -> Vec<Contents> {
    let [few, many] = Side::BOTH.map(|side| {
        let [fewest, most] = description.side(side).number;
        fewest..=most
    });
    let any = Contents { few, many, ..Contents::default() };
    let most = *any.many.end();
    match description.layers {
        Layering::Pieces => (0..=most)
            .map(|layer| {
                let there = any.many.contains(&layer);
                if there {
                    Contents { many: layer..=layer, ..any.clone() }
                } else {
                    Contents::default()
                }
            })
            .collect(),
        Layering::Plies => (0..=description.plies.unwrap_or(0))
            .map(|left| Contents { left: Some(left), ..any.clone() })
            .collect(),
        Layering::Advance => {
            let [low, high] = sums(description, play);
            let sums = (low..=high).chain(low..=high);
            let count = if scheme.has_halves() { 2 } else { 1 } * (high - low + 1);
            sums.take(count).map(|sum| Contents { height: Some(sum), ..any.clone() }).collect()
        }
        Layering::Placement => Placement::new(description).contents(),
    }
}

/// Returns the least and the greatest sum of the heights of all pieces.
fn sums(description: &Description, play: &Play) -> [usize; 2] {
    let sum = |end: usize, least: bool| -> usize {
        let of_side = |side: Side| {
            let mut heights: Vec<usize> =
                play.mover(side).heights.iter().copied().map(usize::from).collect();
            heights.sort_unstable();
            if !least {
                heights.reverse();
            }
            let number = description.side(side).number[end];
            heights.into_iter().take(number.into()).sum::<usize>()
        };
        Side::BOTH.map(of_side).into_iter().sum()
    };
    [sum(0, true), sum(1, false)]
}

/// The numbering of layers by placement.
struct Placement {
    /// The greatest number of pieces of either side on the board.
    most: [u8; 2],
    /// The number of either side on the board at the start.
    at_start: [u8; 2],
    most_captured: u8,
}

impl Placement {
    fn new(description: &Description) -> Placement {
        let [few, many] = &description.sides;
        Placement {
            most: [few.number[1], many.number[1]],
            at_start: [few, many].map(|side| side.number[1] - side.hand),
            most_captured: many.number[1] - many.number[0],
        }
    }

    /// Returns the least and the greatest number of the many on the board.
    fn many(&self, captured: u8) -> [u8; 2] {
        [self.at_start[1].saturating_sub(captured), self.most[1] - captured]
    }

    fn layer(&self, captured: u8, few: u8, many: u8) -> u16 {
        let fews = u16::from(self.most[0] - self.at_start[0]) + 1;
        let manies = |captured: u8| {
            let [least, most] = self.many(captured);
            u16::from(most - least) + 1
        };
        let before: u16 =
            (captured + 1..=self.most_captured).map(|captured| fews * manies(captured)).sum();
        before
            + u16::from(self.most[0] - few) * manies(captured)
            + u16::from(self.many(captured)[1] - many)
    }

    fn contents(&self) -> Vec<Contents> {
        let [most_few, most_many] = self.most;
        let mut contents = Vec::new();
        for captured in (0..=self.most_captured).rev() {
            for few in (self.at_start[0]..=most_few).rev() {
                let [least, most] = self.many(captured);
                for many in (least..=most).rev() {
                    contents.push(Contents {
                        few: few..=few,
                        many: many..=many,
                        hand: [most_few - few, most_many - captured - many],
                        ..Contents::default()
                    });
                }
            }
        }
        contents
    }
}

/// Returns the numbers of all layers. Those at the bottom in which too few of the many are left, so
/// that the game is over in every position, count on the cross alone: elsewhere the rules answer, and
/// no table is needed.
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
    let is_over = |layer: &u16| {
        let Contents { many, hand, .. } = &contents[usize::from(*layer)];
        description.ends.iter().any(|rule| {
            let too_few = |least: u8| many.end() + hand[1] < least;
            matches!(rule.condition, Condition::Fewer(Side::Second, least) if too_few(least))
                && rule.is_plain()
        })
    };
    let over = layers.clone().take_while(is_over).count() as u16;
    // One layer is left even if the game never begins.
    (first + over).min(*layers.end())..=*layers.end()
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
