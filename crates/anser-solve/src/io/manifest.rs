//! What is known of a finished layer, and the manifest that keeps it.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anser_core::Game;
use anser_table::error::ListDefect;
use anser_table::format::{Counts, Header, hex};
use anser_table::manifest::{FileDigest, Manifest, ManifestEntry, RunInfo};
use anser_table::{Defect, Kind, Metric, Table, TableError, TableName};

use crate::SolveError;
use crate::error::io_error;
use crate::io::files::write_atomically;

/// What writes tables, as their headers have it.
pub(crate) const GENERATOR: &str = concat!("anser ", env!("CARGO_PKG_VERSION"));

/// A finished layer.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerReport {
    /// The layer.
    pub layer: u16,
    /// What was computed.
    pub metric: Metric,
    /// Classes, both sides to move together.
    pub classes: u64,
    /// Positions by side to move and outcome; symmetric ones are counted separately.
    pub counts: Counts,
    /// The length of the file in bytes.
    pub bytes: u64,
    /// How it was solved.
    pub run: RunInfo,
}

/// Writes down a finished table in the manifest of its directory. `readable` is where the table can
/// be read now; what follows the table in that file is left out.
pub(crate) fn record_table<G: Game>(
    game: &G,
    dir: &Path,
    header: &Header,
    readable: &Path,
    run: Option<RunInfo>,
) -> Result<(), SolveError> {
    let (name, rules) = (game.name(), game.rules_id());
    let mut manifest = load_manifest(game, dir)?.unwrap_or_else(|| Manifest::new(&name, &rules));
    let file = File::open(readable).map_err(io_error(readable, "opening"))?;
    let digest = FileDigest::of_reader(file.take(header.layout().file_len())).map_err(io_error(readable, "reading"))?;
    let entry = ManifestEntry {
        layer: header.layer(),
        metric: header.metric(),
        kind: header.kind(),
        file: digest,
        payload_blake3: hex(header.payload_digest()),
        run,
    };
    manifest.insert(table_name(game, header.layer(), header.metric(), header.kind()).to_string(), entry);
    write_atomically(&dir.join(Manifest::file_name(&name, &rules)), &manifest.to_json())
}

/// The manifest of a directory, if it has one. A manifest of another game is an error.
pub(crate) fn load_manifest<G: Game>(game: &G, dir: &Path) -> Result<Option<Manifest>, SolveError> {
    let (name, rules) = (game.name(), game.rules_id());
    let path = dir.join(Manifest::file_name(&name, &rules));
    let manifest = Manifest::load(&path)?;
    match &manifest {
        Some(other) if (other.game(), other.rules()) != (&*name, &*rules) => {
            let found = (other.game().to_owned(), other.rules().to_owned());
            let defect = Defect::Manifest(ListDefect::OtherTables { found, expected: (name, rules) });
            Err(TableError::new(path, defect).into())
        }
        _ => Ok(manifest),
    }
}

/// Whether a table is in the manifest, by its name, its length and its values.
pub(crate) fn is_listed(manifest: &Manifest, table: &Table) -> bool {
    let entry = table.path().file_name().and_then(|name| manifest.get(name.to_str()?));
    entry.is_some_and(|entry| {
        let header = table.header();
        entry.file.bytes == header.layout().file_len() && entry.payload_blake3 == hex(header.payload_digest())
    })
}

/// The name of the table of a layer.
pub(crate) fn table_name<G: Game>(game: &G, layer: u16, metric: Metric, kind: Kind) -> TableName {
    TableName::new(&game.name(), &game.rules_id(), layer, metric, kind)
}
