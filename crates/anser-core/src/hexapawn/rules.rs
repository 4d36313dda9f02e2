//! The rule set of Hexapawn and its id.

use std::fmt;
use std::str::FromStr;

/// Rule set of Hexapawn. There is one.
///
/// ```
/// use anser_core::hexapawn::RuleSet;
/// assert_eq!("standard".parse(), Ok(RuleSet::Standard));
/// assert!(RuleSet::Standard.explain().contains("far row"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleSet {
    /// The rules of the document.
    #[default]
    Standard,
}

impl RuleSet {
    /// Returns all rule sets.
    pub fn all() -> impl Iterator<Item = RuleSet> {
        [RuleSet::Standard].into_iter()
    }

    /// Returns the rule set in sentences.
    pub fn explain(self) -> String {
        match self {
            RuleSet::Standard => "A pawn steps straight forward to an empty square, or captures one square diagonally \
                                  forward. A side whose pawn reaches the far row has won; a side to move without a pawn \
                                  or without a move has lost. White moves first."
                .into(),
        }
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RuleSet::Standard => "standard",
        })
    }
}

impl FromStr for RuleSet {
    type Err = RuleSetError;

    fn from_str(text: &str) -> Result<RuleSet, RuleSetError> {
        let unknown = || RuleSetError { problem: format!("no rule set is called {text:?}") };
        RuleSet::all().find(|rules| rules.to_string() == text).ok_or_else(unknown)
    }
}

/// Error of parsing the id of a rule set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSetError {
    problem: String,
}

impl fmt::Display for RuleSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; the rule set of Hexapawn is standard", self.problem)
    }
}

impl std::error::Error for RuleSetError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_reads_back_and_others_do_not() {
        for rules in RuleSet::all() {
            assert_eq!(rules.to_string().parse(), Ok(rules));
        }
        for wrong in ["", "Standard", "standard ", "free"] {
            let error = wrong.parse::<RuleSet>().unwrap_err().to_string();
            assert!(error.contains("is standard"), "{error}");
        }
    }
}
