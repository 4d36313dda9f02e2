//! Errors: what is wrong with a file, and why a position has no answer.
//!
//! A [`Defect`] is what is wrong with a file, a [`TableError`] names the file, and a [`ProbeError`]
//! is what a probe returns. All of them carry their details as data.

use std::fmt;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anser_core::Side;
use anser_core::hunt::{Problem, TextError};

use crate::format::{BlockId, FrameError, Region, ordinal};
pub use crate::kinds::UnknownId;
use crate::kinds::{Kind, Metric};
use crate::names::TableName;
use crate::storage::platform::is_too_many_files;

/// Problem of a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum Defect {
    /// The file cannot be read.
    Io(io::Error),
    /// A directory of tables cannot be read.
    Directory(io::Error),
    /// The file does not begin with the signature of a table.
    NotATable,
    /// The file was made before version 0.1.0, in a format that is no longer read.
    Earlier,
    /// The file has a format version that this reader does not know.
    UnknownVersion(u16),
    /// The header does not match its checksum.
    HeaderDamaged,
    /// The header contradicts itself; the text names the field.
    HeaderInvalid(&'static str),
    /// The file is still being written, or its writer was stopped.
    Unfinished,
    /// The length of the file differs from the length that its header states.
    Length {
        /// The length that follows from the header, in bytes.
        expected: u64,
        /// The length of the file, in bytes.
        actual: u64,
    },
    /// The table belongs to something else than what was requested.
    Mismatch {
        /// The property that differs.
        what: Property,
        /// The requested value.
        expected: String,
        /// The value in the file.
        found: String,
    },
    /// The blocks of the file are in the packing order of an index, and it was opened without the
    /// index.
    OrderUnknown,
    /// The description of the game cannot be used. The values are not in doubt: a program that
    /// knows the game reads them.
    Description(DescriptionDefect),
    /// A part of the file is damaged.
    Damaged(Damage),
    /// The file was changed while it was open.
    Changed(Change),
    /// Memory or another resource of the system ran out. The file is not in doubt.
    Resources(Shortage),
    /// A manifest is not valid.
    Manifest(ListDefect),
    /// A list of checksums is not valid.
    Sums(ListDefect),
}

/// A property that identifies a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Property {
    /// The name of the game.
    Game,
    /// The id of the rule set.
    RuleSet,
    /// The hash of the rules.
    Rules,
    /// The layer.
    Layer,
    /// The index scheme with its version and symmetries.
    Index,
    /// The number of entries.
    Entries,
    /// Raw or packed.
    Kind,
    /// Outcomes or distances.
    Metric,
}

impl Property {
    /// Compares the property of a table with the requested one.
    ///
    /// # Errors
    /// [`Defect::Mismatch`].
    pub fn check<T: PartialEq + ToString + ?Sized>(
        self,
        expected: &T,
        found: &T,
    ) -> Result<(), Defect> {
        if expected == found {
            return Ok(());
        }
        let (expected, found) = (expected.to_string(), found.to_string());
        Err(Defect::Mismatch { what: self, expected, found })
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Property::Game => "game",
            Property::RuleSet => "rule set",
            Property::Rules => "meaning of the rule set",
            Property::Layer => "layer",
            Property::Index => "numbering",
            Property::Entries => "number of entries",
            Property::Kind => "kind",
            Property::Metric => "metric",
        })
    }
}

/// Problem of the description of the game in a table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DescriptionDefect {
    /// It is not UTF-8.
    Encoding,
    /// It is not the text of a description.
    Text(TextError),
    /// It contradicts itself.
    Rules(Problem),
    /// It describes another game than the header names.
    Other {
        /// The property that differs.
        what: Property,
        /// The value in the header.
        header: String,
        /// The value of the description.
        description: String,
    },
}

