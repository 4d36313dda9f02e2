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

/// Calls `work` with the game of this name, in its default size unless named, under this rule set
/// or the default one.
pub(crate) fn with_game<T>(
    name: &str,
    rules: Option<&str>,
    work: impl FnOnce(&Hunt, &GameInfo) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let (info, size) = find(name)?;
    let game = info.make(size, rules.unwrap_or(&info.default_rules))?;
    work(&game, info)
}

/// Calls `work` with the game of this name, as [`with_game`] does, or if no game has the name, with
/// the one that the table `path` describes.
pub(crate) fn with_game_of_table<T>(
    name: &str,
    rules: &str,
    path: &Path,
    work: impl FnOnce(&Hunt, &GameInfo) -> Result<T, Failure>,
) -> Result<T, Failure> {
    if find(name).is_ok() {
        return with_game(name, Some(rules), work);
    }
    let info = read_file(path)?;
    work(&info.make("", rules)?, &info)
}

/// Entry of a game, and its size: the default one if none is named, empty for games of one size. The
/// game of a file is registered, so that tables of it are recognized.
pub(crate) fn find(name: &str) -> Result<(&'static GameInfo, &str), Failure> {
    if !is_path(name) {
        return Ok(registry().find(name)?);
    }
    let info = read_file(Path::new(name))?;
    let known = info.name.clone();
    let mut games = registry().clone();
    games.register(info);
    set_registry(games);
    let of_file = registry().find(&known).ok().map(|(info, _)| info);
    Ok((of_file.ok_or_else(|| Failure::usage("the game of the file was not registered"))?, ""))
}
