//! `FoxBox`es: positions of Fox-and-Hounds in which the hounds contain the fox, and how long the
//! fox can avoid them.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::fox_hounds::{FoxHounds, Position, Square};
use crate::game::Side;
use crate::plain::{Graph, Value};

/// B value of a position in which a [`FoxBox`](is_box) cannot be forced.
pub const NEVER: u32 = u32::MAX;

/// Returns the squares that the fox could reach if the hounds did not move, including its own.
pub fn region(game: &FoxHounds, position: &Position) -> BTreeSet<Square> {
    let (mut found, mut open) = (BTreeSet::new(), vec![position.fox]);
    while let Some(square) = open.pop() {
        if found.insert(square) {
            open.extend(
                game.neighbors(square).filter(|&next| position.hounds().all(|hound| hound != next)),
            );
        }
    }
    found
}

/// Whether the hounds contain the fox: it cannot leave its square, or every square that it could
/// reach is one that hounds could still reach.
pub fn is_box(game: &FoxHounds, position: &Position) -> bool {
    let region = region(game, position);
    region.len() == 1 || region.is_subset(&game.hounds_could_reach(position))
}

/// Returns the B value of every position: plies for the hounds to force a `FoxBox` that they also
/// win, where the hounds hurry and the fox delays; [`NEVER`] if they cannot.
pub fn b_values(game: &FoxHounds, graph: &Graph<Position>, values: &[Value]) -> Vec<u32> {
    let mut b = vec![NEVER; graph.len()];
    for at in graph.last_first().expect("Fox-and-Hounds ends") {
        if values[at].winner == Some(Side::Second) && is_box(game, &graph.positions[at]) {
            b[at] = 0;
        } else if graph.ended[at].is_none() {
            let after = graph.next(at).map(|next| b[next]);
            let best = if graph.to_move[at] == Side::First { after.max() } else { after.min() };
            b[at] = best.expect("a move").saturating_add(1);
        }
    }
    b
}

/// The largest B that the fox can force in the rest of the game. A larger B is better for the fox,
/// and of equal ones the earlier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct MaxB {
    /// The largest B.
    pub b: u32,
    /// Plies until it is met.
    pub plies: Reverse<u32>,
}

/// Returns the [`MaxB`] of every position, from the B values.
pub fn max_b(graph: &Graph<Position>, b: &[u32]) -> Vec<MaxB> {
    let mut max: Vec<MaxB> = b.iter().map(|&b| MaxB { b, plies: Reverse(0) }).collect();
    for at in graph.last_first().expect("Fox-and-Hounds ends") {
        let after =
            graph.next(at).map(|next| MaxB { plies: Reverse(max[next].plies.0 + 1), ..max[next] });
        let forced = if graph.to_move[at] == Side::First { after.max() } else { after.min() };
        max[at] = max[at].max(forced.unwrap_or(max[at]));
    }
    max
}
