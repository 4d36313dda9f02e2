//! Fox-and-Hounds and Hasenspiel by whole rows of positions.
//!
//! Play never comes back to an arrangement of the pack, and all a layer rests on is the next lower one. So the game is solved by
//! sweeping over the arrangements once, from the last row of the board down, and for each arrangement over all squares of
//! the lone man at once: a *row* has a byte for each square of one row parity, at most 36.
//!
//! ```text
//! pack to move:  row = min over steps of the pack of (row of the arrangement it leads to, lone man to move), one ply more
//! man to move:   row = max over the four steps of (row of the same arrangement, pack to move, shifted), one ply more
//! ```
//!
//! That is all there is to it, because of how things are arranged:
//! - `codes.rs`: a value is a byte whose order is the order of values, so the best move is a minimum or a maximum of bytes;
//! - `lanes.rs`: the squares of the even rows and of the odd ones apart, so that every step of the lone man moves a row by a
//!   constant distance, and where the game is over follows for all its squares at once from a few operations on bits;
//! - `sets.rs`: the arrangements in the order of the index of the tables, and the numbers of those one step away, from sums
//!   that are kept up to date during the walk instead of ranking each;
//! - `values.rs`: the two lines above; `sweep.rs`: a layer of them on all threads, into tables or out of them.
//!
//! What can be reached goes downward from the start in the same way with a bit for each square (`reach.rs`), and so do the
//! numbers of paths (`games.rs`, with the arithmetic in `paths.rs`); `analyse.rs` puts all of it into one report.

mod analyse;
mod census;
mod codes;
mod games;
mod lanes;
mod paths;
mod reach;
mod sets;
mod sweep;
mod values;

pub use analyse::{HoundsOptions, HoundsReport};
pub use census::HoundsCensus;
pub use sweep::LoneRows;

use lanes::Goal;
use sweep::Sweep;

/// The solver for one game of a lone man against a pack.
#[derive(Debug)]
pub struct HoundsSolver {
    sweep: Sweep,
    /// The lane of the lone man at the start.
    start: usize,
}

impl HoundsSolver {
    /// dev
    pub fn fox_hounds(size: usize, strict: bool) -> HoundsSolver {
        let width = size / 2;
        let goal = if strict { Goal::None } else { Goal::Escape };
        let square = (size - 1) * width + width / 2;
        Self::build(width, true, goal, square)
    }
    /// dev
    pub fn hasenspiel(author: bool) -> HoundsSolver {
        Self::build(4, false, if author { Goal::PastLowest } else { Goal::BottomRow }, 29)
    }
    fn build(width: usize, light: bool, goal: Goal, square: usize) -> HoundsSolver {
        let sweep = Sweep::new(width, light, goal);
        let (_, start) = sweep.sets.board.lane(square);
        HoundsSolver { sweep, start }
    }
}
