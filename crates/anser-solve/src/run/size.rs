//! Memory and disk space that a pass of an engine needs.

use anser_core::BySide;
use anser_table::format::Header;
use anser_table::{Kind, Metric};

use super::directory::Run;
use crate::engines::choice::Plan;
use crate::io::codes::ASSUMED_BITS;
use crate::io::manifest::{GENERATOR, table_name};
use crate::layer::LayerOf;

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

    /// A pass that takes `work` bytes while it runs and leaves `tables` bytes. An unfinished table
    /// has taken `taken` bytes of them already.
    pub(super) fn pass(taken: u64, work: u64, tables: u64) -> Change {
        let [taken, work, tables] = [taken, work, tables].map(i128::from);
        Change { during: work - taken, after: tables - taken }
    }
}

/// A planned pass over a layer, and its needs.
pub(super) struct Size<'e> {
    pub(super) layer: u16,
    /// The number of classes, both sides to move together.
    pub(super) classes: u64,
    pub(super) plan: Plan<'e>,
    pub(super) disk: Change,
}

/// Returns the length of a raw table before it is solved, in bytes.
pub(super) fn raw_len(LayerOf { game, layer, index }: LayerOf<'_>, metric: Metric) -> u64 {
    let longest = match metric {
        Metric::Wdl => None,
        Metric::Dtw => {
            let plies = Some((1 << (ASSUMED_BITS - 1)) - 2);
            Some(BySide::from_fn(|_| BySide::from_fn(|_| plies)))
        }
    };
    let header = Header::new_raw(game, layer, index, longest, GENERATOR);
    header.map_or(u64::MAX, |header| header.layout().file_len())
}

impl<'e> Size<'e> {
    pub(super) fn of(run: &Run<'_>, of: LayerOf<'_>, plan: Plan<'e>) -> Size<'e> {
        let (mut taken, mut tables) = (0, 0_u64);
        for metric in plan.metrics.iter() {
            let part = run.dir.join(table_name(of.game, of.layer, metric, Kind::Raw).part());
            taken += std::fs::metadata(part).map_or(0, |file| file.len());
            tables = tables.saturating_add(raw_len(of, metric));
        }
        let with_checkpoint = tables.max(plan.checkpoint).saturating_add(plan.checkpoint);
        let work = with_checkpoint.saturating_add(plan.scratch.unwrap_or(0));
        let disk = Change::pass(taken, work, tables);
        Size { layer: of.layer, classes: of.classes(), plan, disk }
    }
}
