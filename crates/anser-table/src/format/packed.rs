//! Packed tables: blocks of entries as zstd frames that decode independently.

use std::sync::OnceLock;

use anser_core::Side;
use xxhash_rust::xxh3::xxh3_64;

use super::block::Block;
use super::frame::{decode, longest_frame};
use super::frame_error::FrameError;
use super::header::Header;
use super::packing::Packing;
use super::places::{BlockId, Region};
use super::raw::read_words;
use crate::error::{Damage, Defect};
use crate::storage::{Storage, read_region};

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
