//! Runs that pack each layer and remove its raw tables: the same bytes as packing afterwards,
//! whatever happens on the way, and no raw table longer than it is needed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

use anser_core::Hunt;
use anser_solve::{
    Event, Metrics, Observer, PACK_LEVEL, PackOptions, RunObserver, SolveError, SolveOptions,
    TableFault, Unobserved, UnpackOptions, VerifyOptions, pack, plan, solve, unpack, verify,
};
use anser_table::manifest::{Manifest, ManifestEntry};
use anser_table::{Kind, Metric, PositionedReads, TableName};
use tempfile::TempDir;

use crate::support::runs::Stopper;

fn both() -> Metrics {
    Metrics::from_iter(Metric::ALL)
}

fn options(dir: &Path, top: u16) -> SolveOptions {
    SolveOptions {
        layers: Some(1..=top),
        threads: Some(2),
        metrics: both(),
        packed: Some(PACK_LEVEL),
        ..SolveOptions::new(dir)
    }
}

/// Reads all tables of a directory, by name.
fn tables(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let names = fs::read_dir(dir).unwrap().map(|file| file.unwrap().file_name());
    names
        .filter_map(|name| name.into_string().ok())
        .filter(|name| TableName::parse(name).is_some())
        .map(|name| (name.clone(), fs::read(dir.join(name)).unwrap()))
        .collect()
}

/// Returns the names of the files of a directory, without the lock.
fn names(dir: &Path) -> Vec<String> {
    let names = fs::read_dir(dir).unwrap().map(|file| file.unwrap().file_name());
    let mut names: Vec<_> = names
        .map(|name| name.into_string().unwrap())
        .filter(|name| name != ".anser.lock")
        .collect();
    names.sort();
    names
}

fn table(game: &Hunt, layer: u16, metric: Metric, kind: Kind) -> String {
    TableName::new(game.name(), game.rules_id(), layer, metric, kind).to_string()
}

/// Returns the entries of the manifest, with what a run reports that is the same in every run.
fn listed(game: &Hunt, dir: &Path) -> Vec<(String, ManifestEntry)> {
    let path = dir.join(Manifest::file_name(game.name(), game.rules_id()));
    let manifest = Manifest::load(&path).unwrap().unwrap();
    let entry = |(name, entry): (&str, &ManifestEntry)| {
        let mut entry = entry.clone();
        if let Some(run) = &mut entry.run {
            (run.seconds, run.threads) = (0.0, 0);
        }
        (name.to_owned(), entry)
    };
    manifest.tables().map(entry).collect()
}

/// A directory with raw tables, and one with what packing them makes.
struct Expected {
    raw: TempDir,
    packed: TempDir,
}

fn expected(game: &Hunt, run: &SolveOptions) -> Expected {
    let [raw, packed] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let dir = raw.path().to_owned();
    solve(game, &SolveOptions { dir, packed: None, ..run.clone() }, &Unobserved).unwrap();
    let pack_options = PackOptions {
        from: vec![raw.path().into()],
        out: packed.path().into(),
        level: run.packed,
        ..PackOptions::default()
    };
    pack(game, &pack_options, &Unobserved).unwrap();
    Expected { raw, packed }
}

impl Expected {
    /// Asserts that a packed run left what packing afterwards makes, and nothing else.
    #[track_caller]
    fn assert_same(&self, game: &Hunt, dir: &Path, what: &str) {
        assert_eq!(names(dir), names(self.packed.path()), "{what}");
        assert!(tables(dir) == tables(self.packed.path()), "{what}");
        assert_eq!(listed(game, dir), listed(game, self.packed.path()), "{what}");
    }

    /// Copies tables into a directory.
    fn copy(&self, dir: &Path, names: impl IntoIterator<Item = String>) {
        for name in names {
            let from = [&self.raw, &self.packed].map(|from| from.path().join(&name));
            fs::copy(from.iter().find(|path| path.exists()).unwrap(), dir.join(name)).unwrap();
        }
    }
}

/// Records the raw tables that exist when a layer starts, and the most bytes in the directory.
#[derive(Default)]
struct Watch {
    dir: std::path::PathBuf,
    raw: Mutex<Vec<(u16, Vec<String>)>>,
    most: AtomicU64,
    advanced: AtomicU64,
    unpacked: Mutex<Vec<u16>>,
}

impl Watch {
    fn new(dir: &Path) -> Watch {
        Watch { dir: dir.to_owned(), ..Watch::default() }
    }

    fn measure(&self) {
        let files = fs::read_dir(&self.dir).unwrap();
        // A file may be renamed or removed meanwhile.
        let len = |file: std::io::Result<fs::DirEntry>| file.and_then(|file| file.metadata());
        let bytes = files.map(|file| len(file).map_or(0, |about| about.len())).sum();
        self.most.fetch_max(bytes, SeqCst);
    }
}

