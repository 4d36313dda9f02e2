//! Layers of a game, and the index that numbers the positions of one layer.

use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range, RangeInclusive};

use crate::{BlockMoves, PackingOrder, Rules, Side, key, key_position};

/// How the positions of a game are numbered for tables: layers, which play can only descend, and an
/// index for each.
///
/// Layers are solved from the lowest up. Within a layer, play may return to a position.
pub trait Layers: Rules {
    /// The index of one layer.
    type Index: LayerIndex<Position = Self::Position>;

    /// Returns all layers of the game, in the order in which they are solved. By default there is
    /// one, layer 0.
    fn layers(&self) -> RangeInclusive<u16> {
        0..=0
    }

    /// Returns the layer of a position.
    fn layer(&self, position: &Self::Position) -> u16 {
        let _ = position;
        0
    }

    /// Returns the lower layers that a single move from `layer` can lead to, in ascending order.
    fn lower_layers(&self, layer: u16) -> Vec<u16> {
        let _ = layer;
        Vec::new()
    }

    /// Returns the layers that play can lead to from `layer`, itself included, in ascending order.
    ///
    /// ```
    /// use anser_core::prelude::*;
    /// use anser_core::Hunt;
    /// assert_eq!(Hunt::default().descent(6), [4, 5, 6]);
    /// ```
    fn descent(&self, layer: u16) -> Vec<u16> {
        let (mut found, mut open) = (BTreeSet::new(), vec![layer]);
        while let Some(layer) = open.pop() {
            if found.insert(layer) {
                open.extend(self.lower_layers(layer));
            }
        }
        found.into_iter().collect()
    }

    /// Returns the first layer to solve for `layer` if no table exists: `layer` itself if it does
    /// not depend on lower layers, and otherwise the game's lowest.
    ///
    /// ```
    /// use anser_core::prelude::*;
    /// use anser_core::Hunt;
    /// use anser_core::fox_geese::RuleSet;
    /// assert_eq!(Hunt::fox_geese(RuleSet::FREE).first_needed(9), 1);
    /// assert_eq!(Hunt::fox_geese(RuleSet::FIRST_CAPTURE).first_needed(9), 9);
    /// ```
    fn first_needed(&self, layer: u16) -> u16 {
        if self.lower_layers(layer).is_empty() { layer } else { *self.layers().start() }
    }

    /// Whether a move of `side` can stay in `layer`.
    fn stays_in_layer(&self, layer: u16, side: Side) -> bool {
        let _ = (layer, side);
        true
    }

    /// Whether play can return to a position of `layer`: moves of both sides can stay in it. The
    /// values of any other layer follow in one pass per side.
    fn is_loopy(&self, layer: u16) -> bool {
        Side::BOTH.into_iter().all(|side| self.stays_in_layer(layer, side))
    }

    /// Visits every un-move: each legal move that leads to `position` from the *same layer*, with
    /// the position it is played from, until `visit` breaks. By default there are none, which suits
    /// games whose every move leaves the layer.
    fn visit_unmoves<B>(
        &self,
        position: &Self::Position,
        visit: impl FnMut(Self::Move, Self::Position) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let _ = (position, visit);
        ControlFlow::Continue(())
    }

    /// Returns the index of a layer.
    fn index(&self, layer: u16) -> Self::Index;

    /// Returns the number of positions of a layer with `side` to move, symmetric ones counted
    /// separately. By default this adds up the orbits of all classes.
    fn positions(&self, layer: u16, side: Side) -> u64 {
        let index = self.index(layer);
        (0..index.len(side)).map(|rank| index.orbit(side, rank)).sum()
    }

    /// Returns the moves of a layer by blocks, for checks, if the game has tables that are faster
    /// than one position after the other. Engines must not use them.
    fn block_moves<'a>(
        &'a self,
        layer: u16,
        index: &'a Self::Index,
    ) -> Option<Box<dyn BlockMoves + 'a>> {
        let _ = (layer, index);
        None
    }

    /// Returns the code of a position, different for different positions of the game. Within a
    /// symmetry class codes are ordered as positions are.
    ///
    /// By default it is the layer, the side to move, and the [key](crate::key) of the position,
    /// which takes a rank.
    fn encode(&self, position: &Self::Position) -> u128 {
        rank_code(self, position)
    }

    /// Returns the position of a code, and `None` for a number that is no code.
    ///
    /// ```
    /// use anser_core::prelude::*;
    /// use anser_core::Hunt;
    /// let game = Hunt::default();
    /// assert_eq!(game.decode(game.encode(&game.start())), Some(game.start()));
    /// assert_eq!(game.decode(u128::MAX), None);
    /// ```
    fn decode(&self, code: u128) -> Option<Self::Position> {
        of_rank_code(self, code)
    }
}

