//! Finds the longest wins.

use anser_core::{Dtw, Game, Side, orbit_members};

use crate::{Listing, Solution};

/// The positions with the longest win of a side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hardest<P> {
    /// The winner.
    pub winner: Side,
    /// Distance of the win, in plies.
    pub plies: u16,
    /// Counts all positions, and lists one per symmetry class.
    pub positions: Listing<P>,
    /// Number of symmetry classes of these positions.
    pub classes: u64,
}

/// Finds the longest wins of a side among the positions of a solution, and lists up to `limit` of
/// them, one per symmetry class. Returns `None` if the side wins no position.
///
/// If `to_move` is given, only positions with that side to move are considered.
/// [`best_line`](crate::best_line) returns the moves of such a win.
///
/// ```
/// use anser_analyse::{Solution, hardest};
/// use anser_core::prelude::*;
/// use anser_core::{Side, fox_hounds::{FoxHounds, RuleSet}};
///
/// let game = FoxHounds::new(4, RuleSet::Escape)?;
/// let solution = Solution::reachable(&game, &game.start())?;
/// let longest = hardest(&solution, Side::Second, None, 10).expect("the hounds win somewhere");
/// assert_eq!((longest.plies, longest.positions.count, longest.classes), (8, 1, 1));
/// assert_eq!(longest.positions.first[0].0, game.start());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn hardest<G: Game>(
    solution: &Solution<G>,
    winner: Side,
    to_move: Option<Side>,
    limit: usize,
) -> Option<Hardest<G::Position>> {
    let game = solution.game();
    let join = |a: Option<Hardest<G::Position>>, b: Option<Hardest<G::Position>>| match (a, b) {
        (Some(a), Some(b)) if a.plies == b.plies => Some(Hardest {
            positions: a.positions.join(b.positions, limit),
            classes: a.classes + b.classes,
            ..a
        }),
        (Some(a), Some(b)) => Some(if a.plies > b.plies { a } else { b }),
        (a, b) => a.or(b),
    };
    let add = |longest: Option<Hardest<G::Position>>,
               canonical: &G::Position,
               value: Dtw,
               members: u64| {
        let counts = value.winner() == Some(winner)
            && to_move.is_none_or(|side| game.side_to_move(canonical) == side);
        let Some(plies) = value.plies().filter(|_| counts) else { return longest };
        let mut longest = match longest {
            Some(longest) if longest.plies > plies => return Some(longest),
            Some(longest) if longest.plies == plies => longest,
            _ => Hardest { winner, plies, positions: Listing::default(), classes: 0 },
        };
        longest.classes += 1;
        longest.positions.count += members;
        if longest.positions.first.len() < limit {
            // Not every member of a class need be reachable.
            let member =
                orbit_members(game, canonical).into_iter().find(|member| solution.contains(member));
            longest.positions.first.push((member.unwrap_or(*canonical), value));
        }
        Some(longest)
    };
    solution.fold_classes(|| None, add, join)
}
