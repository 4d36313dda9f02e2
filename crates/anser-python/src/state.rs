//! Games as they are played: actions as numbers, observations as arrays, and a limit of plies. What
//! environments for learning need, whatever library they belong to.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use anser_analyse::{Random, Strategy, Style, Weights};
use anser_core::{Hunt, Next, NotationError, Outcome, Picture, PicturePoint, Probe, Side, hunt};
use anser_games::Position;
use anser_games::answers::outcome_name;
use pyo3::prelude::*;

use crate::arrays;
use crate::errors::{Answer, Failure};
use crate::game::{PyGame, same};
use crate::position::{PyPosition, position_of};
use crate::values::PyValues;

/// Plies after which a game is drawn by default if play can return to a position.
const LONGEST_CYCLIC: u32 = 200;

/// Why a game is over after `max_plies` plies.
const USED_UP: &str = "limit of plies";

/// Planes of an observation: the pieces of both sides, the side to move, and the share of plies
/// played. Games with chains of jumps have one more: whether a move is in progress.
const PLANES: usize = 4;

/// Separators of the points in the text of a move.
const SEPARATORS: [char; 2] = ['-', 'x'];

/// The numbers of actions and points of a game.
struct Board {
    game: Hunt,
    /// Numbers of points by their names.
    points: HashMap<String, usize>,
    width: usize,
    height: usize,
    has_chains: bool,
}

/// A legal move as the points that it leads over.
struct Path {
    points: Vec<usize>,
    text: String,
    mv: hunt::Move,
    next: Next,
}

impl Path {
    /// The text of the first `depth` points with the separator after them; all of it if no points
    /// follow.
    fn beginning(&self, depth: usize) -> &str {
        let end = self.text.match_indices(SEPARATORS).nth(depth - 1);
        end.map_or(&self.text, |(at, separator)| &self.text[..at + separator.len()])
    }
}

/// A legal action: moves that begin with the same points.
#[derive(Clone)]
struct Choice {
    action: u32,
    /// The moves: one if the action completes it.
    paths: Range<usize>,
    /// Number of points that they have in common.
    depth: usize,
}

impl Board {
    fn new(game: &Hunt) -> Answer<Board> {
        let without = || no_actions(game, "its points have no names");
        let picture = game.picture(&game.start());
        let name_of = |point: &PicturePoint| match &point.name {
            Some(name) => Some(name.clone()),
            None => Some(picture.columns.get(point.x)?.clone() + picture.rows.get(point.y)?),
        };
        let points = picture.points.iter().enumerate();
        let points: Option<HashMap<String, usize>> =
            points.map(|(number, point)| Some((name_of(point)?, number))).collect();
        Ok(Board {
            game: game.clone(),
            points: points.ok_or_else(without)?,
            width: picture.points.iter().map(|point| point.x + 1).max().unwrap_or(0),
            height: picture.points.iter().map(|point| point.y + 1).max().unwrap_or(0),
            has_chains: game.has_chains(),
        })
    }

    /// The legal moves of a position in the order of their points, so that moves that begin with
    /// the same points are neighbors.
    fn paths(&self, position: &hunt::Position) -> Answer<Vec<Path>> {
        let moves = self.game.moves(position).into_iter();
        let mut paths =
            moves.map(|(mv, next)| self.path(position, mv, next)).collect::<Answer<Vec<Path>>>()?;
        paths.sort_unstable_by(|a, b| a.points.cmp(&b.points));
        match paths.windows(2).find(|pair| pair[0].points == pair[1].points) {
            Some(pair) => Err(no_actions(
                &self.game,
                &format!("{} and {} lead over the same points", pair[0].text, pair[1].text),
            )),
            None => Ok(paths),
        }
    }

    fn path(&self, position: &hunt::Position, mv: hunt::Move, next: Next) -> Answer<Path> {
        let text = self.game.format_move(&mv);
        let without = |why: &str| no_actions(&self.game, &format!("{text} {why}"));
        let points = text.split(SEPARATORS).map(|name| self.points.get(name).copied());
        let points: Option<Vec<usize>> = points.collect();
        let points = points.filter(|points| points.len() >= 2);
        let points = points.ok_or_else(|| without("does not lead from point to point"))?;
        if points.len() > 2 {
            let inner = self.game.inner_positions(position, &mv).len();
            // A jump back to the same point would have the number of the end of the move.
            if !self.has_chains
                || inner + 2 != points.len()
                || points.windows(2).any(|jump| jump[0] == jump[1])
            {
                return Err(without("is not a chain of jumps"));
            }
        }
        Ok(Path { points, text, mv, next })
    }

