//! Games.

use std::borrow::Cow;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use anser_analyse::Random;
use anser_core::hunt::Description;
use anser_core::{Hunt, LayerIndex, Outcome, Side};
use anser_games::answers::outcome_name;
use anser_games::{GameInfo, Registry, START, is_path, read_file};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyRange, PyTuple};

use crate::arrays;
use crate::errors::{Answer, Failure};
use crate::position::{Given, PyPosition};

/// The games that are known by name.
pub(crate) fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(Registry::standard)
}

/// Returns the names of all games, with the default size where a game has sizes.
#[pyfunction]
pub(crate) fn games() -> Vec<String> {
    registry().games().map(GameInfo::default_name).collect()
}

/// Returns the rule sets of a game, as a dict from id to meaning. `game` is a name, or the path of
/// a file that `Game.from_file` reads.
///
/// Raises InvalidArgument for an unknown name.
#[pyfunction]
pub(crate) fn rule_sets<'py>(py: Python<'py>, game: &str) -> Answer<Bound<'py, PyDict>> {
    let of_file = is_path(game).then(|| read_file(Path::new(game))).transpose()?;
    let info = if let Some(info) = &of_file {
        info
    } else {
        // The size exists, too.
        registry().game(game, None)?;
        registry().find(game)?.0
    };
    let sets = PyDict::new(py);
    for set in &info.rule_sets {
        sets.set_item(&set.id, &set.meaning)?;
    }
    Ok(sets)
}

/// A game with its size, under a rule set: `Game("fox-geese", rules="free")`,
/// `Game("fox-hounds:8")`, `Game("hexapawn:4x4")`. `games()` lists the names, and `rule_sets(name)`
/// the rule sets.
///
/// `Game("my-hunt.toml")` reads the description of any other game, as `Game.from_file` does. The
/// openings of the file belong to this object: other objects of the same game, such as that of a
/// position, or one that was pickled, have the start alone.
///
/// Games compare equal if their descriptions are equal. They can be pickled and shared by threads.
///
/// Raises InvalidArgument for an unknown name, size, or rule set, and as `Game.from_file`.
#[pyclass(frozen, name = "Game", module = "anser")]
pub(crate) struct PyGame {
    pub(crate) game: Hunt,
    /// The content of the file of the game, if it was read from one.
    of_file: Option<Arc<GameInfo>>,
}

impl PyGame {
    pub(crate) fn new(game: &Hunt) -> PyGame {
        PyGame { game: game.clone(), of_file: None }
    }

    /// Whether the game has a name of its own in `games()`.
    fn is_known(&self) -> bool {
        let known = registry().game(self.game.name(), Some(self.game.rules_id()));
        known.is_ok_and(|known| same(&known, &self.game))
    }

    /// Returns the information about the game.
    fn info(&self) -> Answer<Cow<'_, GameInfo>> {
        if let Some(info) = &self.of_file {
            return Ok(Cow::Borrowed(info));
        }
        if self.is_known() {
            return Ok(Cow::Borrowed(registry().find(self.game.name())?.0));
        }
        Ok(Cow::Owned(GameInfo::of_game(&self.game)))
    }

    /// A layer of the game.
    /// The sides that an argument stands for: the one that it names, or both.
    fn sides_of(&self, to_move: Option<&str>) -> Answer<Vec<Side>> {
        let Some(name) = to_move else { return Ok(Side::BOTH.to_vec()) };
        let side = self.game.side_named(name).ok_or_else(|| {
            let [first, second] = Side::BOTH.map(|side| self.game.side_name(side));
            Failure::argument(format!("no side is called {name:?}; write {first:?} or {second:?}"))
        })?;
        Ok(vec![side])
    }
}

/// Checks that the game has a layer.
pub(crate) fn checked_layer(game: &Hunt, layer: u16) -> Answer<u16> {
    let layers = game.layers();
    if layers.contains(&layer) {
        return Ok(layer);
    }
    Err(Failure::argument(format!(
        "{} has no layer {layer}; it has layers {} to {}",
        game.name(),
        layers.start(),
        layers.end()
    )))
}

/// Whether two games are the same game under the same rules.
pub(crate) fn same(one: &Hunt, other: &Hunt) -> bool {
    one.description() == other.description()
}

