//! Maps between rows.
//!
//! A move takes the rows whose arm sets have certain points, and lack certain others, to the rows whose arm sets differ from
//! theirs in fixed points. Such a map keeps the order, so it takes runs of neighbouring rows to runs of neighbouring rows:
//! what a kernel does is to go through these runs.

use super::sets::{ARM, SETS};

/// Rows of one block and rows of another that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// The first row.
    pub(super) row: u16,
    /// The first row of the other block.
    pub(super) other: u16,
    /// How many rows.
    pub(super) len: u16,
}

/// By number of points of the arm sets: the runs.
pub(super) type RowMap = [Vec<Run>; ARM + 1];

/// The map of the rows that have all of `set` and nothing of `clear` to the rows that differ from them in `flip`.
pub(super) fn row_map(set: u16, clear: u16, flip: u16) -> RowMap {
    std::array::from_fn(|points| {
        let mut runs: Vec<Run> = Vec::new();
        for (row, &arm) in SETS.arm[points].iter().enumerate() {
            if arm & set != set || arm & clear != 0 {
                continue;
            }
            let (row, other) = (row as u16, SETS.rank[usize::from(arm ^ flip)]);
            match runs.last_mut() {
                Some(run) if run.row + run.len == row && run.other + run.len == other => run.len += 1,
                _ => runs.push(Run { row, other, len: 1 }),
            }
        }
        runs
    })
}
