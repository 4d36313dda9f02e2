//! The entries of the registry that files make.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use anser_core::Hunt;

use super::error::FileError;
use super::parse::Source;
use super::schema::{self, File};
use crate::error::NameError;
use crate::info::{GameInfo, RuleSetInfo, layer_units};

/// Returns the entry of a file of this program. Its rule sets are checked when they are made; the
/// tests of this crate check all of them.
pub(crate) fn shipped(path: &Path, text: &'static str) -> Result<GameInfo, FileError> {
    let file = schema::read(&Source { path, text })?;
    entry(path, text, file, Vec::new())
}

/// Returns the entry of a file, some of whose rule sets have been checked.
pub(super) fn entry(
    path: &Path,
    text: impl Into<Cow<'static, str>>,
    file: File,
    checked: Vec<(String, Hunt)>,
) -> Result<GameInfo, FileError> {
    let text = text.into();
    let source = Source { path, text: &text };
    let mut rule_sets = Vec::new();
    for id in file.ids() {
        let meaning = file.meaning(&id)?;
        rule_sets.push(RuleSetInfo { id, meaning });
    }
    let default = rule_sets[0].id.clone();
    let [one, several] = match checked.first() {
        Some((_, game)) => layer_units(game.description()),
        None => layer_units(&file.description(&source, &default)?),
    };
    Ok(GameInfo {
        layer_unit: several,
        layer_unit_one: one,
        openings: file.openings(),
        origin: file.origin(),
        ..GameInfo::new(
            file.name().to_owned(),
            file.about(),
            default,
            rule_sets,
            maker(path.to_owned(), text, file, checked),
        )
    })
}

/// Returns what makes the game under the rule set of an id. A game is checked once.
fn maker(
    path: PathBuf,
    text: Cow<'static, str>,
    file: File,
    checked_before: Vec<(String, Hunt)>,
) -> impl Fn(&str, &str) -> Result<Hunt, NameError> + Send + Sync + 'static {
    let made: RwLock<HashMap<String, Hunt>> = RwLock::new(checked_before.into_iter().collect());
    move |_size, rules| {
        if let Some(game) = made.read().unwrap_or_else(PoisonError::into_inner).get(rules) {
            return Ok(game.clone());
        }
        let source = Source { path: &path, text: &text };
        let game = checked(&source, &file, rules).map_err(|error| NameError::Rules {
            game: file.name().into(),
            rules: rules.to_owned(),
            problem: error.to_string(),
        })?;
        let mut made = made.write().unwrap_or_else(PoisonError::into_inner);
        Ok(made.entry(rules.to_owned()).or_insert(game).clone())
    }
}

/// Reads and checks a rule set, and says where in the file it is wrong.
pub(super) fn checked(source: &Source<'_>, file: &File, rules: &str) -> Result<Hunt, FileError> {
    let description = file.description(source, rules)?;
    Hunt::new(description).map_err(|problem| {
        let place = file.place(rules, problem.place);
        // The place is one of the switch, which may fit other rule sets.
        let under = if rules.contains('+') { format!(" (rules {rules})") } else { String::new() };
        source.error(place, format!("{}: {}{under}", problem.place, problem.what), problem.right)
    })
}
