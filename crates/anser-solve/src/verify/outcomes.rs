//! Outcomes in the full check.

use std::ops::Range;

use anser_core::hunt::Position;
use anser_core::{BySide, LayerIndex, Outcome, Side};
use anser_retrograde::bits::for_each_bit;
use anser_table::format::ENTRIES_PER_PAIR;
use anser_table::{ProbeError, Table, Tablebase};

use crate::SolveError;
use crate::io::stored::Stored;
use crate::verify::blockwise::Blockwise;
use crate::verify::full::Checked;
use crate::verify::problem::Problem;
use crate::verify::recompute::Recompute;
use crate::verify::view::{CHUNK_PAIRS, View, is_wanted};
use crate::verify::well_founded::check_well_founded;

impl Checked for Outcome {
    const NAME: &'static str = "values";
    const NO_VALUE: &'static str = "without a value";
    const CHUNK: u64 = CHUNK_PAIRS as u64 * ENTRIES_PER_PAIR;

    fn table(tables: &Tablebase, layer: u16) -> Result<&Table, ProbeError> {
        tables.table(layer)
    }

    fn check_codes(
        tables: &Tablebase,
        table: &Table,
        side: Side,
        values: &[u64],
    ) -> Result<(), ProbeError> {
        let mut pairs = values.as_chunks().0.iter();
        let Some(pair) = pairs.position(|[first, second]| first & second != 0) else {
            return Ok(());
        };
        let first = pair as u64 * ENTRIES_PER_PAIR;
        for rank in first..first + ENTRIES_PER_PAIR {
            // Reading the entry gives the error.
            table.outcome(side, rank, tables.cache())?;
        }
        Ok(())
    }

    fn read_stored(
        _: &Recompute<'_, Self>,
        _: &Table,
        _: Side,
    ) -> Result<Option<Vec<u64>>, SolveError> {
        Ok(None)
    }

    fn recompute(
        recompute: &Recompute<'_, Self>,
        side: Side,
        ranks: Range<u64>,
        values: &BySide<Vec<u64>>,
        words: &mut [u64],
    ) -> Result<(), SolveError> {
        recompute.outcomes(side, ranks, View::Values(values), None, words)
    }

    fn visit_differences(stored: &[u64], expected: &[u64], mut visit: impl FnMut(u64)) {
        let pairs = stored.as_chunks::<2>().0.iter().zip(expected.as_chunks::<2>().0);
        for (first, (stored, expected)) in (0..).step_by(ENTRIES_PER_PAIR as usize).zip(pairs) {
            for_each_bit(stored[0] ^ expected[0] | stored[1] ^ expected[1], |bit| {
                visit(first + bit);
            });
        }
    }

    fn check_well_founded(
        recompute: &Recompute<'_, Self>,
        values: &BySide<Vec<u64>>,
    ) -> Result<(Option<u64>, Vec<Problem>), SolveError> {
        let (rounds, problems) = check_well_founded(recompute, values)?;
        Ok((problems.is_empty().then_some(rounds), problems))
    }
}

impl Recompute<'_, Outcome> {
    /// Computes the outcomes of `ranks` with `side` to move into `out`, pairs of words that begin
    /// with the first rank, a multiple of 64. With `wanted`, one bit per entry, the others may come
    /// out as draws.
    pub(crate) fn outcomes(
        &self,
        side: Side,
        ranks: Range<u64>,
        view: View<'_>,
        wanted: Option<&[u64]>,
        out: &mut [u64],
    ) -> Result<(), SolveError> {
        out.fill(0);
        if let Some(blocks) = &self.blocks {
            return Blockwise::new(self, &**blocks, side, view).outcomes(ranks, wanted, out);
        }
        for (at, rank) in ranks.enumerate() {
            if is_wanted(wanted, at as u64) {
                let outcome = self.outcome(&self.index.unrank(side, rank), side, view)?;
                Outcome::set(out, at as u64, outcome);
            }
        }
        Ok(())
    }

    /// Computes the outcome of a position from those of its successors.
    pub(crate) fn outcome(
        &self,
        position: &Position,
        side: Side,
        view: View<'_>,
    ) -> Result<Option<Outcome>, SolveError> {
        self.value(position, side, |rank| {
            let pair = view.pair(side.other(), (rank / ENTRIES_PER_PAIR) as usize);
            Outcome::get(&pair, rank % ENTRIES_PER_PAIR)
        })
    }
}
