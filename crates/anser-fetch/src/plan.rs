//! Plan of the tables to fetch.

use std::collections::BTreeSet;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;

use anser_core::Observer;
use anser_games::Registry;
use anser_solve::{LockedDir, available_disk};
use anser_table::format::hex;
use anser_table::manifest::ManifestEntry;
use anser_table::{Metric, PositionedReads, Table, TableName};

use crate::error::FetchError;
use crate::listing::{self, is_plain};
use crate::place::{Options, Origin, Place, without_password};
use crate::site;
use crate::threads::{Lists, interruptible};

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

/// Tables that are to be fetched into a directory.
///
/// See the [crate](crate) for an example.
#[derive(Debug)]
pub struct Plan<'a> {
    pub(crate) place: Place,
    pub(crate) registry: &'a Registry,
    pub(crate) out: PathBuf,
    pub(crate) options: Options,
    pub(crate) tables: Vec<PlannedTable>,
    origin: Origin,
    files: Vec<ListFile>,
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

/// A list that tables were found in: a manifest, or the file of a set of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListFile {
    /// The address.
    pub url: String,
    /// The SHA-256 in hexadecimal.
    pub sha256: String,
}

/// Content of the lists of a place.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    /// The sets of tables, for messages.
    pub(crate) sets: Vec<String>,
    /// The wanted tables.
    pub(crate) tables: Vec<PlannedTable>,
    /// The lists of the wanted sets.
    pub(crate) files: Vec<ListFile>,
}

impl<'a> Plan<'a> {
    /// The piece of work of [`Plan::run`] whose units are bytes, as observers get it.
    pub const FETCHING: &'static str = "fetching";

    /// Plans to fetch the wanted tables of an address into the directory `out`: reads the index or
    /// the manifests, and looks for tables and unfinished files in `out`. Nothing is written.
    ///
    /// The address is one of `http:`, `https:`, or `file:`, or a local path. A directory of a web
    /// server that has no `SHA256SUMS` is asked for the manifests of the wanted games and rule sets,
    /// or of all in the registry. Tables of games that the registry knows must have its rules.
    ///
    /// # Errors
    /// If the address is none, the host does not answer, or its lists are malformed or have no
    /// wanted table.
    pub fn new(
        address: &str,
        wanted: &Selection,
        registry: &'a Registry,
        out: impl Into<PathBuf>,
        options: &Options,
        observer: &dyn Observer,
    ) -> Result<Plan<'a>, FetchError> {
        let out = out.into();
        let (place, file) = Place::new(address, options)?;
        observer.begin("reading the list of tables", 1);
        let (origin, listed) = interruptible(&place, observer, |stop| {
            let lists = Lists { place: &place, options, stop, bytes: &AtomicU64::new(0) };
            let index = if file.is_none() { site::index_of(&lists)? } else { None };
            if let Some(index) = index {
                return Ok((Origin::Site, site::list(&lists, &index, wanted, registry)?));
            }
            let listed = listing::list(&lists, file.as_deref(), wanted, registry, observer)?;
            Ok((Origin::Directory, listed))
        })?;
        let Listed { sets, mut tables, files } = listed;
        if tables.is_empty() {
            return Err(FetchError::NotListed { address: place.url(""), sets });
        }
        if let Some(expected) = &options.sha256 {
            check_sha256(address, origin, &files, expected)?;
        }
        let mut names = BTreeSet::new();
        if let Some(twice) = tables.iter().find(|table| !names.insert(&table.name)) {
            let problem = format!("{} is listed twice", twice.name);
            return Err(FetchError::List { url: place.url(""), problem });
        }
        for table in &mut tables {
            table.left = table.left_in(&out);
        }
        let options = options.clone();
        Ok(Plan { place, registry, out, options, tables, origin, files })
    }

    /// Returns what the tables are fetched from.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// Returns the tables, by game, rule set, and layer.
    pub fn tables(&self) -> &[PlannedTable] {
        &self.tables
    }

    /// Returns the lists that name the tables.
    pub fn lists(&self) -> &[ListFile] {
        &self.files
    }

    /// Returns the bytes to be fetched at most.
    pub fn left(&self) -> u64 {
        self.tables.iter().map(|table| table.left).fold(0, u64::saturating_add)
    }

    /// Returns the free space of the disk in bytes; `None` if the system does not report it.
    pub fn disk_free(&self) -> Option<u64> {
        let existing = self.out.ancestors().find(|dir| dir.is_dir());
        let current = || Path::new(".");
        available_disk(existing.filter(|dir| !dir.as_os_str().is_empty()).unwrap_or_else(current))
    }

    /// Checks that the disk has space for the tables.
    ///
    /// # Errors
    /// [`FetchError::Disk`].
    pub fn check_disk(&self) -> Result<(), FetchError> {
        let taken = |table: &PlannedTable| {
            let file = LockedDir::unfinished(&self.out, &table.name, table.version);
            fs::metadata(file).map_or(0, |file| file.len())
        };
        let missing = self.tables.iter().filter(|table| table.left > 0);
        let needed = missing
            .map(|table| table.bytes.saturating_sub(taken(table)))
            .fold(0, u64::saturating_add);
        match self.disk_free() {
            Some(free) if free < needed => {
                Err(FetchError::Disk { path: self.out.clone(), needed, free })
            }
            _ => Ok(()),
        }
    }
}

impl PlannedTable {
    /// The bytes to be fetched into a directory at most.
    fn left_in(&self, out: &Path) -> u64 {
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

/// Compares the SHA-256 of the manifest with the given one.
fn check_sha256(
    address: &str,
    origin: Origin,
    files: &[ListFile],
    expected: &str,
) -> Result<(), FetchError> {
    let wrong = |problem| Err(FetchError::Address { address: without_password(address), problem });
    match (origin, files) {
        (Origin::Site, _) => wrong(
            "a site has no digest that proves who made its tables: fetch from a directory to \
             compare the SHA-256 of its manifest",
        ),
        (Origin::Directory, [ListFile { sha256, .. }]) if sha256.eq_ignore_ascii_case(expected) => {
            Ok(())
        }
        (Origin::Directory, [ListFile { url, sha256 }]) => Err(FetchError::Digest {
            url: url.clone(),
            what: "SHA-256",
            expected: expected.to_owned(),
            found: sha256.clone(),
        }),
        (Origin::Directory, _) => wrong(
            "there are several manifests: name one game and one rule set, whose SHA-256 it is",
        ),
    }
}

/// Reads the name of a table of a game and rule set. Any other text is an error, so that no name
/// leads out of a directory.
pub(crate) fn table_name(text: &str, game: &str, rules: &str) -> Result<TableName, String> {
    let name = TableName::parse(text).filter(|name| {
        let TableName { layer, metric, kind, .. } = *name;
        is_plain(text) && *name == TableName::new(game, rules, layer, metric, kind)
    });
    name.ok_or_else(|| format!("{text:?} is not the name of a table of {game} (rules {rules})"))
}
