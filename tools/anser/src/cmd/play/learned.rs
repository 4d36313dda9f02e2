//! Moves of a learner, beside the values of the game.

use anser_analyse::Advisor;
use anser_core::{Outcome, Probe, Value, hunt};
use anser_retrograde::AnalyseError;

use super::values::PlayAdvisor;

/// Advisor with the values of the game, and with the chances of the moves of a learner.
pub(crate) struct Learned<'a> {
    pub(super) source: &'a PlayAdvisor<'a>,
    /// The chance of each move; `None` where the learner does not play.
    pub(super) chances: Box<Chances<'a>>,
}

/// Returns the chance of each move of a position.
pub(super) type Chances<'a> = dyn Fn(&hunt::Position) -> Option<Vec<f64>> + 'a;

impl Probe for Learned<'_> {
    type Error = AnalyseError;

    fn value(&self, position: &hunt::Position) -> Result<Value, AnalyseError> {
        self.source.value(position)
    }
}

impl Advisor for Learned<'_> {
    fn preference(&self, after: &hunt::Position, outcome: Outcome) -> Option<f64> {
        self.source.preference(after, outcome)
    }

    fn learned(&self, position: &hunt::Position) -> Option<Vec<f64>> {
        (self.chances)(position).or_else(|| self.source.learned(position))
    }
}
