//! Where the tables are.

use std::env;
use std::io;
use std::path::{Path, PathBuf};

use crate::shell::shell_word;
use anser_core::prelude::*;
use anser_games::{AnyGame, SearchPath};
use anser_table::{Access, Kind, Mapping, Metric, PositionedReads, Storage, TableError, Tablebase};

use crate::advice;
use crate::args::{How, TablesArgs};
use crate::failure::Failure;
use crate::games::registry;
use crate::output::note;
use crate::sets::others;

/// A path list of directories of tables.
const VARIABLE: &str = "ANSER_TABLES";

/// The directory of tables of whoever solves.
const OWN: &str = "tables";

/// The places of a search path for a message.
fn listed(places: &SearchPath) -> String {
    let all = places.names();
    if all.is_empty() { "no directory (give one with --tables)".into() } else { all.join(", ") }
}

impl TablesArgs {
    /// The directories given with --tables, else those that the environment names, else `tables` in the working directory
    /// if there is one, and the tables that are part of the program. No other directory is searched: somebody else may have
    /// put files into it.
    pub(crate) fn places(&self) -> SearchPath {
        if !self.dirs.is_empty() {
            return SearchPath::directories(self.dirs.clone());
        }
        let named = from_environment();
        if !named.is_empty() {
            // As in every path list, a directory that is not there is passed over, but not in silence.
            let (there, missing): (Vec<_>, Vec<_>) = named.into_iter().partition(|dir| dir.exists());
            for dir in missing {
                note(format_args!("{}, named in {VARIABLE}, is not there", dir.display()));
            }
            return SearchPath::directories(there);
        }
        let own = Some(PathBuf::from(OWN)).filter(|dir| dir.is_dir());
        SearchPath { directories: own.into_iter().collect(), embedded: true }
    }

    /// The directories of [`places`](TablesArgs::places), for commands that work on files.
    pub(crate) fn dirs(&self) -> Vec<PathBuf> {
        self.places().directories
    }
}

impl TablesArgs {
    /// Lets the advice about a missing layer name the directory where it was looked for by choice.
    pub(crate) fn advise(&self) {
        self.dirs.first().into_iter().for_each(|dir| advice::make_in(dir));
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

impl Access for How {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Storage>> {
        match self {
            How::Read => PositionedReads.open(path),
            How::Map => mapping().open(path),
        }
    }
}

/// Opens the tables of a game, to be probed.
///
/// A command that waits for questions reads: somebody may replace the tables meanwhile. One that is done in a moment maps, and
/// asks [`Tablebase::check_unchanged`] before it answers.
pub(crate) fn open(game: &AnyGame, args: &TablesArgs, how: How) -> Result<Tablebase<AnyGame>, TableError> {
    let tables = args.places().open(registry(), game, &how)?;
    args.advise();
    Ok(tables)
}

/// Mapped tables.
pub(crate) fn mapping() -> Mapping {
    // SAFETY: nobody changes a table while this process reads it. The commands that open tables here write none. A solver
    // or packer in another process writes under another name and renames, so that a mapped table keeps its bytes even when
    // a new one takes its name; nothing of ours ever writes into, or truncates, a file that has a table's name. Whoever
    // edits tables in place by other means has to do so while no command reads them, or to read with `--access read`: the
    // README says so. Where that is not kept, changed files are noticed as far as `Tablebase::check_unchanged` does, and
    // `faults.rs` reports truncated ones.
    unsafe { Mapping::new() }
}

/// The failure of a command that found no table at all, or none of a metric.
pub(crate) fn nothing_there(game: &AnyGame, places: &SearchPath, metric: Option<Metric>) -> Failure {
    let (name, rules) = (game.name(), game.rules_id());
    let first = *game.layers().start();
    Failure::missing(format!(
        "no layer of {name} (rules {rules}) is there; looked in {}{}; `anser solve {name} --rules {rules} --layers \
         {first}-{}{}` makes some",
        listed(places),
        others(&name, &rules, places),
        first.saturating_add(5).min(*game.layers().end()),
        metric_words(metric.unwrap_or(Metric::Wdl))
    ))
}

/// The commands, for a shell, that make a damaged table again: what is damaged is moved away, and the table is made from the
/// other one of the layer, raw or packed, if `other_is_sound`, and solved otherwise.
pub(crate) fn remake(
    game: &AnyGame,
    path: &Path,
    layer: u16,
    (metric, kind): (Metric, Kind),
    other_is_sound: bool,
) -> String {
    let (name, rules, metric) = (game.name(), game.rules_id(), metric_words(metric));
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (dir, first) = (shell_word(dir), game.first_needed(layer));
    let layers = if first == layer { layer.to_string() } else { format!("{first}-{layer}") };
    let mut steps = Vec::new();
    if path.exists() {
        let mut aside = path.as_os_str().to_owned();
        aside.push(".damaged");
        steps.push(format!("mv {} {}", shell_word(path), shell_word(Path::new(&aside))));
    }
    if !other_is_sound {
        steps.push(format!("anser solve {name} --rules {rules} --layers {layers}{metric} --tables {dir}"));
    }
    match kind {
        Kind::Raw if other_is_sound => steps
            .push(format!("anser unpack {name} --rules {rules} --layers {layer}{metric} --tables {dir} --out {dir}")),
        Kind::Raw => {}
        Kind::Packed => {
            steps
                .push(format!("anser pack {name} --rules {rules} --layers {layer}{metric} --tables {dir} --out {dir}"));
        }
    }
    steps.join(" && ")
}

/// What a command line needs to say for tables of a metric.
pub(crate) fn metric_words(metric: Metric) -> String {
    if metric == Metric::Wdl { String::new() } else { format!(" --metric {}", metric.id()) }
}
