//! Solves the layers of a game in ascending order.

mod disk;
pub(crate) mod estimate;
mod layer;
mod lower;
pub(crate) mod metrics;
pub(crate) mod options;
mod packed;
mod recorder;

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anser_core::{Hunt, Side, Unobserved};
use anser_table::{ErrorClass, Kind, Metric, PositionedReads, Table, TableError};

use self::estimate::{Estimate, estimate, memory_budget};
use self::metrics::Metrics;
use self::options::SolveOptions;
use self::packed::{RawTables, TableOf};
use self::recorder::Recorder;
use crate::SolveError;
use crate::checkpoint::work_file::check_part;
use crate::engines::choice::Engines;
use crate::error::{TableFault, WrongTable, io_error};
use crate::io::files::{Lock, create_dir, remove_leftovers};
use crate::io::manifest::{LayerReport, is_listed, load_manifest, record_table, table_name};
use crate::observer::{Event, RunObserver};
use crate::pack::convert::{Packed, check_table};
use crate::system::threads::{make_pool, on_few_threads};

#[cfg(not(target_endian = "little"))]
compile_error!("engines work in place on little-endian files");

/// Result of a run.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The layers whose tables all existed already.
    pub kept: Vec<u16>,
    /// The tables that this run finished, in ascending order of the layers.
    pub finished: Vec<LayerReport>,
    /// The tables that this run packed, in ascending order of the layers.
    pub packed: Vec<Packed>,
}

/// Solves layers of a game into raw tables, or into [packed](SolveOptions::packed) ones. Resumes
/// from an earlier run.
///
/// Tables of distances that a layer depends on and that exist only packed are unpacked first.
///
/// ```
/// use anser_core::Hunt;
/// use anser_solve::{SolveOptions, Unobserved, solve};
///
/// let dir = std::env::temp_dir().join(format!("anser-doc-{}", std::process::id()));
/// let options = SolveOptions { layers: Some(1..=4), ..SolveOptions::new(&dir) };
/// let solved = solve(&Hunt::default(), &options, &Unobserved)?;
/// let won_for_the_geese: u64 = solved.finished[3].counts.iter().map(|(_, side)| side[2]).sum();
/// assert_eq!(won_for_the_geese, 40);
/// # std::fs::remove_dir_all(&dir).unwrap();
/// # Ok::<(), anser_solve::SolveError>(())
/// ```
///
/// # Errors
/// Any [`SolveError`] about directories, files, memory, or the rules of the game. After an error,
/// the existing tables are complete, and the same call resumes.
pub fn solve(
    game: &Hunt,
    options: &SolveOptions,
    observer: &dyn RunObserver,
) -> Result<Solved, SolveError> {
    make_pool(options.threads)?.install(|| Run::new(game, options, observer).run(options))
}

/// Solves with one engine only.
#[cfg(test)]
pub(crate) fn solve_with(
    game: &Hunt,
    options: &SolveOptions,
    observer: &dyn RunObserver,
    engine: Box<dyn crate::engines::engine::Engine>,
) -> Result<Solved, SolveError> {
    let engines = Engines::only(engine, options.memory);
    make_pool(options.threads)?
        .install(|| Run { engines, ..Run::new(game, options, observer) }.run(options))
}

/// Estimates what [`solve`] would need, without solving anything.
///
/// [`Estimate::check`] compares the estimate with the available memory and disk space.
///
/// # Errors
/// If the game lacks a layer, a lower layer is missing, or a file with the name of a table is not
/// that table.
pub fn plan(game: &Hunt, options: &SolveOptions) -> Result<Estimate, SolveError> {
    let run = Run::new(game, options, &Unobserved);
    let todo = run.todo(layers_of(game, options.layers.as_ref())?)?;
    // In a pool like that of a run, because the estimated time depends on the number of threads.
    make_pool(options.threads)?.install(|| run.estimate(&todo, options))
}

/// A layer to solve, and its metrics without a table.
type OpenLayer = (u16, Metrics);

/// What a run does.
struct Todo {
    /// The requested layers.
    layers: RangeInclusive<u16>,
    /// The layers to solve, in ascending order.
    open: Vec<OpenLayer>,
    /// The tables to unpack first.
    unpack: Vec<TableOf>,
}

struct Run<'a> {
    game: &'a Hunt,
    dir: &'a Path,
    observer: &'a dyn RunObserver,
    metrics: Metrics,
    checkpoint_every: Duration,
    engines: Engines,
    /// The newest complete tables, which may not have their names yet.
    unnamed: Mutex<Vec<Table>>,
}