    /// The legal actions in ascending order, where `depth` points are chosen and `open` are the
    /// moves that begin with them.
    fn choices(&self, paths: &[Path], open: Range<usize>, depth: usize) -> Vec<Choice> {
        // The first action of a move chooses two points.
        let shared = depth.max(1) + 1;
        let step = |path: &Path| {
            let at = path.points[shared - 2];
            // The move that ends where the jumps so far have led.
            (at, *path.points.get(shared - 1).unwrap_or(&at))
        };
        let mut choices = Vec::new();
        let mut first = open.start;
        while first < open.end {
            let (from, to) = step(&paths[first]);
            let count = paths[first..open.end].iter().take_while(|path| step(path) == (from, to));
            let last = first + count.count();
            let (low, high) = (&paths[first].points, &paths[last - 1].points);
            // Jumps without a choice are part of the action.
            let common = low.iter().zip(high).take_while(|(low, high)| low == high).count();
            let action = (from * self.points.len() + to) as u32;
            choices.push(Choice { action, paths: first..last, depth: common });
            first = last;
        }
        choices.sort_unstable_by_key(|choice| choice.action);
        choices
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

    /// Bound of the actions beyond one per ply, for games from a position.
    ///
    /// A chain of `n` jumps takes at most `n + 1` actions, the last of which stops. Each jump leads to
    /// a lower layer, except one that ends the game, after which nothing is left to stop.
    fn extra_actions(&self, start: &hunt::Position) -> u32 {
        if !self.has_chains {
            return 0;
        }
        let mut below = BTreeSet::new();
        let mut above = vec![self.game.layer(start)];
        while let Some(layer) = above.pop() {
            let lower = self.game.lower_layers(layer).into_iter();
            above.extend(lower.filter(|&layer| below.insert(layer)));
        }
        below.len() as u32
    }
}

/// The error of a game whose moves have no numbers.
fn no_actions(game: &Hunt, why: &str) -> Failure {
    let (name, rules) = (game.name(), game.rules_id());
    Failure::argument(format!("{name} (rules {rules}) has no actions: {why}"))
}

/// A game as it is played: `State(game)` begins at the start, `State(game, position)` elsewhere.
///
/// Moves have numbers: `from * points + to`, for the points of the board in a fixed order. Player 0
/// is the first side of `Game.sides`, player 1 the second. After `max_plies` plies the game is drawn.
/// By default that is the length that no game exceeds, and 200 for games that can return to a
/// position.
///
/// A chain of jumps is played in several actions of the same player, one for each jump that is
/// chosen: `at * points + next`, and `at * points + at` to stop where the rules allow that. Jumps
/// without a choice are part of the action before them. Inside a chain `position` and `plies` are
/// those before it, and `partial_move` has the jumps so far.
///
/// A state changes with `apply`, in one thread at a time. It can be copied and pickled.
///
/// Raises InvalidPosition, and InvalidArgument for a game whose moves do not lead from point to point.
#[pyclass(name = "State", module = "anser")]
#[derive(Clone)]
pub(crate) struct PyState {
    board: Arc<Board>,
    max_plies: u32,
    /// The last position.
    position: Position,
    /// Positions so far; the first is the start.
    positions: Vec<hunt::Position>,
    actions: Vec<u32>,
    plies: u32,
    /// The outcome, and why the game is over.
    over: Option<(Outcome, String)>,
    /// Legal moves of the last position; none if the game is over.
    paths: Arc<[Path]>,
    /// The moves that begin with the jumps so far: all, between moves.
    open: Range<usize>,
    /// Number of points of the jumps so far; 0 between moves.
    depth: usize,
    /// Legal actions in ascending order; none if the game is over.
    legal: Vec<Choice>,
}

impl PyState {
    fn here(&self) -> hunt::Position {
        *self.position.at()
    }

    fn side(&self) -> Side {
        self.here().to_move()
    }

    /// Goes to a position after `plies` plies. After an error nothing has changed.
    fn reach(&mut self, position: Position, plies: u32) -> Answer<()> {
        let over = position.outcome_if_over().zip(position.ending().map(str::to_owned));
        let endless = self.board.game.endless().map_or(Outcome::Draw, Outcome::Win);
        let used_up = || (plies >= self.max_plies).then(|| (endless, USED_UP.to_owned()));
        let over = over.or_else(used_up);
        let paths = if over.is_some() { Vec::new() } else { self.board.paths(position.at())? };
        self.positions.push(*position.at());
        (self.position, self.over) = (position, over);
        self.plies = plies;
        self.paths = paths.into();
        self.go_on(0..self.paths.len(), 0);
        Ok(())
    }

    /// Goes to where `depth` points are chosen.
    fn go_on(&mut self, open: Range<usize>, depth: usize) {
        self.legal = self.board.choices(&self.paths, open.clone(), depth);
        (self.open, self.depth) = (open, depth);
    }

