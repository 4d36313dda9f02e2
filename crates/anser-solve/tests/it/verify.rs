//! The full check accepts the tables of the engines and finds every change.

use std::fs;
use std::path::{Path, PathBuf};

use anser_core::{Hunt, Outcome, Side};
use anser_solve::{
    Metrics, Problem, SolveOptions, Unobserved, Verified, VerifyOptions, solve, verify,
};
use anser_table::format::{Header, code_of};
use anser_table::{Kind, Metric, PositionedReads, ProbeError, Table, TableName};

use crate::support::files::{self, forge_outcomes, outcomes, remove_manifest, solved};

const FULL: VerifyOptions =
    VerifyOptions { layers: None, full: true, well_founded: false, threads: Some(2), metric: None };

fn check(game: &Hunt, dir: &Path) -> Vec<Verified> {
    files::check(game, dir, &FULL)
}

fn table(game: &Hunt, dir: &Path, layer: u16) -> PathBuf {
    files::path(game, dir, layer, Kind::Raw)
}

#[test]
fn a_forged_value_is_found_wherever_it_is() {
    let (dir, game) = solved("free", 1..=4);
    remove_manifest(&game, dir.path());
    let path = table(&game, dir.path(), 4);
    let sound = fs::read(&path).unwrap();
    for entry in [0, 1, 63, 64, 12_345, 148_945] {
        for outcome in [Outcome::Draw, Outcome::Win(Side::First), Outcome::Win(Side::Second)] {
            fs::write(&path, &sound).unwrap();
            if outcomes(&path)[Side::First][entry] == code_of(outcome) {
                continue;
            }
            forge_outcomes(&path, |codes| codes[Side::First][entry] = code_of(outcome));
            let problems = check(&game, dir.path()).pop().unwrap().problems;
            assert!(!problems.is_empty(), "entry {entry} as {outcome:?}");
            assert!(matches!(problems[0], Problem::Value { .. }), "{problems:?}");
            assert!(problems[0].to_string().contains("its moves say"), "{problems:?}");
            // The quick check cannot find it: every checksum matches.
            let quick = VerifyOptions { full: false, ..FULL };
            let quick =
                verify(&game, &[dir.path().to_owned()], &quick, &PositionedReads, &Unobserved)
                    .unwrap()
                    .pop()
                    .unwrap();
            assert!(quick.problems.is_empty(), "{:?}", quick.problems);
        }
    }
}

#[test]
fn forged_counts_and_a_changed_file_are_found() {
    let (dir, game) = solved("first-capture", 4..=4);
    let path = table(&game, dir.path(), 4);
    let mut bytes = fs::read(&path).unwrap();
    let mut header = Header::decode(&bytes).unwrap();
    let mut counts = header.counts();
    counts[Side::First][0] -= 8;
    counts[Side::First][1] += 8;
    header.finish(counts, *header.payload_digest(), header.checks_hash());
    bytes[..anser_table::format::HEADER_LEN].copy_from_slice(&header.encode());
    fs::write(&path, bytes).unwrap();
    let problems = check(&game, dir.path()).pop().unwrap().problems;
    assert!(
        problems.iter().any(|problem| matches!(problem, Problem::Differs { .. })),
        "{problems:?}"
    );
    remove_manifest(&game, dir.path());
    let problems = check(&game, dir.path()).pop().unwrap().problems;
    assert!(
        problems.iter().any(|problem| matches!(problem, Problem::Counts { .. })),
        "{problems:?}"
    );
}

#[test]
fn tables_of_a_layer_that_count_different_outcomes_are_found_without_recomputing() {
    let (dir, game) = (tempfile::tempdir().unwrap(), Hunt::fox_geese("first-capture").unwrap());
    let metrics = Metrics::from_iter(Metric::ALL);
    let options = SolveOptions { layers: Some(4..=4), metrics, ..SolveOptions::new(dir.path()) };
    solve(&game, &options, &Unobserved).unwrap();
    remove_manifest(&game, dir.path());
    let found = |options: VerifyOptions| {
        let verified = files::check(&game, dir.path(), &options);
        verified
            .iter()
            .flat_map(|table| &table.problems)
            .filter(|problem| matches!(problem, Problem::OtherCounts { .. }))
            .map(Problem::to_string)
            .collect::<Vec<_>>()
    };
    assert_eq!(found(VerifyOptions::default()), Vec::<String>::new());
    let path = table(&game, dir.path(), 4);
    let mut bytes = fs::read(&path).unwrap();
    let mut header = Header::decode(&bytes).unwrap();
    let mut counts = header.counts();
    counts[Side::Second][1] -= 8;
    counts[Side::Second][2] += 8;
    header.finish(counts, *header.payload_digest(), header.checks_hash());
    bytes[..anser_table::format::HEADER_LEN].copy_from_slice(&header.encode());
    fs::write(&path, bytes).unwrap();
    // Either table may be the wrong one.
    let both = found(VerifyOptions::default());
    assert!(both.len() == 2 && both[0].contains(".dtw.") && both[1].contains(".wdl."), "{both:?}");
    let one = found(VerifyOptions { metric: Some(Metric::Dtw), ..VerifyOptions::default() });
    assert_eq!(one, both[1..]);
}

