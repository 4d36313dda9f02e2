//! Packing: raw tables into the compressed ones that are shipped.
//!
//! The choices here were made by measuring, see `data/packing.md`: zstd at level 15 over planes of bits in the packing order
//! of the numbering, 128 Ki entries a block, no dictionary, every stored entry its true value. Where a layer leads to no
//! lower one, only one side to move is stored, the one with more moves, because a reader finds the other side's values by
//! looking at fewer successors. Where it does, both are stored: so each table answers by itself, whatever lower ones are
//! there.

pub(crate) mod convert;
mod distances;
mod reorder;
pub(crate) mod unpack;

use std::fs::File;
use std::ops::{ControlFlow, Range, RangeInclusive};
use std::path::{Path, PathBuf};

use anser_core::{Game, LayerIndex, Side};
use anser_table::error::Damage;
use anser_table::format::{
    BlockEncoder, Content, ENTRIES_PER_PAIR, Fill, FrameError, Header, Packing, code_of, decode_block, expand, pairs,
    set,
};
use anser_table::{Defect, Kind, Metric, Table, TableError, Tablebase};
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::SolveError;
use crate::io::writer::TableWriter;
use crate::observer::RunObserver;
use crate::pack::convert::{Conversion, Converter, Packed};
use crate::pack::reorder::Reordered;
use crate::system::threads::make_pool;

/// Entries in a block. Twice as many would make tables a twentieth smaller and the first probe of a block twice as slow,
/// where its limit is 50 microseconds.
const BLOCK_ENTRIES: u32 = 1 << 17;

/// Words in a block, two for 64 entries.
const BLOCK_WORDS: usize = BLOCK_ENTRIES as usize / 32;

/// The level of zstd where none is asked for. Level 19 gains one to two per cent in four times the time.
const LEVEL: i32 = 15;

/// The cache for values that are found by looking ahead, in bytes.
const CACHE: u64 = 256 << 20;

/// Entries of a side that is not stored that are read at a time.
const CHUNK: u64 = 1 << 24;

/// Words that a thread reads at a time.
const READ_WORDS: usize = 1 << 14;

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
    /// The level of zstd, 1 to 22; `None` for 15. A table that is packed already is copied as it is, unless `repack` is set.
    pub level: Option<i32>,
    /// Whether tables that are packed already are packed anew where their format is an older one, or their level is not the
    /// one asked for. Values, and the digest of the raw payload, stay the same.
    pub repack: bool,
    /// How many threads; `None` for one a core.
    pub threads: Option<usize>,
    /// Tables of which metric; `None` for all that are there.
    pub metric: Option<Metric>,
}

/// Packs the tables of a game.
///
/// Each table is read with all its checks, and nothing gets a name before everything in it was read back and the whole
/// source was found to be what its digest says. The bytes of a packed table depend on its source, the level and the version of
/// zstd alone.
/// Tables in `out` of the same values are kept, unless another level was asked for; a killed run is gone on with by the
/// same call. Tables that are packed already are checked and copied as they are, whatever their format, unless they are to be
/// [repacked](PackOptions::repack). The manifest of `out` is kept up to date.
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
pub fn pack<G: Game>(game: &G, options: &PackOptions, observer: &dyn RunObserver) -> Result<Vec<Packed>, SolveError> {
    let level = options.level.unwrap_or(LEVEL);
    if !(1..=22).contains(&level) {
        return Err(SolveError::Level(level));
    }
    let tables = Tablebase::open(game.clone(), &options.from)?.with_cache_bytes(CACHE);
    let (out, metric) = (&options.out, options.metric);
    let conversion = Conversion { game, tables: &tables, out, to: Kind::Packed, metric, observer };
    let level_matters = options.level.is_some();
    let packer = Packer { game, tables: &tables, level: level as i8, level_matters, repack: options.repack, observer };
    make_pool(options.threads)?.install(|| conversion.run(options.layers.clone(), &packer))
}

pub(crate) struct Packer<'a, G: Game> {
    pub(crate) game: &'a G,
    /// What packed sources leave to look-ahead is found in these.
    tables: &'a Tablebase<G>,
    pub(crate) level: i8,
    /// Whether the level was asked for.
    level_matters: bool,
    /// Whether packed tables are packed anew.
    repack: bool,
    pub(crate) observer: &'a dyn RunObserver,
}