impl Observer for Watch {
    fn begin(&self, _: &str, _: u64) {
        self.measure();
    }

    fn advance(&self, _: u64) {
        // Listing a directory takes longer than the units of small layers.
        if self.advanced.fetch_add(1, SeqCst).is_multiple_of(256) {
            self.measure();
        }
    }
}

impl RunObserver for Watch {
    fn event(&self, event: &Event) {
        self.measure();
        match event {
            Event::Layer { layer, .. } => {
                let raw = tables(&self.dir).into_keys().filter(|name| is_raw(name));
                self.raw.lock().unwrap().push((*layer, raw.collect()));
            }
            Event::Unpacking { layer, .. } => self.unpacked.lock().unwrap().push(*layer),
            _ => {}
        }
    }
}

#[test]
fn packed_runs_leave_what_packing_makes_and_keep_only_the_raw_tables_that_are_read() {
    let all = [both(), Metric::Wdl.into(), Metric::Dtw.into()];
    for (rules, top, metrics) in [
        ("first-capture", 5, &all[..]),
        ("free", 4, &all[1..]),
        ("free", 5, &all[..1]),
        ("free+chain", 4, &all[..]),
    ] {
        let game = Hunt::fox_geese(rules).unwrap();
        for &metrics in metrics {
            let dir = tempfile::tempdir().unwrap();
            let options = SolveOptions { metrics, ..options(dir.path(), top) };
            let expected = expected(&game, &options);
            let watch = Watch::new(dir.path());
            let solved = solve(&game, &options, &watch).unwrap();
            assert_eq!(solved.packed.len(), usize::from(top) * metrics.iter().count());
            expected.assert_same(&game, dir.path(), &format!("{rules} {metrics}"));
            let read = metrics.iter().last().unwrap();
            for (layer, raw) in watch.raw.into_inner().unwrap() {
                let lower = game.lower_layers(layer).into_iter();
                let lower: Vec<String> =
                    lower.map(|lower| table(&game, lower, read, Kind::Raw)).collect();
                assert_eq!(raw, lower, "{rules} {metrics}, layer {layer}");
            }
            // A second run finds nothing to do.
            let again = solve(&game, &options, &Unobserved).unwrap();
            assert_eq!((again.finished.len(), again.packed.len()), (0, 0));
            assert_eq!(again.kept.len(), usize::from(top));
            let checks = VerifyOptions { full: true, ..VerifyOptions::default() };
            let verified =
                verify(&game, &[dir.path().into()], &checks, &PositionedReads, &Unobserved);
            assert!(verified.unwrap().iter().all(|table| table.problems.is_empty()));
        }
    }
}

#[test]
fn games_whose_layers_depend_on_several_are_packed_as_well() {
    let game: Hunt = "4x4".parse().map(Hunt::hexapawn).unwrap();
    for (metrics, level) in [(both(), PACK_LEVEL), (Metric::Wdl.into(), 3)] {
        let dir = tempfile::tempdir().unwrap();
        let packed = Some(level);
        let options = SolveOptions { layers: None, metrics, packed, ..options(dir.path(), 0) };
        solve(&game, &options, &Unobserved).unwrap();
        expected(&game, &options).assert_same(&game, dir.path(), &metrics.to_string());
    }
}

/// A run that was killed leaves what it had unpacked; the next one removes that.
#[test]
fn tables_that_an_earlier_run_unpacked_are_removed() {
    let game = Hunt::fox_geese("free").unwrap();
    let dir = tempfile::tempdir().unwrap();
    let metrics = Metric::Dtw.into();
    let options = |top| SolveOptions { metrics, ..options(dir.path(), top) };
    solve(&game, &options(4), &Unobserved).unwrap();
    let expected = {
        let dir = tempfile::tempdir().unwrap();
        expected(&game, &SolveOptions { dir: dir.path().into(), ..options(5) })
    };
    let unpacked = UnpackOptions {
        from: vec![dir.path().into()],
        out: dir.path().into(),
        layers: Some(4..=4),
        ..UnpackOptions::default()
    };
    unpack(&game, &unpacked, &Unobserved).unwrap();
    assert!(dir.path().join(table(&game, 4, Metric::Dtw, Kind::Raw)).exists());
    let options = SolveOptions { layers: Some(5..=5), ..options(5) };
    solve(&game, &options, &Unobserved).unwrap();
    expected.assert_same(&game, dir.path(), "a table was unpacked before");
}

