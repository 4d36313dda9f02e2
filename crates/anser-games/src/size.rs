//! Size of a game below a position, which decides whether it is solved in memory on demand.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use anser_core::{Hunt, hunt};

/// The size of everything below a position: an upper bound of what play from it can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Symmetry classes of positions, roughly.
    pub classes: u64,
    /// Whether play can return to a position.
    pub is_loopy: bool,
}

impl Size {
    /// Games with at most this many classes are [small](Size::is_small), if play cannot return to a
    /// position and if it can: then solving takes longer.
    const SMALL: [u64; 2] = [4_000_000, 500_000];

    /// Returns the size of the layers that play can lead to from a position.
    ///
    /// ```
    /// use anser_games::{Registry, Size};
    /// let of = |name| {
    ///     let game = Registry::standard().game(name, None).expect("there is such a game");
    ///     Size::below(&game, &game.start())
    /// };
    /// assert!(of("fox-hounds:8").is_small());
    /// assert!(!of("fox-geese").is_small());
    /// ```
    pub fn below(game: &Hunt, position: &hunt::Position) -> Size {
        let layer = game.layer(position);
        Size::of_layers(game, layer..=layer)
    }

    /// Returns the size of some layers of the game, and of the layers that play can lead to from
    /// them.
    pub fn of_layers(game: &Hunt, layers: RangeInclusive<u16>) -> Size {
        let layers: BTreeSet<u16> = layers.flat_map(|layer| game.descent(layer)).collect();
        let is_loopy = layers.iter().any(|&layer| game.is_loopy(layer));
        let positions = |&layer: &u16| {
            let [first, second] = anser_core::Side::BOTH.map(|side| game.positions(layer, side));
            first.saturating_add(second)
        };
        let classes = layers.iter().map(positions).fold(0_u64, u64::saturating_add)
            / game.symmetries() as u64;
        Size { classes, is_loopy }
    }

    /// Whether all of it is solved in memory in about a second.
    pub fn is_small(self) -> bool {
        self.classes <= Size::SMALL[usize::from(self.is_loopy)]
    }
}
