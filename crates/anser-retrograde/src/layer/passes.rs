//! A layer that is not loopy: one pass for the side whose moves all leave the layer, then one for
//! the other side, whose moves lead to values known by then.

use std::ops::ControlFlow;

use anser_core::hunt::Position;
use anser_core::{BySide, Dtw, LayerIndex, Next, Side};

use super::first_look::{Scan, blocked, improve};
use super::task::{Context, Layer, LayerCodes};
use crate::parallel;

/// Slots that a thread takes at a time.
const CHUNK: usize = 1 << 12;

/// Solves the layer.
pub(super) fn solve<C: Context>(layer: &Layer<'_>, context: &C) -> Result<LayerCodes, C::Error> {
    let mut codes = BySide::new(Vec::new(), Vec::new());
    let mut sides = Side::BOTH;
    // A side whose moves stay in the layer reads the values of the other.
    if layer.game.stays_in_layer(layer.number, Side::First) {
        sides.reverse();
    }
    for side in sides {
        codes[side] = pass(layer, context, side, &codes[side.other()])?;
    }
    Ok(LayerCodes { codes, rounds: 1 })
}

/// Returns the codes with `side` to move. `others` are the codes of the other side, if moves of
/// `side` stay in the layer.
fn pass<C: Context>(
    layer: &Layer<'_>,
    context: &C,
    side: Side,
    others: &[u16],
) -> Result<Vec<u16>, C::Error> {
    let len = layer.classes[side].len();
    context.begin(&format!("{} to move", layer.game.side_name(side)), len as u64);
    let mut codes = vec![0; len];
    let chunks = codes.chunks_mut(CHUNK).enumerate();
    parallel::try_for_each::<_, C::Error>(chunks, &|(chunk, codes)| {
        context.check_interrupt()?;
        let slots = chunk * CHUNK..chunk * CHUNK + codes.len();
        for (code, rank) in codes.iter_mut().zip(layer.classes[side].members(slots)) {
            *code = value(layer, context, side, &layer.index.unrank(side, rank), others)?.code();
        }
        context.advance(codes.len() as u64);
        Ok(())
    })?;
    Ok(codes)
}

/// Returns the value of a position with `side` to move.
fn value<C: Context>(
    layer: &Layer<'_>,
    context: &C,
    side: Side,
    position: &Position,
    others: &[u16],
) -> Result<Dtw, C::Error> {
    if let Some(outcome) = layer.game.terminal(position) {
        return Ok(Dtw::ended(outcome));
    }
    let mut best = None;
    let stopped = layer.game.visit_successors(position, |kind, next| {
        let after = match &next {
            Next::End(end) => Ok(Dtw::ended(end.outcome)),
            // By reference: a copy of what has just been written takes longer than the rest.
            Next::Position(next) => {
                let stays = layer.game.layer_after(layer.number, kind, next) == layer.number;
                let slot = if stays { layer.slot(side.other(), next) } else { None };
                let code = slot.and_then(|slot| others.get(slot));
                let known = code.and_then(|&code| Dtw::from_code(code));
                known.map_or_else(|| context.below(next), Ok)
            }
        };
        improve(&mut best, after, layer.number, side, Scan::All)
    });
    match stopped {
        ControlFlow::Break(Some(error)) => Err(error),
        _ => Ok(best.unwrap_or(Dtw::ended(blocked(side)))),
    }
}
