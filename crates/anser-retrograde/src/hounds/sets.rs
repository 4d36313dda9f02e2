//! Enumeration of the arrangements of the pack in the order of the index `hounds`, with the ranks
//! of the arrangements one step away.

use super::lanes::{Board, Lanes, Pack};
use crate::isa::{Isa, Kernel, Level, dispatch};

/// Largest number of men of a pack.
pub(super) const MAX_MEN: usize = 6;

/// Largest number of steps of a pack.
pub(super) const MAX_STEPS: usize = 2 * MAX_MEN;

/// Largest number of arrangements in a block. A block in which only the lowest man is free is not
/// split, so it can be larger.
const MAX_BLOCK: u32 = 2048;

/// Marks an unused entry of `Sets::steps`.
const NO_SQUARE: u8 = u8::MAX;

/// The arrangements of the pack on one board, layer by layer.
///
/// A layer contains all arrangements with the same sum of the men's rows. It is ordered by the
/// number of men on even rows. The arrangements with the same number form a *group*, in
/// colexicographic order. The *row number* of an arrangement is its rank in this order within the
/// layer.
#[derive(Debug)]
pub(super) struct Sets {
    pub(super) board: Board,
    pub(super) men: usize,
    /// Number of subsets of the squares below `s` with `i` members, sum of rows `sum`, and `even`
    /// members on even rows. Stored at `((i * (squares + 1) + s) * sums + sum + 1) * (men + 3) +
    /// even + 1`: a border of zeros covers sums and numbers out of range by one.
    counts: Vec<u32>,
    sums: usize,
    /// By direction (0: down, 1: up) and square, the squares that a man can step to.
    steps: [Vec<[u8; 2]>; 2],
    /// Row of each square.
    row_of: Vec<i32>,
    /// By square, 1 if its row is even, otherwise 0.
    on_even: Vec<i32>,
    /// Each square as a set of lanes.
    lanes: Vec<Lanes>,
}

/// A range of row numbers: the arrangements with the same highest men.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// Row number of the first arrangement.
    pub(super) row: u32,
    /// Number of arrangements.
    pub(super) len: u32,
    /// Sum of the men's rows, which identifies the layer.
    pub(super) sum: usize,
    /// Number of men on even rows, which identifies the group.
    pub(super) even: usize,
    /// Squares of the highest men, from the top; the last `free` entries of the pack are unused.
    fixed: [u8; MAX_MEN],
    /// Number of men that are not fixed.
    free: usize,
}

/// State of a walk at one arrangement. Men are numbered from 1, the lowest. Entry `i` of an array
/// concerns man `i`, the lowest `i` men, or the men above `i`, as each field states.
#[derive(Debug)]
pub(super) struct Arrangement {
    /// Row number of the arrangement.
    pub(super) row: u32,
    /// Square of man `i`.
    pub(super) squares: [u8; MAX_MEN + 1],
    /// Sum of the rows of the lowest `i` men.
    sums: [i32; MAX_MEN + 1],
    /// Number of the lowest `i` men that are on even rows.
    evens: [i32; MAX_MEN + 1],
    /// Contribution of man `i` to the row number.
    contribution: [u32; MAX_MEN + 1],
    /// Contribution of the men above `i` to a row number in the adjacent layer, plus the first row
    /// number of its group, with one man less (0) or one man more (1) on even rows.
    upper: [[u32; 2]; MAX_MEN + 1],
    /// Squares of the men above `i`, and the squares that these men reach.
    lanes: [Lanes; MAX_MEN + 1],
    reach: [Lanes; MAX_MEN + 1],
}

/// Receives the arrangements of a walk.
///
/// Implemented for walks that compute values, count games, or find what play can reach.
pub(super) trait Visitor {
    /// Visits an arrangement. `neighbors` are the row numbers of the arrangements one step away.
    ///
    /// Implementations and the functions that they call in loops are `#[inline(always)]`, because
    /// each instruction set has a compiled copy.
    fn visit(&mut self, arrangement: &Arrangement, neighbors: &[u32]);
}

struct Walk<'a, const UP: bool, V> {
    sets: &'a Sets,
    block: &'a Block,
    visitor: V,
}

