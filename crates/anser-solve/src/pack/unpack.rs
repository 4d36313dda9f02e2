//! Unpacking: packed tables back into the raw ones they were made from, byte for byte.

use std::fs::File;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};

use anser_core::{Game, LayerIndex, Side};
use anser_table::format::{Counts, ENTRIES_PER_PAIR, Header, Longest, code_of, contract_codes, pairs, set};
use anser_table::{Kind, Metric, Table, Tablebase};
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::SolveError;
use crate::error::metric_words;
use crate::io::codes::summary_of_ranks;
use crate::io::counts::{add, count_positions};
use crate::io::writer::{Checks, TableWriter};
use crate::observer::RunObserver;
use crate::pack::convert::{Conversion, Converter, Packed};
use crate::system::threads::make_pool;

/// The fewest entries that a thread takes at a time; more where blocks are larger.
const CHUNK: u64 = 1 << 16;

/// Chunks that are unpacked between two writes.
const BATCH: u64 = 256;

/// The cache for values that are found by looking ahead, in bytes. Successors lie in order like the positions themselves,
/// in some tens of places at once.
const CACHE: u64 = 256 << 20;

/// What to unpack, and where to.
#[derive(Clone, Debug, Default)]
pub struct UnpackOptions {
    /// Where the tables are; the first directory that has a layer counts, and in it a raw table before a packed one.
    pub from: Vec<PathBuf>,
    /// Where the raw tables go. It may be one of `from`.
    pub out: PathBuf,
    /// Which layers; `None` for all that are there.
    pub layers: Option<RangeInclusive<u16>>,
    /// How many threads; `None` for one a core.
    pub threads: Option<usize>,
    /// Tables of which metric; `None` for all that are there.
    pub metric: Option<Metric>,
}

/// Unpacks the tables of a game: gives back the bytes of the raw tables that solving made.
///
/// Values that a table leaves out are found by one move of look-ahead. Nothing gets a name before its digest and its counts
/// are those of the table that was packed. Tables in `out` of the same values are kept, raw tables in `from` are checked
/// and copied, and the manifest of `out` is kept up to date.
///
/// # Errors
/// A layer asked for that has no table, or one below it without which a value that was left out can not be found; a damaged
/// table; a sound table in `out` that has other values, which is left alone.
pub fn unpack<G: Game>(
    game: &G,
    options: &UnpackOptions,
    observer: &dyn RunObserver,
) -> Result<Vec<Packed>, SolveError> {
    let tables = Tablebase::open(game.clone(), &options.from)?.with_cache_bytes(CACHE);
    let (out, metric) = (&options.out, options.metric);
    let conversion = Conversion { game, tables: &tables, out, to: Kind::Raw, metric, observer };
    let unpacker = Unpacker { game, tables: &tables, observer };
    make_pool(options.threads)?.install(|| conversion.run(options.layers.clone(), &unpacker))
}

struct Unpacker<'a, G: Game> {
    game: &'a G,
    tables: &'a Tablebase<G>,
    observer: &'a dyn RunObserver,
}

