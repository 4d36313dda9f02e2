//! Values of positions: what tables and solutions have in common.

use std::sync::{Mutex, PoisonError, RwLock};

use anser_analyse::{LineEnd, Tie, best_line};
use anser_core::hunt::HuntIndex;
use anser_core::{
    BySide, Dtw, Hunt, LayerIndex, Outcome, Probe, ProbeLayer, RatedMove, Side, Value, hunt,
};
use anser_games::answers::{MoveAnswer, outcome_name, plies};
use anser_games::{Position, ValueError, Values};
use anser_table::{Metric, ProbeError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arrays;
use crate::errors::{Answer, Failure};
use crate::game::{PyGame, checked_layer, same};
use crate::position::{Given, PyPosition, position_of};

/// Number of positions of a batch that are looked up between two checks for an interruption.
const BATCH: usize = 1 << 18;

/// The value of a position: `outcome` is the name of the side that wins with best play, or `draw`;
/// `plies` is the number of plies to the end with best play, 0 if the game is over, and None in a
/// draw that is not the end, in a win by endless play, and where the distance is not known.
#[pyclass(frozen, eq, hash, get_all, name = "Value", module = "anser")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct PyValue {
    /// The name of the side that wins with best play, or `draw`.
    outcome: String,
    /// Plies to the end with best play, or None.
    plies: Option<u16>,
}

impl PyValue {
    fn of(game: &Hunt, position: &hunt::Position, value: Value) -> PyValue {
        let outcome = outcome_name(game, value.outcome).to_owned();
        PyValue { outcome, plies: plies(game, position, value) }
    }
}

#[pymethods]
impl PyValue {
    #[new]
    #[pyo3(signature = (outcome, plies=None))]
    fn new(outcome: String, plies: Option<u16>) -> PyValue {
        PyValue { outcome, plies }
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        ("outcome", "plies")
    }

    fn __repr__(&self) -> String {
        format!("Value(outcome='{}', plies={})", self.outcome, number(self.plies))
    }

    fn __getnewargs__(&self) -> (&str, Option<u16>) {
        (&self.outcome, self.plies)
    }
}

/// A number as Python writes it.
fn number(number: Option<u16>) -> String {
    number.map_or_else(|| "None".to_owned(), |number| number.to_string())
}

/// A name as Python writes it.
fn name(name: Option<&String>) -> String {
    name.map_or_else(|| "None".to_owned(), |name| format!("'{name}'"))
}

/// A legal move with the value after it.
///
/// `outcome` and `plies` are those of the position after the move, None where they are unknown.
#[pyclass(frozen, get_all, name = "RatedMove", module = "anser")]
pub(crate) struct PyRatedMove {
    /// The name of the side that moves.
    side: String,
    /// The move in the notation of the game.
    r#move: String,
    /// The position after the move.
    position: Py<PyPosition>,
    /// The name of the side that wins after the move, or `draw`; None if unknown.
    outcome: Option<String>,
    /// Plies from the position after the move to the end; 0 if the game is over then; None if
    /// unknown, and in other draws.
    plies: Option<u16>,
    /// Why the game is over after the move, in a few words; None if it goes on.
    ending: Option<String>,
}

impl PyRatedMove {
    fn new(
        py: Python<'_>,
        game: &Hunt,
        from: hunt::Position,
        rated: &RatedMove,
    ) -> PyResult<PyRatedMove> {
        let MoveAnswer { mv, outcome, dtw, ending, .. } = MoveAnswer::new(game, rated);
        let position = Position::after(game, from, rated.mv, &rated.next);
        Ok(PyRatedMove {
            side: game.side_name(from.to_move()).into(),
            r#move: mv,
            position: Py::new(py, PyPosition { position })?,
            outcome,
            plies: dtw,
            ending,
        })
    }
}

#[pymethods]
impl PyRatedMove {
    fn __repr__(&self) -> String {
        format!(
            "RatedMove('{}', outcome={}, plies={})",
            self.r#move,
            name(self.outcome.as_ref()),
            number(self.plies)
        )
    }
}

