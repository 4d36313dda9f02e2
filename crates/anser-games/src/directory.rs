//! Table files in directories, by their names, and the directories that are searched.

use anser_core::Hunt;
use anser_table::manifest::{Manifest, ManifestEntry, Sums};
use anser_table::{Access, Defect, PositionedReads, Table, TableError, TableName, Tablebase};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::embedded::{self, EMBEDDED, EmbeddedFile};
use crate::registry::Registry;

/// Search path for tables.
///
/// ```
/// use anser_core::{Outcome, Side};
/// use anser_games::{Registry, SearchPath};
/// use anser_table::PositionedReads;
///
/// let registry = Registry::standard();
/// let game = registry.game("fox-geese", Some("free"))?;
/// let tables = SearchPath::embedded().open(&registry, &game, &PositionedReads)?;
/// let position = game.parse_position("3/3/7/3F3/3gg2/1g1/1g1 f")?;
/// assert_eq!(tables.probe_outcome(&position)?, Outcome::Draw);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchPath {
    /// The directories, in the order in which they are searched.
    pub directories: Vec<PathBuf>,
    /// Whether [embedded](crate::GameInfo::embedded) tables answer where no directory has one.
    pub embedded: bool,
}

impl SearchPath {
    /// Embedded tables alone.
    pub fn embedded() -> SearchPath {
        SearchPath { directories: Vec::new(), embedded: true }
    }

    /// These directories, without embedded tables.
    pub fn directories(directories: impl IntoIterator<Item = impl Into<PathBuf>>) -> SearchPath {
        SearchPath {
            directories: directories.into_iter().map(Into::into).collect(),
            embedded: false,
        }
    }

    /// The places for a message: the directories, and [`EMBEDDED`] for embedded tables.
    pub fn names(&self) -> Vec<String> {
        let embedded = self.embedded.then(|| EMBEDDED.to_owned());
        self.directories.iter().map(|dir| dir.display().to_string()).chain(embedded).collect()
    }

    /// Opens the tables of a game.
    ///
    /// # Errors
    /// As [`Tablebase::open_with`].
    pub fn open(
        &self,
        registry: &Registry,
        game: &Hunt,
        access: &(impl Access + ?Sized),
    ) -> Result<Tablebase, TableError> {
        let tables = Tablebase::open_with(game.clone(), &self.directories, access)?;
        if !self.embedded {
            return Ok(tables);
        }
        let of_game =
            TableDirectory::embedded(registry).tables.into_iter().filter(|file| file.is_of(game));
        let embedded = of_game.map(|file| file.open()).collect::<Result<Vec<_>, _>>()?;
        Ok(tables.with_tables(EMBEDDED, embedded))
    }

    /// Lists the table files of each place, in the order in which they are searched.
    ///
    /// # Errors
    /// [`Defect::Directory`] for a directory that cannot be read.
    pub fn list(&self, registry: &Registry) -> Result<Vec<TableDirectory>, TableError> {
        let mut found = self
            .directories
            .iter()
            .map(|dir| TableDirectory::read(dir))
            .collect::<Result<Vec<_>, _>>()?;
        if self.embedded {
            found.push(TableDirectory::embedded(registry));
        }
        Ok(found)
    }
}

/// A file with the name of a table.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TableFile {
    /// The parts of the name.
    pub name: TableName,
    /// The path; below [`EMBEDDED`] for an embedded table.
    pub path: PathBuf,
    /// The length of the file in bytes.
    pub bytes: u64,
    embedded: Option<Embedded>,
}

/// An embedded table.
#[derive(Clone, Debug)]
struct Embedded {
    bytes: &'static [u8],
    listed: Option<ManifestEntry>,
}

/// The files of a directory that have the names of tables.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct TableDirectory {
    /// The tables, by game, rules, and layer, raw before packed.
    pub tables: Vec<TableFile>,
    /// The tables that a solver has not finished.
    pub unfinished: Vec<TableFile>,
    /// The games, as in file names, and rule sets that have a manifest, or files that `SHA256SUMS`
    /// lists.
    pub listed: BTreeSet<(String, String)>,
}

/// Suffix of the names of manifests.
const MANIFEST: &str = ".manifest.json";

/// The game, as in file names, and the rule set of the manifest of this name.
fn manifest_of(name: &str) -> Option<(String, String)> {
    let (game, rules) = name.strip_suffix(MANIFEST)?.split_once('.')?;
    Some((game.to_owned(), rules.to_owned()))
}

