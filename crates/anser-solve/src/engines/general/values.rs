//! The outcomes of a layer that is being solved: a raw payload as shared words.
//!
//! Codes are those of a finished table. Zero means undecided at first, and drawn in the end.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use anser_core::{BySide, Side};
use anser_retrograde::parallel;
use anser_table::format::{ENTRIES_PER_PAIR, pairs};

use super::StepsDone;
use crate::SolveError;
use crate::checkpoint::Checkpoint;
use crate::engines::engine::Task;

/// The values of a layer in memory, by side to move. Checkpoints are copies.
///
/// Several threads may read and write at once. After the fill, bits are only set, either in words
/// that no other thread writes or by one atomic operation. So a reader sees each entry undecided or
/// with its final value, and a copy of the words is a valid checkpoint.
pub(super) struct Values {
    /// The outcomes.
    pub(super) pairs: BySide<Vec<[AtomicU64; 2]>>,
    /// One bit per entry: undecided, but the side to move has a draw by a move to a lower layer, so
    /// it can win and not lose.
    pub(super) held: BySide<Vec<AtomicU64>>,
    /// The number of entries.
    pub(super) entries: BySide<u64>,
}

impl Values {
    pub(super) fn new(entries: BySide<u64>) -> Values {
        Values {
            pairs: entries.map(|entries| parallel::defaults(pairs(entries) as usize)),
            held: entries.map(|entries| parallel::defaults(pairs(entries) as usize)),
            entries,
        }
    }

    /// Returns all words, in the order of a checkpoint.
    fn words(&self) -> impl Iterator<Item = &[AtomicU64]> {
        let pairs = Side::BOTH.into_iter().map(|side| self.pairs[side].as_flattened());
        pairs.chain(Side::BOTH.into_iter().map(|side| &self.held[side][..]))
    }

    /// Writes a checkpoint.
    pub(super) fn save(&self, task: &Task<'_>, reached: StepsDone) -> Result<(), SolveError> {
        let StepsDone { filled, steps, useful, decided } = reached;
        let state = [filled, steps, useful, decided.map_or(0, |decided| decided + 1)];
        let words = self.words().flatten().map(|word| word.load(Relaxed));
        task.checkpoints.save(steps / 2, &state, words)
    }

    /// Reads a checkpoint.
    pub(super) fn restore(&self, mut found: Checkpoint) -> Result<StepsDone, SolveError> {
        let [filled, steps, useful, decided] =
            found.state[..].try_into().expect("the layout of the checkpoint is this one");
        for words in self.words() {
            found.read_shared(words)?;
        }
        found.finish()?;
        Ok(StepsDone { filled, steps, useful, decided: decided.checked_sub(1) })
    }

    /// Returns the mask of the entries of a pair that exist: all, except in the last pair.
    pub(super) fn valid(&self, side: Side, pair: usize) -> u64 {
        let rest = self.entries[side] - pair as u64 * ENTRIES_PER_PAIR;
        if rest >= ENTRIES_PER_PAIR { u64::MAX } else { (1 << rest) - 1 }
    }

    /// Returns whether the side to move has a draw by a move to a lower layer.
    #[inline]
    pub(super) fn is_held(&self, side: Side, entry: u64) -> bool {
        let word = &self.held[side][(entry / ENTRIES_PER_PAIR) as usize];
        word.load(Relaxed) >> (entry % ENTRIES_PER_PAIR) & 1 != 0
    }

    /// Returns whether an entry is decided as won for `winner`.
    #[inline]
    pub(super) fn is_won(&self, side: Side, entry: u64, winner: Side) -> bool {
        let pair = &self.pairs[side][(entry / ENTRIES_PER_PAIR) as usize];
        pair[winner.index()].load(Relaxed) >> (entry % ENTRIES_PER_PAIR) & 1 != 0
    }

    /// Returns whether an entry is decided.
    #[inline]
    pub(super) fn is_decided(&self, side: Side, entry: u64) -> bool {
        self.decided(side, (entry / ENTRIES_PER_PAIR) as usize) >> (entry % ENTRIES_PER_PAIR) & 1
            != 0
    }

    /// Returns the mask of the decided entries of a pair.
    #[inline]
    pub(super) fn decided(&self, side: Side, pair: usize) -> u64 {
        let [first, second] = &self.pairs[side][pair];
        first.load(Relaxed) | second.load(Relaxed)
    }

    /// Decides an entry that was undecided.
    #[inline]
    pub(super) fn decide(&self, side: Side, entry: u64, winner: Side) {
        let pair = &self.pairs[side][(entry / ENTRIES_PER_PAIR) as usize];
        pair[winner.index()].fetch_or(1 << (entry % ENTRIES_PER_PAIR), Relaxed);
    }
}
