//! Packing: raw tables into the compressed ones that are shipped.
//!
//! The choices here were made by measuring, see `data/packing.md`: zstd at level 15 over one byte an entry, 64 Ki entries a
//! block, no dictionary, every stored entry its true value. Where a layer leads to no lower one, only one side to move is
//! stored, the one with more moves, because a reader finds the other side's values by looking at fewer successors. Where
//! it does, both are stored: so each table answers by itself, whatever lower ones are there.

use std::fs::File;
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};

use anser_core::{Game, LayerIndex, Side};
use anser_table::{
    BlockEncoder, BlockId, Content, Defect, ENTRIES_PER_PAIR, Fill, Header, Kind, Packing, Table, TableError,
    Tablebase, decode_block, expand, pairs,
};
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::SolveError;
use crate::convert::{Conversion, Converter, Packed};
use crate::observer::{Event, Observer};
use crate::solve::make_pool;
use crate::writer::TableWriter;

/// Entries in a block. Twice as many would make tables an eighth to a quarter smaller, but take the first probe of a block to
/// its limit of 50 microseconds.
const BLOCK_ENTRIES: u32 = 1 << 16;

/// The level of zstd where none is asked for. Level 19 gains two per cent in three to four times the time.
const LEVEL: i32 = 15;

/// Blocks that are packed between two writes. They bound the memory, some 16 KiB for each block beside what zstd needs; the
/// more there are, the less often threads wait for the slowest one.
const BATCH: u64 = 256;

/// Classes of a layer whose moves are counted, to find the side that has more of them.
const SAMPLE: u64 = 256;

/// What to pack, where to, and how.
#[derive(Clone, Debug, Default)]
pub struct PackOptions {
    /// Where the tables are; the first directory that has a layer counts, and in it a raw table before a packed one.
    pub from: Vec<PathBuf>,
    /// Where the packed tables go. It may be one of `from`.
    pub out: PathBuf,
    /// Which layers; `None` for all that are there.
    pub layers: Option<RangeInclusive<u16>>,
    /// The level of zstd, 1 to 22; `None` for 15. A table that is packed already is copied as it is.
    pub level: Option<i32>,
    /// How many threads; `None` for one a core.
    pub threads: Option<usize>,
}

/// Packs the tables of a game.
///
/// Each table is read with all its checks, and nothing gets a name before everything in it was read back and the whole
/// source was found to be what its digest says. The bytes of a packed table depend on its source, the level and the version of
/// zstd alone.
/// Tables in `out` of the same values are kept, unless another level was asked for; a killed run is gone on with by the
/// same call. Tables that are packed already are checked and copied as they are. The manifest of `out` is kept up to date.
///
/// ```
/// use anser_core::fox_geese::FoxGeese;
/// use anser_solve::{PackOptions, SolveOptions, Unobserved, pack, solve};
///
/// let dir = std::env::temp_dir().join(format!("anser-pack-{}", std::process::id()));
/// let game = FoxGeese::default();
/// solve(&game, &SolveOptions { layers: Some(1..=4), ..SolveOptions::new(dir.join("raw")) }, &Unobserved)?;
/// let options = PackOptions { from: vec![dir.join("raw")], out: dir.join("packed"), ..PackOptions::default() };
/// let packed = pack(&game, &options, &Unobserved)?;
/// assert_eq!(packed.len(), 4);
/// assert!(packed[3].bytes * 5 < packed[3].raw_bytes);
/// # std::fs::remove_dir_all(&dir).unwrap();
/// # Ok::<(), anser_solve::SolveError>(())
/// ```
///
/// # Errors
/// A layer asked for that has no table; a damaged table; a sound table in `out` that has other values, which is left alone.
pub fn pack<G: Game>(game: &G, options: &PackOptions, observer: &dyn Observer) -> Result<Vec<Packed>, SolveError> {
    let level = options.level.unwrap_or(LEVEL);
    if !(1..=22).contains(&level) {
        return Err(SolveError::Level(level));
    }
    let tables = Tablebase::open(game.clone(), &options.from)?;
    let conversion = Conversion { game, tables: &tables, out: &options.out, to: Kind::Packed, observer };
    let packer = Packer { game, level: level as i8, level_matters: options.level.is_some(), observer };
    make_pool(options.threads)?.install(|| conversion.run(options.layers.clone(), &packer))
}

struct Packer<'a, G: Game> {
    game: &'a G,
    level: i8,
    /// Whether the level was asked for.
    level_matters: bool,
    observer: &'a dyn Observer,
}

