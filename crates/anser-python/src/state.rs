//! Games as they are played: actions as numbers, observations as arrays, and a limit of plies. What
//! environments for learning need, whatever library they belong to.

use std::ops::Range;
use std::sync::Arc;

use anser_core::{NotationError, Outcome, Picture, Side, hunt};
use anser_games::Position;
use anser_games::answers::outcome_name;
use pyo3::prelude::*;

use crate::arrays;
use crate::errors::{Answer, Failure};
use crate::game::PyGame;
use crate::position::{PyPosition, position_of};

mod board;
mod player;

use board::{Board, Choice, Path};
pub(crate) use player::PyPlayer;

/// Why a game is over after `max_plies` plies.
const USED_UP: &str = "limit of plies";

/// Planes of an observation: the pieces of both sides, the side to move, and the share of plies
/// played. Games with chains of jumps have one more: whether a move is in progress. Games with
/// pieces in hand have two more: the share of the pieces of each side that is in hand.
const PLANES: usize = 4;

/// A game as it is played: `State(game)` begins at the start, `State(game, position)` elsewhere.
///
/// Moves have numbers: `from * points + to`, for the points of the board in a fixed order. That of
/// a placement is `to * points + to`, that of a pass 0: there is no other move then. Player 0 is
/// the first side of `Game.sides`, player 1 the second. After `max_plies` plies the game is drawn,
/// or won for the side that endless play is won for. By default that is the length that no game
/// exceeds, and 200 for games that can return to a position.
///
/// A chain of jumps is played in several actions of the same player, one for each jump that is
/// chosen: `at * points + next`, and `at * points + at` to stop where the rules allow that. Jumps
/// without a choice are part of the action before them. Inside a chain `position` and `plies` are
/// those before it, and `partial_move` has the jumps so far.
///
/// A state changes with `apply`, in one thread at a time. It can be copied and pickled.
///
/// Raises InvalidPosition, and InvalidArgument for a game in which two moves lead over the same
/// points.
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
        let endless = Outcome::from(self.board.game.endless());
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

    /// Number of plies after which the game is drawn, or won for the side that endless play is won
    /// for.
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

    /// Returns the move that a legal action plays, in the notation of the game. If it leaves a
    /// chain of jumps open, returns the jumps so far, such as `d4xd6x`.
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

    /// The shape of observations: planes, height, and width of the board. There are 4 planes, 1
    /// more in games with chains of jumps, and 2 more in games with pieces in hand.
    #[getter]
    fn observation_shape(&self) -> [usize; 3] {
        let Board { has_chains, has_hands, .. } = *self.board;
        let planes = PLANES + usize::from(has_chains) + 2 * usize::from(has_hands);
        [planes, self.board.height, self.board.width]
    }

    /// Returns the board as an array of type float32: the pieces of the first side, those of the
    /// second side, ones if the second side is to move, and the share of `max_plies` that was
    /// played. Row 0 is the lowest row. Inside a chain the pieces are those after the jumps so far;
    /// games with chains have a fifth plane, of ones inside a chain. Games with pieces in hand have
    /// two planes at the end: the share of the pieces of the first side, and of the second, that is
    /// in hand.
    fn observation<'py>(&self, py: Python<'py>) -> Answer<Bound<'py, PyAny>> {
        let Board { width, height, has_hands, .. } = *self.board;
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
        if has_hands {
            let first = cells.len() - 2 * plane;
            for (side, cells) in Side::BOTH.into_iter().zip(cells[first..].chunks_exact_mut(plane))
            {
                let most = self.board.game.description().side(side).number[1];
                cells.fill(f32::from(self.here().in_hand(side)) / f32::from(most));
            }
        }
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