impl fmt::Display for DescriptionDefect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DescriptionDefect::Encoding => f.write_str("it is not UTF-8"),
            DescriptionDefect::Text(error) => error.fmt(f),
            DescriptionDefect::Rules(problem) => problem.fmt(f),
            DescriptionDefect::Other { what, header, description } => {
                write!(f, "its {what} is {description}, where the header has {header}")
            }
        }
    }
}

/// The damaged part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Damage {
    /// The file ends before the part that is read.
    End,
    /// A block of the payload of a raw table does not match its checksum.
    Block {
        /// The number of the block, from 0.
        number: u64,
        /// Its bytes in the file.
        bytes: Region,
    },
    /// A frame of a packed table does not match its checksum.
    Frame {
        /// The block.
        block: BlockId,
        /// Its bytes in the file.
        bytes: Region,
    },
    /// A frame of a packed table is longer than any frame of its entries.
    FrameLength {
        /// The block.
        block: BlockId,
        /// Its bytes in the file.
        bytes: Region,
    },
    /// A frame of a packed table does not decode.
    Undecodable {
        /// The block.
        block: BlockId,
        /// Its bytes in the file.
        bytes: Region,
        /// Why not.
        error: FrameError,
    },
    /// A frame is not valid.
    Content(FrameError),
    /// Entries with one side to move do not make a valid frame.
    Unpackable {
        /// The side to move.
        side: Side,
        /// Why not.
        error: FrameError,
    },
    /// Entries with this side to move are not stored.
    NotStored(Side),
    /// An entry has no value.
    Entry {
        /// Its rank.
        rank: u64,
    },
    /// An entry among these has no value.
    EntryAmong {
        /// The ranks.
        ranks: RangeInclusive<u64>,
    },
    /// An entry in these bytes has no value.
    EntryIn(Region),
    /// The index of a layer has a rank that the table does not have.
    Rank(u64),
    /// The offsets in the index of a packed table are not ascending.
    FrameIndex,
    /// The checks do not match their checksum.
    Checks(Region),
    /// The description of the game does not match its checksum.
    Description(Region),
    /// The gap between payload and checks is not zero.
    Gap(Region),
    /// The padding of the payload is not zero.
    Padding,
    /// The payload does not match its digest.
    Digest,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damage::End => f.write_str("the end of the file"),
            Damage::Block { number, bytes } => {
                write!(f, "block {number} of the payload (bytes {bytes})")
            }
            Damage::Frame { block, bytes } => write!(f, "{block} (bytes {bytes}; checksum)"),
            Damage::FrameLength { block, bytes } => {
                write!(f, "{block} (bytes {bytes}; longer than a frame can be)")
            }
            Damage::Undecodable { block, bytes, error } => {
                write!(f, "{block} (bytes {bytes}; {error})")
            }
            Damage::Content(error) => write!(f, "a frame ({error})"),
            Damage::Unpackable { side, error } => {
                write!(f, "an entry with the {} side to move ({error})", ordinal(*side))
            }
            Damage::NotStored(side) => {
                write!(f, "the part with the {} side to move (not stored)", ordinal(*side))
            }
            Damage::Entry { rank } => write!(f, "entry {rank}, which has no value,"),
            Damage::EntryAmong { ranks } => {
                let (first, last) = (ranks.start(), ranks.end());
                write!(f, "an entry without a value (among ranks {first} to {last})")
            }
            Damage::EntryIn(bytes) => write!(f, "an entry without a value (bytes {bytes})"),
            Damage::Rank(rank) => write!(f, "the numbering, which has no entry {rank},"),
            Damage::FrameIndex => f.write_str("the index of blocks"),
            Damage::Checks(bytes) => write!(f, "the list of checks (bytes {bytes})"),
            Damage::Description(bytes) => {
                write!(f, "the description of the game (bytes {bytes}; checksum)")
            }
            Damage::Gap(bytes) => write!(f, "the gap after the payload (bytes {bytes})"),
            Damage::Padding => f.write_str("the padding of the payload"),
            Damage::Digest => f.write_str("the payload as a whole (its digest)"),
        }
    }
}

