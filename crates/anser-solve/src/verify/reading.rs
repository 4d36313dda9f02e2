//! Reads the values of a whole side to move, including those that the table omits.

use anser_core::{BlockMoves, BySide, LayerIndex, Side};
use anser_retrograde::parallel;
use anser_table::{ProbeError, Table};

use crate::verify::full::Checked;
use crate::verify::recompute::Recompute;
use crate::{LayerOf, SolveError, check_interrupt};

/// Number of entries that a thread reads at a time: several blocks of a packed table.
const CHUNK: u64 = 1 << 18;

impl<V: Checked> Recompute<'_, V> {
    /// Reads the values of `table`, which is of this layer, by side to move.
    ///
    /// Values that the table omits are computed: static outcomes from the rules, a side to move
    /// that is not stored from the values of the other.
    pub(crate) fn read(&self, table: &Table) -> Result<BySide<Vec<V::Word>>, SolveError> {
        let mut values = BySide::default();
        let mut sides = Side::BOTH;
        // A side that is not stored follows from the one that is.
        if !table.stores(Side::First) {
            sides.reverse();
        }
        for side in sides {
            values[side] = self.read_side(table, side, &values)?;
        }
        Ok(values)
    }

    /// Reads the values of `table` with `side` to move; `known` has those of the other side if the
    /// table omits these.
    pub(crate) fn read_side(
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

    /// Reads the values of the lower layers that blocks lead to, if there are blocks.
    pub(crate) fn read_below(&mut self) -> Result<(), SolveError> {
        for (layer, side) in self.blocks.as_deref().map(BlockMoves::below).unwrap_or_default() {
            let table = V::table(self.lower, layer)?;
            let of = LayerOf { game: self.game, layer, index: &self.game.index(layer) };
            let below = Recompute::<V>::new(of, self.lower, self.observer);
            let mut known = BySide::default();
            if !table.stores(side) {
                known[side.other()] =
                    below.read_side(table, side.other(), &known).map_err(as_probe_error)?;
            }
            let values = below.read_side(table, side, &known).map_err(as_probe_error)?;
            V::check_codes(self.lower, table, side, &values)?;
            self.below.push(((layer, side), values));
        }
        Ok(())
    }

    /// Returns the values of a lower layer with `side` to move, if they were read.
    pub(crate) fn below(&self, layer: u16, side: Side) -> Option<&[V::Word]> {
        self.below.iter().find(|(of, _)| *of == (layer, side)).map(|(_, values)| &values[..])
    }
}

/// Damage of a lower layer is not damage of the table that is checked.
fn as_probe_error(error: SolveError) -> SolveError {
    match error {
        SolveError::Table(error) => SolveError::Probe(ProbeError::Table(error)),
        error => error,
    }
}
