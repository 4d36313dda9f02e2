//! Whole games, each by the fastest solver that there is for it.

use anser_core::Hunt;
use anser_core::hunt::Position;

use crate::census::{Census, census};
use crate::count::{Count, count};
use crate::error::AnalyseError;
use crate::hexapawn::{HexapawnOptions, HexapawnSolver};
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
        let of_layers = || if all { census_of_layers(game, limits).map(Some) } else { Ok(None) };
        match Whole::of(game, root) {
            Whole::Rows(solver) => {
                let report = solver.analyse(HoundsOptions { all, games: false }, limits)?;
                Ok(WholeCensus { reachable: report.reachable, all: report.all.map(Ok) })
            }
            Whole::Pawns(solver) => {
                let options = HexapawnOptions { games: false, keep: false };
                let reachable = solver.solve(&options, limits)?.census().clone();
                Ok(WholeCensus { reachable, all: of_layers()? })
            }
            Whole::General => {
                let reachable = census(&Solution::reachable_within(game, root, limits)?);
                Ok(WholeCensus { reachable, all: of_layers()? })
            }
        }
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
        match Whole::of(game, root) {
            Whole::Rows(solver) => {
                let options = HoundsOptions { all: false, games: true };
                let HoundsReport { start, reachable, games, .. } =
                    solver.analyse(options, limits)?;
                let tally = games.expect("the games are counted if requested");
                Ok(Count { reachable: reachable.positions(), value: start, tally })
            }
            Whole::Pawns(solver) => {
                let options = HexapawnOptions { games: true, keep: false };
                let solution = solver.solve(&options, limits)?;
                let tally = solution.games().expect("the games are counted if requested").clone();
                Ok(Count { reachable: solution.reachable(), value: solution.start(), tally })
            }
            Whole::General => {
                count(&Solution::reachable_within(game, root, limits)?, limits.observer)
            }
        }
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

/// The solver of a whole game from its start, chosen by what the description says; from other
/// positions games are solved in the general way.
enum Whole {
    Rows(Box<HoundsSolver>),
    Pawns(Box<HexapawnSolver>),
    General,
}

impl Whole {
    fn of(game: &Hunt, root: &Position) -> Whole {
        if *root != game.start() {
            return Whole::General;
        }
        let rows = HoundsSolver::new(game).filter(HoundsSolver::is_usual_start);
        let pawns = || HexapawnSolver::new(game).map(|it| Whole::Pawns(Box::new(it)));
        rows.map(|it| Whole::Rows(Box::new(it))).or_else(pawns).unwrap_or(Whole::General)
    }
}
