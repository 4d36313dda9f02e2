//! The geese's pass when little is new: from each position with the fox to move that changed, back along the geese's moves.
//!
//! A pass over whole blocks costs the same whether one position changed or all. Here the cost goes with the changes. From
//! below a new good position makes all positions good that a goose move leads to it from. From above a position that is good
//! no more does so only where no other move leads to a good one, so these are looked at.
//!
//! Threads meet in the same words, so bits are set and cleared atomically.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::bound::Bound;
use super::moves::{Fox, GooseMoves};
use super::sets::SETS;
use super::shape::{Block, Shape};
use anser_analyse::isa::{Isa, Kernel};

/// What changed in a block: by word of the block, the bits.
pub(super) type Changes = Vec<(u32, u64)>;

/// Tells the changes of a block to the positions with the geese to move; says how many of them changed.
pub(super) struct Propagation<'a> {
    /// The block of the changes,
    pub(super) block: &'a Block,
    /// and these.
    pub(super) changes: &'a Changes,
    pub(super) shape: &'a Shape,
    pub(super) fox: &'a Fox,
    pub(super) bound: Bound,
    /// The orientation of the changes.
    pub(super) orientation: usize,
    /// Good positions with the fox to move, in that orientation.
    pub(super) field: &'a [u64],
    /// Good positions with the geese to move, in that orientation.
    pub(super) geese: &'a [AtomicU64],
    /// The same in the other orientation, where that is kept as well.
    pub(super) geese_turned: Option<&'a [AtomicU64]>,
    /// By block of that orientation: whether anything changed.
    pub(super) changed: &'a [AtomicBool],
}

/// A crossing move as far as a block fixes it.
#[derive(Clone, Copy)]
struct Candidate {
    /// The bit of the arm set it changes,
    bit: u16,
    /// and that bit again if it has to be clear before.
    clear: u16,
    /// The block it leads to.
    number: usize,
}

impl Candidate {
    /// The arm set it leads to from another, if it is possible there.
    #[inline(always)]
    fn target(self, arm: u16) -> Option<u16> {
        ((arm ^ self.clear) & self.bit != 0).then_some(arm ^ self.bit)
    }
}

impl Kernel for Propagation<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self, _: impl Isa) -> u64 {
        let block = self.block;
        let (own, blocks) = (self.shape.number(block.ring, block.row_points), &self.shape.blocks);
        let own = own.expect("the block is of this layer");
        let moves = &self.fox.goose_back;
        let (row_moves, bit_moves) = (&moves[self.orientation], &moves[1 - self.orientation]);
        let row_crossing =
            self.candidates(
                block,
                row_moves,
                |points, inward| {
                    if inward { points.checked_sub(1) } else { Some(points + 1) }
                },
            );
        let bit_crossing = self.candidates(block, bit_moves, |points, _| Some(points));
        let ring: Vec<usize> = moves
            .iter()
            .flat_map(|moves| &moves.ring)
            .filter(|&&(from, to)| block.ring & from != 0 && block.ring & to == 0)
            .filter_map(|&(from, to)| self.shape.number(block.ring ^ from ^ to, block.row_points))
            .collect();
        let width = block.width();
        let mut count = 0;
        for &(word, bits) in self.changes {
            let (row, column) = (word as usize / width, word as usize % width);
            // Moves of rows take along all bits of the word.
            let row_arm = SETS.arm[block.row_points][row];
            for &rank in row_moves.targets(row_arm) {
                count += self.change(own, block.start + usize::from(rank) * width + column, bits);
            }
            for &number in &ring {
                count += self.change(number, blocks[number].start + word as usize, bits);
            }
            for candidate in &row_crossing {
                if let Some(arm) = candidate.target(row_arm) {
                    let row = usize::from(SETS.rank[usize::from(arm)]);
                    let number = candidate.number;
                    count += self.change(number, blocks[number].start + row * width + column, bits);
                }
            }
            for_each_bit(bits, |bit| {
                let bit_arm = SETS.arm[block.bit_points][64 * column + bit];
                let start = block.start + row * width;
                for &rank in bit_moves.targets(bit_arm) {
                    count += self.change(own, start + usize::from(rank / 64), 1 << (rank % 64));
                }
                for candidate in &bit_crossing {
                    if let Some(arm) = candidate.target(bit_arm) {
                        let rank = SETS.rank[usize::from(arm)];
                        let to = &blocks[candidate.number];
                        let word = to.start + row * to.width() + usize::from(rank / 64);
                        count += self.change(candidate.number, word, 1 << (rank % 64));
                    }
                }
            });
        }
        count
    }
}

