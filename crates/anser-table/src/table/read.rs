//! Reading of many entries: groups, codes, blocks, and rows that the cache keeps.

use std::ops::Range;
use std::sync::Arc;

use anser_core::{PackingOrder, RowGroup, Side};

use super::{Payload, Table};
use crate::cache::BlockCache;
use crate::error::{Damage, Defect, TableError};
use crate::format::{
    Block, BlockId, CHECK_BLOCK, ENTRIES_PER_PAIR, expand_codes, group_offset, outcomes_of_group,
    pairs, set_code, words_of,
};

/// Marks the number of a cached group of rows: the rest is its first place.
const ROWS: u64 = 1 << 63;

/// Number of entries from a row of a cached group to the next: whole words.
fn stride(group: &RowGroup<'_>) -> usize {
    group.columns().len().next_multiple_of(8)
}

impl Table {
    /// Fills `words` with the pairs of outcomes from pair number `first` of `side` on, bypassing
    /// the cache. Whole blocks are fastest: [`CHECK_BLOCK`] bytes of a raw table, `block_entries`
    /// of a packed one. Returns false and reads nothing if the table does not store all of them.
    ///
    /// # Errors
    /// If a block cannot be read, or is damaged.
    pub fn read_pairs(
        &self,
        side: Side,
        first: u64,
        words: &mut [u64],
    ) -> Result<bool, TableError> {
        if !self.header().metric().has_distances() {
            return self.read_groups(side, first, words);
        }
        let (pairs, rest) = words.as_chunks_mut();
        let mut groups = vec![0; pairs.len() * self.header().bits() as usize];
        if !rest.is_empty() || !self.read_groups(side, first, &mut groups)? {
            return Ok(false);
        }
        for (pair, group) in pairs.iter_mut().zip(groups.chunks(self.header().bits() as usize)) {
            *pair = outcomes_of_group(group);
        }
        Ok(true)
    }

    /// Fills `words` with the groups of [`Header::bits`] words of the raw payload, from group
    /// number `first` of `side` on. No code of distances is above [`Header::largest_code`].
    /// Otherwise the same as [`read_pairs`](Table::read_pairs).
    ///
    /// [`Header::bits`]: crate::format::Header::bits
    /// [`Header::largest_code`]: crate::format::Header::largest_code
    ///
    /// # Errors
    /// If a block cannot be read, or is damaged.
    pub fn read_groups(
        &self,
        side: Side,
        first: u64,
        words: &mut [u64],
    ) -> Result<bool, TableError> {
        let bits = self.header().bits() as usize;
        let end = first.saturating_add((words.len() / bits) as u64);
        if !words.len().is_multiple_of(bits)
            || end > pairs(self.header().entries()[side])
            || !self.stores(side)
        {
            return Ok(false);
        }
        self.copy_groups(side, first, words).map(|()| true).map_err(|defect| self.error(defect))
    }

    /// Fills `codes` with the codes of a table of distances from rank `first` of `side` on, a
    /// multiple of 64, bypassing the cache. None of them is above the largest code of the header.
    /// Returns false and reads nothing if the table does not have all of them.
    ///
    /// Reading all entries of a packed table is faster by blocks; see
    /// [`read_block`](Table::read_block).
    ///
    /// # Errors
    /// If a block cannot be read, or is damaged.
    pub fn read_codes(
        &self,
        side: Side,
        first: u64,
        codes: &mut [u16],
    ) -> Result<bool, TableError> {
        let end = first.saturating_add(codes.len() as u64);
        let fits = first.is_multiple_of(ENTRIES_PER_PAIR) && end <= self.header().entries()[side];
        if !fits || !self.header().metric().has_distances() || !self.stores(side) {
            return Ok(false);
        }
        self.copy_codes(side, first, codes).map(|()| true).map_err(|defect| self.error(defect))
    }

    fn copy_codes(&self, side: Side, first: u64, codes: &mut [u16]) -> Result<(), Defect> {
        if matches!(self.payload, Payload::Packed(..)) {
            let ranks = first..first + codes.len() as u64;
            let decode = self.decoder(side);
            let order = self.order(side)?;
            return self.visit_places(order, ranks, decode, |entry, code| codes[entry] = code);
        }
        let bits = self.header().bits();
        let mut words = vec![0; pairs(codes.len() as u64) as usize * bits as usize];
        self.copy_groups(side, first / ENTRIES_PER_PAIR, &mut words)?;
        expand_codes(&words, bits, codes);
        Ok(())
    }

