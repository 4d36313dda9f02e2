//! Errors of solving, checking, and packing.

use std::fmt;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anser_core::{BySide, Hunt, Violation};
use anser_retrograde::Bytes;
use anser_retrograde::layer::TooLong;
use anser_table::{Defect, Kind, Metric, ProbeError, TableError};

/// Why tables could not be made or checked.
///
/// The details are data. What to do next depends on the front end, so the texts do not say it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// An operation on a file or directory failed.
    #[error("{}: {action} failed: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The operation, as a verb in its -ing form.
        action: &'static str,
        /// The error of the system.
        source: io::Error,
    },
    /// Another process writes tables to the directory.
    #[error("{}: another process writes tables to this directory", path.display())]
    Locked {
        /// The lock file.
        path: PathBuf,
    },
    /// The lock of the directory was lost, and nothing more was written.
    #[error(
        "{}: the directory or its lock file was replaced during this run, so another process may \
         be writing to it; nothing more is written",
        dir.display()
    )]
    LockLost {
        /// The directory.
        dir: PathBuf,
    },
    /// Another rank of a cluster failed.
    #[error("rank {rank} failed; its message says why")]
    Rank {
        /// The rank.
        rank: usize,
    },
    /// The layers of a game cannot be solved by several ranks.
    #[error("several ranks cannot solve this game together, because of {what}")]
    NoCluster {
        /// The feature of the game, or of the request.
        what: &'static str,
    },
    /// Ranks have different games, or versions of this library.
    #[error("rank {rank} has another game or version than rank 0")]
    OtherGame {
        /// The first such rank.
        rank: usize,
    },
    /// The memory limit is too low for a layer.
    #[error(
        "layer {layer} needs {} of memory and the limit is {}",
        beside(*needed, *budget), beside(*budget, *needed)
    )]
    Memory {
        /// The layer.
        layer: u16,
        /// The memory that the layer needs, in bytes.
        needed: u64,
        /// The limit, in bytes.
        budget: u64,
    },
    /// There is too little memory for a full check of a layer.
    #[error(
        "the full check of layer {layer} needs {} of memory and {} are available",
        beside(*needed, *available), beside(*available, *needed)
    )]
    CheckMemory {
        /// The layer.
        layer: u16,
        /// The memory that the values of the layer and of the lower ones take, in bytes.
        needed: u64,
        /// The available memory, in bytes.
        available: u64,
    },
    /// The disk has too little free space for the tables.
    #[error(
        "{}: the tables need {} more of disk and {} are free",
        path.display(), beside(*needed, *free), beside(*free, *needed)
    )]
    Disk {
        /// The directory of the tables.
        path: PathBuf,
        /// The space that the run needs, in bytes.
        needed: u64,
        /// The free space, in bytes.
        free: u64,
        /// Whether tables are packed and raw ones removed as the run goes.
        packed: bool,
    },
    /// The game does not have a requested layer.
    #[error("there is no layer {layer}: {game} has layers {} to {}", layers.start(), layers.end())]
    NoSuchLayer {
        /// The layer.
        layer: u16,
        /// The name of the game.
        game: String,
        /// The layers of the game.
        layers: RangeInclusive<u16>,
    },
    /// A layer depends on a lower one that has no table and is not to be solved.
    #[error("layer {layer} depends on layer {missing}, which is not in {}", dir.display())]
    MissingLower {
        /// The layer to be solved.
        layer: u16,
        /// The highest missing layer below it.
        missing: u16,
        /// The requested metric.
        metric: Metric,
        /// The lowest layer that `layer` depends on.
        first: u16,
        /// The last requested layer without a table.
        last: u16,
        /// The directory of the tables.
        dir: PathBuf,
        /// The name of the game.
        game: String,
        /// The id of the rule set.
        rules: String,
    },
    /// A defect of an engine: the number of returned values is not that of the entries.
    #[error(
        "the engine {engine} returned {:?} values of layer {layer}, by side to move, and there are \
         {:?} entries",
        found.as_array(),
        expected.as_array()
    )]
    WrongLength {
        /// The name of the engine.
        engine: &'static str,
        /// The layer.
        layer: u16,
        /// The number of values by side to move.
        found: BySide<u64>,
        /// The number of entries by side to move.
        expected: BySide<u64>,
    },
    /// A defect of a game: its rules contradict themselves.
    #[error(transparent)]
    Rules(#[from] Violation),
    /// A table that is needed is missing, damaged, or unreadable.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// A table is damaged or unreadable.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The header of a table cannot be written.
    #[error("the tables of layer {layer} cannot be written: {defect:#}")]
    Header {
        /// The layer.
        layer: u16,
        /// Why not.
        defect: Defect,
    },
    /// A table does not hold the right values.
    #[error(transparent)]
    Wrong(#[from] Box<WrongTable>),
    /// The name of a file to be written belongs to a file of another program.
    #[error("{}: not a file of anser, so it is left alone", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// An unfinished table was changed from outside.
    #[error(
        "{}: the contents are not what was written: another program changed the file, or the disk \
         is failing",
        path.display()
    )]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The observer interrupted the work. Finished tables are kept.
    #[error("stopped before it was done")]
    Interrupted,
    /// There is no such compression level.
    #[error("there is no compression level {0}: levels are 1 to 22")]
    Level(i32),
    /// A win takes more plies than a table can store.
    #[error(
        "a win in layer {layer} takes more than {} plies, the longest distance that a table stores",
        anser_core::Dtw::LONGEST
    )]
    TooLong {
        /// The layer.
        layer: u16,
    },
    /// The system refused to start this number of threads.
    #[error("{0} threads could not be started")]
    Threads(usize),
}

