//! What a run will need, before it is begun.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use anser_core::{Game, LayerIndex, Next, Side};
use anser_table::{Header, Kind, Manifest, manifest_name, payload_len};

use crate::SolveError;
use crate::engine::Engine;
use crate::memory::{available_disk, available_memory};
use crate::options::SolveOptions;
use crate::planes::Planes;
use crate::record::{GENERATOR, table_name};
use crate::workfile::work_len;

/// Looks at positions, with all their moves, that the general engine spends on a class, all rounds together: measured, 1.5 to
/// 1.8 in layers 7 to 9 of `first-capture`, a third of that under `free`. Layers with more rounds take more.
const LOOKS_PER_CLASS: f64 = 2.0;

/// What a run will need.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The layers to be solved.
    pub layers: Vec<u16>,
    /// Their classes, both sides to move together.
    pub classes: u64,
    /// Roughly how long it will take with the threads at hand.
    pub time: Duration,
    /// The memory that the largest layer needs, in bytes, and which layer that is.
    pub memory: (u64, u16),
    /// What may be used, in bytes; `None` if nobody said and the system does not tell.
    pub memory_budget: Option<u64>,
    /// The disk space that is still to be taken, in bytes.
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

pub(crate) fn estimate<G: Game>(
    game: &G,
    engine: &dyn Engine<G>,
    dir: &Path,
    layers: &[u16],
    options: &SolveOptions,
) -> Estimate {
    let sizes: Vec<Size> = layers.iter().map(|&layer| Size::of(game, engine, dir, layer)).collect();
    let classes = sizes.iter().map(|size| size.classes).sum();
    let memory = sizes.iter().map(|size| (size.memory, size.layer)).max().unwrap_or_default();
    let threads = rayon::current_num_threads() as f64;
    let per_class = seconds_per_class(game, dir).or_else(|| {
        let largest = sizes.iter().max_by_key(|size| size.classes)?;
        Some(seconds_per_look(game, largest.layer) * LOOKS_PER_CLASS)
    });
    let seconds = per_class.unwrap_or_default() * classes as f64 / threads;
    Estimate {
        layers: layers.to_vec(),
        classes,
        time: Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX),
        memory,
        memory_budget: options.memory.or_else(|| available_memory().map(|bytes| bytes / 5 * 4)),
        disk: peak_disk(&sizes),
        disk_free: dir
            .ancestors()
            .find(|dir| dir.is_dir() || dir.as_os_str().is_empty())
            .and_then(|dir| available_disk(if dir.as_os_str().is_empty() { Path::new(".") } else { dir })),
    }
}

struct Size {
    layer: u16,
    classes: u64,
    memory: u64,
    /// What an unfinished table of it has taken on the disk already.
    taken: u64,
    /// What it takes on the disk while it is solved.
    work: u64,
    /// What its table takes.
    table: u64,
}

/// What layers solved one after the other take on the disk at most, beyond what is taken already.
fn peak_disk(sizes: &[Size]) -> u64 {
    let (mut now, mut peak) = (0, 0);
    for size in sizes {
        let [taken, work, table] = [size.taken, size.work, size.table].map(i128::from);
        peak = peak.max(now + work - taken);
        now += table - taken;
    }
    peak.max(now).try_into().unwrap_or(if peak < 0 { 0 } else { u64::MAX })
}

impl Size {
    fn of<G: Game>(game: &G, engine: &dyn Engine<G>, dir: &Path, layer: u16) -> Size {
        let index = game.index(layer);
        let entries = Side::BOTH.map(|side| index.len(side));
        let classes = entries.iter().sum();
        let values = payload_len(entries);
        // While the moves that leave the layer are folded in, the lower layers are there and the engine's own arrays not.
        let lower: u64 = game
            .lower_layers(layer)
            .into_iter()
            .map(|lower| {
                let index = game.index(lower);
                payload_len(Side::BOTH.map(|side| index.len(side)))
            })
            .fold(0, u64::saturating_add);
        let part = dir.join(table_name(game, layer, Kind::Raw).part());
        let taken = std::fs::metadata(part).map_or(0, |file| file.len());
        let (table, work) = Header::new_raw(game, layer, &index, GENERATOR)
            .map_or((u64::MAX, u64::MAX), |header| (header.layout().file_len(), work_len(&header)));
        Size {
            layer,
            classes,
            memory: values
                .saturating_add(Planes::held_len(entries))
                .saturating_add(engine.extra_memory(entries).max(lower)),
            taken,
            work,
            table,
        }
    }
}

/// Thread-seconds a class took in the largest layer that this directory's manifest knows of.
fn seconds_per_class<G: Game>(game: &G, dir: &Path) -> Option<f64> {
    let manifest = Manifest::load(&dir.join(manifest_name(&game.name(), &game.rules_id()))).ok()??;
    let (layer, run) = manifest
        .tables()
        .filter_map(|(_, entry)| Some((entry.layer, entry.run.as_ref()?)))
        .filter(|(layer, run)| game.layers().contains(layer) && run.seconds > 1.0)
        .max_by_key(|&(layer, _)| layer)?;
    let index = game.index(layer);
    let classes: u64 = Side::BOTH.iter().map(|&side| index.len(side)).sum();
    Some(run.seconds * run.threads as f64 / classes as f64)
}

/// How long one thread of this machine takes to look at a position and all its moves.
fn seconds_per_look<G: Game>(game: &G, layer: u16) -> f64 {
    let index = game.index(layer);
    // The first time round tables are made and caches filled.
    look_around(game, layer, &index);
    let started = Instant::now();
    let looks = look_around(game, layer, &index);
    started.elapsed().as_secs_f64() / looks.max(1) as f64
}

/// Looks at positions all over a layer, and says at how many.
fn look_around<G: Game>(game: &G, layer: u16, index: &G::Index) -> u64 {
    const LOOKS: u64 = 20_000;
    let mut looks = 0;
    for side in Side::BOTH {
        let len = index.len(side);
        let count = LOOKS.min(len);
        for look in 0..count {
            let position = index.unrank(side, (u128::from(look) * u128::from(len) / u128::from(count)) as u64);
            let _ = game.visit_moves(&position, |_, next| {
                if let Next::Position(next) = next
                    && game.layer(&next) == layer
                {
                    black_box(index.rank(&next));
                }
                ControlFlow::<()>::Continue(())
            });
        }
        looks += count;
    }
    looks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disk_is_needed_for_the_fullest_moment_and_not_twice() {
        let size = |taken, work, table| Size { layer: 1, classes: 0, memory: 0, taken, work, table };
        assert_eq!(peak_disk(&[]), 0);
        assert_eq!(peak_disk(&[size(0, 15, 10)]), 15);
        // A run that is gone on with needs nothing more.
        assert_eq!(peak_disk(&[size(15, 15, 10)]), 0);
        assert_eq!(peak_disk(&[size(0, 15, 10), size(0, 30, 20), size(0, 3, 2)]), 40);
        assert_eq!(peak_disk(&[size(15, 15, 10), size(0, 30, 20)]), 25);
    }
}
