//! Advice for errors of the libraries, as commands and flags of the command line.

use std::borrow::Cow;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anser_analyse::AnalyseError;
use anser_solve::{Metrics, SolveError, TableFault, WrongTable};
use anser_table::error::is_resource;
use anser_table::{Defect, Kind, MissingLayer, ProbeError, TableError};

use crate::shell::shell_word;
use crate::tables::metric_option;

/// Directory given with --tables, where missing layers are solved.
static SOLVE_DIRECTORY: OnceLock<PathBuf> = OnceLock::new();

/// Makes [`solve_command`] name this directory. If it is not set, `anser solve` chooses its
/// default.
///
/// Only the first call has an effect: every command has one list of directories.
pub(crate) fn set_solve_directory(dir: &Path) {
    SOLVE_DIRECTORY.get_or_init(|| dir.to_owned());
}

/// Command that solves a missing layer and the missing layers below it that it depends on.
pub(crate) fn solve_command(missing: &MissingLayer, metrics: impl Into<Metrics>) -> String {
    let MissingLayer { game, rules, layer, first, .. } = missing;
    let layers = layers_text(&(*first..=*layer));
    let tables = SOLVE_DIRECTORY
        .get()
        .map(|dir| format!(" --tables {}", shell_word(dir)))
        .unwrap_or_default();
    format!(
        "anser solve {game} --rules {rules} --layers {layers}{}{tables}",
        metric_option(metrics)
    )
}

/// Layers as the value of --layers.
pub(crate) fn layers_text(layers: &RangeInclusive<u16>) -> String {
    let (first, last) = (layers.start(), layers.end());
    if first == last { last.to_string() } else { format!("{first}-{last}") }
}

/// Problem and advice for a missing layer.
fn missing_parts(missing: &MissingLayer) -> (String, String) {
    let mut problem = missing.to_string();
    if missing.searched.is_empty() {
        problem += " (give one with --tables)";
    }
    let makes = if missing.unfinished.is_empty() { "makes" } else { "finishes" };
    (problem, format!("`{}` {makes} it", solve_command(missing, missing.metric)))
}

/// Advice for a defect.
fn defect_advice(defect: &Defect) -> &'static str {
    match defect {
        Defect::Directory(_) => "check --tables and ANSER_TABLES",
        Defect::Earlier => "move it away and solve it again with `anser solve`",
        Defect::Unfinished => "run `anser solve` again, it resumes",
        Defect::Damaged(_) => "`anser verify` lists all damage, then copy the file again",
        Defect::Changed(_) => "run the command again when no other program writes to the file",
        Defect::Resources(_) => "free memory, raise the limit (ulimit), or give fewer --threads",
        Defect::Manifest(_) => "delete it, `anser pack` and `anser solve` write a new one",
        other => other.advice(),
    }
}

/// Advice for a failed operation on a file.
fn io_advice(error: &io::Error) -> Option<&'static str> {
    Some(match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "nothing is lost: free some space and give the same command again"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "make it writable, or give another directory"
        }
        io::ErrorKind::NotFound => "check the path",
        _ if is_resource(error) => "free memory, raise the limit (ulimit), or give fewer --threads",
        _ => return None,
    })
}

/// Advice for a table with wrong values.
fn wrong_table_advice(table: &WrongTable) -> String {
    let WrongTable { path, game, rules, layer, metric, kind, first, fault, .. } = table;
    let dir = |file: &Path| {
        shell_word(file.parent().filter(|dir| *dir != Path::new("")).unwrap_or(Path::new(".")))
    };
    let metric = metric_option(*metric);
    match fault {
        TableFault::OtherValues { of } => {
            let verb = match kind {
                Kind::Raw => "unpack",
                Kind::Packed => "pack",
            };
            let (from, out) = (dir(of), dir(path));
            format!(
                "`anser verify --full` tells which; if it is this one, move the file away and make it again: \
                 anser {verb} {game} --rules {rules} --layers {layer}{metric} --tables {from} --out {out}"
            )
        }
        _ => format!(
            "move the file away and make it again: anser solve {game} --rules {rules} --layers {}{metric} --tables {}",
            layers_text(&(*first..=*layer)),
            dir(path)
        ),
    }
}

