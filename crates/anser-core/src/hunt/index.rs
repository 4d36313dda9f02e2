//! The index of a layer: one of four numberings.

use std::ops::Range;
use std::sync::Arc;

use crate::fox_geese::CrossIndex;
use crate::hexapawn::HexapawnIndex;
use crate::hounds::HoundsIndex;
use crate::hunt::Position;
use crate::hunt::checked::Checked;
use crate::hunt::numbering::GeneralIndex;
use crate::hunt::scheme::Scheme;
use crate::{IndexScheme, LayerIndex, PackingOrder, Side};

/// Index of one layer of a hunt.
///
/// It is one of four numberings: that of any hunt, specified in `hunt/numbering.rs`, or one that
/// suits the board.
///
/// ```
/// use anser_core::LayerIndex;
/// use anser_core::Side;
/// use anser_core::hunt::Hunt;
/// let game = Hunt::hare_hounds("budget-60")?;
/// let index = game.index(60);
/// // Eight classes of points of the hare, and all sets of three of the other ten for the hounds.
/// assert_eq!((index.scheme().name, index.len(Side::First)), ("hunt", 8 * 120));
/// assert_eq!(game.positions(60, Side::First), 11 * 120);
/// let game = Hunt::fox_geese("free")?;
/// assert_eq!(game.index(16).scheme().name, "cross33");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct HuntIndex(Kind);

enum Kind {
    General(GeneralIndex),
    Cross(Box<CrossIndex>),
    Rows(Box<HoundsIndex>),
    Words(HexapawnIndex),
}

impl HuntIndex {
    pub(super) fn new(checked: &Arc<Checked>, layer: u16) -> HuntIndex {
        HuntIndex(match checked.scheme {
            Scheme::General => Kind::General(GeneralIndex::new(checked, layer)),
            Scheme::Cross(group) => Kind::Cross(Box::new(CrossIndex::new(group, layer))),
            Scheme::Rows(board) => Kind::Rows(Box::new(HoundsIndex::new(board, layer))),
            Scheme::Words(size) => Kind::Words(HexapawnIndex::new(size, layer)),
        })
    }

    /// Returns the number of positions with a side to move.
    pub(super) fn positions(&self, side: Side) -> u64 {
        match &self.0 {
            Kind::Rows(index) => index.len(side),
            Kind::Words(index) => index.positions(side),
            Kind::General(index) if let Some(positions) = index.positions(side) => positions,
            _ => (0..self.len(side)).map(|rank| self.orbit(side, rank)).sum(),
        }
    }
}

/// Calls a method of the numbering.
macro_rules! of_kind {
    ($index:expr, $name:ident => $call:expr) => {
        match &$index.0 {
            Kind::General($name) => $call,
            Kind::Cross($name) => $call,
            Kind::Rows($name) => $call,
            Kind::Words($name) => $call,
        }
    };
}

impl HuntIndex {
    /// Returns the numbering of any hunt, if it is the one.
    pub(super) fn general(&self) -> Option<&GeneralIndex> {
        if let Kind::General(index) = &self.0 { Some(index) } else { None }
    }

    /// Returns the numbering of the cross, if it is the one.
    pub fn cross(&self) -> Option<&CrossIndex> {
        if let Kind::Cross(index) = &self.0 { Some(index) } else { None }
    }
}

impl LayerIndex for HuntIndex {
    fn scheme(&self) -> IndexScheme {
        of_kind!(self, index => index.scheme())
    }

    #[inline]
    fn len(&self, side: Side) -> u64 {
        of_kind!(self, index => index.len(side))
    }

    #[inline]
    fn rank(&self, position: &Position) -> u64 {
        of_kind!(self, index => index.rank(position))
    }

    #[inline]
    fn unrank(&self, side: Side, rank: u64) -> Position {
        of_kind!(self, index => index.unrank(side, rank))
    }

    fn orbit(&self, side: Side, rank: u64) -> u64 {
        of_kind!(self, index => index.orbit(side, rank))
    }

    fn copy_of(&self, side: Side, rank: u64) -> Option<u64> {
        of_kind!(self, index => index.copy_of(side, rank))
    }

    fn has_gaps(&self) -> bool {
        of_kind!(self, index => index.has_gaps())
    }

    fn classes(&self, side: Side) -> u64 {
        of_kind!(self, index => index.classes(side))
    }

    fn shares_ranks(&self) -> bool {
        of_kind!(self, index => index.shares_ranks())
    }

    fn packing_order(&self, side: Side) -> PackingOrder {
        of_kind!(self, index => index.packing_order(side))
    }

    fn visit_small_orbits(&self, side: Side, ranks: Range<u64>, visit: impl FnMut(u64, u64)) {
        of_kind!(self, index => index.visit_small_orbits(side, ranks, visit));
    }

    fn visit_shares(&self, side: Side, ranks: Range<u64>, visit: impl FnMut(u64, u64)) {
        of_kind!(self, index => index.visit_shares(side, ranks, visit));
    }
}
