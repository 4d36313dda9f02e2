//! Cache of decoded and checked blocks, bounded in bytes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use foldhash::fast::RandomState;
use quick_cache::Weighter;
use quick_cache::sync::{Cache, DefaultLifecycle};

use crate::error::Defect;
use crate::format::{Block, BlockId};

/// Cache of decoded blocks of packed tables and of checked blocks of raw ones that are read.
/// Reading most of a layer also keeps groups of its rows, in the order of ranks.
///
/// All tables of a [`Tablebase`](crate::Tablebase) and all threads that probe it share one cache.
/// It consists of shards with a lock each, so threads rarely wait for each other. If several
/// threads need the same block at once, one of them decodes it.
///
/// ```
/// use anser_table::BlockCache;
/// let cache = BlockCache::new(1 << 20);
/// assert_eq!((cache.bytes(), cache.decoded(), cache.hits()), (0, 0, 0));
/// ```
#[derive(Debug)]
pub struct BlockCache {
    /// Hashing takes a good part of a probe, and no key comes from outside.
    blocks: Cache<Key, Arc<Block>, Bytes, RandomState>,
    /// Size in bytes of the largest block that is worth making for several reads.
    largest: u64,
    decoded: AtomicU64,
    /// Number of requests for blocks, in parts.
    requests: Box<[Part; PARTS]>,
}

/// Number of parts of a counter. Threads that need different blocks mostly count in different
/// parts.
const PARTS: usize = 16;

/// A part of a counter, in a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Part(AtomicU64);

/// The id of an open table, unique in the process, and a block of the table.
type Key = (u64, BlockId);

#[derive(Clone, Copy, Debug)]
struct Bytes;

impl Bytes {
    /// Approximate cost in bytes of a cached block beside its words: key, links, and counters.
    const OVERHEAD: u64 = 96;
}

impl Weighter<Key, Arc<Block>> for Bytes {
    fn weight(&self, _: &Key, block: &Arc<Block>) -> u64 {
        size_of_val(block.words()) as u64 + Bytes::OVERHEAD
    }
}

impl BlockCache {
    /// The default bound: 64 MiB.
    pub const DEFAULT_BYTES: u64 = 64 << 20;

    /// Creates a cache of at most `bytes` bytes. Blocks that do not fit are decoded for every
    /// probe.
    pub fn new(bytes: u64) -> BlockCache {
        // The number of blocks only sizes the shards: each has 32 or more, 4 MiB, if that is
        // possible.
        let expected_blocks = (bytes >> 17).clamp(1, 1 << 20) as usize;
        let blocks = Cache::with(
            expected_blocks,
            bytes,
            Bytes,
            RandomState::default(),
            DefaultLifecycle::default(),
        );
        BlockCache {
            largest: blocks.shard_capacity() / 2,
            blocks,
            decoded: AtomicU64::new(0),
            requests: Box::default(),
        }
    }

    /// Returns the memory that the blocks take now, in bytes.
    pub fn bytes(&self) -> u64 {
        self.blocks.weight()
    }

    /// Returns the number of blocks that have been decoded so far.
    pub fn decoded(&self) -> u64 {
        self.decoded.load(Ordering::Relaxed)
    }

    /// Returns the number of times that a block was needed and did not have to be decoded.
    pub fn hits(&self) -> u64 {
        let requests: u64 = self.requests.iter().map(|part| part.0.load(Ordering::Relaxed)).sum();
        // A block is counted before it is decoded, but the two are not read at the same time.
        requests.saturating_sub(self.decoded())
    }

    /// Whether a block of this size in bytes is likely to be there for the next read.
    pub(crate) fn keeps(&self, bytes: usize) -> bool {
        bytes as u64 <= self.largest
    }

    pub(crate) fn get_or_decode(
        &self,
        table: u64,
        block: BlockId,
        decode: impl FnOnce() -> Result<Block, Defect>,
    ) -> Result<Arc<Block>, Defect> {
        self.requests[block.number as usize % PARTS].0.fetch_add(1, Ordering::Relaxed);
        self.blocks.get_or_insert_with(&(table, block), || {
            self.decoded.fetch_add(1, Ordering::Relaxed);
            decode().map(Arc::new)
        })
    }
}

impl Default for BlockCache {
    fn default() -> BlockCache {
        BlockCache::new(BlockCache::DEFAULT_BYTES)
    }
}