impl<'a> Run<'a> {
    fn new(game: &'a Hunt, options: &'a SolveOptions, observer: &'a dyn RunObserver) -> Self {
        Run {
            game,
            dir: &options.dir,
            observer,
            metrics: options.metrics,
            checkpoint_every: options.checkpoint_every,
            engines: Engines::new(game, options.engine, memory_budget(options)),
            unnamed: Mutex::default(),
        }
    }

    /// Keeps the newest complete tables for the next layer. All others have their names.
    fn set_unnamed(&self, tables: Vec<Table>) {
        *self.unnamed.lock().unwrap_or_else(PoisonError::into_inner) = tables;
    }

    /// Takes the newest complete tables, which may not have their names yet.
    fn take_unnamed(&self) -> Vec<Table> {
        std::mem::take(&mut *self.unnamed.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn estimate(&self, todo: &Todo, options: &SolveOptions) -> Result<Estimate, SolveError> {
        estimate(self.game, &self.engines, todo, options)
    }

    /// Finds out what is to be done, without changing anything.
    fn todo(&self, layers: RangeInclusive<u16>) -> Result<Todo, SolveError> {
        self.check_names(layers.clone())?;
        let mut open = Vec::new();
        for layer in layers.clone() {
            let mut missing = Vec::new();
            for metric in self.metrics.iter() {
                if self.find(layer, metric)?.is_none() {
                    missing.push(metric);
                }
            }
            if !missing.is_empty() {
                open.push((layer, missing.into_iter().collect()));
            }
        }
        self.check_lower(&open)?;
        let unpack = self.to_unpack(&open)?;
        Ok(Todo { layers, open, unpack })
    }

    fn run(&self, options: &SolveOptions) -> Result<Solved, SolveError> {
        let layers = layers_of(self.game, options.layers.as_ref())?;
        create_dir(self.dir)?;
        let mut lock = Lock::take(self.dir)?;
        remove_leftovers(self.dir)?;
        let mut raw = RawTables::default();
        let todo = self.todo(layers.clone())?;
        if !todo.unpack.is_empty() {
            self.estimate(&todo, options)?.check(self.dir)?;
            // Unpacking locks the directory itself.
            drop(lock);
            self.unpack(&todo.unpack)?;
            todo.unpack.into_iter().for_each(|table| raw.add(table));
            lock = Lock::take(self.dir)?;
        }
        let mut solved = Solved { kept: Vec::new(), finished: Vec::new(), packed: Vec::new() };
        let mut open = Vec::new();
        for layer in layers.clone() {
            let metrics = self.keep(layer)?;
            if metrics.is_empty() {
                self.observer.event(&Event::Kept { layer });
                solved.kept.push(layer);
            } else {
                open.push((layer, metrics));
            }
        }
        self.check_lower(&open)?;
        let todo = Todo { layers, open, unpack: Vec::new() };
        let estimate = self.estimate(&todo, options)?;
        self.observer.event(&Event::Planned(estimate.clone()));
        estimate.check(self.dir)?;
        std::thread::scope(|scope| {
            let recorder = Recorder::start(scope);
            let result = self.solve_layers(&todo, options.packed, raw, &recorder, &mut solved);
            // Its errors come first: they are of earlier layers.
            recorder.wait().and(result)
        })?;
        drop(lock);
        Ok(solved)
    }

    /// Solves the open layers, and packs all layers if `packed`.
    fn solve_layers<'s>(
        &'s self,
        todo: &Todo,
        packed: bool,
        mut raw: RawTables,
        recorder: &Recorder<'s>,
        solved: &mut Solved,
    ) -> Result<(), SolveError> {
        let mut open = &todo.open[..];
        for layer in todo.layers.clone() {
            if let [(next, metrics), rest @ ..] = open
                && *next == layer
            {
                self.solve_layer(layer, *metrics, recorder, solved)?;
                open = rest;
            }
            if packed {
                recorder.wait()?;
                // Mappings of raw tables keep them on the disk after they are removed.
                drop(self.take_unnamed());
                solved.packed.extend(self.pack_layer(layer, open, &mut raw)?);
            }
        }
        Ok(())
    }

    /// Solves one layer for these metrics.
    fn solve_layer<'s>(
        &'s self,
        layer: u16,
        metrics: Metrics,
        recorder: &Recorder<'s>,
        solved: &mut Solved,
    ) -> Result<(), SolveError> {
        let reports =
            on_few_threads(self.classes(layer), || self.layer(layer, metrics, recorder))??;
        if reports.is_empty() {
            self.observer.event(&Event::Kept { layer });
            solved.kept.push(layer);
        }
        for report in reports {
            self.observer.event(&Event::Finished(report.clone()));
            solved.finished.push(report);
        }
        Ok(())
    }

