//! What a run will need, before it is begun.

use std::path::Path;
use std::time::Duration;

use anser_core::{Game, LayerIndex, Side};
use anser_table::{Header, Kind, Manifest, Metric, manifest_name};

use crate::SolveError;
use crate::distances::estimated_header;
use crate::engine::{Cost, Plan};
use crate::memory::{available_disk, available_memory};
use crate::options::SolveOptions;
use crate::record::{GENERATOR, table_name};
use crate::workfile::work_len;

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
    let threads = rayon::current_num_threads() as f64;
    let seconds = seconds(game, plan, dir, &sizes) / threads;
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

/// Roughly how many seconds one thread takes for the layers: as earlier layers tell, or else as something short tells that
/// is measured in the largest layer of each engine.
fn seconds<'e, G: Game>(
    game: &G,
    plan: &impl Fn(u16, &G::Index) -> Plan<'e, dyn Cost<G>>,
    dir: &Path,
    sizes: &[Size],
) -> f64 {
    let mut known: Vec<&'static str> = sizes.iter().map(|size| size.engine).collect();
    known.sort_unstable();
    known.dedup();
    known
        .into_iter()
        .map(|name| {
            let layers = || sizes.iter().filter(|size| size.engine == name);
            let per_class = seconds_per_class(game, name, dir).or_else(|| {
                let largest = layers().max_by_key(|size| size.classes)?;
                let index = game.index(largest.layer);
                let seconds = plan(largest.layer, &index).engine.seconds(game, largest.layer, &index);
                Some(seconds / largest.classes.max(1) as f64)
            });
            per_class.unwrap_or_default() * layers().map(|size| size.classes).sum::<u64>() as f64
        })
        .sum()
}

/// Thread-seconds a class took in the largest layer that this directory's manifest knows of.
fn seconds_per_class<G: Game>(game: &G, engine: &str, dir: &Path) -> Option<f64> {
    let manifest = Manifest::load(&dir.join(manifest_name(&game.name(), &game.rules_id()))).ok()??;
    let (layer, run) = manifest
        .tables()
        .filter_map(|(_, entry)| Some((entry.layer, entry.run.as_ref()?)))
        .filter(|(layer, run)| game.layers().contains(layer) && run.engine == engine && run.seconds > 1.0)
        .max_by_key(|&(layer, _)| layer)?;
    let index = game.index(layer);
    let classes: u64 = Side::BOTH.iter().map(|&side| index.len(side)).sum();
    Some(run.seconds * run.threads as f64 / classes as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

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
