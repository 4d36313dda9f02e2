//! Raw tables: the payload as solved, checked block by block when it is first used.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use anser_core::Side;
use xxhash_rust::xxh3::xxh3_64;

use super::block::Block;
use super::codes::{LONGEST_GROUP, code_in_group, group_offset};
use super::header::Header;
use super::layout::CHECK_BLOCK;
use super::open_file::OpenFile;
use super::places::Region;
use super::words::words_of;
use crate::error::{Damage, Defect, reserve};

/// Returns the check of one block of payload: its xxh3-64.
pub fn raw_check(block: &[u8]) -> u64 {
    xxh3_64(block)
}

/// The checked payload of an open raw table.
#[derive(Debug, Default)]
pub(crate) struct RawPayload {
    loaded: OnceLock<Loaded>,
}

/// Memory of an open raw table. Its size follows from the header, so it is allocated with the first
/// value that is read: by then the identity of the table has been compared with the game's, the
/// number of entries included.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// The checks of all blocks.
    checks: Box<[u64]>,
    /// One bit per block of a file in memory, set once the block has matched its check.
    sound: Box<[AtomicU64]>,
}

impl RawPayload {
    /// Returns the number of blocks.
    pub(crate) fn blocks(header: &Header) -> u64 {
        header.layout().payload.len.div_ceil(CHECK_BLOCK)
    }

    /// Returns the code of an entry, `entry < header.entries()[side]`, of a file in memory. A block
    /// is checked when it is first used.
    #[inline]
    pub(crate) fn code_in_memory(
        &self,
        file: &OpenFile,
        bytes: &[u8],
        side: Side,
        entry: u64,
    ) -> Result<u16, Defect> {
        let header = &file.header;
        let loaded = match self.loaded.get() {
            Some(loaded) => loaded,
            None => self.load(file)?,
        };
        let len = header.coding().group_bytes();
        let offset = group_offset(header.entries(), header.bits(), side, entry);
        for block in offset / CHECK_BLOCK..=(offset + len - 1) / CHECK_BLOCK {
            // Relaxed is enough: the bit vouches for the file, not for other memory.
            if loaded.sound[(block / 64) as usize].load(Ordering::Relaxed) >> (block % 64) & 1 == 0
            {
                self.check(file, block)?;
            }
        }
        let (at, len) = ((header.layout().payload.offset + offset) as usize, len as usize);
        let group = bytes.get(at..).and_then(|bytes| bytes.get(..len));
        let group =
            group.ok_or_else(|| Defect::from(io::Error::from(io::ErrorKind::UnexpectedEof)))?;
        Ok(code_in_group(words_of(group), entry))
    }

    /// Returns the code of an entry, `entry < header.entries()[side]`. `block` returns the words of
    /// a checked block.
    pub(crate) fn code_in_blocks(
        header: &Header,
        side: Side,
        entry: u64,
        block: impl Fn(u64) -> Result<Arc<Block>, Defect>,
    ) -> Result<u16, Defect> {
        const WORDS: u64 = CHECK_BLOCK / 8;
        let first = group_offset(header.entries(), header.bits(), side, entry) / 8;
        let bits = u64::from(header.bits());
        let mut group = [0; LONGEST_GROUP];
        // A group may extend into the next block.
        let mut word = first;
        while word < first + bits {
            let block = block(word / WORDS)?;
            let end = (first + bits).min((word / WORDS + 1) * WORDS);
            let part = block
                .words()
                .get((word % WORDS) as usize..)
                .and_then(|words| words.get(..(end - word) as usize));
            let part =
                part.ok_or_else(|| Defect::from(io::Error::from(io::ErrorKind::UnexpectedEof)))?;
            group[(word - first) as usize..][..part.len()].copy_from_slice(part);
            word = end;
        }
        Ok(code_in_group(group[..bits as usize].iter().copied(), entry))
    }

    /// Reads and checks a block.
    pub(crate) fn block(&self, file: &OpenFile, block: u64) -> Result<Block, Defect> {
        let (_, bytes) = self.check(file, block)?;
        let mut words = reserve(bytes.len() as u64 / 8, "a block")?;
        words.extend(words_of(&bytes));
        Ok(Block::of_groups(words.into(), file.header.bits()))
    }

    /// Prefetches an entry of a file in memory: nothing depends on the byte that is read here, so
    /// the processor does not wait for it.
    #[inline]
    pub(crate) fn prefetch(file: &OpenFile, side: Side, entry: u64) {
        let header = &file.header;
        let at = header.layout().payload.offset
            + group_offset(header.entries(), header.bits(), side, entry);
        let bytes = file.storage.as_slice();
        std::hint::black_box(bytes.and_then(|bytes| bytes.get(at as usize).copied()));
    }

    /// Reads and checks a block, marks it as sound, and returns its place and its bytes.
    #[cold]
    pub(crate) fn check(&self, file: &OpenFile, block: u64) -> Result<(Region, Vec<u8>), Defect> {
        let loaded = self.load(file)?;
        let payload = file.header.layout().payload;
        let offset = block * CHECK_BLOCK;
        let region =
            Region { offset: payload.offset + offset, len: CHECK_BLOCK.min(payload.len - offset) };
        let bytes = file.read(region)?;
        if raw_check(&bytes) != loaded.checks[block as usize] {
            return Err(Defect::Damaged(Damage::Block { number: block, bytes: region }));
        }
        if file.storage.as_slice().is_some() {
            // The bit will vouch for the memory, not for this copy, so look for changes once more.
            if let Some(change) = file.storage.change() {
                return Err(Defect::Changed(change));
            }
            loaded.sound[(block / 64) as usize].fetch_or(1 << (block % 64), Ordering::Relaxed);
        }
        Ok((region, bytes))
    }

    /// Checks a block, and that every code in it is a value.
    pub(crate) fn verify(&self, file: &OpenFile, block: u64) -> Result<(), Defect> {
        let (mut region, mut bytes) = self.check(file, block)?;
        let (payload, coding) = (file.header.layout().payload, file.header.coding());
        if !CHECK_BLOCK.is_multiple_of(coding.group_bytes()) {
            // The groups that begin in the block; the last one may extend into the next block.
            let [start, end] = [block, block + 1].map(|block| {
                (block * CHECK_BLOCK)
                    .min(payload.len)
                    .next_multiple_of(coding.group_bytes())
                    .min(payload.len)
            });
            region = Region { offset: payload.offset + start, len: end - start };
            bytes = file.read(region)?;
        }
        let mut group = Vec::with_capacity(coding.bits as usize);
        let no_value = |bytes: &[u8]| {
            group.clear();
            group.extend(words_of(bytes));
            coding.no_values(&group) != 0
        };
        if bytes.chunks(coding.group_bytes() as usize).any(no_value) {
            return Err(Defect::Damaged(Damage::EntryIn(region)));
        }
        Ok(())
    }

    /// Reads the checks and compares them with their checksum.
    #[cold]
    pub(crate) fn load(&self, file: &OpenFile) -> Result<&Loaded, Defect> {
        if let Some(loaded) = self.loaded.get() {
            return Ok(loaded);
        }
        // Several threads may read the same here. A failure is not kept: it may have been the disk.
        let checks = file.read_checks()?;
        let words = RawPayload::blocks(&file.header).div_ceil(64);
        let mut sound = reserve(words, "the marks of checked blocks")?;
        sound.extend((0..words).map(|_| AtomicU64::new(0)));
        Ok(self.loaded.get_or_init(|| Loaded { checks, sound: sound.into() }))
    }
}
