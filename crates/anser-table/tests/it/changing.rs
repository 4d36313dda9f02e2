//! Files that other programs change while they are open: errors, never wrong answers.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use crate::support::{
    Codes, Options, any_codes, any_distances, name, packed_table, raw_distances, raw_table,
};
use anser_core::hunt::HuntIndex;
use anser_core::{Hunt, LayerIndex, Side};
use anser_table::format::outcome_of;
use anser_table::{
    BlockCache, Defect, ErrorClass, Kind, Mapping, Metric, PositionedReads, ProbeError, Table,
    TableError, TableName, Tablebase,
};
use tempfile::TempDir;

const LAYER: u16 = 4;

/// Two tables of the same layer with different values, raw and packed: what is open, and what comes
/// over it.
fn versions() -> Vec<(Kind, Codes, Vec<u8>, Vec<u8>)> {
    let game = Hunt::default();
    let [(codes, old), (other, new)] = [1, 2].map(|seed| {
        let codes = any_codes(&game, LAYER, seed);
        (codes.clone(), raw_table(&game, LAYER, &codes))
    });
    let options = Options { block_entries: 1024, ..Options::default() };
    let packed = [(&old.1, &codes), (&new.1, &other)]
        .map(|(header, codes)| packed_table(&game, header, codes, &options));
    let [packed_old, packed_new] = packed;
    vec![(Kind::Raw, codes.clone(), old.0, new.0), (Kind::Packed, codes, packed_old, packed_new)]
}

fn write(bytes: &[u8]) -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("table");
    fs::write(&path, bytes).unwrap();
    (dir, path)
}

/// Opens a table of the layer.
fn open(path: &Path) -> Table {
    static INDEX: OnceLock<HuntIndex> = OnceLock::new();
    let table = Table::open(path, &PositionedReads).unwrap();
    table.with_index(INDEX.get_or_init(|| Hunt::default().index(LAYER)))
}

/// Writes over a file in place, and keeps or moves its modification time.
fn overwrite(path: &Path, bytes: &[u8], moved: bool) {
    let before = fs::metadata(path).unwrap().modified().unwrap();
    fs::write(path, bytes).unwrap();
    let file = File::options().write(true).open(path).unwrap();
    file.set_modified(if moved { before + Duration::from_secs(1) } else { before }).unwrap();
}

/// Asks for entries of every block: all answers are those of `codes`. Returns the errors.
fn ask(table: &Table, codes: &Codes, cache: &BlockCache) -> Vec<TableError> {
    let mut errors = Vec::new();
    for side in Side::BOTH {
        for (rank, &code) in codes[side].iter().enumerate().step_by(61) {
            match table.outcome(side, rank as u64, cache) {
                Ok(outcome) => assert_eq!(outcome, outcome_of(code), "{side:?} {rank}"),
                Err(error) => errors.push(error),
            }
        }
    }
    errors
}

#[test]
fn what_is_read_from_a_file_that_is_overwritten_in_place_is_never_believed() {
    for (kind, codes, old, new) in versions() {
        // With room for all blocks, for few, and for none.
        for bytes in [u64::MAX, 1 << 15, 0] {
            for moved in [false, true] {
                let (_dir, path) = write(&old);
                let cache = BlockCache::new(bytes);
                let table = open(&path);
                if bytes < u64::MAX {
                    // Every block was sound once, which says nothing of later.
                    assert!(ask(&table, &codes, &cache).is_empty());
                } else {
                    table.outcome(Side::First, 0, &cache).unwrap();
                }
                overwrite(&path, &new, moved);
                let errors = ask(&table, &codes, &cache);
                assert!(!errors.is_empty(), "{kind:?} {bytes} {moved}");
                for error in errors {
                    let seen = moved || old.len() != new.len();
                    let class = if seen { ErrorClass::Io } else { ErrorClass::Corrupt };
                    assert_eq!(error.class(), class, "{error}");
                    assert_eq!(matches!(error.defect(), Defect::Changed(_)), seen, "{error}");
                }
                // Back to what it was, it answers again: no failure is remembered.
                overwrite(&path, &old, false);
                assert!(ask(&table, &codes, &cache).is_empty());
            }
        }
    }
}

