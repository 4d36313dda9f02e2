//! The arrangements of the pack in the order of the index `hounds`, and the numbers of those one step away.

use super::lanes::{Board, Lanes, Pack};

/// The most men a pack has.
pub(super) const MOST_MEN: usize = 6;

/// The most steps a pack has.
pub(super) const MOST_STEPS: usize = 2 * MOST_MEN;

/// The most arrangements in a block, unless that would leave a block of one arrangement of all men but the lowest.
const BLOCK: u32 = 2048;

const NOWHERE: u8 = u8::MAX;

/// The arrangements of the pack on one board, layer by layer.
///
/// A layer has all of one sum of rows. In it they come by the number of men on even rows, and in a group of the same number
/// in colexicographic order. A *row number* counts them through in this order from the beginning of the layer.
#[derive(Debug)]
pub(super) struct Sets {
    pub(super) board: Board,
    pub(super) men: usize,
    /// The number of subsets of the squares below `s` with `i` members, sum of rows `sum` and `even` members on even rows:
    /// at `((i * (squares + 1) + s) * sums + sum + 1) * (men + 3) + even + 1`, so that there is room for zeros around.
    counts: Vec<u32>,
    sums: usize,
    /// For each square where a man can go down, and where it can go up.
    steps: [Vec<[u8; 2]>; 2],
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

/// One arrangement, as a walk visits it. Entry `i` of an array is about the lowest `i` men, or man `i` counted from 1.
#[derive(Debug)]
pub(super) struct Arrangement {
    /// The row number.
    pub(super) row: u32,
    pub(super) squares: [u8; MOST_MEN + 1],
    sums: [i32; MOST_MEN + 1],
    evens: [i32; MOST_MEN + 1],
    /// What man `i` adds to the row number.
    own: [u32; MOST_MEN + 1],
    /// The beginning of the group in the next layer, and what the men above `i` add there, if one man less, or one more, is
    /// on an even row.
    high: [[u32; 2]; MOST_MEN + 1],
    /// Of the men above `i`.
    lanes: [Lanes; MOST_MEN + 1],
    reach: [Lanes; MOST_MEN + 1],
}

impl Arrangement {
    /// What the rules want to know.
    pub(super) fn pack(&self) -> Pack {
        Pack { men: self.lanes[0], reach: self.reach[0], lowest: self.squares[1].into() }
    }
}

impl Sets {
    pub(super) fn new(board: Board) -> Sets {
        let men = board.width;
        let sums = men * (2 * men - 1) + 3;
        let squares = board.squares();
        let step = |square: usize, up: bool| {
            let mut to = [NOWHERE; 2];
            to.iter_mut().zip(board.steps(square, up)).for_each(|(to, step)| *to = step as u8);
            to
        };
        let steps = [false, true].map(|up| (0..squares).map(|square| step(square, up)).collect());
        let counts = vec![0; (men + 1) * (squares + 1) * sums * (men + 3)];
        let mut sets = Sets { board, men, counts, sums, steps };
        for members in 0..=men {
            for square in 0..=squares {
                for sum in 0..sums as i32 - 2 {
                    for even in 0..=men as i32 {
                        let count = match (members, square) {
                            (0, _) => u32::from(sum == 0 && even == 0),
                            (_, 0) => 0,
                            _ => {
                                let last = square - 1;
                                let (row, on_even) = (sets.row_of(last), sets.on_even(last));
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

    #[inline]
    fn row_of(&self, square: usize) -> i32 {
        (square / self.men) as i32
    }

    #[inline]
    fn on_even(&self, square: usize) -> i32 {
        i32::from(self.row_of(square) % 2 == 0)
    }

    #[inline]
    fn at(&self, square: usize, members: usize, sum: i32, even: i32) -> usize {
        ((members * (self.board.squares() + 1) + square) * self.sums + (sum + 1) as usize) * (self.men + 3)
            + (even + 1) as usize
    }

    /// See the field. `sum` and `even` may be one below what there is, or one above.
    #[inline]
    fn count(&self, square: usize, members: usize, sum: i32, even: i32) -> u32 {
        self.counts[self.at(square, members, sum, even)]
    }

    /// The largest sum of rows.
    pub(super) fn most_sum(&self) -> usize {
        self.men * (2 * self.men - 1)
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
            let (sum_below, even_below) = (sum - self.row_of(square), even - self.on_even(square));
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

    /// Visits the arrangements of a block in their order. `UP`: for their successors, one step up; otherwise for their
    /// predecessors, one step down.
    pub(super) fn walk<const UP: bool>(&self, block: &Block, mut visit: impl FnMut(&Arrangement)) {
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
        arrangement.high[self.men] = [start(block.even.checked_sub(1)), start(Some(block.even + 1))];
        let mut limit = self.board.squares();
        for (&square, man) in block.fixed.iter().zip((block.free + 1..=self.men).rev()) {
            limit = square.into();
            self.place::<UP>(&mut arrangement, man, limit);
        }
        self.descend::<UP>(&mut arrangement, block.free, limit, &mut visit);
    }

    fn descend<const UP: bool>(
        &self,
        arrangement: &mut Arrangement,
        man: usize,
        limit: usize,
        visit: &mut impl FnMut(&Arrangement),
    ) {
        if man == 0 {
            visit(arrangement);
            arrangement.row += 1;
            return;
        }
        let (sum, even) = (arrangement.sums[man], arrangement.evens[man]);
        // The lowest man's row is what is left of the sum.
        let (from, to) = if man == 1 { (sum as usize * self.men, (sum as usize + 1) * self.men) } else { (0, limit) };
        for square in from..to.min(limit) {
            let (row, on_even) = (self.row_of(square), self.on_even(square));
            if row > sum {
                break;
            }
            if on_even <= even && self.count(square, man - 1, sum - row, even - on_even) > 0 {
                self.place::<UP>(arrangement, man, square);
                self.descend::<UP>(arrangement, man - 1, square, visit);
            }
        }
    }

    #[inline]
    fn place<const UP: bool>(&self, arrangement: &mut Arrangement, man: usize, square: usize) {
        let a = arrangement;
        let (sum, even) = (a.sums[man], a.evens[man]);
        a.squares[man] = square as u8;
        a.sums[man - 1] = sum - self.row_of(square);
        a.evens[man - 1] = even - self.on_even(square);
        a.own[man] = self.count(square, man, sum, even);
        let sum = if UP { sum + 1 } else { sum - 1 };
        for (more, even) in [even - 1, even + 1].into_iter().enumerate() {
            a.high[man - 1][more] = a.high[man][more].wrapping_add(self.count(square, man, sum, even));
        }
        let (lanes, reach) = (self.board.lanes_of(square), self.board.reach_of(square));
        for parity in 0..2 {
            a.lanes[man - 1][parity] = a.lanes[man][parity] | lanes[parity];
            a.reach[man - 1][parity] = a.reach[man][parity] | reach[parity];
        }
    }

    /// The row numbers, in the next layer up or down, of the arrangements one step away. Where the lone man stands is not
    /// looked at.
    #[inline]
    pub(super) fn neighbours<'a, const UP: bool>(
        &self,
        arrangement: &Arrangement,
        rows: &'a mut [u32; MOST_STEPS],
    ) -> &'a [u32] {
        let a = arrangement;
        let mut low = [0; MOST_MEN + 1];
        for man in 1..=self.men {
            low[man] = low[man - 1] + a.own[man];
        }
        let mut found = 0;
        for man in 1..=self.men {
            let from = usize::from(a.squares[man]);
            let (from_row, from_even) = (self.row_of(from), self.on_even(from));
            // A man that leaves an even row: one less on such rows.
            let more = 1 - from_even as usize;
            'steps: for &to in &self.steps[usize::from(UP)][from] {
                if to == NOWHERE {
                    break;
                }
                let mut passed = 0u32;
                let mut place = man;
                let number = if UP {
                    // Men that are passed move one place down among the men.
                    while place < self.men && to >= a.squares[place + 1] {
                        if to == a.squares[place + 1] {
                            continue 'steps;
                        }
                        place += 1;
                        let (sum, even) = (a.sums[place] - from_row, a.evens[place] - from_even);
                        passed += self.count(a.squares[place].into(), place - 1, sum, even);
                    }
                    let (sum, even) = (a.sums[place] + 1, a.evens[place] + 1 - 2 * from_even);
                    low[man - 1] + self.count(to.into(), place, sum, even) + a.high[place][more]
                } else {
                    let (to_row, to_even) = (from_row - 1, 1 - from_even);
                    while place > 1 && to <= a.squares[place - 1] {
                        if to == a.squares[place - 1] {
                            continue 'steps;
                        }
                        place -= 1;
                        let (sum, even) = (a.sums[place] + to_row, a.evens[place] + to_even);
                        passed += self.count(a.squares[place].into(), place + 1, sum, even);
                    }
                    let (sum, even) = (a.sums[place - 1] + to_row, a.evens[place - 1] + to_even);
                    low[place - 1] + self.count(to.into(), place, sum, even) + a.high[man][more]
                };
                rows[found] = number + passed;
                found += 1;
            }
        }
        &rows[..found]
    }
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
                    subsets(first + 1, to, members - 1).into_iter().map(move |rest| [vec![first], rest].concat())
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

    fn check<const UP: bool>(sets: &Sets, sum: usize) {
        let width = sets.men;
        let numbers = |sum: usize| -> HashMap<Vec<u8>, u32> { plain(width, sum).into_iter().zip(0..).collect() };
        let there = if UP { numbers(sum + 1) } else { sum.checked_sub(1).map(numbers).unwrap_or_default() };
        let mut expected = plain(width, sum).into_iter();
        let mut row = 0;
        for block in sets.blocks(sum) {
            assert_eq!(block.row, row);
            sets.walk::<UP>(&block, |a| {
                assert_eq!(a.row, row);
                let set = a.squares[1..=width].to_vec();
                assert_eq!(Some(&set), expected.next().as_ref());
                let mut moved = Vec::new();
                for (man, &from) in set.iter().enumerate() {
                    for to in sets.board.steps(from.into(), UP) {
                        let mut next = set.clone();
                        next[man] = to as u8;
                        next.sort_unstable();
                        if !set.contains(&(to as u8)) {
                            moved.push(there[&next]);
                        }
                    }
                }
                assert_eq!(sets.neighbours::<UP>(a, &mut [0; MOST_STEPS]), moved);
                row += 1;
            });
            assert_eq!(block.row + block.len, row);
        }
        assert_eq!((expected.next(), row), (None, sets.len(sum)));
    }

    #[test]
    fn a_walk_visits_a_layer_in_the_order_of_the_index_and_knows_the_numbers_one_step_away() {
        for width in 1..=4 {
            for light in [true, false] {
                let sets = Sets::new(Board::new(width, light, Goal::None));
                for sum in (0..=sets.most_sum()).filter(|sum| width < 4 || sum % 5 == 2) {
                    check::<true>(&sets, sum);
                    check::<false>(&sets, sum);
                }
            }
        }
    }
}
