//! Players, which choose actions.

use anser_analyse::{Random, Strategy, Style, Weights};
use anser_core::{Next, Probe};
use pyo3::prelude::*;

use super::PyState;
use super::board::{Choice, Path};
use crate::errors::{Answer, Failure};
use crate::game::same;
use crate::values::PyValues;

/// A player that takes its moves from tables or a solution.
///
/// It plays the fastest win, delays a loss, and otherwise keeps the draw, and its pieces. With
/// `error_chance` it plays a random legal move instead, which may happen to be a best one. With
/// the `style` 'beginner', 'casual', 'skilled', or 'expert' it errs as people of this strength do;
/// with 'search-2', 'search-4', 'search-7', or 'search-12' it searches at most so many plies deep,
/// and 10,000 positions, and uses no values; the style 'quick' does not err. The same seed gives
/// the same moves. Inside a chain of jumps it chooses anew, among the moves that begin with the
/// jumps so far.
///
/// Raises InvalidArgument if `error_chance` is not between 0 and 1, or not 0 with a level, and if
/// no style has this name.
#[pyclass(name = "Player", module = "anser")]
pub(crate) struct PyPlayer {
    values: Py<PyValues>,
    strategy: Strategy,
    random: Random,
}

impl PyPlayer {
    /// The chance of each legal action, in ascending order.
    fn chances(&self, py: Python<'_>, state: &PyState) -> Answer<Vec<(u32, f64)>> {
        let (own, game) = (self.values.get(), &state.board.game);
        if !same(&own.game, game) {
            return Err(Failure::argument("the player's values are of another game"));
        }
        let (values, here) = (own.values()?, state.here());
        py.detach(|| {
            let side = here.to_move();
            let mut rated = values.probe_moves(game, &here)?;
            own.check(&values)?;
            // Inside a chain the moves are those that begin with its jumps.
            let open = &state.paths[state.open.clone()];
            rated.retain(|rated| open.iter().any(|path| path.mv == rated.mv));
            if Strategy::is_open(game, &rated, side) {
                // The best move depends on a table that is missing: its error says which.
                for next in rated.iter().filter(|rated| rated.value.is_none()) {
                    if let Next::Position(next) = &next.next {
                        values.value(next)?;
                    }
                }
            }
            let seen = &state.positions;
            let chances = self.strategy.policy(game, &values, &here, &rated, seen);
            let chance_of = |path: &Path| {
                let mut pairs = rated.iter().zip(&chances);
                pairs.find(|(rated, _)| rated.mv == path.mv).map_or(0.0, |(_, chance)| *chance)
            };
            let chance_of_all =
                |choice: &Choice| state.paths[choice.paths.clone()].iter().map(chance_of).sum();
            Ok(state.legal.iter().map(|choice| (choice.action, chance_of_all(choice))).collect())
        })
    }
}

#[pymethods]
impl PyPlayer {
    #[new]
    #[pyo3(signature = (values, error_chance=0.0, seed=0, style="quick"))]
    fn new(values: Py<PyValues>, error_chance: f64, seed: u64, style: &str) -> Answer<PyPlayer> {
        if !(0.0..=1.0).contains(&error_chance) {
            return Err(Failure::argument(format!(
                "a chance is between 0 and 1, not {error_chance}"
            )));
        }
        let style = Style::named(style, &Style::STRENGTHS).map_err(Failure::argument)?;
        if style.is_level() && error_chance > 0.0 {
            return Err(Failure::argument("levels err by themselves, without an error_chance"));
        }
        let weights = Weights::Literal;
        let strategy = Strategy { style, fuzz: error_chance, weights, ..Strategy::default() };
        Ok(PyPlayer { values, strategy, random: Random::new(seed) })
    }

    /// Returns an action for a state; None if the game is over.
    ///
    /// Raises as `Values.probe`, if the best move depends on a value that is missing.
    fn choose(&mut self, py: Python<'_>, state: PyRef<'_, PyState>) -> Answer<Option<u32>> {
        let chances = self.chances(py, &state)?;
        let weights: Vec<f64> = chances.iter().map(|(_, chance)| *chance).collect();
        Ok(self.random.weighted(&weights).map(|number| chances[number].0))
    }

    /// Returns the chance of each legal action, as pairs in ascending order of actions.
    ///
    /// Raises as `choose`.
    fn policy(&self, py: Python<'_>, state: PyRef<'_, PyState>) -> Answer<Vec<(u32, f64)>> {
        self.chances(py, &state)
    }
}
