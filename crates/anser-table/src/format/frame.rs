//! Frames: blocks of entries, compressed so that each decodes independently.

use std::cell::{Cell, RefCell};

use zstd_safe::zstd_sys::ZSTD_ErrorCode;
use zstd_safe::{CCtx, CParameter, DCtx, compress_bound, get_error_name};

use anser_core::Side;

use super::block::{Block, Numbering, to_bytes};
use super::codes::{Coding, contract_codes};
use super::frame_error::FrameError;
use super::outcomes::{NO_VALUE, PAIR_BYTES, pairs};
use super::packing::MAX_BLOCK_ENTRIES;
use super::words::{bytes_of, words_of};
use crate::error::{Damage, Defect, Shortage};
use crate::kinds::Metric;

/// Returns the length of the longest frame of `entries` entries that an encoder produces.
pub(crate) fn longest_frame(coding: Coding, entries: u32) -> usize {
    let decoded = match coding.metric {
        Metric::Wdl => outcomes_len(entries),
        Metric::Dtw => entries as usize * coding.bits.div_ceil(8) as usize,
    };
    compress_bound(decoded) + 1
}

/// Returns the length of a decoded frame of `entries` outcomes.
fn outcomes_len(entries: u32) -> usize {
    (pairs(u64::from(entries)) * PAIR_BYTES) as usize
}

