//! The tests of the crate in one program. Separate programs would each compile the engines again,
//! which takes longer than most of the tests.

mod blocks;
mod checkpoints;
mod cross;
mod distances;
mod hunts;
mod oracle;
mod packed_runs;
mod packing;
mod release;
mod shipped;
mod small_hunts;
mod solve;
mod support;
mod verify;
mod well_founded;
