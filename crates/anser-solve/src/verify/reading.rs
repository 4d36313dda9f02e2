//! Values of a table as its reader would have them, a whole side to move at a time.

use anser_core::{BlockMoves, Game, LayerIndex, Side};
use anser_table::format::ENTRIES_PER_PAIR;
use anser_table::{ProbeError, Table};
use rayon::prelude::*;

use crate::SolveError;
use crate::verify::recompute::{CHUNK, Recompute, View, ranks_of};

impl<G: Game> Recompute<'_, G> {
    /// The values of `table`, which is of this layer, by side to move, as pairs of words.
    ///
    /// What the table stores is read from the file. What it leaves to look-ahead, or to the rules, is worked out.
    pub(crate) fn read(&self, table: &Table) -> Result<[Vec<u64>; 2], SolveError> {
        let mut values = [Vec::new(), Vec::new()];
        // A side that is left out follows from the one that is stored, so that one comes first.
        let mut sides = Side::BOTH;
        sides.sort_by_key(|&side| !table.stores(side));
        for side in sides {
            values[side.index()] = self.read_side(table, side, &values)?;
        }
        Ok(values)
    }

    fn read_side(&self, table: &Table, side: Side, known: &[Vec<u64>; 2]) -> Result<Vec<u64>, SolveError> {
        let entries = self.index.len(side);
        let mut words = vec![0; 2 * entries.div_ceil(ENTRIES_PER_PAIR) as usize];
        self.announce("reading", side, entries);
        words.par_chunks_mut(2 * CHUNK).enumerate().try_for_each(|(chunk, words)| {
            self.check_interrupt()?;
            let ranks = ranks_of(chunk, entries);
            let read = ranks.end - ranks.start;
            if !table.stores(side) {
                self.values(side, ranks, View::Values(known), None, words)?;
            } else if table.read_pairs(side, ranks.start / ENTRIES_PER_PAIR, words)? && table.omits_static_outcomes() {
                let mut settled = vec![0; words.len()];
                self.values(side, ranks, View::Settled, None, &mut settled)?;
                for (pair, settled) in words.as_chunks_mut::<2>().0.iter_mut().zip(settled.as_chunks::<2>().0) {
                    let open = !(settled[0] | settled[1]);
                    *pair = [pair[0] & open | settled[0], pair[1] & open | settled[1]];
                }
            }
            self.observer.advance(read);
            Ok::<_, SolveError>(())
        })?;
        Ok(words)
    }

    /// Reads the values of the lower layers that blocks lead to, if there are blocks.
    pub(crate) fn read_below(&mut self) -> Result<(), SolveError> {
        for (layer, side) in self.blocks.as_deref().map(BlockMoves::below).unwrap_or_default() {
            let table = self.lower.table(layer)?;
            let index = self.game.index(layer);
            let mut below = Recompute::new(self.game, layer, &index, self.lower, self.observer);
            let mut known = [Vec::new(), Vec::new()];
            if !table.stores(side) {
                below.read_below()?;
                known[side.other().index()] = below.read_side(table, side.other(), &known).map_err(rests_on)?;
            }
            let values = below.read_side(table, side, &known).map_err(rests_on)?;
            self.check_codes(table, side, &values)?;
            self.below.push(((layer, side), values));
        }
        Ok(())
    }

    /// Checksums say nothing of codes that are no values: reading such an entry by itself gives the error.
    fn check_codes(&self, table: &Table, side: Side, values: &[u64]) -> Result<(), ProbeError> {
        let Some(pair) = values.as_chunks().0.iter().position(|[first, second]| first & second != 0) else {
            return Ok(());
        };
        let first = pair as u64 * ENTRIES_PER_PAIR;
        for rank in first..first + ENTRIES_PER_PAIR {
            table.outcome(side, rank, self.lower.cache())?;
        }
        Ok(())
    }
}

/// What is wrong with a table of a lower layer is not wrong with the one that is checked.
fn rests_on(error: SolveError) -> SolveError {
    match error {
        SolveError::Table(error) => SolveError::Probe(ProbeError::Table(error)),
        error => error,
    }
}