impl<const UP: bool, V: Visitor> Kernel for Walk<'_, UP, V> {
    type Output = V;

    #[inline(always)]
    fn run(mut self, _: impl Isa) -> V {
        self.sets.visit::<UP>(self.block, &mut self.visitor);
        self.visitor
    }
}

impl Arrangement {
    /// Returns the arrangement in the form that [`Board::ends`] takes.
    #[inline(always)]
    pub(super) fn pack(&self) -> Pack {
        Pack { men: self.lanes[0], reach: self.reach[0], lowest: self.squares[1].into() }
    }
}

impl Sets {
    /// Computes the tables for packs of `men` men, from 1 to the width of the board.
    pub(super) fn new(board: Board, men: usize) -> Sets {
        let width = board.width;
        let sums = men * (2 * width - 1) + 3;
        let squares = board.squares();
        let step = |square: usize, up: bool| {
            let mut to = [NO_SQUARE; 2];
            to.iter_mut().zip(board.steps(square, up)).for_each(|(to, step)| *to = step as u8);
            to
        };
        let steps = [false, true].map(|up| (0..squares).map(|square| step(square, up)).collect());
        let counts = vec![0; (men + 1) * (squares + 1) * sums * (men + 3)];
        let row_of: Vec<i32> = (0..squares).map(|square| (square / width) as i32).collect();
        let on_even = row_of.iter().map(|row| i32::from(row % 2 == 0)).collect();
        let lanes = (0..squares).map(|square| board.lanes_of(square)).collect();
        let mut sets = Sets { board, men, counts, sums, steps, row_of, on_even, lanes };
        for members in 0..=men {
            for square in 0..=squares {
                for sum in 0..sums as i32 - 2 {
                    for even in 0..=men as i32 {
                        let count = match (members, square) {
                            (0, _) => u32::from(sum == 0 && even == 0),
                            (_, 0) => 0,
                            _ => {
                                let last = square - 1;
                                let (row, on_even) = (sets.row_of[last], sets.on_even[last]);
                                let with = if row <= sum && on_even <= even {
                                    sets.count(last, members - 1, sum - row, even - on_even)
                                } else {
                                    0
                                };
                                with + sets.count(last, members, sum, even)
                            }
                        };
                        let at = sets.at(square, members, sum, even);
                        sets.counts[at] = count;
                    }
                }
            }
        }
        sets
    }

    #[inline(always)]
    fn at(&self, square: usize, members: usize, sum: i32, even: i32) -> usize {
        ((members * (self.board.squares() + 1) + square) * self.sums + (sum + 1) as usize)
            * (self.men + 3)
            + (even + 1) as usize
    }

    /// Returns an entry of `counts`. `sum` and `even` may be out of range by one.
    #[inline(always)]
    fn count(&self, square: usize, members: usize, sum: i32, even: i32) -> u32 {
        self.counts[self.at(square, members, sum, even)]
    }

    /// Returns the largest sum of rows.
    pub(super) fn max_sum(&self) -> usize {
        self.men * (2 * self.board.width - 1)
    }

    /// Returns the number of arrangements of a layer with `even` men on even rows.
    pub(super) fn group(&self, sum: usize, even: usize) -> u32 {
        self.count(self.board.squares(), self.men, sum as i32, even as i32)
    }

    /// Returns the number of arrangements of a layer.
    pub(super) fn len(&self, sum: usize) -> u32 {
        (0..=self.men).map(|even| self.group(sum, even)).sum()
    }

    /// Returns the row number of the first arrangement of a group.
    pub(super) fn group_start(&self, sum: usize, even: usize) -> u32 {
        (0..even).map(|even| self.group(sum, even)).sum()
    }