/// A line of best play: the winner plays the fastest win, and the loser delays it. Its length is
/// the number of moves, and iteration is over them.
#[pyclass(frozen, get_all, name = "Line", module = "anser")]
pub(crate) struct PyLine {
    /// The value of the position where the line begins.
    value: Py<PyValue>,
    /// The moves, each with the value after it.
    moves: Vec<Py<PyRatedMove>>,
    /// `over` if the game is over, `repeats` if a position is repeated: then play is endless.
    end: &'static str,
    /// The number of plies after which the repeated position was first reached, or None.
    repeats_from: Option<usize>,
}

#[pymethods]
impl PyLine {
    fn __len__(&self) -> usize {
        self.moves.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let moves = PyTuple::new(py, &self.moves)?;
        Ok(moves.try_iter()?.into_any())
    }

    fn __repr__(&self) -> String {
        let moves: Vec<&str> = self.moves.iter().map(|rated| &*rated.get().r#move).collect();
        format!("Line('{}', end='{}')", moves.join(" "), self.end)
    }
}

/// The values of positions of a game: `Tables`, or a `Solution` in memory.
///
/// Any number of threads may use one object at the same time; the interpreter lock is released
/// while values are looked up. Positions are given as str or Position.
#[pyclass(frozen, subclass, name = "Values", module = "anser")]
pub(crate) struct PyValues {
    pub(crate) game: Hunt,
    /// None after the tables are closed.
    values: RwLock<Option<Values>>,
    /// Whether values may come from memory that other programs can change.
    is_mapped: bool,
}

impl PyValues {
    pub(crate) fn new(game: Hunt, values: Values, is_mapped: bool) -> PyValues {
        PyValues { game, values: RwLock::new(Some(values)), is_mapped }
    }

    /// Checks that mapped files are unchanged, after values were read. Positioned reads check
    /// themselves.
    pub(crate) fn check(&self, values: &Values) -> Result<(), ValueError> {
        if self.is_mapped { values.check_unchanged() } else { Ok(()) }
    }

    /// The values, for a call that others may outlast.
    pub(crate) fn values(&self) -> Answer<Values> {
        let values = self.values.read().unwrap_or_else(PoisonError::into_inner);
        values.clone().ok_or_else(Failure::closed)
    }

    pub(crate) fn replace(&self, values: Option<Values>) {
        *self.values.write().unwrap_or_else(PoisonError::into_inner) = values;
    }

    fn look_up(&self, py: Python<'_>, given: &Bound<'_, PyAny>) -> Answer<PyValue> {
        if let Some(outcome) = self.ended_by_move(given)? {
            return Ok(PyValue {
                outcome: outcome_name(&self.game, outcome).into(),
                plies: Some(0),
            });
        }
        let (position, values) = (position_of(&self.game, given)?, self.values()?);
        py.detach(|| {
            let value = values.value(&position)?;
            self.check(&values)?;
            Ok(PyValue::of(&self.game, &position, value))
        })
    }

    /// Returns the outcome of a position of the game that a move itself ended.
    fn ended_by_move(&self, given: &Bound<'_, PyAny>) -> Answer<Option<Outcome>> {
        let Ok(given) = given.cast::<PyPosition>() else { return Ok(None) };
        let position = &given.get().position;
        if position.ended_by().is_none() || !same(position.game(), &self.game) {
            return Ok(None);
        }
        // Tables that are closed have no values.
        self.values()?;
        Ok(position.outcome_if_over())
    }

