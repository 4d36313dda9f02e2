//! Whole hunts by the solver that knows them: for boards that are too large to hold all positions in memory, and in no time
//! for the others.

use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use anser_analyse::{Census, Count, Tally};
use anser_core::fox_hounds::FoxHounds;
use anser_core::hasenspiel::Hasenspiel;
use anser_core::{BLOCKED, Game, Side};
use anser_solve::hounds::{HoundsCensus, HoundsOptions, HoundsReport, HoundsSolver};
use anser_solve::{Event, Observer};
use num_bigint::BigUint;

use crate::asking::Watch;
use crate::failure::Failure;

/// What there is to say of the game from its start, if it is a hunt.
pub(crate) fn report<G: Game>(
    game: &G,
    options: HoundsOptions,
    watch: &Watch,
) -> Result<Option<HoundsReport>, Failure> {
    let game: &dyn Any = game;
    let solver = match (game.downcast_ref::<FoxHounds>(), game.downcast_ref::<Hasenspiel>()) {
        (Some(game), _) => HoundsSolver::from(game),
        (_, Some(game)) => HoundsSolver::from(game),
        _ => return Ok(None),
    };
    Ok(Some(solver.analyse(options, &Told::new(watch))?))
}

/// The numbers of positions and games of a report.
pub(crate) fn count(report: HoundsReport) -> Count {
    Count {
        reachable: report.reachable.positions(),
        value: report.start,
        tally: Tally { won: report.games.unwrap_or_default(), drawn: BigUint::ZERO },
    }
}

/// A census of a report, in the words of its game.
pub(crate) fn census<G: Game>(game: &G, counted: &HoundsCensus) -> Census {
    let game_any: &dyn Any = game;
    let goal = if game_any.is::<FoxHounds>() { "escaped" } else { "home" };
    let ends = Side::BOTH.into_iter().flat_map(|side| {
        let (blocked, won) = (counted.no_move[side.index()], counted.goal[side.index()]);
        [(side, BLOCKED, side.other(), blocked), (side, goal, Side::First, won)]
    });
    Census::of_counts(Side::BOTH.map(|side| game.side_name(side)), &counted.plies, ends)
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
