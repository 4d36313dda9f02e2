//! Solves the layers of a solution from the lowest up, by
//! [retrograde analysis](crate::layer).

use std::ops::RangeInclusive;

use anser_core::hunt::Position;
use anser_core::{BySide, Dtw, Hunt, LayerIndex, Observer, Side};

use crate::error::AnalyseError;
use crate::layer::{self, Context};
use crate::limits::Limits;
use crate::parallel::{self, CHUNK};
use crate::parts::{LayerParts, Part, UNKNOWN};
use crate::ranked_set::RankedSet;
use crate::reach;
use crate::solution::Solution;

impl Solution {
    /// Solves all positions reachable from `root`, including `root`.
    ///
    /// # Errors
    /// The same as for [`Solution::reachable_within`].
    pub fn reachable(game: &Hunt, root: &Position) -> Result<Solution, AnalyseError> {
        Solution::reachable_within(game, root, &Limits::default())
    }

    /// Solves all positions reachable from `root`, within `limits`.
    ///
    /// # Errors
    /// [`AnalyseError::Memory`] if `limits` do not allow enough memory,
    /// [`AnalyseError::Interrupted`] if the observer interrupts, [`AnalyseError::Lost`] if `root`
    /// is not a position of the game or the rules are inconsistent.
    pub fn reachable_within(
        game: &Hunt,
        root: &Position,
        limits: &Limits<'_>,
    ) -> Result<Solution, AnalyseError> {
        let layers = reach::reach(game, root, limits)?;
        Solution::solved(game, Some(*root), layers, limits)
    }

    /// Solves all positions of these layers and of all layers reachable from them.
    ///
    /// # Errors
    /// [`AnalyseError::Memory`] if `limits` do not allow enough memory,
    /// [`AnalyseError::Interrupted`] if the observer interrupts, [`AnalyseError::NoLayer`] if the
    /// game has none of the layers, [`AnalyseError::Lost`] if the layers contain the start of the
    /// game but it has no value.
    pub fn of_layers(
        game: &Hunt,
        layers: RangeInclusive<u16>,
        limits: &Limits<'_>,
    ) -> Result<Solution, AnalyseError> {
        let mut needed = 0_u64;
        let (asked, all) = ((*layers.start(), *layers.end()), game.layers());
        let numbers = game.descent(layers.filter(|layer| all.contains(layer)));
        if numbers.is_empty() {
            return Err(AnalyseError::NoLayer { asked, layers: (*all.start(), *all.end()) });
        }
        let layers = numbers.into_iter().map(|number| {
            let index = game.index(number);
            let lens = Side::BOTH.map(|side| index.len(side));
            needed = lens.iter().fold(needed, |sum, len| sum.saturating_add(len.saturating_mul(2)));
            if needed > limits.memory {
                return Err(AnalyseError::memory(game, needed, limits.memory));
            }
            let sides = BySide::from(lens.map(|len| Part::of(RankedSet::All(len))));
            Ok(LayerParts { number, index, sides })
        });
        let layers = layers.collect::<Result<_, _>>()?;
        Solution::solved(game, None, layers, limits)
    }

    fn solved(
        game: &Hunt,
        root: Option<Position>,
        layers: Vec<LayerParts>,
        limits: &Limits<'_>,
    ) -> Result<Solution, AnalyseError> {
        let mut solution = Solution::without_values(game, root, layers);
        solve(&mut solution, limits.observer)?;
        solution.check_root()?;
        Ok(solution)
    }

    /// Fails if the root is not part of the solution. For whole layers, checks the start of the
    /// game if one of them contains it.
    fn check_root(&self) -> Result<(), AnalyseError> {
        let start = self.game.start();
        let in_layers = || self.ordinal(self.game.layer(&start)).is_some().then_some(&start);
        let Some(position) = self.root().or_else(in_layers) else { return Ok(()) };
        let lost = || AnalyseError::lost(&self.game, position);
        self.contains(position).then_some(()).ok_or_else(lost)
    }
}

/// Computes the values of all layers.
fn solve(solution: &mut Solution, observer: &dyn Observer) -> Result<(), AnalyseError> {
    observer.begin("values", solution.classes());
    for ordinal in 0..solution.layers.len() {
        let layer = &solution.layers[ordinal];
        let solved = layer::solve(&layer.of(&solution.game), &Lower { solution, observer })?;
        let classes = layer.classes();
        for (side, mut codes) in solved.codes {
            let layer = &mut solution.layers[ordinal];
            if layer.index.has_gaps() && layer.sides[side].is_whole() {
                forget_gaps(&layer.index, side, &mut codes);
            }
            layer.sides[side].values = codes;
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
        let lost = || AnalyseError::lost(&self.solution.game, position);
        self.solution.get(position).ok_or_else(lost)
    }

    fn check_interrupt(&self) -> Result<(), AnalyseError> {
        if self.observer.interrupted() { Err(AnalyseError::Interrupted) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use anser_core::Hunt;

    use super::*;

    #[test]
    fn a_solution_without_its_root_is_refused() {
        let game = Hunt::fox_hounds(8, "escape").expect("a board");
        let root = game.start();
        let number = game.layer(&root);
        let empty = || {
            vec![LayerParts {
                number,
                index: game.index(number),
                sides: BySide::from_fn(|_| Part::empty()),
            }]
        };
        for root in [Some(root), None] {
            let refused = Solution::solved(&game, root, empty(), &Limits::default())
                .map(|solution| solution.len());
            let position = game.format_position(&game.start());
            assert_eq!(refused, Err(AnalyseError::Lost { position }));
        }
    }
}
