//! Moves and un-moves.
//!
//! Generation order: the lone man steps down-left, down-right, up-left, up-right; the pack in the
//! order of the rules, each man up-left before up-right.

use std::ops::ControlFlow;

use crate::hounds::{Board, HuntRules, Move, PackOrder, Position, Square};
use crate::{Next, Side};

/// Whether the side to move has no step to an empty square.
#[inline]
pub(super) fn blocked(board: &Board, position: &Position) -> bool {
    let &Position { hounds, fox, to_move } = position;
    match to_move {
        Side::First => (board.neighbors(fox) - hounds).is_empty(),
        Side::Second => (board.up(hounds) - hounds - fox.set()).is_empty(),
    }
}

#[inline]
pub(super) fn visit_moves<R: HuntRules, B>(
    rules: R,
    board: &Board,
    position: &Position,
    mut visit: impl FnMut(Move, Next<Position>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    if rules.terminal(board, position).is_some() {
        return ControlFlow::Continue(());
    }
    let &Position { hounds, fox, to_move } = position;
    match to_move {
        Side::First => {
            for to in board.steps(fox).into_iter().flatten() {
                if !hounds.contains(to) {
                    let next = Position { hounds, fox: to, to_move: Side::Second };
                    visit(Move { from: fox, to }, Next::Position(next))?;
                }
            }
        }
        Side::Second => match R::STYLE.pack_order {
            PackOrder::ByColumn => visit_pack(board, position, board.by_column(hounds), visit)?,
            PackOrder::ByNumber => visit_pack(board, position, hounds.iter(), visit)?,
        },
    }
    ControlFlow::Continue(())
}

#[inline]
fn visit_pack<B>(
    board: &Board,
    position: &Position,
    pack: impl Iterator<Item = Square>,
    mut visit: impl FnMut(Move, Next<Position>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let &Position { hounds, fox, .. } = position;
    for from in pack {
        for to in board.up_steps(from).into_iter().flatten() {
            if to != fox && !hounds.contains(to) {
                let hounds = (hounds - from.set()) | to.set();
                visit(
                    Move { from, to },
                    Next::Position(Position { hounds, fox, to_move: Side::First }),
                )?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Only the lone man's moves stay in a layer, so only they have un-moves.
#[inline]
pub(super) fn visit_unmoves<R: HuntRules, B>(
    rules: R,
    board: &Board,
    position: &Position,
    mut visit: impl FnMut(Move, Position) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let &Position { hounds, fox, to_move } = position;
    if to_move == Side::Second {
        for from in (board.neighbors(fox) - hounds).iter() {
            let before = Position { hounds, fox: from, to_move: Side::First };
            if rules.terminal(board, &before).is_none() {
                visit(Move { from, to: fox }, before)?;
            }
        }
    }
    ControlFlow::Continue(())
}
