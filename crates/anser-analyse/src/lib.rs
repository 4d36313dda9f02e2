//! Questions asked of a solved game.
//!
//! A [`Solution`] holds the positions that play can reach from a root, or all positions of some layers, each with its exact
//! value. Every module here asks it one kind of question, of any [`Game`](anser_core::Game), and returns plain values; what
//! they look like on a terminal is somebody else's business.
//!
//! # Errors
//! [`AnalyseError`] says why there is no answer.

mod count;
mod error;
mod foxbox;
mod fuzz;
mod graph;
mod marks;
mod observer;
mod orbit;
mod random;
mod reach;
mod slots;
mod solution;
mod solve;
mod strategy;
mod tallies;

pub use count::{Count, Games, Tally, count};
pub use error::AnalyseError;
pub use foxbox::{BValue, FoxBoxes, MaxB, is_fox_box};
pub use fuzz::{Fuzzy, Weights};
pub use observer::{Observer, Step, Unobserved, Work};
pub use random::Random;
pub use solution::{Limits, Solution};
pub use strategy::{Candidate, Source, Strategy, Style, Worth, candidates};
