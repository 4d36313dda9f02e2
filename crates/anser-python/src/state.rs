//! Games as they are played: actions as numbers, observations as arrays, and a limit of plies. What
//! environments for learning need, whatever library they belong to.

use std::collections::HashMap;
use std::sync::Arc;

use anser_analyse::{Random, Strategy, Style, Weights};
use anser_core::fox_geese::FoxGeese;
use anser_core::prelude::*;
use anser_core::{Next, NotationError, Outcome, PicturePoint, Side};
use anser_games::answers::outcome_name;
use anser_games::{AnyGame, AnyMove, AnyPosition};
use pyo3::prelude::*;

use crate::arrays;
use crate::errors::{Answer, Failure};
use crate::game::{PyGame, position_of, same};
use crate::position::PyPosition;
use crate::values::PyValues;

/// Plies after which a game is drawn by default if play can return to a position.
const LONGEST_CYCLIC: u32 = 200;

/// Planes of an observation: the pieces of both sides, the side to move, and the share of plies
/// played.
const PLANES: usize = 4;

/// The numbers of actions and points of a game.
struct Board {
    game: AnyGame,
    /// Numbers of points by their names.
    points: HashMap<String, usize>,
    width: usize,
    height: usize,
}

impl Board {
    fn new(game: &AnyGame) -> Answer<Board> {
        let without = |why: &str| {
            let (name, rules) = (game.name(), game.rules_id());
            Failure::argument(format!("{name} (rules {rules}) has no actions: {why}"))
        };
        if game.downcast_ref::<FoxGeese>().is_some_and(|game| game.rules().chain()) {
            return Err(without("two points do not describe chain captures"));
        }
        let picture =
            game.picture(&game.start()).ok_or_else(|| without("its points have no names"))?;
        let name_of = |point: &PicturePoint| match &point.name {
            Some(name) => Some(name.clone()),
            None => Some(picture.columns.get(point.x)?.clone() + picture.rows.get(point.y)?),
        };
        let points = picture.points.iter().enumerate();
        let points: Option<HashMap<String, usize>> =
            points.map(|(number, point)| Some((name_of(point)?, number))).collect();
        Ok(Board {
            game: game.clone(),
            points: points.ok_or_else(|| without("its points have no names"))?,
            width: picture.points.iter().map(|point| point.x + 1).max().unwrap_or(0),
            height: picture.points.iter().map(|point| point.y + 1).max().unwrap_or(0),
        })
    }

    /// The number of a move: from which point to which.
    fn action(&self, mv: &AnyMove) -> Option<u32> {
        let text = self.game.format_move(mv);
        let mut names = text.split(['-', 'x']).map(|name| self.points.get(name));
        let (from, to) = (names.next()??, names.next_back()??);
        Some((from * self.points.len() + to) as u32)
    }

    /// Plies that no game exceeds, or the default limit.
    fn longest(&self) -> u32 {
        let layers = self.game.layers();
        if layers.clone().any(|layer| self.game.is_loopy(layer)) {
            return LONGEST_CYCLIC;
        }
        // One side can stay in a layer, so its move and the reply are all plies in it.
        2 * u32::from(layers.end() - layers.start() + 1)
    }
}

/// A game as it is played: `State(game)` begins at the start, `State(game, position)` elsewhere.
///
/// Moves have numbers: `from * points + to`, for the points of the board in a fixed order. Player 0
/// is the first side of `Game.sides`, player 1 the second. After `max_plies` plies the game is drawn.
/// By default that is the length that no game exceeds, and 200 for games that can return to a
/// position.
///
/// A state changes with `apply`, in one thread at a time. It can be copied and pickled.
///
/// Raises InvalidArgument for rule sets with moves of several jumps, which two points do not
/// describe, and InvalidPosition.
#[pyclass(name = "State", module = "anser")]
#[derive(Clone)]
pub(crate) struct PyState {
    board: Arc<Board>,
    start: AnyPosition,
    max_plies: u32,
    /// Positions so far, the start among them.
    positions: Vec<AnyPosition>,
    actions: Vec<u32>,
    outcome: Option<Outcome>,
    /// Legal actions in ascending order, with what they lead to; none if the game is over.
    legal: Vec<(u32, AnyMove, Next<AnyPosition>)>,
}

impl PyState {
    fn here(&self) -> AnyPosition {
        self.positions.last().copied().unwrap_or(self.start)
    }

