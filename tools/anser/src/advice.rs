//! Advice for errors of the table reader, as commands and flags of the command line.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anser_table::{Defect, MissingLayer, ProbeError, TableError};

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
pub(crate) fn solve_command(missing: &MissingLayer) -> String {
    let MissingLayer { game, rules, layer, metric, first, .. } = missing;
    let layers = if first == layer { layer.to_string() } else { format!("{first}-{layer}") };
    let tables = SOLVE_DIRECTORY.get().map(|dir| format!(" --tables {}", shell_word(dir))).unwrap_or_default();
    format!("anser solve {game} --rules {rules} --layers {layers}{}{tables}", metric_option(*metric))
}

/// Problem and advice for a missing layer.
fn missing_parts(missing: &MissingLayer) -> (String, String) {
    let mut problem = missing.to_string();
    if missing.searched.is_empty() {
        problem += " (give one with --tables)";
    }
    let makes = if missing.unfinished.is_empty() { "makes" } else { "finishes" };
    (problem, format!("`{}` {makes} it", solve_command(missing)))
}

/// Advice for a defect.
fn defect_advice(defect: &Defect) -> &'static str {
    match defect {
        Defect::Directory(_) => "check --tables and ANSER_TABLES",
        Defect::Unfinished => "run `anser solve` again, it resumes",
        Defect::Damaged(_) => "`anser verify` lists all damage, then copy the file again",
        Defect::Changed(_) => "run the command again when no other program writes to the file",
        Defect::Resources(_) => "free memory, raise the limit (ulimit), or give fewer --threads",
        Defect::Manifest(_) => "delete it, `anser pack` and `anser solve` write a new one",
        other => other.advice(),
    }
}

/// Error of the reader, with advice of the command line.
pub(crate) trait Advised {
    /// Problem and advice.
    fn parts(&self) -> (String, Cow<'static, str>);

    /// Problem and advice in one text.
    fn advised(&self) -> String {
        let (problem, advice) = self.parts();
        format!("{problem}; {advice}")
    }
}

impl Advised for TableError {
    fn parts(&self) -> (String, Cow<'static, str>) {
        (format!("{self:#}"), defect_advice(self.defect()).into())
    }
}

impl Advised for MissingLayer {
    fn parts(&self) -> (String, Cow<'static, str>) {
        let (problem, advice) = missing_parts(self);
        (problem, advice.into())
    }
}

impl Advised for ProbeError {
    fn parts(&self) -> (String, Cow<'static, str>) {
        match self {
            ProbeError::MissingLayer(missing) => missing.parts(),
            ProbeError::Table(error) => error.parts(),
        }
    }
}

impl Advised for Defect {
    fn parts(&self) -> (String, Cow<'static, str>) {
        (format!("{self:#}"), defect_advice(self).into())
    }
}

#[cfg(test)]
mod tests {
    use anser_core::fox_geese::FoxGeese;
    use anser_core::prelude::*;
    use anser_table::Tablebase;

    use super::*;

    #[test]
    fn errors_of_the_reader_get_commands_here() {
        assert!(Defect::Unfinished.advised().contains("`anser solve`"));
        let tables = Tablebase::from_tables(FoxGeese::default(), []);
        let error = tables.probe_distance(&tables.game().start()).unwrap_err();
        assert!(error.advised().contains("`anser solve fox-geese --rules free --layers 1-13 --metric dtw`"), "{error}");
        assert!(error.advised().contains("no directory at all (give one with --tables); `anser"), "{error}");
        assert!(!error.to_string().contains("--"), "{error}");
    }
}
