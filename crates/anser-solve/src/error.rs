//! What can go wrong while tables are made or checked.

use std::io;
use std::path::{Path, PathBuf};

use crate::shell::shell_word;
use anser_analyse::Bytes;
use anser_analyse::retrograde::TooLong;
use anser_core::Violation;
use anser_table::error::is_resource;
use anser_table::{Defect, Metric, ProbeError, TableError};

/// Why tables could not be made or checked. Every text says what to do next.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// A file or directory could not be used.
    #[error("{}: {doing} failed: {source}{}", path.display(), advice(source))]
    Io {
        /// What it happened to.
        path: PathBuf,
        /// What was being done.
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// Somebody else is working in the directory.
    #[error(
        "{}: another anser is at work in this directory; wait for it, or give this one another --tables",
        path.display()
    )]
    Locked {
        /// The lock.
        path: PathBuf,
    },
    /// The lock of a directory no longer keeps others out.
    #[error(
        "{}: the directory, or its lock file, was replaced during this run, so another anser may be at work in it; \
         nothing more is written; give the same command again when no other runs",
        dir.display()
    )]
    LockLost {
        /// The directory.
        dir: PathBuf,
    },
    /// The memory budget is too small for a layer.
    #[error(
        "layer {layer} needs {} of memory and the budget is {}; raise --memory, or solve fewer layers with --layers",
        Bytes(*needed),
        Bytes(*budget)
    )]
    Memory {
        /// The layer that does not fit.
        layer: u16,
        /// What it needs, in bytes.
        needed: u64,
        /// What there is, in bytes.
        budget: u64,
    },
    /// The disk is too small for the tables.
    #[error(
        "{}: the tables need {} more of disk and {} are free; free some, solve fewer layers with --layers, or give \
         another --tables",
        path.display(),
        Bytes(*needed),
        Bytes(*free)
    )]
    Disk {
        /// Where the tables are to go.
        path: PathBuf,
        /// What they need, in bytes.
        needed: u64,
        /// What there is, in bytes.
        free: u64,
    },
    /// A layer is asked for that the game does not have.
    #[error("there is no layer {layer}: {game} has layers {} to {}", layers.0, layers.1)]
    NoSuchLayer {
        /// The layer asked for.
        layer: u16,
        /// The game.
        game: String,
        /// The lowest and the highest layer there is.
        layers: (u16, u16),
    },
    /// A layer rests on lower layers that are neither there nor to be solved.
    #[error(
        "layer {layer} rests on layer {missing}, which is not in {}; begin with layer {first}, what is there is kept: \
         anser solve {game} --rules {rules} --layers {first}-{last}{} --tables {}",
        dir.display(),
        metric_words(*metric),
        shell_word(dir)
    )]
    MissingLower {
        /// The layer to be solved.
        layer: u16,
        /// The highest missing layer below it.
        missing: u16,
        /// What was to be computed.
        metric: Metric,
        /// The layer to begin with.
        first: u16,
        /// The last layer that was asked for.
        last: u16,
        /// Where it was looked for.
        dir: PathBuf,
        /// The game.
        game: String,
        /// The rule set.
        rules: String,
    },
    /// No engine of the game computes a metric.
    #[error("no engine solves layer {layer} for the metric {}", metric.id())]
    NoEngine {
        /// The layer.
        layer: u16,
        /// The metric.
        metric: Metric,
    },
    /// An engine returned fewer or more values than the layer has entries: a defect of the engine.
    #[error(
        "the engine {engine} returned {found:?} values of layer {layer}, by side to move, and its index has {expected:?} \
         entries; this is a defect of the engine"
    )]
    WrongLength {
        /// The engine.
        engine: &'static str,
        /// The layer.
        layer: u16,
        /// The numbers of values, by side to move.
        found: [u64; 2],
        /// The numbers of entries, by side to move.
        expected: [u64; 2],
    },
    /// An engine did not return the values of a metric that it fills: a defect of the engine.
    #[error("the engine {engine} returned no values of layer {layer} for the metric {}; this is a defect of the engine", metric.id())]
    NotFilled {
        /// The engine.
        engine: &'static str,
        /// The layer.
        layer: u16,
        /// The metric.
        metric: Metric,
    },
    /// The rules of a game contradict themselves: a defect of this program.
    #[error("{0}; this is a defect of the program, please report it")]
    Rules(#[from] Violation),
    /// A table that is needed is damaged or not there.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// A table is damaged.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A table can not be described in a file.
    #[error("the tables of layer {layer} can not be written: {defect}")]
    Header {
        /// The layer.
        layer: u16,
        /// Why.
        defect: Defect,
    },
    /// A table does not hold what it should.
    #[error("{}: {problem}; move the file away and make it again: {command}", path.display())]
    Wrong {
        /// The table.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
        /// The command that makes it.
        command: String,
    },
    /// A file that this program did not write has the name of one that it wants to write.
    #[error("{}: not a file of anser, so it is left alone; move it away and give the same command again", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// Unfinished work is not what was written.
    #[error(
        "{}: what was written there is no longer what it was: something else changed the file, or the disk is failing; \
         the same command resumes from a sound checkpoint or begins the layer anew",
        path.display()
    )]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// Somebody asked to stop. Tables that were finished are kept; whether there is a checkpoint depends on what was done.
    #[error("stopped before it was done")]
    Interrupted,
    /// There is no such level of compression.
    #[error("there is no level {0} of compression; give --level a number from 1 (fast) to 22 (small)")]
    Level(i32),
    /// A win takes more plies than there is room for.
    #[error(
        "a win of layer {layer} takes more than {} plies, which tables of distances have no room for",
        anser_core::Dtw::LONGEST
    )]
    TooLong {
        /// The layer.
        layer: u16,
    },
    /// The threads could not be started.
    #[error("{0} threads could not be started; give --threads a smaller number, or raise the limit (ulimit)")]
    Threads(usize),
}

/// What a command line needs to say for tables of a metric: what is meant where nothing is said need not be said.
pub(crate) fn metric_words(metric: Metric) -> &'static str {
    match metric {
        Metric::Wdl => "",
        Metric::Dtw => " --metric dtw",
    }
}

/// For `map_err`: an [`SolveError::Io`] about `path` while `doing` something.
pub(crate) fn io_error(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> SolveError {
    move |source| SolveError::Io { path: path.to_owned(), doing, source }
}

fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "; nothing is lost: free some space and give the same command again"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "; make it writable, or give another directory"
        }
        io::ErrorKind::NotFound => "; check the path",
        _ if is_resource(error) => "; free memory, raise the limit (ulimit), or give fewer --threads",
        _ => "",
    }
}

impl From<TooLong> for SolveError {
    fn from(TooLong { layer }: TooLong) -> SolveError {
        SolveError::TooLong { layer }
    }
}
