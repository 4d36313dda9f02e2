//! Positions, and positions as arguments.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use anser_core::{Hunt, Outcome, hunt};
use anser_games::Position;
use anser_games::answers::outcome_name;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::errors::{Answer, Failure};
use crate::game::{PyGame, same};
use crate::svg::svg;

/// A position of a game: an arrangement of pieces and the side to move. `Game.position` reads one,
/// and `str` writes it in the notation of the game.
///
/// Positions cannot be changed. They are hashable, compare equal within one game and rule set, and
/// can be pickled and shared by threads.
///
/// A position after a move that itself ended the game, such as a first capture, is over. The same
/// arrangement read with `Game.position` is still in play, and not equal to it.
#[pyclass(frozen, name = "Position", module = "anser")]
pub(crate) struct PyPosition {
    pub(crate) position: Position,
}

impl PyPosition {
    pub(crate) fn new(game: &Hunt, at: hunt::Position) -> PyPosition {
        PyPosition { position: Position::new(game, at) }
    }

    /// The position as one of `game`.
    pub(crate) fn of(&self, game: &Hunt) -> Answer<hunt::Position> {
        let own = self.position.game();
        if same(own, game) {
            return match self.position.ended_by() {
                None => Ok(*self.position.at()),
                Some((_, mv)) => Err(Failure::argument(format!(
                    "the game is over here: {} ended it ({}); Game.position(str(position)) is the \
                     position without that move",
                    own.format_move(&mv),
                    self.position.ending().unwrap_or_default()
                ))),
            };
        }
        let problem = format!(
            "this is a position of {} (rules {}), not of {} (rules {})",
            own.name(),
            own.rules_id(),
            game.name(),
            game.rules_id()
        );
        Err(Failure::argument(problem))
    }

    fn outcome_name(&self, outcome: Outcome) -> &str {
        outcome_name(self.position.game(), outcome)
    }
}

#[pymethods]
impl PyPosition {
    /// The game.
    #[getter]
    fn game(&self) -> PyGame {
        PyGame::new(self.position.game())
    }

    /// The name of the side to move.
    #[getter]
    fn to_move(&self) -> &str {
        self.position.game().side_name(self.position.side_to_move())
    }

    /// The layer.
    #[getter]
    fn layer(&self) -> u16 {
        self.position.layer()
    }

    /// The code: a number of at most 128 bits, different for different positions of the game.
    #[getter]
    fn code(&self) -> u128 {
        self.position.game().encode(self.position.at())
    }

    /// Whether the game is over: no move is played from here.
    #[getter]
    fn is_over(&self) -> bool {
        self.position.outcome_if_over().is_some()
    }

    /// The outcome if the game is over, the name of a side or `draw`; otherwise None.
    #[getter]
    fn outcome(&self) -> Option<&str> {
        self.position.outcome_if_over().map(|outcome| self.outcome_name(outcome))
    }

    /// Why the game is over, in a few words; None if it is not over.
    #[getter]
    fn ending(&self) -> Option<&str> {
        self.position.ending()
    }

    /// Returns the legal moves in the order of the game; none if the game is over.
    fn moves(&self) -> Vec<String> {
        let game = self.position.game();
        self.position.moves().iter().map(|(mv, _)| game.format_move(mv)).collect()
    }

