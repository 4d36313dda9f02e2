//! Tables from distances in memory.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use anser_core::hunt::HuntIndex;
use anser_core::{BySide, Dtw, Hunt, Side};
use anser_table::Defect;
use anser_table::format::Header;
use rayon::prelude::*;

use crate::io::manifest::GENERATOR;
use crate::io::raw_file::RawFile;
use crate::io::stored::{Stored, Summary};

/// Number of entries that a thread takes at a time, a multiple of 64.
const CHUNK: usize = 1 << 16;

/// Bits per entry that are assumed before a layer is solved: distances of up to 2,046 plies.
pub(crate) const ASSUMED_BITS: u32 = 12;

/// Returns the header of a table of distances before it is solved, as large as it is assumed to
/// become.
pub(crate) fn estimated_header(
    game: &Hunt,
    layer: u16,
    index: &HuntIndex,
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

/// Fills a table of `V` with the values that follow from codes of distances, by side to move.
pub(crate) fn fill<V: Stored>(table: &RawFile, codes: &BySide<Vec<u16>>) {
    for side in Side::BOTH {
        fill_groups::<V>(table.groups(side), table.bits(), &codes[side]);
    }
}

/// Returns the longest win of each side among codes of distances.
pub(crate) fn longest(codes: &[u16]) -> BySide<Option<u16>> {
    let parts = codes.par_chunks(CHUNK);
    let parts = parts.map(|codes| <Dtw as Stored>::tally(codes, codes.len() as u64));
    parts.reduce(Summary::default, Summary::merge).longest
}

/// Fills groups of `bits` words with the values of `V` that follow from codes of distances.
fn fill_groups<V: Stored>(groups: &[AtomicU64], bits: u32, codes: &[u16]) {
    let groups = groups.par_chunks(CHUNK / 64 * bits as usize);
    groups.zip(codes.par_chunks(CHUNK)).for_each(|(words, codes)| {
        let groups = V::into_groups(V::of_distances(codes), bits);
        words.iter().zip(groups).for_each(|(word, group)| word.store(group, Relaxed));
    });
}
