//! Engines: the algorithms that solve a layer. They differ in speed and memory; the tables are the same to the last bit.
//!
//! [`engine`] says what an engine is, [`choice`] which one takes a layer. [`general`] solves every game for its outcomes,
//! [`distances`] for its distances. [`games`] lists the faster ones: [`cross`] for Fox-and-Geese, [`hunts`] for
//! Fox-and-Hounds and Hasenspiel.

pub(crate) mod choice;
mod cross;
mod distances;
pub(crate) mod engine;
mod games;
pub(crate) mod general;
mod hunts;
mod measure;
