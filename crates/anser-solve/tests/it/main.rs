//! The tests of the crate in one program: in one of its own each would compile the engines anew, which takes longer than most
//! of the tests. `release.rs` alone is apart, as it looks at the memory of its process.

mod blocks;
mod checkpoints;
mod distances;
mod founded;
mod hunts;
mod oracle;
mod own_engine;
mod packing;
mod shipped;
mod solve;
mod support;
mod verify;
