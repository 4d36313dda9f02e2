//! Runs, files, and checks of distances. `oracle.rs` compares them with those of the oracle.

use std::collections::HashMap;
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

use anser_core::{Dtw, Hunt, LayerIndex, Outcome, ProbeLayer, Side};
use anser_solve::{
    EngineChoice, PackOptions, SolveError, SolveOptions, Unobserved, UnpackOptions, Verified,
    VerifyOptions, pack, solve, unpack, verify,
};
use anser_table::format::{Counts, HEADER_LEN, Header, count_slot};
use anser_table::{ErrorClass, Kind, Metric, PositionedReads, ProbeError, TableName, Tablebase};

use crate::support::files::{self, forge_distances, remove_manifest};
use crate::support::runs::{Stopper, tables};

fn options(dir: &Path, layers: RangeInclusive<u16>) -> SolveOptions {
    SolveOptions {
        layers: Some(layers),
        threads: Some(2),
        metrics: Metric::Dtw.into(),
        ..SolveOptions::new(dir)
    }
}

#[test]
fn the_bytes_are_the_same_for_one_thread_and_two() {
    for (rules, top) in [("free", 5), ("forward", 4)] {
        let game = Hunt::fox_geese(rules).unwrap();
        let [one, two] = [1, 2].map(|threads| {
            let dir = tempfile::tempdir().unwrap();
            let options = SolveOptions { threads: Some(threads), ..options(dir.path(), 1..=top) };
            let solved = solve(&game, &options, &Unobserved).unwrap();
            let rounds: Vec<u64> = solved.finished.iter().map(|report| report.run.rounds).collect();
            (rounds, tables(dir.path()))
        });
        assert_eq!(one.1.len(), usize::from(top));
        assert!(one == two, "{rules}");
    }
}

#[test]
fn an_interrupted_run_resumes_in_its_layer_and_leaves_only_finished_tables() {
    let game = Hunt::default();
    let whole = tempfile::tempdir().unwrap();
    solve(&game, &options(whole.path(), 1..=5), &Unobserved).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let (mut patience, mut stopped) = (10, 0);
    let last = loop {
        match solve(&game, &options(dir.path(), 1..=5), &Stopper::after(patience)) {
            Ok(solved) => break solved,
            Err(SolveError::Interrupted) => stopped += 1,
            Err(error) => panic!("{error}"),
        }
        for (name, bytes) in tables(dir.path()) {
            assert!(bytes == tables(whole.path())[&name], "{name}");
        }
        patience *= 2;
    };
    assert!(stopped > 3 && !last.kept.is_empty(), "stopped {stopped} times");
    assert!(tables(dir.path()) == tables(whole.path()));
    let again = solve(&game, &options(dir.path(), 1..=5), &Unobserved).unwrap();
    assert_eq!((again.kept, again.finished.len()), (vec![1, 2, 3, 4, 5], 0));
}

fn check(game: &Hunt, dir: &Path) -> Vec<Verified> {
    let options = VerifyOptions {
        full: true,
        threads: Some(2),
        metric: Some(Metric::Dtw),
        ..Default::default()
    };
    files::check(game, dir, &options)
}

/// Number of positions of a layer by side to move and code of the distance.
fn histogram(tables: &Tablebase, layer: u16) -> HashMap<(Side, u16), u64> {
    let (index, table) = (tables.game().index(layer), tables.table_of(layer, Metric::Dtw).unwrap());
    let mut histogram = HashMap::new();
    for side in Side::BOTH {
        let mut codes = vec![0; index.len(side) as usize];
        assert!(table.read_codes(side, 0, &mut codes).unwrap());
        for (rank, code) in (0..).zip(codes) {
            *histogram.entry((side, code)).or_default() += index.orbit(side, rank);
        }
    }
    histogram
}

/// Sums of a histogram by side to move and outcome.
fn sums(histogram: &HashMap<(Side, u16), u64>) -> Counts {
    let mut counts = Counts::default();
    for (&(side, code), &positions) in histogram {
        counts[side][count_slot(Dtw::from_code(code).unwrap().outcome())] += positions;
    }
    counts
}

