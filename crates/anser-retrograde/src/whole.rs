//! Whole games, each by the fastest solver that there is for it.

use anser_core::Hunt;
use anser_core::hunt::Position;

use crate::census::{Census, census};
use crate::count::{Count, count};
use crate::error::AnalyseError;
use crate::hexapawn::{HexapawnScope, HexapawnSolver};
use crate::hounds::{HoundsOptions, HoundsReport, HoundsSolver};
use crate::limits::Limits;
use crate::solution::Solution;

/// Counts of the positions of a whole game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WholeCensus {
    /// The positions that play from the start can reach.
    pub reachable: Census,
    /// All positions, if requested; an error if they take more memory than allowed.
    pub all: Option<Result<Census, AnalyseError>>,
}

impl WholeCensus {
    /// Counts the positions that play from `root` can reach and, with `all`, all positions of the
    /// game.
    ///
    /// ```
    /// use anser_core::Hunt;
    /// use anser_retrograde::{Limits, WholeCensus};
    ///
    /// let game = Hunt::fox_hounds(4, "escape")?;
    /// let found = WholeCensus::of(&game, &game.start(), false, &Limits::default())?;
    /// assert_eq!(found.reachable.positions(), 83);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`AnalyseError::Memory`] if the reachable positions take more than `limits` allow;
    /// [`AnalyseError::Interrupted`] if the observer interrupts; [`AnalyseError::Lost`] if the
    /// rules contradict themselves.
    pub fn of(
        game: &Hunt,
        root: &Position,
        all: bool,
        limits: &Limits<'_>,
    ) -> Result<WholeCensus, AnalyseError> {
        if let Some(solver) = rows(game, root) {
            let report = solver.analyse(HoundsOptions { all, games: false }, limits)?;
            return Ok(WholeCensus { reachable: report.reachable, all: report.all.map(Ok) });
        }
        let reachable = match pawns(game, root) {
            Some(solver) => solver.solve(HexapawnScope::Positions, limits)?.census,
            None => census(&Solution::reachable_within(game, root, limits)?),
        };
        let all = all.then(|| census_of_layers(game, limits)).transpose()?;
        Ok(WholeCensus { reachable, all })
    }
}

impl Count {
    /// Counts the positions that play from `root` can reach, and the games.
    ///
    /// ```
    /// use anser_core::Hunt;
    /// use anser_retrograde::{Count, Limits};
    ///
    /// let game = Hunt::fox_hounds(4, "escape")?;
    /// let counted = Count::of(&game, &game.start(), &Limits::default())?;
    /// assert_eq!((counted.reachable, counted.tally.games()), (83, 178_u32.into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`WholeCensus::of`], and [`AnalyseError::Endless`] if play can return to a position.
    pub fn of(game: &Hunt, root: &Position, limits: &Limits<'_>) -> Result<Count, AnalyseError> {
        const COUNTED: &str = "the games are counted if requested";
        if let Some(solver) = rows(game, root) {
            let options = HoundsOptions { all: false, games: true };
            let HoundsReport { start, reachable, games, .. } = solver.analyse(options, limits)?;
            let tally = games.expect(COUNTED);
            return Ok(Count { reachable: reachable.positions(), value: start, tally });
        }
        if let Some(solver) = pawns(game, root) {
            let report = solver.solve(HexapawnScope::Games, limits)?;
            let (reachable, tally) = (report.census.positions(), report.games.expect(COUNTED));
            return Ok(Count { reachable, value: report.start, tally });
        }
        count(&Solution::reachable_within(game, root, limits)?, limits.observer)
    }
}

/// Counts all positions of a game. The inner error says that they take more memory than allowed.
fn census_of_layers(
    game: &Hunt,
    limits: &Limits<'_>,
) -> Result<Result<Census, AnalyseError>, AnalyseError> {
    match Solution::of_layers(game, game.layers(), limits) {
        Ok(solution) => Ok(Ok(census(&solution))),
        Err(error @ AnalyseError::Memory { .. }) => Ok(Err(error)),
        Err(error) => Err(error),
    }
}

/// Returns the solver of a game in rows; `None` from another position than its start.
fn rows(game: &Hunt, root: &Position) -> Option<HoundsSolver> {
    let solver = if *root == game.start() { HoundsSolver::new(game) } else { None };
    solver.filter(HoundsSolver::is_usual_start)
}

/// Returns the solver of Hexapawn; `None` from another position than its start.
fn pawns(game: &Hunt, root: &Position) -> Option<HexapawnSolver> {
    if *root == game.start() { HexapawnSolver::new(game) } else { None }
}
