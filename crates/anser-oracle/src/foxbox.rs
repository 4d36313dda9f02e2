//! `FoxBox`es: positions of Fox-and-Hounds in which the hounds contain the fox, and how long the fox can keep out of them.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::fox_hounds::{FoxHounds, Position, Square};
use crate::{Graph, Side, Value};

/// Stands for a number of plies when a [`FoxBox`](is_box) cannot be forced.
pub const NEVER: u32 = u32::MAX;

/// The squares that the fox could walk to if the hounds stood still, its own included.
pub fn region(game: &FoxHounds, position: &Position) -> BTreeSet<Square> {
    let (mut found, mut open) = (BTreeSet::new(), vec![position.fox]);
    while let Some(square) = open.pop() {
        if found.insert(square) {
            open.extend(game.neighbours(square).filter(|&next| position.hounds().all(|hound| hound != next)));
        }
    }
    found
}

/// Whether the hounds contain the fox: it is shut in on one square, or every square it could walk to is one that the
/// hounds could still get to.
pub fn is_box(game: &FoxHounds, position: &Position) -> bool {
    let region = region(game, position);
    region.len() == 1 || region.is_subset(&game.hounds_could_reach(position))
}

/// The B value of every position: plies for the hounds to force a `FoxBox` that they also win, the hounds hurrying and the
/// fox delaying; [`NEVER`] if they cannot.
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

/// The largest B that the fox can force over the rest of a game, and in how many plies: the more of it the better for the
/// fox, and of equals the sooner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct MaxB {
    /// The largest B.
    pub b: u32,
    /// After how many plies it is met.
    pub plies: Reverse<u32>,
}

/// The [`MaxB`] of every position, from the B values.
pub fn max_b(graph: &Graph<Position>, b: &[u32]) -> Vec<MaxB> {
    let mut max: Vec<MaxB> = b.iter().map(|&b| MaxB { b, plies: Reverse(0) }).collect();
    for at in graph.last_first().expect("Fox-and-Hounds ends") {
        let after = graph.next(at).map(|next| MaxB { plies: Reverse(max[next].plies.0 + 1), ..max[next] });
        let forced = if graph.to_move[at] == Side::First { after.max() } else { after.min() };
        max[at] = max[at].max(forced.unwrap_or(max[at]));
    }
    max
}
