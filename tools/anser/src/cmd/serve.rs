//! `anser serve`: the HTTP API, and the web page.

use std::fs;
use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use anser_games::{Registry, SearchPath};
use anser_server::{HeaderName, LogEntry, Options, RESERVED_NAMES, Server, Solving};
use anser_solve::available_memory;
use clap::{Args, ValueEnum, ValueHint};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::args::{AccessArg, AccessMode, ResourceArgs, TablesArgs, memory, time, within};
use crate::failure::{Failure, words};
use crate::games::{self, registry};
use crate::output::{note, print};
use crate::tables;
use crate::temporary::TemporaryDir;

const AFTER: &str = "\
Serves all games of the program, of --game, and of tables that are found when it starts: from the \
tables, and from solutions in memory where a game is small. \
Answers are those of --json; http://ADDRESS/openapi.json describes the endpoints.

A look-up or a move of the computer in another layer starts to solve it, and so do puzzles and \
statistics of a game of which nothing is known, if the estimate is at most --solve-time: one layer \
at a time, at low priority, into a temporary directory that is removed at the end. The page shows \
the progress, and the values when they are there. With --solve the tables go into the directory of \
`anser solve` and stay, more time and disk may be used, and layers are solved without a request, \
too: those of Fox-and-Geese and of other games with tables, up to the start of the game; outcomes \
first, then distances. A later run resumes. Lower layers that only other directories of --tables \
have are solved again where they are needed. What exceeds a limit is not solved, and the answer \
says so with the command that solves it.

Signals: SIGHUP looks for new and replaced tables, SIGTERM and Ctrl-C stop after open requests \
are answered.

Examples:
  anser serve
  anser serve --solve --tables tables --solve-disk 100GiB
  anser serve --tables big/tables --listen 0.0.0.0:8031 --memory 8GiB --log text
  curl 'http://127.0.0.1:8031/api/v1/probe?game=fox-hounds:8&position=2F1/4/4/4/4/4/4/hhhh_f'";

/// Serve a web page, and the values of all games over HTTP
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct ServeArgs {
    /// Address and port; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8031", value_parser = address)]
    listen: SocketAddr,
    /// Serve the game of this file, too; may be given several times
    #[arg(long = "game", value_name = "FILE", value_hint = ValueHint::FilePath)]
    games: Vec<String>,
    #[command(flatten)]
    tables: TablesArgs,
    #[command(flatten)]
    access: AccessArg,
    #[command(flatten)]
    resources: ResourceArgs,
    /// Threads for questions about whole games, which run one at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within::<u16>(1..=256))]
    task_threads: u16,
    /// Solve missing layers in the background, into the directory of `anser solve`
    #[arg(long)]
    solve: bool,
    /// Longest estimated time to solve the layers of a position, for example 10min; 0s solves
    /// nothing [default: 30s; 1h with --solve]
    #[arg(long, value_name = "TIME", value_parser = time)]
    solve_time: Option<Duration>,
    /// Disk space that the files of the directory may take [default: 2GiB; 20GiB with --solve]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    solve_disk: Option<u64>,
    /// Memory for solving, beside --memory [default: 1GiB; half of the available memory with
    /// --solve]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    solve_memory: Option<u64>,
    /// Header in which a reverse proxy names the client, for example x-forwarded-for; its last
    /// entry counts. Each client has a share of the server; without this option, the address of the
    /// connection distinguishes clients
    #[arg(long, value_name = "NAME")]
    trusted_header: Option<HeaderName>,
    /// Log of requests on standard error, without addresses and positions
    #[arg(long, value_enum, default_value_t = LogFormat::Off)]
    log: LogFormat,
}

/// Form of the log of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LogFormat {
    /// No log
    Off,
    /// A line of text per request
    Text,
    /// An object in JSON per request
    Json,
}

fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "write an address and a port, such as 127.0.0.1:8031".into())
}

/// Memory for blocks of tables and for solutions, unless it is given.
const MEMORY: u64 = 1 << 30;

