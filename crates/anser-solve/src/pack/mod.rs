//! Packing: raw tables into the compressed ones that are shipped.
//!
//! `payload.rs` defines how packed tables hold the values of each metric: which sides to move are
//! stored, in which blocks, and as what. `data/packing.md` has the measurements behind these
//! choices.

pub(crate) mod convert;
mod order;
mod payload;
mod reader;
pub(crate) mod unpack;

use std::fs::File;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anser_core::hunt::HuntIndex;
use anser_core::{Hunt, LayerIndex, Side};
use anser_retrograde::parallel;
use anser_table::error::Damage;
use anser_table::format::{ENTRIES_PER_PAIR, FrameError, Header, Packing, bytes_of};
use anser_table::{Metric, Table, TableError, Tablebase};
use xxhash_rust::xxh3::xxh3_64;

use crate::io::writer::TableWriter;
use crate::observer::RunObserver;
use crate::pack::convert::{Conversion, To};
use crate::pack::order::{Ordered, pieces};
use crate::pack::payload::{Packable, frame};
use crate::pack::reader::{RawReader, damaged};
use crate::reports::Packed;
use crate::system::threads::make_pool;
use crate::{SolveError, check_interrupt};

/// The zstd level unless another is requested. Level 19 gains 1 to 2 % in four times the time.
pub const PACK_LEVEL: i32 = 15;

/// A level of zstd, 1 to 22.
#[derive(Clone, Copy)]
pub(crate) struct PackLevel(pub(crate) i8);

impl PackLevel {
    pub(crate) fn new(level: i32) -> Result<PackLevel, SolveError> {
        if (1..=22).contains(&level) {
            Ok(PackLevel(level as i8))
        } else {
            Err(SolveError::Level(level))
        }
    }
}

/// Size of the cache for look-ahead in bytes.
const CACHE: u64 = 256 << 20;

/// Options of [`pack`].
#[derive(Clone, Debug, Default)]
pub struct PackOptions {
    /// Directories of the tables. The first that has a layer is used, and in it a raw table before
    /// a packed one.
    pub from: Vec<PathBuf>,
    /// Directory of the packed tables. It may be one of `from`.
    pub out: PathBuf,
    /// Layers to pack; `None` for all that have tables.
    pub layers: Option<RangeInclusive<u16>>,
    /// The zstd level, 1 to 22; `None` for 15 where a raw table is packed. A packed table is copied
    /// as it is, or packed again if its level is not the requested one.
    pub level: Option<i32>,
    /// Number of threads; `None` for one per core.
    pub threads: Option<usize>,
    /// The metric to pack; `None` for all.
    pub metric: Option<Metric>,
}

/// Packs the tables of a game.
///
/// Each table is read with all checks. A packed table appears under its name only after every block
/// was decoded again, and the digest of the source was found right. The bytes of a packed table
/// depend on its source, the level, and the version of zstd alone.
///
/// Tables in `out` with the same values are kept, unless another level is requested, so the same
/// call resumes from an interrupted run. Packed tables are checked and copied as they are, unless
/// another level is requested. The manifest of `out` is kept up to date.
///
/// ```
/// use anser_core::Hunt;
/// use anser_solve::{PackOptions, SolveOptions, Unobserved, pack, solve};
///
/// let dir = std::env::temp_dir().join(format!("anser-pack-{}", std::process::id()));
/// let game = Hunt::default();
/// let [raw, out] = ["raw", "packed"].map(|name| dir.join(name));
/// solve(&game, &SolveOptions { layers: Some(1..=4), ..SolveOptions::new(&raw) }, &Unobserved)?;
/// let options = PackOptions { from: vec![raw], out, ..PackOptions::default() };
/// let packed = pack(&game, &options, &Unobserved)?;
/// assert_eq!(packed.len(), 4);
/// assert!(packed[3].bytes * 5 < packed[3].raw_bytes);
/// # std::fs::remove_dir_all(&dir).unwrap();
/// # Ok::<(), anser_solve::SolveError>(())
/// ```
///
/// # Errors
/// If a requested layer has no table, if a table is damaged, or if a sound table in `out` has other
/// values. That table is left as it is.
pub fn pack(
    game: &Hunt,
    options: &PackOptions,
    observer: &dyn RunObserver,
) -> Result<Vec<Packed>, SolveError> {
    let level = PackLevel::new(options.level.unwrap_or(PACK_LEVEL))?;
    let tables = Tablebase::open(game.clone(), &options.from)?.with_cache_bytes(CACHE);
    let (out, metric) = (&options.out, options.metric);
    let to = To::Packed { level, level_matters: options.level.is_some() };
    let conversion = Conversion { game, tables: &tables, out, to, metric, observer };
    parallel::install(&make_pool(options.threads)?, || conversion.run(options.layers.clone()))
}

