//! One open table file.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anser_core::hunt::Description;
use anser_core::{BySide, Dtw, Hunt, LayerIndex, Outcome, PackingOrder, RowGroup, Side};
use xxhash_rust::xxh3::xxh3_64;

use crate::cache::BlockCache;
use crate::error::{Damage, Defect, DescriptionDefect, Property, TableError};
use crate::format::{
    Block, BlockId, CHECK_BLOCK, ENTRIES_PER_PAIR, HEADER_LEN, Header, PackedPayload, Packing,
    RawPayload, Region, expand_codes, group_offset, groups, outcome_of, outcomes_of_group,
    set_code, words_of,
};
use crate::kinds::Metric;
use crate::names::TableName;
use crate::storage::{Access, Memory, Storage, read_region};

/// An open table of any game.
///
/// Opening reads the header and compares the length of the file with it. Every other part is
/// checked when it is first used, or by [`verify`](Table::verify).
///
/// ```
/// use anser_table::{BlockCache, Defect, Memory, Table};
/// let bytes: &[u8] = b"not a table";
/// let error = Table::from_bytes("some name", Memory::from(bytes)).unwrap_err();
/// assert!(matches!(error.defect(), Defect::NotATable));
/// ```
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    header: Header,
    storage: Box<dyn Storage>,
    payload: Payload,
    /// The order of the entries of a packed table by side to move, if an index was given.
    order: Option<BySide<PackingOrder>>,
    id: u64,
}

#[derive(Debug)]
enum Payload {
    Raw(RawPayload),
    Packed(PackedPayload, Packing),
}

impl Table {
    /// Opens the table in the file `path`. If the file has the name of a table, kind and metric
    /// must be those of the name.
    ///
    /// ```
    /// use anser_table::{ErrorClass, PositionedReads, Table};
    /// let error = Table::open("no/such/fox-geese.free.L08.wdl.anser", &PositionedReads).unwrap_err();
    /// assert_eq!(error.class(), ErrorClass::Io);
    /// assert!(error.to_string().contains("layer 8"));
    /// ```
    ///
    /// # Errors
    /// If the file cannot be opened, its header is invalid, or it has another length than the
    /// header states.
    pub fn open(
        path: impl Into<PathBuf>,
        access: &(impl Access + ?Sized),
    ) -> Result<Table, TableError> {
        let path = path.into();
        let table = match access.open(&path) {
            Ok(storage) => Table::from_storage(path, storage)?,
            Err(error) => return Err(TableError::new(path, error)),
        };
        // Readers choose files by the kind and metric in the name.
        let Some(name) = table.path.file_name().and_then(|name| TableName::parse(name.to_str()?))
        else {
            return Ok(table);
        };
        let (kind, metric) = (table.header.kind(), table.header.metric());
        for (what, expected, found) in [
            (Property::Kind, name.kind.id(), kind.id()),
            (Property::Metric, name.metric.id(), metric.id()),
        ] {
            if expected != found {
                let (expected, found) = (expected.to_owned(), found.to_owned());
                return Err(table.error(Defect::Mismatch { what, expected, found }));
            }
        }
        Ok(table)
    }

    /// Opens a table in memory. Errors name it `path`.
    ///
    /// # Errors
    /// If the header is invalid, or states another length.
    pub fn from_bytes(
        path: impl Into<PathBuf>,
        bytes: impl Into<Memory>,
    ) -> Result<Table, TableError> {
        Table::from_storage(path, Box::new(bytes.into()))
    }

    /// Opens a table in any storage. Errors name it `path`.
    ///
    /// # Errors
    /// If the header cannot be read, is invalid, or states another length.
    pub fn from_storage(
        path: impl Into<PathBuf>,
        storage: Box<dyn Storage>,
    ) -> Result<Table, TableError> {
        static OPENED: AtomicU64 = AtomicU64::new(0);
        let path = path.into();
        match read_header(&*storage) {
            Ok(header) => {
                let payload = match header.packing() {
                    None => Payload::Raw(RawPayload::default()),
                    Some(packing) => Payload::Packed(PackedPayload::default(), packing.clone()),
                };
                Ok(Table {
                    path,
                    header,
                    storage,
                    payload,
                    order: None,
                    id: OPENED.fetch_add(1, Ordering::Relaxed),
                })
            }
            Err(defect) => Err(TableError::new(path, defect)),
        }
    }

