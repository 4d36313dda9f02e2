//! Distances of a layer in which play does not go round: one pass for the side whose moves all leave the layer, then one
//! for the other, whose moves lead to positions that are known by then.

use std::ops::ControlFlow;

use anser_core::{Dtw, Game, LayerIndex, Next, Side};
use rayon::prelude::*;

use crate::SolveError;
use crate::engines::distances::seed::before;
use crate::engines::distances::{DistanceTask, Distances};

/// Entries that a thread takes at a time.
const CHUNK: usize = 1 << 14;

/// Solves the layer.
pub(super) fn solve<G: Game>(task: &DistanceTask<'_, G>) -> Result<Distances, SolveError> {
    let mut codes = [Vec::new(), Vec::new()];
    let mut sides = Side::BOTH;
    sides.sort_by_key(|&side| task.game.stays_in_layer(task.layer, side));
    for side in sides {
        codes[side.index()] = pass(task, side, &codes[side.other().index()])?;
    }
    Ok(Distances { codes, rounds: 1 })
}

/// The codes with `side` to move, by those of the other side in this layer as far as moves lead there.
fn pass<G: Game>(task: &DistanceTask<'_, G>, side: Side, others: &[u16]) -> Result<Vec<u16>, SolveError> {
    let entries = task.index.len(side);
    task.announce(format!("{} to move", task.game.side_name(side)), entries);
    let mut codes = vec![0; entries as usize];
    codes.par_chunks_mut(CHUNK).enumerate().try_for_each(|(chunk, codes)| {
        task.check_interrupt()?;
        let first = (chunk * CHUNK) as u64;
        for (rank, code) in (first..).zip(codes.iter_mut()) {
            *code = value(task, side, &task.index.unrank(side, rank), others)?.code();
        }
        task.observer.advance(codes.len() as u64);
        Ok::<_, SolveError>(())
    })?;
    Ok(codes)
}

/// The value of a position with `side` to move.
fn value<G: Game>(
    task: &DistanceTask<'_, G>,
    side: Side,
    position: &G::Position,
    others: &[u16],
) -> Result<Dtw, SolveError> {
    if let Some(outcome) = task.game.terminal(position) {
        return Ok(Dtw::ended(outcome));
    }
    let mut best: Option<Dtw> = None;
    let failed = task.game.visit_moves(position, |_, next| {
        let after = match next {
            Next::End(outcome) => Ok(Dtw::ended(outcome)),
            Next::Position(next) if task.game.layer(&next) == task.layer => {
                let code = others[task.index.rank(&next) as usize];
                Dtw::from_code(code).ok_or_else(|| task.too_long())
            }
            Next::Position(next) => task.lower.probe_distance(&next).map_err(SolveError::from),
        };
        match after.and_then(|after| before(after).ok_or_else(|| task.too_long())) {
            Err(error) => ControlFlow::Break(error),
            Ok(value) => {
                if best.is_none_or(|best| value.score(side) > best.score(side)) {
                    best = Some(value);
                }
                ControlFlow::Continue(())
            }
        }
    });
    match failed {
        ControlFlow::Break(error) => Err(error),
        // A side that cannot move has lost.
        ControlFlow::Continue(()) => Ok(best.unwrap_or(Dtw::win(side.other(), 0))),
    }
}
