//! Places in a file.

use std::fmt;

use anser_core::Side;

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

/// A block of a packed table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockId {
    /// The side to move.
    pub side: Side,
    /// The number of the block among those of its side to move, from 0.
    pub number: u64,
}

/// Writes the number and the side to move: `block 3 with the first side to move`.
impl fmt::Display for BlockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "block {} with the {} side to move", self.number, ordinal(self.side))
    }
}

/// Returns `first` or `second`.
pub(crate) fn ordinal(side: Side) -> &'static str {
    ["first", "second"][side.index()]
}