#[test]
fn tables_of_both_metrics_in_one_directory_verify() {
    for (rules, top) in [("free", 5), ("forward", 4)] {
        let (dir, game) = (tempfile::tempdir().unwrap(), Hunt::fox_geese(rules).unwrap());
        for metric in Metric::ALL {
            solve(
                &game,
                &SolveOptions { metrics: metric.into(), ..options(dir.path(), 1..=top) },
                &Unobserved,
            )
            .unwrap();
        }
        let packed = tempfile::tempdir().unwrap();
        let pack_options = PackOptions {
            from: vec![dir.path().into()],
            out: packed.path().into(),
            ..PackOptions::default()
        };
        assert_eq!(pack(&game, &pack_options, &Unobserved).unwrap().len(), 2 * usize::from(top));
        let tables = Tablebase::open(game.clone(), [dir.path()]).unwrap();
        let counts: Vec<Counts> = (1..=top).map(|layer| sums(&histogram(&tables, layer))).collect();
        let all = VerifyOptions { full: true, ..VerifyOptions::default() };
        for dir in [dir.path(), packed.path()] {
            let verified =
                verify(&game, &[dir.to_owned()], &all, &PositionedReads, &Unobserved).unwrap();
            assert_eq!(verified.len(), 2 * usize::from(top));
            assert!(
                verified.iter().all(|table| table.problems.is_empty() && table.entries > 0),
                "{verified:?}"
            );
            assert_eq!(
                verified.iter().filter(|table| table.metric() == Some(Metric::Dtw)).count(),
                usize::from(top)
            );
            let tables = Tablebase::open(game.clone(), [dir]).unwrap();
            for layer in 1..=top {
                for metric in Metric::ALL {
                    let header = tables.table_of(layer, metric).unwrap().header();
                    let counts = counts[usize::from(layer) - 1];
                    assert_eq!(header.counts(), counts, "{rules}, layer {layer}");
                }
            }
        }
    }
}

#[test]
fn packed_distances_answer_as_raw_ones_do_and_unpack_to_the_same_bytes() {
    for (rules, top) in [("free", 5), ("forward", 4)] {
        let (dir, game) = (tempfile::tempdir().unwrap(), Hunt::fox_geese(rules).unwrap());
        let [raw, packed, back] = ["raw", "packed", "back"].map(|name| dir.path().join(name));
        solve(&game, &options(&raw, 1..=top), &Unobserved).unwrap();
        let pack_options =
            PackOptions { from: vec![raw.clone()], out: packed.clone(), ..PackOptions::default() };
        let made = pack(&game, &pack_options, &Unobserved).unwrap();
        assert!(
            made.iter().all(|table| table.metric == Metric::Dtw && table.bytes <= table.raw_bytes)
        );
        let unpack_options = UnpackOptions {
            from: vec![packed.clone()],
            out: back.clone(),
            ..UnpackOptions::default()
        };
        assert_eq!(unpack(&game, &unpack_options, &Unobserved).unwrap().len(), usize::from(top));
        assert!(tables(&back) == tables(&raw));
        // Outcomes were not solved, so no table of theirs is packed.
        let outcomes = PackOptions { metric: Some(Metric::Wdl), ..pack_options.clone() };
        assert_eq!(pack(&game, &outcomes, &Unobserved).unwrap().len(), 0);
        let again = pack(&game, &pack_options, &Unobserved).unwrap();
        assert!(again.iter().all(|table| table.kept));
        let [raw, packed] = [raw, packed].map(|dir| Tablebase::open(game.clone(), [dir]).unwrap());
        let index = game.index(top);
        for side in Side::BOTH {
            let read = |tables: &Tablebase| {
                let mut codes = vec![0; index.len(side) as usize];
                tables.read_distances(top, side, 0, &mut codes).unwrap();
                codes
            };
            assert!(read(&packed) == read(&raw), "{rules}, {side:?}");
            for rank in (0..index.len(side)).step_by(7) {
                let position = index.unrank(side, rank);
                let value = raw.probe_distance(&position).unwrap();
                assert_eq!(packed.probe_distance(&position).unwrap(), value, "{position:?}");
                assert_eq!(packed.probe_outcome(&position).unwrap(), value.outcome());
            }
        }
    }
}

