//! The index `hare`, version 1: a minimal perfect numbering of the classes of a layer under the
//! mirror.
//!
//! # Specification
//! 1. *Hounds.* The hound sets of a layer are, under a budget, all 165 sets of three points, and in
//!    unlimited play those whose columns (point 4: 0; 1, 5, 9: 1; 2, 6, 10: 2; 3, 7, 11: 3; 8: 4)
//!    add up to 10 less the layer. They are ordered by their greatest point, then by the one in the
//!    middle, then by the least.
//! 2. *Hare.* The hare is on one of the eight points without a hound, in ascending order.
//! 3. *Classes.* The mirror exchanges points 1 and 9, 2 and 10, 3 and 11. An arrangement is
//!    canonical if its image does not come before it, by the hound set first and then by the hare.
//! 4. *Rank.* The place of the canonical arrangement among those of the layer, from 0; the same for
//!    both sides to move.

use std::sync::OnceLock;

use crate::hare_hounds::Position;
use crate::hare_hounds::board::{POINTS, PointSet, mirror};
use crate::{IndexScheme, LayerIndex, Side};

/// Sum of the columns of hounds that are as far right as possible.
pub(super) const FARTHEST: u16 = 10;
/// The highest layer of unlimited play.
pub(super) const TOP_LAYER: u16 = 8;

/// Index of one layer. The source of the module has the specification.
///
/// ```
/// use anser_core::prelude::*;
/// use anser_core::{Side, hare_hounds::HareHounds};
/// let index = HareHounds::default().index(60);
/// assert_eq!(index.len(Side::First), 700);
/// ```
pub struct HareIndex {
    /// The plies left, the same in the whole layer.
    left: Option<u8>,
    classes: &'static Classes,
}

/// The classes of the arrangements of a layer.
pub(super) struct Classes {
    /// By hound set and hare.
    rank: Vec<[u16; POINTS + 1]>,
    /// Hound sets and hares of the canonical arrangements, in order.
    canonical: Vec<(PointSet, u8)>,
    /// The number of arrangements, mirror images counted separately.
    pub(super) arrangements: u64,
}

/// Returns the classes of a layer of unlimited play, or those of every layer under a budget.
pub(super) fn classes(layer: Option<u16>) -> &'static Classes {
    static CLASSES: [OnceLock<Classes>; TOP_LAYER as usize + 2] =
        [const { OnceLock::new() }; TOP_LAYER as usize + 2];
    let place = layer.map_or(0, |layer| usize::from(layer) + 1);
    CLASSES[place].get_or_init(|| {
        let mut classes = Classes {
            rank: vec![[0; 12]; PointSet::PATTERNS],
            canonical: Vec::new(),
            arrangements: 0,
        };
        for hounds in PointSet::triples() {
            if layer.is_some_and(|layer| hounds.columns() + layer != FARTHEST) {
                continue;
            }
            for hare in (1..=POINTS as u8).filter(|&hare| !hounds.contains(hare)) {
                let image = (hounds.mirror(), mirror(hare));
                let rank = if image < (hounds, hare) {
                    // The image came first and has its rank.
                    classes.rank[usize::from(image.0.bits())][usize::from(image.1)]
                } else {
                    classes.canonical.push((hounds, hare));
                    classes.canonical.len() as u16 - 1
                };
                classes.rank[usize::from(hounds.bits())][usize::from(hare)] = rank;
                classes.arrangements += 1;
            }
        }
        classes
    })
}

impl HareIndex {
    /// Creates the index of the layer with this number of plies left, or of a layer of unlimited
    /// play.
    pub(super) fn new(left: Option<u8>, layer: u16) -> HareIndex {
        HareIndex { left, classes: classes(left.is_none().then_some(layer)) }
    }
}

impl LayerIndex for HareIndex {
    type Position = Position;

    fn scheme(&self) -> IndexScheme {
        IndexScheme { name: "hare", version: 1, symmetries: 2 }
    }

    fn len(&self, _side: Side) -> u64 {
        self.classes.canonical.len() as u64
    }

    fn rank(&self, position: &Position) -> u64 {
        u64::from(
            self.classes.rank[usize::from(position.hounds.bits())][usize::from(position.hare)],
        )
    }

    fn unrank(&self, side: Side, rank: u64) -> Position {
        let (hounds, hare) = self.classes.canonical[rank as usize];
        Position { hounds, hare, left: self.left, to_move: side }
    }

    fn orbit(&self, side: Side, rank: u64) -> u64 {
        let position = self.unrank(side, rank);
        if position.mirror() == position { 1 } else { 2 }
    }
}