/// Packs a raw table as [`pack`] does, into its own directory `out`, which is locked. A packed
/// table with the same values is kept, whatever its level.
pub(crate) fn pack_table(
    game: &Hunt,
    source: Table,
    level: PackLevel,
    out: &Path,
    observer: &dyn RunObserver,
) -> Result<Packed, SolveError> {
    let (layer, metric) = (source.header().layer(), source.header().metric());
    let tables = &Tablebase::from_tables(game.clone(), [source]);
    let to = To::Packed { level, level_matters: false };
    let conversion = Conversion { game, tables, out, to, metric: Some(metric), observer };
    conversion.table(tables.table_of(layer, metric)?)
}

impl Conversion<'_> {
    fn pack_values<V: Packable>(
        &self,
        PackLevel(level): PackLevel,
        source: &Table,
        index: &HuntIndex,
        file: &mut File,
        path: &Path,
    ) -> Result<Header, SolveError> {
        let (header, observer) = (source.header(), self.observer);
        let layer = header.layer();
        let mut packing = Packing {
            stored: V::stored_sides(self.game, layer, index),
            level,
            block_entries: V::BLOCK_ENTRIES,
            payload_len: 0,
        };
        observer.begin(
            &format!("packing layer {layer}{}", V::SUFFIX),
            header.entries().as_array().iter().sum(),
        );
        let mut writer = TableWriter::new(file, path)?;
        let mut digest = blake3::Hasher::new();
        let mut frames = Vec::new();
        for side in Side::BOTH {
            let entries = header.entries()[side];
            let mut raw = RawReader {
                conversion: self,
                source,
                index,
                side,
                digest: &mut digest,
                digested: 0,
            };
            if !packing.stored[side] {
                // The digest is of all values.
                for ranks in pieces(entries) {
                    check_interrupt(observer)?;
                    observer.advance(ranks.end - ranks.start);
                    raw.read::<V>(ranks)?;
                }
                continue;
            }
            let (mut ordered, mut written) = (Ordered::<V>::default(), 0);
            let mut write = |words: Vec<V::Word>| {
                for frame in self.frames::<V>(level, source, side, &words, entries - written)? {
                    frames.extend([packing.payload_len, xxh3_64(&frame)]);
                    packing.payload_len += frame.len() as u64;
                    writer.payload(&frame)?;
                }
                let groups = words.len() / V::words(ENTRIES_PER_PAIR);
                written = entries.min(written + groups as u64 * ENTRIES_PER_PAIR);
                Ok::<_, SolveError>(())
            };
            for grid in index.packing_order(side).grids() {
                let (groups, offset) = raw.read::<V>(grid.ranks.clone())?;
                ordered.add(&grid, &V::of_groups(groups, header.bits()), offset);
                write(ordered.take(V::words(V::BLOCK_ENTRIES.into())))?;
            }
            write(ordered.finish())?;
        }
        finish(source, packing, &digest, frames, writer)
    }

    /// Returns the frames of the blocks of `words`, the first `entries` entries of which are used.
    fn frames<V: Packable>(
        &self,
        level: i8,
        source: &Table,
        side: Side,
        words: &[V::Word],
        entries: u64,
    ) -> Result<Vec<Vec<u8>>, SolveError> {
        let header = source.header();
        let block_entries = u64::from(V::BLOCK_ENTRIES);
        let blocks =
            words.chunks(V::words(block_entries)).zip((0..).step_by(block_entries as usize));
        parallel::try_map(blocks, &|(block, first)| {
            check_interrupt(self.observer)?;
            let entries = (entries - first).min(block_entries);
            let frame = frame::<V>(block, entries as u32, side, header, level)
                .map_err(|error| unpackable(source, side, error))?;
            self.observer.advance(entries);
            Ok(frame)
        })
    }
}

/// Writes what follows the payload. `digest` is that of the raw payload that was read, `frames`
/// holds the offset and the hash of every frame.
fn finish(
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
    let frames = bytes_of(&frames);
    let packed = header
        .to_packed(packing, xxh3_64(&frames), header.generator())
        .map_err(|defect| SolveError::Header { layer: header.layer(), defect })?;
    writer.finish(&packed, &frames, &source.description_text()?)?;
    Ok(packed)
}

/// Returns the reason why entries of `source` cannot be packed: damage, or no memory.
fn unpackable(source: &Table, side: Side, error: FrameError) -> TableError {
    match error {
        FrameError::Memory => TableError::new(source.path(), FrameError::Memory),
        error => damaged(source, Damage::Unpackable { side, error }),
    }
}
