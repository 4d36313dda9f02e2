//! A ranking of moves that also tells lost moves apart: the one of the author of the Hasenspiel document.
//!
//! First come the moves after which the opponent can not force a win; among equals the fewer of the games that go on from
//! there the opponent wins, the better. The share is of all games, as if either side played any of them.

use std::cmp::Ordering;

use anser_core::prelude::*;
use anser_core::{Next, Outcome, Side};

use crate::moves::plain_moves;
use crate::{AnalyseError, Games, Tally};

/// A move with what its rank depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranked<P, M> {
    /// The move.
    pub mv: M,
    /// What it leads to.
    pub next: Next<P>,
    /// Whether the opponent of the mover can then force a win.
    pub opponent_forces: bool,
    /// The games that go on from there.
    pub tally: Tally,
}

impl<P, M> Ranked<P, M> {
    /// The share of these games that a side wins, 0 to 1.
    pub fn share(&self, side: Side) -> f64 {
        self.tally.share(side)
    }
}

/// The moves of a game, ranked.
pub type RankedMoves<G> = Vec<Ranked<<G as Rules>::Position, <G as Rules>::Move>>;

/// The moves from a position, the best ranked first and equal ones in generation order.
///
/// ```
/// use anser_analyse::{Games, Solution, ranked_moves};
/// use anser_core::prelude::*;
/// use anser_core::{Side, Unobserved, fox_hounds::{FoxHounds, RuleSet}};
///
/// let game = FoxHounds::new(4, RuleSet::Escape)?;
/// let solution = Solution::reachable(&game, &game.start())?;
/// let games = Games::new(&solution, &Unobserved)?;
/// let moves = ranked_moves(&games, &game.start())?;
/// // Every move of the fox loses; the best leaves the hounds the smallest share of the games.
/// assert!(moves.iter().all(|ranked| ranked.opponent_forces));
/// assert!(moves.is_sorted_by_key(|ranked| ranked.share(Side::Second)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`AnalyseError::Unknown`] if the position is not among those whose games were counted.
pub fn ranked_moves<G: Game>(games: &Games<'_, G>, position: &G::Position) -> Result<RankedMoves<G>, AnalyseError> {
    let solution = games.solution();
    let game = solution.game();
    solution.require(position)?;
    let opponent = game.side_to_move(position).other();
    let mut ranked = Vec::new();
    for (mv, next) in plain_moves(game, position) {
        let (outcome, tally) = match &next {
            Next::End(outcome) => (*outcome, Tally::of(*outcome)),
            Next::Position(next) => {
                let value = solution.require(next)?;
                let unknown = || AnalyseError::Unknown { position: game.format_position(next) };
                (value.outcome(), games.tally(next).ok_or_else(unknown)?)
            }
        };
        ranked.push(Ranked { mv, next, opponent_forces: outcome == Outcome::Win(opponent), tally });
    }
    ranked
        .sort_by(|a, b| a.opponent_forces.cmp(&b.opponent_forces).then_with(|| by_share(&a.tally, &b.tally, opponent)));
    Ok(ranked)
}

/// Returns the first moves from a position when both sides play the move that is ranked first: `plies` of them, or fewer if the
/// game ends earlier.
///
/// # Errors
/// [`AnalyseError::Unknown`] if a position is not among those whose games were counted.
pub fn ranked_line<G: Game>(
    games: &Games<'_, G>,
    position: &G::Position,
    plies: usize,
) -> Result<Vec<G::Move>, AnalyseError> {
    let (mut here, mut line) = (*position, Vec::new());
    while line.len() < plies {
        let Some(best) = ranked_moves(games, &here)?.into_iter().next() else { break };
        line.push(best.mv);
        let Next::Position(next) = best.next else { break };
        here = next;
    }
    Ok(line)
}

/// Compares the shares of a side exactly.
fn by_share(a: &Tally, b: &Tally, side: Side) -> Ordering {
    (a.won(side) * b.games()).cmp(&(b.won(side) * a.games()))
}
