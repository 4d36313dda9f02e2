//! Answers about whole games that are small.

use std::sync::Arc;

use anser_analyse::hardest;
use anser_core::Side;
use anser_games::answers::{CensusAnswer, HardestAnswer, LongestAnswer};
use anser_retrograde::{Limits, Solution, WholeCensus};

use crate::answers::{ServedCensus, ServedHardest};
use crate::problem::Problem;
use crate::reply::{Keep, Reply};
use crate::store::{Set, Store};

/// Number of longest wins listed per side.
const LISTED: usize = 3;

/// Counts the positions of a small game by outcome and plies to the win.
pub(crate) fn count(set: &Set, limits: &Limits<'_>) -> Result<Reply, Problem> {
    let game = &set.game;
    let WholeCensus { reachable, all } = WholeCensus::of(game, &game.start(), true, limits)?;
    let all = all.and_then(Result::ok);
    let census = CensusAnswer::new(game, &game.start(), &reachable, all.as_ref());
    Reply::new(&ServedCensus { census, kept: Vec::new() }, Keep::Known)
}

/// Finds the longest wins of a small game.
pub(crate) fn find_longest_wins(
    store: &Store,
    set: &Set,
    all: bool,
    limits: &Limits<'_>,
) -> Result<Reply, Problem> {
    let game = &set.game;
    let solution = if all {
        store.solve(set, set.game.layers(), limits)?
    } else {
        Arc::new(Solution::reachable_within(game, &game.start(), limits)?)
    };
    let mut longest = Vec::new();
    for winner in Side::BOTH {
        if let Some(found) = hardest(&solution, winner, LISTED) {
            longest.push(LongestAnswer::new(game, &found, &*solution)?);
        }
    }
    let position = (!all).then(|| game.format_position(&game.start()));
    let hardest = HardestAnswer::new(game, position, longest, None);
    Reply::new(&ServedHardest { hardest, kept: Vec::new() }, Keep::Known)
}
