//! The games there are. A new game is one entry of [`GAMES`] and one arm of [`play`].

use std::ops::RangeInclusive;

use anser_core::Game;
use anser_core::fox_geese::{FoxGeese, RuleSet};

use crate::failure::Failure;
use crate::paper::{self, Paper};

/// What people are told of a game.
pub(crate) struct GameInfo {
    /// The name on the command line.
    pub(crate) name: &'static str,
    /// One line.
    pub(crate) about: &'static str,
    /// What the layers are numbered by.
    pub(crate) layer: &'static str,
    /// All layers.
    pub(crate) layers: RangeInclusive<u16>,
    /// The rule set that is meant where none is named.
    pub(crate) default_rules: &'static str,
    /// Every rule set, with what it means.
    pub(crate) rules: fn() -> Vec<RulesInfo>,
    /// What was printed about the game under a rule set.
    pub(crate) paper: fn(rules: &str) -> Option<Paper>,
}

/// What people are told of a rule set.
pub(crate) struct RulesInfo {
    /// The id on the command line.
    pub(crate) id: String,
    /// What it means, in sentences.
    pub(crate) meaning: String,
}

/// All games.
pub(crate) const GAMES: &[GameInfo] = &[GameInfo {
    name: "fox-geese",
    about: "Fox-and-Geese on the 33-point cross: a fox against 1 to 31 geese",
    layer: "geese",
    layers: 1..=31,
    default_rules: "free",
    rules: || RuleSet::all().map(|rules| RulesInfo { id: rules.to_string(), meaning: rules.explain() }).collect(),
    paper: paper::fox_geese,
}];

/// Something to be done with a game, whichever it is.
pub(crate) trait Job {
    /// What comes of it.
    type Output;

    /// Does it. `info` is the game's entry.
    fn run<G: Game>(self, game: &G, info: &GameInfo) -> Result<Self::Output, Failure>;
}

/// Does a job with the game of this name, under the rule set of this id or the usual one.
pub(crate) fn play<J: Job>(name: &str, rules: Option<&str>, job: J) -> Result<J::Output, Failure> {
    let info = find(name)?;
    let rules = rules.unwrap_or(info.default_rules);
    match info.name {
        "fox-geese" => job.run(&FoxGeese::new(rules.parse().map_err(Failure::usage)?), info),
        _ => Err(unknown(name)),
    }
}

/// The entry of a game.
pub(crate) fn find(name: &str) -> Result<&'static GameInfo, Failure> {
    GAMES.iter().find(|game| game.name == name).ok_or_else(|| unknown(name))
}

fn unknown(name: &str) -> Failure {
    let names: Vec<&str> = GAMES.iter().map(|game| game.name).collect();
    Failure::usage(format!("no game is called {name:?}; there is {} (`anser games` says more)", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Describe;

    impl Job for Describe {
        type Output = (String, String, RangeInclusive<u16>);

        fn run<G: Game>(self, game: &G, _: &GameInfo) -> Result<Self::Output, Failure> {
            Ok((game.name(), game.rules_id(), game.layers()))
        }
    }

    #[test]
    fn every_entry_is_true_of_its_game() {
        for info in GAMES {
            let described = play(info.name, None, Describe).expect("the game has an arm");
            assert_eq!(described, (info.name.into(), info.default_rules.into(), info.layers.clone()));
            for rules in (info.rules)() {
                let (_, id, _) = play(info.name, Some(&rules.id), Describe).expect("the rule set can be played");
                assert_eq!(id, rules.id);
            }
        }
    }
}