    fn side(&self) -> Side {
        self.board.game.side_to_move(&self.here())
    }

    /// Goes to a position, or to the end.
    fn reach(&mut self, next: Next<AnyPosition>) {
        let game = &self.board.game;
        self.outcome = match next {
            Next::End(outcome) => Some(outcome),
            Next::Position(position) => {
                self.positions.push(position);
                game.terminal(&position)
            }
        };
        if self.outcome.is_none() && self.actions.len() >= self.max_plies as usize {
            self.outcome = Some(Outcome::Draw);
        }
        self.legal = if self.outcome.is_some() { Vec::new() } else { self.find_legal() };
    }

    fn find_legal(&self) -> Vec<(u32, AnyMove, Next<AnyPosition>)> {
        let moves = self.board.game.moves(&self.here()).into_iter();
        let mut legal: Vec<_> =
            moves.filter_map(|(mv, next)| Some((self.board.action(&mv)?, mv, next))).collect();
        legal.sort_unstable_by_key(|(action, ..)| *action);
        legal
    }

    fn legal_at(&self, action: u32) -> Answer<usize> {
        self.legal.binary_search_by_key(&action, |(legal, ..)| *legal).map_err(|_| {
            let problem = format!("action {action} is not legal in {}", self.text());
            Failure::Move(NotationError::new(1, problem, "one of legal_actions()"))
        })
    }

    fn text(&self) -> String {
        self.board.game.format_position(&self.here())
    }
}

#[pymethods]
impl PyState {
    #[new]
    #[pyo3(signature = (game, position=None, max_plies=None))]
    fn new(
        game: &Bound<'_, PyGame>,
        position: Option<&Bound<'_, PyAny>>,
        max_plies: Option<u32>,
    ) -> Answer<PyState> {
        let game = &game.get().game;
        let start = match position {
            Some(position) => position_of(game, position)?,
            None => game.start(),
        };
        let board = Board::new(game)?;
        let mut state = PyState {
            start,
            max_plies: max_plies.unwrap_or_else(|| board.longest()),
            board: Arc::new(board),
            positions: Vec::new(),
            actions: Vec::new(),
            outcome: None,
            legal: Vec::new(),
        };
        state.reach(Next::Position(start));
        Ok(state)
    }

    /// The game.
    #[getter]
    fn game(&self) -> PyGame {
        PyGame { game: self.board.game.clone() }
    }

    /// The last position; a move that ends the game without a position leaves the one before it.
    #[getter]
    fn position(&self) -> PyPosition {
        PyPosition::new(&self.board.game, self.here())
    }

    /// The number of the player to move, 0 or 1; None if the game is over.
    #[getter]
    fn player(&self) -> Option<usize> {
        self.outcome.is_none().then(|| self.side().index())
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.outcome.is_some()
    }

