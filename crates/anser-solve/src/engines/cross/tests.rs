//! Compares the instruction sets of the engine, and its runs that are interrupted or use scratch files.

mod parts;

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use anser_core::Hunt;
use anser_core::hunt::FOX_GEESE_RULES;
use anser_retrograde::isa::Level;
use anser_table::{Kind, Metric};

use super::Cross;
use crate::engines::engine::{Effort, Engine, Filled, Needs, Spilled, Task};
use crate::run::metrics::Metrics;
use crate::run::solve_with;
use crate::{Event, LayerOf, Observer, RunObserver, SolveError, SolveOptions, Unobserved};

/// Returns the raw tables of outcomes that an engine writes, by layer.
fn tables(game: &Hunt, layers: RangeInclusive<u16>, engine: impl Engine + 'static) -> Vec<Vec<u8>> {
    tables_of(game, layers, Metric::Wdl.into(), engine)
}

/// Returns the raw tables of the metrics that an engine writes in one run, by layer.
fn tables_of(
    game: &Hunt,
    layers: RangeInclusive<u16>,
    metrics: Metrics,
    engine: impl Engine + 'static,
) -> Vec<Vec<u8>> {
    let dir = tempfile::tempdir().unwrap();
    let options =
        SolveOptions { layers: Some(layers.clone()), metrics, ..SolveOptions::new(dir.path()) };
    solve_with(game, &options, &Unobserved, Box::new(engine)).unwrap();
    read_tables(game, layers, metrics, dir.path())
}

fn read_tables(
    game: &Hunt,
    layers: RangeInclusive<u16>,
    metrics: Metrics,
    dir: &Path,
) -> Vec<Vec<u8>> {
    let name =
        |layer, metric| crate::io::manifest::table_name(game, layer, metric, Kind::Raw).to_string();
    let names = layers.flat_map(|layer| metrics.iter().map(move |metric| name(layer, metric)));
    names.map(|name| std::fs::read(dir.join(name)).unwrap()).collect()
}

/// The instruction sets besides the best one of this machine, whose tables `tests/it/oracle.rs`
/// compares with those of the general engine under every rule set, and without symmetry with the
/// oracle.
fn other_levels() -> impl Iterator<Item = Level> {
    Level::available().into_iter().filter(|level| *level != Level::best())
}

/// Compares outcomes and distances of one run with those by the best instruction set.
fn compare_distances(game: &Hunt, top: u16) {
    let both = Metrics::from_iter([Metric::Wdl, Metric::Dtw]);
    let expected = tables_of(game, 1..=top, both, Cross::new(Metric::Dtw));
    for level in other_levels() {
        let found = tables_of(game, 1..=top, both, Cross::at(level, Metric::Dtw));
        for (number, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert!(found == expected, "{}, layer {}, {level:?}", game.rules_id(), number / 2 + 1);
        }
    }
}

#[test]
fn all_instruction_sets_give_the_same_bytes_of_distances_without_symmetry() {
    for rules in ["free", "first-capture+orthogonal", "forward+chain+compulsory"] {
        let game = Hunt::fox_geese(rules).unwrap().without_symmetry();
        compare_distances(&game, 4);
    }
}

/// Stops a run after a number of passes.
struct StopAfter {
    left: AtomicU64,
    /// Number of layers that were resumed.
    resumed: AtomicU64,
}

impl Observer for StopAfter {
    fn interrupted(&self) -> bool {
        self.left.load(Relaxed) == 0
    }
}

impl RunObserver for StopAfter {
    fn event(&self, event: &Event) {
        if matches!(event, Event::Step { .. }) {
            let _ = self.left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1));
        }
        if matches!(event, Event::Layer { resumed: Some(_), .. }) {
            self.resumed.fetch_add(1, Relaxed);
        }
    }
}

#[test]
fn distances_that_are_interrupted_again_and_again_have_the_same_bytes() {
    for (rules, top) in [("first-capture", 5), ("free", 5), ("forward+chain+compulsory", 4)] {
        let game = Hunt::fox_geese(rules).unwrap();
        let metrics = Metrics::from_iter([Metric::Wdl, Metric::Dtw]);
        let expected = tables_of(&game, 1..=top, metrics, Cross::new(Metric::Dtw));
        let dir = tempfile::tempdir().unwrap();
        let options =
            SolveOptions { layers: Some(1..=top), metrics, ..SolveOptions::new(dir.path()) };
        let (mut stops, mut resumed) = (0, 0);
        for passes in [2, 3, 5].into_iter().cycle() {
            let stop = StopAfter { left: AtomicU64::new(passes), resumed: AtomicU64::new(0) };
            let result = solve_with(&game, &options, &stop, Box::new(Cross::new(Metric::Dtw)));
            resumed += stop.resumed.into_inner();
            match result {
                Ok(_) => break,
                Err(SolveError::Interrupted) => stops += 1,
                Err(error) => panic!("{rules}: {error}"),
            }
            assert!(stops < 200, "{rules}");
        }
        assert!(stops > 5 && resumed > 5, "{rules}: {stops} stops, {resumed} resumed");
        assert!(read_tables(&game, 1..=top, metrics, dir.path()) == expected, "{rules}");
        // The tables of both metrics, the manifest, and the lock.
        assert_eq!(dir.path().read_dir().unwrap().count(), 2 * usize::from(top) + 2, "{rules}");
    }
}

