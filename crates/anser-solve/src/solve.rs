//! The main job: layer after layer from the lowest up, each into its file.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anser_core::{Game, LayerIndex, Side, validate};
use anser_table::{
    Counts, ENTRIES_PER_PAIR, Header, Kind, Mapping, Metric, PositionedReads, RunInfo, Table, TableError, Tablebase,
    first_needed,
};
use rayon::prelude::*;

use crate::SolveError;
use crate::counts::{add, count_positions};
use crate::distances::{DistanceEngine, DistanceTask, write_table};
use crate::engine::{Cost, Engine, Engines, Lower, Plan, Task};
use crate::error::io_error;
use crate::estimate::{Estimate, estimate, memory_budget};
use crate::files::{Lock, create_dir, remove_leftovers};
use crate::memory::resident_memory;
use crate::observer::{Event, Observer};
use crate::options::SolveOptions;
use crate::progress::Progress;
use crate::record::{GENERATOR, LayerReport, is_listed, load_manifest, record_table, table_name};
use crate::workfile::{Opened, WorkFile, check_part};

#[cfg(not(target_endian = "little"))]
compile_error!("engines work in place on little-endian files");

/// Classes of a layer that are checked before it is solved.
const VALIDATED: u64 = 200;

/// What a run did.
#[derive(Clone, Debug)]
pub struct Solved {
    /// Layers that were there already.
    pub kept: Vec<u16>,
    /// Layers that this run finished.
    pub finished: Vec<LayerReport>,
}

/// Solves layers of a game into raw tables, and goes on where an earlier run stopped.
///
/// ```
/// use anser_core::fox_geese::FoxGeese;
/// use anser_solve::{SolveOptions, Unobserved, solve};
///
/// let dir = std::env::temp_dir().join(format!("anser-doc-{}", std::process::id()));
/// let options = SolveOptions { layers: Some(1..=4), ..SolveOptions::new(&dir) };
/// let solved = solve(&FoxGeese::default(), &options, &Unobserved)?;
/// let won_for_the_geese: u64 = solved.finished[3].counts.iter().map(|side| side[2]).sum();
/// assert_eq!(won_for_the_geese, 40);
/// # std::fs::remove_dir_all(&dir).unwrap();
/// # Ok::<(), anser_solve::SolveError>(())
/// ```
///
/// # Errors
/// Whatever goes wrong, every table that is in place is complete, and the same call goes on from there.
pub fn solve<G: Game>(game: &G, options: &SolveOptions, observer: &dyn Observer) -> Result<Solved, SolveError> {
    make_pool(options.threads)?.install(|| Run::new(game, options, observer).run(options))
}

/// [`solve`] with this engine.
#[cfg(test)]
pub(crate) fn solve_with<G: Game>(
    game: &G,
    options: &SolveOptions,
    observer: &dyn Observer,
    engine: Box<dyn Engine<G>>,
) -> Result<Solved, SolveError> {
    let engines = Engines::only(engine, options.memory);
    make_pool(options.threads)?.install(|| Run { engines, ..Run::new(game, options, observer) }.run(options))
}

/// What [`solve`] would need, without solving anything.
///
/// # Errors
/// Layers that the game does not have, lower layers that are missing, and files that have a table's name and are none.
/// Whether memory and disk suffice, [`Estimate::check`] says.
pub fn plan<G: Game>(game: &G, options: &SolveOptions) -> Result<Estimate, SolveError> {
    let run = Run::new(game, options, &crate::Unobserved);
    let layers = layers_of(game, options.layers.as_ref())?;
    run.check_way(layers.clone())?;
    let mut open = Vec::new();
    for layer in layers {
        if run.find(layer)?.is_none() {
            open.push(layer);
        }
    }
    run.check_lower(&open)?;
    // In the pool of the run itself: how long it takes depends on the number of threads.
    make_pool(options.threads)?.install(|| Ok(run.estimate(&open, options)))
}