    /// The error of an action, or the text of one, that is not legal.
    fn illegal(&self, problem: String) -> Failure {
        let example = Position::example_move(&self.board.game);
        Failure::Move(NotationError::new(1, problem, example))
    }

    fn legal_at(&self, action: u32) -> Answer<&Choice> {
        let found = self.legal.binary_search_by_key(&action, |choice| choice.action);
        found
            .map(|number| &self.legal[number])
            .map_err(|_| self.illegal(format!("action {action} is not legal in {}", self.text())))
    }

    /// The text of an action.
    fn text_of(&self, choice: &Choice) -> &str {
        let path = &self.paths[choice.paths.start];
        if choice.paths.len() == 1 {
            &path.text
        } else {
            self.beginning(&choice.paths, choice.depth)
        }
    }

    /// The jumps that moves have in common. The last move has more of them.
    fn beginning(&self, paths: &Range<usize>, depth: usize) -> &str {
        self.paths[paths.end - 1].beginning(depth)
    }

    /// The board as it is now: after the jumps so far.
    fn picture(&self) -> Picture {
        let (game, here) = (&self.board.game, self.here());
        game.picture(&self.inner().unwrap_or(here))
    }

    /// The position after the jumps so far, inside a move.
    fn inner(&self) -> Option<hunt::Position> {
        let jumps = self.depth.checked_sub(2)?;
        let mv = &self.paths[self.open.end - 1].mv;
        self.board.game.inner_positions(&self.here(), mv).get(jumps).copied()
    }

    fn text(&self) -> String {
        let position = self.board.game.format_position(&self.here());
        match self.partial_move() {
            Some(jumps) => format!("{position} {jumps}"),
            None => position,
        }
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
            max_plies: max_plies.unwrap_or_else(|| board.longest()),
            position: Position::new(game, start),
            board: Arc::new(board),
            positions: Vec::new(),
            actions: Vec::new(),
            plies: 0,
            over: None,
            paths: Arc::new([]),
            open: 0..0,
            depth: 0,
            legal: Vec::new(),
        };
        state.reach(Position::new(game, start), 0)?;
        Ok(state)
    }

    /// The game.
    #[getter]
    fn game(&self) -> PyGame {
        PyGame::new(&self.board.game)
    }

    /// The last position. Inside a chain of jumps it is the one before the chain.
    #[getter]
    fn position(&self) -> PyPosition {
        PyPosition { position: self.position.clone() }
    }

    /// The number of the player to move, 0 or 1; None if the game is over.
    #[getter]
    fn player(&self) -> Option<usize> {
        self.over.is_none().then(|| self.side().index())
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.over.is_some()
    }

    /// The outcome if the game is over: the name of a side or `draw`; otherwise None.
    #[getter]
    fn outcome(&self) -> Option<&str> {
        self.over.as_ref().map(|(outcome, _)| outcome_name(&self.board.game, *outcome))
    }

    /// Why the game is over, in a few words; None if it is not over.
    #[getter]
    fn ending(&self) -> Option<&str> {
        self.over.as_ref().map(|(_, ending)| &ending[..])
    }

    /// Rewards of both players: 1 for a win, -1 for a loss, 0 for a draw and while the game is not
    /// over.
    #[getter]
    fn returns(&self) -> [f64; 2] {
        let outcome = self.over.as_ref().map_or(Outcome::Draw, |(outcome, _)| *outcome);
        Side::BOTH.map(|side| f64::from(outcome.score(side)))
    }

    /// Number of plies played. A chain of jumps counts once it is complete.
    #[getter]
    fn plies(&self) -> u32 {
        self.plies
    }

    /// Number of plies after which the game is drawn.
    #[getter]
    fn max_plies(&self) -> u32 {
        self.max_plies
    }

    /// Number of actions that no game from the same start exceeds: `max_plies`, and in games with
    /// chains of jumps one more for each lower layer that play can reach.
    #[getter]
    fn max_actions(&self) -> u32 {
        self.max_plies.saturating_add(self.board.extra_actions(&self.positions[0]))
    }

    /// The jumps of a chain so far, such as `d4xd6x`; None between moves.
    #[getter]
    fn partial_move(&self) -> Option<&str> {
        (self.depth > 0).then(|| self.beginning(&self.open, self.depth))
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
        self.legal.iter().map(|choice| choice.action).collect()
    }

    /// Plays an action.
    ///
    /// Raises InvalidMove if it is not legal; then nothing changes.
    fn apply(&mut self, action: u32) -> Answer<()> {
        let Choice { paths, depth, .. } = self.legal_at(action)?.clone();
        if paths.len() == 1 {
            let Path { mv, next, .. } = &self.paths[paths.start];
            let after = Position::after(&self.board.game, self.here(), *mv, next);
            self.reach(after, self.plies + 1)?;
        } else {
            self.go_on(paths, depth);
        }
        self.actions.push(action);
        Ok(())
    }

