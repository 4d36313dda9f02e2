//! Whole games from their starts by the solvers that know them: for boards that are too large to hold all positions in memory,
//! and in no time for the others. All other games, and all other positions, go the general way.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use anser_analyse::{Census, Count, Tally};
use anser_core::fox_hounds::FoxHounds;
use anser_core::hasenspiel::Hasenspiel;
use anser_core::hexapawn::Hexapawn;
use anser_core::prelude::*;
use anser_core::{BLOCKED, Side};
use anser_games::AnyGame;
use anser_solve::hexapawn::{HexapawnCensus, HexapawnOptions, HexapawnSolution, HexapawnSolver};
use anser_solve::hounds::{HoundsCensus, HoundsOptions, HoundsReport, HoundsSolver};
use anser_solve::{Event, Observer};
use num_bigint::BigUint;

use crate::asking::{EffortArgs, Watch};
use crate::failure::Failure;

/// The numbers of positions and games from the start, if a solver knows the game.
pub(crate) fn count(game: &AnyGame, effort: &EffortArgs, watch: &Watch) -> Result<Option<Count>, Failure> {
    let hunt = HoundsOptions { all: false, games: true, memory: Some(effort.memory()) };
    if let Some(HoundsReport { start, reachable, games, .. }) = hunt_report(game, hunt, watch)? {
        return Ok(Some(counted(start, reachable.positions(), games)));
    }
    let solution = hexapawn(game, true, effort, watch)?;
    Ok(solution.map(|solution| counted(solution.start(), solution.reachable(), solution.games().cloned())))
}

/// The positions that play from the start can reach.
pub(crate) struct Reachable {
    pub(crate) census: Census,
    /// All positions, if asked for and counted on the way.
    pub(crate) all: Option<Census>,
}

/// The census of what the start can reach, if a solver knows the game; and of all positions if that is asked for and comes
/// with it.
pub(crate) fn census(
    game: &AnyGame,
    all: bool,
    effort: &EffortArgs,
    watch: &Watch,
) -> Result<Option<Reachable>, Failure> {
    let hunt = HoundsOptions { all, games: false, memory: Some(effort.memory()) };
    if let Some(report) = hunt_report(game, hunt, watch)? {
        let all = report.all.map(|all| hunt_census(game, &all));
        return Ok(Some(Reachable { census: hunt_census(game, &report.reachable), all }));
    }
    let solution = hexapawn(game, false, effort, watch)?;
    Ok(solution.map(|solution| Reachable { census: hexapawn_census(game, solution.census()), all: None }))
}

fn counted(value: anser_core::Dtw, reachable: u64, games: Option<[BigUint; 2]>) -> Count {
    Count { reachable, value, tally: Tally { won: games.unwrap_or_default(), drawn: BigUint::ZERO } }
}

/// What there is to say of the game if it is a hunt of a pack that only goes forward.
fn hunt_report(game: &AnyGame, options: HoundsOptions, watch: &Watch) -> Result<Option<HoundsReport>, Failure> {
    let solver = match (game.downcast_ref::<FoxHounds>(), game.downcast_ref::<Hasenspiel>()) {
        (Some(game), _) => HoundsSolver::from(game),
        (_, Some(game)) => HoundsSolver::from(game),
        _ => return Ok(None),
    };
    Ok(Some(solver.analyse(options, &Told::new(watch))?))
}

fn hunt_census(game: &AnyGame, counted: &HoundsCensus) -> Census {
    let goal = if game.downcast_ref::<FoxHounds>().is_some() { "escaped" } else { "home" };
    let ends = Side::BOTH.into_iter().flat_map(|side| {
        let (blocked, won) = (counted.no_move[side.index()], counted.goal[side.index()]);
        [(side, BLOCKED, side.other(), blocked), (side, goal, Side::First, won)]
    });
    Census::of_counts(Side::BOTH.map(|side| game.side_name(side)), &counted.plies, ends)
}

/// The solution of the game if it is Hexapawn.
fn hexapawn(
    game: &AnyGame,
    games: bool,
    effort: &EffortArgs,
    watch: &Watch,
) -> Result<Option<HexapawnSolution>, Failure> {
    let Some(game) = game.downcast_ref::<Hexapawn>() else { return Ok(None) };
    let options = HexapawnOptions { games, keep: false, memory: Some(effort.memory()) };
    Ok(Some(HexapawnSolver::new(game).solve(&options, &Told::new(watch))?))
}

/// At the end of a game the side to move has always lost.
fn hexapawn_census(game: &AnyGame, counted: &HexapawnCensus) -> Census {
    let HexapawnCensus { plies, through, no_pawns, no_move } = counted;
    let ends = Side::BOTH.into_iter().flat_map(|side| {
        [("far row", through), ("no pawns", no_pawns), (BLOCKED, no_move)]
            .map(|(kind, counts)| (side, kind, side.other(), counts[side.index()]))
    });
    Census::of_counts(Side::BOTH.map(|side| game.side_name(side)), plies, ends)
}

/// Tells a watch of a solver's work.
pub(crate) struct Told<'a> {
    watch: &'a Watch,
    done: AtomicU64,
    /// What is being done, and of how many units it is.
    work: Mutex<(String, u64)>,
}

impl<'a> Told<'a> {
    pub(crate) fn new(watch: &'a Watch) -> Told<'a> {
        Told { watch, done: AtomicU64::new(0), work: Mutex::new((String::new(), 1)) }
    }
}

impl Observer for Told<'_> {
    fn event(&self, event: &Event) {
        if let Event::Work { what, units } = event {
            self.done.store(0, Relaxed);
            *self.work.lock().unwrap_or_else(PoisonError::into_inner) = (what.clone(), *units);
        }
    }

    fn advance(&self, units: u64) {
        let done = self.done.fetch_add(units, Relaxed) + units;
        let (what, all) = self.work.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.watch.show("solving", done.min(all), all, what);
    }

    fn interrupted(&self) -> bool {
        self.watch.is_stopped()
    }
}
