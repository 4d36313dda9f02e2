//! Table files: where they are, what they hold, and tables with wrong values.

use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anser_core::{BySide, Hunt};
use anser_solve::{SolveOptions, Unobserved, Verified, VerifyOptions, solve, verify};
use anser_table::format::{contract_codes, expand};
use anser_table::manifest::Manifest;
use anser_table::{Kind, Metric, PositionedReads, Table, TableName};
use tempfile::TempDir;

use crate::support::tables::{Codes, raw_file, raw_payload};

/// Solves layers of a rule set of Fox-and-Geese for outcomes, into a new directory.
pub(crate) fn solved(rules: &str, layers: RangeInclusive<u16>) -> (TempDir, Hunt) {
    let (dir, game) = (tempfile::tempdir().unwrap(), Hunt::fox_geese(rules).unwrap());
    let options = SolveOptions { layers: Some(layers), ..SolveOptions::new(dir.path()) };
    solve(&game, &options, &Unobserved).unwrap();
    (dir, game)
}

/// Returns the path of a table of outcomes.
pub(crate) fn path(game: &Hunt, dir: &Path, layer: u16, kind: Kind) -> PathBuf {
    dir.join(TableName::new(game.name(), game.rules_id(), layer, Metric::Wdl, kind).to_string())
}

/// Verifies the tables of a directory.
pub(crate) fn check(game: &Hunt, dir: &Path, options: &VerifyOptions) -> Vec<Verified> {
    verify(game, &[dir.to_owned()], options, &PositionedReads, &Unobserved).unwrap()
}

/// Removes the manifest of a directory, which would give changed tables away.
pub(crate) fn remove_manifest(game: &Hunt, dir: &Path) {
    fs::remove_file(dir.join(Manifest::file_name(game.name(), game.rules_id()))).unwrap();
}

/// Reads the codes of a table of outcomes.
pub(crate) fn outcomes(path: &Path) -> Codes {
    let table = Table::open(path, &PositionedReads).unwrap();
    let entries = table.header().entries();
    BySide::from_fn(|side| {
        let mut words = vec![0; 2 * entries[side].div_ceil(64) as usize];
        assert!(table.read_pairs(side, 0, &mut words).unwrap());
        let mut codes = vec![0; entries[side] as usize];
        expand(&words, 0, &mut codes);
        codes
    })
}

/// Changes the codes of a table of outcomes. The checksums fit afterwards; the counts are kept.
pub(crate) fn forge_outcomes(path: &Path, change: impl FnOnce(&mut Codes)) {
    let table = Table::open(path, &PositionedReads).unwrap();
    let (game, header) = (table.hunt().unwrap(), table.header().clone());
    let mut codes = outcomes(path);
    change(&mut codes);
    let counts = header.counts();
    fs::write(path, raw_file(&game, header, counts, raw_payload(&codes)).0).unwrap();
}

/// Changes the codes of a table of distances. The checksums fit afterwards; the counts are kept.
pub(crate) fn forge_distances(path: &Path, change: impl FnOnce(&mut BySide<Vec<u16>>)) {
    let table = Table::open(path, &PositionedReads).unwrap();
    let (game, header) = (table.hunt().unwrap(), table.header().clone());
    let mut codes = BySide::from_fn(|side| {
        let mut codes = vec![0; header.entries()[side] as usize];
        assert!(table.read_codes(side, 0, &mut codes).unwrap());
        codes
    });
    change(&mut codes);
    let words = codes.iter().flat_map(|(_, codes)| contract_codes(codes, header.bits()));
    let (counts, payload) = (header.counts(), words.flat_map(u64::to_le_bytes).collect());
    fs::write(path, raw_file(&game, header, counts, payload).0).unwrap();
}
