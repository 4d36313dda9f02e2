//! Values of consecutive classes of a layer.

use anser_core::hunt::Position;
use anser_core::{BlockMoves, DistancesByBlocks, Dtw, LayerIndex, ProbeLayer, Side, Target};

use super::no_entry;
use crate::error::{Damage, Defect, ProbeError};
use crate::format::ENTRIES_PER_PAIR;
use crate::kinds::Metric;
use crate::tablebase::{OpenLayer, Tablebase};

/// Number of positions of a layer that are looked up at a time.
const BATCH: usize = 4096;

/// A side to move that a table does not store comes from one ply of look-ahead, by blocks if they
/// are many. Raw tables store everything.
impl ProbeLayer for Tablebase {
    fn read_distances(
        &self,
        layer: u16,
        side: Side,
        first: u64,
        codes: &mut [u16],
    ) -> Result<(), ProbeError> {
        let open = self.layer_of(layer, Metric::Dtw)?;
        let table = &open.table;
        if codes.len() >= BATCH && table.read_rows(side, first, codes, &self.cache)? {
            return Ok(());
        }
        if table.read_codes(side, first, codes)? {
            return Ok(());
        }
        self.look_up(open, layer, (side, Metric::Dtw), first, codes)
    }

    fn read_outcomes(
        &self,
        layer: u16,
        side: Side,
        first: u64,
        pairs: &mut [[u64; 2]],
    ) -> Result<(), ProbeError> {
        let open = self.layer(layer, Metric::Wdl)?;
        let end = open.index.len(side).min(first + pairs.len() as u64 * ENTRIES_PER_PAIR);
        let stored = first.is_multiple_of(ENTRIES_PER_PAIR)
            && open.table.read_pairs(side, first / ENTRIES_PER_PAIR, pairs.as_flattened_mut())?;
        if stored && pairs.iter().any(|[first, second]| first & second != 0) {
            let damage = Damage::EntryAmong { ranks: first..=end - 1 };
            return Err(open.table.error(Defect::Damaged(damage)).into());
        }
        if stored {
            return Ok(());
        }
        let mut codes = vec![0; end.saturating_sub(first) as usize];
        self.look_up(open, layer, (side, Metric::Wdl), first, &mut codes)?;
        pairs.fill([0, 0]);
        for (pair, codes) in pairs.iter_mut().zip(codes.chunks(ENTRIES_PER_PAIR as usize)) {
            for (bit, &code) in codes.iter().enumerate() {
                if let Some(winner) = Dtw::from_code(code).and_then(Dtw::winner) {
                    pair[winner.index()] |= 1 << bit;
                }
            }
        }
        Ok(())
    }
}

impl Tablebase {
    /// Fills `codes` with the values of consecutive classes that no part of the table gives at
    /// once: by blocks, or else position by position. Outcomes are wins in 0 plies.
    fn look_up(
        &self,
        open: &OpenLayer,
        layer: u16,
        (side, metric): (Side, Metric),
        first: u64,
        codes: &mut [u16],
    ) -> Result<(), ProbeError> {
        // Preparing the moves by blocks takes as long as some thousand probes, and longer in
        // numberings with many arrangements of the few, which have gaps.
        if codes.len() >= BATCH
            && !open.index.has_gaps()
            && first.saturating_add(codes.len() as u64) <= open.index.len(side)
            && let Some(blocks) = self.game.block_moves(layer, &open.index)
        {
            return self.look_ahead_by_blocks(open, &*blocks, (side, metric), first, codes);
        }
        for (first, codes) in (first..).step_by(BATCH).zip(codes.chunks_mut(BATCH)) {
            let ranks = first..first + codes.len() as u64;
            let positions = ranks.map(|rank| unrank(open, side, rank));
            let positions = positions.collect::<Result<Vec<_>, _>>()?;
            let values = match metric {
                Metric::Wdl => self
                    .probe_outcomes(&positions)
                    .into_iter()
                    .map(|outcome| outcome.map(Dtw::ended))
                    .collect(),
                Metric::Dtw => self.distances_of(&positions),
            };
            for (code, value) in codes.iter_mut().zip(values) {
                *code = value?.code();
            }
        }
        Ok(())
    }

