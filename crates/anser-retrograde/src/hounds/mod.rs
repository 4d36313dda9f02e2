//! Fox-and-Hounds and Hasenspiel by whole rows of positions.
//!
//! Play never returns to an arrangement of the pack, and a layer depends only on the next lower
//! one. So one sweep over the arrangements, from the top row of the board down, solves the game. It
//! processes all squares of the lone man at once: a *row* has one byte per square of one row
//! parity, at most 36.
//!
//! ```text
//! pack to move:      row = min over the steps of the pack of (row of the next arrangement, lone
//!                    man to move), one ply more
//! lone man to move:  row = max over the four steps of (row of the same arrangement, pack to
//!                    move, shifted), one ply more
//! ```
//!
//! - `codes.rs`: a value is a byte, in the order of values, so the best move is a minimum or
//!   maximum of bytes.
//! - `lanes.rs`: the squares of even and of odd rows are numbered separately. Every step of the
//!   lone man shifts a row by a constant distance, and a few operations on bits find its terminal
//!   squares.
//! - `sets.rs`: visits the arrangements in the order of the index of the tables. Sums kept during
//!   the walk give the ranks of the arrangements one step away.
//! - `values.rs`: the two formulas above.
//! - `sweep.rs`: solves a layer on all threads, and converts it to and from tables.
//!
//! The reachable positions (`reach.rs`, one bit per square) and the numbers of paths (`games.rs`,
//! `paths.rs`) are computed in the same order reversed, from the start downward. `analyse.rs`
//! combines the results.

#![expect(
    clippy::inline_always,
    reason = "a walk over the arrangements is compiled for an instruction set by being inlined \
              into a function that has it"
)]

mod analyse;
mod census;
mod codes;
mod games;
mod lanes;
mod paths;
mod reach;
mod sets;
mod solver;
mod sweep;
mod values;

pub use analyse::{HoundsOptions, HoundsReport};
pub use solver::HoundsSolver;
pub use sweep::LoneRows;
