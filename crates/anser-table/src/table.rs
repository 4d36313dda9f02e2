//! One open table file: opening, its description, and single values.

mod check;
mod read;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use anser_core::hunt::Description;
use anser_core::{BySide, Dtw, Hunt, LayerIndex, Outcome, PackingOrder, Side};
use xxhash_rust::xxh3::xxh3_64;

use crate::cache::BlockCache;
use crate::error::{Damage, Defect, DescriptionDefect, Property, TableError};
use crate::format::{
    Block, BlockId, HEADER_LEN, Header, OpenFile, PackedPayload, Packing, RawPayload, Region,
    outcome_of,
};
use crate::kinds::Metric;
use crate::names::TableName;
use crate::storage::{Access, Memory, Storage};

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
    file: OpenFile,
    payload: Payload,
    /// The order of the entries of a packed table by side to move, if an index was given.
    order: Option<BySide<PackingOrder>>,
    id: u64,
}

#[derive(Debug)]
enum Payload {
    Raw(RawPayload),
    Packed(PackedPayload),
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
        let (kind, metric) = (table.header().kind(), table.header().metric());
        Property::Kind
            .check(&name.kind, &kind)
            .and_then(|()| Property::Metric.check(&name.metric, &metric))
            .map_err(|defect| table.error(defect))?;
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
                    Some(_) => Payload::Packed(PackedPayload::default()),
                };
                Ok(Table {
                    path,
                    file: OpenFile { header, storage },
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
            orders.as_ref().map(PackingOrder::len) == self.header().entries()
        };
        let is_packed = self.header().packing().is_some();
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
        &self.file.header
    }

    /// Returns the path of the file, or the name that was given when it was opened from memory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether entries with `side` to move are stored. A packed table may omit one side: look-ahead
    /// gives its values.
    pub fn stores(&self, side: Side) -> bool {
        self.header().packing().is_none_or(|packing| packing.stored[side])
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
        match self.header().check_game(&hunt) {
            Ok(()) => Ok(hunt),
            Err(Defect::Mismatch { what, expected: description, found: header }) => {
                Err(DescriptionDefect::Other { what, header, description }.into())
            }
            Err(defect) => Err(defect),
        }
    }

    fn read_description(&self) -> Result<String, Defect> {
        let region = self.header().layout().description;
        let bytes = self.file.read(region)?;
        if xxh3_64(&bytes) != self.header().description_hash() {
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
        Ok(self.code(side, rank, cache)?.and_then(|code| match self.header().metric() {
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
        if !self.header().metric().has_distances() {
            return Ok(None);
        }
        Ok(self.code(side, rank, cache)?.and_then(Dtw::from_code))
    }

    /// Prefetches an entry. Reading many entries far apart is faster after all of them are
    /// prefetched.
    #[inline]
    pub(crate) fn prefetch(&self, side: Side, rank: u64) {
        if matches!(self.payload, Payload::Raw(_)) {
            RawPayload::prefetch(&self.file, side, rank);
        }
    }

    /// Returns the code of an entry, which is a value; `None` if there is no such entry.
    #[inline]
    fn code(&self, side: Side, rank: u64, cache: &BlockCache) -> Result<Option<u16>, TableError> {
        if rank >= self.header().entries()[side] || !self.stores(side) {
            return Ok(None);
        }
        let code = match &self.payload {
            Payload::Raw(raw) => match self.file.storage.as_slice() {
                Some(bytes) => raw.code_in_memory(&self.file, bytes, side, rank),
                None => RawPayload::code_in_blocks(self.header(), side, rank, |number| {
                    // The blocks of a raw table are numbered through both sides to move, so one
                    // side serves.
                    let block = BlockId { side: Side::First, number };
                    cache.get_or_decode(self.id, block, || raw.block(&self.file, number))
                }),
            },
            Payload::Packed(_) => self.order(side).and_then(|order| {
                let place = order.place(rank);
                let block_entries = u64::from(self.packing()?.block_entries);
                let block = BlockId { side, number: place / block_entries };
                let block = cache.get_or_decode(self.id, block, || self.decode(block))?;
                Ok(block.code(place % block_entries))
            }),
        };
        match code {
            Ok(code) if code <= self.header().largest_code() => Ok(Some(code)),
            Ok(_) => Err(self.error(Defect::Damaged(Damage::Entry { rank }))),
            Err(defect) => Err(self.error(defect)),
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
        self.file.read(region).map_err(|defect| self.error(defect))
    }

    /// Whether values come from memory, which other programs may share.
    pub(crate) fn is_mapped(&self) -> bool {
        self.file.storage.as_slice().is_some()
    }

    fn decode(&self, block: BlockId) -> Result<Block, Defect> {
        match &self.payload {
            Payload::Packed(payload) => payload.block(&self.file, self.packing()?, block),
            Payload::Raw(_) => Err(Defect::HeaderInvalid("kind")),
        }
    }

    /// Returns the parameters of a packed table.
    fn packing(&self) -> Result<&Packing, Defect> {
        self.header().packing().ok_or(Defect::HeaderInvalid("kind"))
    }

    pub(crate) fn error(&self, defect: Defect) -> TableError {
        // Apparent damage may be the work of another program.
        let changed =
            if matches!(defect, Defect::Damaged(_)) { self.file.storage.change() } else { None };
        TableError::new(&self.path, changed.map_or(defect, Defect::Changed))
    }
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
