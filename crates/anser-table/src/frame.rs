//! Frames: blocks of entries, compressed so that each decodes on its own.
//!
//! # Content
//!
//! A frame is a zstd frame without checksum and dictionary id of its own, before which content 2 puts one byte. What
//! zstd decodes to is, by the number of the content in the header:
//!
//! | content | what it is |
//! |---|---|
//! | 0 | one byte an entry, its code |
//! | 1 | the pairs of words of `values.rs` |
//! | 2 | two *planes*: words of 64 entries, one bit each, first all words of plane A, then all of plane B |
//! | 3 | distances: one byte an entry, its code; where entries have more than eight bits the low bytes of all codes, then the high bytes of all |
//!
//! In a plane, bit `e % 64` of the little-endian word `e / 64` belongs to entry `e`, and bits beyond the last entry are
//! zero. The byte before a frame of content 2 names its planes. Let *first* be the plane of the entries that the first
//! side wins, *second* that of the second side's, and *decided* what is in either:
//!
//! | byte | plane A | plane B |
//! |---|---|---|
//! | 0 | first | second |
//! | 1 | first | decided |
//! | 2 | second | decided |
//!
//! An encoder takes what comes out shortest: where there are no draws, for one, *decided* costs nothing.

use std::cell::RefCell;
use std::fmt;

use zstd::zstd_safe::zstd_sys::ZSTD_ErrorCode;
use zstd::zstd_safe::{CCtx, CParameter, DCtx, DDict, compress_bound, get_error_name};

use crate::codes::{Coding, contract_bytes, groups};
use crate::packed::MAX_BLOCK_ENTRIES;
use crate::values::{self, pairs};

/// What a frame of a packed table holds when decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Content {
    /// One byte an entry.
    Bytes,
    /// Pairs of words, as in a raw payload.
    Pairs,
    /// Two planes of bits, of entries in the packing order of the index.
    Planes,
    /// One or two bytes an entry, for distances alone.
    Distances,
}

impl Content {
    /// All, in the order of their numbers in a header.
    pub const ALL: [Content; 4] = [Content::Bytes, Content::Pairs, Content::Planes, Content::Distances];

    /// Whether blocks hold entries in the packing order of the index, not in the order of their ranks.
    pub const fn is_reordered(self) -> bool {
        matches!(self, Content::Planes)
    }

    /// The length of the longest frame of `entries` entries that an encoder makes.
    pub(crate) fn longest_frame(self, entries: u32, bits: u32) -> usize {
        compress_bound(self.len(entries, bits)) + 1
    }

    /// The length of a decoded frame of `entries` entries of `bits` bits.
    fn len(self, entries: u32, bits: u32) -> usize {
        match self {
            Content::Distances => entries as usize * bits.div_ceil(8) as usize,
            Content::Bytes => entries as usize,
            Content::Pairs | Content::Planes => (pairs(u64::from(entries)) * values::PAIR_BYTES) as usize,
        }
    }
}

/// Compresses blocks. One a thread: it is costly to make and cheap to use again.
pub struct BlockEncoder {
    context: CCtx<'static>,
    content: Content,
}

impl BlockEncoder {
    /// An encoder at a zstd `level` from 1 to 22, with the dictionary that all blocks of the table share, if any.
    pub fn new(content: Content, level: i8, dictionary: Option<&[u8]>) -> Result<BlockEncoder, FrameError> {
        let mut context = CCtx::try_create().ok_or(FrameError::Memory)?;
        let mut set = |parameter| context.set_parameter(parameter).map_err(zstd_error);
        set(CParameter::CompressionLevel(i32::from(level)))?;
        set(CParameter::DictIdFlag(false))?;
        set(CParameter::ChecksumFlag(false))?;
        if let Some(dictionary) = dictionary {
            context.load_dictionary(dictionary).map_err(zstd_error)?;
        }
        Ok(BlockEncoder { context, content })
    }

    /// The frame of a block with these codes, one byte each and all 0, 1 or 2. With the same version of zstd the same
    /// codes give the same bytes.
    ///
    /// ```
    /// use anser_table::{BlockEncoder, Content, decode_block, get};
    /// let frame = BlockEncoder::new(Content::Bytes, 15, None)?.encode(&[0, 1, 2, 2, 1])?;
    /// let words = decode_block(&frame, Content::Bytes, 5, None)?;
    /// assert_eq!(get(&words, 3), 2);
    /// # Ok::<(), anser_table::FrameError>(())
    /// ```
    pub fn encode(&mut self, codes: &[u8]) -> Result<Vec<u8>, FrameError> {
        if codes.iter().any(|&code| code >= values::NO_VALUE) {
            return Err(NOT_A_VALUE.into());
        }
        match self.content {
            Content::Bytes => return self.compress(codes),
            Content::Distances => return Err(NOT_AN_OUTCOME.into()),
            Content::Pairs | Content::Planes => {}
        }
        let mut words = Vec::with_capacity(2 * codes.len().div_ceil(64));
        if !values::contract(codes, &mut words) {
            return Err(NOT_A_VALUE.into());
        }
        if self.content == Content::Pairs {
            return self.compress(&bytes_of(words.iter().copied()));
        }
        let mut shortest: Option<Vec<u8>> = None;
        for planes in 0..PLANES {
            let mut frame = self.compress(&to_planes(&words, planes))?;
            if shortest.as_ref().is_none_or(|shortest| frame.len() + 1 < shortest.len()) {
                frame.insert(0, planes);
                shortest = Some(frame);
            }
        }
        Ok(shortest.unwrap_or_default())
    }

