//! Code shared by the tests.
#![allow(dead_code, missing_docs, unreachable_pub)]

#[path = "../../../anser-retrograde/tests/it/support/brute_force.rs"]
pub mod brute_force;
#[path = "../../../anser-retrograde/tests/it/support/hunts.rs"]
pub mod hunts;
