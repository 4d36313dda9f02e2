//! How far the work on a layer is; kept in the record of every checkpoint, see [`checkpoint`](crate::checkpoint::slots).

use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::time::Duration;

use crate::checkpoint::slots::{PROGRESS_WORDS, Words};

/// What is being done to a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Ends, and moves that leave the layer. An engine that finds one fixpoint after the other stays in this phase.
    Fill,
    /// The fixpoint.
    Rounds,
    /// The values are final; counts, checks and header are missing.
    Finish,
}

/// How far the work is, in memory. It says of the values in memory what a record says of the values in its slot: both are
/// written together.
pub(crate) struct Progress {
    words: [AtomicU64; PROGRESS_WORDS],
}

/// How far the search for a fixpoint is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reached {
    /// The number of the fixpoint.
    pub(crate) part: usize,
    /// The round whose values there are.
    pub(crate) round: u64,
    /// Whether the first half of the next round is known to change something.
    pub(crate) next_is_useful: bool,
}

const PHASE: usize = 0;
const STEPS: usize = 1;
const DECIDED: usize = 2;
const LAST_USEFUL: usize = 3;
const MILLIS: usize = 4;
const FOUND: usize = 5;
const REACHED: usize = 7;
const FILLED: usize = 8;

impl Progress {
    /// The beginning.
    pub(crate) fn new() -> Progress {
        Progress { words: std::array::from_fn(|_| AtomicU64::new(0)) }
    }

    /// What a record says; `None` if this program does not know what it means.
    pub(crate) fn of_words(words: &Words) -> Option<Progress> {
        (words[PHASE] <= 2).then(|| Progress { words: words.map(AtomicU64::new) })
    }

    /// The words for a record.
    pub(crate) fn words(&self) -> Words {
        std::array::from_fn(|at| self.get(at))
    }

    fn get(&self, at: usize) -> u64 {
        self.words[at].load(SeqCst)
    }

    fn set(&self, at: usize, word: u64) {
        self.words[at].store(word, SeqCst);
    }

    pub(crate) fn phase(&self) -> Phase {
        match self.get(PHASE) {
            0 => Phase::Fill,
            1 => Phase::Rounds,
            _ => Phase::Finish,
        }
    }

    pub(crate) fn set_phase(&self, phase: Phase) {
        self.set(PHASE, phase as u64);
    }

    /// Pairs of words of both sides that are filled, those of the first side first.
    pub(crate) fn filled(&self) -> u64 {
        self.get(FILLED)
    }

    pub(crate) fn set_filled(&self, pairs: u64) {
        self.set(FILLED, pairs);
    }

    /// Steps completed; a round is two of them.
    pub(crate) fn steps(&self) -> u64 {
        self.get(STEPS)
    }

    /// Notes that `decided` classes are decided, both sides to move together.
    pub(crate) fn set_decided(&self, decided: u64) {
        self.set(DECIDED, decided);
    }

    /// Notes that one more step is done, after which `decided` classes are decided.
    pub(crate) fn step_done(&self, decided: u64) {
        let steps = self.steps() + 1;
        if decided > self.get(DECIDED) {
            self.set(LAST_USEFUL, steps);
        }
        self.set(DECIDED, decided);
        self.set(STEPS, steps);
    }

    /// The number of rounds up to the last one that decided anything.
    pub(crate) fn rounds(&self) -> u64 {
        self.get(LAST_USEFUL).div_ceil(2)
    }

    /// The rounds of fixpoint number `part`, 0 or 1, if it was found; for engines that find one after the other.
    pub(crate) fn found(&self, part: usize) -> Option<u64> {
        self.get(FOUND + part).checked_sub(1)
    }

    /// Notes that fixpoint number `part` was found in so many rounds.
    pub(crate) fn set_found(&self, part: usize, rounds: u64) {
        self.set(REACHED, 0);
        self.set(FOUND + part, rounds + 1);
    }

    /// How far the search for a fixpoint is.
    pub(crate) fn reached(&self) -> Option<Reached> {
        let word = self.get(REACHED).checked_sub(1)?;
        Some(Reached { part: word as usize & 1, next_is_useful: word & 2 != 0, round: word >> 2 })
    }

    pub(crate) fn set_reached(&self, Reached { part, next_is_useful, round }: Reached) {
        self.set(REACHED, (round << 2 | u64::from(next_is_useful) << 1 | part as u64) + 1);
    }

    /// The rounds that are behind, of whichever fixpoint took more so far.
    pub(crate) fn rounds_done(&self) -> u64 {
        let of_parts = (0..2).filter_map(|part| self.found(part)).chain(self.reached().map(|reached| reached.round));
        of_parts.max().unwrap_or(0).max(self.steps() / 2)
    }

    /// Notes that so many rounds were done in all.
    pub(crate) fn set_rounds(&self, rounds: u64) {
        self.set(STEPS, 2 * rounds);
        self.set(LAST_USEFUL, 2 * rounds);
    }

    /// How long the layer has taken so far, all runs together.
    pub(crate) fn elapsed(&self) -> Duration {
        Duration::from_millis(self.get(MILLIS))
    }

    pub(crate) fn set_elapsed(&self, elapsed: Duration) {
        self.set(MILLIS, elapsed.as_millis() as u64);
    }
}
