//! Estimates of time, memory, and disk space.

use std::path::Path;
use std::time::Duration;

use anser_core::Hunt;
use anser_table::manifest::Manifest;

use super::directory::Todo;
use super::disk::{Tables, packing_seconds, peak_disk};
use super::options::SolveOptions;
use super::size::{Size, threads};
use crate::SolveError;
use crate::engines::choice::Engines;
use crate::reports::{Estimate, PlannedPass, Traffic};
use crate::system::memory::available_disk;

/// Estimates a run.
pub(super) fn estimate(
    game: &Hunt,
    engines: &Engines,
    todo: &Todo,
    options: &SolveOptions,
) -> Result<Estimate, SolveError> {
    let dir = &options.dir;
    let mut sizes = Vec::new();
    for &(layer, metrics) in &todo.open {
        let index = game.index(layer);
        for plan in engines.plan(game, layer, &index, metrics)? {
            sizes.push(Size::of(game, dir, layer, &index, &plan));
        }
    }
    let classes = sizes.chunk_by(|a, b| a.layer == b.layer).map(|passes| passes[0].classes).sum();
    let memory = sizes.iter().map(|size| (size.memory, size.layer)).max().unwrap_or_default();
    let tables = Tables { game, dir, packs: options.packed };
    let packings = tables.packings(todo, options.metrics);
    let seconds = seconds(game, engines, dir, &sizes) + packing_seconds(&packings);
    let mut packed: Vec<u16> =
        packings.iter().filter(|packing| packing.packs()).map(|packing| packing.table.0).collect();
    packed.dedup();
    let disk = tables.changes(todo, &sizes, &packings);
    let passes = sizes.iter().map(|size| PlannedPass {
        layer: size.layer,
        metrics: size.metrics,
        classes: size.classes,
        engine: size.engine,
        spilled: size.scratch.is_some(),
    });
    Ok(Estimate {
        passes: passes.collect(),
        general_because: engines.general_because(),
        packed,
        classes,
        time: Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX),
        memory,
        traffic: sizes.iter().filter_map(|size| size.traffic).reduce(|sum, traffic| Traffic {
            bytes: sum.bytes.saturating_add(traffic.bytes),
            ..sum
        }),
        // Not measured again: the engines were chosen for this limit.
        memory_budget: engines.memory(),
        scratch: sizes.iter().filter_map(|size| size.scratch).max().unwrap_or(0),
        disk: peak_disk(disk),
        disk_free: dir.ancestors().find(|dir| dir.is_dir() || dir.as_os_str().is_empty()).and_then(
            |dir| available_disk(if dir.as_os_str().is_empty() { Path::new(".") } else { dir }),
        ),
    })
}

/// Returns roughly the seconds that the passes take: by the layers in the manifest of this
/// directory, or else by a short measurement in the largest layer of each engine.
fn seconds(game: &Hunt, engines: &Engines, dir: &Path, sizes: &[Size]) -> f64 {
    let threads = threads();
    let manifest =
        Manifest::load(&dir.join(Manifest::file_name(game.name(), game.rules_id()))).ok().flatten();
    let mut names: Vec<&'static str> = sizes.iter().map(|size| size.engine).collect();
    names.sort_unstable();
    names.dedup();
    let of_engine = |name: &'static str| {
        let passes = || sizes.iter().filter(|size| size.engine == name);
        let (largest, engine) =
            passes().max_by_key(|size| size.classes).zip(engines.named(name))?;
        let effort = |layer: u16, threads: usize| {
            engine.effort(game, layer, &game.index(layer)).with(threads)
        };
        let units: f64 = passes().map(|size| effort(size.layer, threads)).sum();
        let per_unit = manifest
            .as_ref()
            .and_then(|manifest| recorded(game, manifest, name, effort))
            .unwrap_or_else(|| engine.measure(game, largest.layer, &game.index(largest.layer)));
        Some(units * per_unit)
    };
    names.into_iter().filter_map(of_engine).sum::<f64>() + SECONDS_PER_LAYER * sizes.len() as f64
}

/// Seconds for writing, syncing, and renaming the files of a layer of any size.
const SECONDS_PER_LAYER: f64 = 0.005;

/// Returns the seconds that a unit of an engine took in the layers of a manifest, if these took
/// long enough.
fn recorded(
    game: &Hunt,
    manifest: &Manifest,
    engine: &str,
    effort: impl Fn(u16, usize) -> f64,
) -> Option<f64> {
    let runs = manifest.tables().filter_map(|(_, entry)| Some((entry.layer, entry.run.as_ref()?)));
    let (seconds, units) = runs
        .filter(|(layer, run)| game.layers().contains(layer) && run.engine == engine)
        .map(|(layer, run)| (run.seconds, effort(layer, run.threads)))
        .fold((0.0, 0.0), |sum, run| (sum.0 + run.0, sum.1 + run.1));
    (seconds > LEAST_SECONDS && units > 0.0).then(|| seconds / units)
}

