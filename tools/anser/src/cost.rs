//! What it costs to solve positions in memory, and whether that is tried.

use anser_games::Size;
use anser_solve::Bytes;

use crate::args::ResourceArgs;
use crate::text::{duration, grouped};

/// Upper bound of the cost of solving positions in memory.
pub(crate) struct Cost(pub(crate) Size);

impl Cost {
    /// Classes of loopy layers per second. Several threads are hardly faster.
    const CLASSES_PER_SECOND: f64 = 50_000.0;
    const LONGEST_SECONDS: f64 = 3600.0;

    fn seconds(&self) -> f64 {
        self.0.classes as f64 / Cost::CLASSES_PER_SECOND
    }

    fn fits(&self, resources: &ResourceArgs) -> bool {
        self.0.loopy_bytes() <= resources.memory()
    }

    /// Whether solving takes an hour at most, or play cannot return to a position.
    pub(crate) fn is_short(&self) -> bool {
        !self.0.is_loopy || self.seconds() <= Cost::LONGEST_SECONDS
    }

    /// Whether solving is tried: if it fits into the memory and is short, or `--memory` is given.
    pub(crate) fn is_allowed(&self, resources: &ResourceArgs) -> bool {
        self.fits(resources) && (self.is_short() || resources.given_memory().is_some())
    }

    /// The number of positions of a game, what they take, and what may be used.
    pub(crate) fn refusal(&self, name: &str, resources: &ResourceArgs) -> String {
        let allowed = if self.fits(resources) {
            "an hour".to_owned()
        } else {
            Bytes(resources.memory()).to_string()
        };
        format!(
            "{} positions of {name}, symmetric ones counted once, which take about {} of memory \
             and {}, and {allowed} may be used",
            grouped(self.0.classes),
            Bytes(self.0.loopy_bytes()),
            duration(self.seconds()),
        )
    }

    /// Returns the advice that makes it allowed.
    pub(crate) fn advice(&self, resources: &ResourceArgs) -> &'static str {
        if self.fits(resources) { "use --memory to try it" } else { "raise --memory" }
    }
}
