//! Engines: the algorithms that solve a layer. They differ in speed and memory; the tables are the same to the last bit.

pub(crate) mod cross;
pub(crate) mod distances;
pub(crate) mod engine;
pub(crate) mod general;
pub(crate) mod hunts;
