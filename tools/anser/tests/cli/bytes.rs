//! Tables have the known bytes of this format version: `data/known/fox-geese-tables.sha256`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::support::{Ran, anser};

/// The digest of each file in hexadecimal, by its name.
fn known() -> BTreeMap<String, String> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/known/fox-geese-tables.sha256");
    let text = fs::read_to_string(path).expect("the digests are there");
    text.lines()
        .map(|line| line.split_once("  ").expect("a digest and a name"))
        .map(|(digest, name)| (name.to_owned(), digest.to_owned()))
        .collect()
}

fn digest(path: &Path) -> String {
    let digest = Sha256::digest(fs::read(path).expect("the table is there"));
    digest
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}

#[test]
fn tables_have_their_known_bytes() {
    const LAYERS: std::ops::RangeInclusive<u16> = 1..=5;
    let known = known();
    assert_eq!(known.len(), 3 * 2 * 2 * 9);
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
        for layer in LAYERS {
            for metric in ["wdl", "dtw"] {
                for (dir, ending) in [(dir.path(), "anser"), (&packed, "anserz")] {
                    let name = format!("fox-geese.{rules}.L{layer:02}.{metric}.{ending}");
                    assert_eq!(digest(&dir.join(&name)), known[&name], "{name}");
                }
            }
        }
    }
}
