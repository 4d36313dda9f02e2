//! Numbers of paths, layer by layer downward.

use anser_core::Side;
use num_bigint::BigUint;
use rayon::prelude::*;

use super::lanes::{Ends, MOST_LANES};
use super::paths::{Modulo, Nearly, Numbers, combine, moduli_for};
use super::sets::{Block, MOST_STEPS, Sets};
use super::sweep::Place;

/// The number of games from the start that the lone man wins and that the pack wins, exactly. `None` if `go_on`, which is
/// told how many arrangements are done, says so.
pub(super) fn games(sets: &Sets, start: usize, go_on: impl Fn(u64) -> bool) -> Option<[BigUint; 2]> {
    let nearly = pass_of_any(sets, start, Nearly, &go_on)?;
    let moduli = Modulo::some(moduli_for(nearly[0] + nearly[1]));
    let mut remainders = [const { Vec::new() }; 2];
    for modulo in moduli {
        let sums = pass_of_any(sets, start, modulo, &go_on)?;
        for (remainders, sum) in remainders.iter_mut().zip(sums) {
            remainders.push((modulo, modulo.remainder(sum)));
        }
    }
    Some(remainders.map(|remainders| combine(&remainders)))
}

fn pass_of_any<N: Numbers>(sets: &Sets, start: usize, numbers: N, go_on: impl Fn(u64) -> bool) -> Option<[N::Sum; 2]> {
    match sets.board.lanes() {
        1 => pass::<1, N>(sets, start, numbers, go_on),
        4 => pass::<4, N>(sets, start, numbers, go_on),
        9 => pass::<9, N>(sets, start, numbers, go_on),
        16 => pass::<16, N>(sets, start, numbers, go_on),
        25 => pass::<25, N>(sets, start, numbers, go_on),
        _ => pass::<36, N>(sets, start, numbers, go_on),
    }
}

/// One pass: the paths that end in positions where the lone man has won, and where the pack has.
fn pass<const LANES: usize, N: Numbers>(
    sets: &Sets,
    start: usize,
    numbers: N,
    go_on: impl Fn(u64) -> bool,
) -> Option<[N::Sum; 2]> {
    let most = (0..=sets.most_sum()).map(|sum| sets.len(sum) as usize).max().unwrap_or(0);
    // Paths to positions with the pack to move where play goes on, of the layer above and of this one.
    let mut before = vec![[N::Path::default(); LANES]; most];
    let mut after = before.clone();
    let mut total = [N::Sum::default(); 2];
    for sum in 0..=sets.most_sum() {
        let place = Place { sum, component: 0 };
        let mut rest = &mut after[..];
        let mut parts = Vec::new();
        for block in sets.blocks(sum) {
            let (part, after) = rest.split_at_mut(block.len as usize);
            rest = after;
            parts.push((block, part));
        }
        let start = (sum == 0).then_some(start);
        let sums: Vec<[N::Sum; 2]> = parts
            .into_par_iter()
            .map(|(block, part)| block_paths::<LANES, N>(sets, place, numbers, start, &block, &before, part))
            .collect();
        for sums in sums {
            total.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
        }
        std::mem::swap(&mut before, &mut after);
        if !go_on(sets.len(sum).into()) {
            return None;
        }
    }
    Some(total)
}

fn block_paths<const LANES: usize, N: Numbers>(
    sets: &Sets,
    place: Place,
    numbers: N,
    start: Option<usize>,
    block: &Block,
    before: &[[N::Path; LANES]],
    after: &mut [[N::Path; LANES]],
) -> [N::Sum; 2] {
    let parity = place.parity(Side::First);
    let mut sums = [N::Sum::default(); 2];
    let mut after = after.iter_mut();
    sets.walk::<false>(block, |arrangement| {
        let mut rows = [0; MOST_STEPS];
        let from = sets.neighbours::<false>(arrangement, &mut rows);
        let mut lone = [N::Path::default(); LANES];
        for &row in from {
            for (lone, &paths) in lone.iter_mut().zip(&before[row as usize]) {
                *lone += paths;
            }
        }
        if let Some(start) = start {
            lone[start] += numbers.one();
        }
        let ends = sets.board.ends(&arrangement.pack(), parity);
        let Some(pack) = after.next() else { return };
        *pack = after_fox(sets, parity, numbers, &ends, &lone, &mut sums);
    });
    sums
}

/// The paths on after a move of the lone man; those that end before or right after it are added to `sums`.
#[inline(always)]
fn after_fox<const LANES: usize, N: Numbers>(
    sets: &Sets,
    parity: usize,
    numbers: N,
    ends: &Ends,
    lone: &[N::Path; LANES],
    sums: &mut [N::Sum; 2],
) -> [N::Path; LANES] {
    /// Room for the longest step.
    const MARGIN: usize = 8;
    const ROOM: usize = MOST_LANES + 2 * MARGIN;
    let board = &sets.board;
    let mut add = |winner: Side, paths: &[N::Path; LANES], mut lanes: u64| {
        while lanes != 0 {
            sums[winner.index()] += numbers.widen(paths[lanes.trailing_zeros() as usize]);
            lanes &= lanes - 1;
        }
    };
    add(Side::Second, lone, ends.blocked[0]);
    add(Side::First, lone, ends.goal[0]);

    let going_on = ends.going_on();
    let (mut same, mut beside) = ([N::Path::default(); ROOM], [N::Path::default(); ROOM]);
    let inner = board.inner[parity];
    for lane in 0..LANES {
        if going_on[0] >> lane & 1 != 0 {
            same[MARGIN + lane] = lone[lane];
            if inner >> lane & 1 != 0 {
                beside[MARGIN + lane] = lone[lane];
            }
        }
    }
    let row = if parity == 0 { board.width as isize } else { -(board.width as isize) };
    let aside = -board.aside[parity];
    let window = |from: &[N::Path; ROOM], step: isize| -> [N::Path; LANES] {
        let at = (MARGIN as isize + step) as usize;
        std::array::from_fn(|lane| from[at + lane])
    };
    let mut pack = window(&same, 0);
    for other in [window(&same, row), window(&beside, aside), window(&beside, row + aside)] {
        for (pack, paths) in pack.iter_mut().zip(other) {
            *pack += paths;
        }
    }
    add(Side::First, &pack, ends.blocked[1] | ends.goal[1]);
    for (lane, paths) in pack.iter_mut().enumerate() {
        *paths = if going_on[1] >> lane & 1 != 0 { numbers.reduce(*paths) } else { N::Path::default() };
    }
    pack
}
