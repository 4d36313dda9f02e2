//! The classes of the layers of a solution, with their values.

use std::ops::Range;

use anser_core::hunt::HuntIndex;
use anser_core::{BySide, Dtw, Hunt, LayerIndex, Side};

use crate::layer::Layer;
use crate::ranked_set::RankedSet;

/// Code of an undecided value.
pub(crate) const UNKNOWN: u16 = u16::MAX;

/// The classes of a layer, and their values once they are solved.
pub(crate) struct LayerParts {
    pub(crate) number: u16,
    pub(crate) index: HuntIndex,
    pub(crate) sides: BySide<Part>,
}

impl LayerParts {
    /// Returns the layer with its classes.
    pub(crate) fn of<'a>(&'a self, game: &'a Hunt) -> Layer<'a> {
        let classes = self.sides.as_ref().map(|part| &part.classes);
        Layer { game, number: self.number, index: &self.index, classes }
    }

    /// Returns the ranks of some slots with their values. A class outside the solution has none,
    /// and neither have entries that are no rank.
    pub(crate) fn values(
        &self,
        side: Side,
        slots: Range<usize>,
    ) -> impl Iterator<Item = (u64, Dtw)> {
        let part = &self.sides[side];
        let ranks = part.classes.members(slots.clone());
        let known = |(rank, &code): (u64, &u16)| Some((rank, Dtw::from_code(code)?));
        ranks.zip(&part.values[slots]).filter_map(known)
    }

    /// Returns the number of positions of a class of the layer that are in it.
    pub(crate) fn members(&self, game: &Hunt, side: Side, rank: u64) -> u64 {
        let symmetries = game.symmetries() as u64;
        let keys = rank * symmetries..(rank + 1) * symmetries;
        match &self.sides[side].keys {
            Some(members) => keys.filter(|&key| members.slot(key).is_some()).count() as u64,
            None if symmetries == 1 => 1,
            None => self.index.orbit(side, rank),
        }
    }

    /// Returns the number of symmetry classes.
    pub(crate) fn classes(&self) -> u64 {
        self.sides.iter().map(|(_, part)| part.classes.len() as u64).sum()
    }
}

/// The classes of a layer with one side to move.
pub(crate) struct Part {
    /// Ranks of the classes.
    pub(crate) classes: RankedSet,
    /// Keys of the reachable positions, since not all members of a class need be reachable. `None`
    /// for whole layers and for games without symmetries.
    pub(crate) keys: Option<RankedSet>,
    /// Codes of the values, by slot.
    pub(crate) values: Vec<u16>,
}

impl Part {
    /// Whether the part has all entries of its layer.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self.classes, RankedSet::All(_))
    }

    /// Returns classes without values, of which all members count.
    pub(crate) fn of(classes: RankedSet) -> Part {
        Part { classes, keys: None, values: Vec::new() }
    }

    pub(crate) fn empty() -> Part {
        Part::of(RankedSet::Sorted(Vec::new()))
    }
}
