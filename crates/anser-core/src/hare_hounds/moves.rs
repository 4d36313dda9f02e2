//! Moves, un-moves, and the end of the game.
//!
//! Generation order: the hounds in ascending order of their points, and from each point the targets
//! in the order of the lists in `board.rs`.

use std::ops::ControlFlow;

use crate::hare_hounds::board::{GOAL, HARE, HOUNDS, POINTS, column};
use crate::hare_hounds::{Move, Position};
use crate::{Outcome, Side};

/// Visits the steps of the side to move, even if the game is over.
fn visit_steps<B>(
    position: Position,
    mut visit: impl FnMut(Move, Position) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let Position { hounds, hare, left, to_move } = position;
    let left = left.map(|plies| plies.saturating_sub(1));
    match to_move {
        Side::First => {
            for &to in HARE[usize::from(hare)] {
                if !hounds.contains(to) {
                    visit(
                        Move { from: hare, to },
                        Position { hounds, hare: to, left, to_move: Side::Second },
                    )?;
                }
            }
        }
        Side::Second => {
            for from in hounds.iter() {
                for &to in HOUNDS[usize::from(from)] {
                    if position.is_free(to) {
                        let hounds = hounds.moved(from, to);
                        visit(
                            Move { from, to },
                            Position { hounds, hare, left, to_move: Side::First },
                        )?;
                    }
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// Whether the hare has won with either side to move.
fn hare_is_safe(position: Position) -> bool {
    position.hare == GOAL || position.left == Some(0)
}

pub(super) fn terminal(position: Position) -> Option<Outcome> {
    if hare_is_safe(position) {
        return Some(Outcome::Win(Side::First));
    }
    let stuck = visit_steps(position, |_, _| ControlFlow::Break(())).is_continue();
    stuck.then(|| Outcome::Win(position.to_move.other()))
}

pub(super) fn visit_moves<B>(
    position: Position,
    visit: impl FnMut(Move, Position) -> ControlFlow<B>,
) -> ControlFlow<B> {
    if hare_is_safe(position) { ControlFlow::Continue(()) } else { visit_steps(position, visit) }
}

pub(super) fn visit_unmoves<B>(
    position: Position,
    mut visit: impl FnMut(Move, Position) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let Position { hounds, hare, left, to_move } = position;
    // Under a budget every move leaves the layer.
    if left.is_some() {
        return ControlFlow::Continue(());
    }
    let points = 1..=POINTS as u8;
    match to_move {
        Side::Second => {
            // On the goal the game was over before the move.
            for from in points.filter(|&from| from != GOAL && position.is_free(from)) {
                if HARE[usize::from(from)].contains(&hare) {
                    visit(
                        Move { from, to: hare },
                        Position { hare: from, to_move: Side::First, ..position },
                    )?;
                }
            }
        }
        Side::First if hare == GOAL => {}
        Side::First => {
            for to in hounds.iter() {
                for from in points
                    .clone()
                    .filter(|&from| column(from) == column(to) && position.is_free(from))
                {
                    if HOUNDS[usize::from(from)].contains(&to) {
                        let hounds = hounds.moved(to, from);
                        visit(
                            Move { from, to },
                            Position { hounds, to_move: Side::Second, ..position },
                        )?;
                    }
                }
            }
        }
    }
    ControlFlow::Continue(())
}