impl<G: Game> Converter<G> for Packer<'_, G> {
    fn accepts(&self, there: &Header, source: &Header) -> bool {
        // Only a raw source can be packed at another level.
        let packed_as_asked = there.packing().is_some_and(|packing| packing.level == self.level);
        packed_as_asked || !self.level_matters || source.kind() == Kind::Packed
    }

    fn write(&self, source: &Table, index: &G::Index, file: &mut File, path: &Path) -> Result<Header, SolveError> {
        let header = source.header();
        let layer = header.layer();
        let mut packing = Packing {
            stored: stored_sides(self.game, layer, index),
            fill: Fill::Exact,
            content: Content::Bytes,
            level: self.level,
            block_entries: BLOCK_ENTRIES,
            payload_len: 0,
            dictionary_len: 0,
            dictionary_hash: 0,
        };
        self.observer
            .event(&Event::Work { what: format!("packing layer {layer}"), units: header.entries().iter().sum() });
        let mut writer = TableWriter::new(file, path)?;
        let mut digest = blake3::Hasher::new();
        let mut frames = Vec::new();
        for side in Side::BOTH {
            let blocks = header.entries()[side.index()].div_ceil(u64::from(BLOCK_ENTRIES));
            for first in (0..blocks).step_by(BATCH as usize) {
                let batch: Vec<Block> = (first..blocks.min(first + BATCH))
                    .into_par_iter()
                    .map(|number| self.block(source, &packing, BlockId { side, number }))
                    .collect::<Result<_, SolveError>>()?;
                for Block { raw, frame } in batch {
                    digest.update(&raw);
                    if let Some(frame) = frame {
                        frames.extend([packing.payload_len, xxh3_64(&frame)]);
                        packing.payload_len += frame.len() as u64;
                        writer.payload(&frame)?;
                    }
                }
            }
        }
        if digest.finalize() != *header.payload_digest() {
            return Err(damaged(source, "the payload as a whole (its digest)".into()).into());
        }
        frames.push(packing.payload_len);
        let frames: Vec<u8> = frames.into_iter().flat_map(u64::to_le_bytes).collect();
        let packed = header
            .to_packed(packing, xxh3_64(&frames), source.header().generator())
            .map_err(|defect| SolveError::Header { layer, defect })?;
        writer.finish(&packed, &frames)?;
        Ok(packed)
    }
}

/// A block of entries.
struct Block {
    /// Its part of the raw payload.
    raw: Vec<u8>,
    /// Its frame, if the side to move is stored.
    frame: Option<Vec<u8>>,
}

impl<G: Game> Packer<'_, G> {
    /// Reads a block of a raw table and packs it.
    fn block(&self, source: &Table, packing: &Packing, block: BlockId) -> Result<Block, SolveError> {
        if self.observer.interrupted() {
            return Err(SolveError::Interrupted);
        }
        let BlockId { side, number } = block;
        let start = number * u64::from(BLOCK_ENTRIES);
        let entries = (source.header().entries()[side.index()] - start).min(u64::from(BLOCK_ENTRIES));
        let mut words = vec![0; 2 * pairs(entries) as usize];
        let unreadable = |why: String| {
            let side = self.game.side_name(side);
            damaged(source, format!("entries {start} to {} with the {side} to move ({why})", start + entries - 1))
        };
        if !source.read_pairs(side, start / ENTRIES_PER_PAIR, &mut words)? {
            return Err(unreadable("not stored".into()).into());
        }
        let stored = packing.stored[side.index()];
        let frame = stored.then(|| frame(&words, entries, packing).map_err(unreadable)).transpose()?;
        self.observer.advance(entries);
        Ok(Block { raw: words.iter().flat_map(|word| word.to_le_bytes()).collect(), frame })
    }
}

/// The frame of a block that `words` hold, decoded again to be sure.
fn frame(words: &[u64], entries: u64, packing: &Packing) -> Result<Vec<u8>, String> {
    let mut codes = vec![0; entries as usize];
    expand(words, 0, &mut codes);
    // An encoder that was used before may search otherwise and find other matches: at some levels the hashes of zstd are
    // salted with what went before. Next to the search a new one costs nothing.
    let frame = BlockEncoder::new(packing.content, packing.level, None)?.encode(&codes)?;
    if *decode_block(&frame, packing.content, entries as u32, None)? != *words {
        return Err("it does not decode to what was packed".into());
    }
    Ok(frame)
}

fn damaged(source: &Table, part: String) -> TableError {
    TableError::new(source.path(), Defect::Damaged(part))
}

/// The sides to move that a packed table of the layer holds.
fn stored_sides<G: Game>(game: &G, layer: u16, index: &G::Index) -> [bool; 2] {
    if !game.lower_layers(layer).is_empty() {
        return [true; 2];
    }
    let [first, second] = Side::BOTH.map(|side| mean_moves(game, index, side));
    [first > second, first <= second]
}

/// The mean number of moves of classes taken evenly from the layer.
fn mean_moves<G: Game>(game: &G, index: &G::Index, side: Side) -> f64 {
    let len = index.len(side);
    let step = len.div_ceil(SAMPLE).max(1);
    let (mut classes, mut moves) = (0u64, 0u64);
    for rank in (0..len).step_by(step as usize) {
        classes += 1;
        let ControlFlow::Continue(()) = game.visit_moves(&index.unrank(side, rank), |_, _| {
            moves += 1;
            ControlFlow::<std::convert::Infallible>::Continue(())
        });
    }
    moves as f64 / classes.max(1) as f64
}
