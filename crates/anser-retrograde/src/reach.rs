//! Finds the positions reachable from a root, layer by layer from the root's layer down.
//!
//! A layer that is not loopy takes two passes: first over the positions of the side whose moves can
//! stay in the layer, then over those of the other side. In a loopy layer, each round expands the
//! frontier, the positions added by the last round, until it is empty.
//!
//! A symmetry that keeps the root maps play from the root to play from the root. So of positions
//! that are images of each other under these symmetries only the least is searched, and the others
//! are added when the layer is finished.

use std::ops::ControlFlow;

use anser_core::hunt::{HuntIndex, Position};
use anser_core::{BySide, Hunt, LayerIndex, Next, Side, key_position};

use crate::concurrent_set::{ConcurrentSet, Inserter};
use crate::error::AnalyseError;
use crate::limits::Limits;
use crate::parallel::{self, CHUNK, ranges};
use crate::parts::{LayerParts, Part};
use crate::ranked_set::RankedSet;

/// Returns the positions that play from `root` can reach, without values, by layer in ascending
/// order.
pub(crate) fn reach(
    game: &Hunt,
    root: &Position,
    limits: &Limits<'_>,
) -> Result<Vec<LayerParts>, AnalyseError> {
    let numbers = game.descent([game.layer(root)]);
    let mut reaching = Reaching::new(game, root, &numbers, limits);
    if let Some(ordinal) = reaching.ordinal(game.layer(root)) {
        let (side, rank) = (root.to_move(), reaching.indexes[ordinal].rank(root));
        let key = anser_core::key(game, root, rank);
        Inserter::new(&reaching.sets, None).insert(ordinal, side, key);
    }
    let mut finished = Vec::with_capacity(numbers.len());
    limits.observer.begin("layers of reachable positions", numbers.len() as u64);
    for ordinal in (0..numbers.len()).rev() {
        let sides = reaching.layer(ordinal)?;
        reaching.held += sides.iter().map(|(_, part)| bytes(part)).sum::<u64>();
        reaching.check_memory(0)?;
        finished.push(sides);
        limits.observer.advance(1);
    }
    let layers = numbers.iter().zip(reaching.indexes).zip(finished.into_iter().rev());
    Ok(layers.map(|((&number, index), sides)| LayerParts { number, index, sides }).collect())
}

/// Returns an empty set of keys with a side to move.
fn empty_set(game: &Hunt, index: &HuntIndex, side: Side) -> ConcurrentSet {
    ConcurrentSet::new(index.len(side) * game.symmetries() as u64)
}

/// Returns the memory of a part with its values, in bytes.
fn bytes(part: &Part) -> u64 {
    let keys = part.keys.as_ref().map_or(0, RankedSet::bytes);
    part.classes.bytes() + keys + 2 * part.classes.len() as u64
}

struct Reaching<'a> {
    game: &'a Hunt,
    /// The symmetries that keep the root, but for the identity.
    keeping: Vec<usize>,
    limits: &'a Limits<'a>,
    /// Memory of the finished layers with their values, in bytes.
    held: u64,
    numbers: &'a [u16],
    indexes: Vec<HuntIndex>,
    /// Keys found so far, by layer and side.
    sets: Vec<[ConcurrentSet; 2]>,
}

impl<'a> Reaching<'a> {
    fn new(game: &'a Hunt, root: &Position, numbers: &'a [u16], limits: &'a Limits<'a>) -> Self {
        let indexes: Vec<HuntIndex> = numbers.iter().map(|&number| game.index(number)).collect();
        let sets = indexes.iter().map(|index| Side::BOTH.map(|side| empty_set(game, index, side)));
        let sets = sets.collect();
        let keeps = |&symmetry: &usize| game.image(root, symmetry) == *root;
        let keeping = (1..game.symmetries()).filter(keeps).collect();
        Reaching { game, keeping, limits, held: 0, numbers, indexes, sets }
    }

    /// Returns the images of a position under the symmetries that keep the root, but for itself.
    fn images(&self, position: &Position) -> impl Iterator<Item = Position> {
        self.keeping.iter().map(|&symmetry| self.game.image(position, symmetry))
    }

    fn ordinal(&self, layer: u16) -> Option<usize> {
        self.numbers.binary_search(&layer).ok()
    }

    /// Fails if the finished layers, all sets, and `work` bytes exceed the allowed memory.
    fn check_memory(&self, work: u64) -> Result<(), AnalyseError> {
        let sets: u64 = self.sets.iter().flatten().map(ConcurrentSet::bytes).sum();
        let (needed, allowed) = (self.held + sets + work, self.limits.memory);
        if needed > allowed {
            Err(AnalyseError::memory(self.game, needed, allowed))
        } else {
            Ok(())
        }
    }

