//! Tables that are part of this crate: Fox-and-Geese with up to 7 geese, under three rule sets.
//!
//! They are compiled in, so that no directory has to be found, and trusted, at run time.

use anser_table::manifest::{Manifest, ManifestEntry};
use anser_table::{Memory, Table, TableError, TableName};

use crate::Registry;

/// The directory in the paths of embedded tables in messages. There is no such directory.
pub const EMBEDDED: &str = "(built into anser)";

/// A file, by its name, that is part of a program: a packed table, or the manifest of some.
pub type EmbeddedFile = (&'static str, &'static [u8]);

/// Embeds files of the directory `tables` beside `src`.
macro_rules! embed {
    ($($name:literal,)*) => {
        &[$(($name, include_bytes!(concat!("../tables/", $name)))),*]
    };
}

/// Tables of Fox-and-Geese, and their manifests.
pub(crate) const FOX_GEESE: &[EmbeddedFile] = embed![
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

/// The embedded tables of all games, in the order of the registry.
pub(crate) fn tables(registry: &Registry) -> impl Iterator<Item = (TableName, &'static [u8])> + '_ {
    files(registry).filter_map(|(name, bytes)| Some((TableName::parse(name)?, bytes)))
}

/// Opens an embedded table.
pub(crate) fn open(name: &TableName, bytes: &'static [u8]) -> Result<Table, TableError> {
    Table::from_storage(format!("{EMBEDDED}/{name}"), Box::new(Memory::from_static(bytes)))
}

/// The entry of an embedded table in its manifest.
pub(crate) fn manifest_entry(registry: &Registry, name: &TableName) -> Option<ManifestEntry> {
    let manifest = Manifest::file_name(&name.game, &name.rules);
    let (_, bytes) = files(registry).find(|(file, _)| *file == manifest)?;
    Manifest::from_json(bytes).ok()?.get(&name.to_string()).cloned()
}

fn files(registry: &Registry) -> impl Iterator<Item = EmbeddedFile> + '_ {
    registry.games().iter().flat_map(|game| game.embedded.iter().copied())
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
            .map(|entry| {
                entry.expect("it can be read").file_name().into_string().expect("names are UTF-8")
            })
            .collect();
        let embedded: BTreeSet<String> =
            FOX_GEESE.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(there, embedded);
        let registry = Registry::standard();
        for (name, bytes) in tables(&registry) {
            let table = open(&name, bytes).expect("the table is sound at sight");
            let entry = manifest_entry(&registry, &name).expect("the table is listed");
            assert_eq!(
                entry.payload_blake3,
                anser_table::format::hex(table.header().payload_digest())
            );
            assert_eq!(entry.file.bytes, bytes.len() as u64);
        }
    }
}
