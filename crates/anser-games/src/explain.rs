//! Errors in words, for each kind of reader.

use std::io;
use std::ops::RangeInclusive;
use std::path::Path;

use anser_core::NotationError;
use anser_retrograde::AnalyseError;
use anser_solve::{Metrics, SolveError, TableFault, WrongTable};
use anser_table::error::is_resource;
use anser_table::{Defect, ErrorClass, Kind, Metric, MissingLayer, ProbeError, TableError};

use crate::answers::{ErrorKind, ErrorObject};
use crate::shell::shell_word;
use crate::{EMBEDDED, FileError, NameError, Registry, ValueError};

/// Reader of an explanation.
#[derive(Clone, Copy, Debug)]
pub enum Audience<'a> {
    /// User of the command line with these games. Hints are its commands and options; commands are
    /// in backquotes.
    CommandLine(&'a Registry),
    /// Client of a server. Hints are endpoints, and files are named without their directories.
    Client,
    /// Program in Python. Hints are calls of the package; calls are in backquotes.
    Python,
}

/// Error of a library that stands on no other one.
///
/// An error of several libraries, such as [`ValueError`], is converted to the innermost one.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum AnyError<'a> {
    /// A text is not a position.
    Position(&'a NotationError),
    /// A text is not a move that can be played.
    Move(&'a NotationError),
    /// The registry does not know a name.
    Name(&'a NameError),
    /// A file does not describe a game.
    File(&'a FileError),
    /// A layer has no table.
    Missing(&'a MissingLayer),
    /// A table or a directory cannot be used.
    Table(&'a TableError),
    /// Work in memory failed.
    Analyse(&'a AnalyseError),
    /// Solving failed.
    Solve(&'a SolveError),
}

/// Conversions from errors that stand on no other one.
macro_rules! from {
    ($($error:ty => $variant:ident),* $(,)?) => {
        $(impl<'a> From<&'a $error> for AnyError<'a> {
            fn from(error: &'a $error) -> AnyError<'a> {
                AnyError::$variant(error)
            }
        })*
    };
}

from! {
    NotationError => Position,
    NameError => Name,
    MissingLayer => Missing,
    TableError => Table,
    AnalyseError => Analyse,
}

impl<'a> From<&'a FileError> for AnyError<'a> {
    fn from(error: &'a FileError) -> AnyError<'a> {
        match error {
            FileError::Table(error) => error.into(),
            error => AnyError::File(error),
        }
    }
}

impl<'a> From<&'a ProbeError> for AnyError<'a> {
    fn from(error: &'a ProbeError) -> AnyError<'a> {
        match error {
            ProbeError::MissingLayer(missing) => AnyError::Missing(missing),
            ProbeError::Table(error) => error.into(),
        }
    }
}

impl<'a> From<&'a ValueError> for AnyError<'a> {
    fn from(error: &'a ValueError) -> AnyError<'a> {
        match error {
            ValueError::Probe(error) => error.into(),
            ValueError::Table(error) => error.into(),
            ValueError::Analyse(error) => error.into(),
        }
    }
}

impl<'a> From<&'a SolveError> for AnyError<'a> {
    fn from(error: &'a SolveError) -> AnyError<'a> {
        match error {
            SolveError::Probe(error) => error.into(),
            SolveError::Table(error) => error.into(),
            error => AnyError::Solve(error),
        }
    }
}

impl AnyError<'_> {
    /// Returns the kind of the error.
    pub fn kind(self) -> ErrorKind {
        match self {
            AnyError::File(FileError::Read { .. }) => ErrorKind::Io,
            AnyError::File(FileError::Reserved { .. }) => ErrorKind::Corrupt,
            AnyError::Position(_) | AnyError::Move(_) | AnyError::Name(_) | AnyError::File(_) => {
                ErrorKind::Usage
            }
            AnyError::Missing(_) => ErrorKind::Missing,
            AnyError::Table(error) => match error.class() {
                ErrorClass::Missing => ErrorKind::Missing,
                ErrorClass::Corrupt => ErrorKind::Corrupt,
                ErrorClass::Io | ErrorClass::Resources => ErrorKind::Io,
            },
            AnyError::Analyse(error) => match error {
                AnalyseError::Endless { .. } => ErrorKind::Missing,
                // Contradictory rules, which fail verification too.
                AnalyseError::Lost { .. } => ErrorKind::Corrupt,
                AnalyseError::Interrupted => ErrorKind::Interrupted,
                _ => ErrorKind::Usage,
            },
            AnyError::Solve(error) => match error {
                SolveError::Interrupted => ErrorKind::Interrupted,
                SolveError::MissingLower { .. } => ErrorKind::Missing,
                SolveError::NoSuchLayer { .. }
                | SolveError::Memory { .. }
                | SolveError::CheckMemory { .. }
                | SolveError::NoCluster { .. }
                | SolveError::OtherGame { .. }
                | SolveError::Level(_) => ErrorKind::Usage,
                SolveError::Rank { .. }
                | SolveError::Locked { .. }
                | SolveError::LockLost { .. }
                | SolveError::Threads(_)
                | SolveError::Io { .. }
                | SolveError::Disk { .. } => ErrorKind::Io,
                // Wrong tables or contradictory rules, which fail verification too.
                _ => ErrorKind::Corrupt,
            },
        }
    }
}

/// Explains an error: what happened and where, and what to do next.
///
/// ```
/// use anser_games::{Audience, Registry, explain};
///
/// let games = Registry::standard();
/// let error = games.game("chess", None).unwrap_err();
/// let explained = explain(&error, Audience::CommandLine(&games));
/// let hint = "`anser games` describes all, and one of your own is named by its file, as my-hunt.toml";
/// assert_eq!(explained.hint.as_deref(), Some(hint));
/// ```
pub fn explain<'a>(error: impl Into<AnyError<'a>>, audience: Audience<'_>) -> ErrorObject {
    let error = error.into();
    let (message, hint) = match error {
        AnyError::Position(malformed) | AnyError::Move(malformed) => {
            let what = match error {
                AnyError::Move(_) => "this move cannot be played",
                _ => "this is not a position",
            };
            let (column, problem) = (malformed.column(), malformed.problem());
            let hint = format!("a right one looks like \"{}\"", malformed.example());
            let message = format!("{what}: column {column}: {problem}");
            let object = ErrorObject::new(error.kind(), message).with_hint(hint);
            return ErrorObject { column: Some(column), ..object };
        }
        AnyError::Name(error) => (error.to_string(), name_hint(error, audience)),
        AnyError::File(error) => {
            let is_path =
                matches!((audience, error), (Audience::CommandLine(_), FileError::Read { .. }));
            (error.to_string(), is_path.then(|| "check the path".into()))
        }
        AnyError::Missing(missing) => missing_parts(missing, audience),
        AnyError::Table(error) => table_parts(error, audience),
        AnyError::Analyse(error) => analyse_parts(error, audience),
        AnyError::Solve(SolveError::Interrupted) => (AnalyseError::Interrupted.to_string(), None),
        AnyError::Solve(error) => {
            let hint = match audience {
                Audience::CommandLine(games) => solve_hint(games, error),
                Audience::Client | Audience::Python => None,
            };
            (error.to_string(), hint)
        }
    };
    // A server reports the work that it does for a client as not available.
    let kind = match (error, audience) {
        (AnyError::Analyse(AnalyseError::Interrupted), Audience::Client) => ErrorKind::Io,
        (AnyError::Analyse(_), Audience::Client) => ErrorKind::Missing,
        _ => error.kind(),
    };
    ErrorObject { hint, ..ErrorObject::new(kind, message) }
}

/// Message and hint.
type Parts = (String, Option<String>);

fn name_hint(error: &NameError, audience: Audience<'_>) -> Option<String> {
    match (audience, error) {
        (Audience::CommandLine(_), NameError::Game { .. }) => {
            let of_file = "one of your own is named by its file, as my-hunt.toml";
            Some(format!("`anser games` describes all, and {of_file}"))
        }
        (Audience::CommandLine(games), NameError::Opening { game, .. }) => {
            Some(format!("`anser games {}` describes them", games.word(game)))
        }
        (Audience::CommandLine(games), NameError::NoOpening { game, .. }) => {
            let game = games.word(game);
            Some(format!("choose another of its rule sets; `anser rules {game}` explains them"))
        }
        (Audience::CommandLine(games), NameError::Rules { game, .. }) => {
            Some(format!("`anser rules {}` explains them", games.word(game)))
        }
        (Audience::Client, _) => Some("GET /api/v1/games lists games and rule sets".into()),
        _ => None,
    }
}

fn missing_parts(missing: &MissingLayer, audience: Audience<'_>) -> Parts {
    let MissingLayer { game, rules, layer, metric, first, searched, unfinished, .. } = missing;
    match audience {
        Audience::CommandLine(games) => {
            let where_to = if searched.is_empty() { " (give one with --tables)" } else { "" };
            let makes = if unfinished.is_empty() { "makes" } else { "finishes" };
            let command = solve_command(games, missing, *metric);
            (format!("{missing}{where_to}"), Some(format!("`{command}` {makes} it")))
        }
        Audience::Client => {
            let what = match metric {
                Metric::Wdl => "outcomes",
                Metric::Dtw => "distances",
            };
            let message = format!(
                "the {what} of layer {layer} of {game} (rules {rules}) are not served here"
            );
            (message, Some("GET /api/v1/games lists the layers that are".into()))
        }
        Audience::Python => {
            let metrics = match metric {
                Metric::Wdl => "",
                Metric::Dtw => ", metrics=['dtw']",
            };
            // Other games have no name here: they come from files.
            let made = match Registry::standard().game(game, Some(rules)) {
                Ok(_) => format!("anser.Game('{game}', rules='{rules}')"),
                Err(_) => format!("anser.Game.from_file('FILE', rules='{rules}')"),
            };
            let call =
                format!("anser.solve_to('tables', {made}, layers=({first}, {layer}){metrics})");
            (missing.to_string(), Some(format!("`{call}` makes it")))
        }
    }
}

fn table_parts(error: &TableError, audience: Audience<'_>) -> Parts {
    let defect = error.defect();
    match audience {
        Audience::CommandLine(_) => (format!("{error:#}"), Some(defect_hint(defect).into())),
        Audience::Python => (format!("{error:#}"), Some(defect.advice().into())),
        Audience::Client => {
            let file = error.path().file_name().unwrap_or_default().to_string_lossy();
            match error.class() {
                ErrorClass::Corrupt | ErrorClass::Missing => {
                    let hint = "other positions are still answered; who runs the server has to \
                                replace the file";
                    (format!("{file}: {defect}"), Some(hint.into()))
                }
                ErrorClass::Resources => ("the server is short of memory or files".into(), None),
                ErrorClass::Io if matches!(defect, Defect::Changed(_)) => {
                    (format!("{file} was replaced while it was read"), None)
                }
                ErrorClass::Io => {
                    let hint = "the operator must check the disk";
                    (format!("{file} could not be read"), Some(hint.into()))
                }
            }
        }
    }
}

fn analyse_parts(error: &AnalyseError, audience: Audience<'_>) -> Parts {
    let hint = match (audience, error) {
        (Audience::Client, AnalyseError::Interrupted) => {
            return ("the work was stopped".into(), None);
        }
        (Audience::Client, _) => {
            let hint = "GET /api/v1/games lists what is answered";
            return (error.to_string(), Some(hint.into()));
        }
        (Audience::CommandLine(_), AnalyseError::Memory { .. }) => {
            Some("raise --memory; a start nearer to the end of the game takes less")
        }
        _ => error.advice(),
    };
    (format!("{error:#}"), hint.map(Into::into))
}

/// Hint of the command line for a defect.
fn defect_hint(defect: &Defect) -> &'static str {
    match defect {
        Defect::Directory(_) => "check --tables and ANSER_TABLES",
        Defect::Earlier => "move it away and solve it again with `anser solve`",
        Defect::Unfinished => "run `anser solve` again, it resumes",
        Defect::Damaged(_) => "`anser verify` lists all damage, then copy the file again",
        Defect::Length { .. } => "copy the file again, or move it away and solve the layer again",
        Defect::NotATable => {
            "if it should be a table, copy it again as binary, or move it away and solve the layer \
             again"
        }
        Defect::Changed(_) => "run the command again when no other program writes to the file",
        Defect::Resources(_) => FREE_MEMORY,
        Defect::Manifest(_) => "delete it, `anser pack` and `anser solve` write a new one",
        other => other.advice(),
    }
}

const FREE_MEMORY: &str = "free memory, raise the limit (ulimit), or give fewer --threads";

/// Hint of the command line for a failed operation on a file.
fn io_hint(error: &io::Error) -> Option<&'static str> {
    Some(match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "nothing is lost: free some space and give the same command again"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "make it writable, or give another directory"
        }
        io::ErrorKind::NotFound => "check the path",
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            "a file or a dangling link has the name of a directory: give another directory"
        }
        _ if is_resource(error) => FREE_MEMORY,
        _ => return None,
    })
}

