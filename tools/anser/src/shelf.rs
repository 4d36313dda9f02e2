//! What lies in a directory: table files by their names, and what their headers and the manifest say.

use std::fs;
use std::path::{Path, PathBuf};

use anser_core::Game;
use anser_table::{
    Defect, Manifest, ManifestEntry, PART_SUFFIX, PositionedReads, Table, TableError, TableName, manifest_name,
};

/// A file with the name of a table.
pub(crate) struct Found {
    pub(crate) name: TableName,
    pub(crate) path: PathBuf,
    /// The length of the file.
    pub(crate) bytes: u64,
}

/// What has a table's name in a directory.
#[derive(Default)]
pub(crate) struct Shelf {
    /// By game, rules, layer, and raw before packed.
    pub(crate) tables: Vec<Found>,
    /// Those that a solver has not finished.
    pub(crate) unfinished: Vec<Found>,
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
            let (name, files) = match name.strip_suffix(PART_SUFFIX) {
                None => (name, &mut shelf.tables),
                Some(name) => (name, &mut shelf.unfinished),
            };
            let Some(name) = TableName::parse(name) else { continue };
            // A file that vanished in between was never there.
            let Ok(metadata) = fs::metadata(entry.path()) else { continue };
            files.push(Found { name, path: entry.path(), bytes: metadata.len() });
        }
        shelf.tables.sort_by(|a, b| a.name.cmp(&b.name));
        shelf.unfinished.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(shelf)
    }
}

impl Found {
    /// Reads the header.
    pub(crate) fn open(&self) -> Result<Table, TableError> {
        Table::open(&self.path, &PositionedReads)
    }

    /// Reads the header, and compares it with what a table of this game and layer says.
    pub(crate) fn open_as<G: Game>(&self, game: &G) -> Result<Table, TableError> {
        let table = self.open()?;
        let layer = self.name.layer;
        let checked = table.header().check_identity(game, layer, &game.index(layer));
        checked.map(|()| table).map_err(|defect| TableError::new(&self.path, defect))
    }

    /// Whether this is, by its name, a table of this game and these rules.
    pub(crate) fn is_of<G: Game>(&self, game: &G) -> bool {
        let TableName { layer, metric, kind, .. } = self.name;
        game.layers().contains(&layer)
            && self.name == TableName::new(&game.name(), &game.rules_id(), layer, metric, kind)
    }
}

/// What the manifest beside a table says of it.
pub(crate) fn manifest_entry(game: &str, rules: &str, path: &Path) -> Option<ManifestEntry> {
    let dir = path.parent()?;
    let manifest = Manifest::load(&dir.join(manifest_name(game, rules))).ok()??;
    manifest.get(path.file_name()?.to_str()?).cloned()
}