    /// Adds the existing tables of a layer to the manifest. Returns the metrics without a table.
    fn keep(&self, layer: u16) -> Result<Metrics, SolveError> {
        let mut open = self.metrics;
        for metric in self.metrics.iter() {
            let Some(table) = self.find(layer, metric)? else { continue };
            self.list(&table)?;
            let part = self.part_path(layer, metric);
            if check_part(&part)? {
                // Unfinished work on an existing table is obsolete.
                std::fs::remove_file(&part).map_err(io_error(&part, "removing"))?;
            }
            open = open.without(metric.into());
        }
        Ok(open)
    }

    /// Returns the approximate number of classes of a layer.
    fn classes(&self, layer: u16) -> u64 {
        let positions = Side::BOTH.map(|side| self.game.positions(layer, side));
        positions.into_iter().fold(0_u64, u64::saturating_add)
            / self.game.symmetries().max(1) as u64
    }

    /// Fails if a foreign file has the name of a file that the run writes.
    fn check_names(&self, layers: RangeInclusive<u16>) -> Result<(), SolveError> {
        load_manifest(self.game, self.dir)?;
        for layer in layers {
            for metric in self.metrics.iter() {
                check_part(&self.part_path(layer, metric))?;
            }
        }
        Ok(())
    }

    /// Adds a raw table to the manifest if it is not listed, for example after a crash. Verifies
    /// all checksums first, because listed tables are trusted.
    fn list(&self, table: &Table) -> Result<(), SolveError> {
        let manifest = load_manifest(self.game, self.dir)?;
        let listed = manifest.is_some_and(|manifest| is_listed(&manifest, table));
        if listed || table.header().kind() != Kind::Raw {
            return Ok(());
        }
        let layer = table.header().layer();
        self.observer.begin(&format!("checking layer {layer}"), table.parts());
        let checked = check_table(table, self.observer);
        if let Err(SolveError::Table(error)) = &checked
            && error.class() == ErrorClass::Corrupt
        {
            let of = (layer, table.header().metric(), Kind::Raw);
            return Err(WrongTable::error(self.game, table.path(), of, TableFault::Unlisted));
        }
        checked?;
        record_table(self.game, self.dir, table.header(), table.path(), None)
    }

    /// Finds the table of a layer, raw or packed. Fails if a file of that name is not that table,
    /// so that the run does not overwrite it.
    fn find(&self, layer: u16, metric: Metric) -> Result<Option<Table>, SolveError> {
        for kind in Kind::ALL {
            if let Some(table) = self.open_table(layer, metric, kind)? {
                return Ok(Some(table));
            }
        }
        Ok(None)
    }

    /// Opens a table of this kind, if it exists. Fails if a file of that name is not that table.
    fn open_table(
        &self,
        layer: u16,
        metric: Metric,
        kind: Kind,
    ) -> Result<Option<Table>, SolveError> {
        let path = self.dir.join(table_name(self.game, layer, metric, kind).to_string());
        if !path.try_exists().map_err(io_error(&path, "looking for it"))? {
            return Ok(None);
        }
        let table = Table::open(&path, &PositionedReads)?;
        let index = self.game.index(layer);
        table
            .header()
            .check_identity(self.game, layer, &index)
            .map_err(|defect| TableError::new(path, defect))?;
        Ok(Some(table))
    }

    /// Fails if a layer depends on a lower one that has no table and that this run does not solve.
    fn check_lower(&self, open: &[OpenLayer]) -> Result<(), SolveError> {
        let is_open = |layer: u16, metric: Metric| {
            open.iter().any(|&(other, metrics)| other == layer && metrics.contains(metric))
        };
        for &(layer, metrics) in open {
            for metric in metrics.iter() {
                for missing in self.game.lower_layers(layer).into_iter().rev() {
                    if !is_open(missing, metric) && self.find(missing, metric)?.is_none() {
                        return Err(SolveError::MissingLower {
                            layer,
                            last: open.last().map_or(layer, |&(last, _)| last),
                            missing,
                            metric,
                            first: self.game.first_needed(layer),
                            dir: self.dir.to_owned(),
                            game: self.game.name().into(),
                            rules: self.game.rules_id().into(),
                        });
                    }
                }
            }
        }
        Ok(())
    }
}

/// Returns the requested layers, or all layers by default. Fails if the game lacks one of them.
pub(crate) fn layers_of(
    game: &Hunt,
    requested: Option<&RangeInclusive<u16>>,
) -> Result<RangeInclusive<u16>, SolveError> {
    let all = game.layers();
    let layers = requested.cloned().unwrap_or_else(|| all.clone());
    match [*layers.start(), *layers.end()].into_iter().find(|layer| !all.contains(layer)) {
        None => Ok(layers),
        Some(layer) => {
            Err(SolveError::NoSuchLayer { layer, game: game.name().into(), layers: all })
        }
    }
}
