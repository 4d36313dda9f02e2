//! The tables inside the crate are those of its directory, and are what its manifests list.

use std::collections::BTreeSet;
use std::path::Path;

use anser_games::{Registry, TableDirectory};
use anser_table::format::hex;
use anser_table::manifest::Manifest;

#[test]
fn every_file_of_the_directory_is_embedded_and_listed() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables");
    let there: BTreeSet<String> = std::fs::read_dir(dir)
        .expect("the directory is there")
        .map(|entry| {
            entry.expect("it can be read").file_name().into_string().expect("names are UTF-8")
        })
        .collect();
    let registry = Registry::standard();
    let files = || registry.games().flat_map(|game| game.embedded.iter().copied());
    let embedded: BTreeSet<String> = files().map(|(name, _)| name.to_owned()).collect();
    assert_eq!(there, embedded);
    let tables = TableDirectory::embedded(&registry).tables;
    assert!(!tables.is_empty());
    for file in tables {
        let table = file.open().expect("the table is sound at sight");
        let manifest = Manifest::file_name(&file.name.game, &file.name.rules);
        let (_, bytes) = files().find(|(name, _)| *name == manifest).expect("it has a manifest");
        let manifest = Manifest::from_json(bytes).expect("the manifest can be read");
        let entry = manifest.get(&file.name.to_string()).expect("the table is listed");
        assert_eq!(entry.payload_blake3, hex(table.header().payload_digest()));
        assert_eq!(entry.file.bytes, file.bytes);
    }
}
