//! Program of the Hasenspiel document: its ranking of moves, and its figures with their mistakes.

use std::cmp::Ordering;

use num_bigint::BigUint;

use crate::game::Side;
use crate::hasenspiel::Position;
use crate::plain::{Games, Graph, Value};

/// Returns the number of games from every position that the program counts as won by black: all
/// that end with black to move. White has won nearly all of these: only a rabbit that cannot move
/// loses, and then white is to move.
pub fn games_counted_for_black(graph: &Graph<Position>) -> Vec<BigUint> {
    let mut black: Vec<BigUint> = vec![0u8.into(); graph.len()];
    for at in graph.last_first().expect("Hasenspiel ends") {
        black[at] = match graph.ended[at] {
            Some(_) => u8::from(graph.to_move[at] == Side::Second).into(),
            None => graph.next(at).map(|next| &black[next]).sum(),
        };
    }
    black
}

/// Returns, for every position, whether by the program the side to move can force a win: it can if
/// after one of its moves the opponent cannot. No position in which the game is over counts as
/// forced.
pub fn counted_as_forced(graph: &Graph<Position>) -> Vec<bool> {
    let mut forced = vec![false; graph.len()];
    for at in graph.last_first().expect("Hasenspiel ends") {
        forced[at] = graph.ended[at].is_none() && graph.next(at).any(|next| !forced[next]);
    }
    forced
}

/// Ranks the moves of a position as the document does, best first: by whether the opponent can then
/// force a win, then by the opponent's share of the games, then in the order of the game. Returns
/// positions in that order.
pub fn ranking(
    graph: &Graph<Position>,
    values: &[Value],
    games: &[Games],
    at: usize,
) -> Vec<usize> {
    let opponent = graph.to_move[at].other();
    let share = |a: usize, b: usize| -> Ordering {
        let won =
            |at: usize| if opponent == Side::First { &games[at].first } else { &games[at].second };
        (won(a) * &games[b].total).cmp(&(won(b) * &games[a].total))
    };
    let next: Vec<usize> = graph.next(at).collect();
    let forces = |place: usize| values[next[place]].winner == Some(opponent);
    let mut places: Vec<usize> = (0..next.len()).collect();
    places.sort_by(|&a, &b| forces(a).cmp(&forces(b)).then_with(|| share(next[a], next[b])));
    places
}
