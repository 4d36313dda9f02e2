//! Raw tables: the payload as it was solved, checked block by block as it is touched.
//!
//! # Checks
//!
//! The payload is cut into blocks of 16 KiB, the last one shorter. The checks region holds the xxh3-64 of each block,
//! eight bytes each, in order; its own xxh3-64 stands in the header. A probe reads a group of words, but no value is given
//! out before the block around it was found sound once.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use anser_core::Side;
use byteorder::{ByteOrder, LittleEndian};
use xxhash_rust::xxh3::xxh3_64;

use crate::codes::{code_in_group, group_offset};
use crate::error::Defect;
use crate::header::Header;
use crate::layout::Region;
use crate::storage::{Storage, read_region};

/// The size in bytes of the blocks of payload that are checked as one.
pub const CHECK_BLOCK: u64 = 16 << 10;

/// The check of one block of payload: its xxh3-64.
pub fn raw_check(block: &[u8]) -> u64 {
    xxh3_64(block)
}

/// The length in bytes of the checks of a raw payload.
pub const fn checks_len(payload_len: u64) -> u64 {
    // At most 2^50 blocks: no overflow.
    payload_len.div_ceil(CHECK_BLOCK) * 8
}

/// The checked payload of an open raw table.
#[derive(Debug)]
pub(crate) struct RawPayload {
    /// The check of every block, read when first needed.
    checks: OnceLock<Box<[u64]>>,
    /// One bit a block: it was found sound.
    sound: Box<[AtomicU64]>,
}

impl RawPayload {
    /// `header` heads a file of the right length, so what is allocated here is bounded by it.
    pub(crate) fn new(header: &Header) -> RawPayload {
        let words = RawPayload::blocks(header).div_ceil(64);
        RawPayload { checks: OnceLock::new(), sound: (0..words).map(|_| AtomicU64::new(0)).collect() }
    }

    /// The number of blocks that are checked as one.
    pub(crate) fn blocks(header: &Header) -> u64 {
        header.layout().payload.len.div_ceil(CHECK_BLOCK)
    }

    /// The code of an entry, `entry < header.entries()[side]`.
    #[inline]
    pub(crate) fn code(&self, header: &Header, storage: &dyn Storage, side: Side, entry: u64) -> Result<u16, Defect> {
        let len = header.coding().group_bytes();
        let offset = group_offset(header.entries(), header.bits(), side, entry);
        for block in offset / CHECK_BLOCK..=(offset + len - 1) / CHECK_BLOCK {
            // Relaxed is enough: the bit speaks of the file, not of other memory.
            if self.sound[(block / 64) as usize].load(Ordering::Relaxed) >> (block % 64) & 1 == 0 {
                self.check(header, storage, block)?;
            }
        }
        let (at, len) = (header.layout().payload.offset + offset, len as usize);
        let mut copy = [0; LONGEST_GROUP];
        let mapped = storage.as_slice().and_then(|bytes| bytes.get(at as usize..)?.get(..len));
        let group = if let Some(group) = mapped {
            group
        } else {
            storage.read_exact_at(at, &mut copy[..len])?;
            &copy[..len]
        };
        Ok(code_in_group(words_of(group), entry))
    }

    /// Brings an entry from memory, where the file is mapped, without waiting for it: nothing depends on what is read here.
    #[inline]
    pub(crate) fn touch(header: &Header, storage: &dyn Storage, side: Side, entry: u64) {
        let at = header.layout().payload.offset + group_offset(header.entries(), header.bits(), side, entry);
        std::hint::black_box(storage.as_slice().and_then(|bytes| bytes.get(at as usize).copied()));
    }

    /// Checks one block of payload, remembers it if it is sound, and says where it is.
    #[cold]
    pub(crate) fn check(&self, header: &Header, storage: &dyn Storage, block: u64) -> Result<Region, Defect> {
        let payload = header.layout().payload;
        let offset = block * CHECK_BLOCK;
        let region = Region { offset: payload.offset + offset, len: CHECK_BLOCK.min(payload.len - offset) };
        let expected = self.checks(header, storage)?[block as usize];
        if raw_check(&read_region(storage, region)?) != expected {
            return Err(Defect::Damaged(format!("block {block} of the payload (bytes {})", region.span())));
        }
        self.sound[(block / 64) as usize].fetch_or(1 << (block % 64), Ordering::Relaxed);
        Ok(region)
    }

    /// Checks one block of payload, and that every code in it is a value.
    pub(crate) fn verify(&self, header: &Header, storage: &dyn Storage, block: u64) -> Result<(), Defect> {
        self.check(header, storage, block)?;
        // The groups that begin in the block; the end of the last one may be in the next.
        let (payload, coding) = (header.layout().payload, header.coding());
        let [start, end] = [block, block + 1].map(|block| {
            (block * CHECK_BLOCK).min(payload.len).next_multiple_of(coding.group_bytes()).min(payload.len)
        });
        let region = Region { offset: payload.offset + start, len: end - start };
        let bytes = read_region(storage, region)?;
        let mut group = Vec::with_capacity(coding.bits as usize);
        let no_value = |bytes: &[u8]| {
            group.clear();
            group.extend(words_of(bytes));
            coding.no_values(&group) != 0
        };
        if bytes.chunks(coding.group_bytes() as usize).any(no_value) {
            return Err(Defect::Damaged(format!("an entry without a value (bytes {})", region.span())));
        }
        Ok(())
    }

    fn checks(&self, header: &Header, storage: &dyn Storage) -> Result<&[u64], Defect> {
        if let Some(checks) = self.checks.get() {
            return Ok(checks);
        }
        // Threads that meet here all read the same; a failure is not remembered, it may be the disk's.
        let checks = read_words(header, storage)?;
        Ok(self.checks.get_or_init(|| checks))
    }
}

/// The longest group of words in bytes.
const LONGEST_GROUP: usize = 16 * 8;

fn words_of(bytes: &[u8]) -> impl DoubleEndedIterator<Item = u64> {
    bytes.as_chunks::<8>().0.iter().map(|word| LittleEndian::read_u64(word))
}

/// The checks region of a table as words, compared with its hash in the header.
pub(crate) fn read_words(header: &Header, storage: &dyn Storage) -> Result<Box<[u64]>, Defect> {
    let region = header.layout().checks;
    let bytes = read_region(storage, region)?;
    if xxh3_64(&bytes) != header.checks_hash() {
        return Err(Defect::Damaged(format!("the list of checks (bytes {})", region.span())));
    }
    Ok(words_of(&bytes).collect())
}
