//! Packed tables: blocks of entries as zstd frames that decode independently.

use std::sync::OnceLock;

use anser_core::Side;
use xxhash_rust::xxh3::xxh3_64;

use super::block::Block;
use super::frame::{decode, longest_frame};
use super::frame_error::FrameError;
use super::open_file::OpenFile;
use super::packing::Packing;
use super::places::{BlockId, Region};
use crate::error::{Damage, Defect};

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
        file: &OpenFile,
        packing: &Packing,
        block: BlockId,
    ) -> Result<Block, Defect> {
        let header = &file.header;
        let index = self.load(file, packing)?;
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
        let frame = file.read(region)?;
        if xxh3_64(&frame) != hash {
            return Err(Defect::Damaged(Damage::Frame { block, bytes: region }));
        }
        decode(&frame, block.side, header.coding(), entries).map_err(|error| match error {
            FrameError::Memory => error.into(),
            error => Defect::Damaged(Damage::Undecodable { block, bytes: region, error }),
        })
    }

    /// Reads the index and compares it with its checksum.
    pub(crate) fn load(&self, file: &OpenFile, packing: &Packing) -> Result<&[u64], Defect> {
        if let Some(index) = self.index.get() {
            return Ok(index);
        }
        // Several threads may read the same here. A failure is not kept: it may have been the disk.
        let index = file.read_checks()?;
        let offsets = || index.iter().step_by(2);
        let ascending = offsets().zip(offsets().skip(1)).all(|(start, end)| start <= end);
        if !ascending || index.first() != Some(&0) || index.last() != Some(&packing.payload_len) {
            return Err(Defect::Damaged(Damage::FrameIndex));
        }
        Ok(self.index.get_or_init(|| index))
    }
}
