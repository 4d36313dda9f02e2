//! Limits of a computation.

use anser_core::{Observer, Unobserved};

/// Memory limit and observer of a computation.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// Limit of the memory for results and intermediate data, in bytes; approximate.
    pub memory: u64,
    /// Receives the progress, and can interrupt the computation.
    pub observer: &'a dyn Observer,
}

impl Default for Limits<'_> {
    /// No memory limit and no observer.
    fn default() -> Self {
        Limits { memory: u64::MAX, observer: &Unobserved }
    }
}