/// The least seconds that recorded layers must have taken together.
const LEAST_SECONDS: f64 = 0.5;

#[cfg(test)]
mod tests {
    use anser_core::{LayerIndex, Side};
    use anser_table::manifest::{FileDigest, ManifestEntry, RunInfo};
    use anser_table::{Kind, Metric};

    use super::*;
    use crate::EngineChoice;
    use crate::run::metrics::Metrics;

    #[test]
    fn the_memory_limit_is_the_one_that_the_engines_were_chosen_for() {
        let (dir, game) = (tempfile::tempdir().unwrap(), Hunt::default());
        let engines = Engines::new(&game, EngineChoice::Best, Some(1 << 40));
        let open = vec![(4, Metrics::from(Metric::Wdl))];
        let todo = Todo { layers: 4..=4, open, unpack: Vec::new() };
        let found = estimate(&game, &engines, &todo, &SolveOptions::new(dir.path())).unwrap();
        assert_eq!(found.memory_budget, Some(1 << 40));
    }

    #[test]
    fn the_time_follows_from_the_recorded_layers() {
        let (dir, game) = (tempfile::tempdir().unwrap(), Hunt::default());
        let estimate = |top: u16, engine| {
            let options = SolveOptions {
                layers: Some(1..=top),
                threads: Some(1),
                engine,
                ..SolveOptions::new(dir.path())
            };
            crate::plan(&game, &options).unwrap().time.as_secs_f64()
        };
        let classes = |layer: u16| {
            let index = game.index(layer);
            Side::BOTH.into_iter().map(|side| index.len(side)).sum::<u64>() as f64
        };
        let record = |seconds: f64, threads: usize| {
            let mut manifest = Manifest::new(game.name(), game.rules_id());
            let entry = ManifestEntry {
                layer: 5,
                metric: Metric::Wdl,
                kind: Kind::Raw,
                file: FileDigest { bytes: 0, blake3: String::new(), sha256: String::new() },
                payload_blake3: String::new(),
                run: Some(RunInfo { engine: "general".into(), rounds: 1, seconds, threads }),
            };
            manifest.insert("a", entry);
            std::fs::write(
                dir.path().join(Manifest::file_name(game.name(), game.rules_id())),
                manifest.to_json(),
            )
            .unwrap();
        };
        // A thousand seconds with one thread; with two threads that is twice the work.
        let expected = (1..=7).map(classes).sum::<f64>() * 1000.0 / classes(5);
        record(1000.0, 1);
        let one = estimate(7, EngineChoice::General);
        assert!((one / expected - 1.0).abs() < 0.01, "{one} {expected}");
        record(1000.0, 2);
        let two = estimate(7, EngineChoice::General);
        assert!((two / expected - 2.0).abs() < 0.01, "{two} {expected}");
        // Packing takes time for every class.
        let options = |packed| SolveOptions {
            layers: Some(1..=7),
            threads: Some(1),
            engine: EngineChoice::General,
            packed,
            ..SolveOptions::new(dir.path())
        };
        let time = |packed| crate::plan(&game, &options(packed)).unwrap().time.as_secs_f64();
        let packing = (1..=7).map(classes).sum::<f64>() * 20e-9;
        assert!((time(true) - time(false) - packing).abs() < 0.01, "{packing}");
        // Runs of another engine do not count, nor do very short ones.
        assert!(estimate(5, EngineChoice::Best) < 500.0);
        record(0.001, 1);
        assert!(estimate(5, EngineChoice::General) > 0.01);
    }

    #[test]
    fn the_disk_space_is_the_greatest_at_any_moment() {
        let spilled = |scratch, taken, work, table| Size {
            layer: 1,
            metrics: Metric::Wdl.into(),
            engine: "general",
            classes: 0,
            memory: 0,
            traffic: None,
            taken,
            work,
            scratch,
            table,
        };
        let size = |taken, work, table| spilled(None, taken, work, table);
        let peak_disk = |sizes: &[Size]| peak_disk(sizes.iter().map(Size::change));
        assert_eq!(peak_disk(&[]), 0);
        assert_eq!(peak_disk(&[size(0, 15, 10)]), 15);
        // A run that resumes needs no more space.
        assert_eq!(peak_disk(&[size(15, 15, 10)]), 0);
        assert_eq!(peak_disk(&[size(0, 15, 10), size(0, 30, 20), size(0, 3, 2)]), 40);
        assert_eq!(peak_disk(&[size(15, 15, 10), size(0, 30, 20)]), 25);
        // Scratch files are removed with the layer, and not reused by a run that resumes.
        assert_eq!(peak_disk(&[spilled(Some(30), 0, 15, 10), size(0, 20, 20)]), 45);
        assert_eq!(peak_disk(&[spilled(Some(30), 15, 15, 10)]), 30);
    }
}
