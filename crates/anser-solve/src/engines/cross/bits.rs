//! Appends bits to a plane of a table from several threads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Appends bits to a plane of a table while other threads write the bits before and after.
pub(super) struct BitWriter<'p, F: Fn(usize) -> &'p AtomicU64> {
    plane: F,
    pair: usize,
    word: u64,
    used: usize,
    /// Whether another thread writes to the current word as well.
    shared: bool,
}

impl<'p, F: Fn(usize) -> &'p AtomicU64> BitWriter<'p, F> {
    pub(super) fn new(entry: u64, plane: F) -> Self {
        let used = (entry % 64) as usize;
        BitWriter { plane, pair: (entry / 64) as usize, word: 0, used, shared: used > 0 }
    }

    /// Appends the low `count` bits of a word; `count` is 1 to 64.
    pub(super) fn push(&mut self, bits: u64, count: usize) {
        let bits = bits & (u64::MAX >> (64 - count));
        self.word |= bits << self.used;
        if self.used + count < 64 {
            self.used += count;
            return;
        }
        let taken = 64 - self.used;
        self.flush();
        self.word = if taken == 64 { 0 } else { bits >> taken };
        self.used = count - taken;
    }

    fn flush(&mut self) {
        let word = (self.plane)(self.pair);
        if self.shared {
            word.fetch_or(self.word, Relaxed);
        } else {
            // No other thread writes to this word.
            word.store(word.load(Relaxed) | self.word, Relaxed);
        }
        self.shared = false;
        self.pair += 1;
        self.word = 0;
    }

    pub(super) fn finish(mut self) {
        if self.used > 0 {
            self.shared = true;
            self.flush();
        }
    }
}
