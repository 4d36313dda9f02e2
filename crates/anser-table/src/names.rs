//! File names of tables.
//!
//! `fox-geese.free.L08.wdl.anser` is the raw table of outcomes of layer 8, `fox-geese.free.L08.dtw.anser` that of distances, `fox-geese.free.L08.wdl.anserz` the packed one,
//! `fox-geese.free.L08.wdl.anser.part` one that is still being made, and `fox-geese.free.manifest.json` says what the
//! finished ones should be. A colon in a game's name (`hexapawn:3x3`) is written as a hyphen.

use std::fmt;

use crate::layout::{Kind, Metric};

/// What is appended to the name of a table that is still being written.
pub const PART_SUFFIX: &str = ".part";

/// The name of a table file, taken apart.
///
/// ```
/// use anser_table::{Kind, Metric, TableName};
/// let name = TableName::new("hexapawn:3x3", "standard", 8, Metric::Wdl, Kind::Packed);
/// assert_eq!(name.to_string(), "hexapawn-3x3.standard.L08.wdl.anserz");
/// assert_eq!(TableName::parse("hexapawn-3x3.standard.L08.wdl.anserz"), Some(name));
/// assert_eq!(TableName::parse("hexapawn-3x3.standard.L08.wdl.anserz.part"), None);
/// assert!(TableName::parse_part("hexapawn-3x3.standard.L08.wdl.anserz.part").is_some());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableName {
    /// The game's name with hyphens for colons.
    pub game: String,
    /// The id of the rule set.
    pub rules: String,
    /// The layer.
    pub layer: u16,
    /// What the values are.
    pub metric: Metric,
    /// How the payload is stored.
    pub kind: Kind,
}

impl TableName {
    /// The name of a table of `game`, given with its colons.
    pub fn new(game: &str, rules: &str, layer: u16, metric: Metric, kind: Kind) -> TableName {
        TableName { game: game_in_names(game), rules: rules.to_owned(), layer, metric, kind }
    }

    /// Takes a file name apart; `None` if it is not the name of a finished table.
    pub fn parse(name: &str) -> Option<TableName> {
        let mut parts = name.split('.');
        let game = parts.next().filter(|game| !game.is_empty())?.to_owned();
        let rules = parts.next().filter(|rules| !rules.is_empty())?.to_owned();
        let layer = parts.next()?.strip_prefix('L')?.parse().ok()?;
        let metric = Metric::ALL.into_iter().find(|metric| Some(metric.id()) == parts.clone().next())?;
        let kind = Kind::ALL.into_iter().find(|kind| Some(kind.extension()) == parts.clone().nth(1))?;
        let parsed = TableName { game, rules, layer, metric, kind };
        // One table, one name: no signs, no missing or superfluous zeros, nothing after the extension.
        (parsed.to_string() == name).then_some(parsed)
    }

    /// Takes the name of an unfinished file apart; `None` if it is none.
    pub fn parse_part(name: &str) -> Option<TableName> {
        TableName::parse(name.strip_suffix(PART_SUFFIX)?)
    }

    /// The name of the file while it is being written.
    pub fn part(&self) -> String {
        format!("{self}{PART_SUFFIX}")
    }
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TableName { game, rules, layer, metric, kind } = self;
        write!(f, "{game}.{rules}.L{layer:02}.{}.{}", metric.id(), kind.extension())
    }
}

/// The name of the manifest of a game's tables under a rule set.
///
/// ```
/// assert_eq!(anser_table::manifest_name("fox-geese", "free"), "fox-geese.free.manifest.json");
/// ```
pub fn manifest_name(game: &str, rules: &str) -> String {
    format!("{}.{rules}.manifest.json", game_in_names(game))
}

fn game_in_names(game: &str) -> String {
    game.replace(':', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_nearly_right_are_no_table_names() {
        assert!(TableName::parse("fox-geese.free.L08.wdl.anser").is_some());
        assert!(TableName::parse("fox-geese.free.L108.wdl.anser").is_some());
        for name in [
            "",
            "fox-geese",
            "fox-geese.free.L8.wdl.anser",
            "fox-geese.free.L+8.wdl.anser",
            "fox-geese.free.L008.wdl.anser",
            "fox-geese.free.L99999.wdl.anser",
            "fox-geese.free.08.wdl.anser",
            "fox-geese.free.L08.dtm.anser",
            "fox-geese.free.L08.wdl.anserx",
            "fox-geese.free.L08.wdl.anser.part",
            "fox-geese.free.L08.wdl.anser.",
            ".free.L08.wdl.anser",
            "fox-geese..L08.wdl.anser",
            "fox-geese.free.manifest.json",
        ] {
            assert_eq!(TableName::parse(name), None, "{name}");
        }
    }
}