    /// Finds all positions of a layer, and inserts their successors into the sets of lower layers.
    fn layer(&mut self, ordinal: usize) -> Result<BySide<Part>, AnalyseError> {
        let number = self.numbers[ordinal];
        if self.game.is_loopy(number) {
            self.rounds(ordinal)?;
            return BySide::try_from_fn(|side| {
                let keys = self.finish(ordinal, side);
                self.part(ordinal, side, keys)
            });
        }
        let mut parts = BySide::from_fn(|_| Part::empty());
        // The moves of the first side in this order may add positions of the other one.
        let stays = self.game.stays_in_layer(number, Side::Second);
        let order = if stays { [Side::Second, Side::First] } else { Side::BOTH };
        for side in order {
            let keys = self.finish(ordinal, side);
            self.expand_set(ordinal, side, &keys)?;
            parts[side] = self.part(ordinal, side, keys)?;
        }
        Ok(parts)
    }

    /// Takes the finished set of a layer and side.
    fn finish(&mut self, ordinal: usize, side: Side) -> RankedSet {
        std::mem::replace(&mut self.sets[ordinal][side.index()], ConcurrentSet::new(0)).finish()
    }

    /// Returns the positions of these keys, with their images, of a layer and side.
    fn part(&mut self, ordinal: usize, side: Side, keys: RankedSet) -> Result<Part, AnalyseError> {
        let symmetries = self.game.symmetries() as u64;
        if symmetries == 1 {
            return Ok(Part::of(keys));
        }
        let classes = keys.divided(symmetries);
        let keys = if self.keeping.is_empty() { keys } else { self.closed(ordinal, side, &keys)? };
        Ok(Part { keys: Some(keys), ..Part::of(classes) })
    }

    /// Adds the images under the symmetries that keep the root.
    fn closed(
        &mut self,
        ordinal: usize,
        side: Side,
        keys: &RankedSet,
    ) -> Result<RankedSet, AnalyseError> {
        let index = &self.indexes[ordinal];
        self.sets[ordinal][side.index()] = empty_set(self.game, index, side);
        parallel::try_for_each(ranges(keys.len(), CHUNK), &|slots| {
            if self.limits.observer.interrupted() {
                return Err(AnalyseError::Interrupted);
            }
            let mut inserter = Inserter::new(&self.sets, None);
            for key in keys.members(slots) {
                inserter.insert(ordinal, side, key);
                let rank = key / self.game.symmetries() as u64;
                for image in self.images(&key_position(self.game, index, side, key)) {
                    inserter.insert(ordinal, side, anser_core::key(self.game, &image, rank));
                }
            }
            Ok(())
        })?;
        Ok(self.finish(ordinal, side))
    }

    fn expand_set(&self, ordinal: usize, side: Side, keys: &RankedSet) -> Result<(), AnalyseError> {
        parallel::try_for_each(ranges(keys.len(), CHUNK), &|slots| {
            self.expand(ordinal, side, keys.members(slots), None).map(drop)
        })
    }

    /// Expands the frontier of a loopy layer until it is empty.
    fn rounds(&mut self, ordinal: usize) -> Result<(), AnalyseError> {
        let mut frontier = [0, 1].map(|side: usize| self.sets[ordinal][side].follow());
        while frontier.iter().any(|keys| !keys.is_empty()) {
            self.check_memory(frontier.iter().map(|keys| 8 * keys.len() as u64).sum())?;
            let mut next = [Vec::new(), Vec::new()];
            for side in Side::BOTH {
                let keys = &frontier[side.index()];
                let new = parallel::try_map(keys.chunks(CHUNK), &|keys| {
                    self.expand(ordinal, side, keys.iter().copied(), Some(ordinal))
                })?;
                next[side.other().index()].extend(new.into_iter().flatten());
            }
            for (sets, next) in self.sets[ordinal].iter_mut().zip(&mut next) {
                next.append(&mut sets.take_new());
            }
            frontier = next;
        }
        Ok(())
    }

    /// Inserts the successors of these positions. Returns the keys newly inserted in the layer
    /// `followed`.
    fn expand(
        &self,
        ordinal: usize,
        side: Side,
        keys: impl Iterator<Item = u64>,
        followed: Option<usize>,
    ) -> Result<Vec<u64>, AnalyseError> {
        if self.limits.observer.interrupted() {
            return Err(AnalyseError::Interrupted);
        }
        let mut inserter = Inserter::new(&self.sets, followed);
        let number = self.numbers[ordinal];
        // The keys of one position: inserted together, so that the processor waits for the memory
        // of several at a time.
        let mut found = Vec::new();
        for key in keys {
            let position = key_position(self.game, &self.indexes[ordinal], side, key);
            let _ = self.game.visit_successors(&position, |_, next| {
                if let Next::Position(next) = next {
                    let layer = self.game.layer(&next);
                    // A layer missing from `lower_layers` is not searched; `validate` reports it.
                    if let Some(to) =
                        if layer == number { Some(ordinal) } else { self.ordinal(layer) }
                    {
                        let rank = self.indexes[to].rank(&next);
                        let least = self.images(&next).fold(next, Position::min);
                        let key = anser_core::key(self.game, &least, rank);
                        found.push((to, key));
                    }
                }
                ControlFlow::<()>::Continue(())
            });
            for (to, key) in found.drain(..) {
                inserter.insert(to, side.other(), key);
            }
        }
        Ok(inserter.take_new())
    }
}