    /// Returns the move that a legal action plays, in the notation of the game. If it leaves a chain
    /// of jumps open, returns the jumps so far, such as `d4xd6x`.
    ///
    /// Raises InvalidMove if it is not legal.
    fn move_of(&self, action: u32) -> Answer<&str> {
        Ok(self.text_of(self.legal_at(action)?))
    }

    /// Returns the legal action whose text is `move`: the inverse of `move_of`.
    ///
    /// Raises InvalidMove if the text is not a legal move, or takes several actions.
    fn action_of(&self, r#move: &str) -> Answer<u32> {
        if let Some(choice) = self.legal.iter().find(|choice| self.text_of(choice) == r#move) {
            return Ok(choice.action);
        }
        let count = self.actions_of(r#move)?.len();
        Err(self.illegal(format!("{move} takes {count} actions, which actions_of returns")))
    }

    /// Returns the actions that play a legal move: one, or several for a chain of jumps. Inside a
    /// chain these are the remaining ones.
    ///
    /// Raises InvalidMove if the text is not a legal move, or does not begin with the jumps so far.
    fn actions_of(&self, r#move: &str) -> Answer<Vec<u32>> {
        let legal = self.paths[self.open.clone()].iter().position(|path| path.text == r#move);
        let Some(number) = legal else {
            self.board.game.parse_move(&self.here(), r#move).map_err(Failure::Move)?;
            return Err(self.illegal(match self.partial_move() {
                Some(jumps) => format!("{move} does not begin with {jumps}"),
                None => "the game is over".into(),
            }));
        };
        let number = self.open.start + number;
        let (mut open, mut depth, mut actions) = (self.open.clone(), self.depth, Vec::new());
        loop {
            let choices = self.board.choices(&self.paths, open, depth);
            let choice = choices.into_iter().find(|choice| choice.paths.contains(&number));
            // Every open move is part of one choice.
            let Some(choice) = choice else { return Ok(actions) };
            actions.push(choice.action);
            if choice.paths.len() == 1 {
                return Ok(actions);
            }
            (open, depth) = (choice.paths, choice.depth);
        }
    }

    /// Returns the board as lines of text, as after the jumps so far.
    fn diagram(&self) -> String {
        self.board.game.diagram(&self.inner().unwrap_or_else(|| self.here()))
    }

    /// The shape of observations: planes, height, and width of the board. There are 4 planes, and 5
    /// in games with chains of jumps.
    #[getter]
    fn observation_shape(&self) -> [usize; 3] {
        let planes = PLANES + usize::from(self.board.has_chains);
        [planes, self.board.height, self.board.width]
    }

    /// Returns the board as an array of type float32: the pieces of the first side, those of the
    /// second side, ones if the second side is to move, and the share of `max_plies` that was played.
    /// Row 0 is the lowest row. Inside a chain the pieces are those after the jumps so far; games with
    /// chains have a fifth plane, of ones inside a chain.
    fn observation<'py>(&self, py: Python<'py>) -> Answer<Bound<'py, PyAny>> {
        let Board { width, height, .. } = &*self.board;
        let (plane, shape) = (width * height, self.observation_shape());
        let mut cells = vec![0_f32; shape[0] * plane];
        for point in self.picture().points {
            if let Some((side, _)) = point.piece {
                cells[side.index() * plane + point.y * width + point.x] = 1.0;
            }
        }
        cells[2 * plane..3 * plane].fill(self.side().index() as f32);
        cells[3 * plane..4 * plane].fill(self.plies as f32 / self.max_plies.max(1) as f32);
        cells[4 * plane..].fill(f32::from(self.depth > 0));
        Ok(arrays::array(py, &cells)?.call_method1("reshape", (shape,))?)
    }

    fn __copy__(&self) -> PyState {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyState {
        self.clone()
    }

    fn __getnewargs__(&self) -> (PyGame, PyPosition, u32) {
        (self.game(), PyPosition::new(&self.board.game, self.positions[0]), self.max_plies)
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
/// It plays the fastest win, delays a loss, and otherwise keeps the draw, and its pieces. With
/// `error_chance` it plays a random legal move instead, which may happen to be a best one. With the
/// `style` 'beginner', 'casual', 'skilled', or 'expert' it errs as people of this strength do; the
/// style 'quick' does not. The same seed gives the same moves. Inside a chain of jumps it chooses
/// anew, among the moves that begin with the jumps so far.
///
/// Raises InvalidArgument if `error_chance` is not between 0 and 1, or not 0 with a level, and if no
/// style has this name.
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
            if Strategy::is_open(&rated, side) {
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
        let strategy = Strategy { style, fuzz: error_chance, weights: Weights::Literal };
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