    /// The frame of a block with these codes of distances, none above `largest`, which is the table's largest, if the content
    /// is [`Content::Distances`].
    ///
    /// ```
    /// use anser_table::{BlockEncoder, Content, bits_of, decode_distances, expand_codes};
    /// let frame = BlockEncoder::new(Content::Distances, 15, None)?.encode_distances(&[0, 301, 2], 301)?;
    /// let words = decode_distances(&frame, 301, 3, None)?;
    /// let mut codes = [0; 3];
    /// expand_codes(&words, bits_of(301), &mut codes);
    /// assert_eq!(codes, [0, 301, 2]);
    /// # Ok::<(), anser_table::FrameError>(())
    /// ```
    pub fn encode_distances(&mut self, codes: &[u16], largest: u16) -> Result<Vec<u8>, FrameError> {
        if self.content != Content::Distances || codes.iter().any(|&code| code > largest) {
            return Err(NOT_A_VALUE.into());
        }
        let planes = if Coding::dtw(largest).bits > 8 { 2 } else { 1 };
        let bytes: Vec<u8> =
            (0..planes).flat_map(|plane| codes.iter().map(move |code| code.to_le_bytes()[plane])).collect();
        self.compress(&bytes)
    }

    fn compress(&mut self, content: &[u8]) -> Result<Vec<u8>, FrameError> {
        let mut frame = Vec::with_capacity(compress_bound(content.len()) + 1);
        self.context.compress2(&mut frame, content).map_err(zstd_error)?;
        Ok(frame)
    }
}

/// The number of ways to make two planes.
const PLANES: u8 = 3;

/// Pairs of words as two planes.
fn to_planes(words: &[u64], planes: u8) -> Vec<u8> {
    let pairs = || words.as_chunks::<2>().0.iter();
    let a = pairs().map(|[first, second]| if planes == 2 { *second } else { *first });
    let b = pairs().map(|[first, second]| if planes == 0 { *second } else { first | second });
    bytes_of(a.chain(b))
}

/// Appends two planes as pairs of words; false if an entry has no value, or one beyond the last has.
fn from_planes(bytes: &[u8], planes: u8, entries: u32, pairs: &mut Vec<u64>) -> bool {
    let words = bytes.as_chunks::<8>().0;
    let (a, b) = words.split_at(words.len() / 2);
    let mut wrong = 0;
    for (a, b) in a.iter().zip(b) {
        let (a, b) = (u64::from_le_bytes(*a), u64::from_le_bytes(*b));
        let (first, second, wrong_here) = match planes {
            0 => (a, b, a & b),
            1 => (a, b & !a, a & !b),
            _ => (b & !a, a, a & !b),
        };
        wrong |= wrong_here;
        pairs.extend([first, second]);
    }
    let used = entries % 64;
    if used > 0 {
        wrong |= pairs.last_chunk::<2>().map_or(0, |[first, second]| (first | second) >> used);
    }
    wrong == 0
}

fn bytes_of(words: impl Iterator<Item = u64>) -> Vec<u8> {
    words.flat_map(u64::to_le_bytes).collect()
}

const NOT_A_VALUE: &str = "a code that stands for no value";
const NOT_AN_OUTCOME: &str = "distances in place of outcomes";

thread_local! {
    /// It holds only scratch memory, so every table that a thread reads can use the same one. Without it, a cold probe would
    /// spend more time on getting fresh memory than on decoding.
    static DECODER: RefCell<Option<Decoder>> = const { RefCell::new(None) };
}

struct Decoder {
    context: DCtx<'static>,
    /// What a frame decodes to; as long as the longest so far.
    content: Vec<u8>,
}

impl Decoder {
    /// What a frame decodes to, which is to be `len` bytes.
    fn decode(&mut self, frame: &[u8], len: usize, dictionary: Option<&Dictionary>) -> Result<&[u8], FrameError> {
        if self.content.len() < len {
            let more = len - self.content.len();
            self.content.try_reserve_exact(more).map_err(|_| FrameError::Memory)?;
            self.content.resize(len, 0);
        }
        let content = &mut self.content[..len];
        let decoded = match dictionary {
            Some(Dictionary(dictionary)) => self.context.decompress_using_ddict(content, frame, dictionary),
            None => self.context.decompress(content, frame),
        };
        match decoded.map_err(zstd_error)? {
            decoded if decoded == len => Ok(&self.content[..len]),
            decoded => Err(FrameError::Invalid(format!("{decoded} bytes of content in place of {len}"))),
        }
    }
}