    /// Looks up a batch. Positions without a value are an error, or unknown.
    fn look_up_many<'py>(
        &self,
        given: &Bound<'py, PyAny>,
        unknown: bool,
    ) -> Answer<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (py, values) = (given.py(), self.values()?);
        let given = Given::new(given, &self.game)?;
        let positions = py.detach(|| given.positions(&self.game))?;
        drop(given);
        let mut found = Batch::with_capacity(positions.len());
        for positions in positions.chunks(BATCH) {
            py.detach(|| found.add(&self.game, &values, positions, unknown))?;
            py.check_signals()?;
        }
        Ok((arrays::array(py, &found.outcomes)?, arrays::array(py, &found.plies)?))
    }
}

/// Outcomes and plies of many positions.
struct Batch {
    outcomes: Vec<i8>,
    plies: Vec<i16>,
}

impl Batch {
    fn with_capacity(count: usize) -> Batch {
        Batch { outcomes: Vec::with_capacity(count), plies: Vec::with_capacity(count) }
    }

    fn push(&mut self, outcome: i8, plies: Option<u16>) {
        self.outcomes.push(outcome);
        // Distances are below 2^15.
        self.plies.push(plies.map_or(arrays::NO_PLIES, |plies| plies as i16));
    }

    fn push_value(&mut self, game: &Hunt, position: &hunt::Position, value: Value) {
        self.push(arrays::outcome_number(game, value.outcome), plies(game, position, value));
    }

    fn add(
        &mut self,
        game: &Hunt,
        values: &Values,
        positions: &[hunt::Position],
        unknown: bool,
    ) -> Answer<()> {
        let mut add = |position: &hunt::Position, value: Result<Value, ValueError>| {
            match value {
                Ok(value) => self.push_value(game, position, value),
                Err(error) if unknown && is_missing(&error) => self.push(arrays::UNKNOWN, None),
                Err(error) => return Err(Failure::from(error)),
            }
            Ok(())
        };
        let mut pairs = positions.iter().zip(values.probe_many(positions));
        pairs.try_for_each(|(position, value)| add(position, value))
    }
}

/// Whether there is no value, and nothing failed.
fn is_missing(error: &ValueError) -> bool {
    use anser_retrograde::AnalyseError::{Unknown, Unsolved};
    matches!(
        error,
        ValueError::Probe(ProbeError::MissingLayer(_))
            | ValueError::Analyse(Unknown { .. } | Unsolved { .. })
    )
}

#[pymethods]
impl PyValues {
    /// The game.
    #[getter]
    fn game(&self) -> PyGame {
        PyGame::new(&self.game)
    }

    /// Returns the value of a position.
    ///
    /// Raises InvalidPosition; MissingLayer if a table that the answer needs does not exist;
    /// CorruptTable or UnreadableTable if one cannot be used; UnsolvedPosition if the position is
    /// not part of the solution.
    fn probe(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> Answer<PyValue> {
        self.look_up(py, position)
    }

    /// Returns the value of a position, and `default` where `probe` raises MissingLayer or
    /// UnsolvedPosition. Other exceptions are those of `probe`.
    #[pyo3(signature = (position, default=None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> Answer<Option<Bound<'py, PyAny>>> {
        match self.look_up(py, position) {
            Ok(value) => Ok(Some(Bound::new(py, value)?.into_any())),
            Err(Failure::Value(error)) if is_missing(&error) => Ok(default),
            Err(error) => Err(error),
        }
    }

