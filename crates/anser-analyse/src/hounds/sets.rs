//! The arrangements of the pack in the order of the index `hounds`, and the numbers of those one
//! step away.

use super::lanes::{Board, Lanes, Pack};
use crate::isa::{Isa, Kernel, Level, dispatch};

/// The most men a pack has.
pub(super) const MOST_MEN: usize = 6;

/// The most steps a pack has.
pub(super) const MOST_STEPS: usize = 2 * MOST_MEN;

/// The most arrangements in a block, unless that would leave a block of one arrangement of all men
/// but the lowest.
const BLOCK: u32 = 2048;

const NOWHERE: u8 = u8::MAX;

/// The arrangements of the pack on one board, layer by layer.
///
/// A layer has all of one sum of rows. In it they come by the number of men on even rows, and in a
/// group of the same number in colexicographic order. A *row number* counts them through in this
/// order from the beginning of the layer.
#[derive(Debug)]
pub(super) struct Sets {
    pub(super) board: Board,
    pub(super) men: usize,
    /// The number of subsets of the squares below `s` with `i` members, sum of rows `sum` and
    /// `even` members on even rows: at `((i * (squares + 1) + s) * sums + sum + 1) * (men + 3) +
    /// even + 1`, so that there is room for zeros around.
    counts: Vec<u32>,
    sums: usize,
    /// For each square where a man can go down, and where it can go up.
    steps: [Vec<[u8; 2]>; 2],
    /// The row of each square, 1 if it is even, and the square as a lane.
    row_of: Vec<i32>,
    on_even: Vec<i32>,
    lanes: Vec<Lanes>,
}

/// A block of arrangements that follow each other: all that have the same highest men.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// The row number of the first one.
    pub(super) row: u32,
    /// How many there are.
    pub(super) len: u32,
    /// The sum of the men's rows, the same in the whole layer.
    pub(super) sum: usize,
    /// The number of men on even rows.
    pub(super) even: usize,
    /// The highest men, from the top; the last `free` entries are not used.
    fixed: [u8; MOST_MEN],
    free: usize,
}

/// One arrangement, as a walk visits it. Entry `i` of an array is about the lowest `i` men, or man
/// `i` counted from 1.
#[derive(Debug)]
pub(super) struct Arrangement {
    /// The row number.
    pub(super) row: u32,
    pub(super) squares: [u8; MOST_MEN + 1],
    sums: [i32; MOST_MEN + 1],
    evens: [i32; MOST_MEN + 1],
    /// What man `i` adds to the row number.
    own: [u32; MOST_MEN + 1],
    /// The beginning of the group in the next layer, and what the men above `i` add there, if one
    /// man less, or one more, is on an even row.
    high: [[u32; 2]; MOST_MEN + 1],
    /// Of the men above `i`.
    lanes: [Lanes; MOST_MEN + 1],
    reach: [Lanes; MOST_MEN + 1],
}

/// What goes along on a walk.
pub(super) trait Visitor {
    /// Looks at an arrangement; `neighbours` are the row numbers of those one step away.
    /// Implementations are
    /// `#[inline(always)]`, and so is what they call in their loops: they are compiled once more
    /// for wider registers.
    fn visit(&mut self, arrangement: &Arrangement, neighbours: &[u32]);
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
    /// What the rules want to know.
    #[inline(always)]
    pub(super) fn pack(&self) -> Pack {
        Pack { men: self.lanes[0], reach: self.reach[0], lowest: self.squares[1].into() }
    }
}

