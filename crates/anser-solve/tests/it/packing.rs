//! Packed tables hold the solved values: they answer as the raw tables do, and unpack to the same
//! bytes.

use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::LazyLock;

use anser_core::{Hunt, LayerIndex, ProbeLayer, Side};
use anser_solve::{
    PackOptions, Packed, SolveError, SolveOptions, TableFault, Unobserved, UnpackOptions,
    VerifyOptions, pack, solve, unpack, verify,
};
use anser_table::manifest::{FileDigest, Manifest};
use anser_table::{Defect, ErrorClass, Kind, PositionedReads, Table, TableName, Tablebase};
use tempfile::TempDir;

use crate::support::files::path;
use crate::support::runs::Stopper;

const RULES: [&str; 3] = ["free", "first-capture", "forward"];
const LAYERS: RangeInclusive<u16> = 1..=5;

/// Raw tables of [`LAYERS`] under all [`RULES`], solved once.
static RAW: LazyLock<TempDir> = LazyLock::new(|| {
    let dir = tempfile::tempdir().unwrap();
    for rules in RULES {
        let options = SolveOptions { layers: Some(LAYERS), ..SolveOptions::new(dir.path()) };
        solve(&Hunt::fox_geese(rules).unwrap(), &options, &Unobserved).unwrap();
    }
    dir
});

/// The packed tables of [`RAW`], for tests that only read.
static PACKED: LazyLock<TempDir> = LazyLock::new(|| {
    let dir = tempfile::tempdir().unwrap();
    for rules in RULES {
        pack(&Hunt::fox_geese(rules).unwrap(), &pack_options(RAW.path(), dir.path()), &Unobserved)
            .unwrap();
    }
    dir
});

fn pack_options(from: &Path, out: &Path) -> PackOptions {
    PackOptions {
        from: vec![from.to_owned()],
        out: out.to_owned(),
        threads: Some(2),
        ..PackOptions::default()
    }
}

fn unpack_options(from: &Path, out: &Path) -> UnpackOptions {
    UnpackOptions {
        from: vec![from.to_owned()],
        out: out.to_owned(),
        threads: Some(2),
        ..UnpackOptions::default()
    }
}

fn packed_tables(game: &Hunt) -> (TempDir, Vec<Packed>) {
    let dir = tempfile::tempdir().unwrap();
    let packed = pack(game, &pack_options(RAW.path(), dir.path()), &Unobserved).unwrap();
    (dir, packed)
}

/// Returns a directory with raw tables that a test may change.
fn copy_of_raw(game: &Hunt, layers: RangeInclusive<u16>) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for layer in layers {
        fs::copy(
            path(game, RAW.path(), layer, Kind::Raw),
            path(game, dir.path(), layer, Kind::Raw),
        )
        .unwrap();
    }
    dir
}

/// Whether the directory holds nothing but its lock.
fn is_empty(dir: &Path) -> bool {
    fs::read_dir(dir).unwrap().all(|entry| entry.unwrap().file_name() == ".anser.lock")
}

fn manifest(game: &Hunt, dir: &Path) -> Manifest {
    Manifest::load(&dir.join(Manifest::file_name(game.name(), game.rules_id()))).unwrap().unwrap()
}

#[test]
fn unpacking_restores_the_bytes_that_were_packed() {
    for game in RULES.map(|rules| Hunt::fox_geese(rules).unwrap()) {
        let unpacked = tempfile::tempdir().unwrap();
        let back =
            unpack(&game, &unpack_options(PACKED.path(), unpacked.path()), &Unobserved).unwrap();
        assert_eq!(back.len(), 5);
        for layer in LAYERS {
            let raw = fs::read(path(&game, RAW.path(), layer, Kind::Raw)).unwrap();
            assert!(
                fs::read(path(&game, unpacked.path(), layer, Kind::Raw)).unwrap() == raw,
                "layer {layer}"
            );
        }
    }
}