#[test]
fn a_forged_distance_is_found_wherever_it_is_and_so_is_a_damaged_file() {
    let (dir, game) = (tempfile::tempdir().unwrap(), Hunt::fox_geese("first-capture").unwrap());
    solve(&game, &options(dir.path(), 4..=4), &Unobserved).unwrap();
    remove_manifest(&game, dir.path());
    let path = dir
        .path()
        .join(TableName::new("fox-geese", "first-capture", 4, Metric::Dtw, Kind::Raw).to_string());
    let sound = fs::read(&path).unwrap();
    assert!(check(&game, dir.path())[0].problems.is_empty());
    let largest = Header::decode(&sound).unwrap().largest_code();
    for side in Side::BOTH {
        for entry in [0, 1, 64, 12_345, 148_944] {
            for change in [0, 1, 2, 3, largest] {
                fs::write(&path, &sound).unwrap();
                let mut changed = false;
                forge_distances(&path, |codes| {
                    let code = &mut codes[side][entry];
                    (changed, *code) = (*code != change, change);
                });
                let problems = check(&game, dir.path()).pop().unwrap().problems;
                assert_eq!(
                    problems.is_empty(),
                    !changed,
                    "{side:?} {entry} {change}: {problems:?}"
                );
                assert!(
                    !changed || problems[0].to_string().contains("its moves say"),
                    "{problems:?}"
                );
            }
        }
    }
    let mut damaged = sound.clone();
    damaged[HEADER_LEN + 50_000] ^= 4;
    fs::write(&path, &damaged).unwrap();
    assert!(!check(&game, dir.path())[0].problems.is_empty());
    let tables = Tablebase::open(game.clone(), [dir.path()]).unwrap();
    let index = game.index(4);
    let errors = (0..index.len(Side::First))
        .filter(|&rank| tables.probe_distance(&index.unrank(Side::First, rank)).is_err());
    assert!(errors.count() > 0);
    let pack_options = PackOptions {
        from: vec![dir.path().into()],
        out: dir.path().join("packed"),
        ..PackOptions::default()
    };
    assert!(matches!(pack(&game, &pack_options, &Unobserved), Err(SolveError::Table(_))));
}

#[test]
fn distances_on_packed_lower_tables_have_the_bytes_of_those_on_raw_ones() {
    // With chains the captures lead through all lower layers.
    for rules in ["free", "forward+chain+compulsory"] {
        let (dir, game) = (tempfile::tempdir().unwrap(), Hunt::fox_geese(rules).unwrap());
        let [raw, packed] = ["raw", "packed"].map(|name| dir.path().join(name));
        solve(&game, &options(&raw, 1..=5), &Unobserved).unwrap();
        let pack_options = PackOptions {
            from: vec![raw.clone()],
            out: packed.clone(),
            layers: Some(1..=4),
            ..PackOptions::default()
        };
        assert_eq!(pack(&game, &pack_options, &Unobserved).unwrap().len(), 4);
        for engine in [EngineChoice::Best, EngineChoice::General] {
            let options = SolveOptions { engine, ..options(&packed, 5..=5) };
            solve(&game, &options, &Unobserved).unwrap();
            // Lower tables were unpacked first, so they are here as well.
            let (solved, expected) = (tables(&packed), tables(&raw));
            assert!(solved.keys().any(|name| name.contains(".L05.")), "{rules}");
            for (name, bytes) in solved {
                assert!(bytes == expected[&name], "{rules}, {engine:?}: {name}");
                fs::remove_file(packed.join(name)).unwrap();
            }
        }
    }
}

/// Whether an error states that a table is corrupt.
fn is_corrupt(error: &SolveError) -> bool {
    match error {
        SolveError::Table(error) | SolveError::Probe(ProbeError::Table(error)) => {
            error.class() == ErrorClass::Corrupt
        }
        _ => false,
    }
}

#[test]
fn damage_of_a_lower_table_of_distances_never_leads_to_wrong_values() {
    let (dir, game) = (tempfile::tempdir().unwrap(), Hunt::default());
    let [raw, packed] = ["raw", "packed"].map(|name| dir.path().join(name));
    solve(&game, &options(&raw, 4..=5), &Unobserved).unwrap();
    let pack_options = PackOptions {
        from: vec![raw.clone()],
        out: packed.clone(),
        layers: Some(4..=4),
        ..PackOptions::default()
    };
    pack(&game, &pack_options, &Unobserved).unwrap();
    let name =
        |layer, kind| TableName::new("fox-geese", "free", layer, Metric::Dtw, kind).to_string();
    let expected = fs::read(raw.join(name(5, Kind::Raw))).unwrap();
    let sound = Tablebase::open(game.clone(), [&raw]).unwrap();
    let index = game.index(4);
    let mut random = 7_u64;
    for (kind, from) in [(Kind::Raw, &raw), (Kind::Packed, &packed)] {
        let file = fs::read(from.join(name(4, kind))).unwrap();
        let cuts = [0, 1, HEADER_LEN - 1, HEADER_LEN, file.len() / 2, file.len() - 1];
        let flips = (0..12).map(|_| {
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let (at, bit) = ((random >> 24) as usize % file.len(), random >> 60 & 7);
            let mut bytes = file.clone();
            bytes[at] ^= 1 << bit;
            bytes
        });
        let (mut refused, mut wrong_probes) = (0, 0);
        for (number, bytes) in cuts.iter().map(|&len| file[..len].to_vec()).chain(flips).enumerate()
        {
            let dir = tempfile::tempdir().unwrap();
            fs::write(dir.path().join(name(4, kind)), &bytes).unwrap();
            let verified = files::check(&game, dir.path(), &VerifyOptions::default());
            assert!(!verified[0].problems.is_empty(), "{kind:?} {number}");
            match solve(&game, &options(dir.path(), 5..=5), &Unobserved) {
                // The damaged part was not read: padding, or the other side to move.
                Ok(_) => {
                    assert!(fs::read(dir.path().join(name(5, Kind::Raw))).unwrap() == expected);
                }
                Err(error) => {
                    assert!(is_corrupt(&error), "{kind:?} {number}: {error:?}");
                    assert!(!dir.path().join(name(5, Kind::Raw)).exists());
                    refused += 1;
                }
            }
            let Ok(tables) = Tablebase::open(game.clone(), [dir.path()]) else { continue };
            for (side, rank) in Side::BOTH
                .into_iter()
                .flat_map(|side| (0..index.len(side)).step_by(97).map(move |rank| (side, rank)))
            {
                let position = index.unrank(side, rank);
                match tables.probe_distance(&position) {
                    Ok(found) => assert_eq!(found, sound.probe_distance(&position).unwrap()),
                    Err(_) => wrong_probes += 1,
                }
            }
        }
        assert!(refused > 8 && wrong_probes > 0, "{kind:?}: {refused} refused, {wrong_probes}");
    }
}