impl Propagation<'_> {
    /// The crossing moves that the ring set of a block allows.
    #[inline(always)]
    fn candidates(
        &self,
        block: &Block,
        moves: &GooseMoves,
        row_points: impl Fn(usize, bool) -> Option<usize>,
    ) -> Vec<Candidate> {
        moves
            .crossing
            .iter()
            .filter(|crossing| (block.ring & crossing.ring == 0) == crossing.inward)
            .filter_map(|crossing| {
                let points = row_points(block.row_points, crossing.inward)?;
                let number = self.shape.number(block.ring ^ crossing.ring, points)?;
                let clear = if crossing.inward { 0 } else { crossing.arm };
                Some(Candidate { bit: crossing.arm, clear, number })
            })
            .collect()
    }

    /// Changes some positions of a word with the geese to move, where they are to be changed. Says how many.
    #[inline(always)]
    fn change(&self, number: usize, word: usize, bits: u64) -> u64 {
        let now = self.geese[word].load(Relaxed);
        let fresh = match self.bound {
            Bound::Least => {
                let new = bits & !now;
                if new == 0 {
                    return 0;
                }
                // Of several threads that come here at once, one finds a bit unchanged.
                new & !self.geese[word].fetch_or(new, Relaxed)
            }
            Bound::Greatest => {
                let asked = bits & now;
                if asked == 0 {
                    return 0;
                }
                let gone = asked & !self.good(number, word, asked);
                if gone == 0 {
                    return 0;
                }
                gone & self.geese[word].fetch_and(!gone, Relaxed)
            }
        };
        self.changed[number].store(true, Relaxed);
        if let Some(turned) = self.geese_turned {
            for_each_bit(fresh, |bit| {
                let (word, bit) = self.set(number, word, bit).locate(self.shape, 1 - self.orientation);
                match self.bound {
                    Bound::Least => turned[word].fetch_or(bit, Relaxed),
                    Bound::Greatest => turned[word].fetch_and(!bit, Relaxed),
                };
            });
        }
        u64::from(fresh.count_ones())
    }

    /// Of some positions of a word with the geese to move, those of which a move leads to a good position.
    #[inline(always)]
    fn good(&self, number: usize, word: usize, asked: u64) -> u64 {
        let (blocks, moves) = (&self.shape.blocks, &self.fox.goose);
        let block = &blocks[number];
        let width = block.width();
        let offset = word - block.start;
        let (row, column) = (offset / width, offset % width);
        let row_arm = SETS.arm[block.row_points][row];
        let (row_moves, bit_moves) = (&moves[self.orientation], &moves[1 - self.orientation]);
        let mut good = 0;
        for &rank in row_moves.targets(row_arm) {
            good |= self.field[block.start + usize::from(rank) * width + column];
        }
        for &(from, to) in moves.iter().flat_map(|moves| &moves.ring) {
            if block.ring & from != 0 && block.ring & to == 0 {
                let start = self.shape.start(block.ring ^ from ^ to, block.row_points);
                good |= self.field[start.expect("the set is of this layer") + offset];
            }
        }
        for crossing in &row_moves.crossing {
            if crossing.is_possible(block.ring, row_arm) {
                let arm = row_arm ^ crossing.arm;
                let points = if crossing.inward { block.row_points - 1 } else { block.row_points + 1 };
                let start = self.shape.start(block.ring ^ crossing.ring, points).expect("the set is of this layer");
                good |= self.field[start + usize::from(SETS.rank[usize::from(arm)]) * width + column];
            }
        }
        for_each_bit(asked & !good, |bit| {
            let bit_arm = SETS.arm[block.bit_points][64 * column + bit];
            let is_good = |start: usize, rank: u16| self.field[start + usize::from(rank / 64)] >> (rank % 64) & 1 != 0;
            let found = bit_moves.targets(bit_arm).iter().any(|&rank| is_good(block.start + row * width, rank))
                || bit_moves.crossing.iter().any(|crossing| {
                    crossing.is_possible(block.ring, bit_arm) && {
                        let to = self.shape.number(block.ring ^ crossing.ring, block.row_points);
                        let to = &blocks[to.expect("the set is of this layer")];
                        is_good(to.start + row * to.width(), SETS.rank[usize::from(bit_arm ^ crossing.arm)])
                    }
                });
            good |= u64::from(found) << bit;
        });
        good
    }

    /// The goose set of a bit of a word of a block.
    fn set(&self, number: usize, word: usize, bit: usize) -> Set {
        let block = &self.shape.blocks[number];
        let (row, column) = ((word - block.start) / block.width(), (word - block.start) % block.width());
        let mut arms = [0; 2];
        arms[self.orientation] = SETS.arm[block.row_points][row];
        arms[1 - self.orientation] = SETS.arm[block.bit_points][64 * column + bit];
        Set { ring: block.ring, arms }
    }
}

/// A goose set in parts.
#[derive(Clone, Copy)]
struct Set {
    ring: u8,
    /// By half.
    arms: [u16; 2],
}

impl Set {
    /// Where the set is in a field: the word, and its bit.
    #[inline]
    fn locate(self, shape: &Shape, orientation: usize) -> (usize, u64) {
        let (word, bit) = shape.place(self.ring, self.arms[orientation], self.arms[1 - orientation]);
        (word, 1 << bit)
    }
}

/// Calls `visit` with the number of every bit that is set.
#[inline(always)]
fn for_each_bit(mut word: u64, mut visit: impl FnMut(usize)) {
    while word != 0 {
        visit(word.trailing_zeros() as usize);
        word &= word - 1;
    }
}

/// Words that several threads may change for a while.
pub(super) fn shared(words: &mut [u64]) -> &[AtomicU64] {
    let (start, len) = (words.as_mut_ptr().cast::<AtomicU64>(), words.len());
    const { assert!(align_of::<AtomicU64>() == align_of::<u64>()) };
    // SAFETY: an atomic has the size of its word, any bits are valid, and the alignments are the same, as is asserted. The
    // words are borrowed exclusively for as long.
    unsafe { std::slice::from_raw_parts(start, len) }
}
