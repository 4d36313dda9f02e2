//! A run, and the tables in its directory.

use std::collections::VecDeque;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use anser_core::{Hunt, Side};
use anser_retrograde::parallel::lock;
use anser_table::{ErrorClass, Kind, Metric, PositionedReads, Table, TableError};

use super::metrics::Metrics;
use super::options::SolveOptions;
use super::recorder::PENDING;
use crate::SolveError;
use crate::checkpoint::check_part;
use crate::engines::choice::Engines;
use crate::error::{TableFault, WrongTable, io_error};
use crate::io::manifest::{digest_of, is_listed, load_manifest, record_table, table_name};
use crate::io::raw_file::Unnamed;
use crate::observer::RunObserver;
use crate::pack::PackLevel;
use crate::pack::convert::check_table;
use crate::system::memory::memory_budget;

/// A layer to solve, and its metrics without a table.
pub(super) type OpenLayer = (u16, Metrics);

/// A layer and one of its metrics.
pub(super) type TableOf = (u16, Metric);

/// Work of a run.
pub(super) struct Todo {
    /// The requested layers.
    pub(super) layers: RangeInclusive<u16>,
    /// The layers to solve, in ascending order.
    pub(super) open: Vec<OpenLayer>,
    /// The tables to unpack first.
    pub(super) unpack: Vec<TableOf>,
}

pub(super) struct Run<'a> {
    pub(super) game: &'a Hunt,
    pub(super) dir: &'a Path,
    pub(super) observer: &'a dyn RunObserver,
    pub(super) metrics: Metrics,
    pub(super) checkpoint_every: Duration,
    /// The zstd level of the packed tables; `None` for raw ones.
    pub(super) packed: Option<PackLevel>,
    pub(super) engines: Engines,
    /// The newest complete tables, which may not have their names yet.
    pub(super) unnamed: Mutex<VecDeque<Unnamed>>,
}

impl<'a> Run<'a> {
    pub(super) fn new(
        game: &'a Hunt,
        options: &'a SolveOptions,
        observer: &'a dyn RunObserver,
    ) -> Result<Self, SolveError> {
        Ok(Run {
            game,
            dir: &options.dir,
            observer,
            metrics: options.metrics,
            checkpoint_every: options.checkpoint_every,
            packed: options.packed.map(PackLevel::new).transpose()?,
            engines: Engines::new(game, options.engine, memory_budget(options.memory)),
            unnamed: Mutex::default(),
        })
    }

    /// Adds complete tables whose job the recorder has.
    pub(super) fn add_unnamed(&self, tables: Vec<Unnamed>) {
        let mut unnamed = lock(&self.unnamed);
        unnamed.extend(tables);
        // The jobs of all others are done.
        let most = (PENDING + 1) * Metric::ALL.len();
        let named = unnamed.len().saturating_sub(most);
        unnamed.drain(..named);
    }

    /// Maps the complete tables that do not have their names yet. Fails if one cannot be read
    /// before it has its name.
    pub(super) fn open_unnamed(&self) -> io::Result<Vec<Table>> {
        let unnamed = lock(&self.unnamed);
        unnamed.iter().filter_map(|table| table.open().transpose()).collect()
    }

    /// Adds the existing tables of a layer to the manifest. Returns the metrics without a table.
    pub(super) fn keep(&self, layer: u16) -> Result<Metrics, SolveError> {
        let mut open = self.metrics;
        for metric in self.metrics.iter() {
            let Some(table) = self.find(layer, metric)? else { continue };
            self.list(&table)?;
            // Unfinished work on an existing table is obsolete.
            self.remove_part(layer, metric)?;
            open = open.without(metric.into());
        }
        Ok(open)
    }

    /// Removes the checkpoint of a table, if there is one.
    pub(super) fn remove_part(&self, layer: u16, metric: Metric) -> Result<(), SolveError> {
        let part = self.part_path(layer, metric.into());
        if check_part(&part)? {
            std::fs::remove_file(&part).map_err(io_error(&part, "removing"))?;
        }
        Ok(())
    }

    /// Returns the approximate number of classes of a layer.
    pub(super) fn classes(&self, layer: u16) -> u64 {
        let positions = Side::BOTH.map(|side| self.game.positions(layer, side));
        positions.into_iter().fold(0_u64, u64::saturating_add)
            / self.game.symmetries().max(1) as u64
    }

    /// Fails if a foreign file has the name of a file that the run writes.
    pub(super) fn check_names(&self, layers: RangeInclusive<u16>) -> Result<(), SolveError> {
        load_manifest(self.game, self.dir)?;
        for layer in layers {
            for metric in self.metrics.iter() {
                check_part(&self.part_path(layer, metric.into()))?;
            }
        }
        Ok(())
    }

    /// Adds a raw table to the manifest if it is not listed, for example after a crash. Verifies
    /// all checksums first, because listed tables are trusted.
    pub(super) fn list(&self, table: &Table) -> Result<(), SolveError> {
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
        let digest = digest_of(table.path(), table.header().layout().file_len())?;
        record_table(self.game, self.dir, table.header(), digest, None)
    }

    /// Finds the table of a layer, raw or packed. Fails if a file of that name is not that table,
    /// so that the run does not overwrite it.
    pub(super) fn find(&self, layer: u16, metric: Metric) -> Result<Option<Table>, SolveError> {
        for kind in Kind::ALL {
            if let Some(table) = self.open_table(layer, metric, kind)? {
                return Ok(Some(table));
            }
        }
        Ok(None)
    }

    /// Opens a table of this kind, if it exists. Fails if a file of that name is not that table.
    pub(super) fn open_table(
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
    pub(super) fn check_lower(&self, open: &[OpenLayer]) -> Result<(), SolveError> {
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

    /// Returns the path of the checkpoints of a pass for these metrics: it has the name of the last
    /// one's table.
    pub(super) fn part_path(&self, layer: u16, metrics: Metrics) -> PathBuf {
        let metric = metrics.iter().last().unwrap_or(Metric::Wdl);
        self.dir.join(table_name(self.game, layer, metric, Kind::Raw).part())
    }
}
