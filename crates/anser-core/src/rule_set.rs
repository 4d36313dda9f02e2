//! The ids of rule sets.

use std::fmt;

/// Error of parsing the id of a rule set, or of making one.
///
/// ```
/// use anser_core::fox_hounds::RuleSet;
/// let error = "escaped".parse::<RuleSet>().unwrap_err();
/// assert!(error.to_string().contains("has escape and strict"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSetError {
    /// The problem.
    problem: String,
    /// The form of a valid id.
    right: &'static str,
}

impl RuleSetError {
    pub(crate) fn new(problem: impl Into<String>, right: &'static str) -> RuleSetError {
        RuleSetError { problem: problem.into(), right }
    }

    /// Creates the error of an id that no rule set has.
    pub(crate) fn unknown(id: &str, right: &'static str) -> RuleSetError {
        RuleSetError::new(format!("no rule set is called {id:?}"), right)
    }
}

impl fmt::Display for RuleSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.problem, self.right)
    }
}

impl std::error::Error for RuleSetError {}

/// Returns the one of `all` with this id.
pub(crate) fn named<R: fmt::Display>(
    mut all: impl Iterator<Item = R>,
    id: &str,
    right: &'static str,
) -> Result<R, RuleSetError> {
    all.find(|rules| rules.to_string() == id).ok_or_else(|| RuleSetError::unknown(id, right))
}