#[test]
fn every_file_is_checked_not_only_the_one_that_a_reader_prefers() {
    let (dir, game) = solved("first-capture", 4..=4);
    let raw = table(&game, dir.path(), 4);
    let packed = raw.with_extension("anserz");
    fs::write(&packed, "this is no table").unwrap();
    let verified = check(&game, dir.path());
    assert_eq!(verified.iter().map(|one| one.problems.len()).collect::<Vec<_>>(), [0, 1]);
    fs::remove_file(&packed).unwrap();
    fs::write(dir.path().join(&raw), fs::read(&raw).unwrap().split_last().unwrap().1).unwrap();
    assert_eq!(check(&game, dir.path())[0].problems.len(), 1);
}

#[test]
fn listed_files_that_are_missing_and_values_that_cannot_be_recomputed_are_reported() {
    let (dir, game) = solved("free", 1..=5);
    let lower = table(&game, dir.path(), 4);
    let mut damaged = fs::read(&lower).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    fs::write(&lower, damaged).unwrap();
    // Layer 5 may be sound.
    let verified = check(&game, dir.path());
    assert_eq!(verified.iter().position(|one| !one.problems.is_empty()), Some(3));
    // The damaged block, and that the manifest lists another file.
    assert_eq!(verified[3].problems.len(), 2, "{:?}", verified[3].problems);
    assert!(verified[4].problems.is_empty(), "{:?}", verified[4].problems);
    let Some(ProbeError::Table(error)) = &verified[4].not_recomputed else {
        panic!("{verified:?}")
    };
    assert_eq!(error.path(), lower);
    fs::remove_file(lower).unwrap();
    let verified = check(&game, dir.path());
    assert_eq!(verified.iter().filter_map(Verified::layer).collect::<Vec<_>>(), [1, 2, 3, 5, 4]);
    assert!(
        verified[..3].iter().all(|one| one.problems.is_empty() && one.not_recomputed.is_none())
    );
    assert!(
        verified[3].problems.is_empty()
            && matches!(&verified[3].not_recomputed, Some(ProbeError::MissingLayer(missing))
                if missing.layer == 4)
    );
    assert!(verified[4].problems[0].to_string().contains("listed in the manifest"));
    assert!(matches!(verified[4].problems[0], Problem::NotThere { .. }));
}

#[test]
fn a_missing_table_is_reported_although_that_of_the_other_metric_has_the_same_values() {
    let (dir, game) = (tempfile::tempdir().unwrap(), Hunt::hexapawn("3x3".parse().unwrap()));
    let metrics = Metrics::from_iter(Metric::ALL);
    solve(&game, &SolveOptions { metrics, ..SolveOptions::new(dir.path()) }, &Unobserved).unwrap();
    let of = |metric: Metric| {
        dir.path()
            .join(TableName::new(game.name(), game.rules_id(), 1, metric, Kind::Raw).to_string())
    };
    let digest =
        |metric| *Table::open(of(metric), &PositionedReads).unwrap().header().payload_digest();
    assert_eq!(digest(Metric::Wdl), digest(Metric::Dtw));
    for metric in Metric::ALL {
        let (path, kept) = (of(metric), fs::read(of(metric)).unwrap());
        fs::remove_file(&path).unwrap();
        let verified = check(&game, dir.path());
        let found = verified.iter().filter(|one| !one.problems.is_empty());
        let found: Vec<_> = found.map(|one| (one.path.clone(), one.metric())).collect();
        assert_eq!(found, [(path.clone(), Some(metric))]);
        fs::write(path, kept).unwrap();
    }
}

#[test]
fn tables_under_the_name_of_another_kind_and_unreadable_tables_are_reported() {
    let (dir, game) = solved("first-capture", 4..=5);
    fs::copy(table(&game, dir.path(), 4), table(&game, dir.path(), 4).with_extension("anserz"))
        .unwrap();
    fs::create_dir(table(&game, dir.path(), 3)).unwrap();
    let verified = check(&game, dir.path());
    assert_eq!(verified.iter().filter_map(Verified::layer).collect::<Vec<_>>(), [3, 4, 4, 5]);
    assert!(verified[0].unreadable.is_some() && verified[0].problems.is_empty());
    assert!(verified[1].problems.is_empty() && verified[3].problems.is_empty());
    assert!(
        verified[2].problems[0].to_string().contains("another kind"),
        "{:?}",
        verified[2].problems
    );
}
