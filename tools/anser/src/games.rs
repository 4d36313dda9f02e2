//! Games of the command line, by name.

use std::path::Path;
use std::sync::{PoisonError, RwLock};

use anser_core::Hunt;
use anser_games::{GameInfo, Registry, is_path, read_file};

use crate::failure::Failure;

static REGISTRY: RwLock<Option<&'static Registry>> = RwLock::new(None);

/// Sets the registry of games; the default is the standard registry.
///
/// The registry before it is never freed. A process sets one, and one for each file with a game.
pub(crate) fn set_registry(registry: Registry) {
    *REGISTRY.write().unwrap_or_else(PoisonError::into_inner) = Some(Box::leak(Box::new(registry)));
}

/// Registry of games.
pub(crate) fn registry() -> &'static Registry {
    let current = *REGISTRY.read().unwrap_or_else(PoisonError::into_inner);
    current.unwrap_or_else(|| {
        set_registry(Registry::standard());
        registry()
    })
}

/// Returns the game of this name, in its default size unless named, under this rule set or the
/// default one.
pub(crate) fn open(name: &str, rules: Option<&str>) -> Result<(Hunt, &'static GameInfo), Failure> {
    let (info, size) = find(name)?;
    Ok((info.make(size, rules.unwrap_or(&info.default_rules))?, info))
}

/// Returns the game of these tables, as [`open`] does. If no game of this program has the name, and
/// no file that was read describes it, registers the game that the first readable table describes.
pub(crate) fn open_of_tables<'a>(
    name: &str,
    rules: &str,
    tables: impl IntoIterator<Item = &'a Path>,
) -> Result<(Hunt, &'static GameInfo), Failure> {
    let opened = open(name, Some(rules));
    let is_of_program = registry().find(name).is_ok_and(|(info, _)| info.file.is_none());
    if opened.is_ok() || is_of_program {
        return opened;
    }
    let mut first = None;
    for path in tables {
        match read_file(path) {
            Ok(info) => {
                register(info);
                return open(name, Some(rules));
            }
            Err(error) => first = first.or(Some(error)),
        }
    }
    first.map_or(opened, |error| Err(error.into()))
}

/// Returns a game as a word of a command line: its name, or the file that it was read from.
pub(crate) fn word(name: &str) -> String {
    registry().word(name)
}

/// Entry of a game, and its size: the default one if none is named, empty for games of one size.
/// The game of a file is registered, so that tables of it are recognized.
pub(crate) fn find(name: &str) -> Result<(&'static GameInfo, &str), Failure> {
    if !is_path(name) {
        return Ok(registry().find(name)?);
    }
    let info = read_file(Path::new(name))?;
    let known = info.name.clone();
    register(info);
    let of_file = registry().find(&known).ok().map(|(info, _)| info);
    Ok((of_file.ok_or_else(|| Failure::usage("the game of the file was not registered"))?, ""))
}

/// Adds the game of a file to the registry.
fn register(info: GameInfo) {
    let mut games = registry().clone();
    games.register(info);
    set_registry(games);
}