/// The codes of a block of `entries` entries as pairs of words, see `values.rs`; an error if the frame does not
/// decode to exactly as many valid codes. At most [`MAX_BLOCK_ENTRIES`] are decoded.
pub fn decode_block(
    frame: &[u8],
    content: Content,
    entries: u32,
    dictionary: Option<&Dictionary>,
) -> Result<Box<[u64]>, FrameError> {
    if content == Content::Distances {
        return Err(NOT_AN_OUTCOME.into());
    }
    decode(frame, content, Coding::WDL, entries, dictionary)
}

/// The codes of a block of `entries` entries of a table of distances as groups of words of [`bits_of`](crate::bits_of)`(largest)`
/// bits, where `largest` is the table's largest code; an error if the frame does not decode to exactly as many codes
/// that are not above it. At most [`MAX_BLOCK_ENTRIES`] are decoded.
pub fn decode_distances(
    frame: &[u8],
    largest: u16,
    entries: u32,
    dictionary: Option<&Dictionary>,
) -> Result<Box<[u64]>, FrameError> {
    decode(frame, Content::Distances, Coding::dtw(largest), entries, dictionary)
}

/// Decodes a block, of whatever metric, into groups of words.
pub(crate) fn decode(
    frame: &[u8],
    content: Content,
    coding: Coding,
    entries: u32,
    dictionary: Option<&Dictionary>,
) -> Result<Box<[u64]>, FrameError> {
    if entries > MAX_BLOCK_ENTRIES {
        return Err(FrameError::Invalid(format!("a block of {entries} entries")));
    }
    let (planes, frame) = match content {
        Content::Bytes | Content::Pairs | Content::Distances => (0, frame),
        Content::Planes => match frame.split_first() {
            Some((&planes, frame)) if planes < PLANES => (planes, frame),
            _ => return Err("planes of an unknown kind".into()),
        },
    };
    DECODER.with_borrow_mut(|slot| {
        let decoder = match slot {
            Some(decoder) => decoder,
            None => {
                slot.insert(Decoder { context: DCtx::try_create().ok_or(FrameError::Memory)?, content: Vec::new() })
            }
        };
        let bytes = decoder.decode(frame, content.len(entries, coding.bits), dictionary)?;
        let mut words = Vec::new();
        words
            .try_reserve_exact(groups(u64::from(entries)) as usize * coding.bits as usize)
            .map_err(|_| FrameError::Memory)?;
        let valid = match content {
            Content::Bytes => values::contract(bytes, &mut words),
            Content::Pairs => from_pairs(bytes, &mut words),
            Content::Planes => from_planes(bytes, planes, entries, &mut words),
            Content::Distances => {
                let (low, high) = bytes.split_at(entries as usize);
                contract_bytes(low, high, coding, &mut words)
            }
        };
        if valid { Ok(words.into()) } else { Err(NOT_A_VALUE.into()) }
    })
}

/// Appends pairs of words as they are in a frame; false if an entry has no value.
fn from_pairs(bytes: &[u8], words: &mut Vec<u64>) -> bool {
    words.extend(bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)));
    words.as_chunks::<2>().0.iter().all(|[first, second]| first & second == 0)
}

/// Why a frame cannot be encoded or decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FrameError {
    /// Memory ran out; nothing is wrong with the frame.
    Memory,
    /// The frame, or what it should hold, is not valid; the text says why.
    Invalid(String),
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrameError::Memory => f.write_str("out of memory"),
            FrameError::Invalid(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for FrameError {}

impl From<&str> for FrameError {
    fn from(why: &str) -> FrameError {
        FrameError::Invalid(why.to_owned())
    }
}

fn zstd_error(code: usize) -> FrameError {
    /// How zstd reports that an allocation failed.
    const NO_MEMORY: usize = (ZSTD_ErrorCode::ZSTD_error_memory_allocation as usize).wrapping_neg();
    match code {
        NO_MEMORY => FrameError::Memory,
        code => FrameError::Invalid(format!("zstd: {}", get_error_name(code))),
    }
}

/// A dictionary made ready for decoding.
pub struct Dictionary(DDict<'static>);

impl Dictionary {
    /// Fails if zstd finds the dictionary malformed, or if memory runs out.
    pub fn new(bytes: &[u8]) -> Result<Dictionary, FrameError> {
        /// What a dictionary that can be malformed begins with. Any other bytes are a dictionary.
        const MAGIC: [u8; 4] = 0xec30_a437_u32.to_le_bytes();
        /// More than the tables that zstd keeps beside a copy of the dictionary.
        const TABLES: usize = 64 << 10;
        if let Some(dictionary) = DDict::try_create(bytes) {
            return Ok(Dictionary(dictionary));
        }
        // zstd does not say which of the two it was.
        let memory = Vec::<u8>::new().try_reserve_exact(bytes.len() + TABLES).is_ok();
        if memory && bytes.starts_with(&MAGIC) {
            return Err("zstd cannot load the dictionary".into());
        }
        Err(FrameError::Memory)
    }
}

impl std::fmt::Debug for Dictionary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dictionary").finish_non_exhaustive()
    }
}
