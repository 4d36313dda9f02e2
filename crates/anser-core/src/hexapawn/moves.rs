//! Moves and the end of the game.
//!
//! Generation order: pawns by their squares, the bottom row first and each row from the left; for
//! each pawn the step, the capture to the left, the capture to the right. No move stays in its
//! layer, so there are no un-moves.

use std::ops::ControlFlow;

use crate::hexapawn::position::far_row;
use crate::hexapawn::{BoardSize, Move, Position, Square};
use crate::{Outcome, Side};

/// Returns the squares that pawns reach by steps, by captures to the left, and by captures to the
/// right.
fn targets(size: BoardSize, side: Side, pawns: u64) -> [u64; 3] {
    let columns = size.columns();
    let board = (1 << size.squares()) - 1;
    let forward =
        |bits: u64| board & if side == Side::First { bits << columns } else { bits >> columns };
    let (left, right) = (size.column(0), size.column(columns - 1));
    [forward(pawns), forward(pawns & !left) >> 1, forward(pawns & !right) << 1]
}

fn can_move(size: BoardSize, position: &Position) -> bool {
    let (pawns, others) = position.mover_and_other();
    let [step, left, right] = targets(size, position.to_move, pawns);
    step & !(pawns | others) != 0 || (left | right) & others != 0
}

/// Returns the outcome if the game is over; then the side to move has lost.
pub(super) fn terminal(size: BoardSize, position: &Position) -> Option<Outcome> {
    let winner = position.to_move.other();
    // A side without pawns has no move either.
    let over = position.of(winner) & far_row(size, winner) != 0 || !can_move(size, position);
    over.then_some(Outcome::Win(winner))
}

pub(super) fn visit_moves<B>(
    size: BoardSize,
    position: &Position,
    mut visit: impl FnMut(Move, Position) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let side = position.to_move;
    let (pawns, others) = position.mover_and_other();
    if others & far_row(size, side.other()) != 0 {
        return ControlFlow::Continue(());
    }
    let empty = !(pawns | others);
    let mut left = pawns;
    while left != 0 {
        let pawn = left & left.wrapping_neg();
        left ^= pawn;
        for (target, allowed) in targets(size, side, pawn).into_iter().zip([empty, others, others])
        {
            if target & allowed == 0 {
                continue;
            }
            let mut next = Position { pawns: position.pawns, to_move: side.other() };
            next.pawns[side.index()] = pawns ^ pawn ^ target;
            next.pawns[side.other().index()] = others & !target;
            let mv = Move {
                from: Square::of(size, pawn.trailing_zeros()),
                to: Square::of(size, target.trailing_zeros()),
            };
            visit(mv, next)?;
        }
    }
    ControlFlow::Continue(())
}