/// Change of a file since it was opened.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Change {
    /// It has another length.
    Length {
        /// The length at opening, in bytes.
        opened: u64,
        /// The length now, in bytes.
        now: u64,
    },
    /// It has another modification time.
    Modified,
    /// Its metadata can no longer be read.
    Unreadable(Arc<io::Error>),
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Length { opened, now } => write!(f, "it had {opened} bytes and now has {now}"),
            Change::Modified => f.write_str("its modification time is another"),
            Change::Unreadable(error) => write!(f, "its metadata can no longer be read: {error}"),
        }
    }
}

/// A resource that ran out.
#[derive(Debug)]
#[non_exhaustive]
pub enum Shortage {
    /// Memory for a part of the file.
    Memory {
        /// The purpose of the memory.
        what: &'static str,
        /// The size of the allocation, in bytes.
        bytes: u64,
    },
    /// Memory for compressing or decompressing.
    Codec,
    /// A resource of the operating system: memory or file handles.
    System(io::Error),
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shortage::Memory { what, bytes } => write!(f, "no memory for {what}, {bytes} bytes"),
            Shortage::Codec => f.write_str("out of memory"),
            Shortage::System(error) => error.fmt(f),
        }
    }
}

/// Problem of a manifest or a list of checksums.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListDefect {
    /// It is not JSON of the expected shape; the text of the parser names line and column.
    Json(String),
    /// It has a format number that this reader does not know.
    UnknownFormat(u32),
    /// It lists tables of another game or rule set.
    OtherTables {
        /// The game and rule set in the file.
        found: (String, String),
        /// The expected game and rule set.
        expected: (String, String),
    },
    /// It is not UTF-8.
    Encoding,
    /// A line is not a digest and a file name.
    Line(usize),
}

impl fmt::Display for ListDefect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ListDefect::Json(error) => f.write_str(error),
            ListDefect::UnknownFormat(format) => write!(f, "format {format} is not known here"),
            ListDefect::OtherTables { found: (game, rules), expected } => {
                write!(
                    f,
                    "it is of {game:?} (rules {rules:?}), not of {} (rules {})",
                    expected.0, expected.1
                )
            }
            ListDefect::Encoding => f.write_str("it is not UTF-8"),
            ListDefect::Line(number) => write!(f, "line {number} is not a digest and a file name"),
        }
    }
}

impl Defect {
    /// Returns what to do about the defect, in a few words.
    pub fn advice(&self) -> &'static str {
        match self {
            Defect::Io(_) => "check that it is there, the permissions and the disk",
            Defect::Directory(_) => "check the path and the permissions",
            Defect::NotATable => "if it should be a table, copy it again as binary",
            Defect::UnknownVersion(_) => "a newer anser reads it",
            Defect::HeaderDamaged => "copy the file again, or delete it and solve the layer again",
            Defect::Earlier | Defect::HeaderInvalid(_) => "solve the layer again",
            Defect::Unfinished => "let its writer finish",
            Defect::Length { .. } | Defect::Damaged(_) => "copy the file again",
            Defect::Mismatch { .. } => "take it out of this directory",
            Defect::OrderUnknown => "open it as one of a game's tables",
            Defect::Description(_) => "solve the layer again, or name the game",
            Defect::Changed(_) => "read it again when no other program writes to it",
            Defect::Resources(_) => "free memory, or raise the limit (ulimit)",
            Defect::Manifest(_) => "delete it, the next writer of a table makes it anew",
            Defect::Sums(_) => "delete it, `sha256sum` writes it anew",
        }
    }

    /// Writes what is wrong, without [`advice`](Defect::advice).
    fn problem(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Defect::Io(error) => write!(f, "cannot be read: {error}"),
            Defect::Directory(error) => {
                write!(f, "the directory of tables cannot be read: {error}")
            }
            Defect::NotATable => f.write_str("not a table, or garbled on the way as text is"),
            Defect::Earlier => f.write_str("made before 0.1.0, in a format that is no longer read"),
            Defect::UnknownVersion(version) => {
                write!(f, "format version {version} is not known here")
            }
            Defect::HeaderDamaged => f.write_str("the header is damaged"),
            Defect::HeaderInvalid(field) => write!(f, "the header is invalid ({field})"),
            Defect::Unfinished => f.write_str("unfinished"),
            Defect::Length { expected, actual } => {
                let how = if actual < expected { "truncated" } else { "too long" };
                write!(f, "{how}: {actual} bytes where the header says {expected}")
            }
            Defect::Mismatch { what, expected, found } => {
                write!(f, "a table of another {what}: {found}, where {expected} was expected")
            }
            Defect::OrderUnknown => {
                f.write_str("its entries are in an order that the game's index defines")
            }
            Defect::Description(problem) => {
                write!(f, "the description of the game cannot be used: {problem}")
            }
            Defect::Damaged(damage) => write!(f, "{damage} is damaged"),
            Defect::Changed(change) => {
                write!(
                    f,
                    "was changed while it was open ({change}), so nothing that was read from it counts"
                )
            }
            Defect::Resources(shortage) => write!(
                f,
                "cannot be read for want of resources ({shortage}); nothing is known to be wrong \
                 with the file"
            ),
            Defect::Manifest(problem) => write!(f, "the manifest is not valid: {problem}"),
            Defect::Sums(problem) => write!(f, "not a list of checksums: {problem}"),
        }
    }
}

