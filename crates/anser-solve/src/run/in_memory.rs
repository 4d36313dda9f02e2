//! One layer in memory, for its distances or its outcomes; its table appears complete.

use std::time::Instant;

use anser_core::{Game, LayerIndex, Side, validate};
use anser_table::manifest::RunInfo;
use anser_table::{Kind, Mapping, Metric, Table, Tablebase};

use super::{Run, VALIDATED};
use crate::SolveError;
use crate::checkpoint::work_file::check_part;
use crate::engines::distances::{DistanceEngine, DistanceTask};
use crate::engines::engine::{Engines, Plan};
use crate::error::io_error;
use crate::io::codes::{write_outcomes, write_table};
use crate::io::manifest::{LayerReport, record_table, table_name};
use crate::observer::Event;

impl<G: Game> Run<'_, G> {
    /// Solves one layer for its distances, in memory; its table appears complete.
    pub(super) fn distances(&self, layer: u16) -> Result<LayerReport, SolveError> {
        self.in_memory(layer, &self.distance_engines, Metric::Dtw)
    }

    /// Solves one layer for its outcomes in memory; its table appears complete.
    pub(super) fn outcomes_in_memory(&self, layer: u16) -> Result<LayerReport, SolveError> {
        let engines = self.in_memory.as_ref().expect("there is a plan for it");
        let report = self.in_memory(layer, engines, Metric::Wdl)?;
        // What another engine may have begun is not needed any more.
        let part = self.part(layer);
        if check_part(&part)? {
            std::fs::remove_file(&part).map_err(io_error(&part, "removing"))?;
        }
        Ok(report)
    }

    /// How to solve a layer for its outcomes in memory, if that is possible.
    pub(super) fn plan_in_memory(&self, layer: u16, index: &G::Index) -> Option<Plan<'_, dyn DistanceEngine<G>>> {
        self.in_memory.as_ref().map(|engines| engines.of(self.game, layer, index)).filter(|plan| plan.fits)
    }

    /// Whether a layer is to be solved for its outcomes in memory. Not if a table that it rests on is packed: it leaves out
    /// what follows from the rules.
    pub(super) fn is_for_memory(&self, layer: u16) -> Result<bool, SolveError> {
        if self.in_memory.is_none() || self.plan_in_memory(layer, &self.game.index(layer)).is_none() {
            return Ok(false);
        }
        for lower in self.game.lower_layers(layer) {
            if self.find(lower)?.is_some_and(|table| table.header().kind() != Kind::Raw) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Solves one layer for a metric with one of these engines.
    fn in_memory(
        &self,
        layer: u16,
        engines: &Engines<dyn DistanceEngine<G>>,
        metric: Metric,
    ) -> Result<LayerReport, SolveError> {
        let started = Instant::now();
        validate(self.game, layer, VALIDATED)?;
        let index = self.game.index(layer);
        let classes = Side::BOTH.into_iter().map(|side| index.len(side)).sum();
        self.observer.event(&Event::Layer { layer, classes, resumed: None });
        let Plan { engine, .. } = engines.of(self.game, layer, &index);
        let lower = self.lower_tables(layer)?;
        let task = DistanceTask { game: self.game, layer, index: &index, lower: &lower, observer: self.observer };
        let solved = engine.solve(&task)?;
        drop(lower);
        let path = self.dir.join(table_name(self.game, layer, metric, Kind::Raw).to_string());
        let header = match metric {
            Metric::Dtw => write_table(self.game, layer, &index, &solved.codes, &path)?,
            _ => write_outcomes(self.game, layer, &index, &solved.codes, &path)?,
        };
        let run = RunInfo {
            engine: engine.name().into(),
            rounds: solved.rounds,
            seconds: started.elapsed().as_secs_f64(),
            threads: rayon::current_num_threads(),
        };
        record_table(self.game, self.dir, &header, &path, Some(run.clone()))?;
        let (counts, bytes) = (header.counts(), header.layout().file_len());
        Ok(LayerReport { layer, metric, classes, counts, bytes, run })
    }

    /// The tables of the layers that moves of a layer lead to.
    fn lower_tables(&self, layer: u16) -> Result<Tablebase<G>, SolveError> {
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
}
