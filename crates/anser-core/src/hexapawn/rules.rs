//! The rule set of Hexapawn and its id.

use std::fmt;
use std::str::FromStr;

use crate::{RuleSetError, rule_set};

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
            RuleSet::Standard => "A pawn steps straight forward to an empty square, or captures \
                                  one square diagonally forward. A side whose pawn reaches the far \
                                  row has won; a side to move without a pawn or without a move has \
                                  lost. White moves first."
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
        rule_set::named(RuleSet::all(), text, "the rule set of Hexapawn is standard")
    }
}

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
