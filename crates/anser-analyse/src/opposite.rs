//! The opposite position: the first one in breadth-first order from the root that the other side
//! wins.

use std::collections::HashSet;

use anser_core::hunt::{Move, Position};
use anser_core::{Hunt, Next, Probe, Value};

/// A position that the other side wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opposite {
    /// The position.
    pub position: Position,
    /// Its value.
    pub value: Value,
    /// The moves that lead to it from the root.
    pub line: Vec<Move>,
    /// The number of positions searched, the root and this one included.
    pub searched: u64,
}

/// A position that was found: from which earlier one, and by which move.
type Found = (Position, Option<(usize, Move)>);

/// Returns the first position in breadth-first order from `root`, moves in generation order, that a
/// side wins which does not win at the root; `None` if there is none. Endless play that the rules
/// give to a side is won for it.
///
/// ```
/// use anser_analyse::opposite;
/// use anser_core::Hunt;
/// use anser_core::Side;
/// use anser_retrograde::Solution;
///
/// let game = Hunt::fox_hounds(4, "escape")?;
/// let solution = Solution::reachable(&game, &game.start())?;
/// let found = opposite(&game, &game.start(), &solution)?;
/// assert_eq!(found.and_then(|found| found.value.winner()), Some(Side::First));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of `probe`.
pub fn opposite<P: Probe + ?Sized>(
    game: &Hunt,
    root: &Position,
    probe: &P,
) -> Result<Option<Opposite>, P::Error> {
    let at_root = game.winner(probe.value(root)?.outcome);
    // In the order in which they were found.
    let mut found: Vec<Found> = vec![(*root, None)];
    let mut seen = HashSet::from([*root]);
    let mut at = 0;
    while let Some(&(position, _)) = found.get(at) {
        for (mv, next) in game.moves(&position) {
            let Next::Position(next) = next else { continue };
            if !seen.insert(next) {
                continue;
            }
            found.push((next, Some((at, mv))));
            let value = probe.value(&next)?;
            let winner = game.winner(value.outcome);
            if winner.is_some() && winner != at_root {
                let searched = found.len() as u64;
                return Ok(Some(Opposite {
                    position: next,
                    value,
                    line: line_to(&found),
                    searched,
                }));
            }
        }
        at += 1;
    }
    Ok(None)
}

/// Returns the moves to the position found last.
fn line_to(found: &[Found]) -> Vec<Move> {
    let mut line = Vec::new();
    let mut at = found.len() - 1;
    while let Some((from, mv)) = found[at].1 {
        line.push(mv);
        at = from;
    }
    line.reverse();
    line
}
