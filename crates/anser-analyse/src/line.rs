//! Best play from a position to the end.

use std::collections::HashMap;

use anser_core::{Dtw, Game, Next, Outcome, Side};

use crate::{Rated, rated_moves};

/// Which of several best moves is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Tie {
    /// The first in generation order.
    #[default]
    First,
    /// The last in generation order.
    Last,
}

/// A line of best play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<P, M> {
    /// The value of the position that it begins with.
    pub value: Dtw,
    /// Its moves. The value of each is that of the position it leads to.
    pub plies: Vec<Ply<P, M>>,
    /// How it ends.
    pub end: LineEnd,
}

/// A move of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply<P, M> {
    /// Whose move.
    pub side: Side,
    /// The move.
    pub mv: M,
    /// What it leads to.
    pub next: Next<P>,
    /// The value of what it leads to.
    pub value: Dtw,
}

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// The game is over.
    Over(Outcome),
    /// The position after so many plies has come again, and so on for ever: a draw.
    Repeats(usize),
}

/// The line of best play: each side plays a best move, the first or the last of equals as `ties` says by side.
///
/// ```
/// use anser_analyse::{LineEnd, Solution, Tie, best_line};
/// use anser_core::prelude::*;
/// use anser_core::{Outcome, Side, fox_hounds::{FoxHounds, RuleSet}};
///
/// let game = FoxHounds::new(4, RuleSet::Escape)?;
/// let solution = Solution::reachable(&game, &game.start())?;
/// let line = best_line(&game, &game.start(), [Tie::First; 2], |position| solution.require(position))?;
/// assert_eq!(line.plies.len(), 8);
/// assert_eq!(line.end, LineEnd::Over(Outcome::Win(Side::Second)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of `value`.
pub fn best_line<G: Game, E>(
    game: &G,
    position: &G::Position,
    ties: [Tie; 2],
    mut value: impl FnMut(&G::Position) -> Result<Dtw, E>,
) -> Result<Line<G::Position, G::Move>, E> {
    let mut line = Line { value: value(position)?, plies: Vec::new(), end: LineEnd::Repeats(0) };
    let mut seen = HashMap::new();
    let mut here = *position;
    loop {
        if let Some(outcome) = game.terminal(&here) {
            line.end = LineEnd::Over(outcome);
            return Ok(line);
        }
        // A won game gets shorter with every ply, so only draws come round.
        if let Some(&plies) = seen.get(&here) {
            line.end = LineEnd::Repeats(plies);
            return Ok(line);
        }
        seen.insert(here, line.plies.len());
        let side = game.side_to_move(&here);
        let Some(best) = pick(rated_moves(game, &here, &mut value)?, side, ties[side.index()]) else {
            // There is neither an end nor a move: not a game.
            return Ok(line);
        };
        let after = match &best.next {
            Next::End(outcome) => Dtw::ended(*outcome),
            Next::Position(next) => value(next)?,
        };
        line.plies.push(Ply { side, mv: best.mv, next: best.next, value: after });
        match best.next {
            Next::Position(next) => here = next,
            Next::End(outcome) => {
                line.end = LineEnd::Over(outcome);
                return Ok(line);
            }
        }
    }
}

/// The best move for a side.
fn pick<P, M>(moves: Vec<Rated<P, M>>, side: Side, tie: Tie) -> Option<Rated<P, M>> {
    let best = moves.iter().map(|rated| rated.value.score(side)).max()?;
    let mut equals = moves.into_iter().filter(|rated| rated.value.score(side) == best);
    match tie {
        Tie::First => equals.next(),
        Tie::Last => equals.last(),
    }
}