#[test]
fn a_code_above_the_largest_of_the_header_is_an_error() {
    let (dir, game) = (tempfile::tempdir().unwrap(), Hunt::fox_geese("forward").unwrap());
    solve(&game, &options(dir.path(), 4..=4), &Unobserved).unwrap();
    remove_manifest(&game, dir.path());
    let path = dir
        .path()
        .join(TableName::new("fox-geese", "forward", 4, Metric::Dtw, Kind::Raw).to_string());
    let sound = fs::read(&path).unwrap();
    let header = Header::decode(&sound).unwrap();
    assert!(u32::from(header.largest_code()) + 1 < 1 << header.bits(), "there are other codes");
    let index = game.index(4);
    for rank in [0, 12_345, index.len(Side::Second) - 1] {
        fs::write(&path, &sound).unwrap();
        forge_distances(&path, |codes| {
            codes[Side::Second][rank as usize] = header.largest_code() + 1;
        });
        for engine in [EngineChoice::Best, EngineChoice::General] {
            let options = SolveOptions { engine, ..options(dir.path(), 5..=5) };
            let error = solve(&game, &options, &Unobserved).unwrap_err();
            assert!(is_corrupt(&error), "{engine:?}: {error:?}");
        }
        let tables = Tablebase::open(game.clone(), [dir.path()]).unwrap();
        let position = index.unrank(Side::Second, rank);
        assert!(
            tables.probe_distance(&position).is_err() && tables.probe_outcome(&position).is_err()
        );
        assert!(!check(&game, dir.path())[0].problems.is_empty());
        fs::write(&path, &sound).unwrap();
    }
}

#[test]
fn obstacles_to_a_run_are_reported_before_it_begins() {
    let (dir, game) = (tempfile::tempdir().unwrap(), Hunt::default());
    let outcomes = SolveOptions { metrics: Metric::Wdl.into(), ..options(dir.path(), 1..=5) };
    solve(&game, &outcomes, &Unobserved).unwrap();
    // Outcomes of lower layers are not enough for distances.
    let error = solve(&game, &options(dir.path(), 5..=5), &Unobserved).unwrap_err();
    assert!(error.to_string().contains("depends on layer 4"), "{error}");
    assert!(
        matches!(error, SolveError::MissingLower { first: 1, last: 5, metric: Metric::Dtw, .. }),
        "{error:?}"
    );
    let memory = SolveOptions { memory: Some(1 << 20), ..options(dir.path(), 1..=6) };
    assert!(matches!(solve(&game, &memory, &Unobserved), Err(SolveError::Memory { .. })));
}

#[test]
fn four_geese_that_trap_the_fox_do_so_in_as_many_plies_as_it_takes() {
    let (dir, game) = (tempfile::tempdir().unwrap(), Hunt::default());
    solve(&game, &options(dir.path(), 4..=4), &Unobserved).unwrap();
    let tables = Tablebase::open(game.clone(), [dir.path()]).unwrap();
    let value = |text: &str| tables.probe_distance(&game.parse_position(text).unwrap()).unwrap();
    assert_eq!(value("gFg/1g1/3g3/7/7/3/3 f"), Dtw::win(Side::Second, 0));
    assert_eq!(value("gFg/1g1/7/3g3/7/3/3 g"), Dtw::win(Side::Second, 1));
    assert_eq!(value("3/3/7/3F3/3gg2/1g1/1g1 f").outcome(), Outcome::Draw);
}