struct Run<'a, G: Game> {
    game: &'a G,
    dir: &'a Path,
    observer: &'a dyn Observer,
    metric: Metric,
    /// For outcomes.
    engines: Engines<dyn Engine<G>>,
    /// For distances.
    distance_engines: Engines<dyn DistanceEngine<G>>,
}

impl<'a, G: Game> Run<'a, G> {
    fn new(game: &'a G, options: &'a SolveOptions, observer: &'a dyn Observer) -> Self {
        let memory = memory_budget(options);
        Run {
            game,
            dir: &options.dir,
            observer,
            metric: options.metric,
            engines: Engines::of_outcomes(options.engine, memory),
            distance_engines: Engines::of_distances(options.engine, memory),
        }
    }

    fn estimate(&self, open: &[u16], options: &SolveOptions) -> Estimate {
        let plan = |layer: u16, index: &G::Index| -> Plan<'_, dyn Cost<G>> {
            match self.metric {
                Metric::Dtw => {
                    self.distance_engines.of(self.game, layer, index).seen_as(|engine| -> &dyn Cost<G> { engine })
                }
                _ => self.engines.of(self.game, layer, index).seen_as(|engine| -> &dyn Cost<G> { engine }),
            }
        };
        estimate(self.game, &plan, self.dir, open, options)
    }

    fn run(&self, options: &SolveOptions) -> Result<Solved, SolveError> {
        let layers = layers_of(self.game, options.layers.as_ref())?;
        create_dir(self.dir)?;
        let _lock = Lock::take(self.dir)?;
        remove_leftovers(self.dir)?;
        self.check_way(layers.clone())?;
        let mut solved = Solved { kept: Vec::new(), finished: Vec::new() };
        let mut open = Vec::new();
        for layer in layers {
            match self.find(layer)? {
                Some(table) => {
                    self.list(&table)?;
                    let part = self.part(layer);
                    if check_part(&part)? {
                        // The work on a table that has come to be there in another way.
                        std::fs::remove_file(&part).map_err(io_error(&part, "removing"))?;
                    }
                    self.observer.event(&Event::Kept { layer });
                    solved.kept.push(layer);
                }
                None => open.push(layer),
            }
        }
        self.check_lower(&open)?;
        let estimate = self.estimate(&open, options);
        self.observer.event(&Event::Planned(estimate.clone()));
        estimate.check(self.dir)?;
        for layer in open {
            let report = match self.metric {
                Metric::Dtw => Some(self.distances(layer)?),
                _ => self.outcomes(layer)?,
            };
            if let Some(report) = report {
                self.observer.event(&Event::Finished(report.clone()));
                solved.finished.push(report);
            } else {
                self.observer.event(&Event::Kept { layer });
                solved.kept.push(layer);
            }
        }
        Ok(solved)
    }

    /// Finds what would stand in the way of a layer hours later.
    fn check_way(&self, mut layers: RangeInclusive<u16>) -> Result<(), SolveError> {
        load_manifest(self.game, self.dir)?;
        layers.try_for_each(|layer| check_part(&self.part(layer)).map(drop))
    }

    /// The name of the unfinished table of a layer.
    fn part(&self, layer: u16) -> PathBuf {
        self.dir.join(table_name(self.game, layer, self.metric, Kind::Raw).part())
    }

    /// Lists a raw table in the manifest if it is not: killed at the wrong moment a run leaves such a table, and manifests
    /// get lost.
    fn list(&self, table: &Table) -> Result<(), SolveError> {
        let manifest = load_manifest(self.game, self.dir)?;
        let listed = manifest.is_some_and(|manifest| is_listed(&manifest, table));
        if listed || table.header().kind() != Kind::Raw {
            return Ok(());
        }
        record_table(self.game, self.dir, table.header(), table.path(), None)
    }

    /// The table of the layer, raw or packed, if there is one. A file of that name that is no such table is an error: it is
    /// not ours to overwrite.
    fn find(&self, layer: u16) -> Result<Option<Table>, SolveError> {
        for kind in Kind::ALL {
            let path = self.dir.join(table_name(self.game, layer, self.metric, kind).to_string());
            if path.try_exists().map_err(io_error(&path, "looking for it"))? {
                let table = Table::open(&path, &PositionedReads)?;
                let index = self.game.index(layer);
                table
                    .header()
                    .check_identity(self.game, layer, &index)
                    .map_err(|defect| TableError::new(path, defect))?;
                return Ok(Some(table));
            }
        }
        Ok(None)
    }

    /// Every layer that `open` rests on must be there or among them.
    fn check_lower(&self, open: &[u16]) -> Result<(), SolveError> {
        for &layer in open {
            for missing in self.game.lower_layers(layer).into_iter().rev() {
                if !open.contains(&missing) && self.find(missing)?.is_none() {
                    return Err(SolveError::MissingLower {
                        layer,
                        last: *open.last().unwrap_or(&layer),
                        missing,
                        metric: self.metric,
                        first: first_needed(self.game, layer),
                        dir: self.dir.to_owned(),
                        game: self.game.name(),
                        rules: self.game.rules_id(),
                    });
                }
            }
        }
        Ok(())
    }

    /// Solves one layer for its outcomes; `None` if its table only wanted its name.
    fn outcomes(&self, layer: u16) -> Result<Option<LayerReport>, SolveError> {
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

    /// Solves one layer for its distances, in memory; its table appears complete.
    fn distances(&self, layer: u16) -> Result<LayerReport, SolveError> {
        let started = Instant::now();
        validate(self.game, layer, VALIDATED)?;
        let index = self.game.index(layer);
        let classes = Side::BOTH.into_iter().map(|side| index.len(side)).sum();
        self.observer.event(&Event::Layer { layer, classes, resumed: None });
        let Plan { engine, .. } = self.distance_engines.of(self.game, layer, &index);
        let lower = self.lower_distances(layer)?;
        let task = DistanceTask { game: self.game, layer, index: &index, lower: &lower, observer: self.observer };
        let solved = engine.solve(&task)?;
        drop(lower);
        let path = self.dir.join(table_name(self.game, layer, Metric::Dtw, Kind::Raw).to_string());
        let header = write_table(self.game, layer, &index, &solved.codes, &path)?;
        let run = RunInfo {
            engine: engine.name().into(),
            rounds: solved.rounds,
            seconds: started.elapsed().as_secs_f64(),
            threads: rayon::current_num_threads(),
        };
        record_table(self.game, self.dir, &header, &path, Some(run.clone()))?;
        let (counts, bytes) = (header.counts(), header.layout().file_len());
        Ok(LayerReport { layer, metric: Metric::Dtw, classes, counts, bytes, run })
    }

    /// The distances of the layers that moves of a layer lead to.
    fn lower_distances(&self, layer: u16) -> Result<Tablebase<G>, SolveError> {
        // SAFETY: the directory is locked, and this run does not touch tables that are complete.
        let mapping = unsafe { Mapping::new() };
        let mut tables = Vec::new();
        for lower in self.game.lower_layers(layer) {
            if let Some(table) = self.find(lower)? {
                tables.push(Table::open(table.path(), &mapping)?);
            }
        }
        Ok(Tablebase::from_tables(self.game.clone(), tables))
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

/// The layers asked for, all of them if none are; an error if the game does not have them.
pub(crate) fn layers_of<G: Game>(
    game: &G,
    asked: Option<&RangeInclusive<u16>>,
) -> Result<RangeInclusive<u16>, SolveError> {
    let all = game.layers();
    let layers = asked.cloned().unwrap_or_else(|| all.clone());
    match [*layers.start(), *layers.end()].into_iter().find(|layer| !all.contains(layer)) {
        None => Ok(layers),
        Some(layer) => Err(SolveError::NoSuchLayer { layer, game: game.name(), layers: (*all.start(), *all.end()) }),
    }
}

/// The threads of a run.
pub(crate) fn make_pool(threads: Option<usize>) -> Result<rayon::ThreadPool, SolveError> {
    let threads = threads.unwrap_or(0);
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|_| SolveError::Threads(threads))
}