impl Sets {
    /// The arrangements of `men` men, 1 to the width of the board.
    pub(super) fn new(board: Board, men: usize) -> Sets {
        let width = board.width;
        let sums = men * (2 * width - 1) + 3;
        let squares = board.squares();
        let step = |square: usize, up: bool| {
            let mut to = [NOWHERE; 2];
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

    /// See the field. `sum` and `even` may be one below what there is, or one above.
    #[inline(always)]
    fn count(&self, square: usize, members: usize, sum: i32, even: i32) -> u32 {
        self.counts[self.at(square, members, sum, even)]
    }

    /// The largest sum of rows.
    pub(super) fn most_sum(&self) -> usize {
        self.men * (2 * self.board.width - 1)
    }

    /// The number of arrangements of a layer that have `even` men on even rows.
    pub(super) fn group(&self, sum: usize, even: usize) -> u32 {
        self.count(self.board.squares(), self.men, sum as i32, even as i32)
    }

    /// The number of arrangements of a layer.
    pub(super) fn len(&self, sum: usize) -> u32 {
        (0..=self.men).map(|even| self.group(sum, even)).sum()
    }

    /// The row number of the first arrangement of a group.
    pub(super) fn group_start(&self, sum: usize, even: usize) -> u32 {
        (0..even).map(|even| self.group(sum, even)).sum()
    }

    /// The blocks of a layer, in their order.
    pub(super) fn blocks(&self, sum: usize) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut row = 0;
        for even in 0..=self.men {
            let len = self.group(sum, even);
            let block = Block { row, len, sum, even, fixed: [0; MOST_MEN], free: self.men };
            if len > 0 {
                self.split(block, self.board.squares(), sum as i32, even as i32, &mut blocks);
            }
            row += len;
        }
        blocks
    }

    /// `sum` and `even` are those of the men that are free, all of them below `limit`.
    fn split(&self, block: Block, limit: usize, sum: i32, even: i32, blocks: &mut Vec<Block>) {
        if block.len <= BLOCK || block.free <= 1 {
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

    /// Visits the arrangements of a block in their order, each with the row numbers, in the next
    /// layer up or down, of the arrangements one step away; where the lone man stands is not looked
    /// at. `UP`: one step up, so successors; otherwise predecessors.
    pub(super) fn walk<const UP: bool, V: Visitor>(&self, block: &Block, visitor: V) -> V {
        dispatch(Level::best(), Walk::<UP, V> { sets: self, block, visitor })
    }

    #[inline(always)]
    fn visit<const UP: bool>(&self, block: &Block, visitor: &mut impl Visitor) {
        let mut arrangement = self.first_of::<UP>(block);
        let a = &mut arrangement;
        let mut man = block.free;
        // The next square to try for a man.
        let mut next = [0; MOST_MEN + 2];
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
                self.place::<UP>(a, man, square);
                next[man] = square + 1;
                man -= 1;
                next[man] = 0;
            } else {
                man += 1;
            }
        }
    }

    /// The state of a walk at the beginning of a block: its highest men are in place.
    fn first_of<const UP: bool>(&self, block: &Block) -> Arrangement {
        let neighbour = if UP { Some(block.sum + 1) } else { block.sum.checked_sub(1) };
        let neighbour = neighbour.filter(|&sum| sum <= self.most_sum());
        let start = |even: Option<usize>| match (neighbour, even) {
            (Some(sum), Some(even)) if even <= self.men => self.group_start(sum, even),
            _ => 0,
        };
        let mut arrangement = Arrangement {
            row: block.row,
            squares: [0; MOST_MEN + 1],
            sums: [0; MOST_MEN + 1],
            evens: [0; MOST_MEN + 1],
            own: [0; MOST_MEN + 1],
            high: [[0; 2]; MOST_MEN + 1],
            lanes: [[0; 2]; MOST_MEN + 1],
            reach: [[0; 2]; MOST_MEN + 1],
        };
        arrangement.sums[self.men] = block.sum as i32;
        arrangement.evens[self.men] = block.even as i32;
        arrangement.high[self.men] =
            [start(block.even.checked_sub(1)), start(Some(block.even + 1))];
        for (&square, man) in block.fixed.iter().zip((block.free + 1..=self.men).rev()) {
            self.place::<UP>(&mut arrangement, man, square.into());
        }
        arrangement
    }

    /// Visits all places of the lowest man. Its row is what is left of the sum, so these
    /// arrangements follow each other, and so do those that a step of another man leads to, unless
    /// it passes the lowest one: their numbers are found once.
    #[inline(always)]
    fn visit_lowest<const UP: bool>(&self, a: &mut Arrangement, visitor: &mut impl Visitor) {
        let row = a.sums[1];
        let first = row as usize * self.board.width;
        let limit = if self.men == 1 { self.board.squares() } else { a.squares[2].into() };
        if first >= limit || a.evens[1] != self.on_even[first] {
            return;
        }
        // As if it stood in the first place.
        (a.squares[1], a.own[1]) = (first as u8, 0);
        // Men that may pass the lowest one stand on its row or the next.
        let crowded = if UP {
            1
        } else {
            (2..=self.men)
                .take_while(|&man| self.row_of[usize::from(a.squares[man])] <= row + 1)
                .count()
                + 1
        };
        let mut together = [0; MOST_STEPS];
        let mut rows = Found { rows: &mut together, len: 0 };
        for man in crowded + 1..=self.men {
            self.steps_of::<UP>(a, man, &mut rows);
        }
        let common = rows.len;
        for (place, square) in (first..limit.min(first + self.board.width)).enumerate() {
            self.place::<UP>(a, 1, square);
            let mut all = together.map(|row| row.wrapping_add(place as u32));
            let mut rows = Found { rows: &mut all, len: common };
            for man in 1..=crowded {
                self.steps_of::<UP>(a, man, &mut rows);
            }
            let found = rows.len;
            visitor.visit(a, &all[..found]);
            a.row += 1;
        }
    }

    #[inline(always)]
    fn place<const UP: bool>(&self, a: &mut Arrangement, man: usize, square: usize) {
        let (sum, even) = (a.sums[man], a.evens[man]);
        a.squares[man] = square as u8;
        a.sums[man - 1] = sum - self.row_of[square];
        a.evens[man - 1] = even - self.on_even[square];
        a.own[man] = self.count(square, man, sum, even);
        let sum = if UP { sum + 1 } else { sum - 1 };
        for (more, even) in [even - 1, even + 1].into_iter().enumerate() {
            a.high[man - 1][more] =
                a.high[man][more].wrapping_add(self.count(square, man, sum, even));
        }
        let (lanes, reach) = (self.lanes[square], self.board.reach_of(square));
        for parity in 0..2 {
            a.lanes[man - 1][parity] = a.lanes[man][parity] | lanes[parity];
            a.reach[man - 1][parity] = a.reach[man][parity] | reach[parity];
        }
    }

    /// Adds the row numbers of the arrangements to which a step of one man leads.
    #[inline(always)]
    fn steps_of<const UP: bool>(&self, a: &Arrangement, man: usize, rows: &mut Found<'_>) {
        let from = usize::from(a.squares[man]);
        let (from_row, from_even) = (self.row_of[from], self.on_even[from]);
        // A man that leaves an even row: one less on such rows.
        let more = 1 - from_even as usize;
        'steps: for &to in &self.steps[usize::from(UP)][from] {
            if to == NOWHERE {
                break;
            }
            let mut number = 0u32;
            let mut place = man;
            if UP {
                // Men that are passed move one place down among the men.
                while place < self.men && to >= a.squares[place + 1] {
                    if to == a.squares[place + 1] {
                        continue 'steps;
                    }
                    place += 1;
                    let (sum, even) = (a.sums[place] - from_row, a.evens[place] - from_even);
                    number += self.count(a.squares[place].into(), place - 1, sum, even);
                }
                let (sum, even) = (a.sums[place] + 1, a.evens[place] + 1 - 2 * from_even);
                number += self.count(to.into(), place, sum, even) + a.high[place][more];
                number += a.own[1..man].iter().sum::<u32>();
            } else {
                let (to_row, to_even) = (from_row - 1, 1 - from_even);
                while place > 1 && to <= a.squares[place - 1] {
                    if to == a.squares[place - 1] {
                        continue 'steps;
                    }
                    place -= 1;
                    let (sum, even) = (a.sums[place] + to_row, a.evens[place] + to_even);
                    number += self.count(a.squares[place].into(), place + 1, sum, even);
                }
                let (sum, even) = (a.sums[place - 1] + to_row, a.evens[place - 1] + to_even);
                number += self.count(to.into(), place, sum, even) + a.high[man][more];
                number += a.own[1..place].iter().sum::<u32>();
            }
            rows.rows[rows.len] = number;
            rows.len += 1;
        }
    }
}

