//! What lies in a directory: table files by their names, and what their headers and the manifest say.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anser_core::prelude::*;
use anser_games::AnyGame;
use anser_table::manifest::{Manifest, ManifestEntry, Sums};
use anser_table::{Defect, PositionedReads, Table, TableError, TableName};

use crate::shipped;
use crate::tables::Places;

/// A file with the name of a table.
pub(crate) struct Found {
    pub(crate) name: TableName,
    pub(crate) path: PathBuf,
    /// The length of the file.
    pub(crate) bytes: u64,
    /// The whole file, if it is part of the program.
    shipped: Option<&'static [u8]>,
}

/// What has a table's name in a directory.
#[derive(Default)]
pub(crate) struct Shelf {
    /// By game, rules, layer, and raw before packed.
    pub(crate) tables: Vec<Found>,
    /// Those that a solver has not finished.
    pub(crate) unfinished: Vec<Found>,
    /// The games, as in file names, and rule sets that there are manifests of, or whose files `SHA256SUMS` lists.
    pub(crate) listed: BTreeSet<(String, String)>,
}

/// How the name of a manifest ends.
const MANIFEST: &str = ".manifest.json";

/// The game, as in file names, and the rule set of the manifest of this name.
fn manifest_of(name: &str) -> Option<(String, String)> {
    let (game, rules) = name.strip_suffix(MANIFEST)?.split_once('.')?;
    Some((game.to_owned(), rules.to_owned()))
}

impl Shelf {
    /// Looks into a directory.
    pub(crate) fn of(dir: &Path) -> Result<Shelf, TableError> {
        let failed = |error| TableError::new(dir, Defect::Directory(error));
        let mut shelf = Shelf::default();
        for entry in fs::read_dir(dir).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let file_name = entry.file_name();
            let Some(name) = file_name.to_str() else { continue };
            if let Some(set) = manifest_of(name) {
                shelf.listed.insert(set);
                continue;
            }
            let (name, files) = match name.strip_suffix(TableName::PART_SUFFIX) {
                None => (name, &mut shelf.tables),
                Some(name) => (name, &mut shelf.unfinished),
            };
            let Some(name) = TableName::parse(name) else { continue };
            // A file that vanished in between was never there.
            let Ok(metadata) = fs::metadata(entry.path()) else { continue };
            files.push(Found { name, path: entry.path(), bytes: metadata.len(), shipped: None });
        }
        shelf.tables.sort_by(|a, b| a.name.cmp(&b.name));
        shelf.unfinished.sort_by(|a, b| a.name.cmp(&b.name));
        // A list that cannot be used is for `verify` to report.
        if let Ok(Some(sums)) = Sums::load(dir) {
            let set_of =
                |file| TableName::parse(file).map(|name| (name.game, name.rules)).or_else(|| manifest_of(file));
            shelf.listed.extend(sums.files().filter_map(|(file, _)| set_of(file)));
        }
        Ok(shelf)
    }

    /// The tables that are part of the program.
    pub(crate) fn shipped() -> Shelf {
        let found = |(name, bytes): (TableName, &'static [u8])| Found {
            path: Path::new(shipped::PLACE).join(name.to_string()),
            name,
            bytes: bytes.len() as u64,
            shipped: Some(bytes),
        };
        Shelf { tables: shipped::names().map(found).collect(), ..Shelf::default() }
    }

    /// What lies in each of these places, in the order in which they are searched.
    pub(crate) fn all(places: &Places) -> Result<Vec<Shelf>, TableError> {
        let mut shelves = places.dirs.iter().map(|dir| Shelf::of(dir)).collect::<Result<Vec<_>, _>>()?;
        if places.shipped {
            shelves.push(Shelf::shipped());
        }
        Ok(shelves)
    }
}

impl Found {
    /// Reads the header.
    pub(crate) fn open(&self) -> Result<Table, TableError> {
        match self.shipped {
            None => Table::open(&self.path, &PositionedReads),
            Some(bytes) => shipped::open(&self.name, bytes),
        }
    }

    /// Reads the header, and compares it with what a table of this game and layer says.
    pub(crate) fn open_as(&self, game: &AnyGame) -> Result<Table, TableError> {
        let table = self.open()?;
        let layer = self.name.layer;
        let checked = table.header().check_identity(game, layer, &game.index(layer));
        checked.map(|()| table).map_err(|defect| TableError::new(&self.path, defect))
    }

    /// What the manifest beside the table says of it.
    pub(crate) fn manifest_entry(&self, game: &str, rules: &str) -> Option<ManifestEntry> {
        match self.shipped {
            None => manifest_entry(game, rules, &self.path),
            Some(_) => shipped::manifest_entry(&self.name),
        }
    }

    /// Whether this is, by its name, a table of this game and these rules.
    pub(crate) fn is_of(&self, game: &AnyGame) -> bool {
        let TableName { layer, metric, kind, .. } = self.name;
        game.layers().contains(&layer)
            && self.name == TableName::new(&game.name(), &game.rules_id(), layer, metric, kind)
    }
}

/// What the manifest beside a table says of it.
pub(crate) fn manifest_entry(game: &str, rules: &str, path: &Path) -> Option<ManifestEntry> {
    let dir = path.parent()?;
    let manifest = Manifest::load(&dir.join(Manifest::file_name(game, rules))).ok()??;
    if (manifest.game(), manifest.rules()) != (game, rules) {
        return None;
    }
    manifest.get(path.file_name()?.to_str()?).cloned()
}