impl ServeArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let mut options = Options::new(self.tables.search_path());
        // Tables may be replaced while the server runs.
        options.access = Arc::new(self.access.mode.unwrap_or(AccessMode::Read));
        options.memory = self.resources.given_memory().unwrap_or(MEMORY);
        options.threads = self.resources.threads();
        options.task_threads = self.task_threads.into();
        options.trusted_header.clone_from(&self.trusted_header);
        options.limits.connections = options.limits.connections.min(raise_open_files());
        options.log = match self.log {
            LogFormat::Off => None,
            LogFormat::Text => Some(Arc::new(log_text)),
            LogFormat::Json => Some(Arc::new(log_json)),
        };
        for file in &self.games {
            let (info, _) = games::find(file)?;
            if RESERVED_NAMES.contains(&&*info.name) {
                let problem = format!("{file}: the server has pages of its own at /{}", info.name);
                return Err(
                    Failure::usage(problem).advice("give the game another name in the file")
                );
            }
        }
        // The directory is removed when the server has ended.
        let (solving, _temporary) = self.solving()?;
        options.solving = solving;
        let server = Server::new(games_with(&options.path)?, &options)?;
        let listener = TcpListener::bind(self.listen).map_err(|error| {
            Failure::io(format!("{} cannot be used: {error}", self.listen))
                .advice("choose another address with --listen")
        })?;
        let address = listener
            .local_addr()
            .map_err(|error| Failure::io(format!("the address is not known: {error}")))?;
        let failed = |error: io::Error| Failure::io(format!("the server failed: {error}"));
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM]).map_err(failed)?;
        let handle = server.handle();
        let is_stopping = signals.handle();
        let watcher = std::thread::spawn(move || {
            for signal in &mut signals {
                if signal != SIGHUP {
                    handle.stop();
                } else if let Err(error) = handle.rescan() {
                    note(format_args!("tables stay as they were: {}", words(&error)));
                }
            }
        });
        print(&format!("http://{address}\n"))?;
        let served = server.run(listener).map_err(failed);
        is_stopping.close();
        let _ = watcher.join();
        served
    }

    /// Returns the options of solving missing layers, and the temporary directory of their tables,
    /// if they do not stay.
    fn solving(&self) -> Result<(Option<Solving>, Option<TemporaryDir>), Failure> {
        if self.solve_time.is_some_and(|time| time.is_zero()) {
            return Ok((None, None));
        }
        let (mut solving, temporary) = if self.solve {
            let dir = tables::target(self.tables.dirs.first().map(|dir| &**dir))?;
            fs::create_dir_all(&dir).map_err(|error| {
                Failure::io(format!("{}: creating the directory failed: {error}", dir.display()))
                    .advice("choose another directory with --tables")
            })?;
            let mut solving = Solving::ahead(dir);
            solving.memory = available_memory().map(|bytes| bytes / 2);
            (solving, None)
        } else {
            match TemporaryDir::new() {
                Ok(dir) => (Solving::on_demand(dir.path()), Some(dir)),
                Err(error) => {
                    note(format_args!(
                        "missing layers are not solved, because there is no temporary directory: \
                         {error}"
                    ));
                    return Ok((None, None));
                }
            }
        };
        solving.time = self.solve_time.unwrap_or(solving.time);
        solving.disk = self.solve_disk.unwrap_or(solving.disk);
        solving.memory = self.solve_memory.or(solving.memory);
        solving.report = Some(Arc::new(|line| note(line)));
        Ok((Some(solving), temporary))
    }
}

/// Returns the games of this program and of files, with those that only tables describe.
fn games_with(path: &SearchPath) -> Result<Registry, Failure> {
    let mut registry = registry().clone();
    let places = path.list(&registry)?;
    let tables = places.iter().flat_map(|place| &place.tables);
    let tables = tables.filter(|file| !RESERVED_NAMES.contains(&&*file.name.game));
    for error in registry.register_described(tables) {
        note(format_args!("a game of tables is not served: {}", words(&error)));
    }
    Ok(registry)
}

fn log_text(entry: &LogEntry) {
    let LogEntry { method, endpoint, status, time, .. } = entry;
    // A closed standard error is no failure.
    let _ =
        writeln!(io::stderr(), "{method} {endpoint} {status} {:.3} ms", time.as_secs_f64() * 1e3);
}

fn log_json(entry: &LogEntry) {
    let LogEntry { method, endpoint, status, time, .. } = entry;
    let line = serde_json::json!({
        "method": method, "endpoint": endpoint, "status": status, "seconds": time.as_secs_f64(),
    });
    let _ = writeln!(io::stderr(), "{line}");
}

/// Raises the number of files that the process may open as far as the system allows; returns the
/// number of connections that this is enough for.
fn raise_open_files() -> usize {
    /// Files that are no connections: tables.
    const OTHERS: u64 = 256;
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointer is valid for the call, which writes one value of this type.
    if unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) } != 0 {
        return usize::MAX;
    }
    let raised = libc::rlimit { rlim_cur: limit.rlim_max.min(1 << 16), ..limit };
    if raised.rlim_cur > limit.rlim_cur {
        // SAFETY: the pointer is valid for the call, which reads one value of this type.
        let failed = unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const raised) } != 0;
        limit = if failed { limit } else { raised };
    }
    usize::try_from(limit.rlim_cur.saturating_sub(OTHERS).max(16)).unwrap_or(usize::MAX)
}
