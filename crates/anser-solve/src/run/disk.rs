//! The disk space of a run.

use anser_table::{Kind, Metric};

use super::directory::{Run, TableOf, Todo};
use super::packed::RawTables;
use super::size::{Change, Size, raw_len};
use crate::io::manifest::table_name;
use crate::layer::LayerOf;
use crate::system::threads::working_threads;

/// Returns the most disk space that is taken at any moment, beyond what is taken already.
pub(super) fn peak_disk(changes: impl IntoIterator<Item = Change>) -> u64 {
    let (mut now, mut peak) = (0, 0);
    for Change { during, after } in changes {
        peak = peak.max(now + during);
        now += after;
    }
    peak.max(now).try_into().unwrap_or(u64::MAX)
}

/// A table that a run packs or has packed, and whose raw table it removes.
pub(super) struct Packing {
    pub(super) table: TableOf,
    /// The number of classes, both sides to move together.
    classes: u64,
    /// The length of the raw table in bytes.
    raw: u64,
    /// The length of the packed table in bytes; `None` if it exists.
    packed: Option<u64>,
}

impl Packing {
    pub(super) fn packs(&self) -> bool {
        self.packed.is_some()
    }
}

/// Least ratio of the length of a large raw table to that of its packed table. In layer 11 of
/// `first-capture`, where packed tables take the largest share, outcomes take 3.6 % and distances 1
/// %.
const TIMES_SMALLER: u64 = 24;

/// Bytes of a packed table of any size: its header, and the table of its frames.
const LEAST_PACKED: u64 = 8 << 10;

/// Seconds that one thread takes to pack the values of a class, by metric. Measured in layer 7 of
/// `first-capture`.
const PACKING_SECONDS: [f64; Metric::ALL.len()] = [20e-9, 90e-9];

/// Returns the seconds that packing takes.
pub(super) fn packing_seconds(packings: &[Packing]) -> f64 {
    let of_one =
        |packing: &Packing| packing.classes as f64 * PACKING_SECONDS[packing.table.1 as usize];
    packings.iter().filter(|packing| packing.packs()).map(of_one).sum::<f64>()
        / working_threads() as f64
}

impl Run<'_> {
    /// Returns the length of a table; `None` if there is none.
    fn len(&self, layer: u16, metric: Metric, kind: Kind) -> Option<u64> {
        let path = self.dir.join(table_name(self.game, layer, metric, kind).to_string());
        std::fs::metadata(path).ok().map(|file| file.len())
    }

    /// Returns the tables to be packed or whose raw tables are to be removed, in order.
    pub(super) fn packings(&self, todo: &Todo) -> Vec<Packing> {
        let mut packings = Vec::new();
        if !self.packed {
            return packings;
        }
        for layer in todo.layers.clone() {
            let mut index = None;
            for metric in self.metrics.iter() {
                let is_open = todo
                    .open
                    .iter()
                    .any(|&(open, metrics)| open == layer && metrics.contains(metric));
                let raw = self.len(layer, metric, Kind::Raw);
                if raw.is_none() && !is_open && !todo.unpack.contains(&(layer, metric)) {
                    continue;
                }
                let index = index.get_or_insert_with(|| self.game.index(layer));
                let of = LayerOf { game: self.game, layer, index };
                let raw = raw.unwrap_or_else(|| raw_len(of, metric));
                let packed = match self.len(layer, metric, Kind::Packed) {
                    Some(_) => None,
                    None => Some(raw / TIMES_SMALLER + LEAST_PACKED),
                };
                packings.push(Packing {
                    table: (layer, metric),
                    classes: of.classes(),
                    raw,
                    packed,
                });
            }
        }
        packings
    }

    /// Returns the changes of the disk space in the order of the run.
    pub(super) fn changes(
        &self,
        todo: &Todo,
        sizes: &[Size<'_>],
        packings: &[Packing],
    ) -> Vec<Change> {
        let estimated_len = |(layer, metric)| {
            raw_len(LayerOf { game: self.game, layer, index: &self.game.index(layer) }, metric)
        };
        let len_of = |table| {
            let mut known = packings.iter().filter(|packing| packing.table == table);
            known.next().map_or_else(|| estimated_len(table), |packing| packing.raw)
        };
        let mut changes = Vec::new();
        let mut raw = RawTables::default();
        for &table in &todo.unpack {
            changes.push(Change::write(estimated_len(table)));
            raw.add(table);
        }
        for layer in todo.layers.clone() {
            changes.extend(sizes.iter().filter(|size| size.layer == layer).map(|size| size.disk));
            if !self.packed {
                continue;
            }
            let open = &todo.open[todo.open.partition_point(|&(open, _)| open <= layer)..];
            let remove = |raw: &mut RawTables| {
                let unneeded = raw.take_unneeded(self.game, open).into_iter();
                unneeded.map(|table| Change::remove(len_of(table))).collect::<Vec<_>>()
            };
            changes.extend(remove(&mut raw));
            for packing in packings.iter().filter(|packing| packing.table.0 == layer) {
                changes.extend(packing.packed.map(Change::write));
                raw.add(packing.table);
                changes.extend(remove(&mut raw));
            }
        }
        changes
    }
}
