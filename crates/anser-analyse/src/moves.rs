//! What each move is worth.

use std::convert::Infallible;
use std::ops::ControlFlow;

use anser_core::prelude::*;
use anser_core::{Dtw, Next};

/// A move with what it leads to and what that makes it worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rated<P, M> {
    /// The move.
    pub mv: M,
    /// What it leads to.
    pub next: Next<P>,
    /// Its value for the position that it is played from: one ply more than what it leads to.
    pub value: Dtw,
}

/// The moves of a game, rated.
pub type RatedMoves<G> = Vec<Rated<<G as Rules>::Position, <G as Rules>::Move>>;

/// The moves from a position with their values, in generation order; none where the game is over.
///
/// `value` gives the value of the positions that moves lead to: a [`Solution`](crate::Solution) or tables do.
///
/// # Errors
/// Those of `value`.
pub fn rated_moves<G: Game, E>(
    game: &G,
    position: &G::Position,
    mut value: impl FnMut(&G::Position) -> Result<Dtw, E>,
) -> Result<RatedMoves<G>, E> {
    let mut moves = Vec::new();
    let flow = game.visit_moves(position, |mv, next| {
        let worth = match &next {
            Next::End(outcome) => Ok(Dtw::ended(*outcome)),
            Next::Position(next) => value(next),
        };
        match worth {
            Ok(worth) => moves.push(Rated { mv, next, value: worth.before() }),
            Err(error) => return ControlFlow::Break(error),
        }
        ControlFlow::Continue(())
    });
    match flow {
        ControlFlow::Continue(()) => Ok(moves),
        ControlFlow::Break(error) => Err(error),
    }
}

/// The moves from a position with their values, the best for the mover first and equal ones in generation order.
///
/// ```
/// use anser_analyse::{AnalyseError, Solution, best_first};
/// use anser_core::prelude::*;
/// use anser_core::{Dtw, Side, fox_hounds::{FoxHounds, RuleSet}};
///
/// let game = FoxHounds::new(4, RuleSet::Escape)?;
/// let solution = Solution::reachable(&game, &game.start())?;
/// let moves = best_first(&game, &game.start(), |position| solution.require(position))?;
/// assert_eq!(moves[0].value, Dtw::win(Side::Second, 8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of `value`.
pub fn best_first<G: Game, E>(
    game: &G,
    position: &G::Position,
    value: impl FnMut(&G::Position) -> Result<Dtw, E>,
) -> Result<RatedMoves<G>, E> {
    let side = game.side_to_move(position);
    let mut moves = rated_moves(game, position, value)?;
    moves.sort_by_key(|rated| std::cmp::Reverse(rated.value.score(side)));
    Ok(moves)
}

/// The moves from a position and what they lead to, in generation order.
pub(crate) fn plain_moves<G: Game>(game: &G, position: &G::Position) -> Vec<(G::Move, Next<G::Position>)> {
    let mut moves = Vec::new();
    let _: ControlFlow<Infallible> = game.visit_moves(position, |mv, next| {
        moves.push((mv, next));
        ControlFlow::Continue(())
    });
    moves
}