impl<G: Game> Converter<G> for Packer<'_, G> {
    fn accepts(&self, there: &Header, source: &Header) -> bool {
        // What is copied comes at the level that it has.
        let copied = source.kind() == Kind::Packed && !self.repack;
        copied || self.is_as_asked(there)
    }

    fn copies(&self, source: &Header) -> bool {
        !self.repack || self.is_as_asked(source)
    }

    fn write(&self, source: &Table, index: &G::Index, file: &mut File, path: &Path) -> Result<Header, SolveError> {
        if source.header().metric() == Metric::Dtw {
            return self.write_distances(source, file, path);
        }
        let header = source.header();
        let layer = header.layer();
        let mut packing = Packing {
            stored: stored_sides(self.game, layer, index),
            fill: Fill::Exact,
            content: Content::Planes,
            level: self.level,
            block_entries: BLOCK_ENTRIES,
            payload_len: 0,
            dictionary_len: 0,
            dictionary_hash: 0,
        };
        self.observer.begin(&format!("packing layer {layer}"), header.entries().iter().sum());
        let mut writer = TableWriter::new(file, path)?;
        let mut digest = blake3::Hasher::new();
        let mut frames = Vec::new();
        for side in Side::BOTH {
            let entries = header.entries()[side.index()];
            let mut raw = RawReader { packer: self, source, index, side, digest: &mut digest, digested: 0 };
            if !packing.stored[side.index()] {
                for start in (0..entries).step_by(CHUNK as usize) {
                    self.check_interrupt()?;
                    let ranks = start..entries.min(start + CHUNK);
                    self.observer.advance(ranks.end - ranks.start);
                    raw.read(ranks)?;
                }
                continue;
            }
            let (mut reordered, mut written) = (Reordered::default(), 0);
            let mut write = |words: Vec<u64>| {
                for frame in self.frames(source, side, &words, entries - written, &packing)? {
                    frames.extend([packing.payload_len, xxh3_64(&frame)]);
                    packing.payload_len += frame.len() as u64;
                    writer.payload(&frame)?;
                }
                written = entries.min(written + words.len() as u64 * ENTRIES_PER_PAIR / 2);
                Ok::<_, SolveError>(())
            };
            for grid in index.packing_order(side).grids() {
                let (words, offset) = raw.read(grid.ranks.clone())?;
                reordered.add(&grid, &words, offset);
                write(reordered.take(BLOCK_WORDS))?;
            }
            write(reordered.finish())?;
        }
        finish(source, packing, &digest, frames, writer)
    }
}

/// Writes what comes after the payload, `digest` being that of the raw payload that was read and `frames` the offsets and
/// checks of the frames.
pub(crate) fn finish(
    source: &Table,
    packing: Packing,
    digest: &blake3::Hasher,
    mut frames: Vec<u64>,
    writer: TableWriter<'_>,
) -> Result<Header, SolveError> {
    let header = source.header();
    if digest.finalize() != *header.payload_digest() {
        return Err(damaged(source, Damage::Digest).into());
    }
    frames.push(packing.payload_len);
    let frames: Vec<u8> = frames.into_iter().flat_map(u64::to_le_bytes).collect();
    let packed = header
        .to_packed(packing, xxh3_64(&frames), header.generator())
        .map_err(|defect| SolveError::Header { layer: header.layer(), defect })?;
    writer.finish(&packed, &frames)?;
    Ok(packed)
}

/// Reads a side to move of a table from front to back.
struct RawReader<'a, G: Game> {
    packer: &'a Packer<'a, G>,
    source: &'a Table,
    index: &'a G::Index,
    side: Side,
    /// Of the payload.
    digest: &'a mut blake3::Hasher,
    /// The pairs that are in the digest.
    digested: u64,
}

