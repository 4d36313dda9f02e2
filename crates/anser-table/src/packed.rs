//! Packed tables: blocks of entries as zstd frames that decode on their own.
//!
//! # Payload
//!
//! The entries of a stored side to move are cut into blocks of `block_entries`, the last one shorter: in the order of
//! their ranks, or, with content 2, of their places in the packing order of the index scheme, where alike entries lie
//! together. Each block is one frame, whose content the header names, see `frame.rs`. The frames follow each other without
//! gaps: those with the first side to move in order, then those with the second. If the header names a dictionary,
//! every frame needs it.
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
//! rules before the table. Tables of distances leave nothing out.

use std::sync::OnceLock;

use anser_core::Side;
use xxhash_rust::xxh3::xxh3_64;

use crate::error::Defect;
use crate::frame::{Content, Dictionary, FrameError, decode};
use crate::header::Header;
use crate::layout::{Metric, Region};
use crate::raw::read_words;
use crate::storage::{Storage, read_region};

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
    /// All but those of positions that [`Rules::static_outcome`](anser_core::Rules::static_outcome) decides.
    SettledIsAnything,
}

impl Fill {
    /// Both, in the order of their numbers in a header.
    pub const ALL: [Fill; 2] = [Fill::Exact, Fill::SettledIsAnything];
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

    pub(crate) fn check(&self, metric: Metric) -> Result<(), Defect> {
        let of_distances = metric == Metric::Dtw;
        let problem = if self.stored == [false; 2] {
            "no side to move is stored"
        } else if !self.block_entries.is_power_of_two()
            || !(MIN_BLOCK_ENTRIES..=MAX_BLOCK_ENTRIES).contains(&self.block_entries)
        {
            "size of blocks"
        } else if self.dictionary_len > MAX_DICTIONARY_LEN || (self.dictionary_len == 0 && self.dictionary_hash != 0) {
            "dictionary"
        } else if (self.content == Content::Distances) != of_distances {
            "content of another metric"
        } else if of_distances && (self.stored != [true; 2] || self.fill != Fill::Exact) {
            "distances that are left out"
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
    /// Reads, checks and decodes a block into groups of words. `block` is one that the table stores.
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
        if region.len > packing.content.longest_frame(entries, header.bits()) as u64 {
            return Err(damaged("longer than it can be".to_owned()));
        }
        let frame = read_region(storage, region)?;
        if xxh3_64(&frame) != hash {
            return Err(damaged("checksum".to_owned()));
        }
        decode(&frame, packing.content, header.coding(), entries, dictionary.as_ref()).map_err(|error| match error {
            FrameError::Memory => error.into(),
            FrameError::Invalid(why) => damaged(why),
        })
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
                Some(Dictionary::new(&bytes).map_err(|error| match error {
                    FrameError::Memory => error.into(),
                    FrameError::Invalid(why) => damaged(&why),
                })?)
            }
        };
        Ok(self.loaded.get_or_init(|| Loaded { index, dictionary }))
    }
}
