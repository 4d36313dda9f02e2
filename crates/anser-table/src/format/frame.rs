//! Frames: blocks of entries, compressed so that each decodes independently.

use std::cell::{Cell, RefCell};
use std::fmt;

use zstd_safe::zstd_sys::ZSTD_ErrorCode;
use zstd_safe::{CCtx, CParameter, DCtx, DDict, compress_bound, get_error_name};

use super::codes::{Coding, contract_bytes, groups};
use super::outcomes::{self, pairs};
use super::packed::MAX_BLOCK_ENTRIES;
use crate::error::{Damage, Defect, Shortage};

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
}

impl Content {
    /// All contents, in the order of their numbers in a header.
    pub const ALL: [Content; 4] =
        [Content::Bytes, Content::Pairs, Content::Planes, Content::Distances];

    /// Whether the entries are in the packing order of the index instead of the order of their
    /// ranks.
    pub const fn is_reordered(self) -> bool {
        matches!(self, Content::Planes)
    }

    /// Returns the length of the longest frame of `entries` entries that an encoder produces.
    pub(crate) fn longest_frame(self, entries: u32, bits: u32) -> usize {
        compress_bound(self.len(entries, bits)) + 1
    }

    /// Returns the length of a decoded frame of `entries` entries of `bits` bits.
    fn len(self, entries: u32, bits: u32) -> usize {
        match self {
            Content::Distances => entries as usize * bits.div_ceil(8) as usize,
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
    /// [`FrameError::NotAValue`] for a code above 2, [`FrameError::Content`] if the content is
    /// [`Content::Distances`], and the errors of zstd.
    pub fn encode(&mut self, codes: &[u8]) -> Result<Vec<u8>, FrameError> {
        if codes.iter().any(|&code| code >= outcomes::NO_VALUE) {
            return Err(FrameError::NotAValue);
        }
        match self.content {
            Content::Bytes => return self.compress(codes),
            Content::Distances => return Err(FrameError::Content),
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

    /// Encodes a block of distances. `largest` is the largest code of the table.
    ///
    /// ```
    /// use anser_table::format::{BlockEncoder, Content, bits_of, decode_distances, expand_codes};
    /// let frame = BlockEncoder::new(Content::Distances, 15, None)?.encode_distances(&[0, 301, 2], 301)?;
    /// let words = decode_distances(&frame, 301, 3, None)?;
    /// let mut codes = [0; 3];
    /// expand_codes(&words, bits_of(301), &mut codes);
    /// assert_eq!(codes, [0, 301, 2]);
    /// # Ok::<(), anser_table::format::FrameError>(())
    /// ```
    ///
    /// # Errors
    /// [`FrameError::NotAValue`] for a code above `largest`, [`FrameError::Content`] unless the
    /// content is [`Content::Distances`], and the errors of zstd.
    pub fn encode_distances(&mut self, codes: &[u16], largest: u16) -> Result<Vec<u8>, FrameError> {
        if self.content != Content::Distances {
            return Err(FrameError::Content);
        }
        if codes.iter().any(|&code| code > largest) {
            return Err(FrameError::NotAValue);
        }
        let planes = if Coding::dtw(largest).bits > 8 { 2 } else { 1 };
        let bytes: Vec<u8> = (0..planes)
            .flat_map(|plane| codes.iter().map(move |code| code.to_le_bytes()[plane]))
            .collect();
        self.compress(&bytes)
    }

    fn compress(&mut self, content: &[u8]) -> Result<Vec<u8>, FrameError> {
        let mut frame = Vec::with_capacity(compress_bound(content.len()) + 1);
        self.context.compress2(&mut frame, content).map_err(zstd_error)?;
        Ok(frame)
    }
}

/// Number of ways to choose the two planes.
const PLANES: u8 = 3;

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
    if content == Content::Distances {
        return Err(FrameError::Content);
    }
    decode(frame, content, Coding::WDL, entries, dictionary)
}

/// Decodes a block of `entries` distances, at most [`MAX_BLOCK_ENTRIES`], into groups of words of
/// [`bits_of`](super::bits_of)`(largest)` bits, where `largest` is the largest code of the table.
///
/// # Errors
/// If the frame does not decode to exactly `entries` codes up to `largest`, or memory runs out.
pub fn decode_distances(
    frame: &[u8],
    largest: u16,
    entries: u32,
    dictionary: Option<&Dictionary>,
) -> Result<Box<[u64]>, FrameError> {
    decode(frame, Content::Distances, Coding::dtw(largest), entries, dictionary)
}

/// Decodes a block of any metric into groups of words.
pub(crate) fn decode(
    frame: &[u8],
    content: Content,
    coding: Coding,
    entries: u32,
    dictionary: Option<&Dictionary>,
) -> Result<Box<[u64]>, FrameError> {
    if entries > MAX_BLOCK_ENTRIES {
        return Err(FrameError::TooManyEntries(entries));
    }
    let (planes, frame) = match content {
        Content::Bytes | Content::Pairs | Content::Distances => (0, frame),
        Content::Planes => match frame.split_first() {
            Some((&planes, frame)) if planes < PLANES => (planes, frame),
            _ => return Err(FrameError::Planes),
        },
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
        let bytes = decoder.decode(frame, content.len(entries, coding.bits), dictionary)?;
        let mut words = Vec::new();
        words
            .try_reserve_exact(groups(u64::from(entries)) as usize * coding.bits as usize)
            .map_err(|_| FrameError::Memory)?;
        let valid = match content {
            Content::Bytes => outcomes::contract(bytes, &mut words),
            Content::Pairs => from_pairs(bytes, &mut words),
            Content::Planes => from_planes(bytes, planes, entries, &mut words),
            Content::Distances => {
                let (low, high) = bytes.split_at(entries as usize);
                contract_bytes(low, high, coding, &mut words)
            }
        };
        if valid { Ok(words.into()) } else { Err(FrameError::NotAValue) }
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
    /// The frame has planes of an unknown kind.
    Planes,
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
            FrameError::Planes => f.write_str("planes of an unknown kind"),
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
