//! Players: who chooses a move and its policy for each position.

use anser_analyse::{Advisor, Strategy, known_moves};
use anser_core::Hunt;
use anser_core::hunt::Position;

use crate::error::LearnError;
use crate::evaluate::{Evaluator, results, settled, softmax, value_for};
use crate::search::{Search, Searched, first_greatest, search};

/// A player: chooses a move and its policy for each position.
///
/// Implemented for a search with a network, and for one that plays at random, among others.
pub trait Player {
    /// Chooses a move in each position; none is terminal.
    ///
    /// # Errors
    /// Errors of the player.
    fn choose(&mut self, positions: &[Position]) -> Result<Vec<Searched>, LearnError>;
}

/// An evaluator as a player, with or without a search. Without one it plays the move of the
/// greatest score.
pub struct Searcher<'a, E> {
    game: &'a Hunt,
    evaluator: E,
    search: Option<Search>,
}

impl<'a, E: Evaluator> Searcher<'a, E> {
    /// Creates a player.
    pub fn new(game: &'a Hunt, evaluator: E, search: Option<Search>) -> Searcher<'a, E> {
        Searcher { game, evaluator, search: search.filter(|search| search.simulations > 0) }
    }
}

impl<E: Evaluator> Player for Searcher<'_, E> {
    fn choose(&mut self, positions: &[Position]) -> Result<Vec<Searched>, LearnError> {
        if let Some(settings) = self.search {
            return search(self.game, settings, positions, &mut self.evaluator);
        }
        let evaluations = self.evaluator.evaluate(positions)?.into_iter();
        Ok(evaluations
            .map(|evaluation| Searched {
                choice: first_greatest(evaluation.scores.iter().copied()),
                shares: softmax(&evaluation.scores),
                value: evaluation.value,
            })
            .collect())
    }
}

/// A player that deviates from the moves of another one with the chances of a fuzz factor.
///
/// ```
/// use anser_analyse::Strategy;
/// use anser_core::Hunt;
/// use anser_core::Unobserved;
/// use anser_core::hexapawn::BoardSize;
/// use anser_learn::{Fuzzy, Perfect, grade};
/// use anser_retrograde::Solution;
/// let game = Hunt::hexapawn(BoardSize::THREE);
/// let solution = Solution::reachable(&game, &game.start())?;
/// let fuzz = Strategy { fuzz: 0.1, ..Strategy::default() };
/// let grade = grade(&solution, &mut Fuzzy { player: Perfect(&solution), fuzz }, &Unobserved)?;
/// assert_eq!(grade.all.wrong, 0, "its choice is that of the perfect player");
/// assert!(grade.all.wrong_shares > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Fuzzy<P> {
    /// The player without errors. Its choice is taken as its best move.
    pub player: P,
    /// The fuzz factor and its meaning.
    pub fuzz: Strategy,
}

impl<P: Player> Player for Fuzzy<P> {
    fn choose(&mut self, positions: &[Position]) -> Result<Vec<Searched>, LearnError> {
        let mut chosen = self.player.choose(positions)?;
        for searched in &mut chosen {
            let moves = 0..searched.shares.len();
            let best: Vec<bool> = moves.map(|number| number == searched.choice).collect();
            let chances = self.fuzz.chances(&best).into_iter();
            searched.shares = chances.map(|chance| chance as f32).collect();
        }
        Ok(chosen)
    }
}

/// The player that draws every move with the same chance. Its choice is the first move.
pub struct Uniform<'a>(pub &'a Hunt);

impl Player for Uniform<'_> {
    fn choose(&mut self, positions: &[Position]) -> Result<Vec<Searched>, LearnError> {
        let choose = |position: &Position| {
            let moves = results(self.0, position).len();
            Searched { choice: 0, shares: vec![1.0 / moves as f32; moves], value: 0.0 }
        };
        Ok(positions.iter().map(choose).collect())
    }
}

/// A player that chooses by the values and preferences of an advisor, or in the style of a learner
/// by its learned policy. A learner that resigns is graded on its first move, and has no values.
pub struct Advised<'a, A: ?Sized> {
    /// The game.
    pub game: &'a Hunt,
    /// The source of values and preferences.
    pub advisor: &'a A,
    /// The choice of moves.
    pub strategy: Strategy,
}

impl<A: Advisor + ?Sized> Player for Advised<'_, A>
where
    LearnError: From<A::Error>,
{
    fn choose(&mut self, positions: &[Position]) -> Result<Vec<Searched>, LearnError> {
        let choose = |position: &Position| {
            let side = position.to_move();
            let moves = known_moves(self.game, self.advisor, position);
            let learned =
                self.advisor.learned(position).filter(|_| self.strategy.style.is_learner());
            if let Some(weights) = learned {
                let best: Vec<bool> = weights.iter().map(|&weight| weight > 0.0).collect();
                let all: f64 = weights.iter().sum();
                let chances = if self.strategy.fuzz > 0.0 || all == 0.0 {
                    self.strategy.chances(&best)
                } else {
                    weights.iter().map(|weight| weight / all).collect()
                };
                let shares = chances.into_iter().map(|chance| chance as f32).collect();
                let choice = first_greatest(weights.iter().map(|&weight| weight as f32));
                return Ok(Searched { choice, shares, value: 0.0 });
            }
            let best = self.strategy.best(self.game, self.advisor, position, &moves, &[]);
            let chances = self.strategy.policy(self.game, self.advisor, position, &moves, &[]);
            Ok(Searched {
                choice: best.iter().position(|best| *best).unwrap_or(0),
                shares: chances.into_iter().map(|chance| chance as f32).collect(),
                value: value_for(settled(self.game, self.advisor.value(position)?.outcome), side),
            })
        };
        positions.iter().map(choose).collect()
    }
}
