//! Results of a check: the checked files, and their problems.

use std::fmt;
use std::path::{Path, PathBuf};

use anser_core::Value;
use anser_table::format::{Counts, Longest};
use anser_table::manifest::Sums;
use anser_table::{Kind, Metric, ProbeError, TableError};

use crate::SolveError;

/// A file that was checked.
#[derive(Debug)]
pub struct Verified {
    /// The file.
    pub path: PathBuf,
    /// The kind of file.
    pub file: FileKind,
    /// Number of values that were recomputed; 0 if only checksums were compared.
    pub entries: u64,
    /// Whether every value was to be recomputed.
    pub full: bool,
    /// Number of rounds in which all wins were found to be well-founded, counted as in a manifest.
    /// `None` if that was not checked, if there are problems, and for distances.
    pub rounds: Option<u64>,
    /// The lists of digests that the whole file was compared with.
    pub compared: Compared,
    /// The problems; empty if the file is sound.
    pub problems: Vec<Problem>,
    /// Why values could not be recomputed: a lower layer that they depend on is missing, or its
    /// table is damaged.
    pub not_recomputed: Option<ProbeError>,
    /// Why the file, or a table that its values depend on, could not be read. The file may be
    /// sound.
    pub unreadable: Option<SolveError>,
    /// Time that the check took, in seconds.
    pub seconds: f64,
}

/// Kind of a checked file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileKind {
    /// A table.
    Table {
        /// The layer.
        layer: u16,
        /// The metric.
        metric: Metric,
        /// Raw or packed.
        kind: Kind,
    },
    /// A manifest.
    Manifest,
    /// The list of checksums, `SHA256SUMS`.
    Sums,
    /// Another file that a list names.
    Other,
}

impl FileKind {
    /// Returns `raw`, `packed`, `manifest`, `checksums`, or `file`.
    pub const fn id(self) -> &'static str {
        match self {
            FileKind::Table { kind, .. } => kind.id(),
            FileKind::Manifest => "manifest",
            FileKind::Sums => "checksums",
            FileKind::Other => "file",
        }
    }
}

/// The lists that a table was compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// The manifest lists the table.
    pub manifest: bool,
    /// `SHA256SUMS` lists the table.
    pub sums: bool,
}

/// One thing that is wrong with a file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Problem {
    /// The file is damaged, foreign, or not valid.
    File(TableError),
    /// A value does not follow from the values of the successors.
    Value {
        /// The position.
        position: String,
        /// The value in the table.
        stored: NamedValue,
        /// The value that follows from the successors.
        expected: NamedValue,
    },
    /// A win is consistent with its successors, but not forced in any number of moves.
    NotForced {
        /// The position.
        position: String,
        /// The value in the table.
        stored: NamedValue,
    },
    /// The header counts other outcomes than the values are.
    Counts {
        /// The counts in the header.
        header: Counts,
        /// The counts of the values.
        values: Counts,
    },
    /// The header states other longest wins than the values are.
    Longest {
        /// The longest wins in the header.
        header: Longest,
        /// The longest wins of the values.
        values: Longest,
    },
    /// Another table of the same layer counts other outcomes.
    OtherCounts {
        /// The counts in the header.
        header: Counts,
        /// The other table.
        other: PathBuf,
        /// The counts in the header of the other table.
        counts: Counts,
    },
    /// The file is not the one that a list has.
    Differs {
        /// The file.
        path: PathBuf,
        /// The list.
        list: PathBuf,
        /// The properties that differ.
        properties: Vec<ListedProperty>,
    },
    /// A listed file is missing.
    NotThere {
        /// The file.
        path: PathBuf,
        /// The list: a manifest or `SHA256SUMS`.
        list: PathBuf,
    },
    /// A list has a name that is not the name of a table of its game and rule set.
    ForeignName {
        /// The list.
        list: PathBuf,
        /// The name.
        name: String,
    },
    /// This number of further problems was found and not described.
    More(u64),
}

/// A value, and the words for it, with the names of the sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedValue {
    /// The value; `None` for an entry without a value, and for a distance that no entry can store.
    pub value: Option<Value>,
    words: String,
}

impl NamedValue {
    pub(crate) fn new(value: Option<Value>, words: String) -> NamedValue {
        NamedValue { value, words }
    }
}

impl fmt::Display for NamedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