/// A table that does not hold the right values, and must be made again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {fault}", path.display())]
#[non_exhaustive]
pub struct WrongTable {
    /// The file.
    pub path: PathBuf,
    /// The name of the game.
    pub game: String,
    /// The id of the rule set.
    pub rules: String,
    /// The layer.
    pub layer: u16,
    /// The metric.
    pub metric: Metric,
    /// Raw or packed.
    pub kind: Kind,
    /// The lowest layer that the layer depends on.
    pub first: u16,
    /// The problem.
    pub fault: TableFault,
}

impl WrongTable {
    /// Creates the error about the table `path` of a layer of `game`.
    pub(crate) fn error(
        game: &Hunt,
        path: &Path,
        table: (u16, Metric, Kind),
        fault: TableFault,
    ) -> SolveError {
        let (layer, metric, kind) = table;
        let (game, rules, first) = (game.name(), game.rules_id(), game.first_needed(layer));
        SolveError::Wrong(Box::new(WrongTable {
            path: path.to_owned(),
            game: game.into(),
            rules: rules.into(),
            layer,
            metric,
            kind,
            first,
            fault,
        }))
    }
}

/// Problem of a table that does not hold the right values.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableFault {
    /// It is damaged, and the manifest does not list it.
    Unlisted,
    /// It holds a value that no position of the game has.
    ImpossibleValue,
    /// It is sound, but its values are not those of another sound table of the layer.
    OtherValues {
        /// The other table.
        of: PathBuf,
    },
    /// Its unpacked values are not those that its header states: it is damaged, or a lower table
    /// that it needs for omitted values is wrong.
    Unpacked,
}

impl From<TooLong> for SolveError {
    fn from(TooLong { layer }: TooLong) -> SolveError {
        SolveError::TooLong { layer }
    }
}

impl fmt::Display for TableFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableFault::Unlisted => f.write_str("damaged, and not in the manifest"),
            TableFault::ImpossibleValue => {
                f.write_str("it holds a value that no position of this game has")
            }
            TableFault::OtherValues { of } => {
                write!(
                    f,
                    "its values are not those of {}, so one of the two is wrong",
                    of.display()
                )
            }
            TableFault::Unpacked => f.write_str(
                "its unpacked values are not those that its header states: it is damaged, or a \
                 lower table that it needs is wrong",
            ),
        }
    }
}

/// For `map_err`: an [`SolveError::Io`] about an `action` on `path`.
pub(crate) fn io_error(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> SolveError {
    move |source| SolveError::Io { path: path.to_owned(), action, source }
}

/// Returns a size as text, in bytes if `other` would read alike.
fn beside(size: u64, other: u64) -> String {
    let text = Bytes(size).to_string();
    if text == Bytes(other).to_string() { format!("{size} B") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_sizes_read_differently() {
        let said = |needed, budget| SolveError::Memory { layer: 9, needed, budget }.to_string();
        let rounded = "layer 9 needs 4.7 GiB of memory and the limit is 4.0 GiB";
        assert_eq!(said(5_046_586_573, 4 << 30), rounded);
        let exact = "layer 9 needs 5046586573 B of memory and the limit is 5033164800 B";
        assert_eq!(said(5_046_586_573, 5_033_164_800), exact);
    }
}
