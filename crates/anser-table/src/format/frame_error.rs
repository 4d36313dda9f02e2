//! Errors of frames.

use std::fmt;

/// Why a frame cannot be encoded or decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FrameError {
    /// Memory ran out; nothing is wrong with the frame.
    Memory,
    /// A code is not a value.
    NotAValue,
    /// A block has more than [`MAX_BLOCK_ENTRIES`](super::MAX_BLOCK_ENTRIES) entries.
    TooManyEntries(u32),
    /// The first byte of the frame names an unknown form.
    Form,
    /// The content of the frame has another length than its entries need.
    Length {
        /// The length that follows from the number of entries, in bytes.
        expected: usize,
        /// The length of the content, in bytes.
        actual: usize,
    },
    /// The frame does not decode to what was encoded.
    RoundTrip,
    /// zstd failed; the text is its own.
    Zstd(&'static str),
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrameError::Memory => f.write_str("out of memory"),
            FrameError::NotAValue => f.write_str("a code that is not a value"),
            FrameError::TooManyEntries(entries) => write!(f, "a block of {entries} entries"),
            FrameError::Form => f.write_str("an unknown form"),
            FrameError::Length { expected, actual } => {
                write!(f, "{actual} bytes of content instead of {expected}")
            }
            FrameError::RoundTrip => f.write_str("it does not decode to what was packed"),
            FrameError::Zstd(error) => write!(f, "zstd: {error}"),
        }
    }
}

impl std::error::Error for FrameError {}
