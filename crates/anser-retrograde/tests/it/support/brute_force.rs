//! Plain searches over the rules of any game, to compare the crate with. They use the same rules as
//! the crate; independent ones are in `anser-oracle`.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;

use anser_core::hunt::Position;
use anser_core::{Dtw, Hunt, Next, Outcome, Side};
use num_bigint::BigUint;

/// Returns the results of the moves of a position.
pub fn nexts(game: &Hunt, position: &Position) -> Vec<Next> {
    let mut nexts = Vec::new();
    let _ = game.visit_moves(position, |_, next| {
        nexts.push(next);
        ControlFlow::<()>::Continue(())
    });
    nexts
}

/// Returns all positions reachable from a root, in breadth-first order.
pub fn reachable(game: &Hunt, root: Position) -> Vec<Position> {
    let mut seen = std::collections::HashSet::from([root]);
    let mut queue = VecDeque::from([root]);
    let mut order = Vec::new();
    while let Some(position) = queue.pop_front() {
        order.push(position);
        for next in nexts(game, &position) {
            if let Next::Position(next) = next
                && seen.insert(next)
            {
                queue.push_back(next);
            }
        }
    }
    order
}

/// By position of an acyclic game, its value and the numbers of games from it that the first side
/// wins, that the second side wins, and that are drawn.
pub type Known<P> = HashMap<P, (Dtw, [BigUint; 3])>;

/// Adds a position and all positions reachable from it to `known`.
pub fn search(
    game: &Hunt,
    position: &Position,
    known: &mut Known<Position>,
) -> (Dtw, [BigUint; 3]) {
    if let Some(found) = known.get(position) {
        return found.clone();
    }
    let ended = |outcome: Outcome| {
        let mut games = [BigUint::ZERO, BigUint::ZERO, BigUint::ZERO];
        games[match outcome {
            Outcome::Win(side) => side.index(),
            Outcome::Draw => 2,
        }] += 1_u32;
        (Dtw::ended(outcome), games)
    };
    let found = if let Some(outcome) = game.terminal(position) {
        ended(outcome)
    } else {
        let side = position.to_move();
        let mut best: Option<Dtw> = None;
        let mut games = [BigUint::ZERO, BigUint::ZERO, BigUint::ZERO];
        for next in nexts(game, position) {
            let (value, more) = match next {
                Next::End(end) => ended(end.outcome),
                Next::Position(next) => search(game, &next, known),
            };
            for (sum, more) in games.iter_mut().zip(more) {
                *sum += more;
            }
            let value = value.before();
            if best.is_none_or(|best| value.score(side) > best.score(side)) {
                best = Some(value);
            }
        }
        (best.expect("a position that is not over has moves"), games)
    };
    known.insert(*position, found.clone());
    found
}

/// Returns the values of all positions reachable from a root, for any game: decides those won in 0
/// plies, in 1, in 2, and so on; the rest is drawn.
pub fn values(game: &Hunt, root: Position) -> HashMap<Position, Dtw> {
    let positions = reachable(game, root);
    let mut values: HashMap<Position, Dtw> = HashMap::new();
    let mut idle = 0;
    for plies in 0.. {
        let mut decided = Vec::new();
        for position in positions.iter().filter(|position| !values.contains_key(position)) {
            let side = position.to_move();
            let ends = nexts(game, position).into_iter().map(|next| match next {
                // A move that ends the game gives distance 1, so it does not count in round 0.
                Next::End(end) => Some(Dtw::ended(end.outcome)).filter(|_| plies > 0),
                Next::Position(next) => values.get(&next).copied(),
            });
            let ends: Vec<Option<Side>> = ends.map(|value| value.and_then(Dtw::winner)).collect();
            let winner = match game.terminal(position) {
                Some(outcome) => Dtw::ended(outcome).winner(),
                None if ends.contains(&Some(side)) => Some(side),
                None => ends.iter().all(|&end| end == Some(side.other())).then_some(side.other()),
            };
            decided.extend(winner.map(|winner| (*position, Dtw::win(winner, plies))));
        }
        idle = if decided.is_empty() { idle + 1 } else { 0 };
        values.extend(decided);
        if idle == 2 {
            break;
        }
    }
    positions
        .into_iter()
        .map(|position| (position, values.get(&position).copied().unwrap_or(Dtw::DRAW)))
        .collect()
}
