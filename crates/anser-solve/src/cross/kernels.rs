//! The inner loops: unions and intersections of rows.

use super::moves::{FoxStep, GooseMoves};
use super::sets::{ARM, SETS};
use super::shape::{Block, Shape};

/// The most rows that the moves of one row can lead to.
const MOST_SOURCES: usize = 64;

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

/// Adds to every row of `rows`, a block in the orientation of the moves, the rows of `field` that the moves lead to.
#[inline(always)]
pub(super) fn unite_moves(shape: &Shape, moves: &GooseMoves, field: &[u64], block: &Block, rows: &mut [u64]) {
    with_width!(block.width(), unite_moves_of(shape, moves, field, block, rows));
}

/// A crossing move as far as a block fixes it.
#[derive(Clone, Copy)]
struct Candidate {
    /// The bit of the arm set it changes,
    bit: u16,
    /// and that bit again if it has to be clear before.
    clear: u16,
    /// Where the block begins that it leads to.
    start: u32,
}

#[inline(always)]
fn unite_moves_of<const W: usize>(shape: &Shape, moves: &GooseMoves, field: &[u64], block: &Block, rows: &mut [u64]) {
    let mut ring_starts = [0u32; 32];
    let mut rings = 0;
    for &(from, to) in &moves.ring {
        if block.ring & from != 0 && block.ring & to == 0 {
            let start = shape.start(block.ring ^ from ^ to, block.row_points);
            ring_starts[rings] = start.expect("a move within the ring keeps all numbers of points") as u32;
            rings += 1;
        }
    }
    let mut candidates = [Candidate { bit: 0, clear: 0, start: 0 }; 32];
    let mut count = 0;
    for crossing in &moves.crossing {
        if (block.ring & crossing.ring == 0) != crossing.inward {
            continue;
        }
        let points = if crossing.inward { block.row_points.checked_sub(1) } else { Some(block.row_points + 1) };
        // Where there is no such block there is no such row in this one.
        if let Some(start) = points.and_then(|points| shape.start(block.ring ^ crossing.ring, points)) {
            let clear = if crossing.inward { 0 } else { crossing.arm };
            candidates[count] = Candidate { bit: crossing.arm, clear, start: start as u32 };
            count += 1;
        }
    }
    let (ring_starts, candidates) = (&ring_starts[..rings], &candidates[..count]);
    let own = block.start as u32;
    for (row, (&arm, sum)) in SETS.arm[block.row_points].iter().zip(rows.as_chunks_mut::<W>().0).enumerate() {
        let mut sources = [0u32; MOST_SOURCES];
        let mut n = 0;
        for &rank in moves.targets(arm) {
            sources[n] = own + u32::from(rank) * W as u32;
            n += 1;
        }
        for &start in ring_starts {
            sources[n % MOST_SOURCES] = start + (row * W) as u32;
            n += 1;
        }
        for candidate in candidates {
            let rank = SETS.rank[usize::from((arm ^ candidate.bit) & ((1 << ARM) - 1))];
            sources[n % MOST_SOURCES] = candidate.start + u32::from(rank) * W as u32;
            n += usize::from((arm ^ candidate.clear) & candidate.bit != 0);
        }
        let mut acc = *sum;
        for &source in &sources[..n] {
            let source: &[u64; W] = field[source as usize..].first_chunk().expect("rows lie within the field");
            for (acc, word) in acc.iter_mut().zip(source) {
                *acc |= word;
            }
        }
        *sum = acc;
    }
}

pub(super) use with_width;

/// Keeps of every row of `rows`, a block in the orientation of the step, what is also in the row of `field` that the step
/// leads to; all of it where a goose is in the way.
#[inline(always)]
pub(super) fn intersect_step(shape: &Shape, step: FoxStep, field: &[u64], block: &Block, rows: &mut [u64]) {
    with_width!(block.width(), intersect_step_of(shape, step, field, block, rows));
}

#[inline(always)]
fn intersect_step_of<const W: usize>(shape: &Shape, step: FoxStep, field: &[u64], block: &Block, rows: &mut [u64]) {
    let ring = u32::from(block.ring) << ARM;
    for (&arm, row) in SETS.arm[block.row_points].iter().zip(rows.as_chunks_mut::<W>().0) {
        // Nothing is left of many rows before the last step is looked at.
        let mut acc = *row;
        if acc.iter().fold(0, |any, word| any | word) == 0 {
            continue;
        }
        let Some(key) = step.target(u32::from(arm) | ring) else { continue };
        let arm = key & ((1 << ARM) - 1);
        let start =
            shape.start((key >> ARM) as u8, arm.count_ones() as usize).expect("a step keeps the number of geese");
        let source = start + usize::from(SETS.rank[arm as usize]) * W;
        let source: &[u64; W] = field[source..].first_chunk().expect("rows lie within the field");
        for (acc, word) in acc.iter_mut().zip(source) {
            *acc &= word;
        }
        *row = acc;
    }
}

/// Fills the rows of a block with ones, and with zeros beyond their ends.
#[inline(always)]
pub(super) fn fill_rows(block: &Block, rows: &mut [u64]) {
    let (width, used) = (block.width(), block.bits() % 64);
    let last = if used == 0 { u64::MAX } else { (1 << used) - 1 };
    for row in rows[..block.len()].chunks_exact_mut(width) {
        row.fill(u64::MAX);
        row[width - 1] = last;
    }
}

/// Replaces `old` by `new` and says how many bits changed.
#[inline(always)]
pub(super) fn replace(old: &mut [u64], new: &[u64]) -> u64 {
    let mut changed = 0;
    for (old, &new) in old.iter_mut().zip(new) {
        changed += u64::from((*old ^ new).count_ones());
        *old = new;
    }
    changed
}
