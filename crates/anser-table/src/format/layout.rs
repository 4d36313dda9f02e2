//! The parts of a file and their places.

use std::fmt;

use anser_core::BySide;

use super::codes::payload_len_of;
use super::packed::{Packing, index_len};
use super::raw::checks_len;

const PAGE: u64 = 4096;

/// A part of a file.
///
/// ```
/// let region = anser_table::format::Region { offset: 4096, len: 16 };
/// assert_eq!(region.end(), 4112);
/// assert_eq!(region.to_string(), "4096 to 4111");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// The offset of its first byte.
    pub offset: u64,
    /// Its length in bytes.
    pub len: u64,
}

impl Region {
    /// Returns the offset of the first byte after it.
    pub const fn end(self) -> u64 {
        self.offset.saturating_add(self.len)
    }
}

/// Writes the first and the last byte: `4096 to 8191`.
impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.offset, self.end().saturating_sub(1))
    }
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
