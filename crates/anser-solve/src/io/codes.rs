//! Tables from distances in memory.

use std::borrow::Cow;
use std::ops::Range;

use anser_core::{BySide, Dtw, LayerIndex, Side};
use anser_retrograde::isa::{Isa, Kernel, Level, dispatch};
use anser_retrograde::parallel;

use crate::SolveError;
use crate::io::raw_file::RawFile;
use crate::io::stored::{Stored, Summary};

/// Number of entries that a thread takes at a time, a multiple of 64.
const CHUNK: usize = 1 << 16;

/// Chunks that are converted while others are written.
const AHEAD: usize = 32;

/// Bits per entry that are assumed before a layer is solved: distances of up to 2,046 plies.
pub(crate) const ASSUMED_BITS: u32 = 12;

/// Values of a layer with one side to move, in memory.
///
/// Implemented for slices, and for arrays whose values are packed.
pub(crate) trait LayerValues<T: Clone>: Sync {
    /// Returns the number of values.
    fn len(&self) -> usize;

    /// Returns the values of entries.
    fn read(&self, entries: Range<usize>) -> Cow<'_, [T]>;
}

impl<T: Clone + Sync> LayerValues<T> for [T] {
    fn len(&self) -> usize {
        self.len()
    }

    fn read(&self, entries: Range<usize>) -> Cow<'_, [T]> {
        Cow::Borrowed(&self[entries])
    }
}

/// Fills a table of `V` with the values that follow from the codes that `code` returns, by side to
/// move. One thread writes to the file what the others have converted.
pub(crate) fn fill<V: Stored, T: Clone>(
    table: &RawFile,
    values: BySide<&(impl LayerValues<T> + ?Sized)>,
    code: &(impl Fn(&T, Side) -> u16 + Sync),
) -> Result<(), SolveError> {
    let bits = table.bits();
    for side in Side::BOTH {
        let values = values[side];
        let groups = |entries| groups_of::<V, T>(&values.read(entries), side, code, bits);
        let mut first = 0;
        let mut write = |parts: Vec<Vec<u64>>| {
            parts.into_iter().try_for_each(|groups| {
                table.write_groups(side, first, &groups)?;
                first += groups.len();
                Ok::<_, SolveError>(())
            })
        };
        let mut converted = Vec::new();
        for entries in parallel::ranges(values.len(), AHEAD * CHUNK) {
            let chunks = parallel::ranges(entries.len(), CHUNK)
                .map(|chunk| entries.start + chunk.start..entries.start + chunk.end);
            let (written, next) = rayon::join(
                || write(std::mem::take(&mut converted)),
                || parallel::map(chunks, &groups),
            );
            written?;
            converted = next;
        }
        write(converted)?;
    }
    Ok(())
}

/// Returns the groups of `bits` words of a raw payload of `V` for values, whose codes `code`
/// returns.
pub(crate) fn groups_of<V: Stored, T>(
    values: &[T],
    side: Side,
    code: &impl Fn(&T, Side) -> u16,
    bits: u32,
) -> Vec<u64> {
    let mut codes = vec![0; values.len()];
    dispatch(Level::best(), ToCodes { values, side, code, converted: &mut codes });
    V::into_groups(V::of_distances(&codes), bits)
}

/// Returns the longest win of each side among the codes of all entries with one side to move.
pub(crate) fn longest(index: &impl LayerIndex, side: Side, codes: &[u16]) -> BySide<Option<u16>> {
    let parts = parallel::map(parallel::ranges(codes.len(), CHUNK), &|entries| {
        let ranks = entries.start as u64..entries.end as u64;
        Summary::of::<Dtw>(index, side, ranks, &codes[entries])
    });
    parts.into_iter().fold(Summary::default(), Summary::merge).longest
}

/// Converts values with one side to move to codes.
struct ToCodes<'v, T, C> {
    values: &'v [T],
    side: Side,
    code: &'v C,
    converted: &'v mut [u16],
}

impl<T, C: Fn(&T, Side) -> u16> Kernel for ToCodes<'_, T, C> {
    type Output = ();

    #[expect(clippy::inline_always, reason = "kernels compile once per instruction set")]
    #[inline(always)]
    fn run(self, _: impl Isa) {
        let ToCodes { values, side, code, converted } = self;
        for (converted, value) in converted.iter_mut().zip(values) {
            *converted = code(value, side);
        }
    }
}
