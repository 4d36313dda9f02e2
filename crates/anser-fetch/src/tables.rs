//! The tables that are wanted, and what lists say about them.

use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

use anser_games::answers::FetchedList;
use anser_solve::LockedDir;
use anser_table::format::hex;
use anser_table::manifest::ManifestEntry;
use anser_table::{Metric, PositionedReads, Table, TableName};

/// Selection of tables to fetch. The default is all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The games, with their sizes; empty for all.
    pub games: Vec<String>,
    /// The ids of the rule sets; empty for all.
    pub rules: Vec<String>,
    /// The layers; `None` for all.
    pub layers: Option<RangeInclusive<u16>>,
    /// The metric; `None` for all.
    pub metric: Option<Metric>,
}

impl Selection {
    /// Whether tables of a game and rule set are wanted.
    pub(crate) fn is_of(&self, game: &str, rules: &str) -> bool {
        let has = |names: &[String], name| names.is_empty() || names.iter().any(|it| it == name);
        has(&self.games, game) && has(&self.rules, rules)
    }

    /// Whether a table of a wanted set is wanted.
    pub(crate) fn includes(&self, name: &TableName) -> bool {
        self.layers.as_ref().is_none_or(|layers| layers.contains(&name.layer))
            && self.metric.is_none_or(|metric| metric == name.metric)
    }
}

/// A table that is to be fetched, or exists.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlannedTable {
    /// The game with its size.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// The name of the file.
    pub name: TableName,
    /// The length of the file in bytes.
    pub bytes: u64,
    /// The bytes to be fetched at most: zero if the directory has the table.
    pub left: u64,
    /// The BLAKE3 of the raw payload in hexadecimal.
    pub(crate) payload: String,
    /// A hash of the content, which distinguishes unfinished files.
    pub(crate) version: u64,
    pub(crate) content: Content,
}

impl PlannedTable {
    /// The bytes to be fetched into a directory at most.
    pub(crate) fn left_in(&self, out: &Path) -> u64 {
        let there = Table::open(out.join(self.name.to_string()), &PositionedReads);
        if there.is_ok_and(|table| hex(table.header().payload_digest()) == self.payload) {
            return 0;
        }
        match self.content {
            // Parts are compared with their hashes before they are used again.
            Content::Parts { .. } => self.bytes,
            Content::File(_) => {
                let file = LockedDir::unfinished(out, &self.name, self.version);
                let there = fs::metadata(file).map_or(0, |file| file.len());
                self.bytes.checked_sub(there).unwrap_or(self.bytes)
            }
        }
    }
}

/// Form in which a table is fetched.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// In parts that follow the header.
    Parts { header: Vec<u8>, parts: Vec<Part> },
    /// As a file.
    File(Box<ManifestEntry>),
}

/// A part of a table.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// The offset in the table.
    pub(crate) offset: u64,
    /// The length in bytes, not zero.
    pub(crate) len: u64,
    /// The xxh3-64 in hexadecimal.
    pub(crate) hash: String,
}

/// Content of the lists of a place.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    /// The sets of tables, for messages.
    pub(crate) sets: Vec<String>,
    /// The wanted tables.
    pub(crate) tables: Vec<PlannedTable>,
    /// The lists of the wanted sets.
    pub(crate) files: Vec<FetchedList>,
}

/// Reads the name of a table of a game and rule set. Any other text is an error, so that no name
/// leads out of a directory.
pub(crate) fn table_name(text: &str, game: &str, rules: &str) -> Result<TableName, String> {
    let name = TableName::parse(text);
    let own = name.filter(|name| is_plain(text) && name.is_of(game, rules));
    own.ok_or_else(|| format!("{text:?} is not the name of a table of {game} (rules {rules})"))
}

/// Whether a name is that of a file of the directory itself, and needs no coding in an address.
pub(crate) fn is_plain(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.+".contains(&byte);
    !name.starts_with('.') && name.bytes().all(is_allowed)
}
