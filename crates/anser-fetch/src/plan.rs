//! Plan of the tables to fetch.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;

use anser_core::Observer;
use anser_games::Registry;
use anser_games::answers::{FetchOrigin, FetchedList};
use anser_solve::{LockedDir, available_disk};

use crate::error::FetchError;
use crate::listing;
use crate::place::{Options, Place, without_password};
use crate::site;
use crate::tables::{Listed, PlannedTable, Selection};
use crate::threads::{Lists, interruptible};

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
    origin: FetchOrigin,
    files: Vec<FetchedList>,
}

impl<'a> Plan<'a> {
    /// The piece of work of [`Plan::run`] whose units are bytes, as observers get it.
    pub const FETCHING: &'static str = "fetching";

    /// Plans to fetch the wanted tables of an address into the directory `out`: reads the index or
    /// the manifests, and looks for tables and unfinished files in `out`. Nothing is written.
    ///
    /// The address is one of `http:`, `https:`, or `file:`, or a local path. A directory of a web
    /// server that has no `SHA256SUMS` is asked for the manifests of the wanted games and rule
    /// sets, or of all in the registry. Tables of games that the registry knows must have its
    /// rules.
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
                return Ok((FetchOrigin::Site, site::list(&lists, &index, wanted, registry)?));
            }
            let listed = listing::list(&lists, file.as_deref(), wanted, registry, observer)?;
            Ok((FetchOrigin::Directory, listed))
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
            return Err(FetchError::list(place.url(""), problem));
        }
        for table in &mut tables {
            table.left = table.left_in(&out);
        }
        let options = options.clone();
        Ok(Plan { place, registry, out, options, tables, origin, files })
    }

    /// Returns what the tables are fetched from.
    pub fn origin(&self) -> FetchOrigin {
        self.origin
    }

    /// Returns the tables, by game, rule set, and layer.
    pub fn tables(&self) -> &[PlannedTable] {
        &self.tables
    }

    /// Returns the lists that name the tables.
    pub fn lists(&self) -> &[FetchedList] {
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

/// Compares the SHA-256 of the manifest with the given one.
fn check_sha256(
    address: &str,
    origin: FetchOrigin,
    files: &[FetchedList],
    expected: &str,
) -> Result<(), FetchError> {
    let wrong = |problem| Err(FetchError::Address { address: without_password(address), problem });
    match (origin, files) {
        (FetchOrigin::Site, _) => wrong(
            "a site has no digest that proves who made its tables: fetch from a directory to \
             compare the SHA-256 of its manifest",
        ),
        (FetchOrigin::Directory, [FetchedList { sha256, .. }])
            if sha256.eq_ignore_ascii_case(expected) =>
        {
            Ok(())
        }
        (FetchOrigin::Directory, [FetchedList { url, sha256 }]) => Err(FetchError::Digest {
            url: url.clone(),
            what: "SHA-256",
            expected: expected.to_owned(),
            found: sha256.clone(),
        }),
        (FetchOrigin::Directory, _) => wrong(
            "there are several manifests: name one game and one rule set, whose SHA-256 it is",
        ),
    }
}