    /// Adds the index of the table's layer, one that [`Header::check_identity`] accepts. Reading a
    /// packed table needs it, because the index defines the order of the entries. A
    /// [`Tablebase`](crate::Tablebase) adds it to its tables.
    #[must_use]
    pub fn with_index(mut self, index: &impl LayerIndex) -> Table {
        let orders = || BySide::from_fn(|side| index.packing_order(side));
        let fits = |orders: &BySide<PackingOrder>| {
            orders.as_ref().map(PackingOrder::len) == self.header.entries()
        };
        let is_packed = matches!(self.payload, Payload::Packed(..));
        self.order = is_packed.then(orders).filter(fits);
        self
    }

    /// Returns the order of the entries of a packed table.
    fn order(&self, side: Side) -> Result<&PackingOrder, Defect> {
        self.order.as_ref().map(|orders| &orders[side]).ok_or(Defect::OrderUnknown)
    }

    /// Returns the place of an entry in the order in which the file holds the entries of a side.
    pub(crate) fn order_in_file(&self, side: Side, rank: u64) -> u64 {
        match &self.order {
            Some(orders) if rank < orders[side].len() => orders[side].place(rank),
            _ => rank,
        }
    }

    /// Returns the header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the path of the file, or the name that was given when it was opened from memory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether entries with `side` to move are stored. A packed table may omit one side: look-ahead
    /// gives its values.
    pub fn stores(&self, side: Side) -> bool {
        match &self.payload {
            Payload::Raw(_) => true,
            Payload::Packed(_, packing) => packing.stored[side],
        }
    }

    /// Returns the [text](anser_core::Hunt::description_text) of the game's description, which is
    /// empty if the game has none.
    ///
    /// # Errors
    /// If the text cannot be read, is damaged, or is not UTF-8.
    pub fn description_text(&self) -> Result<String, TableError> {
        self.read_description().map_err(|defect| self.error(defect))
    }

    /// Returns the game of the table, from its description. The header has the same names and the
    /// same hash of the rules.
    ///
    /// ```no_run
    /// use anser_table::{PositionedReads, Table, Tablebase};
    /// let table = Table::open("some-game.some-rules.L05.wdl.anserz", &PositionedReads)?;
    /// let tables = Tablebase::from_tables(table.hunt()?, [table]);
    /// println!("{} under the rules {}", tables.game().name(), tables.game().rules_id());
    /// # Ok::<(), anser_table::TableError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`description_text`](Table::description_text), and [`Defect::Description`] if the
    /// text does not describe the game of the header.
    pub fn hunt(&self) -> Result<Hunt, TableError> {
        self.read_hunt().map_err(|defect| self.error(defect))
    }

    fn read_hunt(&self) -> Result<Hunt, Defect> {
        let text = self.read_description()?;
        let description = Description::from_text(&text).map_err(DescriptionDefect::Text)?;
        let hunt = Hunt::new(description).map_err(DescriptionDefect::Rules)?;
        match self.header.check_game(&hunt) {
            Ok(()) => Ok(hunt),
            Err(Defect::Mismatch { what, expected: description, found: header }) => {
                Err(DescriptionDefect::Other { what, header, description }.into())
            }
            Err(defect) => Err(defect),
        }
    }

    fn read_description(&self) -> Result<String, Defect> {
        let region = self.header.layout().description;
        let bytes = read_region(&*self.storage, region)?;
        if xxh3_64(&bytes) != self.header.description_hash() {
            return Err(Defect::Damaged(Damage::Description(region)));
        }
        String::from_utf8(bytes).map_err(|_| DescriptionDefect::Encoding.into())
    }

    /// Returns the outcome of rank `rank` with `side` to move; `None` if the table does not
    /// [store](Table::stores) the entry.
    ///
    /// # Errors
    /// If the block of the entry cannot be read, or is damaged.
    #[inline]
    pub fn outcome(
        &self,
        side: Side,
        rank: u64,
        cache: &BlockCache,
    ) -> Result<Option<Outcome>, TableError> {
        Ok(self.code(side, rank, cache)?.and_then(|code| match self.header.metric() {
            Metric::Wdl => outcome_of(code as u8),
            Metric::Dtw => Dtw::from_code(code).map(Dtw::outcome),
        }))
    }

    /// Returns the exact value of rank `rank` with `side` to move; `None` if there is no such
    /// entry, or the table is not one of distances.
    ///
    /// # Errors
    /// If the block of the entry cannot be read, or is damaged.
    #[inline]
    pub fn dtw(
        &self,
        side: Side,
        rank: u64,
        cache: &BlockCache,
    ) -> Result<Option<Dtw>, TableError> {
        if !self.header.metric().has_distances() {
            return Ok(None);
        }
        Ok(self.code(side, rank, cache)?.and_then(Dtw::from_code))
    }

