//! Packed tables: blocks of entries as zstd frames that decode on their own.
//!
//! # Payload
//!
//! The entries of a stored side to move are cut into blocks of `block_entries`, the last one shorter. Each block is one
//! zstd frame. Its content is, as the header says, either one byte an entry, its code (content 0; zstd finds far more
//! in this than in packed bits), or the pairs of words of `values.rs` (content 1). The frames follow each other without
//! gaps: those with the first side to move in order, then those with the second. If the header names a dictionary,
//! every frame needs it. A frame carries no checksum and no dictionary id of its own.
//!
//! # Index
//!
//! The checks region holds two 64-bit numbers for each frame, one after the other, its offset from the start of the payload
//! and the xxh3-64 of its compressed bytes, and after the last frame one more, the length of the payload: 16 bytes a frame
//! and 8. Its own xxh3-64 stands in the header.
//!
//! # What is left out
//!
//! If one side to move is not stored, its values follow from the other's by one move of look-ahead: unless the game is
//! over, the best that any legal move leads to, in this layer or a lower one. If the fill is 1, entries of positions
//! that the rules settle (the game is over, or the side to move wins on the spot) hold anything: a reader asks the
//! rules before the table.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::OnceLock;

use anser_core::Side;
use xxhash_rust::xxh3::xxh3_64;
use zstd::zstd_safe::{CCtx, CParameter, DCtx, DDict, compress_bound};

use crate::error::Defect;
use crate::header::Header;
use crate::layout::Region;
use crate::raw::read_words;
use crate::storage::{Storage, read_region};
use crate::values::{self, pairs};

/// The fewest entries a block may have.
pub const MIN_BLOCK_ENTRIES: u32 = 64;
/// The most entries a block may have.
pub const MAX_BLOCK_ENTRIES: u32 = 1 << 20;
/// The largest dictionary in bytes.
pub const MAX_DICTIONARY_LEN: u32 = 1 << 20;

/// Which entries of a packed table hold values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fill {
    /// All of them.
    Exact,
    /// All but those of positions that [`Game::settled`](anser_core::Game::settled) decides.
    SettledIsAnything,
}

impl Fill {
    /// Both, in the order of their numbers in a header.
    pub const ALL: [Fill; 2] = [Fill::Exact, Fill::SettledIsAnything];
}

/// What a frame of a packed table holds when decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Content {
    /// One byte an entry.
    Bytes,
    /// Pairs of words, as in a raw payload.
    Pairs,
}

impl Content {
    /// Both, in the order of their numbers in a header.
    pub const ALL: [Content; 2] = [Content::Bytes, Content::Pairs];

    /// The length of a decoded frame of `entries` entries.
    fn len(self, entries: u32) -> usize {
        match self {
            Content::Bytes => entries as usize,
            Content::Pairs => (pairs(u64::from(entries)) * values::PAIR_BYTES) as usize,
        }
    }
}

/// How a table is packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    /// Which sides to move are stored; at least one.
    pub stored: [bool; 2],
    /// Which of their entries hold values.
    pub fill: Fill,
    /// What a frame holds.
    pub content: Content,
    /// The zstd level that the frames were compressed at, for information.
    pub level: i8,
    /// Entries in a block: a power of two from [`MIN_BLOCK_ENTRIES`] to [`MAX_BLOCK_ENTRIES`].
    pub block_entries: u32,
    /// The length of all frames together, in bytes.
    pub payload_len: u64,
    /// The length of the dictionary, 0 if there is none.
    pub dictionary_len: u32,
    /// The xxh3-64 of the dictionary, 0 if there is none.
    pub dictionary_hash: u64,
}

impl Packing {
    /// The number of blocks for each side to move in a table with `entries` entries.
    pub fn blocks(&self, entries: [u64; 2]) -> [u64; 2] {
        let blocks = |side: Side| entries[side.index()].div_ceil(u64::from(self.block_entries));
        Side::BOTH.map(|side| if self.stored[side.index()] { blocks(side) } else { 0 })
    }

    /// The number of entries in a block: `block_entries`, fewer in the last one of a side.
    pub fn entries_in(&self, entries: [u64; 2], block: BlockId) -> u32 {
        let start = block.number.saturating_mul(u64::from(self.block_entries));
        u64::from(self.block_entries).min(entries[block.side.index()].saturating_sub(start)) as u32
    }

