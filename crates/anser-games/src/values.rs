//! The values of positions, from tables or from a solution in memory.

use std::ops::RangeInclusive;
use std::sync::Arc;

use anser_analyse::{Advisor, best_first};
use anser_core::{Dtw, Hunt, Next, Probe, ProbeLayer, RatedMove, Side, Value, hunt};
use anser_retrograde::{AnalyseError, Limits, Solution};
use anser_table::{Access, BlockCache, Metric, MissingLayer, ProbeError, TableError, Tablebase};
use thiserror::Error;

use crate::{Registry, SearchPath, Size};

/// The values of positions of a game: tables, or a solution in memory. Clones share them.
///
/// ```
/// use anser_core::Probe;
/// use anser_games::{Files, Registry, Scope, SearchPath, Values};
/// use anser_table::{Metric, PositionedReads};
///
/// let registry = Registry::standard();
/// let sources = Files::new(&registry, SearchPath::embedded(), &PositionedReads);
/// let positions =
///     [("fox-geese", "3/3/7/3F3/3gg2/1g1/1g1 f"), ("hexapawn:3x3", "ppp/3/PPP w")];
/// for (name, position) in positions {
///     let game = registry.game(name, None)?;
///     let position = game.parse_position(position)?;
///     let values = Values::find(&game, &Scope::Position(position), Metric::Wdl, &sources)?;
///     let value = values.value(&position)?;
///     println!("{name}: {:?}, in {:?} plies", value.outcome, value.plies);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub enum Values {
    /// A solution in memory: exact values.
    Solution(Arc<Solution>),
    /// Tables of outcomes, of distances, or of both.
    Tables(Arc<Tablebase>),
}

/// Positions whose values are needed, together with all that play from them can reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One position.
    Position(hunt::Position),
    /// All positions of these layers.
    Layers(RangeInclusive<u16>),
}

impl Scope {
    /// Returns the layers of the positions themselves.
    pub fn layers(&self, game: &Hunt) -> RangeInclusive<u16> {
        match self {
            Scope::Position(position) => {
                let layer = game.layer(position);
                layer..=layer
            }
            Scope::Layers(layers) => layers.clone(),
        }
    }

    /// Returns an upper bound of the positions that solving it takes.
    pub fn size(&self, game: &Hunt) -> Size {
        Size::of_layers(game, self.layers(game))
    }

    /// Solves the positions in memory.
    ///
    /// # Errors
    /// If the observer interrupts, or more memory is needed than `limits` allow.
    pub fn solve(&self, game: &Hunt, limits: &Limits<'_>) -> Result<Solution, AnalyseError> {
        match self {
            Scope::Position(root) => Solution::reachable_within(game, root, limits),
            Scope::Layers(layers) => Solution::of_layers(game, layers.clone(), limits),
        }
    }
}

/// Sources of values for [`Values::find`].
///
/// Implemented for files that are given, and for the set that a server serves.
pub trait Sources {
    /// Why tables cannot be opened, or positions not be solved.
    type Error;

    /// Returns the tables of a game.
    ///
    /// # Errors
    /// If they cannot be opened.
    fn tables(&self, game: &Hunt) -> Result<Arc<Tablebase>, Self::Error>;

    /// Whether positions that the tables lack are solved in memory, by the size of what is below
    /// them.
    fn solves(&self, size: Size) -> bool;

    /// Solves positions in memory.
    ///
    /// # Errors
    /// If that fails.
    fn solve(&self, game: &Hunt, scope: &Scope) -> Result<Arc<Solution>, Self::Error>;
}

/// Sources that open tables and solve positions each time.
pub struct Files<'a, A: ?Sized> {
    /// The registry, which has the embedded tables.
    pub registry: &'a Registry,
    /// The search path for tables.
    pub path: SearchPath,
    /// The access to the files of tables.
    pub access: &'a A,
    /// Bound of the cache for blocks of packed tables, in bytes.
    pub cache_bytes: u64,
    /// Whether positions that the tables lack are solved in memory, by size.
    pub solves: fn(Size) -> bool,
    /// Limits of solving in memory. What may take more memory is not tried.
    pub limits: Limits<'a>,
}

impl<'a, A: Access + ?Sized> Files<'a, A> {
    /// Sources that solve [small](Size::is_small) games in memory, without limits.
    pub fn new(registry: &'a Registry, path: SearchPath, access: &'a A) -> Files<'a, A> {
        let (cache_bytes, limits) = (BlockCache::DEFAULT_BYTES, Limits::default());
        Files { registry, path, access, cache_bytes, solves: Size::is_small, limits }
    }
}

impl<A: Access + ?Sized> Sources for Files<'_, A> {
    type Error = ValueError;

    fn tables(&self, game: &Hunt) -> Result<Arc<Tablebase>, ValueError> {
        let tables = self.path.open(self.registry, game, self.access)?;
        Ok(Arc::new(tables.with_cache_bytes(self.cache_bytes)))
    }

    fn solves(&self, size: Size) -> bool {
        (self.solves)(size) && size.loopy_bytes() <= self.limits.memory
    }

    fn solve(&self, game: &Hunt, scope: &Scope) -> Result<Arc<Solution>, ValueError> {
        Ok(Arc::new(scope.solve(game, &self.limits)?))
    }
}

/// Why there is no value.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ValueError {
    /// A table is missing, or cannot be read.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// Tables cannot be opened.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The game cannot be solved in memory, or the position is not part of the solution.
    #[error(transparent)]
    Analyse(#[from] AnalyseError),
}

