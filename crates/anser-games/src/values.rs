//! The values of positions, from tables or from a solution in memory.

use anser_analyse::{AnalyseError, Limits, Solution};
use anser_core::prelude::*;
use anser_core::{Dtw, Side, Value};
use anser_table::{Access, ProbeError, TableError, Tablebase};
use thiserror::Error;

use crate::{AnyGame, AnyPosition, Registry, SearchPath, Size};

/// The values of positions of a game: tables, or a solution in memory.
///
/// ```
/// use anser_core::prelude::*;
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
    Solution(Solution<AnyGame>),
    /// Tables of outcomes, of distances, or of both.
    Tables(Tablebase<AnyGame>),
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
        game: &AnyGame,
        position: &AnyPosition,
        path: &SearchPath,
        access: &(impl Access + ?Sized),
        limits: &Limits<'_>,
    ) -> Result<Values, ValueError> {
        let tables = path.open(registry, game, access)?;
        let is_there = tables.layers().any(|layer| layer == game.layer(position));
        if is_there || !Size::below(game, position).is_small() {
            return Ok(Values::Tables(tables));
        }
        Ok(Values::Solution(game.solution(position, limits)?))
    }

    /// Returns the exact value of a position.
    ///
    /// # Errors
    /// [`ValueError::Probe`] if no table has its distance, [`ValueError::Analyse`] if it is not
    /// part of the solution.
    pub fn distance(&self, position: &AnyPosition) -> Result<Dtw, ValueError> {
        match self {
            Values::Solution(solution) => Ok(solution.require(position)?),
            Values::Tables(tables) => Ok(tables.probe_distance(position)?),
        }
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

impl ProbeLayer<AnyGame> for Values {
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

impl Probe<AnyGame> for Values {
    type Error = ValueError;

    fn value(&self, position: &AnyPosition) -> Result<Value, ValueError> {
        match self {
            Values::Solution(solution) => Ok(solution.require(position)?.into()),
            Values::Tables(tables) => Ok(Probe::value(tables, position)?),
        }
    }
}
