//! Unpacking: packed tables into the raw tables that they were made from, byte for byte.

use std::fs::File;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};

use anser_core::hunt::HuntIndex;
use anser_core::{BySide, Hunt, LayerIndex, Side};
use anser_retrograde::parallel;
use anser_table::format::{Header, bytes_of};
use anser_table::{Metric, Table, Tablebase};
use xxhash_rust::xxh3::xxh3_64;

use crate::error::{TableFault, WrongTable};
use crate::io::stored::Summary;
use crate::io::writer::{Checks, TableWriter};
use crate::observer::RunObserver;
use crate::pack::convert::{Conversion, To};
use crate::reports::Packed;
use crate::system::threads::make_pool;
use crate::verify::full::Checked;
use crate::verify::recompute::Recompute;
use crate::{LayerOf, SolveError, check_interrupt};

/// Least number of entries that a thread unpacks at a time; a block if that is larger.
const CHUNK: u64 = 1 << 16;

/// Number of chunks that are unpacked between two writes.
const BATCH: u64 = 256;

/// Size of the cache for look-ahead in bytes. Successors are in order like the positions
/// themselves, in some tens of places at once.
const CACHE: u64 = 256 << 20;

/// Options of [`unpack`].
#[derive(Clone, Debug, Default)]
pub struct UnpackOptions {
    /// Directories of the tables. The first that has a layer is used, and in it a raw table before
    /// a packed one.
    pub from: Vec<PathBuf>,
    /// Directory of the raw tables. It may be one of `from`.
    pub out: PathBuf,
    /// Layers to unpack; `None` for all that have tables.
    pub layers: Option<RangeInclusive<u16>>,
    /// Number of threads; `None` for one per core.
    pub threads: Option<usize>,
    /// The metric to unpack; `None` for all.
    pub metric: Option<Metric>,
}

/// Unpacks the tables of a game to the bytes of the raw tables that solving made.
///
/// Values that a table omits are found by one move of look-ahead. A raw table appears under its
/// name only if its digest and its counts are those of the packed table. Tables in `out` with the
/// same values are kept, raw tables in `from` are checked and copied, and the manifest of `out` is
/// kept up to date.
///
/// # Errors
/// If a requested layer, or a lower one that look-ahead needs, has no table, if a table is damaged,
/// or if a sound table in `out` has other values. That table is left as it is.
pub fn unpack(
    game: &Hunt,
    options: &UnpackOptions,
    observer: &dyn RunObserver,
) -> Result<Vec<Packed>, SolveError> {
    let tables = Tablebase::open(game.clone(), &options.from)?.with_cache_bytes(CACHE);
    let (out, metric) = (&options.out, options.metric);
    let conversion = Conversion { game, tables: &tables, out, to: To::Raw, metric, observer };
    parallel::install(&make_pool(options.threads)?, || conversion.run(options.layers.clone()))
}

impl Conversion<'_> {
    pub(super) fn unpack_values<V: Checked>(
        &self,
        source: &Table,
        index: &HuntIndex,
        file: &mut File,
        path: &Path,
    ) -> Result<Header, SolveError> {
        let layer = source.header().layer();
        let mut header =
            source.header().to_raw().map_err(|defect| SolveError::Header { layer, defect })?;
        let Conversion { game, tables, observer, .. } = *self;
        let recompute = Recompute::new(LayerOf { game, layer, index }, tables, observer);
        let mut known = BySide::default();
        for side in Side::BOTH {
            known[side] = V::read_stored(&recompute, source, side)?.unwrap_or_default();
        }
        let source = Source::<V> { table: source, recompute, known };
        let units = header.entries().as_array().iter().sum();
        observer.begin(&format!("unpacking layer {layer}"), units);
        let mut writer = TableWriter::new(file, path)?;
        let mut digest = blake3::Hasher::new();
        let mut checks = Checks::default();
        let mut summaries = BySide::<Summary>::default();
        let chunk = source
            .table
            .header()
            .packing()
            .map_or(CHUNK, |packing| CHUNK.max(u64::from(packing.block_entries)));
        for side in Side::BOTH {
            let entries = index.len(side);
            for first in (0..entries).step_by((BATCH * chunk) as usize) {
                let last = entries.min(first + BATCH * chunk);
                let batch = parallel::try_map((first..last).step_by(chunk as usize), &|first| {
                    self.chunk(&source, side, first..last.min(first + chunk))
                })?;
                for Chunk { bytes, summary } in batch {
                    digest.update(&bytes);
                    checks.update(&bytes);
                    summaries[side] = summaries[side].merge(summary);
                    writer.payload(&bytes)?;
                }
            }
        }
        let checks = checks.finish();
        let (counts, longest) = (summaries.map(|one| one.counts), summaries.map(|one| one.longest));
        header.finish(counts, *digest.finalize().as_bytes(), xxh3_64(&checks));
        let promised = source.table.header();
        let differs =
            header.payload_digest() != promised.payload_digest() || counts != promised.counts();
        if differs || promised.longest().unwrap_or_default() != longest {
            return Err(self.wrong(source.table));
        }
        writer.finish(&header, &checks, &source.table.description_text()?)?;
        Ok(header)
    }
}

/// Entries of a raw table.
struct Chunk {
    bytes: Vec<u8>,
    summary: Summary,
}

/// A packed table, and what is known of its values.
struct Source<'a, V: Checked> {
    table: &'a Table,
    recompute: Recompute<'a, V>,
    /// The values of the sides to move that were read at once.
    known: BySide<Vec<V::Word>>,
}

impl Conversion<'_> {
    /// Reads the values of `ranks`, which begin with a block.
    fn chunk<V: Checked>(
        &self,
        source: &Source<'_, V>,
        side: Side,
        ranks: Range<u64>,
    ) -> Result<Chunk, SolveError> {
        check_interrupt(self.observer)?;
        let Source { table, recompute, known } = source;
        let (len, index) = (ranks.end - ranks.start, recompute.index);
        let [this, other] = [side, side.other()].map(|side| &known[side]);
        let mut words = vec![V::Word::default(); V::words(len)];
        if !this.is_empty() {
            let first = V::words(ranks.start);
            words.copy_from_slice(&this[first..first + V::words(len)]);
        } else if !table.stores(side) && !other.is_empty() {
            V::recompute(recompute, side, ranks.clone(), known, &mut words)?;
        } else if !V::read(table, side, ranks.start, &mut words)? {
            words = self.probe::<V>(index, side, ranks.clone())?;
        }
        self.observer.advance(len);
        let summary = Summary::of::<V>(index, side, ranks, &words);
        Ok(Chunk { bytes: bytes_of(&V::into_groups(words, table.header().bits())), summary })
    }

    fn wrong(&self, source: &Table) -> SolveError {
        let header = source.header();
        let of = (header.layer(), header.metric(), header.kind());
        WrongTable::error(self.game, source.path(), of, TableFault::Unpacked)
    }
}