/// Writes what is wrong and what to do next; the alternate form `{:#}` leaves out what to do.
impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problem(f)?;
        if f.alternate() { Ok(()) } else { write!(f, "; {}", self.advice()) }
    }
}

impl From<DescriptionDefect> for Defect {
    fn from(problem: DescriptionDefect) -> Defect {
        Defect::Description(problem)
    }
}

impl From<io::Error> for Defect {
    fn from(error: io::Error) -> Defect {
        // A file that ends too early is damaged; nothing is wrong with the disk.
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Defect::Damaged(Damage::End),
            _ if is_resource(&error) => Defect::Resources(Shortage::System(error)),
            _ => Defect::Io(error),
        }
    }
}

/// Whether the system lacked memory or file handles, so that the same call may succeed later.
pub fn is_resource(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::OutOfMemory || is_too_many_files(error)
}

/// Allocates a vector of capacity `len`, or fails with an error of its own.
///
/// Lengths come from files, so an allocation that fails must not end the process.
pub(crate) fn reserve<T>(len: u64, what: &'static str) -> Result<Vec<T>, Defect> {
    let mut vector = Vec::new();
    let reserved = usize::try_from(len).is_ok_and(|len| vector.try_reserve_exact(len).is_ok());
    let bytes = len.saturating_mul(size_of::<T>() as u64);
    if reserved { Ok(vector) } else { Err(Defect::Resources(Shortage::Memory { what, bytes })) }
}

/// Class of a failure, for exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorClass {
    /// No table has the answer.
    Missing,
    /// A table is damaged, foreign, unfinished, or too new.
    Corrupt,
    /// Input or output failed, or the file was changed while it was open.
    Io,
    /// Memory or another resource of the system ran out.
    Resources,
}

/// A file, and what is wrong with it.
#[derive(Clone, Debug)]
pub struct TableError(Arc<(PathBuf, Defect)>);

impl TableError {
    /// Creates an error about the file `path`.
    pub fn new(path: impl Into<PathBuf>, defect: impl Into<Defect>) -> TableError {
        TableError(Arc::new((path.into(), defect.into())))
    }

    /// Returns the file (or directory) that the error is about.
    pub fn path(&self) -> &Path {
        &self.0.0
    }

    /// Returns what is wrong with it.
    pub fn defect(&self) -> &Defect {
        &self.0.1
    }

