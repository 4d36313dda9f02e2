//! What kinds of files there are, and where their parts lie; `header.rs` has the specification.

use crate::codes::payload_len_of;
use crate::packed::{Packing, index_len};
use crate::raw::checks_len;

const PAGE: u64 = 4096;

/// How the payload of a table is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// As solved: the same few bits for every entry.
    Raw,
    /// As shipped: compressed blocks.
    Packed,
}

impl Kind {
    /// Both, in the order in which a reader prefers them.
    pub const ALL: [Kind; 2] = [Kind::Raw, Kind::Packed];

    /// `raw` or `packed`.
    pub const fn id(self) -> &'static str {
        match self {
            Kind::Raw => "raw",
            Kind::Packed => "packed",
        }
    }

    /// The extension of the file name, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Kind::Raw => "anser",
            Kind::Packed => "anserz",
        }
    }
}

/// What the values of a table are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Metric {
    /// Who wins, or a draw.
    Wdl,
    /// Who wins, and in how many plies, or a draw.
    Dtw,
}

impl Metric {
    /// All metrics, in the order of their numbers in a header.
    pub const ALL: [Metric; 2] = [Metric::Wdl, Metric::Dtw];

    /// The name on the command line and in file names: `wdl`, `dtw`.
    pub const fn id(self) -> &'static str {
        match self {
            Metric::Wdl => "wdl",
            Metric::Dtw => "dtw",
        }
    }
}

/// A part of a file, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// Where it begins.
    pub offset: u64,
    /// How long it is.
    pub len: u64,
}

impl Region {
    /// The offset of the first byte after it. Regions of a [`Layout`] end within the range of `u64`.
    pub const fn end(self) -> u64 {
        self.offset + self.len
    }

    /// The bytes it covers, for a message: `4096 to 8191`.
    pub(crate) fn span(self) -> String {
        format!("{} to {}", self.offset, self.end().saturating_sub(1))
    }
}

/// Where the parts of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The values.
    pub payload: Region,
    /// What they are checked against.
    pub checks: Region,
    /// The dictionary of a packed table; empty where there is none.
    pub dictionary: Region,
}

impl Layout {
    /// The length of the file.
    pub const fn file_len(&self) -> u64 {
        if self.dictionary.len > 0 { self.dictionary.end() } else { self.checks.end() }
    }

    /// The layout of a file with so many entries of so many bits; `None` if no file is that long.
    pub(crate) fn new(entries: [u64; 2], bits: u32, packing: Option<&Packing>) -> Option<Layout> {
        match packing {
            None => {
                let raw = payload_len_of(entries, bits)?;
                Layout::of_parts(raw, PAGE, checks_len(raw), 0)
            }
            Some(packing) => {
                let index = index_len(packing.blocks(entries))?;
                Layout::of_parts(packing.payload_len, 8, index, u64::from(packing.dictionary_len))
            }
        }
    }

    fn of_parts(payload: u64, align: u64, checks: u64, dictionary: u64) -> Option<Layout> {
        let payload = Region { offset: PAGE, len: payload };
        let checks_offset = PAGE.checked_add(payload.len)?.checked_next_multiple_of(align)?;
        let checks = Region { offset: checks_offset, len: checks };
        let end = checks_offset.checked_add(checks.len)?;
        end.checked_add(dictionary)?;
        let dictionary = Region { offset: if dictionary > 0 { end } else { 0 }, len: dictionary };
        Some(Layout { payload, checks, dictionary })
    }
}
