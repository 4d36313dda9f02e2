//! Progress of long work, and its interruption.

/// Receives the progress of long work, and can interrupt it.
///
/// Implemented for the progress of the command line, and for the tasks of a server, among others.
///
/// All methods may be called from several threads at once, and do nothing by default.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
/// use anser_core::Observer;
///
/// /// Interrupts after 1000 units.
/// #[derive(Default)]
/// struct Limit(AtomicU64);
///
/// impl Observer for Limit {
///     fn advance(&self, units: u64) {
///         self.0.fetch_add(units, Relaxed);
///     }
///     fn interrupted(&self) -> bool {
///         self.0.load(Relaxed) > 1000
///     }
/// }
/// ```
pub trait Observer: Sync {
    /// Begins a piece of work of `units` units; the one before is done. `what` describes it in a
    /// few words.
    fn begin(&self, what: &str, units: u64) {
        let _ = (what, units);
    }

    /// Reports `units` more units of the current piece of work as done.
    fn advance(&self, units: u64) {
        let _ = units;
    }

    /// Whether the work should stop at the next opportunity.
    fn interrupted(&self) -> bool {
        false
    }
}

/// An observer that ignores everything and never interrupts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {}