impl<G: Game> Converter<G> for Unpacker<'_, G> {
    fn accepts(&self, _: &Header, _: &Header) -> bool {
        true
    }

    fn copies(&self, _: &Header) -> bool {
        true
    }

    fn write(&self, source: &Table, index: &G::Index, file: &mut File, path: &Path) -> Result<Header, SolveError> {
        let layer = source.header().layer();
        let mut header = source.header().to_raw().map_err(|defect| SolveError::Header { layer, defect })?;
        let units = header.entries().iter().sum();
        self.observer.begin(&format!("unpacking layer {layer}"), units);
        let mut writer = TableWriter::new(file, path)?;
        let mut digest = blake3::Hasher::new();
        let mut checks = Checks::default();
        let (mut counts, mut longest) = (Counts::default(), Longest::default());
        let chunk = source.header().packing().map_or(CHUNK, |packing| CHUNK.max(u64::from(packing.block_entries)));
        for side in Side::BOTH {
            let entries = index.len(side);
            for first in (0..entries).step_by((BATCH * chunk) as usize) {
                let last = entries.min(first + BATCH * chunk);
                let batch: Vec<Chunk> = (first / chunk..last.div_ceil(chunk))
                    .into_par_iter()
                    .map(|number| self.chunk(source, index, side, number * chunk..last.min((number + 1) * chunk)))
                    .collect::<Result<_, SolveError>>()?;
                for Chunk { bytes, counted, longest: there } in batch {
                    digest.update(&bytes);
                    checks.update(&bytes);
                    counts[side.index()] = add(counts[side.index()], counted);
                    for (longest, there) in longest[side.index()].iter_mut().zip(there) {
                        *longest = (*longest).max(there);
                    }
                    writer.payload(&bytes)?;
                }
            }
        }
        let checks = checks.finish();
        header.finish(counts, *digest.finalize().as_bytes(), xxh3_64(&checks));
        let promised = source.header();
        let differs = header.payload_digest() != promised.payload_digest() || counts != promised.counts();
        if differs || promised.longest().is_some_and(|promised| promised != longest) {
            return Err(self.wrong(source));
        }
        writer.finish(&header, &checks)?;
        Ok(header)
    }
}

/// Entries of a raw table.
struct Chunk {
    bytes: Vec<u8>,
    /// The positions they stand for, by outcome.
    counted: [u64; 3],
    /// The plies of the longest wins among them, where values are distances.
    longest: [Option<u16>; 2],
}

impl<G: Game> Unpacker<'_, G> {
    /// The values of some ranks, the first of which begins a block.
    fn chunk(&self, source: &Table, index: &G::Index, side: Side, ranks: Range<u64>) -> Result<Chunk, SolveError> {
        if source.header().metric() == Metric::Dtw {
            return self.chunk_of_distances(source, index, side, ranks);
        }
        let len = ranks.end - ranks.start;
        let mut words = vec![0; 2 * pairs(len) as usize];
        let stored = source.read_pairs(side, ranks.start / ENTRIES_PER_PAIR, &mut words)?;
        if !stored || source.omits_static_outcomes() {
            for (entry, rank) in ranks.clone().enumerate() {
                if entry % 4096 == 0 && self.observer.interrupted() {
                    return Err(SolveError::Interrupted);
                }
                let outcome = self.tables.probe_outcome(&index.unrank(side, rank))?;
                set(&mut words, entry as u64, code_of(outcome));
            }
        }
        if self.observer.interrupted() {
            return Err(SolveError::Interrupted);
        }
        self.observer.advance(len);
        let counted = count_positions(index, side, ranks, words.as_chunks().0);
        Ok(Chunk { bytes: bytes_of(&words), counted, longest: [None; 2] })
    }

    /// The same for distances, of which a packed table leaves out none.
    fn chunk_of_distances(
        &self,
        source: &Table,
        index: &G::Index,
        side: Side,
        ranks: Range<u64>,
    ) -> Result<Chunk, SolveError> {
        if self.observer.interrupted() {
            return Err(SolveError::Interrupted);
        }
        let mut codes = vec![0; (ranks.end - ranks.start) as usize];
        if !source.read_codes(side, ranks.start, &mut codes)? {
            return Err(self.wrong(source));
        }
        self.observer.advance(codes.len() as u64);
        let (counted, longest) = summary_of_ranks(index, side, ranks, &codes);
        Ok(Chunk { bytes: bytes_of(&contract_codes(&codes, source.header().bits())), counted, longest })
    }

    fn wrong(&self, source: &Table) -> SolveError {
        let (game, rules, layer) = (self.game.name(), self.game.rules_id(), source.header().layer());
        SolveError::Wrong {
            path: source.path().to_owned(),
            problem: "what it unpacks to is not what its header promises; it is damaged, or a lower table that it \
                      leaves values to is of something else"
                .into(),
            command: format!(
                "anser solve {game} --rules {rules} --layers {}-{layer}{}",
                self.game.first_needed(layer),
                metric_words(source.header().metric())
            ),
        }
    }
}

fn bytes_of(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
