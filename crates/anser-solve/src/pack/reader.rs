//! Reads a table of any kind and metric as the raw payload of its values.

use std::ops::Range;

use anser_core::hunt::HuntIndex;
use anser_core::{LayerIndex, Side};
use anser_retrograde::parallel;
use anser_table::error::Damage;
use anser_table::format::{ENTRIES_PER_PAIR, bytes_of};
use anser_table::{Defect, Kind, Table, TableError};

use crate::io::stored::Stored;
use crate::pack::convert::Conversion;
use crate::{SolveError, check_interrupt};

/// Greatest number of words that a thread reads at a time.
const READ_WORDS: usize = 1 << 14;

impl Conversion<'_> {
    /// Probes the values of `ranks`, by look-ahead where a packed table omits them.
    pub(crate) fn probe<V: Stored>(
        &self,
        index: &HuntIndex,
        side: Side,
        ranks: Range<u64>,
    ) -> Result<Vec<V::Word>, SolveError> {
        let mut words = vec![V::Word::default(); V::words(ranks.end - ranks.start)];
        for (entry, rank) in (0..).zip(ranks) {
            if entry % 4096 == 0 {
                check_interrupt(self.observer)?;
            }
            V::set(&mut words, entry, Some(V::probe(self.tables, &index.unrank(side, rank))?));
        }
        Ok(words)
    }
}

/// Reads one side to move of a table from front to back.
pub(crate) struct RawReader<'a> {
    pub(crate) conversion: &'a Conversion<'a>,
    pub(crate) source: &'a Table,
    pub(crate) index: &'a HuntIndex,
    pub(crate) side: Side,
    /// Digest of the raw payload.
    pub(crate) digest: &'a mut blake3::Hasher,
    /// Number of groups that are in the digest.
    pub(crate) digested: u64,
}

impl RawReader<'_> {
    /// Reads the groups of words with these ranks, which follow the ranks read before. Returns them
    /// with the number of the entry of the first rank in them.
    pub(crate) fn read<V: Stored>(
        &mut self,
        ranks: Range<u64>,
    ) -> Result<(Vec<u64>, u64), SolveError> {
        let bits = self.source.header().bits() as usize;
        let (first, end) = (ranks.start / ENTRIES_PER_PAIR, ranks.end.div_ceil(ENTRIES_PER_PAIR));
        // A power of two, so that whole blocks are read.
        let groups = 1 << (READ_WORDS / bits).ilog2();
        let mut words = vec![0; bits * (end - first) as usize];
        let chunks = words.chunks_mut(bits * groups).zip((first..).step_by(groups));
        parallel::try_for_each(chunks, &|(words, first)| {
            if self.source.read_groups(self.side, first, words)? {
                return Ok(());
            }
            self.probe::<V>(first, words)
        })?;
        for words in words[bits * (self.digested - first) as usize..].chunks(READ_WORDS) {
            self.digest.update(&bytes_of(words));
        }
        self.digested = end;
        Ok((words, ranks.start % ENTRIES_PER_PAIR))
    }

    /// Fills `words` with the groups from number `first` on, some values of which the source omits.
    fn probe<V: Stored>(&self, first: u64, words: &mut [u64]) -> Result<(), SolveError> {
        let header = self.source.header();
        if header.kind() == Kind::Raw {
            return Err(damaged(self.source, Damage::NotStored(self.side)).into());
        }
        let (start, groups) =
            (first * ENTRIES_PER_PAIR, words.len() as u64 / u64::from(header.bits()));
        let end = (start + groups * ENTRIES_PER_PAIR).min(self.index.len(self.side));
        let values = self.conversion.probe::<V>(self.index, self.side, start..end)?;
        words.copy_from_slice(&V::into_groups(values, header.bits()));
        Ok(())
    }
}

pub(crate) fn damaged(source: &Table, damage: Damage) -> TableError {
    TableError::new(source.path(), Defect::Damaged(damage))
}
