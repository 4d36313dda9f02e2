//! Memory of lists, with a limit.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Bytes in use, with their limit.
#[derive(Debug)]
pub(super) struct Meter {
    used: AtomicU64,
    peak: AtomicU64,
    budget: u64,
}

impl Meter {
    /// Creates a meter with nothing in use.
    pub(super) fn new(budget: u64) -> Meter {
        Meter { used: AtomicU64::new(0), peak: AtomicU64::new(0), budget }
    }

    /// Adds to the bytes in use; returns false if that exceeds the limit.
    pub(super) fn take(&self, bytes: u64) -> bool {
        let used = self.used.fetch_add(bytes, Relaxed) + bytes;
        self.peak.fetch_max(used, Relaxed);
        used <= self.budget
    }

    /// Subtracts from the bytes in use.
    pub(super) fn give_back(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Relaxed);
    }

    /// Whether more than half of the limit is in use.
    pub(super) fn is_tight(&self) -> bool {
        self.used.load(Relaxed) > self.budget / 2
    }

    /// Returns the peak, in bytes.
    pub(super) fn peak(&self) -> u64 {
        self.peak.load(Relaxed)
    }
}
