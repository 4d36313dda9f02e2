//! Answers about whole games that are solved on the spot, or have tables of distances.

use std::sync::Arc;

use anser_analyse::{census_of_layer, hardest, hardest_of_layer};
use anser_core::{Observer, Side};
use anser_games::Values;
use anser_games::answers::{CensusAnswer, HardestAnswer, LayerCensus, LayerHardest, LongestAnswer};
use anser_retrograde::{Limits, Solution, WholeCensus};

use crate::answers::{ServedCensus, ServedHardest};
use crate::problem::Problem;
use crate::reply::{Keep, Reply};
use crate::store::{Set, Store, WholeSource, set_text};

/// Number of longest wins listed per side.
pub(crate) const LISTED: usize = 3;

/// Returns the source of an answer. Tables may have gone since the question.
fn source(set: &Set) -> Result<WholeSource, Problem> {
    set.whole().ok_or_else(|| {
        Problem::missing(format!("tables of {} are no longer there", set_text(&set.game)))
    })
}

/// Counts the positions of a game by outcome and plies to the win.
pub(crate) fn count(set: &Set, limits: &Limits<'_>) -> Result<Reply, Problem> {
    let game = &set.game;
    if source(set)? == WholeSource::Tables {
        let census = census_of_tables(set, limits.observer)?;
        return Reply::new(&ServedCensus { census, kept: Vec::new() }, Keep::Now);
    }
    let WholeCensus { reachable, all } = WholeCensus::of(game, &game.start(), true, limits)?;
    let all = all.and_then(Result::ok);
    let census = CensusAnswer::new(game, &game.start(), &reachable, all.as_ref());
    Reply::new(&ServedCensus { census, kept: Vec::new() }, Keep::Now)
}

/// Counts the positions of all layers from tables of distances.
fn census_of_tables(set: &Set, observer: &dyn Observer) -> Result<CensusAnswer, Problem> {
    let (game, values) = (&set.game, Values::Tables(set.tables.clone()));
    let count = |layer| {
        let census = census_of_layer(game, &values, layer, observer)?;
        Ok(LayerCensus::new(game, layer, &census))
    };
    let layers = game.layers().map(count).collect::<Result<Vec<_>, Problem>>()?;
    values.check_unchanged()?;
    Ok(CensusAnswer::of_layers(game, layers))
}

/// Finds the longest wins of all layers from tables of distances.
fn longest_wins_of_tables(set: &Set, observer: &dyn Observer) -> Result<HardestAnswer, Problem> {
    let (game, values) = (&set.game, Values::Tables(set.tables.clone()));
    let mut layers = Vec::new();
    for layer in game.layers() {
        let mut to_move = Vec::new();
        for (side, found) in hardest_of_layer(game, &values, layer, LISTED, observer)?.iter() {
            let found = found.iter().filter_map(|(_, found)| found.as_ref());
            let wins = found.map(|found| LongestAnswer::new(game, found, &values));
            to_move.push((game.side_name(side), wins.collect::<Result<_, _>>()?));
        }
        layers.push(LayerHardest::new(game, layer, to_move.into_iter().collect()));
    }
    values.check_unchanged()?;
    Ok(HardestAnswer::of_layers(game, layers, LISTED))
}

/// Finds the longest wins of a game; those of tables are always of all positions.
pub(crate) fn find_longest_wins(
    store: &Store,
    set: &Set,
    all: bool,
    limits: &Limits<'_>,
) -> Result<Reply, Problem> {
    let game = &set.game;
    if source(set)? == WholeSource::Tables {
        let hardest = longest_wins_of_tables(set, limits.observer)?;
        return Reply::new(&ServedHardest { hardest, kept: Vec::new() }, Keep::Now);
    }
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
    let hardest = HardestAnswer::new(game, position, longest);
    Reply::new(&ServedHardest { hardest, kept: Vec::new() }, Keep::Now)
}