#[pymethods]
impl PyGame {
    #[new]
    #[pyo3(signature = (name, rules=None))]
    fn by_name(name: PathBuf, rules: Option<&str>) -> Answer<PyGame> {
        match name.to_str() {
            Some(name) if !is_path(name) => Ok(PyGame::new(&registry().game(name, rules)?)),
            _ => PyGame::from_file(name, rules),
        }
    }

    /// Reads the description of a game from a file in TOML, as `anser games --describe` prints it,
    /// or from a table, whose description has one rule set.
    ///
    /// Raises InvalidDescription if the file cannot be read or does not describe a game, with the
    /// line and the column of the mistake (`None` for files without lines), and InvalidArgument for
    /// an unknown rule set.
    #[staticmethod]
    #[pyo3(signature = (path, rules=None))]
    fn from_file(path: PathBuf, rules: Option<&str>) -> Answer<PyGame> {
        let info = read_file(&path)?;
        let game = info.make("", rules.unwrap_or(&info.default_rules))?;
        Ok(PyGame { game, of_file: Some(Arc::new(info)) })
    }

    /// Reads the description of a game from the lines of text that tables have.
    ///
    /// Raises InvalidDescription.
    #[staticmethod]
    fn from_description(text: &str) -> Answer<PyGame> {
        let description = Description::from_text(text).map_err(Failure::description)?;
        let game = Hunt::new(description).map_err(Failure::description)?;
        Ok(PyGame::new(&game))
    }

    /// The description of the game, as lines of text: the same for equal games.
    #[getter]
    fn description(&self) -> String {
        self.game.description().to_string()
    }

    /// The name with its size: `fox-hounds:8`.
    #[getter]
    fn name(&self) -> String {
        self.game.name().into()
    }

    /// The id of the rule set.
    #[getter]
    fn rules(&self) -> String {
        self.game.rules_id().into()
    }

    /// The names of the two sides. Outcomes in arrays are 1 and -1 for them, in this order.
    #[getter]
    fn sides(&self) -> [&str; 2] {
        Side::BOTH.map(|side| self.game.side_name(side))
    }

