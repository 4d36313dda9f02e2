//! Frames: blocks of entries, compressed so that each decodes independently.

use std::cell::{Cell, RefCell};
use std::fmt;

use zstd_safe::zstd_sys::ZSTD_ErrorCode;
use zstd_safe::{CCtx, CParameter, DCtx, DDict, compress_bound, get_error_name};

use anser_core::Side;

use super::block::{Block, Numbering};
use super::codes::{Coding, contract_bytes, groups};
use super::outcomes::{self, pairs};
use super::packed::MAX_BLOCK_ENTRIES;
use crate::error::{Damage, Defect, Shortage};
use crate::kinds::Metric;

/// What a frame of a packed table decodes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Content {
    /// One byte per entry.
    Bytes,
    /// Pairs of words, as in a raw payload.
    Pairs,
    /// Two planes of bits, with the entries in the packing order of the index.
    Planes,
    /// One or two bytes per entry, for distances only.
    Distances,
    /// One or two bytes per entry, for distances only, with the entries in the packing order of
    /// the index.
    Plies,
}

impl Content {
    /// All contents, in the order of their numbers in a header.
    pub const ALL: [Content; 5] =
        [Content::Bytes, Content::Pairs, Content::Planes, Content::Distances, Content::Plies];

    /// Whether the entries are in the packing order of the index instead of the order of their
    /// ranks.
    pub const fn is_reordered(self) -> bool {
        matches!(self, Content::Planes | Content::Plies)
    }

    /// Returns the metric of the entries.
    pub const fn metric(self) -> Metric {
        match self {
            Content::Bytes | Content::Pairs | Content::Planes => Metric::Wdl,
            Content::Distances | Content::Plies => Metric::Dtw,
        }
    }

    /// Returns the length of the longest frame of `entries` entries that an encoder produces.
    pub(crate) fn longest_frame(self, entries: u32, bits: u32) -> usize {
        compress_bound(self.len(entries, bits)) + 1
    }

    /// Returns the length of the longest decoded frame of `entries` entries of `bits` bits.
    fn len(self, entries: u32, bits: u32) -> usize {
        match self {
            Content::Distances | Content::Plies => entries as usize * bits.div_ceil(8) as usize,
            Content::Bytes => entries as usize,
            Content::Pairs | Content::Planes => {
                (pairs(u64::from(entries)) * outcomes::PAIR_BYTES) as usize
            }
        }
    }
}

/// Compresses blocks. Creating one is costly, using it again is cheap: keep one per thread.
pub struct BlockEncoder {
    context: CCtx<'static>,
    content: Content,
}

