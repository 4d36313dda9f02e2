//! How far the work on a layer is, in the last 4096 bytes of its unfinished file.
//!
//! The page is mapped with the values, so a killed run leaves it exactly as far as it leaves the values. After a loss of
//! power pages may be of different ages. That is sound as well: `Rounds` and `Finish`, and that the second of two fixpoints
//! was begun, are noted only after everything they rest on was written to disk, and in between values only ever turn from
//! undecided to decided, each of them true by itself. Only the count of rounds may then come out otherwise.

use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::time::Duration;

/// The size of the page in words.
pub(crate) const PROGRESS_WORDS: usize = 512;

const MAGIC: u64 = u64::from_le_bytes(*b"anser-01");

/// What is being done to a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Ends, and moves that leave the layer; the general engine begins that anew after an interruption. An engine that finds
    /// one fixpoint after the other stays in this phase and goes on from its checkpoints.
    Fill,
    /// The fixpoint.
    Rounds,
    /// The values are final; counts, checks and header are missing.
    Finish,
}

/// A view of the page.
#[derive(Clone, Copy)]
pub(crate) struct Progress<'a> {
    words: &'a [AtomicU64; PROGRESS_WORDS],
}

const PHASE: usize = 1;
const STEPS: usize = 2;
const DECIDED: usize = 3;
const LAST_USEFUL: usize = 4;
const MILLIS: usize = 5;
const FOUND: usize = 6;
const CHECKPOINT: usize = 8;

impl<'a> Progress<'a> {
    /// The page in `words`; whether it says anything, [`Progress::is_valid`] tells.
    pub(crate) fn new(words: &'a [AtomicU64; PROGRESS_WORDS]) -> Progress<'a> {
        Progress { words }
    }

    /// Whether an earlier run worked on this.
    pub(crate) fn is_resumed(self) -> bool {
        self.words[MILLIS].load(SeqCst) > 0
    }

    /// Begins at the beginning.
    pub(crate) fn reset(self) {
        for word in &self.words[1..] {
            word.store(0, SeqCst);
        }
        self.words[0].store(MAGIC, SeqCst);
    }

    pub(crate) fn is_valid(self) -> bool {
        self.words[0].load(SeqCst) == MAGIC && self.words[PHASE].load(SeqCst) <= 2
    }

    pub(crate) fn phase(self) -> Phase {
        match self.words[PHASE].load(SeqCst) {
            0 => Phase::Fill,
            1 => Phase::Rounds,
            _ => Phase::Finish,
        }
    }

    pub(crate) fn set_phase(self, phase: Phase) {
        self.words[PHASE].store(phase as u64, SeqCst);
    }

    /// Steps completed; a round is two of them.
    pub(crate) fn steps(self) -> u64 {
        self.words[STEPS].load(SeqCst)
    }

    /// Classes decided when the last step was completed, both sides to move together.
    pub(crate) fn decided(self) -> u64 {
        self.words[DECIDED].load(SeqCst)
    }

    /// Notes that the fill left `decided` classes decided.
    pub(crate) fn filled(self, decided: u64) {
        self.words[DECIDED].store(decided, SeqCst);
    }

    /// Notes that one more step is done.
    pub(crate) fn step_done(self, decided: u64) {
        let steps = self.steps() + 1;
        // In this order: killed in between, the step is done again and finds nothing new, but its use is on record.
        if decided > self.decided() {
            self.words[LAST_USEFUL].store(steps, SeqCst);
        }
        self.words[DECIDED].store(decided, SeqCst);
        self.words[STEPS].store(steps, SeqCst);
    }

    /// The number of rounds up to the last one that decided anything.
    pub(crate) fn rounds(self) -> u64 {
        self.words[LAST_USEFUL].load(SeqCst).div_ceil(2)
    }

    /// The rounds of fixpoint number `part`, 0 or 1, if it was found and its values are noted or about to be; for engines that
    /// find one after the other.
    pub(crate) fn found(self, part: usize) -> Option<u64> {
        self.words[FOUND + part].load(SeqCst).checked_sub(1)
    }

    /// Notes that fixpoint number `part` was found in so many rounds, before its values are written.
    pub(crate) fn set_found(self, part: usize, rounds: u64) {
        self.words[CHECKPOINT].store(0, SeqCst);
        self.words[FOUND + part].store(rounds + 1, SeqCst);
    }

    /// The fixpoint and its round whose values the last checkpoint wrote, or was about to.
    pub(crate) fn checkpoint(self) -> Option<(usize, u64)> {
        let word = self.words[CHECKPOINT].load(SeqCst).checked_sub(1)?;
        Some((word as usize & 1, word >> 1))
    }

    /// Notes that the values of fixpoint number `part` as of a round are about to be written.
    pub(crate) fn set_checkpoint(self, part: usize, round: u64) {
        self.words[CHECKPOINT].store((round << 1 | part as u64) + 1, SeqCst);
    }

    /// Forgets fixpoints and checkpoints.
    pub(crate) fn forget(self) {
        for word in &self.words[FOUND..=CHECKPOINT] {
            word.store(0, SeqCst);
        }
    }

    /// The rounds that are behind, of whichever fixpoint took more so far.
    pub(crate) fn rounds_done(self) -> u64 {
        let of_parts = (0..2).filter_map(|part| self.found(part)).chain(self.checkpoint().map(|(_, round)| round));
        of_parts.max().unwrap_or(0).max(self.steps() / 2)
    }

    /// Notes that so many rounds were done in all.
    pub(crate) fn set_rounds(self, rounds: u64) {
        self.words[STEPS].store(2 * rounds, SeqCst);
        self.words[LAST_USEFUL].store(2 * rounds, SeqCst);
    }

    /// How long the layer has taken so far, all runs together.
    pub(crate) fn elapsed(self) -> Duration {
        Duration::from_millis(self.words[MILLIS].load(SeqCst))
    }

    pub(crate) fn set_elapsed(self, elapsed: Duration) {
        self.words[MILLIS].store(elapsed.as_millis() as u64, SeqCst);
    }
}
