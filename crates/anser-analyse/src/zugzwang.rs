//! Zugzwangs: positions in which the side to move would do better to pass; and stalemates.

use anser_core::{BLOCKED, BySide, Dtw, Game, Side};

use crate::{Listing, Solution};

/// The zugzwangs among the positions of a solution.
///
/// In a zugzwang the side to move loses, and would not lose if it could pass; the game is over with
/// neither side to move. An arrangement is examined only if the solution has it with either side to
/// move. In games whose moves keep a parity, this takes a solution of whole layers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zugzwangs<P> {
    /// The side to move loses, with either side to move. Each arrangement is listed once, with the
    /// first side to move.
    pub full: Listing<P>,
    /// By side: it loses if it is to move, and draws if the other side is.
    pub one_sided: BySide<Listing<P>>,
}

/// Finds all zugzwangs, and lists up to `limit` of each kind.
///
/// ```
/// use anser_analyse::{Limits, Solution, zugzwangs};
/// use anser_core::prelude::*;
/// use anser_core::fox_hounds::{FoxHounds, RuleSet};
///
/// let game = FoxHounds::new(4, RuleSet::Strict)?;
/// let all = Solution::of_layers(&game, game.layers(), &Limits::default())?;
/// let found = zugzwangs(&all, 5);
/// // There are no draws, so every zugzwang is a full one.
/// assert!(found.one_sided.iter().all(|(_, listing)| listing.count == 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn zugzwangs<G: Game>(solution: &Solution<G>, limit: usize) -> Zugzwangs<G::Position> {
    let game = solution.game();
    let empty = || Zugzwangs {
        full: Listing::default(),
        one_sided: BySide::from_fn(|_| Listing::default()),
    };
    let add = |mut found: Zugzwangs<G::Position>, position: &G::Position, value: Dtw| {
        let side = game.side_to_move(position);
        if value.winner() != Some(side.other()) || game.terminal(position).is_some() {
            return found;
        }
        let Some(passed) = game.passed(position).filter(|passed| solution.contains(passed)) else {
            return found;
        };
        if game.terminal(&passed).is_some() {
            return found;
        }
        match solution.get(&passed).map(Dtw::winner) {
            Some(Some(winner)) if winner == side && side == Side::First => {
                found.full.add(position, value, limit);
            }
            Some(None) => found.one_sided[side].add(position, value, limit),
            _ => {}
        }
        found
    };
    let join = |a: Zugzwangs<G::Position>, b: Zugzwangs<G::Position>| {
        let ([a0, a1], [b0, b1]) = (a.one_sided.into_array(), b.one_sided.into_array());
        Zugzwangs {
            full: a.full.join(b.full, limit),
            one_sided: BySide::new(a0.join(b0, limit), a1.join(b1, limit)),
        }
    };
    solution.fold(empty, add, join)
}

/// Finds the positions in which `side` is to move and has no move, and lists up to `limit` of them.
///
/// ```
/// use anser_analyse::{Solution, stalemates};
/// use anser_core::prelude::*;
/// use anser_core::{Side, fox_hounds::{FoxHounds, RuleSet}};
///
/// let game = FoxHounds::new(4, RuleSet::Escape)?;
/// let solution = Solution::reachable(&game, &game.start())?;
/// let blocked = stalemates(&solution, Side::First, 100);
/// assert!(blocked.first.iter().all(|(_, value)| value.winner() == Some(Side::Second)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn stalemates<G: Game>(
    solution: &Solution<G>,
    side: Side,
    limit: usize,
) -> Listing<G::Position> {
    let game = solution.game();
    let add = |mut found: Listing<G::Position>, position: &G::Position, value: Dtw| {
        if game.side_to_move(position) == side && game.ending(position) == Some(BLOCKED) {
            found.add(position, value, limit);
        }
        found
    };
    solution.fold(Listing::default, add, |a, b| a.join(b, limit))
}
