//! One layer for its outcomes, in a work file with checkpoints.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use anser_core::{Game, LayerIndex, Side, validate};
use anser_table::format::{Counts, ENTRIES_PER_PAIR, Header};
use anser_table::manifest::RunInfo;
use anser_table::{Kind, Metric, Tablebase};
use rayon::prelude::*;

use super::{Run, VALIDATED};
use crate::SolveError;
use crate::checkpoint::progress::Phase;
use crate::checkpoint::work_file::{Job, Opened, WorkFile};
use crate::engines::engine::{Engine, Lower, Plan, Task};
use crate::io::counts::{add, count_positions};
use crate::io::manifest::{GENERATOR, LayerReport, record_table, table_name};
use crate::observer::Event;
use crate::system::memory::resident_memory;

impl<G: Game> Run<'_, G> {
    /// Solves one layer for its outcomes; `None` if its table only wanted its name.
    pub(super) fn outcomes(&self, layer: u16) -> Result<Option<LayerReport>, SolveError> {
        let started = Instant::now();
        validate(self.game, layer, VALIDATED)?;
        let index = self.game.index(layer);
        let header = Header::new_raw(self.game, layer, &index, GENERATOR)
            .map_err(|defect| SolveError::Header { layer, defect })?;
        let name = &table_name(self.game, layer, Metric::Wdl, Kind::Raw);
        let Plan { engine, scratch, .. } = self.engines.of(self.game, layer, &index);
        let (sections, every) = (&engine.sections(&index)[..], self.checkpoint_every);
        let job = Job { dir: self.dir, name, engine: engine.name(), sections, every, started };
        let Opened::Work { work, discarded } = WorkFile::open(job, header)? else {
            if let Some(table) = self.find(layer)? {
                self.list(&table)?;
            }
            return Ok(None);
        };
        if let Some(what) = discarded {
            self.observer.event(&Event::Discarded { layer, what });
        }
        let counts = self.fill(layer, &index, &work, engine, scratch)?;
        let run = RunInfo {
            engine: engine.name().into(),
            rounds: work.progress().rounds(),
            seconds: work.elapsed().as_secs_f64(),
            threads: rayon::current_num_threads(),
        };
        let classes = Side::BOTH.iter().map(|&side| index.len(side)).sum();
        let header = work.finish(counts, |header, readable| {
            record_table(self.game, self.dir, header, readable, Some(run.clone()))
        })?;
        let bytes = header.layout().file_len();
        Ok(Some(LayerReport { layer, metric: Metric::Wdl, classes, counts, bytes, run }))
    }

    /// Brings the values of a layer to their final state, and counts them.
    fn fill(
        &self,
        layer: u16,
        index: &G::Index,
        work: &WorkFile,
        engine: &dyn Engine<G>,
        scratch: Option<u64>,
    ) -> Result<Counts, SolveError> {
        let resumed = work.is_resumed().then(|| work.progress().rounds_done());
        let classes = Side::BOTH.iter().map(|&side| index.len(side)).sum();
        self.observer.event(&Event::Layer { layer, classes, resumed });
        let lower = LowerTables { run: self, layer };
        if let Some(bytes) = scratch {
            self.observer.event(&Event::Spilled { layer, bytes });
        }
        let scratch = scratch.map(|_| self.dir);
        let task = Task { game: self.game, layer, index, work, lower: &lower, scratch, observer: self.observer };
        if work.progress().phase() != Phase::Finish {
            engine.solve(&task)?;
        }
        work.settle()?;
        count(&task)
    }
}

struct LowerTables<'r, G: Game> {
    run: &'r Run<'r, G>,
    layer: u16,
}

impl<G: Game> Lower<G> for LowerTables<'_, G> {
    fn open(&self) -> Result<Tablebase<G>, SolveError> {
        // SAFETY: the directory is locked, and this run does not touch tables that are complete.
        let tables = unsafe { Tablebase::open_mapped(self.run.game.clone(), [self.run.dir]) };
        Ok(tables?)
    }

    fn release(&self, tables: Tablebase<G>) {
        let before = resident_memory();
        drop(tables);
        let resident = before.zip(resident_memory());
        let layers = self.run.game.lower_layers(self.layer);
        if !layers.is_empty() {
            self.run.observer.event(&Event::Released { layers, resident });
        }
    }
}

/// Counts all positions by outcome.
fn count<G: Game>(task: &Task<'_, G>) -> Result<Counts, SolveError> {
    /// Pairs of words that a thread takes at a time.
    const CHUNK: usize = 1024;
    let read = |[first, second]: &[AtomicU64; 2]| [first.load(Relaxed), second.load(Relaxed)];
    let planes = task.work.planes();
    let mut counts = Counts::default();
    for side in Side::BOTH {
        let entries = planes.entries(side);
        task.announce("counts".into(), entries);
        counts[side.index()] = planes
            .pairs(side)
            .par_chunks(CHUNK)
            .enumerate()
            .map(|(chunk, pairs)| {
                task.check_interrupt()?;
                let pairs: Vec<[u64; 2]> = pairs.iter().map(read).collect();
                let start = (chunk * CHUNK) as u64 * ENTRIES_PER_PAIR;
                let ranks = start..entries.min(start + pairs.len() as u64 * ENTRIES_PER_PAIR);
                task.observer.advance(ranks.end - ranks.start);
                Ok::<_, SolveError>(count_positions(task.index, side, ranks, &pairs))
            })
            .try_reduce(|| [0; 3], |a, b| Ok(add(a, b)))?;
        task.work.trim();
    }
    Ok(counts)
}