/// Returns the code of a position by its rank, as [`Layers::encode`] has it by default.
pub(crate) fn rank_code<G: Layers>(game: &G, position: &G::Position) -> u128 {
    let (layer, side) = (game.layer(position), game.side_to_move(position));
    let key = key(game, position, game.index(layer).rank(position));
    u128::from(layer) << 72 | (side.index() as u128) << 64 | u128::from(key)
}

/// Returns the position of such a code.
pub(crate) fn of_rank_code<G: Layers>(game: &G, code: u128) -> Option<G::Position> {
    let (layer, side) = ((code >> 72) as u16, Side::BOTH[usize::from(code >> 64 & 1 != 0)]);
    if code >> 88 != 0 || code >> 65 & 0x7f != 0 || !game.layers().contains(&layer) {
        return None;
    }
    let (index, number) = (game.index(layer), code as u64);
    if number / game.symmetries() as u64 >= index.len(side) {
        return None;
    }
    let position = key_position(game, &index, side, number);
    // The place of a key may be past the end of a small orbit.
    (rank_code(game, &position) == code).then_some(position)
}

/// A numbering of the symmetry classes of one layer: for each side to move, every class has a rank of
/// its own in `0..len(side)`. A numbering may have entries that are no rank of any class.
pub trait LayerIndex: Send + Sync + 'static {
    /// The positions that are numbered.
    type Position: Copy;

    /// Returns the scheme, which tables store.
    fn scheme(&self) -> IndexScheme;
    /// Returns the number of entries with `side` to move: the symmetry classes, and entries that are no
    /// rank, whose [orbit](LayerIndex::orbit) is 0.
    fn len(&self, side: Side) -> u64;
    /// Whether no class has `side` to move.
    fn is_empty(&self, side: Side) -> bool {
        self.len(side) == 0
    }
    /// Returns the rank of the class of a position of this layer, below `len` of its side to move.
    fn rank(&self, position: &Self::Position) -> u64;
    /// Returns the canonical position of a class; `rank < self.len(side)`.
    fn unrank(&self, side: Side, rank: u64) -> Self::Position;
    /// Returns the number of positions of the class: the size of its orbit under the symmetries. By
    /// default 1, which suits games without symmetries. It is 0 for an entry that no position has as
    /// its rank: one that a numbering leaves room for, or that repeats a class. Such entries have
    /// values, which nothing reads.
    fn orbit(&self, side: Side, rank: u64) -> u64 {
        let _ = (side, rank);
        1
    }
    /// Returns the rank of the class of an entry, if the entry is a copy: no rank itself, but an image
    /// of a position. A table holds the value of the class there, so that a value follows from the
    /// rules at every entry.
    fn copy_of(&self, side: Side, rank: u64) -> Option<u64> {
        let _ = (side, rank);
        None
    }
    /// Whether the numbering can have entries whose orbit is 0.
    fn has_gaps(&self) -> bool {
        false
    }
    /// Returns the number of symmetry classes with `side` to move: the entries that are ranks.
    fn classes(&self, side: Side) -> u64 {
        let len = self.len(side);
        if self.has_gaps() {
            (0..len).filter(|&rank| self.orbit(side, rank) > 0).count() as u64
        } else {
            len
        }
    }
    /// Whether an arrangement of pieces has the same rank with either side to move. Then a question
    /// that compares the two reads them side by side.
    fn shares_ranks(&self) -> bool {
        false
    }
    /// Returns the order in which packed tables hold the entries with `side` to move. A good order
    /// makes small tables. It belongs to the scheme: it never changes under the same name and
    /// version.
    fn packing_order(&self, side: Side) -> PackingOrder {
        PackingOrder::by_rank(self.len(side))
    }
    /// Visits every class in `ranks` whose orbit is smaller than the symmetry group, in ascending
    /// order, with its rank and the size of its orbit. Few are, so this counts positions much
    /// faster than [`LayerIndex::orbit`].
    fn visit_small_orbits(&self, side: Side, ranks: Range<u64>, mut visit: impl FnMut(u64, u64)) {
        let symmetries = u64::from(self.scheme().symmetries);
        for rank in ranks {
            let orbit = self.orbit(side, rank);
            if orbit < symmetries {
                visit(rank, orbit);
            }
        }
    }
}

/// Identity of an index: a reader that knows the scheme can compute every rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexScheme {
    /// The name of the specification, at most 15 bytes of ASCII.
    pub name: &'static str,
    /// The version of the specification.
    pub version: u16,
    /// The order of the symmetry group of the classes.
    pub symmetries: u16,
}
