//! Progress reports. The engine counts words; an [`Observer`] counts entries.

use anser_core::{Observer, Unobserved};

/// Entries in a word.
const ENTRIES: u64 = u64::BITS as u64;

/// A named piece of work and the observer that follows it.
pub(super) struct Report<'a> {
    pub(super) observer: &'a dyn Observer,
    what: String,
}

impl<'a> Report<'a> {
    pub(super) fn new(observer: &'a dyn Observer, what: String) -> Report<'a> {
        Report { observer, what }
    }

    /// Announces the work and its size in words.
    pub(super) fn begin(&self, words: u64) {
        self.observer.begin(&self.what, words * ENTRIES);
    }

    /// Reports that some words are done.
    pub(super) fn advance(&self, words: u64) {
        self.observer.advance(words * ENTRIES);
    }
}

impl Report<'static> {
    /// Work without an observer.
    pub(super) const fn none() -> Report<'static> {
        Report { observer: &Unobserved, what: String::new() }
    }
}