/// Hint of the command line for an error of the solver.
fn solve_hint(games: &Registry, error: &SolveError) -> Option<String> {
    let hint = match error {
        SolveError::Io { source, .. } => io_hint(source)?,
        SolveError::Locked { .. } => "wait until it ends, or give this command another --tables",
        SolveError::LockLost { .. } => "give the same command again when no other anser runs there",
        SolveError::Memory { .. } => "raise --memory, or solve fewer layers with --layers",
        SolveError::CheckMemory { .. } => {
            "check it on a machine with more memory, or leave it out with --layers; outcomes alone, \
             --metric wdl, take an eighth of what distances take"
        }
        SolveError::Disk { packed: false, .. } => {
            "free some, remove raw tables along the way with --packed, solve fewer layers with \
             --layers, or give another --tables"
        }
        SolveError::Disk { packed: true, .. } => {
            "free some, solve fewer layers with --layers, or give another --tables"
        }
        SolveError::MissingLower { metric, first, last, dir, game, rules, .. } => {
            let command = tables_command(games, "solve", game, rules, *first..=*last, *metric);
            return Some(format!(
                "`{command} --tables {}` begins lower, and keeps what is there",
                shell_word(dir)
            ));
        }
        SolveError::WrongLength { .. } | SolveError::Rules(_) => {
            "this is a defect of the program, please report it"
        }
        SolveError::Header { defect, .. } => defect_hint(defect),
        SolveError::Wrong(table) => return Some(wrong_table_hint(games, table)),
        SolveError::Foreign { .. } => "move it away and give the same command again",
        SolveError::Changed { .. } => {
            "the same command resumes from a sound checkpoint or begins the layer anew"
        }
        SolveError::NoCluster { .. } => "give the same command without mpirun or --ranks",
        SolveError::OtherGame { .. } => "give all ranks the same program, game, and --rules",
        SolveError::Rank { .. } => "the same command resumes",
        SolveError::Level(_) => "give --level a number from 1 (fast) to 22 (small)",
        SolveError::Threads(_) => "give --threads a smaller number, or raise the limit (ulimit)",
        _ => return None,
    };
    Some(hint.into())
}