    /// Returns the position after a move.
    ///
    /// Raises InvalidMove if the text is not a legal move, or if the game is over.
    #[pyo3(name = "play")]
    fn play(&self, r#move: &str) -> Answer<PyPosition> {
        let position = self.position.play(r#move).map_err(Failure::Move)?;
        Ok(PyPosition { position })
    }

    /// Returns the outcome if a move ends the game, by itself or by the position that it leads to;
    /// otherwise None.
    ///
    /// Raises InvalidMove if the text is not a legal move.
    fn ends(&self, r#move: &str) -> Answer<Option<&str>> {
        let after = self.position.play(r#move).map_err(Failure::Move)?;
        Ok(after.outcome_if_over().map(|outcome| self.outcome_name(outcome)))
    }

    /// Returns the board as a few lines of text.
    fn diagram(&self) -> String {
        self.position.diagram()
    }

    /// Returns the board as an SVG picture.
    fn svg(&self) -> String {
        svg(&self.position)
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn __str__(&self) -> String {
        self.position.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Position('{}')", self.position)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyPosition>().is_ok_and(|other| self.position == other.get().position)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.position.at().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let Some((position, mv)) = self.position.ended_by() else {
            let read = py.get_type::<PyGame>().getattr("position")?;
            return Ok((read, (self.game(), self.position.to_string()).into_pyobject(py)?));
        };
        let played = position.game().format_move(&mv);
        let play = py.get_type::<PyPosition>().getattr("play")?;
        Ok((play, (PyPosition { position }, played).into_pyobject(py)?))
    }
}

/// Reads a position: a text, or a position of the game.
pub(crate) fn position_of(game: &Hunt, given: &Bound<'_, PyAny>) -> Answer<hunt::Position> {
    if let Ok(text) = given.cast::<PyString>() {
        return Ok(game.parse_position(&text.to_cow()?)?);
    }
    if let Ok(position) = given.cast::<PyPosition>() {
        return position.get().of(game);
    }
    let problem =
        format!("a position is a str or an anser.Position, not {}", given.get_type().name()?);
    Err(PyTypeError::new_err(problem).into())
}

/// Positions as they were passed in, copied out of Python objects.
pub(crate) enum Given {
    /// Two words per position.
    Codes(Vec<u64>),
    Items {
        text: String,
        items: Vec<Item>,
    },
}

/// An item of a sequence.
pub(crate) enum Item {
    /// A text, by its end in the text of all.
    Text(usize),
    Position(hunt::Position),
}

impl Given {
    /// Copies positions: an array of codes, or a sequence of str and Position.
    pub(crate) fn new(given: &Bound<'_, PyAny>, game: &Hunt) -> Answer<Given> {
        let wrong = |what: &str, found: String| {
            let problem = format!(
                "codes are an array of uint64 of shape (n, 2), and this one has {what} {found}"
            );
            Err(PyTypeError::new_err(problem).into())
        };
        if let Ok(words) = PyBuffer::<u64>::get(given) {
            // Words in the other byte order are taken for such as well.
            let foreign = if cfg!(target_endian = "little") { &b">!"[..] } else { b"<" };
            let format = words.format();
            if format.to_bytes().first().is_some_and(|order| foreign.contains(order)) {
                return wrong("the format", format.to_string_lossy().into());
            }
            if words.shape().len() != 2 || words.shape()[1] != 2 {
                return wrong("shape", format!("{:?}", words.shape()));
            }
            return Ok(Given::Codes(words.to_vec(given.py())?));
        }
        // Arrays of objects or texts are sequences of positions.
        if let Ok(of_items) = given.getattr("dtype")
            && let Ok(kind) = of_items.getattr("kind")
            && "biufc".contains(&kind.to_string())
        {
            return wrong("the type", of_items.to_string());
        }
        if given.is_instance_of::<PyString>() || given.is_instance_of::<PyPosition>() {
            let problem = "this is one position, where a sequence or an array is expected";
            return Err(PyTypeError::new_err(problem).into());
        }
        let count = given.len().unwrap_or(0);
        let (mut text, mut items) = (String::new(), Vec::with_capacity(count));
        for item in given.try_iter()? {
            let item = item?;
            items.push(match item.cast::<PyString>() {
                Ok(position) => {
                    text.push_str(&position.to_cow()?);
                    Item::Text(text.len())
                }
                Err(_) => Item::Position(position_of(game, &item)?),
            });
        }
        Ok(Given::Items { text, items })
    }

    /// Reads the positions.
    pub(crate) fn positions(&self, game: &Hunt) -> Answer<Vec<hunt::Position>> {
        match self {
            Given::Codes(words) => {
                let codes = words.as_chunks::<2>().0.iter();
                let codes = codes.map(|[low, high]| u128::from(*high) << 64 | u128::from(*low));
                codes
                    .enumerate()
                    .map(|(index, code)| {
                        game.decode(code).ok_or(Failure::Code {
                            index,
                            code,
                            game: game.name().into(),
                        })
                    })
                    .collect()
            }
            Given::Items { text, items } => {
                let mut start = 0;
                let read = |(index, item): (usize, &Item)| match *item {
                    Item::Position(position) => Ok(position),
                    Item::Text(end) => {
                        let own = &text[start..end];
                        start = end;
                        game.parse_position(own)
                            .map_err(|error| Failure::Position(error, Some(index)))
                    }
                };
                items.iter().enumerate().map(read).collect()
            }
        }
    }
}