/// Compresses blocks. Creating one is costly, using it again is cheap: keep one per thread.
pub struct BlockEncoder(CCtx<'static>);

impl BlockEncoder {
    /// Creates an encoder at a zstd `level` from 1 to 22.
    ///
    /// # Errors
    /// [`FrameError::Memory`].
    pub fn new(level: i8) -> Result<BlockEncoder, FrameError> {
        let mut context = CCtx::try_create().ok_or(FrameError::Memory)?;
        let mut set = |parameter| context.set_parameter(parameter).map_err(zstd_error);
        set(CParameter::CompressionLevel(i32::from(level)))?;
        set(CParameter::DictIdFlag(false))?;
        set(CParameter::ChecksumFlag(false))?;
        Ok(BlockEncoder(context))
    }

    /// Encodes a block of outcomes: codes of one byte each, all 0, 1, or 2. With the same version
    /// of zstd the same codes give the same bytes.
    ///
    /// ```
    /// use anser_table::format::{BlockEncoder, decode_block, get};
    /// let frame = BlockEncoder::new(15)?.encode(&[0, 1, 2, 2, 1])?;
    /// assert_eq!(get(&decode_block(&frame, 5)?, 3), 2);
    /// # Ok::<(), anser_table::format::FrameError>(())
    /// ```
    ///
    /// # Errors
    /// [`FrameError::NotAValue`] for a code above 2, and the errors of zstd.
    pub fn encode(&mut self, codes: &[u8]) -> Result<Vec<u8>, FrameError> {
        if codes.iter().any(|&code| code >= NO_VALUE) {
            return Err(FrameError::NotAValue);
        }
        let codes: Vec<u16> = codes.iter().map(|&code| code.into()).collect();
        let words = contract_codes(&codes, Coding::WDL.bits);
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
    /// use anser_table::format::{BlockEncoder, decode_distances};
    /// let frame = BlockEncoder::new(15)?.encode_distances(&[0, 301, 2], Side::First, 301)?;
    /// assert_eq!(decode_distances(&frame, Side::First, 301, 3)?, [0, 301, 2]);
    /// # Ok::<(), anser_table::format::FrameError>(())
    /// ```
    ///
    /// # Errors
    /// [`FrameError::NotAValue`] for a code above `largest`, and the errors of zstd.
    pub fn encode_distances(
        &mut self,
        codes: &[u16],
        side: Side,
        largest: u16,
    ) -> Result<Vec<u8>, FrameError> {
        if codes.iter().any(|&code| code > largest) {
            return Err(FrameError::NotAValue);
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
        self.0.compress2(&mut frame, content).map_err(zstd_error)?;
        Ok(frame)
    }
}

/// Number of ways to choose the two planes.
const PLANES: u8 = 3;

/// Flag of the first byte of a frame of plies: numbers are plies, not codes.
const PLIES: u8 = 1;
/// Flag of the first byte of a frame of plies: a number is two bytes.
const WIDE: u8 = 2;

/// Converts pairs of words to two planes.
fn to_planes(words: &[u64], planes: u8) -> Vec<u8> {
    let pairs = || words.as_chunks::<2>().0.iter();
    let a = pairs().map(|[first, second]| if planes == 2 { *second } else { *first });
    let b = pairs().map(|[first, second]| if planes == 0 { *second } else { first | second });
    let words: Vec<u64> = a.chain(b).collect();
    bytes_of(&words)
}

/// Appends two planes as pairs of words. Returns false if an entry has no value, or if a bit beyond
/// the last entry is set.
fn from_planes(bytes: &[u8], planes: u8, entries: u32, pairs: &mut Vec<u64>) -> bool {
    let (a, b) = bytes.split_at(bytes.len() / 2);
    let mut wrong = 0;
    for (a, b) in words_of(a).zip(words_of(b)) {
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
    fn decode(&mut self, frame: &[u8], len: usize) -> Result<&[u8], FrameError> {
        if self.content.len() < len {
            let more = len - self.content.len();
            self.content.try_reserve_exact(more).map_err(|_| FrameError::Memory)?;
            self.content.resize(len, 0);
        }
        let content = &mut self.content[..len];
        match self.context.decompress(content, frame).map_err(zstd_error)? {
            decoded if decoded == len => Ok(&self.content[..len]),
            decoded => Err(FrameError::Length { expected: len, actual: decoded }),
        }
    }
}

/// Decodes a block of `entries` outcomes, at most [`MAX_BLOCK_ENTRIES`], into pairs of words.
///
/// # Errors
/// If the frame does not decode to exactly `entries` values, or memory runs out.
pub fn decode_block(frame: &[u8], entries: u32) -> Result<Box<[u64]>, FrameError> {
    // Outcomes do not depend on the side to move.
    decode(frame, Side::First, Coding::WDL, entries).map(Block::into_words)
}

/// Decodes a block of `entries` distances, at most [`MAX_BLOCK_ENTRIES`], with `side` to move, into
/// their codes. `largest` is the largest code of the table.
///
/// # Errors
/// If the frame does not decode to exactly `entries` codes up to `largest`, or memory runs out.
pub fn decode_distances(
    frame: &[u8],
    side: Side,
    largest: u16,
    entries: u32,
) -> Result<Vec<u16>, FrameError> {
    let block = decode(frame, side, Coding::dtw(largest), entries)?;
    let mut codes = vec![0; entries as usize];
    block.codes(0, &mut codes);
    Ok(codes)
}

/// Decodes a block of any metric.
pub(crate) fn decode(
    frame: &[u8],
    side: Side,
    coding: Coding,
    entries: u32,
) -> Result<Block, FrameError> {
    if entries > MAX_BLOCK_ENTRIES {
        return Err(FrameError::TooManyEntries(entries));
    }
    let (&form, frame) = frame.split_first().ok_or(FrameError::Form)?;
    let (is_known, len, words) = match coding.metric {
        Metric::Wdl => {
            let len = outcomes_len(entries);
            (form < PLANES, len, len / 8)
        }
        Metric::Dtw => {
            let len = entries as usize * if form & WIDE == 0 { 1 } else { 2 };
            (form & !(PLIES | WIDE) == 0, len, Block::words_of(len))
        }
    };
    if !is_known {
        return Err(FrameError::Form);
    }
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
        let bytes = decoder.decode(frame, len)?;
        let len = words;
        let mut words = Vec::new();
        words.try_reserve_exact(len).map_err(|_| FrameError::Memory)?;
        let block = match coding.metric {
            Metric::Wdl => from_planes(bytes, form, entries, &mut words)
                .then(|| Block::of_groups(words.into(), coding.bits)),
            Metric::Dtw => {
                let numbering =
                    if form & PLIES == 0 { Numbering::Codes } else { Numbering::Plies(side) };
                Block::of_numbers(bytes, entries as usize, numbering, coding, words)
            }
        };
        block.ok_or(FrameError::NotAValue)
    })
}

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