impl BlockEncoder {
    /// Creates an encoder at a zstd `level` from 1 to 22, with the dictionary of the table, if any.
    ///
    /// # Errors
    /// [`FrameError::Memory`], or [`FrameError::Zstd`] if zstd rejects the dictionary.
    pub fn new(
        content: Content,
        level: i8,
        dictionary: Option<&[u8]>,
    ) -> Result<BlockEncoder, FrameError> {
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

    /// Encodes a block of outcomes: codes of one byte each, all 0, 1, or 2. With the same version
    /// of zstd the same codes give the same bytes.
    ///
    /// ```
    /// use anser_table::format::{BlockEncoder, Content, decode_block, get};
    /// let frame = BlockEncoder::new(Content::Bytes, 15, None)?.encode(&[0, 1, 2, 2, 1])?;
    /// let words = decode_block(&frame, Content::Bytes, 5, None)?;
    /// assert_eq!(get(&words, 3), 2);
    /// # Ok::<(), anser_table::format::FrameError>(())
    /// ```
    ///
    /// # Errors
    /// [`FrameError::NotAValue`] for a code above 2, [`FrameError::Content`] if the content is one
    /// of distances, and the errors of zstd.
    pub fn encode(&mut self, codes: &[u8]) -> Result<Vec<u8>, FrameError> {
        if codes.iter().any(|&code| code >= outcomes::NO_VALUE) {
            return Err(FrameError::NotAValue);
        }
        match self.content {
            Content::Bytes => return self.compress(codes),
            Content::Distances | Content::Plies => return Err(FrameError::Content),
            Content::Pairs | Content::Planes => {}
        }
        let mut words = Vec::with_capacity(2 * codes.len().div_ceil(64));
        if !outcomes::contract(codes, &mut words) {
            return Err(FrameError::NotAValue);
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

    /// Encodes a block of distances with `side` to move, given as their codes. `largest` is the
    /// largest code of the table.
    ///
    /// ```
    /// use anser_core::Side;
    /// use anser_table::format::{BlockEncoder, Content, decode_distances};
    /// let (content, side) = (Content::Plies, Side::First);
    /// let frame = BlockEncoder::new(content, 15, None)?.encode_distances(&[0, 301, 2], side, 301)?;
    /// assert_eq!(decode_distances(&frame, content, side, 301, 3, None)?, [0, 301, 2]);
    /// # Ok::<(), anser_table::format::FrameError>(())
    /// ```
    ///
    /// # Errors
    /// [`FrameError::NotAValue`] for a code above `largest`, [`FrameError::Content`] if the content
    /// is one of outcomes, and the errors of zstd.
    pub fn encode_distances(
        &mut self,
        codes: &[u16],
        side: Side,
        largest: u16,
    ) -> Result<Vec<u8>, FrameError> {
        if !self.content.metric().has_distances() {
            return Err(FrameError::Content);
        }
        if codes.iter().any(|&code| code > largest) {
            return Err(FrameError::NotAValue);
        }
        if self.content == Content::Distances {
            return self.compress(&to_bytes(codes, Coding::dtw(largest).bits > 8));
        }
        let numbers = |numbering: Numbering| {
            codes.iter().map(|&code| numbering.number(code)).collect::<Option<Vec<u16>>>()
        };
        let (plies, numbers) = match numbers(Numbering::Plies(side)) {
            Some(numbers) => (PLIES, numbers),
            None => (0, codes.to_vec()),
        };
        let is_wide = numbers.iter().any(|&number| number > u16::from(u8::MAX));
        let mut frame = self.compress(&to_bytes(&numbers, is_wide))?;
        frame.insert(0, plies | if is_wide { WIDE } else { 0 });
        Ok(frame)
    }

    fn compress(&mut self, content: &[u8]) -> Result<Vec<u8>, FrameError> {
        let mut frame = Vec::with_capacity(compress_bound(content.len()) + 1);
        self.context.compress2(&mut frame, content).map_err(zstd_error)?;
        Ok(frame)
    }
}

/// Number of ways to choose the two planes.
const PLANES: u8 = 3;

/// Flag of the first byte of a frame of plies: numbers are plies, not codes.
const PLIES: u8 = 1;
/// Flag of the first byte of a frame of plies: a number is two bytes.
const WIDE: u8 = 2;

/// Returns the low bytes of all numbers, then, if they are wide, the high bytes.
fn to_bytes(numbers: &[u16], is_wide: bool) -> Vec<u8> {
    (0..if is_wide { 2 } else { 1 })
        .flat_map(|byte| numbers.iter().map(move |number| number.to_le_bytes()[byte]))
        .collect()
}

/// Converts pairs of words to two planes.
fn to_planes(words: &[u64], planes: u8) -> Vec<u8> {
    let pairs = || words.as_chunks::<2>().0.iter();
    let a = pairs().map(|[first, second]| if planes == 2 { *second } else { *first });
    let b = pairs().map(|[first, second]| if planes == 0 { *second } else { first | second });
    bytes_of(a.chain(b))
}

/// Appends two planes as pairs of words. Returns false if an entry has no value, or if a bit beyond
/// the last entry is set.
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

/// More memory than a thread needs to register a destructor. Without that memory the system ends
/// the process.
const FIRST_USE: usize = 16 << 10;

thread_local! {
    /// Whether the thread has used [`DECODER`].
    static USED: Cell<bool> = const { Cell::new(false) };
    /// Scratch memory for all tables that a thread reads. Without it, a cold probe would spend more
    /// time on allocating memory than on decoding.
    static DECODER: RefCell<Option<Decoder>> = const { RefCell::new(None) };
}

struct Decoder {
    context: DCtx<'static>,
    /// Buffer of decoded frames, as long as the longest frame so far.
    content: Vec<u8>,
}

impl Decoder {
    /// Decodes a frame, which must have `len` bytes of content.
    fn decode(
        &mut self,
        frame: &[u8],
        len: usize,
        dictionary: Option<&Dictionary>,
    ) -> Result<&[u8], FrameError> {
        if self.content.len() < len {
            let more = len - self.content.len();
            self.content.try_reserve_exact(more).map_err(|_| FrameError::Memory)?;
            self.content.resize(len, 0);
        }
        let content = &mut self.content[..len];
        let decoded = match dictionary {
            Some(Dictionary(dictionary)) => {
                self.context.decompress_using_ddict(content, frame, dictionary)
            }
            None => self.context.decompress(content, frame),
        };
        match decoded.map_err(zstd_error)? {
            decoded if decoded == len => Ok(&self.content[..len]),
            decoded => Err(FrameError::Length { expected: len, actual: decoded }),
        }
    }
}

/// Decodes a block of `entries` outcomes, at most [`MAX_BLOCK_ENTRIES`], into pairs of words.
///
/// # Errors
/// If the frame does not decode to exactly `entries` values, or memory runs out.
pub fn decode_block(
    frame: &[u8],
    content: Content,
    entries: u32,
    dictionary: Option<&Dictionary>,
) -> Result<Box<[u64]>, FrameError> {
    if content.metric().has_distances() {
        return Err(FrameError::Content);
    }
    // Outcomes do not depend on the side to move.
    decode(frame, content, Side::First, Coding::WDL, entries, dictionary).map(Block::into_words)
}

/// Decodes a block of `entries` distances, at most [`MAX_BLOCK_ENTRIES`], with `side` to move, into
/// their codes. `largest` is the largest code of the table.
///
/// # Errors
/// If the frame does not decode to exactly `entries` codes up to `largest`, or memory runs out.
pub fn decode_distances(
    frame: &[u8],
    content: Content,
    side: Side,
    largest: u16,
    entries: u32,
    dictionary: Option<&Dictionary>,
) -> Result<Vec<u16>, FrameError> {
    if !content.metric().has_distances() {
        return Err(FrameError::Content);
    }
    let block = decode(frame, content, side, Coding::dtw(largest), entries, dictionary)?;
    let mut codes = vec![0; entries as usize];
    block.codes(0, &mut codes);
    Ok(codes)
}

/// Decodes a block of any metric.
pub(crate) fn decode(
    frame: &[u8],
    content: Content,
    side: Side,
    coding: Coding,
    entries: u32,
    dictionary: Option<&Dictionary>,
) -> Result<Block, FrameError> {
    if entries > MAX_BLOCK_ENTRIES {
        return Err(FrameError::TooManyEntries(entries));
    }
    let (form, frame) = match content {
        Content::Bytes | Content::Pairs | Content::Distances => (0, frame),
        Content::Planes => match frame.split_first() {
            Some((&planes, frame)) if planes < PLANES => (planes, frame),
            _ => return Err(FrameError::Form),
        },
        Content::Plies => match frame.split_first() {
            Some((&flags, frame)) if flags & !(PLIES | WIDE) == 0 => (flags, frame),
            _ => return Err(FrameError::Form),
        },
    };
    let len = match content {
        Content::Plies => entries as usize * if form & WIDE == 0 { 1 } else { 2 },
        content => content.len(entries, coding.bits),
    };
    let words = match content {
        Content::Plies => Block::words_of(len),
        _ => groups(u64::from(entries)) as usize * coding.bits as usize,
    };
    if !USED.get() {
        let mut memory = Vec::<u8>::new();
        memory.try_reserve_exact(FIRST_USE).map_err(|_| FrameError::Memory)?;
        // Otherwise the compiler may leave the allocation out.
        std::hint::black_box(&memory);
        USED.set(true);
    }
    DECODER.with_borrow_mut(|slot| {
        let decoder = match slot {
            Some(decoder) => decoder,
            None => slot.insert(Decoder {
                context: DCtx::try_create().ok_or(FrameError::Memory)?,
                content: Vec::new(),
            }),
        };
        let bytes = decoder.decode(frame, len, dictionary)?;
        let len = words;
        let mut words = Vec::new();
        words.try_reserve_exact(len).map_err(|_| FrameError::Memory)?;
        let valid = match content {
            Content::Plies => {
                let numbering =
                    if form & PLIES == 0 { Numbering::Codes } else { Numbering::Plies(side) };
                return Block::of_numbers(bytes, entries as usize, numbering, coding, words)
                    .ok_or(FrameError::NotAValue);
            }
            Content::Bytes => outcomes::contract(bytes, &mut words),
            Content::Pairs => from_pairs(bytes, &mut words),
            Content::Planes => from_planes(bytes, form, entries, &mut words),
            Content::Distances => {
                let (low, high) = bytes.split_at(entries as usize);
                contract_bytes(low, high, coding, &mut words)
            }
        };
        if valid {
            Ok(Block::of_groups(words.into(), coding.bits))
        } else {
            Err(FrameError::NotAValue)
        }
    })
}

/// Appends the pairs of words of a frame. Returns false if an entry has no value.
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
    /// A code is not a value.
    NotAValue,
    /// The content is of another metric: distances for outcomes, or the reverse.
    Content,
    /// A block has more than [`MAX_BLOCK_ENTRIES`] entries.
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
    /// zstd cannot load the dictionary.
    Dictionary,
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrameError::Memory => f.write_str("out of memory"),
            FrameError::NotAValue => f.write_str("a code that is not a value"),
            FrameError::Content => f.write_str("content of another metric"),
            FrameError::TooManyEntries(entries) => write!(f, "a block of {entries} entries"),
            FrameError::Form => f.write_str("an unknown form"),
            FrameError::Length { expected, actual } => {
                write!(f, "{actual} bytes of content instead of {expected}")
            }
            FrameError::RoundTrip => f.write_str("it does not decode to what was packed"),
            FrameError::Zstd(error) => write!(f, "zstd: {error}"),
            FrameError::Dictionary => f.write_str("zstd cannot load the dictionary"),
        }
    }
}

