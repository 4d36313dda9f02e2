//! Games of the command line, by name.

use std::sync::OnceLock;

use anser_games::{AnyGame, GameInfo, NameError, Registry};

use crate::failure::Failure;

static REGISTRY: OnceLock<Registry> = OnceLock::new();

/// Sets the registry of games. Has no effect after [`registry`] was called; the default is the
/// standard registry.
pub(crate) fn set_registry(registry: Registry) {
    let _ = REGISTRY.set(registry);
}

/// Registry of games.
pub(crate) fn registry() -> &'static Registry {
    REGISTRY.get_or_init(Registry::standard)
}

/// Calls `work` with the game of this name, in its default size unless named, under this rule set
/// or the default one.
pub(crate) fn with_game<T>(
    name: &str,
    rules: Option<&str>,
    work: impl FnOnce(&AnyGame, &GameInfo) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let (info, size) = find(name)?;
    let game = info.make(size, rules.unwrap_or(info.default_rules))?;
    work(&game, info)
}

/// Entry of a game, and its size: the default one if none is named, empty for games of one size.
pub(crate) fn find(name: &str) -> Result<(&'static GameInfo, &str), Failure> {
    Ok(registry().find(name)?)
}

impl From<NameError> for Failure {
    fn from(error: NameError) -> Failure {
        let failure = Failure::usage(&error);
        match error {
            NameError::Game { .. } | NameError::Opening { .. } => {
                failure.advice("`anser games` describes them")
            }
            NameError::Rules { game, .. } => {
                failure.advice(format_args!("`anser rules {game}` explains them"))
            }
            _ => failure,
        }
    }
}
