//! The tests of the crate in one program: in one of its own each would compile every question for
//! every game anew.

mod foxbox;
mod hexapawn;
mod hounds;
mod matchbox;
mod questions;
mod search;
mod solution;
mod strategy;
mod support;
