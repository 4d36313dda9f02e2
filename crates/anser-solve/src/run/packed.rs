//! Packing of solved layers, and removal of their raw tables.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use anser_core::Hunt;
use anser_table::{Kind, Metric, Table};

use super::directory::{OpenLayer, Run, TableOf};
use super::metrics::Metrics;
use crate::SolveError;
use crate::io::manifest::{remove_table, table_name};
use crate::observer::Event;
use crate::pack::unpack::{UnpackOptions, unpack};
use crate::pack::{PackLevel, pack_table};
use crate::reports::Packed;

/// The tables of a run that are packed, and whose raw tables are still in place.
#[derive(Default)]
pub(super) struct RawTables(Vec<TableOf>);

impl RawTables {
    /// Adds a raw table to be removed once it is not needed.
    pub(super) fn add(&mut self, table: TableOf) {
        if !self.0.contains(&table) {
            self.0.push(table);
        }
    }

    /// Takes the tables that are not needed to solve the layers `open`.
    ///
    /// If distances are solved, no engine that fills both metrics reads lower outcomes. Another one
    /// reads the packed ones, which takes longer.
    pub(super) fn take_unneeded(&mut self, game: &Hunt, open: &[OpenLayer]) -> Vec<TableOf> {
        let is_needed = |&mut (layer, metric): &mut TableOf| {
            let reads = |metrics: Metrics| metrics.iter().last() == Some(metric);
            let depends = |above: u16| game.lower_layers(above).contains(&layer);
            open.iter().any(|&(above, metrics)| reads(metrics) && depends(above))
        };
        self.0.extract_if(.., |table| !is_needed(table)).collect()
    }
}

impl Run<'_> {
    /// Packs the raw tables of a layer in the metrics of the run, and removes all raw tables in
    /// `raw` that are not needed to solve the layers `open`.
    pub(super) fn pack_layer(
        &self,
        layer: u16,
        level: PackLevel,
        open: &[OpenLayer],
        raw: &mut RawTables,
    ) -> Result<Vec<Packed>, SolveError> {
        let mut packed = Vec::new();
        self.remove_unneeded(open, raw)?;
        for metric in self.metrics.iter() {
            if let Some(source) = self.open_table(layer, metric, Kind::Raw)? {
                let table = pack_table(self.game, source, level, self.dir, self.observer)?;
                if !table.kept {
                    self.observer.event(&Event::Packed(table.clone()));
                    packed.push(table);
                }
            }
            // Also without a raw table: a run that was killed may have removed the file alone.
            raw.add((layer, metric));
            self.remove_unneeded(open, raw)?;
        }
        Ok(packed)
    }

    /// Removes the raw tables that are not needed to solve the layers `open`.
    fn remove_unneeded(&self, open: &[OpenLayer], raw: &mut RawTables) -> Result<(), SolveError> {
        for (layer, metric) in raw.take_unneeded(self.game, open) {
            let name = table_name(self.game, layer, metric, Kind::Raw);
            remove_table(self.game, self.dir, &name)?;
        }
        Ok(())
    }

    /// Returns the tables of distances that the layers `open` depend on and that exist only packed.
    ///
    /// Engines read packed outcomes as they are. Packed distances may leave out a side to move,
    /// and a move of look-ahead per value takes longer than unpacking the table once.
    pub(super) fn to_unpack(&self, open: &[OpenLayer]) -> Result<Vec<TableOf>, SolveError> {
        let metric = Metric::Dtw;
        let mut tables = Vec::new();
        for &(layer, _) in open.iter().filter(|(_, metrics)| metrics.contains(metric)) {
            for lower in self.game.lower_layers(layer) {
                let is_packed = |table: &Table| table.header().kind() == Kind::Packed;
                if !tables.contains(&(lower, metric))
                    && self.find(lower, metric)?.as_ref().is_some_and(is_packed)
                {
                    tables.push((lower, metric));
                }
            }
        }
        Ok(tables)
    }

    /// Returns the tables of distances that layers depend on and that exist both raw and packed.
    pub(super) fn unpacked(&self, layers: RangeInclusive<u16>) -> Result<Vec<TableOf>, SolveError> {
        let metric = Metric::Dtw;
        let mut tables = Vec::new();
        if !self.metrics.contains(metric) {
            return Ok(tables);
        }
        let lower: BTreeSet<u16> = layers.flat_map(|layer| self.game.lower_layers(layer)).collect();
        for layer in lower {
            let found = |kind| self.open_table(layer, metric, kind);
            if let (Some(raw), Some(packed)) = (found(Kind::Raw)?, found(Kind::Packed)?)
                && raw.header().payload_digest() == packed.header().payload_digest()
            {
                tables.push((layer, metric));
            }
        }
        Ok(tables)
    }

    /// Unpacks tables in the directory, which is not locked.
    pub(super) fn unpack(&self, tables: &[TableOf]) -> Result<(), SolveError> {
        for &(layer, metric) in tables {
            self.observer.event(&Event::Unpacking { layer, metric });
            let options = UnpackOptions {
                from: vec![self.dir.to_owned()],
                out: self.dir.to_owned(),
                layers: Some(layer..=layer),
                threads: Some(rayon::current_num_threads()),
                metric: Some(metric),
            };
            unpack(self.game, &options, self.observer)?;
        }
        Ok(())
    }
}
