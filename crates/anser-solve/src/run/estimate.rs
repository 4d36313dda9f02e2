//! Estimates of time, memory, and disk space.

use std::path::Path;
use std::time::Duration;

use anser_core::Hunt;
use anser_table::manifest::Manifest;

use super::directory::{OpenLayer, Run, Todo};
use super::disk::{packing_seconds, peak_disk};
use super::size::Size;
use crate::LayerOf;
use crate::engines::choice::Plan;
use crate::reports::{Estimate, PlannedPass, Traffic};
use crate::system::memory::available_disk;
use crate::system::threads::working_threads;

impl Run<'_> {
    /// Estimates the run.
    pub(super) fn estimate(&self, todo: &Todo) -> Estimate {
        let Run { game, dir, ref engines, .. } = *self;
        let size = |&(layer, metrics): &OpenLayer| {
            let of = LayerOf { game, layer, index: &game.index(layer) };
            Size::of(self, of, engines.plan(of, metrics))
        };
        let sizes: Vec<Size<'_>> = todo.open.iter().map(size).collect();
        let classes = sizes.iter().map(|size| size.classes).sum();
        let memory = sizes.iter().map(|size| (size.plan.memory, size.layer)).max();
        let packings = self.packings(todo);
        let packing = packing_seconds(&packings);
        let [time, most_time] = self
            .seconds(&sizes)
            .map(|seconds| Duration::try_from_secs_f64(seconds + packing).unwrap_or(Duration::MAX));
        let mut packed: Vec<u16> = packings
            .iter()
            .filter(|packing| packing.packs())
            .map(|packing| packing.table.0)
            .collect();
        packed.dedup();
        let disk = self.changes(todo, &sizes, &packings);
        let passes = sizes.iter().map(|size| PlannedPass {
            layer: size.layer,
            metrics: size.plan.metrics,
            classes: size.classes,
            engine: size.plan.engine.name(),
            spilled: size.plan.scratch.is_some(),
        });
        let traffic = sizes.iter().filter_map(|size| size.plan.traffic);
        let existing = dir.ancestors().find(|dir| dir.is_dir() || dir.as_os_str().is_empty());
        Estimate {
            passes: passes.collect(),
            general_because: engines.general_because(),
            packed,
            classes,
            time,
            most_time,
            memory: memory.unwrap_or_default(),
            traffic: traffic.reduce(|sum, traffic| Traffic {
                bytes: sum.bytes.saturating_add(traffic.bytes),
                ..sum
            }),
            // Not measured again: the engines were chosen for this limit.
            memory_budget: engines.memory(),
            scratch: sizes.iter().filter_map(|size| size.plan.scratch).max().unwrap_or(0),
            disk: peak_disk(disk),
            disk_free: existing.and_then(|dir| {
                available_disk(if dir.as_os_str().is_empty() { Path::new(".") } else { dir })
            }),
        }
    }

    /// Returns roughly the seconds that the passes take, and those at most: by the layers in the
    /// manifest of the directory, or else by a short measurement in the largest layer of each
    /// engine.
    fn seconds(&self, sizes: &[Size<'_>]) -> [f64; 2] {
        let game = self.game;
        let manifest = Manifest::file_name(game.name(), game.rules_id());
        let manifest = Manifest::load(&self.dir.join(manifest)).ok().flatten();
        let mut names: Vec<&str> = sizes.iter().map(|size| size.plan.engine.name()).collect();
        names.sort_unstable();
        names.dedup();
        let of_engine = |name: &str| {
            let passes = || sizes.iter().filter(|size| size.plan.engine.name() == name);
            let &Size { layer: largest, plan: Plan { engine, .. }, .. } =
                passes().max_by_key(|size| size.classes)?;
            let effort = |layer: u16, threads: usize| {
                engine.effort(LayerOf { game, layer, index: &game.index(layer) }).with(threads)
            };
            let (mut units, mut most_units) = (0.0, 0.0);
            for &Size { layer, .. } in passes() {
                let of = LayerOf { game, layer, index: &game.index(layer) };
                let of_layer = engine.effort(of).with(working_threads());
                units += of_layer;
                most_units += of_layer * engine.most(of);
            }
            let recorded =
                manifest.as_ref().and_then(|manifest| recorded(game, manifest, name, effort));
            let measure =
                || engine.measure(LayerOf { game, layer: largest, index: &game.index(largest) });
            let per_unit = recorded.unwrap_or_else(measure);
            let seconds = units * per_unit;
            // Layers that are recorded may have taken the most already.
            let most = if most_units > units { most_units * measure() } else { seconds };
            Some([seconds, seconds.max(most)])
        };
        let fixed = SECONDS_PER_LAYER * sizes.len() as f64;
        let of_engines = names.into_iter().filter_map(of_engine);
        of_engines.fold([fixed; 2], |sum, one| [sum[0] + one[0], sum[1] + one[1]])
    }
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
    use crate::engines::choice::Engines;
    use crate::run::metrics::Metrics;
    use crate::run::size::Change;
    use crate::{EngineChoice, PACK_LEVEL, SolveOptions, Unobserved};

    #[test]
    fn the_memory_limit_is_the_one_that_the_engines_were_chosen_for() {
        let (dir, game) = (tempfile::tempdir().unwrap(), Hunt::default());
        let engines = Engines::new(&game, EngineChoice::Best, Some(1 << 40));
        let open = vec![(4, Metrics::from(Metric::Wdl))];
        let todo = Todo { layers: 4..=4, open, unpack: Vec::new() };
        let options = SolveOptions::new(dir.path());
        let run = Run { engines, ..Run::new(&game, &options, &Unobserved).unwrap() };
        let found = run.estimate(&todo);
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
        for (level, times) in [(PACK_LEVEL, 1.0), (9, 0.2)] {
            let more = time(Some(level)) - time(None);
            assert!((more - packing * times).abs() < 0.001 * packing, "{more} {packing}");
        }
        // Runs of another engine do not count, nor do very short ones.
        assert!(estimate(5, EngineChoice::Best) < 500.0);
        record(0.001, 1);
        assert!(estimate(5, EngineChoice::General) > 0.01);
    }

    #[test]
    fn the_disk_space_is_the_greatest_at_any_moment() {
        let spilled = |scratch: u64, taken, work, table| Change::pass(taken, work + scratch, table);
        let size = |taken, work, table| spilled(0, taken, work, table);
        let peak_disk = |changes: &[Change]| peak_disk(changes.iter().copied());
        assert_eq!(peak_disk(&[]), 0);
        assert_eq!(peak_disk(&[size(0, 15, 10)]), 15);
        // A run that resumes needs no more space.
        assert_eq!(peak_disk(&[size(15, 15, 10)]), 0);
        assert_eq!(peak_disk(&[size(0, 15, 10), size(0, 30, 20), size(0, 3, 2)]), 40);
        assert_eq!(peak_disk(&[size(15, 15, 10), size(0, 30, 20)]), 25);
        // Scratch files are removed with the layer, and not reused by a run that resumes.
        assert_eq!(peak_disk(&[spilled(30, 0, 15, 10), size(0, 20, 20)]), 45);
        assert_eq!(peak_disk(&[spilled(30, 15, 15, 10)]), 30);
    }
}
