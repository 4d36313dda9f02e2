//! Exact values of moves, as a player, and as training samples.

use anser_core::hunt::Position;
use anser_core::{Dtw, Hunt, Next, Probe};
use anser_retrograde::Solution;

use crate::encoding::Encoding;
use crate::error::LearnError;
use crate::evaluate::{View, results, settled};
use crate::player::Player;
use crate::sample::Sample;
use crate::search::Searched;

/// Returns the exact value of a position.
pub(crate) fn exact_value<P: Probe>(values: &P, position: &Position) -> Result<Dtw, LearnError>
where
    LearnError: From<P::Error>,
{
    values.value(position)?.dtw().ok_or(LearnError::NoDistance)
}

/// The exact values of the legal moves of a position.
pub(crate) struct Rated {
    /// The exact score of each move for the mover, in generation order.
    pub(crate) scores: Vec<i32>,
    /// The outcome of each move for the mover: the greater, the better.
    outcomes: Vec<i32>,
    pub(crate) best: i32,
    best_outcome: i32,
}

impl Rated {
    pub(crate) fn new<P: Probe>(
        game: &Hunt,
        values_of: &P,
        position: &Position,
    ) -> Result<Rated, LearnError>
    where
        LearnError: From<P::Error>,
    {
        let side = position.to_move();
        let mut values: Vec<Dtw> = Vec::new();
        for next in results(game, position) {
            values.push(match next {
                Next::Position(next) => exact_value(values_of, &next)?,
                Next::End(end) => Dtw::ended(end.outcome),
            });
        }
        let scores: Vec<i32> = values.iter().map(|value| value.score(side)).collect();
        // A win by endless play is as good an outcome as any.
        let outcome = |value: &Dtw| settled(game, value.outcome()).score(side);
        let outcomes: Vec<i32> = values.iter().map(outcome).collect();
        let greatest = |numbers: &[i32]| numbers.iter().copied().max().unwrap_or(i32::MIN);
        Ok(Rated { best: greatest(&scores), best_outcome: greatest(&outcomes), scores, outcomes })
    }

    /// Returns the value of the position for the mover, that of its best moves: 1, 0, or -1.
    pub(crate) fn value(&self) -> f32 {
        self.best_outcome as f32
    }

    pub(crate) fn is_wrong(&self, choice: usize) -> bool {
        self.outcomes[choice] < self.best_outcome
    }

    pub(crate) fn is_imperfect(&self, choice: usize) -> bool {
        !self.is_wrong(choice) && self.scores[choice] < self.best
    }

    /// Equal shares of the best moves.
    pub(crate) fn best_shares(&self) -> Vec<f32> {
        let count = self.scores.iter().filter(|&&score| score == self.best).count() as f32;
        let share = |&score: &i32| if score == self.best { 1.0 / count } else { 0.0 };
        self.scores.iter().map(share).collect()
    }
}

/// The perfect player: wins as fast as possible and delays losses.
pub struct Perfect<'a>(pub &'a Solution);

impl Player for Perfect<'_> {
    fn choose(&mut self, positions: &[Position]) -> Result<Vec<Searched>, LearnError> {
        let choose = |position: &Position| {
            let rated = Rated::new(self.0.game(), self.0, position)?;
            Ok(Searched {
                choice: rated.scores.iter().position(|&score| score == rated.best).unwrap_or(0),
                shares: rated.best_shares(),
                value: rated.value(),
            })
        };
        positions.iter().map(choose).collect()
    }
}

/// Returns a sample per non-terminal position of a solution: its value, and equal shares of its
/// best moves. If `symmetric`, symmetric positions give one sample.
///
/// A network trained on these samples is an upper bound for learners.
///
/// # Errors
/// If a value is missing.
pub fn exact_samples(
    solution: &Solution,
    encoding: &dyn Encoding,
    symmetric: bool,
) -> Result<Vec<Sample>, LearnError> {
    let game = solution.game();
    let all = solution.layers().flat_map(|layer| solution.positions(layer));
    let first_of_images = |position: &Position| {
        let mut images = (0..game.symmetries()).map(|symmetry| game.image(position, symmetry));
        !images.any(|image| image < *position)
    };
    let positions = all.map(|(position, _)| position);
    let positions = positions.filter(|position| !symmetric || first_of_images(position));
    exact_samples_at(game, solution, positions, encoding, symmetric)
}

/// As [`exact_samples`], of the given positions, with the exact values of anything that has them.
///
/// ```
/// use anser_core::Hunt;
/// use anser_core::hexapawn::BoardSize;
/// use anser_learn::{HuntEncoding, draw_decisions, exact_samples_at};
/// use anser_retrograde::{Limits, Solution};
/// let game = Hunt::hexapawn(BoardSize::THREE);
/// let solution = Solution::of_layers(&game, game.layers(), &Limits::default())?;
/// let drawn = draw_decisions(&game, game.layers(), 50, 1);
/// let encoding = HuntEncoding::new(&game);
/// let samples = exact_samples_at(&game, &solution, drawn, &encoding, false)?;
/// assert_eq!(samples.len(), 50);
/// // Hexapawn has no draws.
/// assert!(samples.iter().all(|sample| sample.value.abs() == 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a value is missing.
pub fn exact_samples_at<P: Probe>(
    game: &Hunt,
    values: &P,
    positions: impl IntoIterator<Item = Position>,
    encoding: &dyn Encoding,
    symmetric: bool,
) -> Result<Vec<Sample>, LearnError>
where
    LearnError: From<P::Error>,
{
    let mut samples = Vec::new();
    for position in positions {
        if game.terminal(&position).is_some() || results(game, &position).is_empty() {
            continue;
        }
        let rated = Rated::new(game, values, &position)?;
        let view = View::new(game, encoding, &position, symmetric);
        samples.push(view.sample(&rated.best_shares(), rated.value()));
    }
    Ok(samples)
}