#[test]
fn packed_tables_are_packed_again_if_another_level_is_requested_and_copied_otherwise() {
    // The table of first-capture does not store one side to move: look-ahead gives its values.
    for (rules, layers) in [("free", 1..=5), ("first-capture", 5..=5)] {
        let game = Hunt::fox_geese(rules).unwrap();
        let out = tempfile::tempdir().unwrap();
        let level_of = |path: &Path| {
            let table = Table::open(path, &PositionedReads).unwrap();
            table.header().packing().unwrap().level
        };
        let check = |from: &Path, level: Option<i32>, kept: bool| {
            let options = PackOptions {
                layers: Some(layers.clone()),
                level,
                ..pack_options(from, out.path())
            };
            for table in pack(&game, &options, &Unobserved).unwrap() {
                assert_eq!(table.kept, kept, "{rules}");
                let name = table.path.file_name().unwrap().to_str().unwrap();
                assert_eq!(
                    manifest(&game, out.path()).get(name).unwrap().file,
                    FileDigest::of_file(&table.path).unwrap()
                );
                let of_level_15 = fs::read(PACKED.path().join(name)).unwrap();
                match level_of(&table.path) {
                    15 => assert!(fs::read(&table.path).unwrap() == of_level_15, "{name}"),
                    level => assert_eq!(level, 1),
                }
            }
        };
        check(PACKED.path(), None, false);
        // In place, there and back. Without a level, any is right.
        for (level, kept) in [(Some(15), true), (Some(1), false), (Some(1), true), (None, true)] {
            check(out.path(), level, kept);
        }
        let name = path(&game, Path::new(""), 5, Kind::Packed);
        assert_eq!(level_of(&out.path().join(&name)), 1);
        check(PACKED.path(), Some(15), false);
        assert_eq!(level_of(&out.path().join(&name)), 15);
    }
}

#[test]
fn packing_again_rejects_values_that_differ_from_the_digest() {
    let game = Hunt::fox_geese("free").unwrap();
    let (dir, _) = packed_tables(&game);
    // A wrong digest in a header that is otherwise sound.
    let forged = path(&game, dir.path(), 5, Kind::Packed);
    let mut bytes = fs::read(&forged).unwrap();
    bytes[256] ^= 1;
    let hash = xxhash_rust::xxh3::xxh3_64(&bytes[..4088]);
    bytes[4088..4096].copy_from_slice(&hash.to_le_bytes());
    fs::write(&forged, &bytes).unwrap();
    let options =
        PackOptions { level: Some(1), layers: Some(5..=5), ..pack_options(dir.path(), dir.path()) };
    let error = pack(&game, &options, &Unobserved).unwrap_err().to_string();
    assert!(error.contains("L05") && error.contains("digest"), "{error}");
    assert!(fs::read(&forged).unwrap() == bytes);
}

