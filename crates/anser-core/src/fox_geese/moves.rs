//! Moves and un-moves under every rule set.
//!
//! Generation order: for the fox captures first, in the order of the directions, then steps; for
//! the geese by the number of the goose's point. Steps go by the number of the target point.

use std::ops::ControlFlow;

use crate::fox_geese::{Base, Board, Move, Point, PointSet, Position, RuleSet};
use crate::{End, Next, Outcome, Reason, Side};

/// Least number of geese that can trap the fox. With fewer, the fox has won.
pub const FEWEST_GEESE: usize = 4;

/// Why a capture ends the game: under `first-capture`, or with fewer than [`FEWEST_GEESE`] left.
pub(super) const REASONS: [&str; 2] = ["first capture", "fewer than four geese"];

type After = Next<Position>;

/// Whether the fox on `fox` can capture.
pub(super) fn can_capture(board: &Board, fox: Point, geese: PointSet) -> bool {
    board.jumps(fox).iter().any(|jump| geese.contains(jump.over) && !geese.contains(jump.to))
}

/// Whether the side to move has a step or a capture. Too few geese have lost even so.
pub(super) fn can_move(board: &Board, position: &Position) -> bool {
    let empty = position.empty();
    match position.to_move {
        Side::First => {
            !(board.neighbors(position.fox) & empty).is_empty()
                || can_capture(board, position.fox, position.geese)
        }
        Side::Second => {
            position.geese.iter().any(|goose| !(board.goose_targets(goose) & empty).is_empty())
        }
    }
}

pub(super) fn visit_moves<B>(
    rules: RuleSet,
    board: &Board,
    position: &Position,
    mut visit: impl FnMut(Move, After) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let &Position { fox, geese, to_move } = position;
    if geese.len() < FEWEST_GEESE {
        return ControlFlow::Continue(());
    }
    let empty = position.empty();
    match to_move {
        Side::First => {
            visit_captures(rules, board, fox, geese, Move::chain(fox), &mut visit)?;
            if rules.compulsory && can_capture(board, fox, geese) {
                return ControlFlow::Continue(());
            }
            for to in (board.neighbors(fox) & empty).iter() {
                visit(
                    Move::step(fox, to),
                    Next::Position(Position { fox: to, geese, to_move: Side::Second }),
                )?;
            }
        }
        Side::Second => {
            for from in geese.iter() {
                for to in (board.goose_targets(from) & empty).iter() {
                    let geese = (geese - from.set()) | to.set();
                    visit(
                        Move::step(from, to),
                        Next::Position(Position { fox, geese, to_move: Side::First }),
                    )?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// Visits the captures of the fox on `fox`, which has already jumped along `so_far`.
fn visit_captures<B>(
    rules: RuleSet,
    board: &Board,
    fox: Point,
    geese: PointSet,
    so_far: Move,
    visit: &mut impl FnMut(Move, After) -> ControlFlow<B>,
) -> ControlFlow<B> {
    for jump in board.jumps(fox) {
        if !geese.contains(jump.over) || geese.contains(jump.to) {
            continue;
        }
        let mv = so_far.jump(jump.to);
        let left = geese - jump.over.set();
        let position = Position { fox: jump.to, geese: left, to_move: Side::Second };
        let reason = match (rules.base, left.len() < FEWEST_GEESE) {
            (Base::FirstCapture, _) => Some(Reason::new(0)),
            (_, true) => Some(Reason::new(1)),
            (_, false) => None,
        };
        if let Some(reason) = reason {
            visit(mv, Next::End(End { position, outcome: Outcome::Win(Side::First), reason }))?;
            continue;
        }
        let goes_on = rules.chain && can_capture(board, jump.to, left);
        if !(goes_on && rules.compulsory) {
            visit(mv, Next::Position(position))?;
        }
        if goes_on {
            visit_captures(rules, board, jump.to, left, mv, visit)?;
        }
    }
    ControlFlow::Continue(())
}

/// Returns the positions after each jump of a capture but the last.
pub(super) fn inner_positions(board: &Board, position: &Position, mv: &Move) -> Vec<Position> {
    let mut after = *position;
    let inner = mv.path().len().saturating_sub(2);
    let jumps = mv.path().iter().skip(1).take(inner).map_while(|&to| {
        let jump = board.jumps(after.fox).iter().find(|jump| jump.to == to)?;
        after = Position { fox: to, geese: after.geese - jump.over.set(), ..after };
        Some(after)
    });
    jumps.collect()
}

pub(super) fn visit_unmoves<B>(
    rules: RuleSet,
    board: &Board,
    position: &Position,
    mut visit: impl FnMut(Move, Position) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let &Position { fox, geese, to_move } = position;
    // With fewer geese the game was over before the move.
    if geese.len() < FEWEST_GEESE {
        return ControlFlow::Continue(());
    }
    let empty = position.empty();
    match to_move {
        Side::Second => {
            for from in (board.neighbors(fox) & empty).iter() {
                if rules.compulsory && can_capture(board, from, geese) {
                    continue;
                }
                visit(Move::step(from, fox), Position { fox: from, geese, to_move: Side::First })?;
            }
        }
        Side::First => {
            for to in geese.iter() {
                for from in (board.goose_sources(to) & empty).iter() {
                    let geese = (geese - to.set()) | from.set();
                    visit(Move::step(from, to), Position { fox, geese, to_move: Side::Second })?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}
