//! What a run will need, before it is begun.

use std::path::Path;
use std::time::Duration;

use anser_core::Side;
use anser_core::prelude::*;
use anser_table::format::Header;
use anser_table::manifest::Manifest;
use anser_table::{Kind, Metric};

use crate::SolveError;
use crate::checkpoint::work_file::work_len;
use crate::engines::engine::{Cost, Plan};
use crate::io::codes::estimated_header;
use crate::io::manifest::{GENERATOR, table_name};
use crate::run::options::SolveOptions;
use crate::system::memory::{available_disk, available_memory};

/// What a run will need.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The layers to be solved.
    pub layers: Vec<u16>,
    /// The engines, each with the number of layers it is to solve, in the order of the layers.
    pub engines: Vec<(&'static str, usize)>,
    /// Their classes, both sides to move together.
    pub classes: u64,
    /// Roughly how long it will take with the threads at hand.
    pub time: Duration,
    /// The memory that the largest layer needs, in bytes, and which layer that is.
    pub memory: (u64, u16),
    /// What may be used, in bytes; `None` if nobody said and the system does not tell.
    pub memory_budget: Option<u64>,
    /// The layers that take more memory than may be used, so that they are solved with scratch files, and slower.
    pub spilled: Vec<u16>,
    /// What the scratch files of a layer take on the disk at most, in bytes.
    pub scratch: u64,
    /// The disk space that is still to be taken, in bytes, scratch files included.
    pub disk: u64,
    /// What is free, in bytes, where the system tells.
    pub disk_free: Option<u64>,
}

impl Estimate {
    /// An error if memory or disk, which is where `dir` is, do not suffice.
    pub fn check(&self, dir: &Path) -> Result<(), SolveError> {
        let (needed, layer) = self.memory;
        if let Some(budget) = self.memory_budget.filter(|&budget| budget < needed) {
            return Err(SolveError::Memory { layer, needed, budget });
        }
        if let Some(free) = self.disk_free.filter(|&free| free < self.disk) {
            return Err(SolveError::Disk { path: dir.to_owned(), needed: self.disk, free });
        }
        Ok(())
    }
}

/// `plan` says how a layer is to be solved.
pub(crate) fn estimate<'e, G: Game>(
    game: &G,
    plan: &impl Fn(u16, &G::Index) -> Plan<'e, dyn Cost<G>>,
    dir: &Path,
    layers: &[u16],
    options: &SolveOptions,
) -> Estimate {
    let sizes: Vec<Size> = layers.iter().map(|&layer| Size::of(game, plan, dir, layer, options.metric)).collect();
    let classes = sizes.iter().map(|size| size.classes).sum();
    let memory = sizes.iter().map(|size| (size.memory, size.layer)).max().unwrap_or_default();
    let seconds = seconds(game, plan, dir, &sizes);
    Estimate {
        layers: layers.to_vec(),
        engines: names(&sizes),
        classes,
        time: Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX),
        memory,
        memory_budget: memory_budget(options),
        spilled: sizes.iter().filter(|size| size.scratch.is_some()).map(|size| size.layer).collect(),
        scratch: sizes.iter().filter_map(|size| size.scratch).max().unwrap_or(0),
        disk: peak_disk(&sizes),
        disk_free: dir
            .ancestors()
            .find(|dir| dir.is_dir() || dir.as_os_str().is_empty())
            .and_then(|dir| available_disk(if dir.as_os_str().is_empty() { Path::new(".") } else { dir })),
    }
}

/// The memory that may be used, in bytes; `None` if nobody said and the system does not tell.
pub(crate) fn memory_budget(options: &SolveOptions) -> Option<u64> {
    options.memory.or_else(|| available_memory().map(|bytes| bytes / 5 * 4))
}

struct Size {
    layer: u16,
    engine: &'static str,
    classes: u64,
    memory: u64,
    /// What an unfinished table of it has taken on the disk already.
    taken: u64,
    /// What it takes on the disk while it is solved, scratch files left out.
    work: u64,
    /// What scratch files take, if there are to be any.
    scratch: Option<u64>,
    /// What its table takes.
    table: u64,
}

