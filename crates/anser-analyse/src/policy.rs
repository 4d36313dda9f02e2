//! The ranking of moves of the Hasenspiel document, which also distinguishes losing moves.
//!
//! Moves after which the opponent cannot force a win come first. Otherwise, moves are ranked by the
//! share of the games after the move that the opponent wins, ascending. The share counts all games,
//! with every move of both sides.

use anser_core::hunt::{Move, Position};
use anser_core::{Next, Outcome, RatedMove, Value};
use anser_retrograde::{AnalyseError, Games, Tally};

/// A move with its value and the numbers of games that determine its rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedMove {
    /// The move, with the value after it.
    pub rated: RatedMove,
    /// Whether the opponent can force a win after the move.
    pub opponent_forces: bool,
    /// Numbers of games after the move, by outcome.
    pub tally: Tally,
}

/// Returns the moves from a position in ranked order, the best first. Equal moves keep the
/// generation order.
///
/// ```
/// use anser_analyse::ranked_moves;
/// use anser_core::Hunt;
/// use anser_core::{Side, Unobserved};
/// use anser_retrograde::{Games, Solution};
///
/// let game = Hunt::fox_hounds(4, "escape")?;
/// let solution = Solution::reachable(&game, &game.start())?;
/// let games = Games::new(&solution, &Unobserved)?;
/// let moves = ranked_moves(&games, &game.start())?;
/// // Every move of the fox loses; the best leaves the hounds the smallest share of the games.
/// assert!(moves.iter().all(|ranked| ranked.opponent_forces));
/// assert!(moves.is_sorted_by_key(|ranked| ranked.tally.share(Side::Second)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`AnalyseError::Unknown`] if the games of the position were not counted.
pub fn ranked_moves(
    games: &Games<'_>,
    position: &Position,
) -> Result<Vec<RankedMove>, AnalyseError> {
    let solution = games.solution();
    let game = solution.game();
    solution.require(position)?;
    let opponent = position.to_move().other();
    let mut ranked = Vec::new();
    for (mv, next) in game.moves(position) {
        let (value, tally) = match &next {
            Next::End(end) => (Value::ended(end.outcome), Tally::of(end.outcome)),
            Next::Position(next) => {
                let value = solution.require(next)?;
                let unknown = || AnalyseError::unknown(game, next);
                (value.into(), games.tally(next).ok_or_else(unknown)?)
            }
        };
        let opponent_forces = value.outcome == Outcome::Win(opponent);
        ranked.push(RankedMove {
            rated: RatedMove { mv, next, value: Some(value) },
            opponent_forces,
            tally,
        });
    }
    ranked.sort_by(|a, b| {
        let by_share = || a.tally.cmp_share(&b.tally, opponent);
        a.opponent_forces.cmp(&b.opponent_forces).then_with(by_share)
    });
    Ok(ranked)
}

/// Returns the first `plies` moves from a position if both sides play the move ranked first, or
/// fewer if the game ends earlier.
///
/// # Errors
/// [`AnalyseError::Unknown`] if the games of a position were not counted.
pub fn ranked_line(
    games: &Games<'_>,
    position: &Position,
    plies: usize,
) -> Result<Vec<Move>, AnalyseError> {
    let (mut here, mut line) = (*position, Vec::new());
    while line.len() < plies {
        let Some(best) = ranked_moves(games, &here)?.into_iter().next() else { break };
        line.push(best.rated.mv);
        let Next::Position(next) = best.rated.next else { break };
        here = next;
    }
    Ok(line)
}
