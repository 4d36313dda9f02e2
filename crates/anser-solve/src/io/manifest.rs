//! Manifests, and the names of tables.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use anser_core::Hunt;
use anser_table::error::ListDefect;
use anser_table::format::{Header, hex};
use anser_table::manifest::{FileDigest, Manifest, ManifestEntry, RunInfo};
use anser_table::{Defect, Kind, Metric, Table, TableError, TableName};

use crate::SolveError;
use crate::error::io_error;
use crate::io::files::{check_lock, sync_dir, write_atomically};

/// Name and version of this program, for headers.
pub(crate) const GENERATOR: &str = concat!("anser ", env!("CARGO_PKG_VERSION"));

/// Returns the digests of the first `len` bytes of a file.
pub(crate) fn digest_of(file: &Path, len: u64) -> Result<FileDigest, SolveError> {
    let bytes = File::open(file).map_err(io_error(file, "opening"))?.take(len);
    FileDigest::of_reader(bytes).map_err(io_error(file, "reading"))
}

/// Adds a finished table, whose file has these digests, to the manifest of its directory.
pub(crate) fn record_table(
    game: &Hunt,
    dir: &Path,
    header: &Header,
    digest: FileDigest,
    run: Option<RunInfo>,
) -> Result<(), SolveError> {
    let entry = ManifestEntry::new(header, digest, run);
    let name = table_name(game, header.layer(), header.metric(), header.kind());
    add_entry((game.name(), game.rules_id()), dir, &name, entry)
}

/// Adds a table to the manifest of a game and rule set in a directory, or replaces its entry.
pub(crate) fn add_entry(
    set: (&str, &str),
    dir: &Path,
    table: &TableName,
    entry: ManifestEntry,
) -> Result<(), SolveError> {
    let (name, rules) = set;
    let mut manifest = load_of_set(set, dir)?.unwrap_or_else(|| Manifest::new(name, rules));
    manifest.insert(table.to_string(), entry);
    write_atomically(&dir.join(Manifest::file_name(name, rules)), &manifest.to_json())
}

/// Removes a table from its directory, if it is there, and from the manifest.
pub(crate) fn remove_table(game: &Hunt, dir: &Path, name: &TableName) -> Result<(), SolveError> {
    let path = dir.join(name.to_string());
    check_lock(dir)?;
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        removed => {
            removed.map_err(io_error(&path, "removing"))?;
            sync_dir(dir)?;
        }
    }
    // A run that was killed may have removed the file alone.
    if let Some(mut manifest) = load_manifest(game, dir)?
        && manifest.remove(&name.to_string()).is_some()
    {
        let path = dir.join(Manifest::file_name(game.name(), game.rules_id()));
        write_atomically(&path, &manifest.to_json())?;
    }
    Ok(())
}

/// Loads the manifest of a directory, if there is one. Fails if it is of another game or rule set.
pub(crate) fn load_manifest(game: &Hunt, dir: &Path) -> Result<Option<Manifest>, SolveError> {
    load_of_set((game.name(), game.rules_id()), dir)
}

/// Loads the manifest of a game and rule set, as [`load_manifest`] does.
fn load_of_set(set: (&str, &str), dir: &Path) -> Result<Option<Manifest>, SolveError> {
    let (name, rules) = set;
    let path = dir.join(Manifest::file_name(name, rules));
    match Manifest::load(&path)? {
        Some(manifest) => {
            check_set(&manifest, set).map_err(|defect| TableError::new(path, defect))?;
            Ok(Some(manifest))
        }
        None => Ok(None),
    }
}

/// Fails if a manifest is not one of a game and rule set.
pub(crate) fn check_set(manifest: &Manifest, set: (&str, &str)) -> Result<(), Defect> {
    let found = (manifest.game(), manifest.rules());
    if found == set {
        return Ok(());
    }
    let [found, expected] = [found, set].map(|(name, rules)| (name.into(), rules.into()));
    Err(Defect::Manifest(ListDefect::OtherTables { found, expected }))
}

/// Returns whether the manifest lists a table of this name, length, and payload.
pub(crate) fn is_listed(manifest: &Manifest, table: &Table) -> bool {
    let entry = table.path().file_name().and_then(|name| manifest.get(name.to_str()?));
    entry.is_some_and(|entry| {
        let header = table.header();
        entry.file.bytes == header.layout().file_len()
            && entry.payload_blake3 == hex(header.payload_digest())
    })
}

/// Returns the name of the table of a layer.
pub(crate) fn table_name(game: &Hunt, layer: u16, metric: Metric, kind: Kind) -> TableName {
    TableName::new(game.name(), game.rules_id(), layer, metric, kind)
}