/// A list of row numbers that is being made.
struct Found<'a> {
    rows: &'a mut [u32; MOST_STEPS],
    len: usize,
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::lanes::Goal;
    use super::*;

    /// All arrangements of a layer, from the specification of the order alone.
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

    /// Compares what it sees with the plain order.
    struct Check<'a> {
        sets: &'a Sets,
        up: bool,
        expected: &'a mut dyn Iterator<Item = Vec<u8>>,
        there: &'a HashMap<Vec<u8>, u32>,
        row: u32,
    }

    impl Visitor for Check<'_> {
        fn visit(&mut self, a: &Arrangement, neighbours: &[u32]) {
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
                        moved.push(self.there[&next]);
                    }
                }
            }
            let mut neighbours = neighbours.to_vec();
            neighbours.sort_unstable();
            moved.sort_unstable();
            assert_eq!(neighbours, moved, "{set:?}");
            self.row += 1;
        }
    }

    fn check<const UP: bool>(sets: &Sets, sum: usize) {
        let numbers = |sum: usize| -> HashMap<Vec<u8>, u32> {
            plain(sets.men, sum).into_iter().zip(0..).collect()
        };
        let there =
            if UP { numbers(sum + 1) } else { sum.checked_sub(1).map(numbers).unwrap_or_default() };
        let mut expected = plain(sets.men, sum).into_iter();
        let mut row = 0;
        for block in sets.blocks(sum) {
            assert_eq!(block.row, row);
            let check = Check { sets, up: UP, expected: &mut expected, there: &there, row };
            row = sets.walk::<UP, _>(&block, check).row;
            assert_eq!(block.row + block.len, row);
        }
        assert_eq!((expected.next(), row), (None, sets.len(sum)));
    }

    #[test]
    fn a_walk_visits_a_layer_in_the_order_of_the_index_and_knows_the_numbers_one_step_away() {
        for width in 1..=4 {
            for light in [true, false] {
                let sets = Sets::new(Board::new(width, light, Goal::None), width);
                for sum in (0..=sets.most_sum()).filter(|sum| width < 4 || sum % 5 == 2) {
                    check::<true>(&sets, sum);
                    check::<false>(&sets, sum);
                }
            }
        }
    }
}
