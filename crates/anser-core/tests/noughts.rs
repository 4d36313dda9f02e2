//! Noughts and crosses through the same trait as the hunts: its figures are known to everybody.

#[path = "support/noughts.rs"]
mod noughts;

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use anser_core::prelude::*;
use anser_core::{Dtw, Next, Outcome, Side, validate};
use noughts::{Board, Noughts};

fn after(position: Board) -> Vec<Board> {
    let mut list = Vec::new();
    let _ = Noughts.visit_moves(&position, |_, next| {
        let Next::Position(next) = next else { panic!("no move ends the game by itself") };
        list.push(next);
        ControlFlow::<()>::Continue(())
    });
    list
}

/// Breadth first, from the start.
fn reachable() -> HashSet<Board> {
    let mut seen = HashSet::from([Noughts.start()]);
    let mut level = vec![Noughts.start()];
    while !level.is_empty() {
        level = level.into_iter().flat_map(after).filter(|&next| seen.insert(next)).collect();
    }
    seen
}

#[test]
fn play_reaches_5478_positions_and_these_are_all_that_the_layers_hold() {
    let seen = reachable();
    assert_eq!(seen.len(), 5478);
    let all: HashSet<Board> =
        Noughts.layers().flat_map(Noughts::layer_positions).copied().collect();
    assert_eq!(all, seen);
    let counted: u64 = Noughts
        .layers()
        .flat_map(|layer| Side::BOTH.map(|side| Noughts.positions(layer, side)))
        .sum();
    assert_eq!(counted, 5478);
}

#[test]
fn there_are_255168_games() {
    fn games(position: Board, winners: &mut HashMap<Option<Outcome>, u64>) -> u64 {
        let end = Noughts.terminal(&position);
        if end.is_some() {
            *winners.entry(end).or_default() += 1;
            return 1;
        }
        after(position).into_iter().map(|next| games(next, winners)).sum()
    }
    let mut winners = HashMap::new();
    assert_eq!(games(Noughts.start(), &mut winners), 255_168);
    assert_eq!(winners[&Some(Outcome::Win(Side::First))], 131_184);
    assert_eq!(winners[&Some(Outcome::Win(Side::Second))], 77_904);
    assert_eq!(winners[&Some(Outcome::Draw)], 46_080);
}

#[test]
fn every_layer_holds_together() {
    for layer in Noughts.layers() {
        validate(&Noughts, layer, u64::MAX).unwrap_or_else(|e| panic!("layer {layer}: {e}"));
    }
}

#[test]
fn there_are_765_classes_under_the_symmetries_of_the_square() {
    let classes: u64 = Noughts
        .layers()
        .map(|layer| Noughts.index(layer))
        .map(|i| i.len(Side::First) + i.len(Side::Second))
        .sum();
    assert_eq!(classes, 765);
}

#[test]
fn neither_side_can_force_a_win() {
    fn value(position: Board) -> Dtw {
        if let Some(outcome) = Noughts.terminal(&position) {
            return Dtw::ended(outcome);
        }
        let side = Noughts.side_to_move(&position);
        after(position)
            .into_iter()
            .map(|next| value(next).before())
            .max_by_key(|value| value.score(side))
            .unwrap()
    }
    assert_eq!(value(Noughts.start()), Dtw::DRAW);
    // Noughts answer a cross in the corner on an edge, and lose.
    assert_eq!(value(Noughts.parse_position("xo1/3/3 x").unwrap()), Dtw::win(Side::First, 5));
}
