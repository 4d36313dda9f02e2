//! Memory and disk space that a pass of an engine needs.

use std::path::Path;

use anser_core::hunt::HuntIndex;
use anser_core::{Hunt, LayerIndex, Side};
use anser_table::format::Header;
use anser_table::{Defect, Kind, Metric};

use super::metrics::Metrics;
use crate::engines::choice::Plan;
use crate::io::codes::estimated_header;
use crate::io::manifest::{GENERATOR, table_name};
use crate::reports::Traffic;

/// Bytes by which the disk space that is taken changes.
#[derive(Clone, Copy)]
pub(super) struct Change {
    /// The most during a step, relative to before it.
    pub(super) during: i128,
    /// After the step, relative to before it.
    pub(super) after: i128,
}

impl Change {
    /// A file that is written and kept.
    pub(super) fn write(bytes: u64) -> Change {
        Change { during: bytes.into(), after: bytes.into() }
    }

    /// A file that is removed.
    pub(super) fn remove(bytes: u64) -> Change {
        Change { during: 0, after: -i128::from(bytes) }
    }
}

/// Needs of a pass, in bytes.
pub(super) struct Size {
    pub(super) layer: u16,
    pub(super) metrics: Metrics,
    pub(super) engine: &'static str,
    pub(super) classes: u64,
    pub(super) memory: u64,
    pub(super) traffic: Option<Traffic>,
    /// The disk space that an unfinished table has taken already.
    pub(super) taken: u64,
    /// The disk space while the pass runs, scratch files left out.
    pub(super) work: u64,
    /// The disk space of scratch files, if there are any.
    pub(super) scratch: Option<u64>,
    /// The disk space of the finished tables.
    pub(super) table: u64,
}

/// Returns the number of classes of a layer, both sides to move together.
pub(super) fn classes(index: &impl LayerIndex) -> u64 {
    Side::BOTH.iter().map(|&side| index.len(side)).sum()
}

/// Returns the header of a raw table before it is solved.
fn raw_header(
    game: &Hunt,
    layer: u16,
    index: &HuntIndex,
    metric: Metric,
) -> Result<Header, Defect> {
    match metric {
        Metric::Wdl => Header::new_raw(game, layer, index, None, GENERATOR),
        Metric::Dtw => estimated_header(game, layer, index),
    }
}

/// Returns the length of a raw table before it is solved, in bytes.
pub(super) fn raw_len(game: &Hunt, layer: u16, index: &HuntIndex, metric: Metric) -> u64 {
    raw_header(game, layer, index, metric).map_or(u64::MAX, |header| header.layout().file_len())
}

impl Size {
    /// Returns how the disk space changes with the pass.
    pub(super) fn change(&self) -> Change {
        let work = self.work.saturating_add(self.scratch.unwrap_or(0));
        let [taken, work, table] = [self.taken, work, self.table].map(i128::from);
        Change { during: work - taken, after: table - taken }
    }

    pub(super) fn of(
        game: &Hunt,
        dir: &Path,
        layer: u16,
        index: &HuntIndex,
        plan: &Plan<'_>,
    ) -> Size {
        let &Plan { engine, metrics, memory, scratch, .. } = plan;
        let classes = classes(index);
        let (mut taken, mut table) = (0, 0_u64);
        for metric in metrics.iter() {
            let part = dir.join(table_name(game, layer, metric, Kind::Raw).part());
            taken += std::fs::metadata(part).map_or(0, |file| file.len());
            table = table.saturating_add(raw_len(game, layer, index, metric));
        }
        let work = engine.disk(game, layer, index, table);
        let traffic = engine.traffic(game, layer, index, metrics);
        let engine = engine.name();
        Size { layer, metrics, engine, classes, memory, traffic, taken, work, scratch, table }
    }
}

/// Returns the number of threads of the run that have a core: others do not make it faster.
pub(super) fn threads() -> usize {
    rayon::current_num_threads().min(std::thread::available_parallelism().map_or(1, usize::from))
}