impl std::error::Error for FrameError {}

impl From<FrameError> for Defect {
    fn from(error: FrameError) -> Defect {
        match error {
            FrameError::Memory => Defect::Resources(Shortage::Codec),
            error => Defect::Damaged(Damage::Content(error)),
        }
    }
}

fn zstd_error(code: usize) -> FrameError {
    /// The code by which zstd reports a failed allocation.
    const NO_MEMORY: usize = (ZSTD_ErrorCode::ZSTD_error_memory_allocation as usize).wrapping_neg();
    match code {
        NO_MEMORY => FrameError::Memory,
        code => FrameError::Zstd(get_error_name(code)),
    }
}

/// A dictionary, loaded for decoding.
pub struct Dictionary(DDict<'static>);

impl Dictionary {
    /// Loads a dictionary.
    ///
    /// # Errors
    /// [`FrameError::Dictionary`] if zstd finds it malformed, [`FrameError::Memory`] if memory runs
    /// out.
    pub fn new(bytes: &[u8]) -> Result<Dictionary, FrameError> {
        /// The first bytes of a dictionary with a structure. Any other bytes are plain content.
        const MAGIC: [u8; 4] = 0xec30_a437_u32.to_le_bytes();
        /// Upper bound of the tables that zstd keeps beside a copy of the dictionary, in bytes.
        const TABLES: usize = 64 << 10;
        if let Some(dictionary) = DDict::try_create(bytes) {
            return Ok(Dictionary(dictionary));
        }
        // zstd does not report which of the two it was.
        let memory = Vec::<u8>::new().try_reserve_exact(bytes.len() + TABLES).is_ok();
        if memory && bytes.starts_with(&MAGIC) {
            return Err(FrameError::Dictionary);
        }
        Err(FrameError::Memory)
    }
}

impl std::fmt::Debug for Dictionary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dictionary").finish_non_exhaustive()
    }
}