/// Advice for an error of the solver, if there is any.
fn solve_advice(error: &SolveError) -> Option<Cow<'static, str>> {
    Some(match error {
        SolveError::Io { source, .. } => io_advice(source)?.into(),
        SolveError::Locked { .. } => "wait until it ends, or give this command another --tables".into(),
        SolveError::LockLost { .. } => "give the same command again when no other anser runs there".into(),
        SolveError::Memory { .. } => "raise --memory, or solve fewer layers with --layers".into(),
        SolveError::Disk { packed: false, .. } => {
            "free some, remove raw tables along the way with --packed, solve fewer layers with --layers, or give \
             another --tables"
                .into()
        }
        SolveError::Disk { packed: true, .. } => {
            "free some, solve fewer layers with --layers, or give another --tables".into()
        }
        SolveError::MissingLower { metric, first, last, dir, game, rules, .. } => format!(
            "`anser solve {game} --rules {rules} --layers {}{} --tables {}` begins lower, and keeps what is there",
            layers_text(&(*first..=*last)),
            metric_option(*metric),
            shell_word(dir)
        )
        .into(),
        SolveError::WrongLength { .. } | SolveError::Rules(_) => {
            "this is a defect of the program, please report it".into()
        }
        SolveError::Header { defect, .. } => defect_advice(defect).into(),
        SolveError::Wrong(table) => wrong_table_advice(table).into(),
        SolveError::Foreign { .. } => "move it away and give the same command again".into(),
        SolveError::Changed { .. } => {
            "the same command resumes from a sound checkpoint or begins the layer anew".into()
        }
        SolveError::Level(_) => "give --level a number from 1 (fast) to 22 (small)".into(),
        SolveError::Threads(_) => "give --threads a smaller number, or raise the limit (ulimit)".into(),
        SolveError::Probe(error) => return error.parts().1,
        SolveError::Table(error) => return error.parts().1,
        _ => return None,
    })
}

/// Error of a library, with advice of the command line.
pub(crate) trait Advised {
    /// Problem, and advice if there is any.
    fn parts(&self) -> (String, Option<Cow<'static, str>>);

    /// Problem and advice in one text.
    fn advised(&self) -> String {
        match self.parts() {
            (problem, None) => problem,
            (problem, Some(advice)) => format!("{problem}; {advice}"),
        }
    }
}

impl Advised for TableError {
    fn parts(&self) -> (String, Option<Cow<'static, str>>) {
        (format!("{self:#}"), Some(defect_advice(self.defect()).into()))
    }
}

impl Advised for AnalyseError {
    fn parts(&self) -> (String, Option<Cow<'static, str>>) {
        let advice = match self {
            AnalyseError::Memory { .. } => {
                Some("raise --memory, or start from a position nearer to the end of the game")
            }
            other => other.advice(),
        };
        (format!("{self:#}"), advice.map(Cow::from))
    }
}

impl Advised for MissingLayer {
    fn parts(&self) -> (String, Option<Cow<'static, str>>) {
        let (problem, advice) = missing_parts(self);
        (problem, Some(advice.into()))
    }
}

impl Advised for ProbeError {
    fn parts(&self) -> (String, Option<Cow<'static, str>>) {
        match self {
            ProbeError::MissingLayer(missing) => missing.parts(),
            ProbeError::Table(error) => error.parts(),
        }
    }
}

impl Advised for Defect {
    fn parts(&self) -> (String, Option<Cow<'static, str>>) {
        (format!("{self:#}"), Some(defect_advice(self).into()))
    }
}

impl Advised for SolveError {
    fn parts(&self) -> (String, Option<Cow<'static, str>>) {
        let problem = match self {
            SolveError::Probe(error) => error.parts().0,
            SolveError::Table(error) => error.parts().0,
            error => error.to_string(),
        };
        (problem, solve_advice(self))
    }
}

#[cfg(test)]
mod tests {
    use anser_core::Hunt;
    use anser_table::Tablebase;

    use super::*;

    /// Flags and commands belong here, not into the libraries.
    #[test]
    fn errors_of_the_solver_get_commands_here() {
        let dir = PathBuf::from("big tables");
        let (game, rules) = ("fox-geese".to_owned(), "free".to_owned());
        let metric = anser_table::Metric::Dtw;
        let lower = SolveError::MissingLower {
            layer: 5,
            missing: 4,
            metric,
            first: 1,
            last: 6,
            dir,
            game,
            rules,
        };
        let advised = lower.advised();
        assert!(
            advised
                .contains("layer 5 depends on layer 4, which is not in big tables; `anser solve"),
            "{advised}"
        );
        let command =
            "`anser solve fox-geese --rules free --layers 1-6 --metric dtw --tables 'big tables'`";
        assert!(advised.contains(command), "{advised}");
        let full = SolveError::Io {
            path: "a".into(),
            action: "writing",
            source: io::Error::from(io::ErrorKind::StorageFull),
        };
        assert!(full.advised().contains("free some space"));
        let memory = SolveError::Memory { layer: 7, needed: 2 << 30, budget: 1 << 30 };
        assert!(
            memory.advised().ends_with("; raise --memory, or solve fewer layers with --layers")
        );
        for error in [lower, full, memory, SolveError::Level(23), SolveError::Threads(1 << 20)] {
            assert!(
                !error.to_string().contains("--") && !error.to_string().contains("anser "),
                "{error}"
            );
        }
    }

    #[test]
    fn errors_of_the_reader_get_commands_here() {
        assert!(Defect::Unfinished.advised().contains("`anser solve`"));
        let tables = Tablebase::from_tables(Hunt::default(), []);
        let error = tables.probe_distance(&tables.game().start()).unwrap_err();
        assert!(
            error
                .advised()
                .contains("`anser solve fox-geese --rules free --layers 1-13 --metric dtw`"),
            "{error}"
        );
        assert!(
            error.advised().contains("no directory at all (give one with --tables); `anser"),
            "{error}"
        );
        assert!(!error.to_string().contains("--"), "{error}");
    }
}