/// Hint of the command line for a table with wrong values.
fn wrong_table_hint(games: &Registry, table: &WrongTable) -> String {
    let WrongTable { path, game, rules, layer, metric, kind, first, fault, .. } = table;
    let dir = |file: &Path| {
        shell_word(file.parent().filter(|dir| *dir != Path::new("")).unwrap_or(Path::new(".")))
    };
    match fault {
        TableFault::OtherValues { of } => {
            let verb = match kind {
                Kind::Raw => "unpack",
                Kind::Packed => "pack",
            };
            format!(
                "`anser verify --full` tells which; if it is this one, move the file away and make \
                 it again: {} --tables {} --out {}",
                tables_command(games, verb, game, rules, *layer..=*layer, *metric),
                dir(of),
                dir(path)
            )
        }
        _ => format!(
            "move the file away and make it again: {} --tables {}",
            tables_command(games, "solve", game, rules, *first..=*layer, *metric),
            dir(path)
        ),
    }
}

/// Returns the command that solves a missing layer and the missing layers below it that it depends
/// on, into the first directory that was searched. The game is named as `games` has it.
pub fn solve_command(
    games: &Registry,
    missing: &MissingLayer,
    metrics: impl Into<Metrics>,
) -> String {
    let MissingLayer { game, rules, layer, first, searched, .. } = missing;
    let command = tables_command(games, "solve", game, rules, *first..=*layer, metrics);
    match searched.first().filter(|dir| **dir != Path::new(EMBEDDED)) {
        Some(dir) => format!("{command} --tables {}", shell_word(dir)),
        None => command,
    }
}

/// Returns a command on layers of a game: `anser solve fox-geese --rules free --layers 1-8`. The
/// game is named as `games` has it ([`Registry::word`]). Outcomes alone are the default and not
/// named, but for `pack` and `unpack`, which convert both metrics if none is named.
pub fn tables_command(
    games: &Registry,
    verb: &str,
    game: &str,
    rules: &str,
    layers: RangeInclusive<u16>,
    metrics: impl Into<Metrics>,
) -> String {
    let (first, last, metrics) = (layers.start(), layers.end(), metrics.into());
    let layers = if first == last { first.to_string() } else { format!("{first}-{last}") };
    let is_usual = metrics == Metric::Wdl.into() && !matches!(verb, "pack" | "unpack");
    let metric = if is_usual { String::new() } else { format!(" --metric {metrics}") };
    let game = games.word(game);
    format!("anser {verb} {game} --rules {rules} --layers {layers}{metric}")
}
