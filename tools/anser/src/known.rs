//! Argument values that a shell can complete: names of games, rule sets, and openings.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use anser_games::{GameInfo, Opening, START};
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser, ValueParser};
use clap::{Arg, Command};

use crate::games::registry;

/// Names, each with a short description.
type Names = Vec<(String, String)>;

/// Parser that accepts any text and offers names for completion. Validity depends on other
/// arguments, so it is checked later. The names are only collected where they are needed: that
/// reads the description of every game.
#[derive(Clone)]
struct Known(&'static LazyLock<Names>);

impl TypedValueParser for Known {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Self::Value, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(
            self.0
                .iter()
                .map(|(name, about)| PossibleValue::new(name.as_str()).help(about.as_str())),
        ))
    }
}

/// Parser of names of games.
pub(crate) fn game() -> ValueParser {
    static NAMES: LazyLock<Names> = LazyLock::new(|| {
        // The description of a game begins with its name and a colon.
        let about = |info: &GameInfo| info.about.split(':').next().unwrap_or_default().to_owned();
        registry().games().map(|info| (info.default_name(), about(info))).collect()
    });
    ValueParser::new(Known(&NAMES))
}

/// Parser of ids of rule sets, of any game. Each is offered once.
pub(crate) fn rules() -> ValueParser {
    static NAMES: LazyLock<Names> = LazyLock::new(|| {
        let mut games: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for info in registry().games() {
            for rules in &info.rule_sets {
                games.entry(&rules.id).or_default().push(&info.name);
            }
        }
        let about = |games: Vec<&str>| match games[..] {
            [game] => game.to_owned(),
            _ => format!("{} games", games.len()),
        };
        games.into_iter().map(|(id, games)| (id.to_owned(), about(games))).collect()
    });
    ValueParser::new(Known(&NAMES))
}

/// Parser of names of openings, of any game.
pub(crate) fn opening() -> ValueParser {
    static NAMES: LazyLock<Names> = LazyLock::new(|| {
        let named = |opening: &Opening| (opening.name.clone(), opening.about.clone());
        let start = (START.to_owned(), "where play starts".to_owned());
        let openings = registry().games().flat_map(|info| info.openings.iter().map(named));
        [start].into_iter().chain(openings).collect()
    });
    ValueParser::new(Known(&NAMES))
}
