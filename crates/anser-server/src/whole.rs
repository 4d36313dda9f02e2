//! Answers about whole games that are solved on the spot, or have tables of distances.

use std::sync::Arc;

use anser_analyse::{Hardest, census_of_layer, hardest, hardest_of_layer};
use anser_core::{BySide, Observer, Side};
use anser_games::Values;
use anser_games::answers::{
    CensusAnswer, HardestAnswer, LayerCensus, LayerHardest, LongestAnswer, Map,
};
use anser_retrograde::{Limits, Solution, WholeCensus};

use crate::answers::{ServedCensus, ServedHardest};
use crate::problem::Problem;
use crate::reply::{Keep, Reply};
use crate::store::{Set, Store, WholeSource, set_text};

/// Number of longest wins listed per side.
const LISTED: usize = 3;

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
    // Higher layers come first.
    let mut by_winner: BySide<Option<Hardest>> = BySide::default();
    for layer in game.layers().rev() {
        let found = hardest_of_layer(game, &values, layer, LISTED, observer)?;
        let mut to_move = BySide::from_fn(|_| Vec::new());
        for side in Side::BOTH {
            for winner in Side::BOTH {
                let Some(found) = &found[side][winner] else { continue };
                to_move[side].push(LongestAnswer::new(game, found, &values)?);
                by_winner[winner] = Some(match by_winner[winner].take() {
                    Some(longest) => longest.join(found.clone(), LISTED),
                    None => found.clone(),
                });
            }
        }
        let to_move = Map::by_side(game, |side| std::mem::take(&mut to_move[side]));
        layers.push(LayerHardest { layer, to_move });
    }
    layers.reverse();
    let mut longest = Vec::new();
    for (_, found) in by_winner {
        if let Some(found) = found {
            longest.push(LongestAnswer::new(game, &found, &values)?);
        }
    }
    values.check_unchanged()?;
    Ok(HardestAnswer::new(game, None, longest, Some(layers)))
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
    let hardest = HardestAnswer::new(game, position, longest, None);
    Reply::new(&ServedHardest { hardest, kept: Vec::new() }, Keep::Now)
}
