//! Solves the layers of a game in ascending order.

#[cfg(feature = "cluster")]
pub(crate) mod cluster;
mod directory;
mod disk;
pub(crate) mod estimate;
mod layer;
mod lower;
pub(crate) mod metrics;
pub(crate) mod options;
mod packed;
mod recorder;
mod size;

use std::ops::RangeInclusive;
use std::sync::Arc;

use anser_core::{Hunt, Unobserved};
use anser_retrograde::parallel::install;

use self::directory::{Run, Todo};
use self::metrics::Metrics;
use self::options::{EngineChoice, SolveOptions, layers_of};
use self::packed::RawTables;
use self::recorder::Recorder;
use crate::SolveError;
use crate::engines::choice::Engines;
use crate::engines::sets::spread::{self, Spread};
use crate::io::files::{Lock, create_dir, remove_leftovers};
use crate::observer::{Event, RunObserver};
use crate::reports::{Estimate, LayerReport, Packed};
use crate::system::memory::memory_budget;
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
    install(&make_pool(options.threads)?, || Run::new(game, options, observer)?.run(options))
}

/// Solves with one engine only.
#[cfg(test)]
pub(crate) fn solve_with(
    game: &Hunt,
    options: &SolveOptions,
    observer: &dyn RunObserver,
    engine: Box<dyn crate::engines::engine::Engine>,
) -> Result<Solved, SolveError> {
    let engines = Engines::only(engine.into(), options.memory);
    let pool = make_pool(options.threads)?;
    install(&pool, || Run { engines, ..Run::new(game, options, observer)? }.run(options))
}

/// Estimates what [`solve`] would need, without solving anything.
///
/// [`Estimate::check`] compares the estimate with the available memory and disk space.
///
/// # Errors
/// If the game lacks a layer, a lower layer is missing, or a file with the name of a table is not
/// that table.
pub fn plan(game: &Hunt, options: &SolveOptions) -> Result<Estimate, SolveError> {
    Run::new(game, options, &Unobserved)?.plan(options)
}

/// Estimates what `solve_in_cluster` would need with this number of ranks, without any.
///
/// # Errors
/// Those of [`plan`], and [`SolveError::NoCluster`].
pub fn plan_for_cluster(
    game: &Hunt,
    options: &SolveOptions,
    ranks: usize,
) -> Result<Estimate, SolveError> {
    check_for_cluster(game, options)?;
    let engine = Arc::new(Spread::planned(ranks));
    let engines = Engines::only(engine, memory_budget(options.memory));
    Run { engines, ..Run::new(game, options, &Unobserved)? }.plan(options)
}

/// Fails if the engine for clusters is not the one to be used.
fn check_for_cluster(game: &Hunt, options: &SolveOptions) -> Result<(), SolveError> {
    if options.engine == EngineChoice::General {
        return Err(SolveError::NoCluster { what: "the general engine, which was requested" });
    }
    spread::check(game).map_err(|what| SolveError::NoCluster { what })
}

impl Run<'_> {
    fn plan(&self, options: &SolveOptions) -> Result<Estimate, SolveError> {
        let todo = self.todo(layers_of(self.game, options.layers.as_ref())?)?;
        // In a pool like that of a run, because the estimated time depends on the number of
        // threads.
        Ok(install(&make_pool(options.threads)?, || self.estimate(&todo)))
    }

    /// Finds out what is to be done, without changing anything.
    fn todo(&self, layers: RangeInclusive<u16>) -> Result<Todo, SolveError> {
        self.check_names(layers.clone())?;
        let mut open = Vec::new();
        for layer in layers.clone() {
            let mut missing = self.metrics;
            for metric in self.metrics.iter() {
                if self.find(layer, metric)?.is_some() {
                    missing = missing.without(metric.into());
                }
            }
            if !missing.is_empty() {
                open.push((layer, missing));
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
            self.estimate(&todo).check(self.dir)?;
            // Unpacking locks the directory itself.
            drop(lock);
            self.unpack(&todo.unpack)?;
            lock = Lock::take(self.dir)?;
        }
        if self.packed.is_some() {
            // Also those that an earlier run had unpacked.
            self.unpacked(layers.clone())?.into_iter().for_each(|table| raw.add(table));
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
        let estimate = self.estimate(&todo);
        self.observer.event(&Event::Planned(estimate.clone()));
        estimate.check(self.dir)?;
        std::thread::scope(|scope| {
            let recorder = Recorder::start(scope);
            let result = self.solve_layers(&todo, raw, &recorder, &mut solved);
            // Its errors come first: nearly always they are of earlier layers.
            recorder.wait().and(result)
        })?;
        drop(lock);
        Ok(solved)
    }

    /// Solves the open layers, and packs all layers if requested.
    fn solve_layers<'s>(
        &'s self,
        todo: &Todo,
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
            if let Some(level) = self.packed {
                recorder.wait()?;
                solved.packed.extend(self.pack_layer(layer, level, open, &mut raw)?);
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
        for report in reports {
            self.observer.event(&Event::Finished(report.clone()));
            solved.finished.push(report);
        }
        Ok(())
    }
}
