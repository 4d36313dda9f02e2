//! Propagation of single changes from the fox to move to the geese to move, along un-moves of the
//! geese.
//!
//! A pass over whole blocks costs the same for one change as for many; here the cost is
//! proportional to the number of changes. From below, a position that became good makes every
//! predecessor good. From above, a predecessor of a position that is no longer good can still have
//! another move to a good one, so its moves are checked.
//!
//! Threads change the same words, so bits are set and cleared atomically.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::bound::Bound;
use super::codes::SharedCodes;
use super::moves::{Fox, GooseMoves};
use super::sets::SETS;
use super::shape::{Block, Shape};
use anser_retrograde::bits::for_each_bit;
use anser_retrograde::isa::{Isa, Kernel};

/// Changes of a block: number of the word in the block, and changed bits.
pub(super) type Changes = Vec<(u32, u64)>;

/// Propagates the changes of a block to the positions with the geese to move. Returns the number of
/// positions changed.
pub(super) struct Propagation<'a> {
    /// Block of the changes.
    pub(super) block: &'a Block,
    /// The changes.
    pub(super) changes: &'a Changes,
    pub(super) shape: &'a Shape,
    pub(super) fox: &'a Fox,
    pub(super) bound: Bound,
    /// Orientation of the changes.
    pub(super) orientation: usize,
    /// Good positions with the fox to move, in that orientation.
    pub(super) field: &'a [u64],
    /// Good positions with the geese to move, in that orientation.
    pub(super) geese: &'a [AtomicU64],
    /// The same in the other orientation, if that is kept as well.
    pub(super) geese_transposed: Option<&'a [AtomicU64]>,
    /// By block of that orientation: whether anything changed.
    pub(super) changed: &'a [AtomicBool],
    /// The codes that receive the changes, in that orientation.
    pub(super) codes: Option<&'a SharedCodes<'a>>,
}

/// A crossing move that the ring set of a block allows.
#[derive(Clone, Copy)]
struct Candidate {
    /// Bit of the arm set that it changes.
    bit: u16,
    /// The same bit if it must be clear before, else 0.
    clear: u16,
    /// Number of the block that it leads to.
    number: usize,
}

impl Candidate {
    /// Returns the arm set that it leads to from `arm`, if it is possible there.
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
        let own = own.expect("the block belongs to this layer");
        let moves = &self.fox.goose_back;
        let (row_moves, bit_moves) = (&moves[self.orientation], &moves[1 - self.orientation]);
        let row_crossing = self.candidates(block, row_moves, |points, inward| {
            if inward { points.checked_sub(1) } else { Some(points + 1) }
        });
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
            // Moves of rows apply to all bits of the word.
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
                let bit_arm = SETS.arm[block.bit_points][64 * column + bit as usize];
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
    /// Returns the crossing moves that the ring set of a block allows.
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

    /// Applies a change to positions of a word with the geese to move, if they are affected.
    /// Returns the number of positions changed.
    #[inline(always)]
    fn change(&self, number: usize, word: usize, bits: u64) -> u64 {
        let now = self.geese[word].load(Relaxed);
        let changed = match self.bound {
            Bound::Least => {
                let new = bits & !now;
                if new == 0 {
                    return 0;
                }
                // Of several threads that set a bit at the same time, exactly one counts it.
                new & !self.geese[word].fetch_or(new, Relaxed)
            }
            Bound::Greatest => {
                let tested = bits & now;
                if tested == 0 {
                    return 0;
                }
                let lost = tested & !self.good(number, word, tested);
                if lost == 0 {
                    return 0;
                }
                lost & self.geese[word].fetch_and(!lost, Relaxed)
            }
        };
        self.changed[number].store(true, Relaxed);
        if let Some(codes) = self.codes
            && let Some(start) = codes.start[number]
        {
            let word = start + word - self.shape.blocks[number].start;
            for plane in &codes.planes {
                plane[word].fetch_or(changed, Relaxed);
            }
        }
        if let Some(transposed) = self.geese_transposed {
            for_each_bit(changed, |bit| {
                let (word, bit) = self.transposed(number, word, bit as usize);
                match self.bound {
                    Bound::Least => transposed[word].fetch_or(bit, Relaxed),
                    Bound::Greatest => transposed[word].fetch_and(!bit, Relaxed),
                };
            });
        }
        u64::from(changed.count_ones())
    }

    /// Returns which of the `tested` positions of a word, with the geese to move, have a move to a
    /// good position.
    #[inline(always)]
    fn good(&self, number: usize, word: usize, tested: u64) -> u64 {
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
                good |= self.field[start.expect("the set belongs to this layer") + offset];
            }
        }
        for crossing in &row_moves.crossing {
            if crossing.is_possible(block.ring, row_arm) {
                let arm = row_arm ^ crossing.arm;
                let points =
                    if crossing.inward { block.row_points - 1 } else { block.row_points + 1 };
                let start = self
                    .shape
                    .start(block.ring ^ crossing.ring, points)
                    .expect("the set belongs to this layer");
                good |=
                    self.field[start + usize::from(SETS.rank[usize::from(arm)]) * width + column];
            }
        }
        for_each_bit(tested & !good, |bit| {
            let bit_arm = SETS.arm[block.bit_points][64 * column + bit as usize];
            let is_good = |start: usize, rank: u16| {
                self.field[start + usize::from(rank / 64)] >> (rank % 64) & 1 != 0
            };
            let found = bit_moves
                .targets(bit_arm)
                .iter()
                .any(|&rank| is_good(block.start + row * width, rank))
                || bit_moves.crossing.iter().any(|crossing| {
                    crossing.is_possible(block.ring, bit_arm) && {
                        let to = self.shape.number(block.ring ^ crossing.ring, block.row_points);
                        let to = &blocks[to.expect("the set belongs to this layer")];
                        is_good(
                            to.start + row * to.width(),
                            SETS.rank[usize::from(bit_arm ^ crossing.arm)],
                        )
                    }
                });
            good |= u64::from(found) << bit;
        });
        good
    }

    /// Returns the word in the other orientation that has a bit of a word of a block, and the bit
    /// there.
    fn transposed(&self, number: usize, word: usize, bit: usize) -> (usize, u64) {
        let block = &self.shape.blocks[number];
        let (row, column) =
            ((word - block.start) / block.width(), (word - block.start) % block.width());
        let row_arm = SETS.arm[block.row_points][row];
        let bit_arm = SETS.arm[block.bit_points][64 * column + bit];
        let (word, bit) = self.shape.locate(block.ring, bit_arm, row_arm);
        (word, 1 << bit)
    }
}
