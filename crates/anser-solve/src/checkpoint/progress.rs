//! Progress of the work on a layer, part of the record of every
//! [checkpoint](crate::checkpoint::slots).

use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::time::Duration;

use crate::checkpoint::slots::{PROGRESS_WORDS, Words};

/// Phase of the work on a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Terminal positions and moves to lower layers. An engine that computes several fixpoints
    /// stays in this phase.
    Fill,
    /// Rounds of the fixpoint.
    Rounds,
    /// The values are final. Counts, checks, and header are missing.
    Finish,
}

/// Progress of the values in memory. A checkpoint has both.
pub(crate) struct Progress {
    words: [AtomicU64; PROGRESS_WORDS],
}

/// Progress of a fixpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reached {
    /// Number of the fixpoint, 0 or 1.
    pub(crate) part: usize,
    /// The last complete round.
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
    /// Creates the progress of a layer without any work.
    pub(crate) fn new() -> Progress {
        Progress { words: std::array::from_fn(|_| AtomicU64::new(0)) }
    }

    /// Reads the progress of a record. `None` if another version of this program wrote it.
    pub(crate) fn of_words(words: &Words) -> Option<Progress> {
        (words[PHASE] <= 2).then(|| Progress { words: words.map(AtomicU64::new) })
    }

    /// Returns the words for a record.
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

    /// Returns the number of pairs of words that are filled, those of the first side first.
    pub(crate) fn filled(&self) -> u64 {
        self.get(FILLED)
    }

    pub(crate) fn set_filled(&self, pairs: u64) {
        self.set(FILLED, pairs);
    }

    /// Returns the number of complete steps. A round has two steps.
    pub(crate) fn steps(&self) -> u64 {
        self.get(STEPS)
    }

    /// Sets the number of decided classes, both sides to move together.
    pub(crate) fn set_decided(&self, decided: u64) {
        self.set(DECIDED, decided);
    }

    /// Adds a step, after which `decided` classes are decided.
    pub(crate) fn step_done(&self, decided: u64) {
        let steps = self.steps() + 1;
        if decided > self.get(DECIDED) {
            self.set(LAST_USEFUL, steps);
        }
        self.set(DECIDED, decided);
        self.set(STEPS, steps);
    }

    /// Returns the number of rounds up to the last one that decided a class.
    pub(crate) fn rounds(&self) -> u64 {
        self.get(LAST_USEFUL).div_ceil(2)
    }

    /// Returns the number of rounds of a complete fixpoint, 0 or 1, of an engine that computes two.
    pub(crate) fn found(&self, part: usize) -> Option<u64> {
        self.get(FOUND + part).checked_sub(1)
    }

    /// Sets the number of rounds of a fixpoint, 0 or 1, that is complete.
    pub(crate) fn set_found(&self, part: usize, rounds: u64) {
        self.set(REACHED, 0);
        self.set(FOUND + part, rounds + 1);
    }

    /// Returns the progress of the current fixpoint.
    pub(crate) fn reached(&self) -> Option<Reached> {
        let word = self.get(REACHED).checked_sub(1)?;
        Some(Reached { part: word as usize & 1, next_is_useful: word & 2 != 0, round: word >> 2 })
    }

    pub(crate) fn set_reached(&self, Reached { part, next_is_useful, round }: Reached) {
        self.set(REACHED, (round << 2 | u64::from(next_is_useful) << 1 | part as u64) + 1);
    }

    /// Returns the number of complete rounds, of the fixpoint that has more.
    pub(crate) fn rounds_done(&self) -> u64 {
        let of_parts = (0..2)
            .filter_map(|part| self.found(part))
            .chain(self.reached().map(|reached| reached.round));
        of_parts.max().unwrap_or(0).max(self.steps() / 2)
    }

    /// Sets the number of rounds of the whole layer.
    pub(crate) fn set_rounds(&self, rounds: u64) {
        self.set(STEPS, 2 * rounds);
        self.set(LAST_USEFUL, 2 * rounds);
    }

    /// Returns the time that the layer has taken, in all runs.
    pub(crate) fn elapsed(&self) -> Duration {
        Duration::from_millis(self.get(MILLIS))
    }

    pub(crate) fn set_elapsed(&self, elapsed: Duration) {
        self.set(MILLIS, elapsed.as_millis() as u64);
    }
}
