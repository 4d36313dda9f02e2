//! Reads the values of a whole side to move, including those that the table omits.

use anser_core::{BlockMoves, BySide, Dtw, LayerIndex, Outcome, Side};
use anser_retrograde::parallel;
use anser_table::format::ENTRIES_PER_PAIR;
use anser_table::{Metric, ProbeError, Table};

use crate::verify::full::Checked;
use crate::verify::recompute::Recompute;
use crate::{SolveError, check_interrupt};

/// Number of entries that a thread reads at a time: several blocks of a packed table.
const CHUNK: u64 = 1 << 18;

impl Recompute<'_> {
    /// Reads the values of `table`, which is of this layer, by side to move.
    ///
    /// Values that the table omits are computed: static outcomes from the rules, a side to move
    /// that is not stored from the values of the other.
    pub(crate) fn read<V: Checked>(
        &self,
        table: &Table,
    ) -> Result<BySide<Vec<V::Word>>, SolveError> {
        let mut values = BySide::default();
        let mut sides = Side::BOTH;
        // A side that is not stored follows from the one that is.
        if !table.stores(Side::First) {
            sides.reverse();
        }
        for side in sides {
            values[side] = self.read_side::<V>(table, side, &values)?;
        }
        Ok(values)
    }

    /// Reads the values of `table` with `side` to move; `known` has those of the other side if the
    /// table omits these.
    pub(crate) fn read_side<V: Checked>(
        &self,
        table: &Table,
        side: Side,
        known: &BySide<Vec<V::Word>>,
    ) -> Result<Vec<V::Word>, SolveError> {
        if let Some(words) = V::read_stored(self, table, side)? {
            return Ok(words);
        }
        let entries = self.index.len(side);
        let mut words = vec![V::Word::default(); V::words(entries)];
        self.announce("reading", side, entries);
        let chunks = words.chunks_mut(V::words(CHUNK)).zip((0..).step_by(CHUNK as usize));
        parallel::try_for_each(chunks, &|(words, first)| {
            check_interrupt(self.observer)?;
            let ranks = first..entries.min(first + CHUNK);
            if !V::read(table, side, ranks.start, words)? {
                V::recompute(self, side, ranks.clone(), known, words)?;
            }
            self.observer.advance(ranks.end - ranks.start);
            Ok::<_, SolveError>(())
        })?;
        Ok(words)
    }

    /// Reads the outcomes of the lower layers that blocks lead to, if there are blocks.
    pub(crate) fn read_below(&mut self) -> Result<(), SolveError> {
        for (layer, side) in self.blocks.as_deref().map(BlockMoves::below).unwrap_or_default() {
            let table = self.lower.table(layer)?;
            let index = self.game.index(layer);
            let mut below = Recompute::new(self.game, layer, &index, self.lower, self.observer);
            let mut known = BySide::default();
            if !table.stores(side) {
                below.read_below()?;
                known[side.other()] = below
                    .read_side::<Outcome>(table, side.other(), &known)
                    .map_err(as_probe_error)?;
            }
            let values = below.read_side::<Outcome>(table, side, &known).map_err(as_probe_error)?;
            self.check_codes(table, side, &values)?;
            self.below.push(((layer, side), values));
        }
        Ok(())
    }

    /// Reads the distances of the lower layers that blocks lead to, if there are blocks.
    pub(crate) fn read_codes_below(&mut self) -> Result<(), SolveError> {
        for (layer, side) in self.blocks.as_deref().map(BlockMoves::below).unwrap_or_default() {
            let codes = self.codes_of(layer, side).map_err(as_probe_error)?;
            self.below_codes.push(((layer, side), codes));
        }
        Ok(())
    }

    /// Reads the distances of a lower layer with `side` to move.
    fn codes_of(&self, layer: u16, side: Side) -> Result<Vec<u16>, SolveError> {
        let table = self.lower.table_of(layer, Metric::Dtw)?;
        let index = self.game.index(layer);
        let below = Recompute::new(self.game, layer, &index, self.lower, self.observer);
        let mut known = BySide::default();
        if !table.stores(side) {
            known[side.other()] = below.read_side::<Dtw>(table, side.other(), &known)?;
        }
        below.read_side::<Dtw>(table, side, &known)
    }

    /// Returns the distances of a lower layer with `side` to move, if they were read.
    pub(crate) fn below_codes(&self, layer: u16, side: Side) -> Option<&[u16]> {
        self.below_codes.iter().find(|(of, _)| *of == (layer, side)).map(|(_, codes)| &codes[..])
    }

    /// Returns the outcomes of a lower layer with `side` to move, if they were read.
    pub(crate) fn below(&self, layer: u16, side: Side) -> Option<&[u64]> {
        self.below.iter().find(|(of, _)| *of == (layer, side)).map(|(_, values)| &values[..])
    }

    /// Checks that every code is a value, which a checksum does not show. Reading the entry gives
    /// the error.
    fn check_codes(&self, table: &Table, side: Side, values: &[u64]) -> Result<(), ProbeError> {
        let Some(pair) =
            values.as_chunks().0.iter().position(|[first, second]| first & second != 0)
        else {
            return Ok(());
        };
        let first = pair as u64 * ENTRIES_PER_PAIR;
        for rank in first..first + ENTRIES_PER_PAIR {
            table.outcome(side, rank, self.lower.cache())?;
        }
        Ok(())
    }
}

/// Damage of a lower layer is not damage of the table that is checked.
fn as_probe_error(error: SolveError) -> SolveError {
    match error {
        SolveError::Table(error) => SolveError::Probe(ProbeError::Table(error)),
        error => error,
    }
}
