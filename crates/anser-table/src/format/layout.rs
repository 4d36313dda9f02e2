//! The parts of a file and their places.

use anser_core::BySide;

use super::codes::payload_len_of;
use super::packing::{Packing, index_len};
use super::places::Region;

const PAGE: u64 = 4096;

/// Size in bytes of the blocks of payload that have a checksum each.
pub const CHECK_BLOCK: u64 = 16 << 10;

/// Returns the length in bytes of the checks of a raw payload.
const fn checks_len(payload_len: u64) -> u64 {
    // At most 2^50 blocks: no overflow.
    payload_len.div_ceil(CHECK_BLOCK) * 8
}

/// The parts of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The payload.
    pub payload: Region,
    /// The checks of a raw table, or the index of a packed one.
    pub checks: Region,
    /// The text of the game's description, at the end of the file.
    pub description: Region,
}

impl Layout {
    /// Returns the length of the file in bytes.
    pub const fn file_len(&self) -> u64 {
        self.description.end()
    }

    /// Computes the layout of a file with `entries` entries of `bits` bits and a description of
    /// this length in bytes; `None` if no file is that long.
    pub(crate) fn new(
        entries: BySide<u64>,
        bits: u32,
        packing: Option<&Packing>,
        description: u64,
    ) -> Option<Layout> {
        let (payload, align, checks) = match packing {
            None => {
                let raw = payload_len_of(entries, bits)?;
                (raw, PAGE, checks_len(raw))
            }
            Some(packing) => (packing.payload_len, 8, index_len(packing.blocks(entries))?),
        };
        let payload = Region { offset: PAGE, len: payload };
        let offset = PAGE.checked_add(payload.len)?.checked_next_multiple_of(align)?;
        let checks = Region { offset, len: checks };
        let description = Region { offset: offset.checked_add(checks.len)?, len: description };
        description.offset.checked_add(description.len)?;
        Some(Layout { payload, checks, description })
    }
}
