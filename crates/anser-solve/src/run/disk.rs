//! The disk space of a run.

use anser_core::LayerIndex;
use anser_table::{Kind, Metric};

use super::directory::{Run, TableOf, Todo};
use super::packed::RawTables;
use super::size::{Change, Size, raw_len};
use crate::io::manifest::table_name;
use crate::layer::LayerOf;
use crate::pack::{PACK_LEVEL, PackLevel};
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
    /// The seconds that one thread takes to pack it.
    seconds: f64,
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

/// Share that a packed table has at most of the length of a large raw one, by metric, as far as
/// measured. In the order of the cross, outcomes take 3.6 % in layer 11 of `first-capture`, and
/// distances 1 %. In other games, outcomes take 9.7 % in layer 12 of El Cazador, at level 9, and
/// distances 26 % in layers 11 and 12 of Cercar la liebre.
fn packed_share(scheme: &str, level: PackLevel) -> [f64; Metric::ALL.len()] {
    let at_default = if scheme == "cross33" { [0.042; 2] } else { [0.1, 0.27] };
    // Level 3 makes distances of Bagh-Chal 43 % longer.
    at_default.map(|share| if i32::from(level.0) < PACK_LEVEL { 1.5 * share } else { share })
}

/// Bytes of a packed table of any size: its header, and the table of its frames.
const LEAST_PACKED: u64 = 8 << 10;

/// Seconds that one thread takes to pack the values of a class, by metric. Measured in layer 7 of
/// `first-capture`.
const PACKING_SECONDS: [f64; Metric::ALL.len()] = [20e-9, 90e-9];

/// Times that packing at a level takes as long as at the default one: up to level 16 as measured in
/// layer 19 of Bagh-Chal, and for level 19 in layer 10 of `first-capture`.
fn times_longer(level: PackLevel) -> f64 {
    match level.0 {
        ..=4 => 0.13,
        5..=9 => 0.2,
        10..=14 => 0.7,
        15 => 1.0,
        16 => 1.4,
        _ => 4.0,
    }
}

/// Returns the seconds that packing takes.
pub(super) fn packing_seconds(packings: &[Packing]) -> f64 {
    let packed = packings.iter().filter(|packing| packing.packs());
    packed.map(|packing| packing.seconds).sum::<f64>() / working_threads() as f64
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
        let Some(level) = self.packed else { return packings };
        let of_class = PACKING_SECONDS.map(|seconds| seconds * times_longer(level));
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
                let share = packed_share(index.scheme().name, level);
                let packed = match self.len(layer, metric, Kind::Packed) {
                    Some(_) => None,
                    None => Some((raw as f64 * share[metric as usize]) as u64 + LEAST_PACKED),
                };
                packings.push(Packing {
                    table: (layer, metric),
                    seconds: of.classes() as f64 * of_class[metric as usize],
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
            if self.packed.is_none() {
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
