//! Packed tables: blocks of entries as zstd frames that decode independently.

use std::sync::OnceLock;

use anser_core::{BySide, Side};
use xxhash_rust::xxh3::xxh3_64;

use super::block::Block;
use super::frame::{FrameError, decode, longest_frame};
use super::header::Header;
use super::layout::Region;
use super::raw::read_words;
use crate::error::{Damage, Defect};
use crate::storage::{Storage, read_region};

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

/// A block of a packed table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockId {
    /// The side to move.
    pub side: Side,
    /// The number of the block among those of its side to move, from 0.
    pub number: u64,
}

/// Returns the length in bytes of the index of the blocks; `None` if no file is that long.
pub(crate) fn index_len(blocks: BySide<u64>) -> Option<u64> {
    blocks[Side::First].checked_add(blocks[Side::Second])?.checked_mul(16)?.checked_add(8)
}

/// Memory of an open packed table.
#[derive(Debug, Default)]
pub(crate) struct PackedPayload {
    /// Offset and hash of every frame, then the end of the last frame.
    index: OnceLock<Box<[u64]>>,
}

impl PackedPayload {
    /// Reads, checks, and decodes a block. The table must store it.
    pub(crate) fn block(
        &self,
        header: &Header,
        packing: &Packing,
        storage: &dyn Storage,
        block: BlockId,
    ) -> Result<Block, Defect> {
        let index = self.load(header, packing, storage)?;
        let before = if block.side == Side::First {
            0
        } else {
            packing.blocks(header.entries())[Side::First]
        };
        let at = 2 * (before + block.number) as usize;
        let (start, hash, end) = (index[at], index[at + 1], index[at + 2]);
        let region = Region { offset: header.layout().payload.offset + start, len: end - start };
        let entries = packing.entries_in(header.entries(), block);
        if region.len > longest_frame(header.coding(), entries) as u64 {
            return Err(Defect::Damaged(Damage::FrameLength { block, bytes: region }));
        }
        let frame = read_region(storage, region)?;
        if xxh3_64(&frame) != hash {
            return Err(Defect::Damaged(Damage::Frame { block, bytes: region }));
        }
        decode(&frame, block.side, header.coding(), entries).map_err(|error| match error {
            FrameError::Memory => error.into(),
            error => Defect::Damaged(Damage::Undecodable { block, bytes: region, error }),
        })
    }

    /// Compares the index with its checksum.
    pub(crate) fn verify_index(
        &self,
        header: &Header,
        packing: &Packing,
        storage: &dyn Storage,
    ) -> Result<(), Defect> {
        self.load(header, packing, storage).map(drop)
    }

    fn load(
        &self,
        header: &Header,
        packing: &Packing,
        storage: &dyn Storage,
    ) -> Result<&[u64], Defect> {
        if let Some(index) = self.index.get() {
            return Ok(index);
        }
        // Several threads may read the same here. A failure is not kept: it may have been the disk.
        let index = read_words(header, storage)?;
        let offsets = || index.iter().step_by(2);
        let ascending = offsets().zip(offsets().skip(1)).all(|(start, end)| start <= end);
        if !ascending || index.first() != Some(&0) || index.last() != Some(&packing.payload_len) {
            return Err(Defect::Damaged(Damage::FrameIndex));
        }
        Ok(self.index.get_or_init(|| index))
    }
}
