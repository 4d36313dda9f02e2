//! Distances in the full check.
//!
//! If the game is over, the distance is 0. A winner has a move to a position won in one ply less,
//! and none to one won sooner. A loser has no move that draws or wins, and delays the loss as long
//! as possible. In a draw some move draws and none wins.

use std::ops::Range;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use anser_core::{BySide, DistancesByBlocks, Dtw, LayerIndex, Side, Target};
use anser_retrograde::parallel;
use anser_table::format::BlockId;
use anser_table::{Metric, ProbeError, Table, Tablebase};

use crate::io::stored::Stored;
use crate::verify::full::Checked;
use crate::verify::problem::Problem;
use crate::verify::recompute::Recompute;
use crate::{SolveError, check_interrupt};

impl Checked for Dtw {
    const NAME: &'static str = "distances";
    const NO_VALUE: &'static str = "won in more plies than a table can store";
    const CHUNK: u64 = 1 << 14;

    fn table(tables: &Tablebase, layer: u16) -> Result<&Table, ProbeError> {
        tables.table_of(layer, Metric::Dtw)
    }

    fn check_codes(_: &Tablebase, _: &Table, _: Side, _: &[u16]) -> Result<(), ProbeError> {
        Ok(())
    }

    fn read_stored(
        recompute: &Recompute<'_, Self>,
        table: &Table,
        side: Side,
    ) -> Result<Option<Vec<u16>>, SolveError> {
        let header = table.header();
        let Some(packing) = header.packing().filter(|packing| packing.stored[side]) else {
            return Ok(None);
        };
        let entries = header.entries();
        let order = recompute.index.packing_order(side).ranks();
        let codes = atomic_codes(entries[side]);
        recompute.announce("reading", side, entries[side]);
        parallel::try_for_each(0..packing.blocks(entries)[side], &|number| {
            check_interrupt(recompute.observer)?;
            let block = BlockId { side, number };
            let mut read = vec![0; packing.entries_in(entries, block) as usize];
            table.read_block(block, &mut read)?;
            let first = number * u64::from(packing.block_entries);
            let places = first..first + read.len() as u64;
            let mut values = read.iter();
            order.visit_ranks(places, |rank| {
                if let Some(&code) = values.next() {
                    codes[rank as usize].store(code, Relaxed);
                }
            });
            recompute.observer.advance(read.len() as u64);
            Ok::<_, SolveError>(())
        })?;
        Ok(Some(codes.into_iter().map(AtomicU16::into_inner).collect()))
    }

    fn recompute(
        recompute: &Recompute<'_, Self>,
        side: Side,
        ranks: Range<u64>,
        values: &BySide<Vec<u16>>,
        words: &mut [u16],
    ) -> Result<(), SolveError> {
        let successors = &values[side.other()];
        let value = |rank| {
            let position = recompute.index.unrank(side, rank);
            recompute.value(&position, side, |rank| Dtw::get(successors, rank))
        };
        let Some(blocks) = &recompute.blocks else {
            for (entry, rank) in (0..).zip(ranks) {
                Dtw::set(words, entry, value(rank)?);
            }
            return Ok(());
        };
        let read = |target: &Target<'_>, codes: &mut [u16]| {
            let known = if target.layer == recompute.layer {
                Some(&successors[..])
            } else {
                recompute.below(target.layer, side.other())
            };
            let Some(known) = known else { return Ok(false) };
            codes.copy_from_slice(&known[target.start as usize..][..target.len]);
            Ok(true)
        };
        let unlisted = DistancesByBlocks::new(&**blocks, side).codes::<SolveError>(
            ranks.start,
            words,
            read,
        )?;
        for rank in unlisted {
            Dtw::set(words, rank - ranks.start, value(rank)?);
        }
        Ok(())
    }

    fn visit_differences(stored: &[u16], expected: &[u16], mut visit: impl FnMut(u64)) {
        for (entry, (stored, expected)) in (0..).zip(stored.iter().zip(expected)) {
            if stored != expected {
                visit(entry);
            }
        }
    }

    fn check_well_founded(
        _: &Recompute<'_, Self>,
        _: &BySide<Vec<u16>>,
    ) -> Result<(Option<u64>, Vec<Problem>), SolveError> {
        // Consistent distances decrease along every win.
        Ok((None, Vec::new()))
    }
}

/// Codes that several threads set, each those of its own entries.
fn atomic_codes(entries: u64) -> Vec<AtomicU16> {
    (0..entries).map(|_| AtomicU16::new(0)).collect()
}