    pub(crate) fn check(&self) -> Result<(), Defect> {
        let problem = if self.stored == [false; 2] {
            "no side to move is stored"
        } else if !self.block_entries.is_power_of_two()
            || !(MIN_BLOCK_ENTRIES..=MAX_BLOCK_ENTRIES).contains(&self.block_entries)
        {
            "size of blocks"
        } else if self.dictionary_len > MAX_DICTIONARY_LEN || (self.dictionary_len == 0 && self.dictionary_hash != 0) {
            "dictionary"
        } else {
            return Ok(());
        };
        Err(Defect::HeaderInvalid(problem))
    }
}

/// A block of a packed table: a side to move, and which of its blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockId {
    /// The side to move.
    pub side: Side,
    /// The number of the block, from 0.
    pub number: u64,
}

/// The length in bytes of the index of so many blocks.
pub(crate) fn index_len(blocks: [u64; 2]) -> Option<u64> {
    blocks[0].checked_add(blocks[1])?.checked_mul(16)?.checked_add(8)
}

/// Compresses blocks. One a thread: it is costly to make and cheap to use again.
pub struct BlockEncoder {
    context: CCtx<'static>,
    content: Content,
}

impl BlockEncoder {
    /// An encoder at a zstd `level` from 1 to 22, with the dictionary that all blocks of the table share, if any.
    pub fn new(content: Content, level: i8, dictionary: Option<&[u8]>) -> Result<BlockEncoder, String> {
        let mut context = CCtx::try_create().ok_or("zstd has not enough memory")?;
        let mut set = |parameter| context.set_parameter(parameter).map_err(zstd_message);
        set(CParameter::CompressionLevel(i32::from(level)))?;
        set(CParameter::DictIdFlag(false))?;
        set(CParameter::ChecksumFlag(false))?;
        if let Some(dictionary) = dictionary {
            context.load_dictionary(dictionary).map_err(zstd_message)?;
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
    /// # Ok::<(), String>(())
    /// ```
    pub fn encode(&mut self, codes: &[u8]) -> Result<Vec<u8>, String> {
        if codes.iter().any(|&code| code >= values::NO_VALUE) {
            return Err(NOT_A_VALUE.to_owned());
        }
        let content: Cow<'_, [u8]> = match self.content {
            Content::Bytes => codes.into(),
            Content::Pairs => {
                values::contract(codes).unwrap_or_default().iter().flat_map(|word| word.to_le_bytes()).collect()
            }
        };
        let mut frame = Vec::with_capacity(compress_bound(content.len()));
        self.context.compress2(&mut frame, &content).map_err(zstd_message)?;
        Ok(frame)
    }
}

const NOT_A_VALUE: &str = "a code that stands for no value";

thread_local! {
    /// A context holds only scratch memory, so every table that a thread reads can use the same one.
    static DECODER: RefCell<Option<DCtx<'static>>> = const { RefCell::new(None) };
}

/// The codes of a block of `entries` entries as pairs of words, see `values.rs`; an error text if the frame does not
/// decode to exactly as many valid codes. At most [`MAX_BLOCK_ENTRIES`] are decoded.
pub fn decode_block(
    frame: &[u8],
    content: Content,
    entries: u32,
    dictionary: Option<&Dictionary>,
) -> Result<Box<[u64]>, String> {
    if entries > MAX_BLOCK_ENTRIES {
        return Err(format!("a block of {entries} entries"));
    }
    let mut bytes = vec![0; content.len(entries)];
    let len = DECODER.with_borrow_mut(|slot| {
        let decoder = match slot {
            Some(decoder) => decoder,
            None => slot.insert(DCtx::try_create().ok_or("zstd has not enough memory")?),
        };
        match dictionary {
            Some(Dictionary(dictionary)) => decoder.decompress_using_ddict(&mut bytes[..], frame, dictionary),
            None => decoder.decompress(&mut bytes[..], frame),
        }
        .map_err(zstd_message)
    })?;
    if len != bytes.len() {
        return Err(format!("{len} bytes of content in place of {}", bytes.len()));
    }
    match content {
        Content::Bytes => values::contract(&bytes).ok_or_else(|| NOT_A_VALUE.to_owned()),
        Content::Pairs => {
            let words: Box<[u64]> = bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
            if words.as_chunks::<2>().0.iter().any(|[first, second]| first & second != 0) {
                return Err(NOT_A_VALUE.to_owned());
            }
            Ok(words)
        }
    }
}

fn zstd_message(code: usize) -> String {
    format!("zstd: {}", zstd::zstd_safe::get_error_name(code))
}

/// A dictionary made ready for decoding.
pub struct Dictionary(DDict<'static>);

impl Dictionary {
    /// Fails if zstd finds the dictionary malformed.
    pub fn new(bytes: &[u8]) -> Result<Dictionary, String> {
        DDict::try_create(bytes).map(Dictionary).ok_or_else(|| "zstd cannot load the dictionary".to_owned())
    }
}

impl std::fmt::Debug for Dictionary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dictionary").finish_non_exhaustive()
    }
}