#[test]
fn finding_when_captures_take_effect_reports_all_its_work_and_can_be_interrupted() {
    /// Follows the work named `captures`, and stops it after a part of it.
    struct Captures {
        total: AtomicU64,
        done: AtomicU64,
        is_counted: AtomicU64,
        /// Passes that began afterwards.
        passes: AtomicU64,
        stop_after: u64,
    }
    impl Observer for Captures {
        fn begin(&self, what: &str, work: u64) {
            let is_captures = what.ends_with("captures");
            self.is_counted.store(u64::from(is_captures), Relaxed);
            if is_captures {
                self.total.store(work, Relaxed);
            }
        }
        fn advance(&self, work: u64) {
            self.done.fetch_add(work * self.is_counted.load(Relaxed), Relaxed);
        }
        fn interrupted(&self) -> bool {
            self.done.load(Relaxed) > self.stop_after
        }
    }
    impl RunObserver for Captures {
        fn event(&self, event: &Event) {
            if matches!(event, Event::Step { .. }) {
                self.passes.fetch_add(1, Relaxed);
            }
        }
    }
    let observer = |stop_after| Captures {
        total: AtomicU64::new(0),
        done: AtomicU64::new(0),
        is_counted: AtomicU64::new(0),
        passes: AtomicU64::new(0),
        stop_after,
    };
    let game = Hunt::fox_geese("free").unwrap();
    let metrics = Metric::Dtw.into();
    let expected = tables_of(&game, 1..=5, metrics, Cross::new(Metric::Dtw));
    let dir = tempfile::tempdir().unwrap();
    let solve = |layers, observer: &Captures| {
        let options =
            SolveOptions { layers: Some(layers), metrics, ..SolveOptions::new(dir.path()) };
        solve_with(&game, &options, observer, Box::new(Cross::new(Metric::Dtw)))
    };
    solve(1..=4, &observer(u64::MAX)).unwrap();
    let stopped = observer(0);
    let result = solve(5..=5, &stopped);
    assert!(matches!(result, Err(SolveError::Interrupted)));
    let (done, total) = (stopped.done.into_inner(), stopped.total.into_inner());
    assert!(0 < done && done < total, "{done} of {total}");
    assert_eq!(stopped.passes.into_inner(), 0);
    let complete = observer(u64::MAX);
    solve(5..=5, &complete).unwrap();
    assert_eq!(complete.done.into_inner(), complete.total.into_inner());
    assert!(complete.passes.into_inner() > 0);
    assert!(read_tables(&game, 1..=5, metrics, dir.path()) == expected);
}

#[test]
fn a_run_writes_checkpoints_of_distances_that_a_killed_run_resumes_from() {
    /// Copies the checkpoint when a pass begins, as it would be found after a kill.
    struct Copies {
        part: std::path::PathBuf,
        found: std::sync::Mutex<Vec<Vec<u8>>>,
    }
    impl Observer for Copies {}
    impl RunObserver for Copies {
        fn event(&self, event: &Event) {
            if matches!(event, Event::Step { .. })
                && let Ok(bytes) = std::fs::read(&self.part)
            {
                self.found.lock().unwrap().push(bytes);
            }
        }
    }
    let game = Hunt::fox_geese("free").unwrap();
    let metrics = Metric::Dtw.into();
    let expected = tables_of(&game, 1..=5, metrics, Cross::new(Metric::Dtw));
    let dir = tempfile::tempdir().unwrap();
    let checkpoint_every = std::time::Duration::ZERO;
    let options = SolveOptions {
        layers: Some(1..=4),
        metrics,
        checkpoint_every,
        ..SolveOptions::new(dir.path())
    };
    solve_with(&game, &options, &Unobserved, Box::new(Cross::new(Metric::Dtw))).unwrap();
    let name = crate::io::manifest::table_name(&game, 5, Metric::Dtw, Kind::Raw);
    let (table, part) = (dir.path().join(name.to_string()), dir.path().join(name.part()));
    let copies = Copies { part: part.clone(), found: std::sync::Mutex::default() };
    let options = SolveOptions { layers: Some(5..=5), ..options };
    solve_with(&game, &options, &copies, Box::new(Cross::new(Metric::Dtw))).unwrap();
    let mut found = copies.found.into_inner().unwrap();
    found.dedup();
    assert!(!found.is_empty());
    for bytes in found {
        std::fs::remove_file(&table).unwrap();
        std::fs::write(&part, bytes).unwrap();
        solve_with(&game, &options, &Unobserved, Box::new(Cross::new(Metric::Dtw))).unwrap();
        assert!(std::fs::read(&table).unwrap() == expected[4]);
        assert!(!part.exists());
    }
}