    /// Prefetches an entry. Reading many entries far apart is faster after all of them are
    /// prefetched.
    #[inline]
    pub(crate) fn prefetch(&self, side: Side, rank: u64) {
        if matches!(self.payload, Payload::Raw(_)) {
            RawPayload::prefetch(&self.header, &*self.storage, side, rank);
        }
    }

    /// Returns the code of an entry, which is a value; `None` if there is no such entry.
    #[inline]
    fn code(&self, side: Side, rank: u64, cache: &BlockCache) -> Result<Option<u16>, TableError> {
        if rank >= self.header.entries()[side] || !self.stores(side) {
            return Ok(None);
        }
        let code = match &self.payload {
            Payload::Raw(raw) => match self.storage.as_slice() {
                Some(bytes) => raw.code_in_memory(&self.header, &*self.storage, bytes, side, rank),
                None => RawPayload::code_in_blocks(&self.header, side, rank, |number| {
                    // The blocks of a raw table are numbered through both sides to move, so one
                    // side serves.
                    let block = BlockId { side: Side::First, number };
                    cache.get_or_decode(self.id, block, || {
                        raw.block(&self.header, &*self.storage, number)
                    })
                }),
            },
            Payload::Packed(_, packing) => self.order(side).and_then(|order| {
                let place = order.place(rank);
                let block_entries = u64::from(packing.block_entries);
                let block = BlockId { side, number: place / block_entries };
                let block = cache.get_or_decode(self.id, block, || self.decode(block))?;
                Ok(block.code(place % block_entries))
            }),
        };
        match code {
            Ok(code) if code <= self.header.largest_code() => Ok(Some(code)),
            Ok(_) => Err(self.error(Defect::Damaged(Damage::Entry { rank }))),
            Err(defect) => Err(self.error(defect)),
        }
    }

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
        if !self.header.metric().has_distances() {
            return self.read_groups(side, first, words);
        }
        let (pairs, rest) = words.as_chunks_mut();
        let mut groups = vec![0; pairs.len() * self.header.bits() as usize];
        if !rest.is_empty() || !self.read_groups(side, first, &mut groups)? {
            return Ok(false);
        }
        for (pair, group) in pairs.iter_mut().zip(groups.chunks(self.header.bits() as usize)) {
            *pair = outcomes_of_group(group);
        }
        Ok(true)
    }

    /// Fills `words` with the groups of [`Header::bits`] words of the raw payload, from group
    /// number `first` of `side` on. No code of distances is above [`Header::largest_code`].
    /// Otherwise the same as [`read_pairs`](Table::read_pairs).
    ///
    /// # Errors
    /// If a block cannot be read, or is damaged.
    pub fn read_groups(
        &self,
        side: Side,
        first: u64,
        words: &mut [u64],
    ) -> Result<bool, TableError> {
        let bits = self.header.bits() as usize;
        let end = first.saturating_add((words.len() / bits) as u64);
        if !words.len().is_multiple_of(bits)
            || end > groups(self.header.entries()[side])
            || !self.stores(side)
        {
            return Ok(false);
        }
        self.copy_groups(side, first, words).map(|()| true).map_err(|defect| self.error(defect))
    }

    /// Fills `codes` with the codes of a table of distances from rank `first` of `side` on, a
    /// multiple of 64, bypassing the cache. None of them is above [`Header::largest_code`]. Returns
    /// false and reads nothing if the table does not have all of them.
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
        let fits = first.is_multiple_of(ENTRIES_PER_PAIR) && end <= self.header.entries()[side];
        if !fits || !self.header.metric().has_distances() || !self.stores(side) {
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
        let bits = self.header.bits();
        let mut words = vec![0; groups(codes.len() as u64) as usize * bits as usize];
        self.copy_groups(side, first / ENTRIES_PER_PAIR, &mut words)?;
        expand_codes(&words, bits, codes);
        Ok(())
    }

    /// Fills `codes` with the codes of a block of a packed table, in the order of the file, which
    /// is the [`PackingOrder`] of the index. None of them is above
    /// [`Header::largest_code`]. Returns false and reads nothing if the table has no such block, or
    /// the block has another number of [entries](Packing::entries_in).
    ///
    /// # Errors
    /// If the block cannot be read, or is damaged.
    pub fn read_block(&self, block: BlockId, codes: &mut [u16]) -> Result<bool, TableError> {
        let Payload::Packed(_, packing) = &self.payload else { return Ok(false) };
        let entries = self.header.entries();
        if block.number >= packing.blocks(entries)[block.side]
            || codes.len() != packing.entries_in(entries, block) as usize
        {
            return Ok(false);
        }
        self.decode(block).map_err(|defect| self.error(defect))?.codes(0, codes);
        Ok(true)
    }

    /// Fills `words` with groups. Codes of distances are values.
    fn copy_groups(&self, side: Side, first: u64, words: &mut [u64]) -> Result<(), Defect> {
        match &self.payload {
            Payload::Raw(raw) => {
                let start = group_offset(
                    self.header.entries(),
                    self.header.bits(),
                    side,
                    first * ENTRIES_PER_PAIR,
                );
                let end = start + words.len() as u64 * 8;
                let mut rest = words.iter_mut();
                for block in start / CHECK_BLOCK..end.div_ceil(CHECK_BLOCK) {
                    // The checked bytes are the bytes that are copied.
                    let (_, bytes) = raw.check(&self.header, &*self.storage, block)?;
                    let skipped = start.saturating_sub(block * CHECK_BLOCK) as usize;
                    for (from, word) in words_of(&bytes[skipped..]).zip(&mut rest) {
                        *word = from;
                    }
                }
                let (bits, coding) = (self.header.bits() as usize, self.header.coding());
                let is_wrong = |group: &[u64]| coding.no_values(group) != 0;
                if self.header.metric().has_distances() && words.chunks(bits).any(is_wrong) {
                    let first = first * ENTRIES_PER_PAIR;
                    let end = first + (words.len() / bits) as u64 * ENTRIES_PER_PAIR;
                    let ranks = first..=end.min(self.header.entries()[side]) - 1;
                    return Err(Defect::Damaged(Damage::EntryAmong { ranks }));
                }
            }
            Payload::Packed(..) => {
                let (order, bits) = (self.order(side)?, self.header.bits());
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
    /// cache, which keeps rows in the order of ranks. Unlike [`read_codes`](Table::read_codes) it is
    /// for readers that read most rows, some of them several times. Returns false and reads nothing
    /// if the table is not packed or does not have all of them.
    ///
    /// In the file, the entries of a row lie 64 places apart, each in a cache line of its own. So
    /// all 64 rows of a group are put in the order of ranks at once, unless the cache is too small to
    /// keep them.
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
        let Payload::Packed(_, packing) = &self.payload else {
            return Err(Defect::HeaderInvalid("kind"));
        };
        let block_entries = u64::from(packing.block_entries);
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
        let Payload::Packed(_, packing) = &self.payload else {
            return Err(Defect::HeaderInvalid("kind"));
        };
        let block_entries = u64::from(packing.block_entries);
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

    /// Returns the number of parts for [`verify_part`](Table::verify_part).
    pub fn parts(&self) -> u64 {
        match &self.payload {
            Payload::Raw(_) => RawPayload::blocks(&self.header),
            Payload::Packed(_, packing) => {
                packing.blocks(self.header.entries()).into_array().iter().sum()
            }
        }
    }

    /// Reads part number `part < self.parts()` of the payload and checks its checksum, and that
    /// every code in it is a value. Parts can be checked in any order and by several threads.
    ///
    /// # Errors
    /// If the part cannot be read, or is damaged.
    pub fn verify_part(&self, part: u64) -> Result<(), TableError> {
        let verified = match &self.payload {
            Payload::Raw(raw) => raw.verify(&self.header, &*self.storage, part),
            Payload::Packed(_, packing) => {
                let first = packing.blocks(self.header.entries())[Side::First];
                let block = match part.checked_sub(first) {
                    None => BlockId { side: Side::First, number: part },
                    Some(number) => BlockId { side: Side::Second, number },
                };
                self.decode(block).map(drop)
            }
        };
        verified.map_err(|defect| self.error(defect))
    }

    /// Reads the whole file and checks everything that does not depend on the game: all
    /// [parts](Table::verify_part), the zeros between the regions, the description if the game has
    /// one, and in a raw table the digest of the payload.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or was changed.
    pub fn verify(&self) -> Result<(), TableError> {
        (0..self.parts()).try_for_each(|part| self.verify_part(part))?;
        self.verify_rest()
    }

    /// Checks everything that [`verify`](Table::verify) checks except the parts.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or was changed.
    pub fn verify_rest(&self) -> Result<(), TableError> {
        self.check_rest().map_err(|defect| self.error(defect))?;
        self.check_unchanged()
    }

    /// Checks that the file has not changed since it was opened, as far as its length and
    /// modification time show.
    ///
    /// Values that were read from a mapped file are reliable only if this succeeds afterwards.
    /// Values from [`PositionedReads`](crate::PositionedReads) are checked in any case.
    ///
    /// # Errors
    /// [`Defect::Changed`].
    pub fn check_unchanged(&self) -> Result<(), TableError> {
        match self.storage.change() {
            None => Ok(()),
            Some(change) => Err(TableError::new(&self.path, Defect::Changed(change))),
        }
    }

    /// Returns the bytes of a part of the file as they are, for programs that copy tables.
    ///
    /// ```
    /// use anser_table::{PositionedReads, Table, format::Region};
    /// # fn copy() -> Result<(), anser_table::TableError> {
    /// let table = Table::open("fox-geese.free.L08.wdl.anserz", &PositionedReads)?;
    /// let header = table.read_bytes(Region { offset: 0, len: 4096 })?;
    /// assert!(header.starts_with(b"\x89HUNT"));
    /// # Ok(())
    /// # }
    /// # assert!(copy().is_err());
    /// ```
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn read_bytes(&self, region: Region) -> Result<Vec<u8>, TableError> {
        read_region(&*self.storage, region).map_err(|defect| self.error(defect))
    }

    /// Whether values come from memory, which other programs may share.
    pub(crate) fn is_mapped(&self) -> bool {
        self.storage.as_slice().is_some()
    }

    fn check_rest(&self) -> Result<(), Defect> {
        let layout = self.header.layout();
        let gap = Region {
            offset: layout.payload.end(),
            len: layout.checks.offset - layout.payload.end(),
        };
        if read_region(&*self.storage, gap)?.iter().any(|&byte| byte != 0) {
            return Err(Defect::Damaged(Damage::Gap(gap)));
        }
        match &self.payload {
            Payload::Packed(payload, packing) => {
                payload.verify_index(&self.header, packing, &*self.storage)?;
            }
            Payload::Raw(raw) => {
                // Sound checks vouch for the length of the payload.
                raw.verify_list(&self.header, &*self.storage)?;
                self.verify_raw()?;
            }
        }
        if layout.description.len > 0 {
            self.read_hunt().map(drop)
        } else {
            self.read_description().map(drop)
        }
    }

    /// Checks that the padding of each side is zero and that the payload matches its digest.
    fn verify_raw(&self) -> Result<(), Defect> {
        for side in Side::BOTH {
            let entries = self.header.entries()[side];
            let used = entries % ENTRIES_PER_PAIR;
            if used > 0 {
                let mut group = vec![0; self.header.bits() as usize];
                self.copy_groups(side, entries / ENTRIES_PER_PAIR, &mut group)?;
                if group.iter().any(|word| word >> used != 0) {
                    return Err(Defect::Damaged(Damage::Padding));
                }
            }
        }
        let mut hasher = blake3::Hasher::new();
        let payload = self.header.layout().payload;
        for offset in (0..payload.len).step_by(1 << 20) {
            let region = Region {
                offset: payload.offset + offset,
                len: (payload.len - offset).min(1 << 20),
            };
            hasher.update(&read_region(&*self.storage, region)?);
        }
        if hasher.finalize() != *self.header.payload_digest() {
            return Err(Defect::Damaged(Damage::Digest));
        }
        Ok(())
    }

    fn decode(&self, block: BlockId) -> Result<Block, Defect> {
        match &self.payload {
            Payload::Packed(payload, packing) => {
                payload.block(&self.header, packing, &*self.storage, block)
            }
            Payload::Raw(_) => Err(Defect::HeaderInvalid("kind")),
        }
    }

    pub(crate) fn error(&self, defect: Defect) -> TableError {
        // Apparent damage may be the work of another program.
        let changed =
            if matches!(defect, Defect::Damaged(_)) { self.storage.change() } else { None };
        TableError::new(&self.path, changed.map_or(defect, Defect::Changed))
    }
}

/// Marks the number of a cached group of rows: the rest is its first place.
const ROWS: u64 = 1 << 63;

/// Number of entries from a row of a cached group to the next: whole words.
fn stride(group: &RowGroup<'_>) -> usize {
    group.columns().len().next_multiple_of(8)
}

fn read_header(storage: &dyn Storage) -> Result<Header, Defect> {
    let mut bytes = [0; HEADER_LEN];
    let len = storage.len().min(HEADER_LEN as u64) as usize;
    storage.read_exact_at(0, &mut bytes[..len])?;
    let header = Header::decode(&bytes[..len])?;
    if !header.is_complete() {
        return Err(Defect::Unfinished);
    }
    let (expected, actual) = (header.layout().file_len(), storage.len());
    if actual != expected {
        return Err(Defect::Length { expected, actual });
    }
    Ok(header)
}
