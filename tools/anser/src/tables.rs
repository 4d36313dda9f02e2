//! Directories of tables: which are searched, which is solved into, and the commands that repair
//! them.

use std::collections::BTreeSet;
use std::env;
use std::io;
use std::path::{Path, PathBuf};

use anser_core::{Hunt, Next, hunt};
use anser_games::{SearchPath, shell_word, tables_command};
use anser_table::{Access, Kind, Mapping, Metric, PositionedReads, Storage, Tablebase};

use crate::args::{AccessMode, TablesArgs};
use crate::failure::{Failure, words};
use crate::games;
use crate::output::{dir_of, note};
use crate::sets::other_sets;

/// Environment variable with a path list of directories of tables.
const VARIABLE: &str = "ANSER_TABLES";

/// Default directory, relative to the working directory.
const DEFAULT_DIRECTORY: &str = "tables";

impl TablesArgs {
    /// Returns the directories given with --tables, else those of the environment variable, else
    /// `tables` in the working directory, if it exists, and the embedded tables. No other directory
    /// is searched, because others may have placed files there.
    pub(crate) fn search_path(&self) -> SearchPath {
        let named = from_environment();
        let (mut directories, mut embedded) = (self.dirs.clone(), false);
        if directories.is_empty() && !named.is_empty() {
            // As in every path list, missing directories are skipped, here with a note.
            let (existing, missing): (Vec<_>, Vec<_>) =
                named.into_iter().partition(|dir| dir.exists());
            for dir in missing {
                note(format_args!("the directory {} in {VARIABLE} does not exist", dir.display()));
            }
            directories = existing;
        } else if directories.is_empty() {
            directories.extend(Some(PathBuf::from(DEFAULT_DIRECTORY)).filter(|dir| dir.is_dir()));
            embedded = true;
        }
        directories.extend(self.temporary.clone());
        SearchPath { directories, embedded }
    }

    /// Directories of [`search_path`](TablesArgs::search_path), for commands that work on files.
    pub(crate) fn dirs(&self) -> Vec<PathBuf> {
        self.search_path().directories
    }
}

/// Returns the directory to solve into: `given`, else that of the environment variable, else
/// `tables`.
///
/// # Errors
/// If the environment variable names several directories.
pub(crate) fn target(given: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(dir) = given {
        return Ok(dir.to_owned());
    }
    let mut named = from_environment();
    match named.len() {
        0 => Ok(PathBuf::from(DEFAULT_DIRECTORY)),
        1 => Ok(named.remove(0)),
        count => Err(Failure::usage(format!(
            "tables are solved into one directory, and {VARIABLE} names {count}; choose one with \
             --tables"
        ))),
    }
}

/// Directories of the environment variable.
fn from_environment() -> Vec<PathBuf> {
    let list = env::var_os(VARIABLE).unwrap_or_default();
    env::split_paths(&list).filter(|dir| !dir.as_os_str().is_empty()).collect()
}

impl Access for AccessMode {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Storage>> {
        match self {
            AccessMode::Read => PositionedReads.open(path),
            AccessMode::Map => mapping().open(path),
        }
    }
}

/// Why answers from these layers are incomplete: files that cannot be used, and whose values no
/// other file has. The failure is about the first one; the others are noted.
pub(crate) fn unusable(
    tables: &Tablebase,
    layers: impl IntoIterator<Item = u16>,
) -> Option<Failure> {
    let mut lost = layers.into_iter().flat_map(|layer| tables.lost(layer));
    let (_, first) = lost.next()?;
    lost.for_each(|(_, error)| note(words(error)));
    Some(first.clone().into())
}

/// Layers that the answer about a position and its moves needs.
pub(crate) fn layers_of(game: &Hunt, position: &hunt::Position) -> BTreeSet<u16> {
    let mut layers = BTreeSet::new();
    if game.terminal(position).is_none() {
        layers.insert(game.layer(position));
        layers.extend(game.moves(position).into_iter().filter_map(|(_, next)| match next {
            Next::Position(next) => Some(game.layer(&next)),
            Next::End(_) => None,
        }));
    }
    layers
}

/// Access by memory mapping.
pub(crate) fn mapping() -> Mapping {
    // SAFETY: no table changes while this process reads it. The commands that map tables write
    // none. A solver or packer in another process writes under another name and renames, so a
    // mapped table keeps its bytes even if a new one takes its name; anser never writes into, or
    // truncates, a file with the name of a table. Users who edit tables in place by other means
    // must not do so while a command maps them, or must use `--access read` (`docs/ship.md`). If
    // they do, `Tablebase::check_unchanged` detects changed files, and `faults.rs` reports
    // truncated ones.
    unsafe { Mapping::new() }
}

/// Failure of a command that found no table of a game, or none of the metric.
pub(crate) fn no_tables(game: &Hunt, path: &SearchPath, metric: Option<Metric>) -> Failure {
    let (name, rules) = (game.name(), game.rules_id());
    let layers = game.layers();
    let (first, last) = (*layers.start(), *layers.end());
    let some = first..=first.saturating_add(5).min(last);
    let dir = path.directories.first();
    let into = dir.map_or_else(String::new, |dir| format!(" --tables {}", shell_word(dir)));
    let searched = path.names();
    let searched = if searched.is_empty() {
        ": there is no directory ./tables, and --tables names no other".to_owned()
    } else {
        format!(" in {}", searched.join(", "))
    };
    Failure::missing(format_args!(
        "no table of {name} (rules {rules}) was found{searched}{}",
        other_sets(name, rules, path)
    ))
    .advice(format_args!(
        "`{}{into}` makes some",
        tables_command(
            games::registry(),
            "solve",
            name,
            rules,
            some,
            metric.unwrap_or(Metric::Wdl)
        )
    ))
}

/// Returns shell commands that replace a damaged table: they move it away, and make it from the
/// other table of the layer, raw or packed, if `other_is_sound`, or else by solving.
pub(crate) fn repair_commands(
    game: &Hunt,
    path: &Path,
    layer: u16,
    (metric, kind): (Metric, Kind),
    other_is_sound: bool,
) -> String {
    let (name, rules) = (game.name(), game.rules_id());
    let dir = shell_word(dir_of(path));
    let (mut games, mut steps) = (games::registry().clone(), Vec::new());
    if path.exists() {
        let aside = path.with_extension(format!("damaged.{}", kind.extension()));
        steps.push(format!("mv {} {}", shell_word(path), shell_word(&aside)));
        // The table may be the one that describes the game.
        if let Some(mut info) = games.find(name).ok().map(|(info, _)| info.clone())
            && info.file.as_deref() == Some(path)
        {
            info.file = Some(aside);
            games.register(info);
        }
    }
    let command = |verb, layers| tables_command(&games, verb, name, rules, layers, metric);
    if !other_is_sound {
        let solve = command("solve", game.first_needed(layer)..=layer);
        steps.push(format!("{solve} --tables {dir}"));
    }
    let convert = match kind {
        Kind::Raw => other_is_sound.then_some("unpack"),
        Kind::Packed => Some("pack"),
    };
    let converted = convert.map(|verb| command(verb, layer..=layer));
    steps.extend(converted.map(|command| format!("{command} --tables {dir} --out {dir}")));
    steps.join(" && ")
}