    /// Returns the blocks of a layer in order.
    pub(super) fn blocks(&self, sum: usize) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut row = 0;
        for even in 0..=self.men {
            let len = self.group(sum, even);
            let block = Block { row, len, sum, even, fixed: [0; MAX_MEN], free: self.men };
            if len > 0 {
                self.split(block, self.board.squares(), sum as i32, even as i32, &mut blocks);
            }
            row += len;
        }
        blocks
    }

    /// Divides `items` among the blocks of a layer: the first `len(block)` for the first block.
    pub(super) fn divide<'i, T>(
        &self,
        sum: usize,
        mut items: &'i mut [T],
        len: impl Fn(&Block) -> usize,
    ) -> impl Iterator<Item = (Block, &'i mut [T])> {
        self.blocks(sum).into_iter().map(move |block| {
            let (own, rest) = std::mem::take(&mut items).split_at_mut(len(&block));
            items = rest;
            (block, own)
        })
    }

    /// Splits a block until its parts are small enough. `sum` and `even` are those of the free men,
    /// which are all below `limit`.
    fn split(&self, block: Block, limit: usize, sum: i32, even: i32, blocks: &mut Vec<Block>) {
        if block.len <= MAX_BLOCK || block.free <= 1 {
            blocks.push(block);
            return;
        }
        for square in 0..limit {
            let (sum_below, even_below) = (sum - self.row_of[square], even - self.on_even[square]);
            if sum_below < 0 || even_below < 0 {
                continue;
            }
            let len = self.count(square, block.free - 1, sum_below, even_below);
            if len > 0 {
                let mut part = block;
                part.fixed[self.men - block.free] = square as u8;
                part.free -= 1;
                part.row += self.count(square, block.free, sum, even);
                part.len = len;
                self.split(part, square, sum_below, even_below, blocks);
            }
        }
    }

    /// Visits the arrangements of a block in order. `UP` selects the neighbors: one step up, the
    /// successors, or one step down, the predecessors. The lone man is ignored, so a step may lead
    /// to its square.
    pub(super) fn walk<const UP: bool, V: Visitor>(&self, block: &Block, visitor: V) -> V {
        dispatch(Level::best(), Walk::<UP, V> { sets: self, block, visitor })
    }

    #[inline(always)]
    fn visit<const UP: bool>(&self, block: &Block, visitor: &mut impl Visitor) {
        let mut arrangement = self.first_of::<UP>(block);
        let a = &mut arrangement;
        let mut man = block.free;
        // By man, the next square to try.
        let mut next = [0; MAX_MEN + 2];
        loop {
            if man == 1 {
                self.visit_lowest::<UP>(a, visitor);
                man = 2;
            }
            if man > block.free {
                return;
            }
            let limit =
                if man == self.men { self.board.squares() } else { a.squares[man + 1].into() };
            let (sum, even) = (a.sums[man], a.evens[man]);
            let feasible = |&square: &usize| {
                let (sum, even) = (sum - self.row_of[square], even - self.on_even[square]);
                sum >= 0 && even >= 0 && self.count(square, man - 1, sum, even) > 0
            };
            if let Some(square) = (next[man]..limit).find(feasible) {
                self.put::<UP>(a, man, square);
                next[man] = square + 1;
                man -= 1;
                next[man] = 0;
            } else {
                man += 1;
            }
        }
    }

    /// Returns the state of a walk at the start of a block, with the fixed men placed.
    fn first_of<const UP: bool>(&self, block: &Block) -> Arrangement {
        let neighbor = if UP { Some(block.sum + 1) } else { block.sum.checked_sub(1) };
        let neighbor = neighbor.filter(|&sum| sum <= self.max_sum());
        let start = |even: Option<usize>| match (neighbor, even) {
            (Some(sum), Some(even)) if even <= self.men => self.group_start(sum, even),
            _ => 0,
        };
        let mut arrangement = Arrangement {
            row: block.row,
            squares: [0; MAX_MEN + 1],
            sums: [0; MAX_MEN + 1],
            evens: [0; MAX_MEN + 1],
            contribution: [0; MAX_MEN + 1],
            upper: [[0; 2]; MAX_MEN + 1],
            lanes: [[0; 2]; MAX_MEN + 1],
            reach: [[0; 2]; MAX_MEN + 1],
        };
        arrangement.sums[self.men] = block.sum as i32;
        arrangement.evens[self.men] = block.even as i32;
        arrangement.upper[self.men] =
            [start(block.even.checked_sub(1)), start(Some(block.even + 1))];
        for (&square, man) in block.fixed.iter().zip((block.free + 1..=self.men).rev()) {
            self.put::<UP>(&mut arrangement, man, square.into());
        }
        arrangement
    }

    /// Visits all squares of the lowest man, with the other men placed.
    ///
    /// The sum determines the row of the lowest man, so these arrangements have consecutive row
    /// numbers. So do their neighbors by a step of another man that does not pass the lowest one;
    /// those row numbers are computed once.
    #[inline(always)]
    fn visit_lowest<const UP: bool>(&self, a: &mut Arrangement, visitor: &mut impl Visitor) {
        let row = a.sums[1];
        let first = row as usize * self.board.width;
        let limit = if self.men == 1 { self.board.squares() } else { a.squares[2].into() };
        if first >= limit || a.evens[1] != self.on_even[first] {
            return;
        }
        // The shared row numbers are those for the first square of the row.
        (a.squares[1], a.contribution[1]) = (first as u8, 0);
        // Only a step down from the same row or the row above can pass the lowest man.
        let passing = if UP {
            1
        } else {
            (2..=self.men)
                .take_while(|&man| self.row_of[usize::from(a.squares[man])] <= row + 1)
                .count()
                + 1
        };
        let mut shared = [0; MAX_STEPS];
        let mut rows = RowNumbers { rows: &mut shared, len: 0 };
        for man in passing + 1..=self.men {
            self.steps_of::<UP>(a, man, &mut rows);
        }
        let common = rows.len;
        for (offset, square) in (first..limit.min(first + self.board.width)).enumerate() {
            self.put::<UP>(a, 1, square);
            let mut all = shared.map(|row| row.wrapping_add(offset as u32));
            let mut rows = RowNumbers { rows: &mut all, len: common };
            for man in 1..=passing {
                self.steps_of::<UP>(a, man, &mut rows);
            }
            let found = rows.len;
            visitor.visit(a, &all[..found]);
            a.row += 1;
        }
    }

    /// Places a man. The men above it are placed already.
    #[inline(always)]
    fn put<const UP: bool>(&self, a: &mut Arrangement, man: usize, square: usize) {
        let (sum, even) = (a.sums[man], a.evens[man]);
        a.squares[man] = square as u8;
        a.sums[man - 1] = sum - self.row_of[square];
        a.evens[man - 1] = even - self.on_even[square];
        a.contribution[man] = self.count(square, man, sum, even);
        let sum = if UP { sum + 1 } else { sum - 1 };
        for (more, even) in [even - 1, even + 1].into_iter().enumerate() {
            a.upper[man - 1][more] =
                a.upper[man][more].wrapping_add(self.count(square, man, sum, even));
        }
        let (lanes, reach) = (self.lanes[square], self.board.reach_of(square));
        for parity in 0..2 {
            a.lanes[man - 1][parity] = a.lanes[man][parity] | lanes[parity];
            a.reach[man - 1][parity] = a.reach[man][parity] | reach[parity];
        }
    }

    /// Appends the row numbers of the arrangements that one step of a man leads to.
    #[inline(always)]
    fn steps_of<const UP: bool>(&self, a: &Arrangement, man: usize, rows: &mut RowNumbers<'_>) {
        let from = usize::from(a.squares[man]);
        let (from_row, from_even) = (self.row_of[from], self.on_even[from]);
        // A man that leaves an even row enters an odd one, so the number on even rows drops.
        let more = 1 - from_even as usize;
        'steps: for &to in &self.steps[usize::from(UP)][from] {
            if to == NO_SQUARE {
                break;
            }
            let mut number = 0u32;
            let mut to_man = man;
            if UP {
                // Every man passed becomes one lower in the order of the men.
                while to_man < self.men && to >= a.squares[to_man + 1] {
                    if to == a.squares[to_man + 1] {
                        continue 'steps;
                    }
                    to_man += 1;
                    let (sum, even) = (a.sums[to_man] - from_row, a.evens[to_man] - from_even);
                    number += self.count(a.squares[to_man].into(), to_man - 1, sum, even);
                }
                let (sum, even) = (a.sums[to_man] + 1, a.evens[to_man] + 1 - 2 * from_even);
                number += self.count(to.into(), to_man, sum, even) + a.upper[to_man][more];
                number += a.contribution[1..man].iter().sum::<u32>();
            } else {
                let (to_row, to_even) = (from_row - 1, 1 - from_even);
                while to_man > 1 && to <= a.squares[to_man - 1] {
                    if to == a.squares[to_man - 1] {
                        continue 'steps;
                    }
                    to_man -= 1;
                    let (sum, even) = (a.sums[to_man] + to_row, a.evens[to_man] + to_even);
                    number += self.count(a.squares[to_man].into(), to_man + 1, sum, even);
                }
                let (sum, even) = (a.sums[to_man - 1] + to_row, a.evens[to_man - 1] + to_even);
                number += self.count(to.into(), to_man, sum, even) + a.upper[man][more];
                number += a.contribution[1..to_man].iter().sum::<u32>();
            }
            rows.rows[rows.len] = number;
            rows.len += 1;
        }
    }
}