impl Values {
    /// Finds values: tables if each layer of the positions has one of this metric, otherwise a
    /// solution in memory if the sources solve as much. [`Metric::Wdl`] accepts any table, and
    /// [`Metric::Dtw`] requires distances.
    ///
    /// Otherwise returns the tables as they are. Their error for a missing layer, such as that of
    /// [`Values::value`], says where they were searched.
    ///
    /// # Errors
    /// Those of the sources.
    pub fn find<S: Sources + ?Sized>(
        game: &Hunt,
        scope: &Scope,
        metric: Metric,
        sources: &S,
    ) -> Result<Values, S::Error> {
        let tables = sources.tables(game)?;
        let is_held = scope.layers(game).all(|layer| tables.has_values(layer, metric));
        if is_held || !sources.solves(scope.size(game)) {
            return Ok(Values::Tables(tables));
        }
        Ok(Values::Solution(sources.solve(game, scope)?))
    }

    /// Returns the tables that the values come from, if any.
    pub fn tables(&self) -> Option<&Tablebase> {
        match self {
            Values::Solution(_) => None,
            Values::Tables(tables) => Some(tables),
        }
    }

    /// Returns the values of many positions, in their order. Tables look them up together, which is
    /// faster than one by one.
    pub fn probe_many(&self, positions: &[hunt::Position]) -> Vec<Result<Value, ValueError>> {
        match self {
            Values::Solution(_) => positions.iter().map(|position| self.value(position)).collect(),
            Values::Tables(tables) => {
                let found = tables.probe_many(positions).into_iter();
                found.map(|value| value.map_err(ValueError::from)).collect()
            }
        }
    }

    /// Returns the exact value of a position.
    ///
    /// # Errors
    /// [`ValueError::Probe`] if no table has its distance, [`ValueError::Analyse`] if it is not
    /// part of the solution.
    pub fn distance(&self, position: &hunt::Position) -> Result<Dtw, ValueError> {
        match self {
            Values::Solution(solution) => Ok(solution.require(position)?),
            Values::Tables(tables) => Ok(tables.probe_distance(position)?),
        }
    }

    /// Returns the legal moves with their values, best first; those whose values need a table that
    /// does not exist have none, and come last.
    ///
    /// # Errors
    /// [`ValueError::Probe`] if a table is damaged or cannot be read, [`ValueError::Analyse`] if a
    /// position is not part of the solution.
    pub fn probe_moves(
        &self,
        game: &Hunt,
        position: &hunt::Position,
    ) -> Result<Vec<RatedMove>, ValueError> {
        match self {
            Values::Solution(solution) => Ok(best_first(game, position, &**solution)?),
            Values::Tables(tables) => Ok(tables.probe_moves(position)?),
        }
    }

    /// Exact values alone: where only an outcome is known, there is no value.
    pub fn exact(&self) -> Exact<'_> {
        Exact(self)
    }

    /// Compares open tables with their files; a solution in memory is never changed.
    ///
    /// # Errors
    /// [`ValueError::Table`] if a table was changed after it was opened: then values that were read
    /// from it do not count.
    pub fn check_unchanged(&self) -> Result<(), ValueError> {
        match self {
            Values::Solution(_) => Ok(()),
            Values::Tables(tables) => Ok(tables.check_unchanged()?),
        }
    }
}

/// The exact values of [`Values`]: an outcome without a distance is an error.
#[derive(Clone, Copy)]
pub struct Exact<'a>(&'a Values);

impl Probe for Exact<'_> {
    type Error = ValueError;

    fn value(&self, position: &hunt::Position) -> Result<Value, ValueError> {
        self.0.distance(position).map(Value::from)
    }
}

/// Returns the layers whose absence leaves moves without an outcome, or without a distance if the
/// position's own layer has distances, each once.
pub fn missing_among(
    tables: &Tablebase,
    position: &hunt::Position,
    moves: &[RatedMove],
) -> Vec<MissingLayer> {
    let layer = tables.game().layer(position);
    let distances = tables.has_values(layer, Metric::Dtw);
    let mut found: Vec<MissingLayer> = Vec::new();
    for rated in moves {
        let Next::Position(next) = &rated.next else { continue };
        let probed = match rated.value {
            None => tables.probe_outcome(next).map(drop),
            Some(value) if distances && value.dtw().is_none() => {
                tables.probe_distance(next).map(drop)
            }
            Some(_) => continue,
        };
        if let Err(ProbeError::MissingLayer(missing)) = probed
            && found.iter().all(|other| other.layer != missing.layer)
        {
            found.push(*missing);
        }
    }
    found
}

impl ProbeLayer for Values {
    fn read_distances(
        &self,
        layer: u16,
        side: Side,
        first: u64,
        codes: &mut [u16],
    ) -> Result<(), ValueError> {
        match self {
            Values::Solution(solution) => Ok(solution.read_distances(layer, side, first, codes)?),
            Values::Tables(tables) => Ok(tables.read_distances(layer, side, first, codes)?),
        }
    }

    fn read_outcomes(
        &self,
        layer: u16,
        side: Side,
        first: u64,
        pairs: &mut [[u64; 2]],
    ) -> Result<(), ValueError> {
        match self {
            Values::Solution(solution) => Ok(solution.read_outcomes(layer, side, first, pairs)?),
            Values::Tables(tables) => Ok(tables.read_outcomes(layer, side, first, pairs)?),
        }
    }
}

/// Values without preferences.
impl Advisor for Values {}

impl Probe for Values {
    type Error = ValueError;

    fn value(&self, position: &hunt::Position) -> Result<Value, ValueError> {
        match self {
            Values::Solution(solution) => Ok(solution.require(position)?.into()),
            Values::Tables(tables) => Ok(Probe::value(&**tables, position)?),
        }
    }
}