impl<G: Game> RawReader<'_, G> {
    /// The pairs of words with these ranks, which follow those read before, and the number of the first rank's entry in
    /// them.
    fn read(&mut self, ranks: Range<u64>) -> Result<(Vec<u64>, u64), SolveError> {
        let first = ranks.start / ENTRIES_PER_PAIR;
        let mut words = vec![0; 2 * (pairs(ranks.end) - first) as usize];
        words.par_chunks_mut(READ_WORDS).enumerate().try_for_each(|(chunk, words)| {
            let first = first + (chunk * READ_WORDS / 2) as u64;
            let stored = self.source.read_pairs(self.side, first, words)?;
            if stored && !self.source.omits_static_outcomes() {
                return Ok(());
            }
            self.look_ahead(first, words)
        })?;
        let new = &words[2 * (self.digested - first) as usize..];
        new.chunks(READ_WORDS).for_each(|words| {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            self.digest.update(&bytes);
        });
        self.digested = pairs(ranks.end);
        Ok((words, ranks.start % ENTRIES_PER_PAIR))
    }

    /// The values from pair number `first` on, which a packed source leaves to look-ahead or to the rules.
    fn look_ahead(&self, first: u64, words: &mut [u64]) -> Result<(), SolveError> {
        if self.source.header().kind() == Kind::Raw {
            return Err(damaged(self.source, Damage::NotStored(self.side)).into());
        }
        words.fill(0);
        let start = first * ENTRIES_PER_PAIR;
        let end = (start + words.len() as u64 / 2 * ENTRIES_PER_PAIR).min(self.index.len(self.side));
        for rank in start..end {
            if rank % 4096 == 0 {
                self.packer.check_interrupt()?;
            }
            let outcome = self.packer.tables.probe_outcome(&self.index.unrank(self.side, rank))?;
            set(words, rank - start, code_of(outcome));
        }
        Ok(())
    }
}

impl<G: Game> Packer<'_, G> {
    /// Whether a packed table is what packing makes today, at the level that was asked for if one was.
    fn is_as_asked(&self, packed: &Header) -> bool {
        let level = packed.packing().is_some_and(|packing| packing.level == self.level);
        (level || !self.level_matters) && (packed.is_current() || !self.repack)
    }

    pub(crate) fn check_interrupt(&self) -> Result<(), SolveError> {
        if self.observer.interrupted() { Err(SolveError::Interrupted) } else { Ok(()) }
    }

    /// The frames of the blocks of these words, of which `entries` entries at most are used.
    fn frames(
        &self,
        source: &Table,
        side: Side,
        words: &[u64],
        entries: u64,
        packing: &Packing,
    ) -> Result<Vec<Vec<u8>>, SolveError> {
        words
            .par_chunks(BLOCK_WORDS)
            .enumerate()
            .map(|(number, words)| {
                self.check_interrupt()?;
                let entries = (entries - number as u64 * u64::from(BLOCK_ENTRIES)).min(u64::from(BLOCK_ENTRIES));
                let frame = frame(words, entries, packing).map_err(|why| unpackable(source, side, why))?;
                self.observer.advance(entries);
                Ok(frame)
            })
            .collect()
    }
}

/// The frame of a block that `words` hold, decoded again to be sure.
fn frame(words: &[u64], entries: u64, packing: &Packing) -> Result<Vec<u8>, FrameError> {
    let mut codes = vec![0; entries as usize];
    expand(words, 0, &mut codes);
    // An encoder that was used before may search otherwise and find other matches: at some levels the hashes of zstd are
    // salted with what went before. Next to the search a new one costs nothing.
    let frame = BlockEncoder::new(packing.content, packing.level, None)?.encode(&codes)?;
    if *decode_block(&frame, packing.content, entries as u32, None)? != *words {
        return Err(FrameError::RoundTrip);
    }
    Ok(frame)
}

pub(crate) fn damaged(source: &Table, damage: Damage) -> TableError {
    TableError::new(source.path(), Defect::Damaged(damage))
}

/// The reason why entries of `source` with `side` to move cannot be packed: damage, or no memory.
pub(crate) fn unpackable(source: &Table, side: Side, error: FrameError) -> TableError {
    match error {
        FrameError::Memory => TableError::new(source.path(), FrameError::Memory),
        error => damaged(source, Damage::Unpackable { side, error }),
    }
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
