//! Where the tables are.

use std::env;
use std::path::{Path, PathBuf};

use anser_core::Game;
use anser_solve::SolveError;
use anser_table::{Mapping, Metric, ProbeError, TableError, TableName, Tablebase};

use crate::args::TablesArgs;
use crate::failure::Failure;
use crate::output::note;

/// A path list of directories of tables.
const VARIABLE: &str = "ANSER_TABLES";

/// The directory of tables of whoever solves.
const OWN: &str = "tables";

impl TablesArgs {
    /// The directories to read from: what was given, else what the environment says, else those that usually hold tables.
    pub(crate) fn dirs(&self) -> Vec<PathBuf> {
        if !self.dirs.is_empty() {
            return self.dirs.clone();
        }
        let named = from_environment();
        if !named.is_empty() {
            // As in every path list, a directory that is not there is passed over, but not in silence.
            let (there, missing): (Vec<_>, Vec<_>) = named.into_iter().partition(|dir| dir.exists());
            for dir in missing {
                note(format_args!("{}, named in {VARIABLE}, is not there", dir.display()));
            }
            return there;
        }
        let own = Some(PathBuf::from(OWN)).filter(|dir| dir.is_dir());
        own.into_iter().chain(shipped()).collect()
    }
}

impl TablesArgs {
    /// Lets the advice about a missing layer name the directory where it was looked for by choice.
    pub(crate) fn advise(&self, mut error: SolveError) -> SolveError {
        if let (SolveError::Probe(ProbeError::MissingLayer(missing)), Some(dir)) = (&mut error, self.dirs.first()) {
            missing.make_in = Some(dir.clone());
        }
        error
    }
}

/// The one directory to solve into: `given`, else what the environment says, else `tables`.
pub(crate) fn target(given: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(dir) = given {
        return Ok(dir.to_owned());
    }
    let mut named = from_environment();
    match named.len() {
        0 => Ok(PathBuf::from(OWN)),
        1 => Ok(named.remove(0)),
        count => Err(Failure::usage(format!(
            "tables are solved into one directory, and {VARIABLE} names {count}; choose one with --tables"
        ))),
    }
}

fn from_environment() -> Vec<PathBuf> {
    let list = env::var_os(VARIABLE).unwrap_or_default();
    env::split_paths(&list).filter(|dir| !dir.as_os_str().is_empty()).collect()
}

/// The directory of the tables that came with this program: in the repository that it was built in or is used in, or beside
/// it where it was installed.
fn shipped() -> Option<PathBuf> {
    let executable = env::current_exe().ok();
    let above = |start: &Path| start.ancestors().map(|dir| dir.join("data/tables")).find(|dir| holds_tables(dir));
    let beside_executable = executable.as_deref().and_then(Path::parent).and_then(above);
    let beside_work = || env::current_dir().ok().as_deref().and_then(above);
    let installed = || executable.as_deref()?.parent()?.parent().map(|prefix| prefix.join("share/anser/tables"));
    let checkout = || Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).map(|root| root.join("data/tables"));
    beside_executable
        .or_else(beside_work)
        .or_else(|| installed().filter(|dir| holds_tables(dir)))
        .or_else(|| checkout().filter(|dir| holds_tables(dir)))
}

fn holds_tables(dir: &Path) -> bool {
    let is_table = |name: &std::ffi::OsStr| name.to_str().is_some_and(|name| TableName::parse(name).is_some());
    std::fs::read_dir(dir).is_ok_and(|mut files| files.any(|file| file.is_ok_and(|file| is_table(&file.file_name()))))
}

/// Opens the tables of a game, to be probed.
pub(crate) fn open<G: Game>(game: &G, args: &TablesArgs) -> Result<Tablebase<G>, TableError> {
    let tables = Tablebase::open_with(game.clone(), args.dirs(), &mapping())?;
    // Where tables were looked for by choice, there they should be made; otherwise `anser solve` knows where.
    Ok(match args.dirs.first() {
        Some(dir) => tables.make_in(dir),
        None => tables,
    })
}

/// Mapped tables.
pub(crate) fn mapping() -> Mapping {
    // SAFETY: nobody changes a table while this process reads it. The commands that open tables here write none. A solver
    // or packer in another process writes under another name and renames, so that a mapped table keeps its bytes even when
    // a new one takes its name; nothing of ours ever writes into, or truncates, a file that has a table's name. Whoever
    // edits tables in place by other means has to do so while no command reads them.
    unsafe { Mapping::new() }
}

/// The failure of a command that found no table at all, or none of a metric.
pub(crate) fn nothing_there<G: Game>(game: &G, dirs: &[PathBuf], metric: Option<Metric>) -> Failure {
    let (name, rules) = (game.name(), game.rules_id());
    let first = *game.layers().start();
    Failure::missing(format!(
        "no layer of {name} (rules {rules}) is there; looked in {}; `anser solve {name} --rules {rules} --layers \
         {first}-{}{}` makes some",
        list(dirs),
        first.saturating_add(5).min(*game.layers().end()),
        metric_words(metric.unwrap_or(Metric::Wdl))
    ))
}

/// What a command line needs to say for tables of a metric.
pub(crate) fn metric_words(metric: Metric) -> String {
    if metric == Metric::Wdl { String::new() } else { format!(" --metric {}", metric.id()) }
}

/// Directories, for a message.
pub(crate) fn list(dirs: &[PathBuf]) -> String {
    if dirs.is_empty() {
        return "no directory (give one with --tables)".into();
    }
    let dirs: Vec<String> = dirs.iter().map(|dir| dir.display().to_string()).collect();
    dirs.join(", ")
}
