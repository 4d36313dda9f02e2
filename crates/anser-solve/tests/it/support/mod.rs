//! Helpers that several tests share.

pub(crate) mod files;
#[path = "../../../../anser-retrograde/tests/it/support/hunts.rs"]
pub(crate) mod hunts;
pub(crate) mod runs;
#[path = "../../../../anser-table/tests/support/mod.rs"]
pub(crate) mod tables;

use anser_core::fox_geese::{Base, RuleSet};
use anser_oracle::fox_geese as oracle;

/// Returns a rule set as the oracle represents it.
pub(crate) fn oracle_rules(rules: RuleSet) -> oracle::Rules {
    oracle::Rules {
        geese_forward: rules.base() == Base::Forward,
        first_capture_wins: rules.base() == Base::FirstCapture,
        orthogonal: rules.orthogonal(),
        chain: rules.chain(),
        compulsory: rules.compulsory(),
    }
}
