//! Errors of names: of games, sizes, rule sets, and openings.

use thiserror::Error;

/// A name that the registry does not know, with what it does know.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NameError {
    /// No game has this name.
    #[error("no game is called {name:?}; the games are {}", .games.join(", "))]
    Game {
        /// The name as given.
        name: String,
        /// The names of all games.
        games: Vec<String>,
    },
    /// The game has one size only.
    #[error("{game} comes in one size; write {game}")]
    OneSize {
        /// The game.
        game: String,
    },
    /// The game has no such size.
    #[error("{problem}")]
    Size {
        /// The game.
        game: String,
        /// The size as given.
        size: String,
        /// The problem, with the notation of sizes.
        problem: String,
    },
    /// The game has no such rule set.
    #[error("{problem}")]
    Rules {
        /// The game.
        game: String,
        /// The id as given.
        rules: String,
        /// The problem, with the ids that the game has.
        problem: String,
    },
    /// The name stands beside the rule sets, but is none.
    #[error("{name}: {meaning}")]
    NoRules {
        /// The name.
        name: String,
        /// The meaning, in sentences.
        meaning: String,
    },
    /// The game has no opening of this name.
    #[error("{game} has no opening {opening:?}; its openings are {}", .openings.join(", "))]
    Opening {
        /// The game.
        game: String,
        /// The name as given.
        opening: String,
        /// The names of all openings of the game.
        openings: Vec<String>,
    },
    /// The opening is no position under the rule set, which has another board or other pieces.
    #[error(
        "{game} has no opening {opening:?} under the rules {rules}, which have another board or other pieces"
    )]
    NoOpening {
        /// The game.
        game: String,
        /// The rule set.
        rules: String,
        /// The name of the opening.
        opening: String,
    },
}
