//! The figures that every game has: positions, games, the value of the start, how games end.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use anser_core::{Dtw, Game, Outcome, Side};
use serde_json::{Map, Value as Json, json};

use anser_analyse::{AnalyseError, Count, Limits, Solution, census, count};

/// A game solved from its start.
pub(super) struct Played<'a, G: Game> {
    pub(super) game: G,
    pub(super) solution: Solution<G>,
    limits: &'a Limits<'a>,
    count: OnceCell<Count>,
}

impl<'a, G: Game> Played<'a, G> {
    pub(super) fn new(game: G, limits: &'a Limits<'a>) -> Result<Played<'a, G>, AnalyseError> {
        let solution = Solution::reachable_within(&game, &game.start(), limits)?;
        Ok(Played { game, solution, limits, count: OnceCell::new() })
    }

    /// The number of games from the start.
    pub(super) fn count(&self) -> Result<&Count, AnalyseError> {
        if let Some(count) = self.count.get() {
            return Ok(count);
        }
        let counted = count(&self.solution, self.limits.observer)?;
        Ok(self.count.get_or_init(|| counted))
    }

    /// A figure that every game has; none if it is another. `ending` names how the game has ended in a position in which it
    /// is over.
    pub(super) fn figure(
        &self,
        figure: &str,
        ending: impl Fn(&G::Position) -> &'static str + Sync,
    ) -> Result<Option<Json>, AnalyseError> {
        Ok(Some(match figure {
            "reachable" => json!(self.solution.len()),
            "value" => value(&self.game, self.solution.require(&self.game.start())?),
            "games" | "games_won" => return Ok(counted(&self.game, self.count()?, figure)),
            "won_positions" => {
                let census = census(&self.solution);
                by_side(&self.game, |side| json!(census.outcome(Outcome::Win(side))))
            }
            "ends" => ends(&self.solution, ending),
            _ => return Ok(None),
        }))
    }
}

/// A figure that counting comes to.
pub(super) fn counted<G: Game>(game: &G, count: &Count, figure: &str) -> Option<Json> {
    Some(match figure {
        "reachable" => json!(count.reachable),
        "value" => value(game, count.value),
        "games" => json!(count.tally.games().to_string()),
        "games_won" => by_side(game, |side| json!(count.tally.won(side).to_string())),
        _ => return None,
    })
}

/// Something for each side, by its name.
pub(super) fn by_side<G: Game>(game: &G, of: impl Fn(Side) -> Json) -> Json {
    Json::Object(Side::BOTH.into_iter().map(|side| (game.side_name(side).to_owned(), of(side))).collect())
}

/// A value: the winner's name and the plies, neither in a draw.
pub(super) fn value<G: Game>(game: &G, value: Dtw) -> Json {
    json!({"winner": value.winner().map(|side| game.side_name(side)), "plies": value.plies()})
}

/// The positions in which the game is over, by the letter of the side to move and how it has ended.
fn ends<G: Game>(solution: &Solution<G>, ending: impl Fn(&G::Position) -> &'static str + Sync) -> Json {
    let game = solution.game();
    let add = |mut found: BTreeMap<(Side, &'static str), (G::Position, u64)>, position: &G::Position, _| {
        if game.terminal(position).is_some() {
            found.entry((game.side_to_move(position), ending(position))).or_insert((*position, 0)).1 += 1;
        }
        found
    };
    let join = |mut a: BTreeMap<_, _>, b: BTreeMap<_, (G::Position, u64)>| {
        for (kind, (position, count)) in b {
            a.entry(kind).or_insert((position, 0)).1 += count;
        }
        a
    };
    let named = solution.fold(BTreeMap::new, add, join).into_iter().map(|((_, ending), (position, count))| {
        let text = game.format_position(&position);
        let letter = text.split(' ').nth(1).unwrap_or_default();
        (format!("{letter}: {ending}"), json!(count))
    });
    Json::Object(named.collect::<Map<_, _>>())
}

/// A number to so many decimals.
pub(super) fn rounded(number: f64, decimals: i32) -> f64 {
    let scale = 10_f64.powi(decimals);
    (number * scale).round() / scale
}
