//! Code shared by the tests.
#![allow(dead_code, missing_docs, unreachable_pub)]

pub mod brute_force;
pub mod hunts;
pub mod random_hunts;
