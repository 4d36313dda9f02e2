//! A layer of a game, to be planned, solved, or checked.

use anser_core::hunt::HuntIndex;
use anser_core::{BySide, Hunt, LayerIndex, Side};
use anser_table::format::payload_len;

/// A layer of a game.
#[derive(Clone, Copy)]
pub(crate) struct LayerOf<'a> {
    pub(crate) game: &'a Hunt,
    pub(crate) layer: u16,
    pub(crate) index: &'a HuntIndex,
}

impl LayerOf<'_> {
    /// Returns the number of classes by side to move.
    pub(crate) fn entries(self) -> BySide<u64> {
        BySide::from_fn(|side| self.index.len(side))
    }

    /// Returns the number of classes, both sides to move together.
    pub(crate) fn classes(self) -> u64 {
        self.entries().as_array().iter().sum()
    }

    /// Returns the bytes that outcomes of the lower layers take.
    pub(crate) fn lower_outcomes(self) -> u64 {
        let lower = self.game.lower_layers(self.layer).into_iter().map(|lower| {
            let index = self.game.index(lower);
            payload_len(Side::BOTH.map(|side| index.len(side)))
        });
        lower.fold(0, u64::saturating_add)
    }
}
