//! One layer for its distances, in memory; its table appears complete.

use std::time::Instant;

use anser_core::{Game, LayerIndex, Side, validate};
use anser_table::{Kind, Mapping, Metric, RunInfo, Table, Tablebase};

use super::{Run, VALIDATED};
use crate::SolveError;
use crate::distances::{DistanceTask, write_table};
use crate::engine::Plan;
use crate::observer::Event;
use crate::record::{LayerReport, record_table, table_name};

impl<G: Game> Run<'_, G> {
    /// Solves one layer for its distances, in memory; its table appears complete.
    pub(super) fn distances(&self, layer: u16) -> Result<LayerReport, SolveError> {
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
}
