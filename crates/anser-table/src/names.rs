//! File names of tables.

use std::fmt;

use crate::kinds::{Kind, Metric};

/// The name of a table file, split into its parts.
///
/// `fox-geese.free.L08.wdl.anser` is the raw table of outcomes of layer 8, `….dtw.anser` that of
/// distances, `….wdl.anserz` the packed table, and `….wdl.anser.part` a file that is still being
/// written. A colon in a game's name (`hexapawn:3x3`) is written as a hyphen.
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
    /// The metric.
    pub metric: Metric,
    /// The kind.
    pub kind: Kind,
}

impl TableName {
    /// Suffix of the name of a file that is still being written.
    pub const PART_SUFFIX: &str = ".part";

    /// Creates the name of a table of `game`, whose name is given with its colons.
    pub fn new(game: &str, rules: &str, layer: u16, metric: Metric, kind: Kind) -> TableName {
        TableName { game: game_in_names(game), rules: rules.to_owned(), layer, metric, kind }
    }

    /// Whether it is the name of a table of `game`, whose name is given with its colons.
    pub fn is_of(&self, game: &str, rules: &str) -> bool {
        self.game == game_in_names(game) && self.rules == rules
    }

    /// Splits the name of a finished table; `None` for any other name.
    pub fn parse(name: &str) -> Option<TableName> {
        let mut parts = name.split('.');
        let game = parts.next().filter(|game| !game.is_empty())?.to_owned();
        let rules = parts.next().filter(|rules| !rules.is_empty())?.to_owned();
        let layer = parts.next()?.strip_prefix('L')?.parse().ok()?;
        let metric = parts.next()?.parse().ok()?;
        let extension = parts.next()?;
        let kind = Kind::ALL.into_iter().find(|kind| kind.extension() == extension)?;
        let parsed = TableName { game, rules, layer, metric, kind };
        // One table, one name: no signs, no missing or extra zeros, nothing after the extension.
        (parsed.to_string() == name).then_some(parsed)
    }

    /// Splits the name of an unfinished file; `None` for any other name.
    pub fn parse_part(name: &str) -> Option<TableName> {
        TableName::parse(name.strip_suffix(TableName::PART_SUFFIX)?)
    }

    /// Returns the name of the file while it is being written.
    pub fn part(&self) -> String {
        format!("{self}{}", TableName::PART_SUFFIX)
    }
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TableName { game, rules, layer, metric, kind } = self;
        write!(f, "{game}.{rules}.L{layer:02}.{metric}.{}", kind.extension())
    }
}

/// The form of a game's name in file names.
pub(crate) fn game_in_names(game: &str) -> String {
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