    /// Fills `codes` with the codes of a block of a packed table, in the order of the file, which
    /// is the [`PackingOrder`] of the index. None of them is above the largest code of the header.
    /// Returns false and reads nothing if the table has no such block, or the block has another
    /// number of [entries](crate::format::Packing::entries_in).
    ///
    /// # Errors
    /// If the block cannot be read, or is damaged.
    pub fn read_block(&self, block: BlockId, codes: &mut [u16]) -> Result<bool, TableError> {
        let Some(packing) = self.header().packing() else { return Ok(false) };
        let entries = self.header().entries();
        if block.number >= packing.blocks(entries)[block.side]
            || codes.len() != packing.entries_in(entries, block) as usize
        {
            return Ok(false);
        }
        self.decode(block).map_err(|defect| self.error(defect))?.codes(0, codes);
        Ok(true)
    }

    /// Fills `words` with groups. Codes of distances are values.
    pub(super) fn copy_groups(
        &self,
        side: Side,
        first: u64,
        words: &mut [u64],
    ) -> Result<(), Defect> {
        match &self.payload {
            Payload::Raw(raw) => {
                let start = group_offset(
                    self.header().entries(),
                    self.header().bits(),
                    side,
                    first * ENTRIES_PER_PAIR,
                );
                let end = start + words.len() as u64 * 8;
                let mut rest = words.iter_mut();
                for block in start / CHECK_BLOCK..end.div_ceil(CHECK_BLOCK) {
                    // The checked bytes are the bytes that are copied.
                    let (_, bytes) = raw.check(&self.file, block)?;
                    let skipped = start.saturating_sub(block * CHECK_BLOCK) as usize;
                    for (from, word) in words_of(&bytes[skipped..]).zip(&mut rest) {
                        *word = from;
                    }
                }
                let (bits, coding) = (self.header().bits() as usize, self.header().coding());
                let is_wrong = |group: &[u64]| coding.no_values(group) != 0;
                if self.header().metric().has_distances() && words.chunks(bits).any(is_wrong) {
                    let first = first * ENTRIES_PER_PAIR;
                    let end = first + (words.len() / bits) as u64 * ENTRIES_PER_PAIR;
                    let ranks = first..=end.min(self.header().entries()[side]) - 1;
                    return Err(Defect::Damaged(Damage::EntryAmong { ranks }));
                }
            }
            Payload::Packed(..) => {
                let (order, bits) = (self.order(side)?, self.header().bits());
                words.fill(0);
                let start = first * ENTRIES_PER_PAIR;
                let end = start + words.len() as u64 / u64::from(bits) * ENTRIES_PER_PAIR;
                let ranks = start..end.min(order.len());
                self.visit_places(order, ranks, self.decoder(side), |entry, code| {
                    set_code(words, bits, entry as u64, code);
                })?;
            }
        }
        Ok(())
    }

    /// Fills `codes` with the codes of a packed table from rank `first` of `side` on, using the
    /// cache, which keeps rows in the order of ranks. Unlike [`read_codes`](Table::read_codes) it
    /// is for readers that read most rows, some of them several times. Returns false and reads
    /// nothing if the table is not packed or does not have all of them.
    ///
    /// In the file, the entries of a row lie 64 places apart, each in a cache line of its own. So
    /// all 64 rows of a group are put in the order of ranks at once, unless the cache is too small
    /// to keep them.
    pub(crate) fn read_rows(
        &self,
        side: Side,
        first: u64,
        codes: &mut [u16],
        cache: &BlockCache,
    ) -> Result<bool, TableError> {
        let end = first.saturating_add(codes.len() as u64);
        if matches!(self.payload, Payload::Raw(_)) || !self.stores(side) {
            return Ok(false);
        }
        let order = self.order(side).map_err(|defect| self.error(defect))?;
        if end > order.len() {
            return Ok(false);
        }
        // Decoding a block checks that every code in it is a value.
        self.copy_rows(order, side, first..end, codes, cache)
            .map_err(|defect| self.error(defect))?;
        Ok(true)
    }

