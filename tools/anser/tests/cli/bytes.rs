//! Tables have their known values, `data/known/fox-geese-payloads.blake3`, and packed ones the
//! bytes of the tables that are part of the program.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anser_table::format::{HEADER_LEN, hex};
use anser_table::{PositionedReads, Table};
use tempfile::TempDir;

use crate::support::{Ran, anser};

/// The digest of the values of each table in hexadecimal, by the name of the raw table.
fn known() -> BTreeMap<String, String> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/known/fox-geese-payloads.blake3");
    let text = fs::read_to_string(path).expect("the digests are there");
    text.lines()
        .map(|line| line.split_once("  ").expect("a digest and a name"))
        .map(|(digest, name)| (name.to_owned(), digest.to_owned()))
        .collect()
}

#[test]
fn tables_have_their_known_values_and_packed_ones_their_known_bytes() {
    const LAYERS: std::ops::RangeInclusive<u16> = 1..=5;
    let known = known();
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/anser-games/tables");
    assert_eq!(known.len(), 3 * 2 * 9);
    for rules in ["first-capture", "free", "forward"] {
        let dir = TempDir::new().expect("there is a temporary directory");
        let packed = dir.path().join("packed");
        let run = |words: &[&str]| {
            let mut command = anser(words.iter().copied());
            command.args(["--rules", rules, "--layers", "1-5", "--tables"]).arg(dir.path());
            if words[0] == "pack" {
                command.arg("--out").arg(&packed);
            }
            let ran = Ran::new(&command.output().expect("anser runs"));
            assert_eq!(ran.code, 0, "{}", ran.err);
        };
        run(&["solve", "fox-geese", "--metric", "wdl,dtw"]);
        run(&["pack", "fox-geese"]);
        for (layer, metric) in LAYERS.flat_map(|layer| ["wdl", "dtw"].map(|metric| (layer, metric)))
        {
            let name = format!("fox-geese.{rules}.L{layer:02}.{metric}.anser");
            let packed_name = format!("{name}z");
            for path in [dir.path().join(&name), packed.join(&packed_name)] {
                let table = Table::open(&path, &PositionedReads).expect("the table is there");
                // Of a raw table, this compares the payload with its digest.
                table.verify().expect("the table is sound");
                assert_eq!(hex(table.header().payload_digest()), known[&name], "{name}");
            }
            if metric == "wdl" {
                // The header has the version of the program.
                let [made, shipped] = [&packed, &shipped]
                    .map(|dir| fs::read(dir.join(&packed_name)).expect("the table is there"));
                assert!(made[HEADER_LEN..] == shipped[HEADER_LEN..], "{packed_name}");
            }
        }
    }
}