/// What layers solved one after the other take on the disk at most, beyond what is taken already.
fn peak_disk(sizes: &[Size]) -> u64 {
    let (mut now, mut peak) = (0, 0);
    for size in sizes {
        let work = size.work.saturating_add(size.scratch.unwrap_or(0));
        let [taken, work, table] = [size.taken, work, size.table].map(i128::from);
        peak = peak.max(now + work - taken);
        now += table - taken;
    }
    peak.max(now).try_into().unwrap_or(if peak < 0 { 0 } else { u64::MAX })
}

impl Size {
    fn of<'e, G: Game>(
        game: &G,
        plan: &impl Fn(u16, &G::Index) -> Plan<'e, dyn Cost<G>>,
        dir: &Path,
        layer: u16,
        metric: Metric,
    ) -> Size {
        let index = game.index(layer);
        let Plan { engine, memory, scratch, .. } = plan(layer, &index);
        let classes = Side::BOTH.iter().map(|&side| index.len(side)).sum();
        let part = dir.join(table_name(game, layer, metric, Kind::Raw).part());
        let taken = std::fs::metadata(part).map_or(0, |file| file.len());
        let lengths = match metric {
            // Distances are in memory until the table is written.
            Metric::Dtw => estimated_header(game, layer, &index).map(|header| [header.layout().file_len(); 2]),
            _ => Header::new_raw(game, layer, &index, GENERATOR)
                .map(|header| [header.layout().file_len(), work_len(&header, &engine.sections(&index))]),
        };
        let [table, work] = lengths.unwrap_or([u64::MAX; 2]);
        Size { layer, engine: engine.name(), classes, memory, taken, work, scratch, table }
    }
}

/// The engines of layers, each once for all layers in a row.
fn names(sizes: &[Size]) -> Vec<(&'static str, usize)> {
    sizes.chunk_by(|a, b| a.engine == b.engine).map(|layers| (layers[0].engine, layers.len())).collect()
}

/// Roughly how many seconds the layers take: as the layers tell that this directory's manifest knows of, or else as something
/// short tells that is measured in the largest layer of each engine.
fn seconds<'e, G: Game>(
    game: &G,
    plan: &impl Fn(u16, &G::Index) -> Plan<'e, dyn Cost<G>>,
    dir: &Path,
    sizes: &[Size],
) -> f64 {
    // Threads beyond the cores do not make it faster.
    let threads = rayon::current_num_threads().min(std::thread::available_parallelism().map_or(1, usize::from));
    let manifest = Manifest::load(&dir.join(Manifest::file_name(&game.name(), &game.rules_id()))).ok().flatten();
    let mut known: Vec<&'static str> = sizes.iter().map(|size| size.engine).collect();
    known.sort_unstable();
    known.dedup();
    let of_engine = |name: &'static str| {
        let layers = || sizes.iter().filter(|size| size.engine == name);
        let Some(largest) = layers().max_by_key(|size| size.classes) else { return 0.0 };
        let index = game.index(largest.layer);
        let engine = plan(largest.layer, &index).engine;
        let effort = |layer: u16, threads: usize| engine.effort(game, layer, &game.index(layer)).with(threads);
        let units: f64 = layers().map(|size| effort(size.layer, threads)).sum();
        let per_unit = manifest
            .as_ref()
            .and_then(|manifest| recorded(game, manifest, name, effort))
            .unwrap_or_else(|| engine.measure(game, largest.layer, &index));
        units * per_unit
    };
    known.into_iter().map(of_engine).sum::<f64>() + SECONDS_PER_LAYER * sizes.len() as f64
}

/// Seconds for writing, syncing and renaming the files of a layer, however small.
const SECONDS_PER_LAYER: f64 = 0.005;

