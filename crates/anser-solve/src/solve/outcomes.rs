//! One layer for its outcomes: values change in place in a work file, which goes on where it was left.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anser_core::{Game, Side, validate};
use anser_table::{Counts, ENTRIES_PER_PAIR, Header, Kind, Metric, RunInfo, Tablebase};
use rayon::prelude::*;

use super::{Run, VALIDATED};
use crate::SolveError;
use crate::counts::{add, count_positions};
use crate::engine::{Lower, Plan, Task};
use crate::memory::resident_memory;
use crate::observer::{Event, Observer};
use crate::progress::Progress;
use crate::record::{GENERATOR, LayerReport, record_table, table_name};
use crate::workfile::{Opened, WorkFile};

impl<G: Game> Run<'_, G> {
    /// Solves one layer for its outcomes; `None` if its table only wanted its name.
    pub(super) fn outcomes(&self, layer: u16) -> Result<Option<LayerReport>, SolveError> {
        let started = Instant::now();
        validate(self.game, layer, VALIDATED)?;
        let index = self.game.index(layer);
        let header = Header::new_raw(self.game, layer, &index, GENERATOR)
            .map_err(|defect| SolveError::Header { layer, defect })?;
        let name = table_name(self.game, layer, Metric::Wdl, Kind::Raw);
        let Opened::Work { work, discarded } = WorkFile::open(self.dir, &name, header)? else {
            if let Some(table) = self.find(layer)? {
                self.list(&table)?;
            }
            return Ok(None);
        };
        if discarded {
            self.observer.event(&Event::Discarded { layer });
        }
        let (counts, run) = self.fill(layer, &index, &work, started)?;
        let classes = Side::BOTH.iter().map(|&side| work.planes().entries(side)).sum();
        let header = work.finish(counts, |header, readable| {
            record_table(self.game, self.dir, header, readable, Some(run.clone()))
        })?;
        let bytes = header.layout().file_len();
        Ok(Some(LayerReport { layer, metric: Metric::Wdl, classes, counts, bytes, run }))
    }

    /// Brings the values of a layer to their final state.
    fn fill(
        &self,
        layer: u16,
        index: &G::Index,
        work: &WorkFile,
        started: Instant,
    ) -> Result<(Counts, RunInfo), SolveError> {
        let (planes, progress) = (work.planes(), work.progress());
        let clock = Clock { progress, before: progress.elapsed(), started };
        let resumed = progress.is_resumed().then(|| progress.rounds_done());
        let classes = Side::BOTH.iter().map(|&side| planes.entries(side)).sum();
        self.observer.event(&Event::Layer { layer, classes, resumed });

        let lower = LowerTables { run: self, work, layer };
        let observer = &Watch { clock: &clock, observer: self.observer };
        let Plan { engine, scratch, .. } = self.engines.of(self.game, layer, index);
        if let Some(bytes) = scratch {
            self.observer.event(&Event::Spilled { layer, bytes });
        }
        let scratch = scratch.map(|_| self.dir);
        let task = Task { game: self.game, layer, index, planes, progress, lower: &lower, scratch, observer };
        let counted = engine.solve(&task).and_then(|()| count(&task));
        clock.note();
        if matches!(counted, Err(SolveError::Interrupted)) {
            work.flush()?;
        }
        let run = RunInfo {
            engine: engine.name().into(),
            rounds: progress.rounds(),
            seconds: progress.elapsed().as_secs_f64(),
            threads: rayon::current_num_threads(),
        };
        Ok((counted?, run))
    }
}

/// Keeps the time of a layer over all runs.
struct Clock<'a> {
    progress: Progress<'a>,
    before: Duration,
    started: Instant,
}

impl Clock<'_> {
    fn note(&self) {
        self.progress.set_elapsed(self.before + self.started.elapsed());
    }
}

/// An observer that keeps the clock going on the way.
struct Watch<'c, 'a> {
    clock: &'c Clock<'a>,
    observer: &'c dyn Observer,
}

impl Observer for Watch<'_, '_> {
    fn event(&self, event: &Event) {
        self.clock.note();
        self.observer.event(event);
    }

    fn advance(&self, units: u64) {
        self.observer.advance(units);
    }

    fn interrupted(&self) -> bool {
        self.observer.interrupted()
    }
}

struct LowerTables<'r, G: Game> {
    run: &'r Run<'r, G>,
    work: &'r WorkFile,
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

    fn trim(&self) {
        self.work.trim();
    }

    fn make_durable(&self) -> Result<(), SolveError> {
        self.work.flush()
    }
}

/// Counts all positions by outcome.
fn count<G: Game>(task: &Task<'_, G>) -> Result<Counts, SolveError> {
    /// Pairs of words that a thread takes at a time.
    const CHUNK: usize = 1024;
    let read = |[first, second]: &[AtomicU64; 2]| [first.load(Relaxed), second.load(Relaxed)];
    let mut counts = Counts::default();
    for side in Side::BOTH {
        let entries = task.planes.entries(side);
        task.announce("counts".into(), entries);
        counts[side.index()] = task
            .planes
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
    }
    Ok(counts)
}
