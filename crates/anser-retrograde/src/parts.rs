//! The classes of the layers of a solution, with their values.

use anser_core::hunt::HuntIndex;
use anser_core::{BySide, Hunt};

use crate::layer::Layer;
use crate::ranked_set::RankedSet;

/// Code of an undecided value.
pub(crate) const UNKNOWN: u16 = u16::MAX;

/// The classes of a layer, and their values once they are solved.
pub(crate) struct LayerParts {
    pub(crate) number: u16,
    pub(crate) index: HuntIndex,
    pub(crate) sides: [Part; 2],
}

impl LayerParts {
    /// Returns the layer with its classes.
    pub(crate) fn of<'a>(&'a self, game: &'a Hunt) -> Layer<'a> {
        let classes = BySide::from_fn(|side| &self.sides[side.index()].classes);
        Layer { game, number: self.number, index: &self.index, classes }
    }

    /// Returns the number of symmetry classes.
    pub(crate) fn classes(&self) -> u64 {
        self.sides.iter().map(|part| part.classes.len() as u64).sum()
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

    pub(crate) fn empty() -> Part {
        Part { classes: RankedSet::empty(), keys: None, values: Vec::new() }
    }
}