/// A property of a table that a list states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListedProperty {
    /// The layer.
    Layer,
    /// The metric.
    Metric,
    /// Raw or packed.
    Kind,
    /// The length of the file.
    Length,
    /// The BLAKE3 digest of the file.
    Blake3,
    /// The SHA-256 digest of the file.
    Sha256,
    /// The BLAKE3 digest of the raw payload.
    Payload,
}

impl fmt::Display for ListedProperty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ListedProperty::Layer => "layer",
            ListedProperty::Metric => "metric",
            ListedProperty::Kind => "kind",
            ListedProperty::Length => "length",
            ListedProperty::Blake3 => "BLAKE3",
            ListedProperty::Sha256 => "SHA-256",
            ListedProperty::Payload => "digest of the payload",
        })
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::File(error) => error.fmt(f),
            Problem::Value { position, stored, expected } => {
                write!(f, "{position} is {stored} in the table, its moves say {expected}")
            }
            Problem::NotForced { position, stored } => {
                write!(f, "{position} is {stored} in the table, but not in any number of moves")
            }
            Problem::Counts { header, values } => {
                let (header, values) = (header.as_array(), values.as_array());
                write!(
                    f,
                    "the header counts {header:?} positions by outcome, the values {values:?}"
                )
            }
            Problem::Longest { .. } => {
                f.write_str("the longest wins are not those that the header states")
            }
            Problem::OtherCounts { header, other, counts } => {
                let (header, counts, other) = (header.as_array(), counts.as_array(), shown(other));
                write!(
                    f,
                    "the header counts {header:?} positions by outcome, that of {other} {counts:?}"
                )
            }
            Problem::Differs { path, list, properties } => {
                write!(f, "{}: not the file that {} lists: ", shown(path), list.display())?;
                if let [ListedProperty::Sha256] = properties[..] {
                    return f.write_str("its SHA-256 is another");
                }
                let names: Vec<String> = properties.iter().map(ListedProperty::to_string).collect();
                write!(f, "it differs in {}", names.join(", "))
            }
            Problem::NotThere { path, list } => {
                let is_sums = list.file_name().is_some_and(|name| name == Sums::NAME);
                let list = if is_sums { Sums::NAME } else { "the manifest" };
                write!(f, "{}: listed in {list} and not there", shown(path))
            }
            Problem::ForeignName { list, name } => {
                let list = list.display();
                write!(
                    f,
                    "{list}: lists {name:?}, which is not the name of a table of this game and rule set"
                )
            }
            Problem::More(count) => write!(f, "and {count} more"),
        }
    }
}

/// A path for a message. The file name is escaped, because it may come from a list.
fn shown(path: &Path) -> String {
    match path.file_name().zip(path.parent()) {
        Some((name, dir)) => {
            dir.join(name.to_string_lossy().escape_debug().to_string()).display().to_string()
        }
        None => path.display().to_string(),
    }
}

impl Verified {
    /// A table without findings.
    pub(crate) fn new(path: PathBuf, layer: u16, metric: Metric, kind: Kind) -> Verified {
        Verified::of_file(path, FileKind::Table { layer, metric, kind })
    }

    /// A file with a problem.
    pub(crate) fn with_problem(path: PathBuf, file: FileKind, problem: Problem) -> Verified {
        Verified { problems: vec![problem], ..Verified::of_file(path, file) }
    }

    /// A file that could not be read.
    pub(crate) fn unreadable(
        path: PathBuf,
        file: FileKind,
        error: impl Into<SolveError>,
    ) -> Verified {
        Verified { unreadable: Some(error.into()), ..Verified::of_file(path, file) }
    }

    fn of_file(path: PathBuf, file: FileKind) -> Verified {
        Verified {
            path,
            file,
            entries: 0,
            full: false,
            rounds: None,
            compared: Compared::default(),
            problems: Vec::new(),
            not_recomputed: None,
            unreadable: None,
            seconds: 0.0,
        }
    }

    /// Returns whether this is a table, and not a list of files or another listed file.
    pub fn is_table(&self) -> bool {
        matches!(self.file, FileKind::Table { .. })
    }

    /// Returns the layer of a table.
    pub fn layer(&self) -> Option<u16> {
        match self.file {
            FileKind::Table { layer, .. } => Some(layer),
            _ => None,
        }
    }

    /// Returns the metric of a table.
    pub fn metric(&self) -> Option<Metric> {
        match self.file {
            FileKind::Table { metric, .. } => Some(metric),
            _ => None,
        }
    }
}