    /// Returns the legal moves with the values after them, best for the side to move first. Moves
    /// whose values need a table that does not exist have none, and come last.
    ///
    /// Raises as `probe`, but not MissingLayer.
    fn probe_moves(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> Answer<Vec<PyRatedMove>> {
        if self.ended_by_move(position)?.is_some() {
            return Ok(Vec::new());
        }
        let (position, values) = (position_of(&self.game, position)?, self.values()?);
        let moves = py.detach(|| {
            let moves = values.probe_moves(&self.game, &position)?;
            self.check(&values)?;
            Ok::<_, ValueError>(moves)
        })?;
        let moves = moves.iter().map(|rated| PyRatedMove::new(py, &self.game, position, rated));
        Ok(moves.collect::<PyResult<_>>()?)
    }

    /// Returns the line of best play from a position to the end of the game, or to a repetition. It
    /// needs distances. Of equal moves the first in the order of the game is played.
    ///
    /// Raises as `probe`; MissingLayer also for a layer without distances; InvalidArgument for a
    /// position that a move itself ended.
    fn line(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> Answer<PyLine> {
        let (game, values) = (&self.game, self.values()?);
        let position = position_of(game, position)?;
        let line = py.detach(|| {
            let ties = BySide::new(Tie::First, Tie::First);
            let line = best_line(game, &position, ties, &values.exact())?;
            self.check(&values)?;
            Ok::<_, ValueError>(line)
        })?;
        let (end, repeats_from) = match line.end {
            LineEnd::Over(_) => ("over", None),
            LineEnd::Repeats(plies) => ("repeats", Some(plies)),
        };
        let mut from = position;
        let moves = line.moves.iter().map(|rated| {
            let played = PyRatedMove::new(py, game, from, rated)?;
            from = *rated.next.position();
            Py::new(py, played)
        });
        Ok(PyLine {
            value: Py::new(py, PyValue::of(game, &position, line.value))?,
            moves: moves.collect::<PyResult<_>>()?,
            end,
            repeats_from,
        })
    }

    /// Returns the values of many positions as two new arrays of length n: outcomes (int8; 1 and -1
    /// for the sides of `Game.sides`, 0 for a draw; see `Game.outcomes`) and plies (int16; -1 where
    /// there is no distance).
    ///
    /// `positions` is a sequence of str and Position, or an array of codes as `Game.encode` makes
    /// it. It is copied before the lock is released. Packed tables are decoded block by block, so a
    /// large batch is much faster than single probes.
    ///
    /// Raises as `probe` for the first position without a value; InvalidPosition has the index of
    /// the position. Raises InvalidArgument for a position that a move itself ended.
    fn probe_many<'py>(
        &self,
        positions: &Bound<'py, PyAny>,
    ) -> Answer<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        self.look_up_many(positions, false)
    }

    /// As `probe_many`, with the outcome -128 (`UNKNOWN`) where `probe` raises MissingLayer or
    /// UnsolvedPosition. Raises InvalidArgument for a position that a move itself ended.
    fn get_many<'py>(
        &self,
        positions: &Bound<'py, PyAny>,
    ) -> Answer<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        self.look_up_many(positions, true)
    }

    /// Iterates over all symmetry classes of a layer in chunks of at most `chunk` classes (rounded
    /// up to a multiple of 64), each with one side to move: first those of the first side.
    ///
    /// Raises InvalidArgument if there is no such layer. Iteration raises as `probe`.
    #[pyo3(signature = (layer, chunk=65536))]
    fn layer(slf: &Bound<'_, Self>, layer: u16, chunk: usize) -> Answer<PyLayerChunks> {
        let this = slf.get();
        let layer = checked_layer(&this.game, layer)?;
        if chunk == 0 {
            return Err(Failure::argument("a chunk has at least one class"));
        }
        let (values, py) = (this.values()?, slf.py());
        let index = py.detach(|| this.game.index(layer));
        let next = Mutex::new((Side::First, 0));
        let game = this.game.clone();
        // Far more than the classes of any layer.
        let (chunk, is_mapped) = (chunk.min(1 << 48).next_multiple_of(64), this.is_mapped);
        Ok(PyLayerChunks { game, values, layer, index, chunk, next, is_mapped })
    }
}

/// Iterator over the chunks of a layer; `Values.layer` makes it.
#[pyclass(frozen, name = "LayerChunks", module = "anser")]
pub(crate) struct PyLayerChunks {
    game: Hunt,
    values: Values,
    layer: u16,
    index: HuntIndex,
    chunk: usize,
    /// Side to move and rank of the next class.
    next: Mutex<(Side, u64)>,
    is_mapped: bool,
}