    /// The outcome if the game is over: the name of a side or `draw`; otherwise None.
    #[getter]
    fn outcome(&self) -> Option<&'static str> {
        self.outcome.map(|outcome| outcome_name(&self.board.game, outcome))
    }

    /// Rewards of both players: 1 for a win, -1 for a loss, 0 for a draw and while the game is not
    /// over.
    #[getter]
    fn returns(&self) -> [f64; 2] {
        let outcome = self.outcome.unwrap_or(Outcome::Draw);
        Side::BOTH.map(|side| f64::from(outcome.score(side)))
    }

    /// Number of plies played.
    #[getter]
    fn plies(&self) -> usize {
        self.actions.len()
    }

    /// Number of plies after which the game is drawn.
    #[getter]
    fn max_plies(&self) -> u32 {
        self.max_plies
    }

    /// The actions that were played.
    #[getter]
    fn history(&self) -> Vec<u32> {
        self.actions.clone()
    }

    /// Number of actions of the game: all are below it.
    #[getter]
    fn num_actions(&self) -> usize {
        self.board.points.len() * self.board.points.len()
    }

    /// Returns the legal actions in ascending order; none if the game is over.
    fn legal_actions(&self) -> Vec<u32> {
        self.legal.iter().map(|(action, ..)| *action).collect()
    }

    /// Plays an action.
    ///
    /// Raises InvalidMove if it is not legal; then nothing changes.
    fn apply(&mut self, action: u32) -> Answer<()> {
        let (action, _, next) = self.legal[self.legal_at(action)?];
        self.actions.push(action);
        self.reach(next);
        Ok(())
    }

    /// Returns the move of a legal action in the notation of the game.
    ///
    /// Raises InvalidMove if it is not legal.
    fn move_of(&self, action: u32) -> Answer<String> {
        Ok(self.board.game.format_move(&self.legal[self.legal_at(action)?].1))
    }

    /// Returns the action of a legal move.
    ///
    /// Raises InvalidMove if the text is not a legal move.
    fn action_of(&self, r#move: &str) -> Answer<u32> {
        let game = &self.board.game;
        let read = game.parse_move(&self.here(), r#move).map_err(Failure::Move)?;
        let found = self.legal.iter().find(|(_, legal, _)| *legal == read);
        found.map(|(action, ..)| *action).ok_or_else(|| {
            Failure::Move(NotationError::new(1, "the game is over", "one of legal_actions()"))
        })
    }

    /// The shape of observations: 4 planes, height, and width of the board.
    #[getter]
    fn observation_shape(&self) -> [usize; 3] {
        [PLANES, self.board.height, self.board.width]
    }

    /// Returns the board as an array of type float32: the pieces of the first side, those of the
    /// second side, ones if the second side is to move, and the share of `max_plies` that was played.
    /// Row 0 is the lowest row.
    fn observation<'py>(&self, py: Python<'py>) -> Answer<Bound<'py, PyAny>> {
        let Board { game, width, height, .. } = &*self.board;
        let (plane, here) = (width * height, self.here());
        let mut cells = vec![0_f32; PLANES * plane];
        let points = game.picture(&here).map(|picture| picture.points).unwrap_or_default();
        for point in points {
            if let Some((side, _)) = point.piece {
                cells[side.index() * plane + point.y * width + point.x] = 1.0;
            }
        }
        cells[2 * plane..3 * plane].fill(self.side().index() as f32);
        cells[3 * plane..].fill(self.actions.len() as f32 / self.max_plies.max(1) as f32);
        Ok(arrays::array(py, &cells)?.call_method1("reshape", (self.observation_shape(),))?)
    }

    fn __copy__(&self) -> PyState {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyState {
        self.clone()
    }

    fn __getnewargs__(&self) -> (PyGame, PyPosition, u32) {
        (self.game(), PyPosition::new(&self.board.game, self.start), self.max_plies)
    }

    fn __getstate__(&self) -> Vec<u32> {
        self.history()
    }

    fn __setstate__(&mut self, history: Vec<u32>) -> Answer<()> {
        history.into_iter().try_for_each(|action| self.apply(action))
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("State('{}', plies={})", self.text(), self.plies())
    }
}

/// A player that takes its moves from tables or a solution.
///
/// It plays the fastest win, delays a loss, and otherwise keeps the draw. With `error_chance` it
/// plays a random legal move instead, which may happen to be a best one. The same seed gives the same
/// moves.
///
/// Raises InvalidArgument if `error_chance` is not between 0 and 1.
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
            let side = game.side_to_move(&here);
            let rated = values.probe_moves(game, &here)?;
            own.check(&values)?;
            if Strategy::is_open(&rated, side) {
                // The best move depends on a table that is missing: its error says which.
                for next in rated.iter().filter(|rated| rated.value.is_none()) {
                    if let Next::Position(next) = &next.next {
                        values.value(next)?;
                    }
                }
            }
            let seen = &state.positions;
            let best = self.strategy.best(game, &*values, side, &rated, seen);
            let chances = self.strategy.chances(&best);
            let chance_of = |mv: &AnyMove| {
                let mut pairs = rated.iter().zip(&chances);
                pairs.find(|(rated, _)| rated.mv == *mv).map_or(0.0, |(_, chance)| *chance)
            };
            Ok(state.legal.iter().map(|(action, mv, _)| (*action, chance_of(mv))).collect())
        })
    }
}

#[pymethods]
impl PyPlayer {
    #[new]
    #[pyo3(signature = (values, error_chance=0.0, seed=0))]
    fn new(values: Py<PyValues>, error_chance: f64, seed: u64) -> Answer<PyPlayer> {
        if !(0.0..=1.0).contains(&error_chance) {
            return Err(Failure::argument(format!(
                "a chance is between 0 and 1, not {error_chance}"
            )));
        }
        let strategy =
            Strategy { style: Style::Quick, fuzz: error_chance, weights: Weights::Literal };
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
