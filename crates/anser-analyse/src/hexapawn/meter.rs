//! The memory that lists take, against what they may take.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Bytes in use, and the most there may be.
#[derive(Debug)]
pub(super) struct Meter {
    used: AtomicU64,
    peak: AtomicU64,
    budget: u64,
}

impl Meter {
    /// Nothing is in use.
    pub(super) fn new(budget: u64) -> Meter {
        Meter { used: AtomicU64::new(0), peak: AtomicU64::new(0), budget }
    }

    /// So much more is in use; false if that is more than there may be.
    pub(super) fn take(&self, bytes: u64) -> bool {
        let used = self.used.fetch_add(bytes, Relaxed) + bytes;
        self.peak.fetch_max(used, Relaxed);
        used <= self.budget
    }

    /// So much less is in use.
    pub(super) fn give_back(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Relaxed);
    }

    /// Whether more than half of what there may be is in use.
    pub(super) fn is_tight(&self) -> bool {
        self.used.load(Relaxed) > self.budget / 2
    }

    /// The most that was in use.
    pub(super) fn peak(&self) -> u64 {
        self.peak.load(Relaxed)
    }

    /// The most there may be.
    pub(super) fn budget(&self) -> u64 {
        self.budget
    }
}
