//! Engines: the algorithms that solve a layer. They differ in speed and memory, and write the same
//! bytes.
//!
//! [`engine`] defines the interface, [`choice`] selects an engine for a layer. [`general`] solves
//! every game for outcomes, [`distances`] for distances. Games with some structure have faster
//! ones: [`cross`] for Fox-and-Geese, [`rows`] for Fox-and-Hounds and Hasenspiel, [`sets`] for
//! hunts of few against many. [`store`] allocates their arrays.

pub(crate) mod choice;
mod cross;
mod distances;
pub(crate) mod engine;
pub(crate) mod general;
mod measure;
mod rows;
pub(crate) mod sets;
mod store;
