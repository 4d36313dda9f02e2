//! The values of positions, from tables or from a solution in memory.

use anser_analyse::{Advisor, AnalyseError, Limits, Solution, best_first};
use anser_core::{Dtw, Hunt, Next, Probe, ProbeLayer, RatedMove, Side, Value, hunt};
use anser_table::{Access, MissingLayer, ProbeError, TableError, Tablebase};
use thiserror::Error;

use crate::{Registry, SearchPath, Size};

/// The values of positions of a game: tables, or a solution in memory.
///
/// ```
/// use anser_core::Probe;
/// use anser_core::Dtw;
/// use anser_games::{Registry, SearchPath, Values};
/// use anser_table::PositionedReads;
///
/// let registry = Registry::standard();
/// let path = SearchPath::embedded();
/// for (name, position) in [("fox-geese", "3/3/7/3F3/3gg2/1g1/1g1 f"), ("hexapawn:3x3", "ppp/3/PPP w")] {
///     let game = registry.game(name, None)?;
///     let position = game.parse_position(position)?;
///     let values = Values::find(&registry, &game, &position, &path, &PositionedReads, &Default::default())?;
///     let value = values.value(&position)?;
///     println!("{name}: {:?}, in {:?} plies", value.outcome, value.plies);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub enum Values {
    /// A solution in memory: exact values.
    Solution(Solution),
    /// Tables of outcomes, of distances, or of both.
    Tables(Tablebase),
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
    /// Finds the values of `position` and of what play from it can reach: the tables of `path`, or
    /// a solution in memory if they lack the layer of `position` and what is below it is
    /// [small](Size::is_small).
    ///
    /// # Errors
    /// [`ValueError::Table`] for directories and tables that cannot be opened,
    /// [`ValueError::Analyse`] if solving is interrupted or needs more memory than `limits` allow.
    /// Missing layers are errors of [`Values::value`].
    pub fn find(
        registry: &Registry,
        game: &Hunt,
        position: &hunt::Position,
        path: &SearchPath,
        access: &(impl Access + ?Sized),
        limits: &Limits<'_>,
    ) -> Result<Values, ValueError> {
        let tables = path.open(registry, game, access)?;
        let is_there = tables.layers().any(|layer| layer == game.layer(position));
        if is_there || !Size::below(game, position).is_small() {
            return Ok(Values::Tables(tables));
        }
        Ok(Values::Solution(Solution::reachable_within(game, position, limits)?))
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
            Values::Solution(solution) => Ok(best_first(game, position, solution)?),
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
    let distances = tables.layers_with_distances().any(|with| with == layer);
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
            Values::Tables(tables) => Ok(Probe::value(tables, position)?),
        }
    }
}
