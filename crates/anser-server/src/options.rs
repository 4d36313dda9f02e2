//! Options and bounds of a server.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anser_games::SearchPath;
use anser_table::{Access, PositionedReads};
use axum::http::HeaderName;

/// Options of a [`Server`](crate::Server).
#[derive(Clone)]
#[non_exhaustive]
pub struct Options {
    /// Search path of tables.
    pub path: SearchPath,
    /// Access to tables. [`PositionedReads`] notice tables that are replaced while the server
    /// runs.
    pub access: Arc<dyn Access + Send + Sync>,
    /// Memory for blocks of tables and for solutions, in bytes; half of it for either.
    pub memory: u64,
    /// Number of threads that handle connections; `None` for one per core.
    pub threads: Option<usize>,
    /// Number of threads for questions about whole games, which run one at a time.
    pub task_threads: usize,
    /// The header in which a proxy names the client, such as `x-forwarded-for`; its last entry
    /// is used. `None` if clients connect directly, because they can write any header.
    pub trusted_header: Option<HeaderName>,
    /// Bounds of connections, requests, time, and memory.
    pub limits: Limits,
    /// The solving of layers without tables while the server runs; `None` for none.
    pub solving: Option<Solving>,
    /// Receives an entry for every request.
    pub log: Option<Log>,
}

/// Solving of layers without tables while the server runs: one at a time, on threads of low
/// priority, when a position of them is looked up. Their tables are served as soon as they are
/// complete. A later server resumes what is unfinished.
#[derive(Clone)]
#[non_exhaustive]
pub struct Solving {
    /// Directory of the new tables, which is created if it is missing. It is searched after those
    /// of the search path.
    pub dir: PathBuf,
    /// Whether layers are solved without a request, too: those of Fox-and-Geese and of other games
    /// with tables, up to the start of the game; outcomes first, then distances.
    pub ahead: bool,
    /// Longest estimated time of the missing layers of a position. A run that takes ten times as
    /// long is given up.
    pub time: Duration,
    /// Disk space that the files of the directory may take, in bytes.
    pub disk: u64,
    /// Memory for solving, in bytes; `None` for four fifths of the available memory.
    pub memory: Option<u64>,
    /// Number of threads; `None` for [one per core](anser_solve::threads_of).
    pub threads: Option<usize>,
    /// Receives a line of text for each layer that is solved, and for errors.
    pub report: Option<Report>,
}

impl Solving {
    /// Solves into `dir` when a position is looked up what takes at most half a minute, 2 GiB of
    /// disk, and 1 GiB of memory.
    pub fn on_demand(dir: impl Into<PathBuf>) -> Solving {
        Solving {
            dir: dir.into(),
            ahead: false,
            time: Duration::from_secs(30),
            disk: 2 << 30,
            memory: Some(1 << 30),
            threads: None,
            report: None,
        }
    }

    /// Solves into `dir` without requests, too, what takes at most an hour and 20 GiB of disk.
    pub fn ahead(dir: impl Into<PathBuf>) -> Solving {
        Solving {
            ahead: true,
            time: Duration::from_hours(1),
            disk: 20 << 30,
            memory: None,
            ..Solving::on_demand(dir)
        }
    }
}

/// Bounds of connections, requests, time, and memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Number of open connections.
    pub connections: usize,
    /// Number of open connections of one client: an IPv4 address, or a /64 network of IPv6. Without
    /// effect behind a proxy, all of whose connections have one address.
    pub client_connections: usize,
    /// Number of running requests. Slow requests (moves of the computer, random positions, and
    /// batches) have a lane of their own, with a fourth of this number, at least one. The bounds of
    /// waiting requests and of clients hold per lane.
    pub running: usize,
    /// Number of waiting requests.
    pub waiting: usize,
    /// Number of running requests of one client.
    pub client_running: usize,
    /// Number of running and waiting requests of one client.
    pub client_requests: usize,
    /// Number of unfinished tasks of one client: to solve a game, or to answer a question about a
    /// whole one; and of its layers that wait to be [solved](Solving).
    pub client_tasks: usize,
    /// Time limit of the head of a request, and of an idle connection.
    pub head: Duration,
    /// Time for a request, from its head to its answer; streamed batches too.
    pub request: Duration,
    /// Time for which a client may accept no byte of an answer.
    pub stall: Duration,
    /// Length of a body in bytes, except for streamed batches.
    pub body: usize,
    /// Number of positions in a batch that is not streamed.
    pub batch: usize,
    /// Number of lines in a streamed batch.
    pub stream: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 4096,
            client_connections: 512,
            running: 64,
            waiting: 1024,
            client_running: 16,
            client_requests: 256,
            client_tasks: 4,
            head: Duration::from_secs(10),
            request: Duration::from_secs(30),
            stall: Duration::from_secs(20),
            body: 2 << 20,
            batch: 10_000,
            stream: 10_000_000,
        }
    }
}

impl Options {
    /// Serves the tables of `path` by positioned reads, in 1 GiB of memory, without a log.
    pub fn new(path: SearchPath) -> Options {
        Options {
            path,
            access: Arc::new(PositionedReads),
            memory: 1 << 30,
            threads: None,
            task_threads: 1,
            trusted_header: None,
            limits: Limits::default(),
            solving: None,
            log: None,
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("path", &self.path)
            .field("memory", &self.memory)
            .field("threads", &self.threads)
            .field("task_threads", &self.task_threads)
            .field("trusted_header", &self.trusted_header)
            .field("limits", &self.limits)
            .field("solving", &self.solving)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Solving {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solving")
            .field("dir", &self.dir)
            .field("ahead", &self.ahead)
            .field("time", &self.time)
            .field("disk", &self.disk)
            .field("memory", &self.memory)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

/// Receives lines of text.
pub type Report = Arc<dyn Fn(&str) + Send + Sync>;

/// Receives an entry for every request.
pub type Log = Arc<dyn Fn(&LogEntry) + Send + Sync>;

/// A request that was answered. It has no address of the client, and no position.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LogEntry {
    /// The method.
    pub method: String,
    /// The endpoint, such as `/api/v1/probe`; `other` for other paths.
    pub endpoint: &'static str,
    /// The status.
    pub status: u16,
    /// Time until the answer began.
    pub time: Duration,
}