/// What an open packed table keeps in memory.
#[derive(Debug, Default)]
pub(crate) struct PackedPayload {
    loaded: OnceLock<Loaded>,
}

#[derive(Debug)]
struct Loaded {
    /// Offset and hash of every frame in turn, then the end of the last.
    index: Box<[u64]>,
    dictionary: Option<Dictionary>,
}

impl PackedPayload {
    /// Reads, checks and decodes a block into pairs of words. `block` is one that the table stores.
    pub(crate) fn block(
        &self,
        header: &Header,
        packing: &Packing,
        storage: &dyn Storage,
        block: BlockId,
    ) -> Result<Box<[u64]>, Defect> {
        let Loaded { index, dictionary } = self.load(header, packing, storage)?;
        let before = if block.side == Side::First { 0 } else { packing.blocks(header.entries())[0] };
        let at = 2 * (before + block.number) as usize;
        let (start, hash, end) = (index[at], index[at + 1], index[at + 2]);
        let region = Region { offset: header.layout().payload.offset + start, len: end - start };
        let damaged = |why: String| {
            let BlockId { side, number } = block;
            let side = ["first", "second"][side.index()];
            Defect::Damaged(format!("block {number} with the {side} side to move (bytes {}; {why})", region.span()))
        };
        let entries = packing.entries_in(header.entries(), block);
        if region.len > compress_bound(packing.content.len(entries)) as u64 {
            return Err(damaged("longer than it can be".to_owned()));
        }
        let frame = read_region(storage, region)?;
        if xxh3_64(&frame) != hash {
            return Err(damaged("checksum".to_owned()));
        }
        decode_block(&frame, packing.content, entries, dictionary.as_ref()).map_err(damaged)
    }

    /// Checks the index and the dictionary.
    pub(crate) fn verify_index(&self, header: &Header, packing: &Packing, storage: &dyn Storage) -> Result<(), Defect> {
        self.load(header, packing, storage).map(drop)
    }

    fn load(&self, header: &Header, packing: &Packing, storage: &dyn Storage) -> Result<&Loaded, Defect> {
        if let Some(loaded) = self.loaded.get() {
            return Ok(loaded);
        }
        // Threads that meet here all read the same; a failure is not remembered, it may be the disk's.
        let index = read_words(header, storage)?;
        let offsets = || index.iter().step_by(2);
        let ascending = offsets().zip(offsets().skip(1)).all(|(start, end)| start <= end);
        if !ascending || index.first() != Some(&0) || index.last() != Some(&packing.payload_len) {
            return Err(Defect::Damaged("the index of blocks".to_owned()));
        }
        let dictionary = match header.layout().dictionary {
            Region { len: 0, .. } => None,
            region => {
                let bytes = read_region(storage, region)?;
                let damaged = |why: &str| Defect::Damaged(format!("the dictionary (bytes {}; {why})", region.span()));
                if xxh3_64(&bytes) != packing.dictionary_hash {
                    return Err(damaged("checksum"));
                }
                Some(Dictionary::new(&bytes).map_err(|why| damaged(&why))?)
            }
        };
        Ok(self.loaded.get_or_init(|| Loaded { index, dictionary }))
    }
}