#[test]
fn what_is_read_from_a_file_that_is_truncated_says_so() {
    for (_, codes, old, _) in versions() {
        for len in [0, 4096, old.len() as u64 / 2] {
            let (_dir, path) = write(&old);
            let table = open(&path);
            File::options().write(true).open(&path).unwrap().set_len(len).unwrap();
            let errors = ask(&table, &codes, &BlockCache::new(0));
            assert!(!errors.is_empty());
            for error in errors {
                assert!(matches!(error.defect(), Defect::Changed(_)), "{error}");
                assert!(error.to_string().contains(&format!("now has {len}")), "{error}");
            }
        }
    }
}

#[test]
fn parts_that_are_read_at_once_are_those_that_were_checked() {
    let game = Hunt::default();
    // Nine bits an entry: groups cross the borders of blocks.
    let codes = any_distances(&game, LAYER, 200, 3);
    let (bytes, header) = raw_distances(&game, LAYER, &codes);
    assert_eq!(header.bits(), 9);
    let (_dir, path) = write(&bytes);
    let table = open(&path);
    let cache = BlockCache::default();
    for side in Side::BOTH {
        let codes = &codes[side];
        let mut read = vec![0; codes.len()];
        assert!(table.read_codes(side, 0, &mut read).unwrap());
        assert_eq!(&read, codes);
        for (rank, &code) in codes.iter().enumerate().step_by(7) {
            assert_eq!(
                table.dtw(side, rank as u64, &cache).unwrap().unwrap().code(),
                code,
                "{side:?} {rank}"
            );
        }
    }
    table.verify().unwrap();
    overwrite(&path, &vec![0xa5; bytes.len()], false);
    let mut read = vec![0; 64];
    assert_eq!(
        table.read_codes(Side::First, 0, &mut read).unwrap_err().class(),
        ErrorClass::Corrupt
    );
}

/// Changes the time of a mapped file, and leaves its content alone.
fn touch(path: &Path) {
    let file = File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() + Duration::from_secs(100)).unwrap();
}

#[test]
fn a_mapped_file_that_was_changed_is_noticed_by_batches_by_cold_blocks_and_when_asked() {
    let game = Hunt::default();
    let codes = any_codes(&game, LAYER, 1);
    let (bytes, _) = raw_table(&game, LAYER, &codes);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name(&game, LAYER, Kind::Raw));
    fs::write(&path, bytes).unwrap();
    // SAFETY: nothing changes the bytes of the file.
    let tables = unsafe { Tablebase::open_mapped(game.clone(), [dir.path()]) }.unwrap();
    let index = game.index(LAYER);
    let at = |side: Side, rank: u64| index.unrank(side, rank);
    let positions: Vec<_> = (0..500).map(|rank| at(Side::First, rank)).collect();
    assert!(tables.probe_outcomes(&positions).iter().all(Result::is_ok));
    tables.check_unchanged().unwrap();
    touch(&path);
    assert!(matches!(tables.check_unchanged().unwrap_err().defect(), Defect::Changed(_)));
    let found = tables.probe_many(&positions);
    for (position, found) in positions.iter().zip(found) {
        match found {
            // The rules alone know this one.
            Ok(value) => assert_eq!(game.terminal(position), Some(value.outcome)),
            Err(ProbeError::Table(error)) => assert_eq!(error.class(), ErrorClass::Io, "{error}"),
            Err(error) => panic!("{error}"),
        }
    }
    // Block 2 was not looked at before.
    let cold = at(Side::First, 2 * 65_536 + 17);
    assert_eq!(tables.probe_outcome(&cold).unwrap_err().class(), ErrorClass::Io);
}

#[test]
fn a_file_that_another_one_replaces_by_its_name_stays_what_it_was() {
    let game = Hunt::default();
    let codes = any_codes(&game, LAYER, 1);
    let dir = tempfile::tempdir().unwrap();
    let name =
        TableName::new(game.name(), game.rules_id(), LAYER, Metric::Wdl, Kind::Raw).to_string();
    let path = dir.path().join(&name);
    fs::write(&path, raw_table(&game, LAYER, &codes).0).unwrap();
    // SAFETY: nothing changes the bytes of the file; another file takes its name.
    let mapping = unsafe { Mapping::new() };
    let [mapped, read] = [Table::open(&path, &mapping), Table::open(&path, &PositionedReads)]
        .map(|table| table.unwrap());
    let other = dir.path().join("other");
    fs::write(&other, raw_table(&game, LAYER, &any_codes(&game, LAYER, 2)).0).unwrap();
    fs::rename(other, &path).unwrap();
    for table in [mapped, read] {
        assert!(ask(&table, &codes, &BlockCache::default()).is_empty());
        table.check_unchanged().unwrap();
        table.verify().unwrap();
    }
}