#[test]
fn interrupted_runs_resume_to_the_same_bytes() {
    for (rules, metrics) in
        [("first-capture", both()), ("free", both()), ("free", Metric::Wdl.into())]
    {
        let game = Hunt::fox_geese(rules).unwrap();
        let top = 5;
        let expected = {
            let dir = tempfile::tempdir().unwrap();
            expected(&game, &SolveOptions { metrics, ..options(dir.path(), top) })
        };
        let mut stops = 0;
        for first in [1, 2] {
            let dir = tempfile::tempdir().unwrap();
            let options = SolveOptions { metrics, ..options(dir.path(), top) };
            // Each part of the run gets a little further, so that all stages are interrupted.
            for patience in std::iter::successors(Some(first), |last| Some(last + 1 + last / 2)) {
                match solve(&game, &options, &Stopper::after(patience)) {
                    Ok(_) => break,
                    Err(SolveError::Interrupted) => stops += 1,
                    Err(error) => panic!("{error}"),
                }
                // Every table is complete, in the manifest, and one of those expected.
                let (there, listed) = (tables(dir.path()), listed_names(&game, dir.path()));
                for (name, bytes) in there {
                    let from = [&expected.raw, &expected.packed].map(|dir| dir.path().join(&name));
                    let same = from.iter().any(|path| fs::read(path).is_ok_and(|it| it == bytes));
                    assert!(same && listed.contains(&name), "{name}");
                }
            }
            expected.assert_same(&game, dir.path(), &format!("{rules} {metrics} from {first}"));
        }
        println!("{rules} {metrics}: {stops} interruptions");
        assert!(stops > 12, "{stops}");
    }
}

fn listed_names(game: &Hunt, dir: &Path) -> Vec<String> {
    let path = dir.join(Manifest::file_name(game.name(), game.rules_id()));
    let manifest = Manifest::load(&path).unwrap();
    manifest.iter().flat_map(Manifest::tables).map(|(name, _)| name.to_owned()).collect()
}

/// Mixtures that a kill at the worst instants leaves.
#[test]
fn every_mixture_of_raw_and_packed_tables_is_brought_to_the_same_end() {
    for rules in ["free", "first-capture"] {
        let game = Hunt::fox_geese(rules).unwrap();
        let top = 5;
        let expected = {
            let dir = tempfile::tempdir().unwrap();
            expected(&game, &options(dir.path(), top))
        };
        // Outcomes and distances of one layer, with all tables below packed.
        let (none, raw, packed, both) =
            (vec![], vec![Kind::Raw], vec![Kind::Packed], vec![Kind::Raw, Kind::Packed]);
        for (wdl, dtw) in [
            (&none, &raw),
            (&raw, &none),
            (&packed, &raw),
            (&both, &packed),
            (&packed, &both),
            (&packed, &packed),
        ] {
            let dir = tempfile::tempdir().unwrap();
            let below = (1..top - 1).flat_map(|layer| {
                Metric::ALL.map(|metric| table(&game, layer, metric, Kind::Packed))
            });
            let of_layer = Metric::ALL
                .into_iter()
                .zip([wdl, dtw])
                .flat_map(|(metric, kinds)| kinds.iter().map(move |&kind| (metric, kind)));
            let of_layer = of_layer.map(|(metric, kind)| table(&game, top - 1, metric, kind));
            expected.copy(dir.path(), below.chain(of_layer));
            let watch = Watch::new(dir.path());
            solve(&game, &options(dir.path(), top), &watch).unwrap();
            assert!(
                tables(dir.path()) == tables(expected.packed.path()),
                "{rules}: {wdl:?} {dtw:?}"
            );
            // Distances that are read and only packed are unpacked.
            let reads = |layer: u16| rules == "free" && (layer < top - 1 || dtw == &packed);
            let unpacked: Vec<u16> = if dtw == &none { vec![top - 2] } else { vec![top - 1] };
            let unpacked = unpacked.into_iter().filter(|&layer| layer >= 4 && reads(layer));
            assert!(
                watch.unpacked.into_inner().unwrap().into_iter().eq(unpacked),
                "{wdl:?} {dtw:?}"
            );
        }
    }
}

#[test]
fn a_raw_table_is_only_removed_if_the_packed_one_is_sound_and_has_its_values() {
    let game = Hunt::fox_geese("first-capture").unwrap();
    let dir = tempfile::tempdir().unwrap();
    let run = SolveOptions { metrics: Metric::Wdl.into(), ..options(dir.path(), 5) };
    let expected = expected(&game, &run);
    let (raw, packed) =
        (table(&game, 5, Metric::Wdl, Kind::Raw), table(&game, 5, Metric::Wdl, Kind::Packed));
    // Damaged: it is packed again.
    expected.copy(dir.path(), [raw.clone(), packed.clone()]);
    let mut bytes = fs::read(dir.path().join(&packed)).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(dir.path().join(&packed), bytes).unwrap();
    solve(&game, &run, &Unobserved).unwrap();
    assert!(tables(dir.path()) == tables(expected.packed.path()));
    // Of other values: the run fails, and both are kept.
    let other = tempfile::tempdir().unwrap();
    expected.copy(other.path(), [raw.clone(), packed.clone()]);
    let forged = other.path().join(&packed);
    let mut bytes = fs::read(&forged).unwrap();
    bytes[256] ^= 1;
    let hash = xxhash_rust::xxh3::xxh3_64(&bytes[..4088]);
    bytes[4088..4096].copy_from_slice(&hash.to_le_bytes());
    fs::write(&forged, &bytes).unwrap();
    let run = SolveOptions { layers: Some(5..=5), dir: other.path().into(), ..run };
    let error = solve(&game, &run, &Unobserved).unwrap_err();
    let SolveError::Wrong(wrong) = &error else { panic!("{error}") };
    assert!(matches!(wrong.fault, TableFault::OtherValues { .. }), "{error}");
    assert_eq!(fs::read(&forged).unwrap(), bytes);
    assert!(other.path().join(&raw).exists());
}

