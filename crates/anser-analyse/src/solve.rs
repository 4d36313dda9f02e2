//! The values of a solution, layer by layer from the lowest up, by
//! [retrograde analysis](crate::retrograde).

use anser_core::{BySide, Dtw, Game, Observer};

use crate::AnalyseError;
use crate::retrograde::{self, Context};
use crate::solution::Solution;

/// Computes the values of all layers.
pub(crate) fn solve<G: Game>(
    solution: &mut Solution<G>,
    observer: &dyn Observer,
) -> Result<(), AnalyseError> {
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
        for (side, codes) in solved.codes {
            solution.layers[ordinal].sides[side.index()].values = codes;
        }
        observer.advance(classes);
    }
    Ok(())
}

/// The layers solved so far.
struct Lower<'a, G: Game> {
    solution: &'a Solution<G>,
    observer: &'a dyn Observer,
}

impl<G: Game> Context<G> for Lower<'_, G> {
    type Error = AnalyseError;

    /// Fails if the rules contradict themselves: the position was not found when the positions of
    /// the solution were.
    fn below(&self, position: &G::Position) -> Result<Dtw, AnalyseError> {
        let lost = || AnalyseError::Lost { position: self.solution.game.format_position(position) };
        self.solution.get(position).ok_or_else(lost)
    }

    fn check_interrupt(&self) -> Result<(), AnalyseError> {
        if self.observer.interrupted() { Err(AnalyseError::Interrupted) } else { Ok(()) }
    }
}
