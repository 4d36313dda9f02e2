//! Distances of a layer that is not loopy: one pass for the side whose moves all leave the layer, then one for the other
//! side, whose moves lead to positions that are known by then.

use anser_core::{Dtw, Game, LayerIndex, Side};
use anser_table::Tablebase;
use rayon::prelude::*;

use crate::SolveError;
use crate::engines::engine::{Filled, Task};
use crate::engines::first_look::{Scan, best_move};

/// Entries that a thread takes at a time.
const CHUNK: usize = 1 << 14;

/// Solves the layer.
pub(super) fn solve<G: Game>(task: &Task<'_, G>, lower: &Tablebase<G>) -> Result<Filled, SolveError> {
    let mut codes = [Vec::new(), Vec::new()];
    let mut sides = Side::BOTH;
    sides.sort_by_key(|&side| task.game.stays_in_layer(task.layer, side));
    for side in sides {
        codes[side.index()] = pass(task, lower, side, &codes[side.other().index()])?;
    }
    Ok(Filled::new(codes, 1))
}

/// Returns the codes with `side` to move. `others` has those of the other side, if moves stay in the layer.
fn pass<G: Game>(task: &Task<'_, G>, lower: &Tablebase<G>, side: Side, others: &[u16]) -> Result<Vec<u16>, SolveError> {
    let entries = task.index.len(side);
    task.begin(format!("{} to move", task.game.side_name(side)), entries);
    let mut codes = vec![0; entries as usize];
    codes.par_chunks_mut(CHUNK).enumerate().try_for_each(|(chunk, codes)| {
        task.check_interrupt()?;
        let first = (chunk * CHUNK) as u64;
        for (rank, code) in (first..).zip(codes.iter_mut()) {
            *code = value(task, lower, side, &task.index.unrank(side, rank), others)?.code();
        }
        task.advance(codes.len() as u64);
        Ok::<_, SolveError>(())
    })?;
    Ok(codes)
}

/// Returns the value of a position with `side` to move.
fn value<G: Game>(
    task: &Task<'_, G>,
    lower: &Tablebase<G>,
    side: Side,
    position: &G::Position,
    others: &[u16],
) -> Result<Dtw, SolveError> {
    if let Some(outcome) = task.game.terminal(position) {
        return Ok(Dtw::ended(outcome));
    }
    let best = best_move(task, side, position, Scan::All, |next| {
        let value = if task.game.layer(next) == task.layer {
            Dtw::from_code(others[task.index.rank(next) as usize]).ok_or_else(|| task.too_long())?
        } else {
            lower.probe_distance(next)?
        };
        Ok(Some(value))
    })?;
    // A side that cannot move has lost.
    Ok(best.unwrap_or(Dtw::win(side.other(), 0)))
}