    /// Returns the exact values of positions.
    fn distances_of(&self, positions: &[Position]) -> Vec<Result<Dtw, ProbeError>> {
        let values = self.probe_many(positions).into_iter().zip(positions);
        // An outcome alone is an error, which the exact probe describes.
        let exact = values.map(|(value, position)| {
            value?.dtw().map_or_else(|| self.probe_distance(position), Ok)
        });
        exact.collect()
    }

    /// Returns the code of a class, with a side to move that the table omits, from those after each
    /// move, as far as possible in rows that the cache has.
    fn code_ahead(
        &self,
        open: &OpenLayer,
        side: Side,
        metric: Metric,
        rank: u64,
    ) -> Result<u16, ProbeError> {
        let position = unrank(open, side, rank)?;
        if let Some(outcome) = self.game.terminal(&position) {
            return Ok(Dtw::ended(outcome).code());
        }
        let layer = self.game.layer(&position);
        let value = self.look_ahead_to(&position, metric, |next| {
            let (table, mut code) = (&open.table, [0]);
            let is_near = self.game.layer(next) == layer;
            let next_side = next.to_move();
            if !is_near
                || !table.read_rows(next_side, open.index.rank(next), &mut code, &self.cache)?
            {
                return self.probe_of(next, metric);
            }
            let value = Dtw::from_code(code[0]).unwrap_or(Dtw::DRAW);
            Ok(if metric.has_distances() { value.into() } else { value.outcome().into() })
        })?;
        Ok(value.dtw().unwrap_or(Dtw::ended(value.outcome)).code())
    }

    /// Fills `codes` with the values of consecutive classes, with a side to move that the table
    /// omits, from those after each move. Outcomes are wins in 0 plies.
    fn look_ahead_by_blocks(
        &self,
        open: &OpenLayer,
        blocks: &dyn BlockMoves,
        (side, metric): (Side, Metric),
        first: u64,
        codes: &mut [u16],
    ) -> Result<(), ProbeError> {
        let read = |target: &Target<'_>, codes: &mut [u16]| {
            // Without this layer, some classes may still have a best move that is known.
            let open = match metric {
                Metric::Wdl => self.layer(target.layer, metric),
                Metric::Dtw => self.layer_of(target.layer, metric),
            };
            let Ok(open) = open else { return Ok(false) };
            Ok(open.table.read_rows(side.other(), target.start, codes, &self.cache)?)
        };
        let unlisted =
            DistancesByBlocks::new(blocks, side).codes::<ProbeError>(first, codes, read)?;
        for rank in unlisted {
            codes[(rank - first) as usize] = self.code_ahead(open, side, metric, rank)?;
        }
        if !metric.has_distances() {
            return Ok(());
        }
        // The header of the table must allow the values, as for a single probe.
        let longest = open.table.header().longest().unwrap_or_default()[side];
        let codes_of = |winner| longest[winner].map_or(0, |plies| Dtw::win(winner, plies).code());
        let [first_side, second_side] = Side::BOTH.map(codes_of);
        // Odd codes are wins of the first side.
        let is_above = |&code: &u16| code > if code % 2 == 1 { first_side } else { second_side };
        if let Some(entry) = codes.iter().position(is_above) {
            let damage = Damage::Entry { rank: first + entry as u64 };
            return Err(open.table.error(Defect::Damaged(damage)).into());
        }
        Ok(())
    }
}

/// Returns the canonical position of a class.
fn unrank(layer: &OpenLayer, side: Side, rank: u64) -> Result<Position, ProbeError> {
    if rank >= layer.index.len(side) {
        return Err(no_entry(layer, rank));
    }
    Ok(layer.index.unrank(side, rank))
}
