//! Compares the engine with the general one, and its parts with plain implementations.

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use anser_core::fox_geese::Point;
use anser_core::hunt::{FOX_GEESE_RULES, HuntIndex};
use anser_core::{Hunt, Symmetry};

use super::Cross;
use super::bound::Bound;
use super::captures::{ones, without_capture};
use super::fixpoint::{Captures, Fixpoint, Outputs};
use super::moves::Fox;
use super::passes::{GeesePass, Scratch};
use super::report::Report;
use super::sets::{PointBit, SETS};
use super::shape::{Block, Shape};
use super::store::{Fields, Store};
use super::symmetry::{
    all_block_orbits, block_orbits, image_field, symmetrize_field, transpose_field,
};
use super::transpose::transpose;
use crate::engines::distances::GeneralDistances;
use crate::engines::engine::{Effort, Engine, Filled, Spilled, Task};
use crate::engines::general::General;
use crate::run::metrics::Metrics;
use crate::run::solve_with;
use crate::{Event, Observer, RunObserver, SolveError, SolveOptions, Unobserved};
use anser_retrograde::isa::{Isa, Kernel, Level, dispatch};
use anser_table::{Kind, Metric};

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

/// Compares outcomes and distances of one run with those of the general engine. `tests/it/oracle.rs`
/// does so under every rule set.
fn compare_distances(game: &Hunt, top: u16, levels: impl IntoIterator<Item = Level>) {
    let both = Metrics::from_iter([Metric::Wdl, Metric::Dtw]);
    let expected = tables_of(game, 1..=top, both, GeneralDistances);
    for level in levels {
        let found = tables_of(game, 1..=top, both, Cross::at(level, Metric::Dtw));
        for (number, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert!(found == expected, "{}, layer {}, {level:?}", game.rules_id(), number / 2 + 1);
        }
    }
}

