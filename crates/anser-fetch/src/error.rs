//! Why tables cannot be fetched.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use anser_solve::{Bytes, SolveError};
use anser_table::TableError;
use thiserror::Error;

/// Why tables cannot be fetched.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FetchError {
    /// A text is not an address that tables are fetched from.
    #[error("{address}: {problem}")]
    Address {
        /// The text.
        address: String,
        /// The problem of the address.
        problem: &'static str,
    },
    /// A file cannot be fetched.
    #[error("{url}: {problem}")]
    Request {
        /// The address of the file.
        url: String,
        /// The failure.
        problem: Problem,
    },
    /// The address has neither a site nor a manifest.
    #[error("{address} has no site of anser, and no manifest of tables")]
    NoTables {
        /// The address.
        address: String,
        /// The names of the files that were sought.
        sought: Vec<String>,
    },
    /// The site or directory has no table that was selected.
    #[error("{address} has no such table; it has {}", first_of(sets))]
    NotListed {
        /// The address.
        address: String,
        /// The sets of tables that it has.
        sets: Vec<String>,
    },
    /// An index or a manifest is malformed, or lists what no table can be.
    #[error("{url}: {problem}")]
    List {
        /// The address of the file.
        url: String,
        /// The problem of the file.
        problem: String,
    },
    /// A file is not what its name, or the manifest, says.
    #[error("{url}: the {what} differs: {found} instead of {expected}")]
    Digest {
        /// The address of the file.
        url: String,
        /// The property: the length, or the name of a digest.
        what: &'static str,
        /// The value in the name or the manifest.
        expected: String,
        /// The value of what was fetched.
        found: String,
    },
    /// A fetched table is damaged, or is not the one that its name says.
    #[error("{url}: the table is not usable: {error:#}")]
    Table {
        /// The address of the table.
        url: String,
        /// The problem of the table.
        error: TableError,
    },
    /// The directory has a sound table with this name and other values.
    #[error("{} is a sound table with other values than {url}", path.display())]
    OtherValues {
        /// The existing table.
        path: PathBuf,
        /// The address of the table that was to be fetched.
        url: String,
    },
    /// The disk has too little free space.
    #[error(
        "{}: the tables need {} more of disk and {} are free",
        path.display(), Bytes(*needed), Bytes(*free)
    )]
    Disk {
        /// The directory.
        path: PathBuf,
        /// The bytes that are needed.
        needed: u64,
        /// The bytes that are free.
        free: u64,
    },
    /// A file of the directory cannot be read or written.
    #[error(transparent)]
    Directory(#[from] SolveError),
    /// The observer interrupted the work. The same call resumes it.
    #[error("interrupted")]
    Interrupted,
}

impl FetchError {
    /// The error of a malformed index or manifest.
    pub(crate) fn list(url: impl Into<String>, problem: impl Into<String>) -> FetchError {
        FetchError::List { url: url.into(), problem: problem.into() }
    }
}

/// The first sets of a list, in words.
fn first_of(sets: &[String]) -> String {
    const SHOWN: usize = 20;
    let shown = sets[..sets.len().min(SHOWN)].join("; ");
    match sets.len().saturating_sub(SHOWN) {
        0 => shown,
        others => format!("{shown}; and {others} more"),
    }
}

/// Failure of a request.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The answer has another status than success.
    #[error("the host answered with status {0}")]
    Status(u16),
    /// The connection failed, or ended early.
    #[error("the connection failed: {0}")]
    Connection(io::Error),
    /// The host name is not known.
    #[error("the host is not known")]
    Host,
    /// No encrypted connection is possible.
    #[error("no encrypted connection: {0}")]
    Tls(String),
    /// Nothing came for this long.
    #[error("nothing came for {} s", .0.as_secs_f64())]
    Silence(Duration),
    /// The body took longer than this: see [`Options::SLOWEST`](crate::Options::SLOWEST) for
    /// tables.
    #[error("the host is too slow: the body took more than {} s", .0.as_secs_f64())]
    Slow(Duration),
    /// A redirect leads to an address that is not followed, or there are too many.
    #[error("redirect refused: {0}")]
    Redirect(String),
    /// The body has a coding that was not requested.
    #[error("the host sent the coding {0:?}, which was not requested")]
    Coding(String),
    /// The stated length is not the expected one.
    #[error("the host states {stated} bytes, and {expected} are expected")]
    Length {
        /// The length in the header of the answer, in bytes.
        stated: u64,
        /// The expected length, in bytes.
        expected: u64,
    },
    /// The body is longer than expected.
    #[error("more than the expected {0} bytes came")]
    TooLong(u64),
    /// The body ended early.
    #[error("the body ended after {found} of {expected} bytes")]
    TooShort {
        /// The length that came, in bytes.
        found: u64,
        /// The expected length, in bytes.
        expected: u64,
    },
    /// The answer is another range than the requested one.
    #[error("the host sent the range {found:?} instead of {expected:?}")]
    Range {
        /// The requested range, as in the header `Content-Range`.
        expected: String,
        /// The range of the answer.
        found: String,
    },
    /// A local file cannot be read.
    #[error("{0}")]
    File(io::Error),
    /// Anything else that the HTTP client reports.
    #[error("{0}")]
    Http(String),
}

impl Problem {
    /// Whether another attempt may succeed.
    pub fn is_transient(&self) -> bool {
        match self {
            Problem::Status(status) => matches!(status, 408 | 425 | 429 | 500..),
            Problem::Connection(_)
            | Problem::Silence(_)
            | Problem::Slow(_)
            | Problem::TooShort { .. } => true,
            _ => false,
        }
    }

    /// Whether the host says that there is no such file. Some stores answer 403 for a file that
    /// does not exist.
    pub fn is_absence(&self) -> bool {
        match self {
            Problem::Status(status) => matches!(status, 403 | 404 | 410),
            Problem::File(error) => error.kind() == io::ErrorKind::NotFound,
            _ => false,
        }
    }
}
