//! The positions that each layer holds.

use std::ops::RangeInclusive;

use crate::Side;
use crate::hunt::rules::Play;
use crate::hunt::scheme::Scheme;
use crate::hunt::{Description, Layering};

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
pub(super) struct Placement {
    /// The greatest number of pieces of either side on the board.
    pub(super) most: [u8; 2],
    /// The number of either side on the board at the start.
    at_start: [u8; 2],
    pub(super) most_captured: u8,
}

impl Placement {
    pub(super) fn new(description: &Description) -> Placement {
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

    pub(super) fn layer(&self, captured: u8, few: u8, many: u8) -> u16 {
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