    /// Returns the class of the failure, never [`ErrorClass::Missing`].
    pub fn class(&self) -> ErrorClass {
        match self.defect() {
            Defect::Resources(_) => ErrorClass::Resources,
            Defect::Directory(error) if is_resource(error) => ErrorClass::Resources,
            Defect::Io(_) | Defect::Directory(_) | Defect::Changed(_) => ErrorClass::Io,
            _ => ErrorClass::Corrupt,
        }
    }
}

/// Writes file and defect; the alternate form `{:#}` leaves out what to do next.
impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path();
        match path.file_name().and_then(|name| TableName::parse(name.to_str()?)) {
            Some(TableName { layer, .. }) => write!(f, "{} (layer {layer}): ", path.display())?,
            None => write!(f, "{}: ", path.display())?,
        }
        self.defect().fmt(f)
    }
}

impl std::error::Error for TableError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self.defect() {
            Defect::Io(error)
            | Defect::Directory(error)
            | Defect::Resources(Shortage::System(error)) => Some(error),
            _ => None,
        }
    }
}

/// A layer without a table.
///
/// ```
/// use anser_core::Hunt;
/// use anser_table::{Metric, ProbeError, Tablebase};
/// let tablebase = Tablebase::from_tables(Hunt::default(), []);
/// match tablebase.probe(&tablebase.game().start()) {
///     Err(ProbeError::MissingLayer(missing)) => {
///         assert_eq!((&*missing.game, missing.layer, missing.metric), ("fox-geese", 13, Metric::Wdl));
///         // To solve it takes the layers from the lowest one up.
///         assert_eq!(missing.first, 1);
///     }
///     other => unreachable!("{other:?}"),
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MissingLayer {
    /// The name of the game.
    pub game: String,
    /// The id of the rule set.
    pub rules: String,
    /// The layer.
    pub layer: u16,
    /// The requested metric; [`Metric::Wdl`] if any metric would have done.
    pub metric: Metric,
    /// The first layer to solve if no table exists: a layer may depend on lower ones.
    pub first: u16,
    /// The directories that were searched, in order.
    pub searched: Vec<PathBuf>,
    /// Unfinished files of the layer in these directories.
    pub unfinished: Vec<PathBuf>,
}

impl fmt::Display for MissingLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MissingLayer { game, rules, layer, metric, searched, unfinished, .. } = self;
        let name = TableName::new(game, rules, *layer, *metric, Kind::Raw);
        let what = match metric {
            Metric::Wdl => "",
            Metric::Dtw => " with distances",
        };
        write!(f, "layer {layer} of {game} (rules {rules}){what} is not there: ")?;
        if searched.is_empty() {
            write!(f, "there is no directory to search for {name} or {name}z")?;
        } else {
            write!(f, "no {name} or {name}z in {}", list(searched))?;
        }
        if !unfinished.is_empty() {
            write!(f, ", only the unfinished {}", list(unfinished))?;
        }
        Ok(())
    }
}

fn list(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// Why a position has no answer.
#[derive(Clone, Debug)]
pub enum ProbeError {
    /// A layer that the answer needs has no table.
    MissingLayer(Box<MissingLayer>),
    /// The table that holds the answer cannot be trusted or read.
    Table(TableError),
}

impl ProbeError {
    /// Returns the class of the failure.
    pub fn class(&self) -> ErrorClass {
        match self {
            ProbeError::MissingLayer(_) => ErrorClass::Missing,
            ProbeError::Table(error) => error.class(),
        }
    }
}

impl fmt::Display for ProbeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProbeError::MissingLayer(missing) => missing.fmt(f),
            ProbeError::Table(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ProbeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ProbeError::MissingLayer(_) => None,
            // The text is that of the table's error, so the source of that error comes next.
            ProbeError::Table(error) => error.source(),
        }
    }
}

impl From<TableError> for ProbeError {
    fn from(error: TableError) -> ProbeError {
        ProbeError::Table(error)
    }
}
