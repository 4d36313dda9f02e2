//! What a learner plays, beside the values of the game.

use anser_analyse::{Advisor, AnalyseError};
use anser_core::prelude::*;
use anser_core::{Outcome, Value};
use anser_games::{AnyGame, AnyPosition};

use super::values::PlayAdvisor;

/// Advisor with the values of the game, and with the chances of the moves of a learner.
pub(crate) struct Learned<'a> {
    pub(super) source: &'a PlayAdvisor<'a>,
    /// The chance of each move; `None` where the learner does not play.
    pub(super) chances: Box<Chances<'a>>,
}

/// Returns the chance of each move of a position.
pub(super) type Chances<'a> = dyn Fn(&AnyPosition) -> Option<Vec<f64>> + 'a;

impl Probe<AnyGame> for Learned<'_> {
    type Error = AnalyseError;

    fn value(&self, position: &AnyPosition) -> Result<Value, AnalyseError> {
        self.source.value(position)
    }
}

impl Advisor<AnyGame> for Learned<'_> {
    fn preference(&self, after: &AnyPosition, outcome: Outcome) -> Option<f64> {
        self.source.preference(after, outcome)
    }

    fn learned(&self, position: &AnyPosition) -> Option<Vec<f64>> {
        (self.chances)(position).or_else(|| self.source.learned(position))
    }
}
