//! Tables from distances in memory.

use anser_core::hunt::HuntIndex;
use anser_core::{BySide, Dtw, Hunt, Side};
use anser_retrograde::parallel;
use anser_table::Defect;
use anser_table::format::Header;

use crate::SolveError;
use crate::io::manifest::GENERATOR;
use crate::io::raw_file::RawFile;
use crate::io::stored::{Stored, Summary};

/// Number of entries that a thread takes at a time, a multiple of 64.
const CHUNK: usize = 1 << 16;

/// Chunks that are converted while others are written.
const AHEAD: usize = 32;

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
/// One thread writes to the file what the others have converted.
pub(crate) fn fill<V: Stored, C: Copy + Into<u16> + Sync>(
    table: &RawFile,
    codes: BySide<&[C]>,
) -> Result<(), SolveError> {
    let bits = table.bits();
    let groups = |codes: &[C]| V::into_groups(V::of_distances(&widened(codes)), bits);
    for side in Side::BOTH {
        let mut first = 0;
        let mut write = |parts: Vec<Vec<u64>>| {
            parts.into_iter().try_for_each(|groups| {
                table.write_groups(side, first, &groups)?;
                first += groups.len();
                Ok::<_, SolveError>(())
            })
        };
        let mut converted = Vec::new();
        for codes in codes[side].chunks(AHEAD * CHUNK) {
            let (written, next) = rayon::join(
                || write(std::mem::take(&mut converted)),
                || parallel::map(codes.chunks(CHUNK), &groups),
            );
            written?;
            converted = next;
        }
        write(converted)?;
    }
    Ok(())
}

/// Returns the longest win of each side among codes of distances.
pub(crate) fn longest<C: Copy + Into<u16> + Sync>(codes: &[C]) -> BySide<Option<u16>> {
    let parts = parallel::map(codes.chunks(CHUNK), &|codes| {
        <Dtw as Stored>::tally(&widened(codes), codes.len() as u64)
    });
    parts.into_iter().fold(Summary::default(), Summary::merge).longest
}

fn widened<C: Copy + Into<u16>>(codes: &[C]) -> Vec<u16> {
    codes.iter().map(|&code| code.into()).collect()
}