    fn copy_rows(
        &self,
        order: &PackingOrder,
        side: Side,
        ranks: Range<u64>,
        codes: &mut [u16],
        cache: &BlockCache,
    ) -> Result<(), Defect> {
        let mut at = ranks.start;
        while at < ranks.end {
            let row = order.row(at);
            let end = ranks.end.min(row.ranks.end);
            let codes = &mut codes[(at - ranks.start) as usize..(end - ranks.start) as usize];
            let keeps = |group: &RowGroup<'_>| {
                cache.keeps(RowGroup::ROWS * stride(group) * size_of::<u16>())
            };
            if let Some(group) = row.group.filter(keeps) {
                let block = BlockId { side, number: ROWS | group.places.start };
                let rows =
                    cache.get_or_decode(self.id, block, || self.rows(side, &group, cache))?;
                let first = group.row * stride(&group) + (at - row.ranks.start) as usize;
                rows.codes(first, codes);
            } else {
                let decode = |number| self.cached(BlockId { side, number }, cache);
                self.visit_places(order, at..end, decode, |entry, code| codes[entry] = code)?;
            }
            at = end;
        }
        Ok(())
    }

    /// Returns the entries of a group of rows in the order of their ranks, each row from a multiple
    /// of [`stride`] on.
    fn rows(&self, side: Side, group: &RowGroup<'_>, cache: &BlockCache) -> Result<Block, Defect> {
        let block_entries = u64::from(self.packing()?.block_entries);
        let places = group.places.clone();
        let entries = (places.end - places.start) as usize;
        let mut in_file = Vec::with_capacity(entries);
        while in_file.len() < entries {
            let place = places.start + in_file.len() as u64;
            let (number, first) = (place / block_entries, place % block_entries);
            let from = in_file.len();
            let len = (block_entries - first).min(places.end - place) as usize;
            in_file.resize(from + len, 0);
            // A block may have rows of several groups.
            let block = self.cached(BlockId { side, number }, cache)?;
            block.codes(first as usize, &mut in_file[from..]);
        }
        let stride = stride(group);
        let mut codes = vec![0; RowGroup::ROWS * stride];
        for (column, at) in group.columns().enumerate() {
            for (row, code) in in_file[at..at + RowGroup::ROWS].iter().enumerate() {
                codes[row * stride + column] = *code;
            }
        }
        Ok(Block::of_codes(&codes, side))
    }

    fn cached(&self, block: BlockId, cache: &BlockCache) -> Result<Arc<Block>, Defect> {
        cache.get_or_decode(self.id, block, || self.decode(block))
    }

    /// Returns what decodes blocks of a side and keeps the last of them.
    fn decoder(&self, side: Side) -> impl FnMut(u64) -> Result<Arc<Block>, Defect> {
        /// Number of decoded blocks that are kept, each in slot `number % KEPT`.
        const KEPT: usize = 64;
        let mut kept: Vec<Option<(u64, Arc<Block>)>> = vec![None; KEPT];
        move |number| {
            let slot = &mut kept[number as usize % KEPT];
            match slot {
                Some((block, decoded)) if *block == number => Ok(Arc::clone(decoded)),
                _ => {
                    let decoded = Arc::new(self.decode(BlockId { side, number })?);
                    *slot = Some((number, Arc::clone(&decoded)));
                    Ok(decoded)
                }
            }
        }
    }

    /// Visits the entries of `ranks` in a packed table, each with its number, from 0, and its
    /// code. They come from several blocks, which `decode` returns by their number.
    fn visit_places(
        &self,
        order: &PackingOrder,
        ranks: Range<u64>,
        mut decode: impl FnMut(u64) -> Result<Arc<Block>, Defect>,
        mut visit: impl FnMut(usize, u16),
    ) -> Result<(), Defect> {
        let block_entries = u64::from(self.packing()?.block_entries);
        let (mut entry, mut failed) = (0, None);
        // The place of the first entry of a block, and the block.
        let mut current: Option<(u64, Arc<Block>)> = None;
        order.visit_places(ranks, |place| {
            let is_outside = |start: u64| place.wrapping_sub(start) >= block_entries;
            if current.as_ref().is_none_or(|(start, _)| is_outside(*start)) && failed.is_none() {
                let number = place / block_entries;
                current = decode(number)
                    .map(|block| (number * block_entries, block))
                    .map_err(|defect| failed = Some(defect))
                    .ok();
            }
            if let Some((start, block)) = &current {
                visit(entry, block.code(place - start));
            }
            entry += 1;
        });
        failed.map_or(Ok(()), Err)
    }
}
