//! Helpers that several tests share.

pub(crate) mod files;
#[path = "../../../../anser-retrograde/tests/it/support/hunts.rs"]
pub(crate) mod hunts;
#[path = "../../../../anser-retrograde/tests/it/support/random_hunts.rs"]
pub(crate) mod random_hunts;
pub(crate) mod runs;
#[path = "../../../../anser-table/tests/it/support/mod.rs"]
pub(crate) mod tables;

use anser_oracle::fox_geese as oracle;

/// Returns a rule set as the oracle represents it.
pub(crate) fn oracle_rules(rules: &str) -> oracle::Rules {
    let has = |part: &str| rules.split('+').any(|other| other == part);
    oracle::Rules {
        geese_forward: has("forward"),
        first_capture_wins: has("first-capture"),
        orthogonal: has("orthogonal"),
        chain: has("chain"),
        compulsory: has("compulsory"),
    }
}