#[test]
fn layers_that_were_not_requested_are_left_alone() {
    let game = Hunt::default();
    let dir = tempfile::tempdir().unwrap();
    let run = options(dir.path(), 5);
    let expected = expected(&game, &run);
    let raw = |layers: std::ops::RangeInclusive<u16>| {
        layers.flat_map(|layer| {
            Metric::ALL.map(|metric| table(&Hunt::default(), layer, metric, Kind::Raw))
        })
    };
    // Raw tables below stay.
    expected.copy(dir.path(), raw(3..=4));
    solve(&game, &SolveOptions { layers: Some(5..=5), ..run.clone() }, &Unobserved).unwrap();
    let left: Vec<String> = tables(dir.path()).into_keys().collect();
    let five = Metric::ALL.map(|metric| table(&game, 5, metric, Kind::Packed));
    let mut all: Vec<String> = raw(3..=4).chain(five.clone()).collect();
    all.sort();
    assert_eq!(left, all);
    // A table that the run unpacked does not.
    let dir = tempfile::tempdir().unwrap();
    let four = Metric::ALL.map(|metric| table(&game, 4, metric, Kind::Packed));
    expected.copy(dir.path(), four.clone());
    let run = SolveOptions { layers: Some(5..=5), dir: dir.path().into(), ..run };
    solve(&game, &run, &Unobserved).unwrap();
    let mut all: Vec<String> = four.into_iter().chain(five).collect();
    all.sort();
    assert!(tables(dir.path()).into_keys().eq(all));
    // Without packing, the unpacked table stays beside the raw ones.
    let dir = tempfile::tempdir().unwrap();
    expected.copy(dir.path(), Metric::ALL.map(|metric| table(&game, 4, metric, Kind::Packed)));
    let run = SolveOptions { packed: None, dir: dir.path().into(), ..run };
    solve(&game, &run, &Unobserved).unwrap();
    let four = table(&game, 4, Metric::Dtw, Kind::Raw);
    let there = tables(dir.path());
    assert!(there[&four] == fs::read(expected.raw.path().join(&four)).unwrap());
    assert!(there.contains_key(&table(&game, 5, Metric::Dtw, Kind::Raw)));
}

#[test]
fn the_estimated_disk_space_suffices_and_is_less_than_for_raw_tables() {
    for (rules, metrics) in [("first-capture", Metric::Wdl.into()), ("free", both())] {
        let game = Hunt::fox_geese(rules).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let run = SolveOptions { metrics, ..options(dir.path(), 6) };
        let raw = plan(&game, &SolveOptions { packed: None, ..run.clone() }).unwrap();
        let estimate = plan(&game, &run).unwrap();
        assert!((raw.packed.is_empty(), &estimate.packed[..]) == (true, &[1, 2, 3, 4, 5, 6]));
        assert!(estimate.disk < raw.disk, "{rules}: {} {}", estimate.disk, raw.disk);
        let watch = Watch::new(dir.path());
        solve(&game, &run, &watch).unwrap();
        let most = watch.most.into_inner();
        // The manifest is not estimated.
        assert!(most < estimate.disk + (64 << 10), "{rules}: {most} of {}", estimate.disk);
        if metrics == Metric::Wdl.into() {
            // Checkpoints of distances, which may take most of the space, are a minute apart.
            assert!(most * 2 > estimate.disk, "{rules}: {most} of {}", estimate.disk);
        }
        // Everything is done.
        let done = plan(&game, &run).unwrap();
        assert_eq!((done.disk, done.packed.len(), done.passes.len()), (0, 0, 0));
        let refused = anser_solve::Estimate { disk_free: Some(estimate.disk - 1), ..estimate };
        let error = refused.check(dir.path()).unwrap_err();
        assert!(matches!(error, SolveError::Disk { packed: true, .. }), "{error}");
    }
}

/// Whether a file name is that of a raw table.
fn is_raw(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "anser")
}
