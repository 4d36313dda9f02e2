//! The value of a position by the values of its successors, for the checks of finished tables.
//!
//! This shares the rules and the index with the engines, but no solving. Any game can be checked
//! one position at a time: unrank, move, rank, look up. If a game offers moves by blocks
//! ([`BlockMoves`]), `blockwise.rs` computes whole blocks of outcomes, many times faster, and only
//! what a block leaves unlisted is computed one position at a time. Both give the same bits.

use std::ops::ControlFlow;

use anser_core::hunt::{HuntIndex, Position};
use anser_core::{BlockMoves, Hunt, LayerIndex, Next, Observer, Outcome, Side};
use anser_table::{ProbeError, Tablebase};

use crate::io::stored::Stored;
use crate::{LayerOf, SolveError};

/// Values by layer and side to move.
type ByLayer<W> = Vec<((u16, Side), Vec<W>)>;

/// A layer whose values are computed from those of their successors.
pub(crate) struct Recompute<'a, V: Stored> {
    pub(crate) game: &'a Hunt,
    pub(crate) layer: u16,
    pub(crate) index: &'a HuntIndex,
    pub(crate) lower: &'a Tablebase,
    pub(crate) observer: &'a dyn Observer,
    pub(crate) blocks: Option<Box<dyn BlockMoves + 'a>>,
    /// Values of the lower layers that blocks lead to, by layer and side to move there.
    pub(crate) below: ByLayer<V::Word>,
}

/// Why no further move is looked at.
enum Stop {
    /// No value is better.
    Best,
    /// A successor, or the position itself, has no value that a table can store.
    NoValue,
    /// A lower layer cannot be read.
    Failed(ProbeError),
}

impl<'a, V: Stored> Recompute<'a, V> {
    pub(crate) fn new(
        LayerOf { game, layer, index }: LayerOf<'a>,
        lower: &'a Tablebase,
        observer: &'a dyn Observer,
    ) -> Recompute<'a, V> {
        let blocks = game.block_moves(layer, index);
        Recompute { game, layer, index, lower, observer, blocks, below: Vec::new() }
    }

    /// Computes the value of a position with `side` to move from those of its successors.
    /// `successor` returns the value of a rank of this layer; lower layers are probed. `None` if
    /// the position has no value that a table can store.
    #[inline]
    pub(crate) fn value(
        &self,
        position: &Position,
        side: Side,
        successor: impl Fn(u64) -> Option<V>,
    ) -> Result<Option<V>, SolveError> {
        if let Some(outcome) = self.game.terminal(position) {
            return Ok(Some(V::ended(outcome)));
        }
        // A side that cannot move has lost. Every move is at least as good.
        let mut best = V::ended(Outcome::Win(side.other()));
        let flow = self.game.visit_successors(position, |kind, next| {
            let after = match &next {
                Next::End(end) => Some(V::ended(end.outcome)),
                Next::Position(next)
                    if self.game.layer_after(self.layer, kind, next) == self.layer =>
                {
                    successor(self.index.rank(next))
                }
                Next::Position(next) => match V::probe(self.lower, next) {
                    Ok(value) => Some(value),
                    Err(error) => return ControlFlow::Break(Stop::Failed(error)),
                },
            };
            let Some(value) = after.and_then(V::before) else {
                return ControlFlow::Break(Stop::NoValue);
            };
            if value.score(side) > best.score(side) {
                best = value;
                if value.is_best(side) {
                    return ControlFlow::Break(Stop::Best);
                }
            }
            ControlFlow::Continue(())
        });
        match flow {
            ControlFlow::Break(Stop::Failed(error)) => Err(error.into()),
            ControlFlow::Break(Stop::NoValue) => Ok(None),
            ControlFlow::Break(Stop::Best) | ControlFlow::Continue(()) => Ok(Some(best)),
        }
    }

    pub(crate) fn announce(&self, what: &str, side: Side, units: u64) {
        let (layer, name) = (self.layer, self.game.side_name(side));
        self.observer.begin(&format!("{what} of layer {layer}, {name} to move"), units);
    }
}