/// Seconds that a unit of an engine took in the layers that a manifest knows of, if they took long enough to tell.
fn recorded<G: Game>(game: &G, manifest: &Manifest, engine: &str, effort: impl Fn(u16, usize) -> f64) -> Option<f64> {
    let runs = manifest.tables().filter_map(|(_, entry)| Some((entry.layer, entry.run.as_ref()?)));
    let (seconds, units) = runs
        .filter(|(layer, run)| game.layers().contains(layer) && run.engine == engine)
        .map(|(layer, run)| (run.seconds, effort(layer, run.threads)))
        .fold((0.0, 0.0), |sum, run| (sum.0 + run.0, sum.1 + run.1));
    (seconds > SECONDS_TO_TELL && units > 0.0).then(|| seconds / units)
}

/// Seconds that recorded layers must have taken.
const SECONDS_TO_TELL: f64 = 0.5;

#[cfg(test)]
mod tests {
    use anser_core::fox_geese::FoxGeese;
    use anser_table::manifest::{FileDigest, ManifestEntry, RunInfo};

    use super::*;
    use crate::EngineChoice;

    #[test]
    fn the_time_is_what_the_recorded_layers_tell() {
        let (dir, game) = (tempfile::tempdir().unwrap(), FoxGeese::default());
        let estimate = |top: u16, engine| {
            let options =
                SolveOptions { layers: Some(1..=top), threads: Some(1), engine, ..SolveOptions::new(dir.path()) };
            crate::plan(&game, &options).unwrap().time.as_secs_f64()
        };
        let classes = |layer: u16| {
            let index = game.index(layer);
            Side::BOTH.into_iter().map(|side| index.len(side)).sum::<u64>() as f64
        };
        let record = |seconds: f64, threads: usize| {
            let mut manifest = Manifest::new(&game.name(), &game.rules_id());
            let entry = ManifestEntry {
                layer: 5,
                metric: Metric::Wdl,
                kind: Kind::Raw,
                file: FileDigest { bytes: 0, blake3: String::new(), sha256: String::new() },
                payload_blake3: String::new(),
                run: Some(RunInfo { engine: "general".into(), rounds: 1, seconds, threads }),
            };
            manifest.insert("a", entry);
            std::fs::write(dir.path().join(Manifest::file_name(&game.name(), &game.rules_id())), manifest.to_json())
                .unwrap();
        };
        // A thousand seconds with one thread, or as many with two, which is twice the work.
        let expected = (1..=7).map(classes).sum::<f64>() * 1000.0 / classes(5);
        record(1000.0, 1);
        let one = estimate(7, EngineChoice::General);
        assert!((one / expected - 1.0).abs() < 0.01, "{one} {expected}");
        record(1000.0, 2);
        let two = estimate(7, EngineChoice::General);
        assert!((two / expected - 2.0).abs() < 0.01, "{two} {expected}");
        // Another engine's runs tell nothing, and neither does what took no time.
        assert!(estimate(5, EngineChoice::Best) < 500.0);
        record(0.001, 1);
        assert!(estimate(5, EngineChoice::General) > 0.01);
    }

    #[test]
    fn disk_is_needed_for_the_fullest_moment_and_not_twice() {
        let spilled = |scratch, taken, work, table| Size {
            layer: 1,
            engine: "general",
            classes: 0,
            memory: 0,
            taken,
            work,
            scratch,
            table,
        };
        let size = |taken, work, table| spilled(None, taken, work, table);
        assert_eq!(peak_disk(&[]), 0);
        assert_eq!(peak_disk(&[size(0, 15, 10)]), 15);
        // A run that is gone on with needs nothing more.
        assert_eq!(peak_disk(&[size(15, 15, 10)]), 0);
        assert_eq!(peak_disk(&[size(0, 15, 10), size(0, 30, 20), size(0, 3, 2)]), 40);
        assert_eq!(peak_disk(&[size(15, 15, 10), size(0, 30, 20)]), 25);
        // Scratch files are gone when the layer is done, and there is nothing of them to go on with.
        assert_eq!(peak_disk(&[spilled(Some(30), 0, 15, 10), size(0, 20, 20)]), 45);
        assert_eq!(peak_disk(&[spilled(Some(30), 15, 15, 10)]), 30);
    }
}
