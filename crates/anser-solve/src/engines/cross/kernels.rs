//! The inner loops: unions and intersections of rows.

use anser_retrograde::parallel;

use super::moves::{FoxStep, GooseMoves};
use super::rows::RowRun;
use super::shape::{Block, Shape};
use crate::SolveError;
use crate::engines::store::{Store, Words};

/// Calls a function with the width of a block's rows as a constant.
macro_rules! with_width {
    ($width:expr, $function:ident ( $($argument:expr),* )) => {
        match $width {
            1 => $function::<1>($($argument),*),
            2 => $function::<2>($($argument),*),
            4 => $function::<4>($($argument),*),
            8 => $function::<8>($($argument),*),
            13 => $function::<13>($($argument),*),
            15 => $function::<15>($($argument),*),
            width => unreachable!("no arm sets make rows of {width} words"),
        }
    };
}

/// Unites every row of `rows`, a block in the orientation of the moves, with the rows of `field`
/// that the moves lead to.
#[inline(always)]
pub(super) fn unite_moves(
    shape: &Shape,
    moves: &GooseMoves,
    field: &[u64],
    block: &Block,
    rows: &mut [u64],
) {
    with_width!(block.width(), unite_moves_of(shape, moves, field, block, rows));
}

#[inline(always)]
fn unite_moves_of<const W: usize>(
    shape: &Shape,
    moves: &GooseMoves,
    field: &[u64],
    block: &Block,
    rows: &mut [u64],
) {
    let rows = rows.as_chunks_mut::<W>().0;
    let whole = [RowRun { row: 0, other: 0, len: rows.len() as u16 }];
    for &(from, to) in &moves.ring {
        if block.ring & from != 0 && block.ring & to == 0 {
            let start = shape.start(block.ring ^ from ^ to, block.row_points);
            let start = start.expect("a move within the ring keeps all numbers of points");
            unite_runs(&whole, &field[start..], rows);
        }
    }
    unite_runs(&moves.within[block.row_points], block.of(field), rows);
    for crossing in &moves.crossing {
        if (block.ring & crossing.ring == 0) != crossing.inward {
            continue;
        }
        let points = if crossing.inward {
            block.row_points.checked_sub(1)
        } else {
            Some(block.row_points + 1)
        };
        // Without such a block this one has no row with the move.
        if let Some(start) =
            points.and_then(|points| shape.start(block.ring ^ crossing.ring, points))
        {
            unite_runs(&crossing.rows[block.row_points], &field[start..], rows);
        }
    }
}

/// Unites rows with the rows of `other` that correspond to them.
#[inline(always)]
fn unite_runs<const W: usize>(runs: &[RowRun], other: &[u64], rows: &mut [[u64; W]]) {
    for_each_pair(runs, other, rows, |word, other| word | other);
}

/// Intersects rows with the rows of `other` that correspond to them.
#[inline(always)]
pub(super) fn intersect_runs<const W: usize>(
    runs: &[RowRun],
    other: &[u64],
    rows: &mut [[u64; W]],
) {
    for_each_pair(runs, other, rows, |word, other| word & other);
}

#[inline(always)]
fn for_each_pair<const W: usize>(
    runs: &[RowRun],
    other: &[u64],
    rows: &mut [[u64; W]],
    combine: impl Fn(u64, u64) -> u64 + Copy,
) {
    let other = other.as_chunks::<W>().0;
    for run in runs {
        let (row, from, len) = (usize::from(run.row), usize::from(run.other), usize::from(run.len));
        for (row, other) in rows[row..row + len].iter_mut().zip(&other[from..from + len]) {
            // A copy, so the compiler knows that the two do not overlap.
            let mut now = *row;
            for (word, other) in now.iter_mut().zip(other) {
                *word = combine(*word, *other);
            }
            *row = now;
        }
    }
}

pub(super) use with_width;

/// Intersects every row of `rows`, a block in the orientation of the step, with the row of `field`
/// that the step leads to. Rows in which a goose blocks the step do not change.
#[inline(always)]
pub(super) fn intersect_step(
    shape: &Shape,
    step: &FoxStep,
    field: &[u64],
    block: &Block,
    rows: &mut [u64],
) {
    with_width!(block.width(), intersect_step_of(shape, step, field, block, rows));
}

#[inline(always)]
fn intersect_step_of<const W: usize>(
    shape: &Shape,
    step: &FoxStep,
    field: &[u64],
    block: &Block,
    rows: &mut [u64],
) {
    let rows = rows.as_chunks_mut::<W>().0;
    intersect_runs(step.same_key(block), block.of(field), rows);
    if let Some((runs, start)) = step.new_key(shape, block) {
        intersect_runs(runs, &field[start..], rows);
    }
}

/// Fills the rows of a block with ones, up to their last bit.
#[inline(always)]
pub(super) fn fill_rows(block: &Block, rows: &mut [u64]) {
    let (width, used) = (block.width(), block.bits() % 64);
    let last = if used == 0 { u64::MAX } else { (1 << used) - 1 };
    for row in rows[..block.len()].chunks_exact_mut(width) {
        row.fill(u64::MAX);
        row[width - 1] = last;
    }
}

/// Returns a field of ones.
pub(super) fn ones(store: Store<'_>, shape: &Shape) -> Result<Words, SolveError> {
    let mut field = store.zeros(shape.words)?;
    let blocks = shape.blocks.iter().zip(shape.split(&mut field));
    parallel::for_each(blocks, &|(block, rows)| fill_rows(block, rows));
    Ok(field)
}

/// Replaces `old` by `new` and returns the number of bits that changed.
#[inline(always)]
pub(super) fn replace(old: &mut [u64], new: &[u64]) -> u64 {
    let mut changed = 0;
    for (old, &new) in old.iter_mut().zip(new) {
        changed += u64::from((*old ^ new).count_ones());
        *old = new;
    }
    changed
}
