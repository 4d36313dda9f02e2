//! Parameters of packed tables.

use anser_core::{BySide, Side};

use super::places::BlockId;
use crate::error::Defect;

/// Least number of entries in a block.
pub const MIN_BLOCK_ENTRIES: u32 = 64;
/// Greatest number of entries in a block.
pub const MAX_BLOCK_ENTRIES: u32 = 1 << 20;

/// Parameters of a packed table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    /// Whether each side to move is stored; at least one is.
    pub stored: BySide<bool>,
    /// The zstd level of the frames, for information.
    pub level: i8,
    /// Number of entries in a block: a power of two from [`MIN_BLOCK_ENTRIES`] to
    /// [`MAX_BLOCK_ENTRIES`].
    pub block_entries: u32,
    /// Length of all frames together, in bytes.
    pub payload_len: u64,
}

impl Packing {
    /// Returns the number of blocks for each side to move of a table with `entries` entries.
    pub fn blocks(&self, entries: BySide<u64>) -> BySide<u64> {
        let blocks = |side: Side| entries[side].div_ceil(u64::from(self.block_entries));
        BySide::from_fn(|side| if self.stored[side] { blocks(side) } else { 0 })
    }

    /// Returns the number of entries in a block: `block_entries`, or fewer in the last block of a
    /// side.
    pub fn entries_in(&self, entries: BySide<u64>, block: BlockId) -> u32 {
        let start = block.number.saturating_mul(u64::from(self.block_entries));
        u64::from(self.block_entries).min(entries[block.side].saturating_sub(start)) as u32
    }

    pub(crate) fn check(&self) -> Result<(), Defect> {
        let problem = if self.stored == BySide::new(false, false) {
            "no side to move is stored"
        } else if !self.block_entries.is_power_of_two()
            || !(MIN_BLOCK_ENTRIES..=MAX_BLOCK_ENTRIES).contains(&self.block_entries)
        {
            "size of blocks"
        } else {
            return Ok(());
        };
        Err(Defect::HeaderInvalid(problem))
    }
}

/// Returns the length in bytes of the index of the blocks; `None` if no file is that long.
pub(crate) fn index_len(blocks: BySide<u64>) -> Option<u64> {
    blocks[Side::First].checked_add(blocks[Side::Second])?.checked_mul(16)?.checked_add(8)
}
