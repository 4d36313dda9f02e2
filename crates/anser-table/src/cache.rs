//! Decoded blocks of packed tables and checked blocks of raw ones that are read, kept up to a bound in bytes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::error::Defect;
use crate::packed::BlockId;

/// A cache of decoded and checked blocks, shared by all tables of a [`Tablebase`](crate::Tablebase) and all threads that probe it.
///
/// It is divided into shards with a lock each, so threads rarely wait for each other; of those that want the same block
/// at once, one decodes it.
#[derive(Debug)]
pub struct BlockCache {
    blocks: Cache<Key, Arc<Block>, Bytes>,
    decoded: AtomicU64,
}

/// The id of an open table, unique in the process, and one of its blocks.
type Key = (u64, BlockId);

/// The words of a block. They are not moved into the `Arc`, which would be another copy.
#[derive(Debug)]
pub(crate) struct Block(pub(crate) Box<[u64]>);

#[derive(Clone, Copy, Debug)]
struct Bytes;

impl Bytes {
    /// What an entry costs beside its words: keys, links and counters, roughly.
    const OVERHEAD: u64 = 96;
}

impl Weighter<Key, Arc<Block>> for Bytes {
    fn weight(&self, _: &Key, block: &Arc<Block>) -> u64 {
        size_of_val::<[u64]>(&block.0) as u64 + Bytes::OVERHEAD
    }
}

impl BlockCache {
    /// The bound of a cache for which none was asked: 64 MiB.
    pub const DEFAULT_BYTES: u64 = 64 << 20;

    /// A cache of at most `bytes` bytes; blocks that do not fit are decoded for every probe.
    pub fn new(bytes: u64) -> BlockCache {
        // Blocks of 128 Ki entries take 32 KiB; other sizes only make the estimate, by which shards are sized, worse.
        let expected_blocks = (bytes >> 15).clamp(1, 1 << 20) as usize;
        BlockCache { blocks: Cache::with_weighter(expected_blocks, bytes, Bytes), decoded: AtomicU64::new(0) }
    }

    /// The memory taken by blocks at present, in bytes.
    pub fn bytes(&self) -> u64 {
        self.blocks.weight()
    }

    /// The number of blocks that had to be decoded so far.
    pub fn decoded(&self) -> u64 {
        self.decoded.load(Ordering::Relaxed)
    }

    pub(crate) fn get_or_decode(
        &self,
        table: u64,
        block: BlockId,
        decode: impl FnOnce() -> Result<Box<[u64]>, Defect>,
    ) -> Result<Arc<Block>, Defect> {
        self.blocks.get_or_insert_with(&(table, block), || {
            self.decoded.fetch_add(1, Ordering::Relaxed);
            decode().map(|words| Arc::new(Block(words)))
        })
    }
}

impl Default for BlockCache {
    fn default() -> BlockCache {
        BlockCache::new(BlockCache::DEFAULT_BYTES)
    }
}