#[test]
fn packed_tables_answer_every_position_as_the_raw_ones_do() {
    for game in RULES.map(|rules| Hunt::fox_geese(rules).unwrap()) {
        let raw = Tablebase::open(game.clone(), [RAW.path()]).unwrap();
        let packed = Tablebase::open(game.clone(), [PACKED.path()]).unwrap();
        for layer in LAYERS {
            let index = game.index(layer);
            let step = if layer < 5 { 7 } else { 97 };
            for side in Side::BOTH {
                let read = |tables: &Tablebase| {
                    let mut pairs = vec![[0; 2]; index.len(side).div_ceil(64) as usize];
                    tables.read_outcomes(layer, side, 0, &mut pairs).unwrap();
                    pairs
                };
                assert!(read(&packed) == read(&raw), "layer {layer}, {side:?}");
                for rank in (0..index.len(side)).step_by(step) {
                    let position = index.unrank(side, rank);
                    assert_eq!(
                        packed.probe_outcome(&position).unwrap(),
                        raw.probe_outcome(&position).unwrap(),
                        "{position:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_value_of_packed_tables_follows_from_the_rules() {
    for game in RULES.map(|rules| Hunt::fox_geese(rules).unwrap()) {
        let options = VerifyOptions { full: true, ..VerifyOptions::default() };
        let verified =
            verify(&game, &[PACKED.path().into()], &options, &PositionedReads, &Unobserved)
                .unwrap();
        assert_eq!(verified.len(), 5);
        assert!(
            verified.iter().all(|table| table.full && table.problems.is_empty()),
            "{verified:?}"
        );
    }
}

#[test]
fn each_packed_table_answers_without_the_others() {
    for game in RULES.map(|rules| Hunt::fox_geese(rules).unwrap()) {
        let raw = Tablebase::open(game.clone(), [RAW.path()]).unwrap();
        let table =
            Table::open(path(&game, PACKED.path(), 5, Kind::Packed), &PositionedReads).unwrap();
        // The values with the fox to move are omitted only if its captures do not lead to a lower
        // table.
        assert_eq!(table.stores(Side::First), game.rules_id() != "first-capture");
        assert!(table.stores(Side::Second));
        let alone = Tablebase::from_tables(game.clone(), [table]);
        let index = game.index(5);
        for side in Side::BOTH {
            for rank in (0..index.len(side)).step_by(97) {
                let position = index.unrank(side, rank);
                assert_eq!(
                    alone.probe_outcome(&position).unwrap(),
                    raw.probe_outcome(&position).unwrap(),
                    "{position:?}"
                );
            }
        }
    }
}

#[test]
fn the_bytes_do_not_depend_on_the_number_of_threads() {
    for game in RULES.map(|rules| Hunt::fox_geese(rules).unwrap()) {
        for level in [None, Some(9)] {
            let dirs = [1, 2].map(|threads| {
                let dir = tempfile::tempdir().unwrap();
                let options = PackOptions {
                    level,
                    threads: Some(threads),
                    ..pack_options(RAW.path(), dir.path())
                };
                pack(&game, &options, &Unobserved).unwrap();
                dir
            });
            for layer in LAYERS {
                let [one, two] = [0, 1].map(|i: usize| {
                    fs::read(path(&game, dirs[i].path(), layer, Kind::Packed)).unwrap()
                });
                assert!(one == two, "layer {layer}, level {level:?}");
            }
        }
    }
}

#[test]
fn a_damaged_raw_table_is_never_packed() {
    let game = Hunt::fox_geese("first-capture").unwrap();
    let whole = fs::read(path(&game, RAW.path(), 4, Kind::Raw)).unwrap();
    // In the values of either side to move, although only one is stored, and in the header.
    for byte in [4096, 4096 + 30_000, 4096 + 60_000, 200] {
        let dir = copy_of_raw(&game, 4..=4);
        let mut bytes = whole.clone();
        bytes[byte] ^= 4;
        fs::write(path(&game, dir.path(), 4, Kind::Raw), bytes).unwrap();
        let out = tempfile::tempdir().unwrap();
        let error = pack(&game, &pack_options(dir.path(), out.path()), &Unobserved).unwrap_err();
        let class = match &error {
            SolveError::Table(error) => error.class(),
            SolveError::Probe(error) => error.class(),
            other => panic!("{other}"),
        };
        assert_eq!(class, ErrorClass::Corrupt, "{error}");
        assert!(error.to_string().contains("L04.wdl.anser"), "{error}");
        assert!(is_empty(out.path()), "byte {byte}");
    }
}

#[test]
fn a_damaged_packed_table_is_neither_unpacked_nor_copied() {
    let game = Hunt::fox_geese("free").unwrap();
    let (packed, _) = packed_tables(&game);
    let file = path(&game, packed.path(), 5, Kind::Packed);
    let mut bytes = fs::read(&file).unwrap();
    bytes[5000] ^= 1;
    fs::write(&file, bytes).unwrap();
    let out = tempfile::tempdir().unwrap();
    let five = Some(5..=5);
    let unpacking =
        UnpackOptions { layers: five.clone(), ..unpack_options(packed.path(), out.path()) };
    assert!(matches!(unpack(&game, &unpacking, &Unobserved), Err(SolveError::Table(_))));
    let copying = PackOptions { layers: five, ..pack_options(packed.path(), out.path()) };
    assert!(matches!(pack(&game, &copying, &Unobserved), Err(SolveError::Table(_))));
    assert!(is_empty(out.path()));
}

#[test]
fn existing_tables_are_kept_unless_another_level_is_requested() {
    let game = Hunt::fox_geese("free").unwrap();
    let (dir, first) = packed_tables(&game);
    assert!(first.iter().all(|table| !table.kept));
    for Packed { layer, path: packed, raw_bytes, bytes, .. } in &first {
        assert_eq!(
            *raw_bytes,
            fs::metadata(path(&game, RAW.path(), *layer, Kind::Raw)).unwrap().len()
        );
        assert_eq!(*bytes, fs::metadata(packed).unwrap().len());
    }
    let again = pack(&game, &pack_options(RAW.path(), dir.path()), &Unobserved).unwrap();
    assert!(again.iter().all(|table| table.kept));
    assert!(again.iter().zip(&first).all(|(again, first)| again.bytes == first.bytes));

    let faster = PackOptions { level: Some(3), ..pack_options(RAW.path(), dir.path()) };
    assert!(pack(&game, &faster, &Unobserved).unwrap().iter().all(|table| !table.kept));
    assert!(pack(&game, &faster, &Unobserved).unwrap().iter().all(|table| table.kept));
    // The manifest lists the new files, even those of the same length.
    let verified = verify(
        &game,
        &[dir.path().into()],
        &VerifyOptions::default(),
        &PositionedReads,
        &Unobserved,
    )
    .unwrap();
    assert!(verified.iter().all(|table| table.problems.is_empty()), "{verified:?}");
    assert!(matches!(
        pack(&game, &PackOptions { level: Some(23), ..faster }, &Unobserved),
        Err(SolveError::Level(23))
    ));
}

#[test]
fn raw_tables_may_be_deleted_after_packing_and_a_raw_table_under_a_packed_name_is_rejected() {
    let game = Hunt::fox_geese("first-capture").unwrap();
    let dir = TempDir::new().unwrap();
    solve(
        &game,
        &SolveOptions { layers: Some(4..=4), ..SolveOptions::new(dir.path()) },
        &Unobserved,
    )
    .unwrap();
    let options = pack_options(dir.path(), dir.path());
    pack(&game, &options, &Unobserved).unwrap();
    let (raw, packed) =
        (path(&game, dir.path(), 4, Kind::Raw), path(&game, dir.path(), 4, Kind::Packed));
    fs::copy(&raw, &packed).unwrap();
    assert!(matches!(pack(&game, &options, &Unobserved), Err(SolveError::Table(_))));
    // A file that a loss of power may leave is replaced.
    fs::write(&packed, [0; 5000]).unwrap();
    pack(&game, &options, &Unobserved).unwrap();
    fs::remove_file(&raw).unwrap();
    let verified = verify(
        &game,
        &[dir.path().into()],
        &VerifyOptions::default(),
        &PositionedReads,
        &Unobserved,
    )
    .unwrap();
    assert!(verified.len() == 1 && verified[0].problems.is_empty(), "{verified:?}");
}

#[test]
fn a_truncated_table_is_replaced_and_one_with_other_values_is_kept() {
    let game = Hunt::fox_geese("free").unwrap();
    let (dir, _) = packed_tables(&game);
    let file = path(&game, dir.path(), 5, Kind::Packed);
    let sound = fs::read(&file).unwrap();
    fs::write(&file, &sound[..sound.len() - 1]).unwrap();
    pack(&game, &pack_options(RAW.path(), dir.path()), &Unobserved).unwrap();
    assert!(fs::read(&file).unwrap() == sound);
    // Damage that the header does not show.
    let mut damaged = sound.clone();
    damaged[5000] ^= 1;
    fs::write(&file, damaged).unwrap();
    pack(&game, &pack_options(RAW.path(), dir.path()), &Unobserved).unwrap();
    assert!(fs::read(&file).unwrap() == sound);

    let mut header = anser_table::format::Header::decode(&sound).unwrap();
    header.finish(header.counts(), [7; 32], header.checks_hash());
    let mut other = sound.clone();
    other[..anser_table::format::HEADER_LEN].copy_from_slice(&header.encode());
    fs::write(&file, &other).unwrap();
    let error = pack(&game, &pack_options(RAW.path(), dir.path()), &Unobserved).unwrap_err();
    let SolveError::Wrong(wrong) = &error else { panic!("{error}") };
    assert_eq!(
        (&*wrong.game, &*wrong.rules, wrong.layer, wrong.kind),
        ("fox-geese", "free", 5, Kind::Packed)
    );
    assert!(
        matches!(&wrong.fault, TableFault::OtherValues { of } if of.starts_with(RAW.path())),
        "{error}"
    );
    assert!(fs::read(&file).unwrap() == other);

    // Made before 0.1.0: the user decides what becomes of it.
    let earlier = [b"\x89ANSR\r\n\x1a\x02\0", &sound[10..]].concat();
    fs::write(&file, &earlier).unwrap();
    let Err(SolveError::Table(error)) =
        pack(&game, &pack_options(RAW.path(), dir.path()), &Unobserved)
    else {
        panic!("the table was read")
    };
    assert!(matches!(error.defect(), Defect::Earlier));
    assert!(fs::read(&file).unwrap() == earlier);

    fs::write(&file, "a letter to an aunt").unwrap();
    assert!(matches!(
        pack(&game, &pack_options(RAW.path(), dir.path()), &Unobserved),
        Err(SolveError::Table(_))
    ));
    assert!(fs::read(&file).unwrap() == b"a letter to an aunt");
}

#[test]
fn packed_tables_are_copied_and_the_manifest_keeps_how_they_were_solved() {
    let game = Hunt::fox_geese("forward").unwrap();
    let copies = tempfile::tempdir().unwrap();
    let copied = pack(&game, &pack_options(PACKED.path(), copies.path()), &Unobserved).unwrap();
    assert!(copied.iter().all(|table| !table.kept));
    let solved = manifest(&game, RAW.path());
    for Packed { layer, path: copy, .. } in copied {
        assert!(
            fs::read(&copy).unwrap()
                == fs::read(path(&game, PACKED.path(), layer, Kind::Packed)).unwrap()
        );
        let raw = solved
            .get(path(&game, RAW.path(), layer, Kind::Raw).file_name().unwrap().to_str().unwrap())
            .unwrap();
        for dir in [PACKED.path(), copies.path()] {
            let manifest = manifest(&game, dir);
            let entry = manifest.get(copy.file_name().unwrap().to_str().unwrap()).unwrap();
            assert_eq!(entry.file, FileDigest::of_file(&copy).unwrap());
            assert_eq!((&entry.payload_blake3, &entry.run), (&raw.payload_blake3, &raw.run));
            assert!(entry.run.is_some());
        }
    }
}

#[test]
fn a_table_that_the_manifest_does_not_list_as_it_is_has_no_run() {
    let game = Hunt::fox_geese("forward").unwrap();
    let [from, out] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let listed = manifest(&game, RAW.path());
    let name = |layer: u16, kind: Kind| {
        path(&game, Path::new(""), layer, kind).to_str().unwrap().to_owned()
    };
    for (file, _) in listed.tables() {
        fs::copy(RAW.path().join(file), from.path().join(file)).unwrap();
    }
    let payload = &listed.get(&name(4, Kind::Raw)).unwrap().payload_blake3;
    let text = String::from_utf8(listed.to_json()).unwrap().replace(payload, &"0".repeat(64));
    fs::write(from.path().join(Manifest::file_name(game.name(), game.rules_id())), text).unwrap();
    pack(&game, &pack_options(from.path(), out.path()), &Unobserved).unwrap();
    let packed = manifest(&game, out.path());
    for layer in 3..=5 {
        let run = &packed.get(&name(layer, Kind::Packed)).unwrap().run;
        assert_eq!(run.is_none(), layer == 4, "{layer}");
    }
}

#[test]
fn a_table_that_a_killed_run_did_not_list_is_listed_by_the_next_run() {
    let game = Hunt::fox_geese("free").unwrap();
    let (dir, _) = packed_tables(&game);
    let listed = manifest(&game, dir.path());
    fs::remove_file(dir.path().join(Manifest::file_name(game.name(), game.rules_id()))).unwrap();
    fs::write(dir.path().join(".anser-killed.part"), "half a table").unwrap();
    pack(&game, &pack_options(RAW.path(), dir.path()), &Unobserved).unwrap();
    assert_eq!(manifest(&game, dir.path()), listed);
    assert!(!dir.path().join(".anser-killed.part").exists());
}

#[test]
fn an_interrupted_run_leaves_only_finished_tables_and_the_next_one_resumes() {
    let game = Hunt::fox_geese("first-capture").unwrap();
    for patience in [0, 1, 5, 9, 14] {
        let out = tempfile::tempdir().unwrap();
        let options = pack_options(RAW.path(), out.path());
        let result = pack(&game, &options, &Stopper::after(patience));
        assert!(matches!(result, Err(SolveError::Interrupted)), "{patience}");
        let mut finished = 0;
        for entry in fs::read_dir(out.path()).unwrap() {
            let path = entry.unwrap().path();
            if TableName::parse(path.file_name().unwrap().to_str().unwrap()).is_some() {
                Table::open(&path, &PositionedReads).unwrap().verify().unwrap();
                finished += 1;
            } else {
                assert!(
                    path.extension().is_none_or(|extension| extension != "part"),
                    "{}",
                    path.display()
                );
            }
        }
        let packed = pack(&game, &options, &Unobserved).unwrap();
        assert_eq!(packed.iter().filter(|table| table.kept).count(), finished);
        for layer in LAYERS {
            let [ours, theirs] = [out.path(), PACKED.path()]
                .map(|dir| fs::read(path(&game, dir, layer, Kind::Packed)).unwrap());
            assert!(ours == theirs, "layer {layer} after {patience}");
        }
    }
}

#[test]
fn a_missing_layer_is_reported_with_the_layers_to_solve() {
    let game = Hunt::fox_geese("free").unwrap();
    let out = tempfile::tempdir().unwrap();
    let options = PackOptions { layers: Some(4..=8), ..pack_options(RAW.path(), out.path()) };
    let error = pack(&game, &options, &Unobserved).unwrap_err();
    assert!(
        matches!(&error, SolveError::Probe(error) if error.class() == ErrorClass::Missing),
        "{error}"
    );
    // The arguments of `anser solve fox-geese --rules free --layers 1-6`, as data.
    let SolveError::Probe(anser_table::ProbeError::MissingLayer(missing)) = &error else {
        panic!("{error}")
    };
    assert_eq!((&*missing.game, &*missing.rules), ("fox-geese", "free"));
    assert_eq!((missing.first, missing.layer), (1, 6));
    assert!(is_empty(out.path()));

    let options = PackOptions { layers: Some(4..=32), ..options };
    assert!(matches!(
        pack(&game, &options, &Unobserved),
        Err(SolveError::NoSuchLayer { layer: 32, .. })
    ));
}
