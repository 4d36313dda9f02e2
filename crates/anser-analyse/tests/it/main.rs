//! All integration tests in one program, so that the generic code is compiled only once per game.

mod foxbox;
mod hexapawn;
mod hounds;
mod hunts;
mod layers;
mod matchbox;
mod questions;
mod search;
mod solution;
mod strategy;
mod support;