#[test]
fn distances_have_the_bytes_of_the_general_engine_without_symmetry() {
    for rules in ["free", "first-capture+orthogonal", "forward+chain+compulsory"] {
        let game = Hunt::fox_geese(rules).unwrap().without_symmetry();
        compare_distances(&game, 4, Level::available());
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
    for rules in ["first-capture", "free", "forward+chain+compulsory"] {
        let game = Hunt::fox_geese(rules).unwrap();
        let metrics = Metrics::from_iter([Metric::Wdl, Metric::Dtw]);
        let expected = tables_of(&game, 1..=5, metrics, Cross::new(Metric::Dtw));
        let dir = tempfile::tempdir().unwrap();
        let options =
            SolveOptions { layers: Some(1..=5), metrics, ..SolveOptions::new(dir.path()) };
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
        assert!(read_tables(&game, 1..=5, metrics, dir.path()) == expected, "{rules}");
        // Ten tables, the manifest, and the lock.
        assert_eq!(dir.path().read_dir().unwrap().count(), 12, "{rules}");
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
    let expected = tables(game, 1..=top, General::new());
    for level in Level::available() {
        let found = tables(game, 1..=top, Cross::at(level, Metric::Wdl));
        assert!(found == expected, "{} at {level:?}", game.rules_id());
    }
}

#[test]
fn all_instruction_sets_give_the_bytes_of_the_general_engine_under_every_rule_set() {
    for rules in FOX_GEESE_RULES {
        let top = if rules.contains('+') { 4 } else { 5 };
        compare(&Hunt::fox_geese(rules).unwrap(), top);
    }
}

#[test]
fn all_instruction_sets_give_the_bytes_of_the_general_engine_without_symmetry() {
    for rules in ["free", "first-capture+orthogonal", "forward+chain+compulsory"] {
        compare(&Hunt::fox_geese(rules).unwrap().without_symmetry(), 4);
    }
}

#[test]
fn layer_6_and_the_highest_layers_have_the_bytes_of_the_general_engine() {
    for rules in ["free", "first-capture", "forward"] {
        compare(&Hunt::fox_geese(rules).unwrap(), 6);
    }
    let game = Hunt::fox_geese("first-capture").unwrap();
    let expected = tables(&game, 27..=31, General::new());
    assert!(tables(&game, 27..=31, Cross::new(Metric::Wdl)) == expected);
}

/// An engine that reports that memory never suffices.
struct Short(Box<dyn Engine>);

impl Engine for Short {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn memory(&self, _: &Hunt, _: u16, _: &HuntIndex) -> u64 {
        u64::MAX
    }

    fn spilled(&self, game: &Hunt, layer: u16, index: &HuntIndex) -> Option<Spilled> {
        Some(Spilled {
            memory: 0,
            ..self.0.spilled(game, layer, index).unwrap_or(Spilled { memory: 0, scratch: 0 })
        })
    }

    fn effort(&self, game: &Hunt, layer: u16, index: &HuntIndex) -> Effort {
        self.0.effort(game, layer, index)
    }

    fn measure(&self, game: &Hunt, layer: u16, index: &HuntIndex) -> f64 {
        self.0.measure(game, layer, index)
    }

    fn fills(&self, metrics: Metrics) -> bool {
        self.0.fills(metrics)
    }

    fn disk(&self, game: &Hunt, layer: u16, index: &HuntIndex, tables: u64) -> u64 {
        self.0.disk(game, layer, index, tables)
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
    for rules in ["free", "first-capture", "forward+chain+compulsory"] {
        for metric in Metric::ALL {
            let game = Hunt::fox_geese(rules).unwrap();
            let metrics = Metrics::from(metric);
            let (dir, seen) = (tempfile::tempdir().unwrap(), Announced::default());
            let options = SolveOptions {
                layers: Some(1..=6),
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
                layers: Some(1..=6),
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
                [&dir, &in_memory].map(|dir| read_tables(&game, 1..=6, metrics, dir.path()));
            assert!(spilled == expected, "{rules}, {}", metric.id());
            assert!(seen.0.into_inner() > 0);
            // Six tables, the manifest, and the lock.
            assert_eq!(dir.path().read_dir().unwrap().count(), 8, "{rules}");
        }
    }
}

/// A xorshift generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Returns a field with about half of the bits set.
    fn field(&mut self, shape: &Shape) -> Vec<u64> {
        ones(Store::MEMORY, shape).unwrap().iter().map(|word| word & self.next()).collect()
    }
}

#[test]
fn transpose_exchanges_rows_and_bits_in_any_row_order() {
    struct Work<'a>(&'a [u64], (usize, usize), Option<&'a [u16]>, &'a mut [u64]);
    impl Kernel for Work<'_> {
        type Output = ();
        fn run(self, isa: impl Isa) {
            transpose(isa, self.0, self.1, self.2, self.3);
        }
    }
    let mut random = Random(1);
    for (rows, bits) in
        [(1, 1), (1, 924), (12, 66), (64, 64), (65, 63), (220, 495), (792, 924), (924, 1)]
    {
        let (width, to_width) = (usize::div_ceil(bits, 64), usize::div_ceil(rows, 64));
        let last = u64::MAX >> ((64 - bits % 64) % 64);
        let from: Vec<u64> = (0..rows * width)
            .map(|at| random.next() & if at % width == width - 1 { last } else { u64::MAX })
            .collect();
        let reversed: Vec<u16> = (0..rows as u16).rev().collect();
        for order in [None, Some(&reversed[..])] {
            for level in Level::available() {
                let mut to = vec![u64::MAX; bits * to_width];
                dispatch(level, Work(&from, (rows, bits), order, &mut to));
                for i in 0..64 * to_width {
                    for j in 0..bits {
                        let row = order
                            .map_or(i, |order| order.get(i).map_or(i, |&row| usize::from(row)));
                        let expected = i < rows && from[row * width + j / 64] >> (j % 64) & 1 != 0;
                        assert_eq!(
                            to[j * to_width + i / 64] >> (i % 64) & 1 != 0,
                            expected,
                            "{level:?} {rows} {i} {j}"
                        );
                    }
                }
            }
        }
    }
}

/// Calls `visit` with the points and the bit of every goose set of a field, in an orientation. The
/// bit for d4 is not among the points.
fn visit_sets(
    shape: &Shape,
    field: &[u64],
    orientation: usize,
    mut visit: impl FnMut(Vec<Point>, bool),
) {
    for block in &shape.blocks {
        for (row, &row_arm) in SETS.arm[block.row_points].iter().enumerate() {
            for (at, &bit_arm) in SETS.arm[block.bit_points].iter().enumerate() {
                let mut arms = [row_arm; 2];
                arms[1 - orientation] = bit_arm;
                let has = |p: &Point| match SETS.bit_of(*p) {
                    PointBit::Center => false,
                    PointBit::Ring { bit } => block.ring >> bit & 1 != 0,
                    PointBit::Arm { half, bit } => arms[half] >> bit & 1 != 0,
                };
                let word = block.of(field)[row * block.width() + at / 64];
                visit(Point::all().filter(has).collect(), word >> (at % 64) & 1 != 0);
            }
        }
    }
}

#[test]
fn images_of_fields_hold_the_images_of_the_sets() {
    let shape = Shape::new(4);
    let field = Random(2).field(&shape);
    let mut sets = std::collections::HashSet::new();
    visit_sets(&shape, &field, 0, |set, is_in| {
        if is_in {
            sets.insert(set);
        }
    });
    for symmetry in Symmetry::all() {
        for orientation in 0..2 {
            let image =
                image_field(Store::MEMORY, &shape, Level::best(), symmetry, &field, orientation)
                    .unwrap();
            visit_sets(&shape, &image, orientation, |set, is_in| {
                let mut origin: Vec<Point> =
                    set.iter().map(|p| p.image(symmetry.inverse())).collect();
                origin.sort();
                assert_eq!(is_in, sets.contains(&origin), "{symmetry:?} {set:?}");
            });
        }
    }
    let transposed =
        |field: &[u64]| transpose_field(Store::MEMORY, &shape, Level::best(), field).unwrap();
    assert!(*transposed(&transposed(&field)) == field);
}

#[test]
fn images_of_a_block_equal_the_pass_over_each_block() {
    let shape = Shape::new(5);
    let mut random = Random(3);
    for rules in ["free", "forward", "forward+orthogonal"] {
        let game = Hunt::fox_geese(rules).unwrap();
        let cross = game.cross().unwrap();
        for fox in Fox::all(&cross, &cross.index(5)) {
            let orbits = block_orbits(&shape, &fox);
            assert_eq!(
                orbits.iter().any(|orbit| orbit.len() > 1),
                fox.symmetries > 1,
                "{rules}, fox on {}",
                fox.point
            );
            // A few sets and all their images: the complement of a nearly full field intersected
            // with all its images.
            let all = ones(Store::MEMORY, &shape).unwrap();
            let mut rows = Store::MEMORY.copy(&all).unwrap();
            rows.iter_mut()
                .for_each(|word| *word &= !(0..5).fold(u64::MAX, |few, _| few & random.next()));
            symmetrize_field(&shape, Level::best(), &fox, &orbits, &mut rows);
            rows.iter_mut().zip(&*all).for_each(|(word, all)| *word ^= all);
            let transposed = transpose_field(Store::MEMORY, &shape, Level::best(), &rows).unwrap();
            let field = [rows, transposed];
            let pass = |level: Level, orbits: &[Vec<usize>]| {
                let mut geese = [vec![0; shape.words], vec![0; shape.words]];
                let mut outputs = Outputs::new(&shape, &mut geese);
                for orbit in orbits {
                    let (out, scratch) = (outputs.take(orbit), &mut Scratch::default());
                    let (bound, record, field) = (Bound::Least, Vec::new(), &field);
                    let pass = GeesePass {
                        shape: &shape,
                        fox: &fox,
                        field,
                        bound,
                        orbit,
                        out,
                        record,
                        scratch,
                    };
                    dispatch(level, pass);
                }
                geese
            };
            let alone: Vec<Vec<usize>> =
                (0..shape.blocks.len()).map(|number| vec![number]).collect();
            let expected = pass(Level::Portable, &alone);
            let good: u32 = expected[0].iter().map(|word| word.count_ones()).sum();
            let sets: u32 = all.iter().map(|word| word.count_ones()).sum();
            assert!(good > 0 && good < sets, "some positions are good");
            for level in Level::available() {
                assert!(
                    pass(level, &orbits) == expected,
                    "{rules}, fox on {}, {level:?}",
                    fox.point
                );
            }
        }
    }
}

#[test]
fn deltas_and_full_passes_give_the_same_fixpoints_in_as_many_rounds() {
    // Mirrored boards have classes that are read in one orientation, and classes that are read in
    // both.
    for rules in ["free", "forward", "forward+orthogonal"] {
        let game = Hunt::fox_geese(rules).unwrap();
        let cross = game.cross().unwrap();
        let (index, shape) = (cross.index(6), Shape::new(6));
        let foxes = Fox::all(&cross, &index);
        let orbits = all_block_orbits(&shape, &foxes);
        for bound in [Bound::Least, Bound::Greatest] {
            let run = |words_per_change: u64| {
                let store = Store::MEMORY;
                let allowed = without_capture(store, &cross, &shape, &foxes).unwrap();
                let known = match bound {
                    Bound::Least => {
                        foxes.iter().map(|_| store.zeros(shape.words).unwrap()).collect()
                    }
                    Bound::Greatest => store.copies(&allowed).unwrap(),
                };
                let captures = Captures { allowed, forced: Vec::new(), releases: None };
                let classes = (&*foxes, &*orbits);
                let fixpoint =
                    Fixpoint::new(store, &shape, classes, Level::best(), bound, captures, known);
                let mut fixpoint = fixpoint.unwrap().with_words_per_change(words_per_change);
                fixpoint.fox_pass(&Report::none());
                fixpoint.begin_rounds();
                let mut rounds = Vec::new();
                loop {
                    let geese = fixpoint.geese_pass(&Report::none());
                    let fox = fixpoint.fox_pass(&Report::none());
                    rounds.push((geese, fox));
                    if fox == 0 {
                        let words = |field: Fields| {
                            field.iter().flatten().map(|words| words.to_vec()).collect::<Vec<_>>()
                        };
                        return (rounds, words(fixpoint.fox), words(fixpoint.geese));
                    }
                }
            };
            let [never, mostly, always] = [u64::MAX, 4, 1].map(run);
            assert!(never.0.len() > 1);
            for other in [&mostly, &always] {
                // Class counts are rounded up per batch of changes, so only the number of rounds
                // must agree.
                assert_eq!(never.0.len(), other.0.len(), "{rules} {bound:?}");
                assert!(never.1 == other.1, "{rules} {bound:?}: fox to move");
                assert!(never.2 == other.2, "{rules} {bound:?}: geese to move");
            }
        }
    }
}

#[test]
fn blocks_are_contiguous_and_hold_every_set() {
    for geese in 1..=31 {
        let shape = Shape::new(geese);
        let sets: usize =
            shape.blocks.iter().map(|block: &Block| block.rows() * block.bits()).sum();
        let expected = (0..geese as u64).fold(1, |product, i| product * (32 - i) / (i + 1));
        assert_eq!(sets as u64, expected);
        let end = shape.blocks.iter().fold(0, |end, block| {
            assert_eq!(block.start, end);
            end + block.len()
        });
        assert_eq!(end, shape.words);
    }
}
