//! Figures that all games have in common: positions, games, the value of the start, and ends.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use anser_core::hunt::Position;
use anser_core::{Hunt, Outcome, Side, Value};
use anser_retrograde::{AnalyseError, Count, Limits, Solution, census, count};
use serde_json::{Map, Value as Json, json};

use crate::Figure;

/// A game solved from its start.
pub(crate) struct SolvedGame<'a> {
    pub(crate) game: Hunt,
    pub(crate) solution: Solution,
    limits: &'a Limits<'a>,
    count: OnceCell<Count>,
}

impl<'a> SolvedGame<'a> {
    pub(crate) fn new(game: Hunt, limits: &'a Limits<'a>) -> Result<SolvedGame<'a>, AnalyseError> {
        let solution = Solution::reachable_within(&game, &game.start(), limits)?;
        Ok(SolvedGame { game, solution, limits, count: OnceCell::new() })
    }

    /// Returns the number of positions and games from the start; counts them once.
    pub(crate) fn count(&self) -> Result<&Count, AnalyseError> {
        if let Some(count) = self.count.get() {
            return Ok(count);
        }
        let counted = count(&self.solution, self.limits.observer)?;
        Ok(self.count.get_or_init(|| counted))
    }

    /// Computes a figure that every game has; `None` if it is of another kind. `ending` names the
    /// rule that ended the game in a position in which it is over.
    pub(crate) fn figure(
        &self,
        figure: Figure,
        ending: impl Fn(&Position) -> String + Sync,
    ) -> Result<Option<Json>, AnalyseError> {
        Ok(Some(match figure {
            Figure::Reachable => json!(self.solution.len()),
            Figure::Value => value(&self.game, self.solution.require(&self.game.start())?),
            Figure::Games | Figure::GamesWon => {
                return Ok(counted(&self.game, self.count()?, figure));
            }
            Figure::WonPositions => {
                let census = census(&self.solution);
                by_side(&self.game, |side| json!(census.outcome(Outcome::Win(side))))
            }
            Figure::Ends => ends(&self.solution, ending),
            _ => return Ok(None),
        }))
    }
}

/// Returns a figure that counting games yields; `None` if it is of another kind.
pub(crate) fn counted(game: &Hunt, count: &Count, figure: Figure) -> Option<Json> {
    Some(match figure {
        Figure::Reachable => json!(count.reachable),
        Figure::Value => value(game, count.value),
        Figure::Games => json!(count.tally.games().to_string()),
        Figure::GamesWon => by_side(game, |side| json!(count.tally.won(side).to_string())),
        _ => return None,
    })
}

/// JSON object with a member per side, under the name of the side.
pub(crate) fn by_side(game: &Hunt, of: impl Fn(Side) -> Json) -> Json {
    Json::Object(
        Side::BOTH.into_iter().map(|side| (game.side_name(side).to_owned(), of(side))).collect(),
    )
}

/// JSON form of a value: the outcome, and its distance in plies unless it is a draw.
pub(crate) fn value(game: &Hunt, value: impl Into<Value>) -> Json {
    let value = value.into();
    json!({"outcome": value.winner().map_or("draw", |side| game.side_name(side)), "dtw": value.plies})
}

/// Positions in which the game is over, by the letter of the side to move and the rule that ended
/// it.
fn ends(solution: &Solution, ending: impl Fn(&Position) -> String + Sync) -> Json {
    let game = solution.game();
    let add = |mut found: BTreeMap<(Side, String), u64>, position: &Position, _| {
        if game.terminal(position).is_some() {
            *found.entry((position.to_move(), ending(position))).or_default() += 1;
        }
        found
    };
    let join = |mut a: BTreeMap<_, u64>, b: BTreeMap<_, u64>| {
        for (kind, count) in b {
            *a.entry(kind).or_default() += count;
        }
        a
    };
    let ends = solution.fold(BTreeMap::new, add, join).into_iter();
    let named = ends.map(|((side, ending), count)| {
        let letter = game.description().side(side).turn;
        (format!("{letter}: {ending}"), json!(count))
    });
    Json::Object(named.collect::<Map<_, _>>())
}

/// Rounds a number to `decimals` decimals.
pub(crate) fn rounded(number: f64, decimals: i32) -> f64 {
    let scale = 10_f64.powi(decimals);
    (number * scale).round() / scale
}
