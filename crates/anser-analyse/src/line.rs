//! Best play from a position to the end.

use std::collections::HashMap;

use anser_core::hunt::Position;
use anser_core::{BySide, Hunt, Next, Outcome, Probe, RatedMove, Side, Value};

/// Choice among several best moves.
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
pub struct Line {
    /// The side that plays the first move. The sides alternate.
    pub to_move: Side,
    /// The value of the position that the line starts from.
    pub value: Value,
    /// The moves, each with the value after it.
    pub moves: Vec<RatedMove>,
    /// The end of the line.
    pub end: LineEnd,
}

/// End of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// The game is over.
    Over(Outcome),
    /// The last position is the one after this number of plies again, so play can continue forever:
    /// a draw.
    Repeats(usize),
}

impl Line {
    /// Returns the moves with the sides that play them.
    pub fn played(&self) -> impl Iterator<Item = (Side, &RatedMove)> {
        let sides = [self.to_move, self.to_move.other()];
        sides.into_iter().cycle().zip(&self.moves)
    }
}

/// Returns the line of best play from a position: each side plays its best move, the first or the
/// last of equal ones as `ties` tells.
///
/// ```
/// use anser_analyse::{LineEnd, Tie, best_line};
/// use anser_core::Hunt;
/// use anser_core::{BySide, Outcome, Side};
/// use anser_retrograde::Solution;
///
/// let game = Hunt::fox_hounds(4, "escape")?;
/// let solution = Solution::reachable(&game, &game.start())?;
/// let line = best_line(&game, &game.start(), BySide::new(Tie::First, Tie::First), &solution)?;
/// assert_eq!(line.moves.len(), 8);
/// assert_eq!(line.end, LineEnd::Over(Outcome::Win(Side::Second)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of `probe`.
pub fn best_line<P: Probe + ?Sized>(
    game: &Hunt,
    position: &Position,
    ties: BySide<Tie>,
    probe: &P,
) -> Result<Line, P::Error> {
    let to_move = position.to_move();
    let mut line = Line {
        to_move,
        value: probe.value(position)?,
        moves: Vec::new(),
        end: LineEnd::Repeats(0),
    };
    let mut seen = HashMap::new();
    let mut here = *position;
    loop {
        if let Some(outcome) = game.terminal(&here) {
            line.end = LineEnd::Over(outcome);
            return Ok(line);
        }
        // The distance of a won position decreases with every ply, so only draws repeat positions.
        if let Some(&plies) = seen.get(&here) {
            line.end = LineEnd::Repeats(plies);
            return Ok(line);
        }
        seen.insert(here, line.moves.len());
        let side = here.to_move();
        let Some(best) = pick(probe.rated_moves(game, &here)?, side, ties[side]) else {
            // Neither terminal nor a legal move: the rules contradict themselves.
            return Ok(line);
        };
        let next = best.next;
        line.moves.push(best);
        match next {
            Next::Position(next) => here = next,
            Next::End(end) => {
                line.end = LineEnd::Over(end.outcome);
                return Ok(line);
            }
        }
    }
}

/// Returns the best move for a side.
fn pick(moves: Vec<RatedMove>, side: Side, tie: Tie) -> Option<RatedMove> {
    let best = moves.iter().map(|rated| rated.score(side)).max();
    let mut equals = moves.into_iter().filter(|rated| Some(rated.score(side)) == best);
    match tie {
        Tie::First => equals.next(),
        Tie::Last => equals.next_back(),
    }
}
