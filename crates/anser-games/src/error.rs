//! Errors of names: of games, sizes, rule sets, and openings.

use strsim::normalized_damerau_levenshtein;
use thiserror::Error;

/// A name that the registry does not know, with what it does know.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NameError {
    /// No game has this name.
    #[error("no game is called {name:?}; {}", others(name, games))]
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

/// Most games with a similar name that an error lists.
const SIMILAR: usize = 3;

/// Least similarity of such a name, from 0 to 1.
const LEAST: f64 = 0.6;

/// Least length of a part of a name that is similar to it.
const SHORTEST_PART: usize = 3;

/// Returns the name of a game without its size, hyphens, and upper case: all that people vary.
pub(crate) fn plain_name(name: &str) -> String {
    let name = name.split(':').next().unwrap_or_default();
    name.to_lowercase().replace(['-', '_', ' '], "")
}

/// Names the games with a similar name, or all if there is none.
fn others(name: &str, games: &[String]) -> String {
    let wanted = plain_name(name);
    let similarity = |game: &String| {
        let game = plain_name(game);
        let is_part = wanted.len() >= SHORTEST_PART && game.contains(&wanted);
        if is_part { 1.0 } else { normalized_damerau_levenshtein(&wanted, &game) }
    };
    let mut similar: Vec<(f64, &str)> =
        games.iter().map(|game| (similarity(game), &game[..])).collect();
    similar.retain(|(similarity, _)| *similarity >= LEAST);
    similar.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let similar: Vec<&str> = similar.iter().take(SIMILAR).map(|(_, game)| *game).collect();
    match similar[..] {
        [] => format!("the games are {}", games.join(", ")),
        [game] => format!("a similar name is {game}"),
        _ => format!("similar names are {}", similar.join(", ")),
    }
}
