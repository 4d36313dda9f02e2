//! Tables from codes of distances in memory: what goes into the header, and the file.

use std::ops::Range;
use std::path::Path;

use anser_core::{Dtw, Game, LayerIndex, Side};
use anser_table::Defect;
use anser_table::format::{Counts, Header, Longest, code_of, contract_codes, count_slot};
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::SolveError;
use crate::io::counts::add;
use crate::io::files::AtomicFile;
use crate::io::manifest::GENERATOR;
use crate::io::writer::{Checks, TableWriter};

/// Entries that a thread takes at a time, a multiple of 64.
const CHUNK: usize = 1 << 16;

/// Chunks that are put in words between two writes.
const BATCH: usize = 64;

/// The bits that an entry of a table is taken to have before it is solved: distances of up to 2,046 plies.
pub(crate) const ASSUMED_BITS: u32 = 12;

/// The header of a table before it is solved, as large as it may be.
pub(crate) fn estimated_header<G: Game>(game: &G, layer: u16, index: &G::Index) -> Result<Header, Defect> {
    let plies = (1 << (ASSUMED_BITS - 1)) - 2;
    Header::new_raw_dtw(game, layer, index, [[Some(plies); 2]; 2], GENERATOR)
}

/// What a header says of the values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) counts: Counts,
    pub(crate) longest: Longest,
}

/// Summarises the values of a layer, given as codes by side to move.
pub(crate) fn summary(index: &impl LayerIndex, codes: [&[u16]; 2]) -> Summary {
    let mut summary = Summary::default();
    for side in Side::BOTH {
        let parts = codes[side.index()].par_chunks(CHUNK).enumerate().map(|(chunk, codes)| {
            let first = (chunk * CHUNK) as u64;
            summary_of_ranks(index, side, first..first + codes.len() as u64, codes)
        });
        (summary.counts[side.index()], summary.longest[side.index()]) =
            parts.reduce(|| ([0; 3], [None; 2]), |(a, b), (c, d)| (add(a, c), [b[0].max(d[0]), b[1].max(d[1])]));
    }
    summary
}

/// The counts of the positions of some classes by outcome, and the plies of the longest win of each side among them. `codes`
/// begins with the first of the ranks.
pub(crate) fn summary_of_ranks(
    index: &impl LayerIndex,
    side: Side,
    ranks: Range<u64>,
    codes: &[u16],
) -> ([u64; 3], [Option<u16>; 2]) {
    let symmetries = u64::from(index.scheme().symmetries);
    let value = |code: u16| Dtw::from_code(code).unwrap_or(Dtw::DRAW);
    let (mut counts, mut longest) = ([0; 3], [None; 2]);
    // As if every class had as many positions as there are symmetries ...
    for value in codes.iter().map(|&code| value(code)) {
        counts[count_slot(value.outcome())] += symmetries;
        if let Some(winner) = value.winner() {
            longest[winner.index()] = longest[winner.index()].max(value.plies());
        }
    }
    // ... less what is missing from those that have not.
    let first = ranks.start;
    index.visit_small_orbits(side, ranks, |rank, orbit| {
        counts[count_slot(value(codes[(rank - first) as usize]).outcome())] -= symmetries - orbit;
    });
    (counts, longest)
}

/// Writes the table of the distances of a layer, given as codes by side to move, to the file `path`, which appears complete
/// or not at all.
pub(crate) fn write_table<G: Game>(
    game: &G,
    layer: u16,
    index: &G::Index,
    codes: &[Vec<u16>; 2],
    path: &Path,
) -> Result<Header, SolveError> {
    let Summary { counts, longest } = summary(index, codes.each_ref().map(Vec::as_slice));
    let header = Header::new_raw_dtw(game, layer, index, longest, GENERATOR)
        .map_err(|defect| SolveError::Header { layer, defect })?;
    write(header, counts, codes, path, |code| code)
}

/// As [`write_table`], but writes the table of the outcomes.
pub(crate) fn write_outcomes<G: Game>(
    game: &G,
    layer: u16,
    index: &G::Index,
    codes: &[Vec<u16>; 2],
    path: &Path,
) -> Result<Header, SolveError> {
    let Summary { counts, .. } = summary(index, codes.each_ref().map(Vec::as_slice));
    let header =
        Header::new_raw(game, layer, index, GENERATOR).map_err(|defect| SolveError::Header { layer, defect })?;
    write(header, counts, codes, path, |code| code_of(Dtw::from_code(code).unwrap_or(Dtw::DRAW).outcome()).into())
}

/// Writes a table whose entries are `entry` of the codes.
fn write(
    mut header: Header,
    counts: Counts,
    codes: &[Vec<u16>; 2],
    path: &Path,
    entry: impl Fn(u16) -> u16 + Sync,
) -> Result<Header, SolveError> {
    let bits = header.bits();
    let mut file = AtomicFile::create(path)?;
    let mut writer = TableWriter::new(file.file(), path)?;
    let (mut digest, mut checks) = (blake3::Hasher::new(), Checks::default());
    for batch in codes.iter().flat_map(|codes| codes.chunks(BATCH * CHUNK)) {
        let parts: Vec<Vec<u8>> = batch
            .par_chunks(CHUNK)
            .map(|codes| {
                let entries: Vec<u16> = codes.iter().map(|&code| entry(code)).collect();
                contract_codes(&entries, bits).into_iter().flat_map(u64::to_le_bytes).collect()
            })
            .collect();
        for bytes in parts {
            digest.update(&bytes);
            checks.update(&bytes);
            writer.payload(&bytes)?;
        }
    }
    let checks = checks.finish();
    header.finish(counts, *digest.finalize().as_bytes(), xxh3_64(&checks));
    writer.finish(&header, &checks)?;
    file.commit()?;
    Ok(header)
}