    /// The names of outcomes by their numbers in arrays: `{1: "fox", 0: "draw", -1: "geese"}`.
    /// There are no draws, and no 0, where endless play is won.
    #[getter]
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let names = PyDict::new(py);
        for outcome in Outcome::ALL {
            names.set_item(
                arrays::outcome_number(&self.game, outcome),
                outcome_name(&self.game, outcome),
            )?;
        }
        Ok(names)
    }

    /// The layers. No move leads to a higher layer.
    #[getter]
    fn layers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyRange>> {
        let layers = self.game.layers();
        PyRange::new(py, *layers.start() as isize, *layers.end() as isize + 1)
    }

    /// The plural unit of a layer number: `geese`.
    #[getter]
    fn layer_unit(&self) -> Answer<String> {
        Ok(self.info()?.layer_unit.clone())
    }

    /// The order of the symmetry group of the rules.
    #[getter]
    fn symmetries(&self) -> usize {
        self.game.symmetries()
    }

    /// The position where play usually starts.
    #[getter]
    fn start(&self) -> PyPosition {
        PyPosition::new(&self.game, self.game.start())
    }

    /// The names of all openings, for `opening`.
    #[getter]
    fn openings(&self) -> Answer<Vec<String>> {
        let info = self.info()?;
        let named = info.openings.iter().map(|opening| opening.name.clone());
        Ok([START.to_owned()].into_iter().chain(named).collect())
    }

    /// Returns the opening of a name.
    ///
    /// Raises InvalidArgument for an unknown name.
    fn opening(&self, name: &str) -> Answer<PyPosition> {
        let position = self.info()?.opening(&self.game, name)?;
        Ok(PyPosition::new(&self.game, position))
    }

    /// Reads a position in the notation of the game.
    ///
    /// Raises InvalidPosition, with the column of the mistake.
    fn position(&self, text: &str) -> Answer<PyPosition> {
        let position = self.game.parse_position(text)?;
        Ok(PyPosition::new(&self.game, position))
    }

    /// Returns the number of positions of a layer, symmetric ones counted separately; with
    /// `to_move` only those with this side to move.
    ///
    /// Raises InvalidArgument if there is no such layer or side.
    #[pyo3(signature = (layer, to_move=None))]
    fn count(&self, py: Python<'_>, layer: u16, to_move: Option<&str>) -> Answer<u64> {
        let (layer, sides) = (checked_layer(&self.game, layer)?, self.sides_of(to_move)?);
        Ok(py.detach(|| sides.into_iter().map(|side| self.game.positions(layer, side)).sum()))
    }

    /// Returns the codes of positions as an array of shape (n, 2) and type uint64.
    ///
    /// A row is one position: the lower and the upper 64 bits of `Position.code`. `positions` is a
    /// sequence of str and Position, or an array of codes, which is checked and copied.
    ///
    /// Raises InvalidPosition if a position is malformed, and InvalidArgument if it is one of
    /// another game.
    fn encode<'py>(&self, positions: &Bound<'py, PyAny>) -> Answer<Bound<'py, PyAny>> {
        let py = positions.py();
        let given = Given::new(positions, &self.game)?;
        let codes = py.detach(|| -> Answer<Vec<u128>> {
            let positions = given.positions(&self.game)?;
            Ok(positions.iter().map(|at| self.game.encode(at)).collect())
        })?;
        Ok(arrays::code_array(py, &codes)?)
    }

    /// Returns the positions of an array of codes, as `encode` makes it.
    ///
    /// Raises InvalidPosition if a code is none of this game.
    fn decode(&self, codes: &Bound<'_, PyAny>) -> Answer<Vec<PyPosition>> {
        let positions = Given::new(codes, &self.game)?.positions(&self.game)?;
        Ok(positions.into_iter().map(|at| PyPosition::new(&self.game, at)).collect())
    }

    /// Returns the codes of `count` random positions of a layer, drawn independently, as an array
    /// of shape (count, 2). All positions of the layer have the same chance; with `to_move` all
    /// those with this side to move. The same seed gives the same positions.
    ///
    /// Raises InvalidArgument if there is no such layer or side, or no position in it, and
    /// NotEnoughMemory if the positions do not fit into the memory.
    #[pyo3(signature = (layer, count, seed=0, to_move=None))]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        layer: u16,
        count: usize,
        seed: u64,
        to_move: Option<&str>,
    ) -> Answer<Bound<'py, PyAny>> {
        let (layer, sides) = (checked_layer(&self.game, layer)?, self.sides_of(to_move)?);
        let codes = py.detach(|| sample(&self.game, layer, &sides, count, seed))?;
        Ok(arrays::code_array(py, &codes)?)
    }

    fn __repr__(&self) -> String {
        format!("Game('{}', rules='{}')", self.game.name(), self.game.rules_id())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyGame>().is_ok_and(|other| same(&self.game, &other.get().game))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.game.fingerprint().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let class = py.get_type::<PyGame>();
        if self.is_known() {
            let names = (self.game.name(), self.game.rules_id());
            return Ok((class.into_any(), names.into_pyobject(py)?));
        }
        Ok((class.getattr("from_description")?, (self.description(),).into_pyobject(py)?))
    }
}

/// Draws positions of a layer. Checks now and then whether it is interrupted.
fn sample(game: &Hunt, layer: u16, sides: &[Side], count: usize, seed: u64) -> Answer<Vec<u128>> {
    let index = game.index(layer);
    let entries: u64 = sides.iter().map(|&side| index.len(side)).sum();
    let is_class = |side: Side| (0..index.len(side)).any(|rank| index.orbit(side, rank) > 0);
    if !sides.iter().any(|&side| is_class(side)) {
        return Err(Failure::argument(format!("layer {layer} has no such position")));
    }
    let symmetries = game.symmetries() as u64;
    let mut random = Random::new(seed);
    // The bias of the multiplication is below 2^-20 for every layer.
    let mut below = |bound: u64| ((u128::from(random.bits()) * u128::from(bound)) >> 64) as u64;
    let mut codes = Vec::new();
    if codes.try_reserve_exact(count).is_err() {
        return Err(Failure::memory(format!("{count} positions do not fit into the memory")));
    }
    while codes.len() < count {
        if codes.len().is_multiple_of(1 << 18) {
            Python::attach(|py| -> PyResult<()> { py.check_signals() })?;
        }
        let (mut rank, mut side) = (below(entries), sides[0]);
        if rank >= index.len(side) {
            rank -= index.len(side);
            side = side.other();
        }
        // Classes with fewer positions are accepted less often.
        if below(symmetries) < index.orbit(side, rank) {
            let canonical = index.unrank(side, rank);
            codes.push(game.encode(&game.image(&canonical, below(symmetries) as usize)));
        }
    }
    Ok(codes)
}
