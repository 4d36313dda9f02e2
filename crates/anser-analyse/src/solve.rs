//! The values of a solution, layer by layer from the lowest up, by
//! [retrograde analysis](crate::retrograde).

use anser_core::hunt::Position;
use anser_core::{BySide, Dtw, LayerIndex, Observer, Side};

use crate::AnalyseError;
use crate::parallel::{self, CHUNK};
use crate::retrograde::{self, Context};
use crate::solution::{Solution, UNKNOWN};

/// Computes the values of all layers.
pub(crate) fn solve(solution: &mut Solution, observer: &dyn Observer) -> Result<(), AnalyseError> {
    observer.begin("values", solution.classes());
    for ordinal in 0..solution.layers.len() {
        let layer = &solution.layers[ordinal];
        let task = retrograde::Layer {
            game: &solution.game,
            number: layer.number,
            index: &layer.index,
            classes: BySide::from_fn(|side| &layer.sides[side.index()].classes),
        };
        let solved = retrograde::solve(&task, &Lower { solution, observer })?;
        let classes = layer.classes();
        for (side, mut codes) in solved.codes {
            let layer = &mut solution.layers[ordinal];
            if layer.index.has_gaps() && layer.sides[side.index()].is_whole() {
                forget_gaps(&layer.index, side, &mut codes);
            }
            layer.sides[side.index()].values = codes;
        }
        observer.advance(classes);
    }
    Ok(())
}

/// Makes the values of entries that are no rank of a position unknown.
fn forget_gaps(index: &impl LayerIndex, side: Side, codes: &mut [u16]) {
    let chunks = codes.chunks_mut(CHUNK).zip((0..).step_by(CHUNK));
    parallel::for_each(chunks, &|(codes, first)| {
        for (code, rank) in codes.iter_mut().zip(first..) {
            if index.orbit(side, rank) == 0 {
                *code = UNKNOWN;
            }
        }
    });
}

/// The layers solved so far.
struct Lower<'a> {
    solution: &'a Solution,
    observer: &'a dyn Observer,
}

impl Context for Lower<'_> {
    type Error = AnalyseError;

    /// Fails if the rules contradict themselves: the position was not found when the positions of
    /// the solution were.
    fn below(&self, position: &Position) -> Result<Dtw, AnalyseError> {
        let lost = || AnalyseError::Lost { position: self.solution.game.format_position(position) };
        self.solution.get(position).ok_or_else(lost)
    }

    fn check_interrupt(&self) -> Result<(), AnalyseError> {
        if self.observer.interrupted() { Err(AnalyseError::Interrupted) } else { Ok(()) }
    }
}
