//! Tables from distances in memory: the header, and the file.

use std::path::Path;

use anser_core::{BySide, Dtw, Game, LayerIndex, Side};
use anser_table::Defect;
use anser_table::format::Header;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::SolveError;
use crate::io::files::AtomicFile;
use crate::io::manifest::GENERATOR;
use crate::io::stored::{Stored, Summary};
use crate::io::writer::{Checks, TableWriter};

/// Number of entries that a thread takes at a time, a multiple of 64.
const CHUNK: usize = 1 << 16;

/// Number of chunks that are converted between two writes.
const BATCH: usize = 64;

/// Bits per entry that are assumed before a layer is solved: distances of up to 2,046 plies.
pub(crate) const ASSUMED_BITS: u32 = 12;

/// Returns the header of a table of distances before it is solved, as large as it is assumed to
/// become.
pub(crate) fn estimated_header<G: Game>(
    game: &G,
    layer: u16,
    index: &G::Index,
) -> Result<Header, Defect> {
    let plies = (1 << (ASSUMED_BITS - 1)) - 2;
    Header::new_raw_dtw(
        game,
        layer,
        index,
        BySide::from_fn(|_| BySide::from_fn(|_| Some(plies))),
        GENERATOR,
    )
}

/// Writes the table of `V` of a layer, given as codes of distances by side to move, to the file
/// `path`, which appears complete or not at all.
pub(crate) fn write_table<V: Stored, G: Game>(
    game: &G,
    layer: u16,
    index: &G::Index,
    codes: &[Vec<u16>; 2],
    path: &Path,
) -> Result<Header, SolveError> {
    let summaries = BySide::from_fn(|side| summarize(index, side, &codes[side.index()]));
    let mut header =
        V::new_header(game, layer, index, summaries.map(|summary| summary.longest), GENERATOR)
            .map_err(|defect| SolveError::Header { layer, defect })?;
    let bits = header.bits();
    let mut file = AtomicFile::create(path)?;
    let mut writer = TableWriter::new(file.file(), path)?;
    let (mut digest, mut checks) = (blake3::Hasher::new(), Checks::default());
    for batch in codes.iter().flat_map(|codes| codes.chunks(BATCH * CHUNK)) {
        let parts: Vec<Vec<u8>> = batch
            .par_chunks(CHUNK)
            .map(|codes| bytes_of(V::into_groups(V::of_distances(codes), bits)))
            .collect();
        for bytes in parts {
            digest.update(&bytes);
            checks.update(&bytes);
            writer.payload(&bytes)?;
        }
    }
    let checks = checks.finish();
    let counts = summaries.map(|summary| summary.counts);
    header.finish(counts, *digest.finalize().as_bytes(), xxh3_64(&checks));
    writer.finish(&header, &checks)?;
    file.commit()?;
    Ok(header)
}

/// Summarizes the distances with `side` to move.
fn summarize(index: &impl LayerIndex, side: Side, codes: &[u16]) -> Summary {
    let parts = codes.par_chunks(CHUNK).enumerate().map(|(chunk, codes)| {
        let first = (chunk * CHUNK) as u64;
        Summary::of::<Dtw>(index, side, first..first + codes.len() as u64, codes)
    });
    parts.reduce(Summary::default, Summary::merge)
}

/// Returns words as the bytes of a raw payload.
pub(crate) fn bytes_of(words: impl IntoIterator<Item = u64>) -> Vec<u8> {
    words.into_iter().flat_map(u64::to_le_bytes).collect()
}
