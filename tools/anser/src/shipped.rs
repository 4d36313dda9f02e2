//! The tables that are part of the program: Fox-and-Geese with up to 7 geese, under three rule sets.
//!
//! They are compiled in, so that no directory has to be found, and believed, at run time.

use anser_core::prelude::*;
use anser_games::AnyGame;
use anser_table::manifest::{Manifest, ManifestEntry};
use anser_table::{Memory, Table, TableError, TableName};

/// The directory in the paths of these tables in messages. There is no such directory.
pub(crate) const PLACE: &str = "(built into anser)";

/// Embeds files of the directory `tables` beside `src`.
macro_rules! embed {
    ($($name:literal,)*) => {
        &[$(($name, include_bytes!(concat!("../tables/", $name)))),*]
    };
}

/// Tables and manifests by file name.
const FILES: &[(&str, &[u8])] = embed![
    "fox-geese.first-capture.L01.wdl.anserz",
    "fox-geese.first-capture.L02.wdl.anserz",
    "fox-geese.first-capture.L03.wdl.anserz",
    "fox-geese.first-capture.L04.wdl.anserz",
    "fox-geese.first-capture.L05.wdl.anserz",
    "fox-geese.first-capture.L06.wdl.anserz",
    "fox-geese.first-capture.L07.wdl.anserz",
    "fox-geese.first-capture.manifest.json",
    "fox-geese.forward.L01.wdl.anserz",
    "fox-geese.forward.L02.wdl.anserz",
    "fox-geese.forward.L03.wdl.anserz",
    "fox-geese.forward.L04.wdl.anserz",
    "fox-geese.forward.L05.wdl.anserz",
    "fox-geese.forward.L06.wdl.anserz",
    "fox-geese.forward.L07.wdl.anserz",
    "fox-geese.forward.manifest.json",
    "fox-geese.free.L01.wdl.anserz",
    "fox-geese.free.L02.wdl.anserz",
    "fox-geese.free.L03.wdl.anserz",
    "fox-geese.free.L04.wdl.anserz",
    "fox-geese.free.L05.wdl.anserz",
    "fox-geese.free.L06.wdl.anserz",
    "fox-geese.free.L07.wdl.anserz",
    "fox-geese.free.manifest.json",
];

/// The tables, in the order of their names.
pub(crate) fn names() -> impl Iterator<Item = (TableName, &'static [u8])> {
    FILES.iter().filter_map(|(name, bytes)| Some((TableName::parse(name)?, *bytes)))
}

/// Opens one of these tables.
pub(crate) fn open(name: &TableName, bytes: &'static [u8]) -> Result<Table, TableError> {
    Table::from_storage(format!("{PLACE}/{name}"), Box::new(Memory::from_static(bytes)))
}

/// The tables of a game under its rules.
pub(crate) fn tables(game: &AnyGame) -> Result<Vec<Table>, TableError> {
    let is_one =
        |name: &TableName| *name == TableName::new(&game.name(), &game.rules_id(), name.layer, name.metric, name.kind);
    names().filter(|(name, _)| is_one(name)).map(|(name, bytes)| open(&name, bytes)).collect()
}

/// The entry of one of these tables in its manifest.
pub(crate) fn manifest_entry(name: &TableName) -> Option<ManifestEntry> {
    let manifest = Manifest::file_name(&name.game, &name.rules);
    let (_, bytes) = FILES.iter().find(|(file, _)| *file == manifest)?;
    Manifest::from_json(bytes).ok()?.get(&name.to_string()).cloned()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_file_of_the_directory_is_embedded_and_listed() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables");
        let there: BTreeSet<String> = std::fs::read_dir(dir)
            .expect("the directory is there")
            .map(|entry| entry.expect("it can be read").file_name().into_string().expect("names are UTF-8"))
            .collect();
        let embedded: BTreeSet<String> = FILES.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(there, embedded);
        for (name, bytes) in names() {
            let table = open(&name, bytes).expect("the table is sound at sight");
            let entry = manifest_entry(&name).expect("the table is listed");
            assert_eq!(entry.payload_blake3, anser_table::format::hex(table.header().payload_digest()));
            assert_eq!(entry.file.bytes, bytes.len() as u64);
        }
    }
}