impl TableDirectory {
    /// Lists a directory. Files are not opened.
    ///
    /// # Errors
    /// [`Defect::Directory`] if the directory cannot be read.
    pub fn read(dir: &Path) -> Result<TableDirectory, TableError> {
        let failed = |error| TableError::new(dir, Defect::Directory(error));
        let mut found = TableDirectory::default();
        for entry in fs::read_dir(dir).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let file_name = entry.file_name();
            let Some(name) = file_name.to_str() else { continue };
            if let Some(set) = manifest_of(name) {
                found.listed.insert(set);
                continue;
            }
            let (name, files) = match name.strip_suffix(TableName::PART_SUFFIX) {
                None => (name, &mut found.tables),
                Some(name) => (name, &mut found.unfinished),
            };
            let Some(name) = TableName::parse(name) else { continue };
            // A file that was deleted in between is not listed.
            let Ok(metadata) = fs::metadata(entry.path()) else { continue };
            files.push(TableFile {
                name,
                path: entry.path(),
                bytes: metadata.len(),
                embedded: None,
            });
        }
        found.tables.sort_by(|a, b| a.name.cmp(&b.name));
        found.unfinished.sort_by(|a, b| a.name.cmp(&b.name));
        // Verification reports a list that cannot be read.
        if let Ok(Some(sums)) = Sums::load(dir) {
            let set_of = |file| {
                TableName::parse(file)
                    .map(|name| (name.game, name.rules))
                    .or_else(|| manifest_of(file))
            };
            found.listed.extend(sums.files().filter_map(|(file, _)| set_of(file)));
        }
        Ok(found)
    }

    /// Lists the embedded tables of all games.
    pub fn embedded(registry: &Registry) -> TableDirectory {
        let tables = embedded_tables(registry).map(|(name, bytes)| TableFile {
            path: Path::new(EMBEDDED).join(name.to_string()),
            bytes: bytes.len() as u64,
            embedded: Some(Embedded { bytes, listed: embedded_entry(registry, &name) }),
            name,
        });
        TableDirectory { tables: tables.collect(), ..TableDirectory::default() }
    }
}

impl TableFile {
    /// Opens the table, which reads its header.
    ///
    /// # Errors
    /// As [`Table::open`].
    pub fn open(&self) -> Result<Table, TableError> {
        match &self.embedded {
            None => Table::open(&self.path, &PositionedReads),
            Some(embedded) => embedded::open(&self.name, embedded.bytes),
        }
    }

    /// Opens the table, and compares its header with that of a table of `game`.
    ///
    /// # Errors
    /// As [`Table::open`], and the first field of the header that is not as in a table of this game
    /// and layer.
    pub fn open_as(&self, game: &Hunt) -> Result<Table, TableError> {
        let table = self.open()?;
        let layer = self.name.layer;
        let checked = table.header().check_identity(game, layer, &game.index(layer));
        checked.map(|()| table).map_err(|defect| TableError::new(&self.path, defect))
    }

    /// The entry of the table in the manifest beside it, if there is one.
    pub fn manifest_entry(&self, game: &str, rules: &str) -> Option<ManifestEntry> {
        match &self.embedded {
            None => manifest_entry(game, rules, &self.path),
            Some(embedded) => embedded.listed.clone(),
        }
    }

    /// Whether this is, by its name, a table of `game`.
    pub fn is_of(&self, game: &Hunt) -> bool {
        game.layers().contains(&self.name.layer) && self.name.is_of(game.name(), game.rules_id())
    }
}

/// Returns the entry of a table in the manifest beside it, if there is one.
pub fn manifest_entry(game: &str, rules: &str, path: &Path) -> Option<ManifestEntry> {
    let dir = path.parent()?;
    let manifest = Manifest::load(&dir.join(Manifest::file_name(game, rules))).ok()??;
    if (manifest.game(), manifest.rules()) != (game, rules) {
        return None;
    }
    manifest.get(path.file_name()?.to_str()?).cloned()
}

/// The embedded tables of all games.
fn embedded_tables(registry: &Registry) -> impl Iterator<Item = (TableName, &'static [u8])> + '_ {
    embedded_files(registry).filter_map(|(name, bytes)| Some((TableName::parse(name)?, bytes)))
}

/// The entry of an embedded table in its manifest.
fn embedded_entry(registry: &Registry, name: &TableName) -> Option<ManifestEntry> {
    let manifest = Manifest::file_name(&name.game, &name.rules);
    let (_, bytes) = embedded_files(registry).find(|(file, _)| *file == manifest)?;
    Manifest::from_json(bytes).ok()?.get(&name.to_string()).cloned()
}

/// The embedded files of all games, in the order of the registry.
fn embedded_files(registry: &Registry) -> impl Iterator<Item = EmbeddedFile> + '_ {
    registry.made().flat_map(|game| game.embedded.iter().copied())
}