/// Symmetry classes of a layer with one side to move. All arrays have one entry per class.
#[pyclass(frozen, get_all, name = "LayerChunk", module = "anser")]
pub(crate) struct PyLayerChunk {
    /// The name of the side to move.
    to_move: String,
    /// Codes of the canonical positions, of shape (n, 2) and type uint64.
    codes: Py<PyAny>,
    /// Outcomes as in `Values.probe_many`, int8.
    outcomes: Py<PyAny>,
    /// Plies as in `Values.probe_many`, int16.
    plies: Py<PyAny>,
    /// Number of positions of each class, uint8.
    orbits: Py<PyAny>,
}

#[pymethods]
impl PyLayerChunk {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.outcomes.bind(py).len()
    }
}

#[pymethods]
impl PyLayerChunks {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> Answer<Option<PyLayerChunk>> {
        py.check_signals()?;
        let Some((side, first, count)) = self.take() else { return Ok(None) };
        let (codes, batch, orbits) = py.detach(|| self.read(side, first, count))?;
        Ok(Some(PyLayerChunk {
            to_move: self.game.side_name(side).into(),
            codes: arrays::code_array(py, &codes)?.unbind(),
            outcomes: arrays::array(py, &batch.outcomes)?.unbind(),
            plies: arrays::array(py, &batch.plies)?.unbind(),
            orbits: arrays::array(py, &orbits)?.unbind(),
        }))
    }
}

impl PyLayerChunks {
    /// The next classes: side to move, first rank, and number.
    fn take(&self) -> Option<(Side, u64, usize)> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        if next.1 >= self.index.len(next.0) && next.0 == Side::First {
            *next = (Side::Second, 0);
        }
        let (side, first) = *next;
        let count = self.index.len(side).saturating_sub(first).min(self.chunk as u64);
        next.1 += count;
        (count > 0).then_some((side, first, count as usize))
    }

    fn read(&self, side: Side, first: u64, count: usize) -> Answer<(Vec<u128>, Batch, Vec<u8>)> {
        let PyLayerChunks { game, values, layer, index, .. } = self;
        let ranks = first..first + count as u64;
        let mut orbits = vec![game.symmetries() as u8; count];
        index.visit_small_orbits(side, ranks.clone(), |rank, orbit| {
            orbits[(rank - first) as usize] = orbit as u8;
        });
        // Entries that are no class are left out.
        let classes = || orbits.iter().enumerate().filter(|&(_, &orbit)| orbit > 0);
        let positions: Vec<hunt::Position> =
            classes().map(|(number, _)| index.unrank(side, first + number as u64)).collect();
        let mut batch = Batch::with_capacity(positions.len());
        if self.has_distances() {
            let mut codes = vec![0; count];
            values.read_distances(*layer, side, first, &mut codes)?;
            let codes = classes().map(|(number, _)| codes[number]);
            for (position, code) in positions.iter().zip(codes) {
                // Codes that were read are valid.
                batch.push_value(game, position, Dtw::from_code(code).unwrap_or(Dtw::DRAW).into());
            }
        } else {
            let mut pairs = vec![[0; 2]; count.div_ceil(64)];
            values.read_outcomes(*layer, side, first, &mut pairs)?;
            for (position, (number, _)) in positions.iter().zip(classes()) {
                let [wins, losses] = pairs[number / 64].map(|bits| bits >> (number % 64) & 1 != 0);
                let outcome = match (wins, losses) {
                    (true, _) => Outcome::Win(Side::First),
                    (_, true) => Outcome::Win(Side::Second),
                    _ => Outcome::Draw,
                };
                batch.push_value(game, position, outcome.into());
            }
        }
        if self.is_mapped {
            values.check_unchanged()?;
        }
        orbits.retain(|&orbit| orbit > 0);
        Ok((positions.iter().map(|position| game.encode(position)).collect(), batch, orbits))
    }

    fn has_distances(&self) -> bool {
        let tables = self.values.tables();
        tables.is_none_or(|tables| tables.has_values(self.layer, Metric::Dtw))
    }
}