/// Row numbers found so far.
struct RowNumbers<'a> {
    rows: &'a mut [u32; MAX_STEPS],
    len: usize,
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use anser_core::hounds::Goal;

    /// Returns all arrangements of a layer, computed from the definition of the order alone.
    fn plain(width: usize, sum: usize) -> Vec<Vec<u8>> {
        fn subsets(from: u8, to: u8, members: usize) -> Vec<Vec<u8>> {
            if members == 0 {
                return vec![Vec::new()];
            }
            (from..to)
                .flat_map(|first| {
                    subsets(first + 1, to, members - 1)
                        .into_iter()
                        .map(move |rest| [vec![first], rest].concat())
                })
                .collect()
        }
        let row = |square: &u8| usize::from(*square) / width;
        let mut all = subsets(0, (2 * width * width) as u8, width);
        all.retain(|set| set.iter().map(row).sum::<usize>() == sum);
        all.sort_by_key(|set| {
            let even = set.iter().filter(|square| row(square) % 2 == 0).count();
            (even, set.iter().rev().copied().collect::<Vec<_>>())
        });
        all
    }

    /// Compares the visited arrangements and neighbors with those computed from the definition.
    struct Check<'a> {
        sets: &'a Sets,
        up: bool,
        expected: &'a mut dyn Iterator<Item = Vec<u8>>,
        ranks: &'a HashMap<Vec<u8>, u32>,
        row: u32,
    }

    impl Visitor for Check<'_> {
        fn visit(&mut self, a: &Arrangement, neighbors: &[u32]) {
            assert_eq!(a.row, self.row);
            let set = a.squares[1..=self.sets.men].to_vec();
            assert_eq!(Some(&set), self.expected.next().as_ref());
            let mut moved = Vec::new();
            for (man, &from) in set.iter().enumerate() {
                for to in self.sets.board.steps(from.into(), self.up) {
                    let mut next = set.clone();
                    next[man] = to as u8;
                    next.sort_unstable();
                    if !set.contains(&(to as u8)) {
                        moved.push(self.ranks[&next]);
                    }
                }
            }
            let mut neighbors = neighbors.to_vec();
            neighbors.sort_unstable();
            moved.sort_unstable();
            assert_eq!(neighbors, moved, "{set:?}");
            self.row += 1;
        }
    }

    fn check<const UP: bool>(sets: &Sets, sum: usize) {
        let numbers = |sum: usize| -> HashMap<Vec<u8>, u32> {
            plain(sets.men, sum).into_iter().zip(0..).collect()
        };
        let ranks =
            if UP { numbers(sum + 1) } else { sum.checked_sub(1).map(numbers).unwrap_or_default() };
        let mut expected = plain(sets.men, sum).into_iter();
        let mut row = 0;
        for block in sets.blocks(sum) {
            assert_eq!(block.row, row);
            let check = Check { sets, up: UP, expected: &mut expected, ranks: &ranks, row };
            row = sets.walk::<UP, _>(&block, check).row;
            assert_eq!(block.row + block.len, row);
        }
        assert_eq!((expected.next(), row), (None, sets.len(sum)));
    }

    #[test]
    fn a_walk_visits_a_layer_in_index_order_with_the_row_numbers_one_step_away() {
        for width in 1..=4 {
            for light in [true, false] {
                let sets = Sets::new(Board::new(width, light, Goal::None), width);
                for sum in (0..=sets.max_sum()).filter(|sum| width < 4 || sum % 5 == 2) {
                    check::<true>(&sets, sum);
                    check::<false>(&sets, sum);
                }
            }
        }
    }
}
