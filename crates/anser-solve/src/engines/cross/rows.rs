//! Maps between rows.
//!
//! A move applies to the rows whose arm sets contain certain points and lack certain others, and
//! changes fixed points of them. Such a map is monotonic, so it maps runs of consecutive rows to
//! runs of consecutive rows. A kernel iterates over these runs.

use super::sets::{ARM, SETS};

/// Consecutive rows of one block, and the rows of another block that correspond to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowRun {
    /// First row.
    pub(super) row: u16,
    /// First row in the other block.
    pub(super) other: u16,
    /// Number of rows.
    pub(super) len: u16,
}

/// Runs by the number of points of the arm sets.
pub(super) type RowMap = [Vec<RowRun>; ARM + 1];

/// Returns the map from the rows with all of `set` and none of `clear` to the rows that differ from
/// them in `flip`.
pub(super) fn row_map(set: u16, clear: u16, flip: u16) -> RowMap {
    std::array::from_fn(|points| {
        let mut runs: Vec<RowRun> = Vec::new();
        for (row, &arm) in SETS.arm[points].iter().enumerate() {
            if arm & set != set || arm & clear != 0 {
                continue;
            }
            let (row, other) = (row as u16, SETS.rank[usize::from(arm ^ flip)]);
            match runs.last_mut() {
                Some(run) if run.row + run.len == row && run.other + run.len == other => {
                    run.len += 1;
                }
                _ => runs.push(RowRun { row, other, len: 1 }),
            }
        }
        runs
    })
}