fn compare(game: &Hunt, top: u16) {
    let expected = tables(game, 1..=top, Cross::new(Metric::Wdl));
    for level in other_levels() {
        let found = tables(game, 1..=top, Cross::at(level, Metric::Wdl));
        assert!(found == expected, "{} at {level:?}", game.rules_id());
    }
}

#[test]
fn all_instruction_sets_give_the_same_bytes_under_every_switch() {
    // The rule sets without switches are compared in layers 1 to 5 below.
    for rules in FOX_GEESE_RULES.into_iter().filter(|rules| rules.contains('+')) {
        compare(&Hunt::fox_geese(rules).unwrap(), 4);
    }
}

#[test]
fn all_instruction_sets_give_the_same_bytes_without_symmetry() {
    for rules in ["free", "first-capture+orthogonal", "forward+chain+compulsory"] {
        compare(&Hunt::fox_geese(rules).unwrap().without_symmetry(), 4);
    }
}

#[test]
fn all_instruction_sets_give_the_same_bytes_in_layer_5() {
    for rules in ["free", "first-capture", "forward"] {
        compare(&Hunt::fox_geese(rules).unwrap(), 5);
    }
}

/// An engine that reports that memory never suffices.
struct Short(Box<dyn Engine>);

impl Engine for Short {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn needs(&self, of: LayerOf<'_>, metrics: Metrics) -> Needs {
        let scratch = self.0.needs(of, metrics).spilled.map_or(0, |spilled| spilled.scratch);
        Needs {
            memory: u64::MAX,
            spilled: Some(Spilled { memory: 0, scratch }),
            ..Needs::default()
        }
    }

    fn effort(&self, of: LayerOf<'_>) -> Effort {
        self.0.effort(of)
    }

    fn measure(&self, of: LayerOf<'_>) -> f64 {
        self.0.measure(of)
    }

    fn fills(&self, metrics: Metrics) -> bool {
        self.0.fills(metrics)
    }

    fn solve(&self, task: &Task<'_>) -> Result<Filled, SolveError> {
        assert!(task.scratch.is_some(), "a spilled layer has a scratch directory");
        self.0.solve(task)
    }
}

/// Adds up the announced sizes of scratch files.
#[derive(Default)]
struct Announced(AtomicU64);

impl Observer for Announced {}

impl RunObserver for Announced {
    fn event(&self, event: &Event) {
        if let Event::Spilled { bytes, .. } = event {
            self.0.fetch_add(*bytes, Relaxed);
        }
    }
}

#[test]
fn scratch_files_give_the_same_tables_and_are_removed() {
    for (rules, top) in [("free", 5), ("first-capture", 5), ("forward+chain+compulsory", 4)] {
        for metric in Metric::ALL {
            let game = Hunt::fox_geese(rules).unwrap();
            let metrics = Metrics::from(metric);
            let (dir, seen) = (tempfile::tempdir().unwrap(), Announced::default());
            let options = SolveOptions {
                layers: Some(1..=top),
                memory: Some(1 << 20),
                metrics,
                ..SolveOptions::new(dir.path())
            };
            let solved =
                solve_with(&game, &options, &seen, Box::new(Short(Box::new(Cross::new(metric)))))
                    .unwrap();
            let rounds: Vec<u64> = solved.finished.iter().map(|report| report.run.rounds).collect();
            let in_memory = tempfile::tempdir().unwrap();
            let options = SolveOptions {
                layers: Some(1..=top),
                metrics,
                ..SolveOptions::new(in_memory.path())
            };
            let expected =
                solve_with(&game, &options, &Unobserved, Box::new(Cross::new(metric))).unwrap();
            assert!(
                rounds.iter().eq(expected.finished.iter().map(|report| &report.run.rounds)),
                "{rules}"
            );
            let [spilled, expected] =
                [&dir, &in_memory].map(|dir| read_tables(&game, 1..=top, metrics, dir.path()));
            assert!(spilled == expected, "{rules}, {}", metric.id());
            assert!(seen.0.into_inner() > 0);
            // The tables, the manifest, and the lock.
            assert_eq!(dir.path().read_dir().unwrap().count(), usize::from(top) + 2, "{rules}");
        }
    }
}
