//! All integration tests in one program, so that the generic code is compiled only once per game.

mod foxbox;
mod layers;
mod matchbox;
mod questions;
mod search;
mod strategy;
mod support;
