//! The main job: layer after layer from the lowest up, each into its file.

pub(crate) mod estimate;
mod in_file;
mod in_memory;
pub(crate) mod options;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::shell::shell_word;
use anser_core::{Game, Side};
use anser_table::{ErrorClass, Kind, Metric, PositionedReads, Table, TableError, first_needed};

use crate::SolveError;
use crate::checkpoint::work_file::check_part;
use crate::engines::distances::DistanceEngine;
use crate::engines::engine::{Cost, Engine, Engines, Plan};
use crate::error::{io_error, metric_words};
use crate::io::files::{Lock, create_dir, remove_leftovers};
use crate::io::manifest::{LayerReport, is_listed, load_manifest, record_table, table_name};
use crate::observer::{Event, Observer};
use crate::pack::convert::check_table;
use crate::run::estimate::{Estimate, estimate, memory_budget};
use crate::run::options::SolveOptions;
use crate::system::threads::{make_pool, on_few_threads};

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
    make_pool(options.threads)?
        .install(|| Run { engines, in_memory: None, ..Run::new(game, options, observer) }.run(options))
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
    checkpoint_every: Duration,
    /// For outcomes.
    engines: Engines<dyn Engine<G>>,
    /// For outcomes, where the game has an engine that solves a layer in memory; goes before the others.
    in_memory: Option<Engines<dyn DistanceEngine<G>>>,
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
            checkpoint_every: options.checkpoint_every,
            engines: Engines::of_outcomes(options.engine, memory),
            in_memory: Engines::of_outcomes_in_memory(options.engine, memory),
            distance_engines: Engines::of_distances(options.engine, memory),
        }
    }

    fn estimate(&self, open: &[u16], options: &SolveOptions) -> Estimate {
        let plan = |layer: u16, index: &G::Index| -> Plan<'_, dyn Cost<G>> {
            match self.metric {
                Metric::Dtw => {
                    self.distance_engines.of(self.game, layer, index).seen_as(|engine| -> &dyn Cost<G> { engine })
                }
                _ => match self.plan_in_memory(layer, index) {
                    Some(plan) => plan.seen_as(|engine| -> &dyn Cost<G> { engine }),
                    None => self.engines.of(self.game, layer, index).seen_as(|engine| -> &dyn Cost<G> { engine }),
                },
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
            let classes = self.classes(layer);
            let report = on_few_threads(classes, || match self.metric {
                Metric::Dtw => self.distances(layer).map(Some),
                _ if self.is_for_memory(layer)? => self.outcomes_in_memory(layer).map(Some),
                _ => self.outcomes(layer),
            })??;
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

    /// The positions of a layer, roughly, symmetric ones taken together.
    fn classes(&self, layer: u16) -> u64 {
        let positions = Side::BOTH.map(|side| self.game.positions(layer, side));
        positions.into_iter().fold(0_u64, u64::saturating_add) / self.game.symmetries().max(1) as u64
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
    /// get lost. A list vouches for a table, so everything in it that has a checksum is compared first.
    fn list(&self, table: &Table) -> Result<(), SolveError> {
        let manifest = load_manifest(self.game, self.dir)?;
        let listed = manifest.is_some_and(|manifest| is_listed(&manifest, table));
        if listed || table.header().kind() != Kind::Raw {
            return Ok(());
        }
        let layer = table.header().layer();
        self.observer.event(&Event::Work { what: format!("checking layer {layer}"), units: table.parts() });
        let checked = check_table(table, self.observer);
        if let Err(SolveError::Table(error)) = &checked
            && error.class() == ErrorClass::Corrupt
        {
            let (game, rules, dir) = (self.game.name(), self.game.rules_id(), shell_word(self.dir));
            let (first, metric) = (first_needed(self.game, layer), metric_words(self.metric));
            let layers = if first == layer { layer.to_string() } else { format!("{first}-{layer}") };
            return Err(SolveError::Wrong {
                path: table.path().to_owned(),
                problem: "damaged, and not in the manifest".into(),
                command: format!("anser solve {game} --rules {rules} --layers {layers}{metric} --tables {dir}"),
            });
        }
        checked?;
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
