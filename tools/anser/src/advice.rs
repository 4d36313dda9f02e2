//! What to do about the errors of the reader, in the words of the command line.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anser_table::{Defect, MissingLayer, ProbeError, TableError};

use crate::shell::shell_word;
use crate::tables::metric_words;

/// The directory given with --tables.
static MAKE_IN: OnceLock<PathBuf> = OnceLock::new();

/// Lets the commands that solve a missing layer name the directory where it was looked for by choice. Without a choice,
/// `anser solve` knows where.
pub(crate) fn make_in(dir: &Path) {
    // Every command has one list of directories.
    MAKE_IN.get_or_init(|| dir.to_owned());
}

/// The command that solves a missing layer, and the layers below it that it depends on.
pub(crate) fn solve_command(missing: &MissingLayer) -> String {
    let MissingLayer { game, rules, layer, metric, first, .. } = missing;
    let layers = if first == layer { layer.to_string() } else { format!("{first}-{layer}") };
    let tables = MAKE_IN.get().map(|dir| format!(" --tables {}", shell_word(dir))).unwrap_or_default();
    format!("anser solve {game} --rules {rules} --layers {layers}{}{tables}", metric_words(*metric))
}

/// A missing layer: what is missing, and what to do.
fn of_missing(missing: &MissingLayer) -> (String, String) {
    let mut problem = missing.to_string();
    if missing.searched.is_empty() {
        problem += " (give one with --tables)";
    }
    let makes = if missing.unfinished.is_empty() { "makes" } else { "finishes" };
    (problem, format!("`{}` {makes} it", solve_command(missing)))
}

/// What to do about a defect.
fn of_defect(defect: &Defect) -> &'static str {
    match defect {
        Defect::Directory(_) => "check --tables and ANSER_TABLES",
        Defect::Unfinished => "run `anser solve` again, it resumes",
        Defect::Damaged(_) => "`anser verify` lists all damage, then copy the file again",
        Defect::Changed(_) => "give the command again when no other program writes to the file",
        Defect::Resources(_) => "free memory, raise the limit (ulimit), or give fewer --threads",
        Defect::Manifest(_) => "delete it, `anser pack` and `anser solve` write it anew",
        other => other.advice(),
    }
}

/// An error of the reader, which words its problem; the command line adds what to do.
pub(crate) trait Advised {
    /// The problem, and what to do about it.
    fn parts(&self) -> (String, Cow<'static, str>);

    /// Both in one text.
    fn words(&self) -> String {
        let (problem, advice) = self.parts();
        format!("{problem}; {advice}")
    }
}

impl Advised for TableError {
    fn parts(&self) -> (String, Cow<'static, str>) {
        (format!("{self:#}"), of_defect(self.defect()).into())
    }
}

impl Advised for MissingLayer {
    fn parts(&self) -> (String, Cow<'static, str>) {
        let (problem, advice) = of_missing(self);
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
        (format!("{self:#}"), of_defect(self).into())
    }
}

#[cfg(test)]
mod tests {
    use anser_core::fox_geese::FoxGeese;
    use anser_core::prelude::*;
    use anser_table::Tablebase;

    use super::*;

    #[test]
    fn commands_are_worded_here() {
        assert!(Defect::Unfinished.words().contains("`anser solve`"));
        let tables = Tablebase::from_tables(FoxGeese::default(), []);
        let error = tables.probe_distance(&tables.game().start()).unwrap_err();
        assert!(error.words().contains("`anser solve fox-geese --rules free --layers 1-13 --metric dtw`"), "{error}");
        assert!(error.words().contains("no directory at all (give one with --tables); `anser"), "{error}");
        assert!(!error.to_string().contains("--"), "{error}");
    }
}
