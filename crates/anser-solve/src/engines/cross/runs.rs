//! Reads blocks of the table as runs of bits in rows of a field; see [`order`](super::order).

use super::lanes::Lanes;
use super::sets::{INNER, SETS};
use super::shape::Shape;
use super::vector::Vector;
use anser_retrograde::isa::{Isa, Kernel, prefetch};

/// Runs that make up a block of the table, for one orientation and one number of inner geese.
pub(super) struct BitRuns {
    pub(super) list: Vec<BitRun>,
    /// By number in table order: number in run order.
    pub(super) to_run_order: Vec<u16>,
    /// By number in run order: inner word.
    pub(super) inner_word: Vec<u16>,
}

/// Consecutive bits of a row, at most six.
#[derive(Clone, Copy)]
pub(super) struct BitRun {
    pub(super) ring: u8,
    /// Inner points of the rows' half.
    pub(super) row_inner: u8,
    /// Number of inner geese in the other half.
    pub(super) points: u8,
    /// Number of bits.
    pub(super) len: u8,
}

impl BitRuns {
    pub(super) fn new(inner: &[u16], orientation: usize, geese: usize) -> BitRuns {
        let mut list = Vec::new();
        // By inner word in the form of `Tables::inner`: number in run order.
        let mut number_of = vec![0u16; 1 << 16];
        let mut next = 0;
        for ring in 0..=u8::MAX {
            for row_inner in 0..1u8 << INNER {
                let before = (ring.count_ones() + row_inner.count_ones()) as usize;
                let Some(points) = geese.checked_sub(before).filter(|&points| points <= INNER)
                else {
                    continue;
                };
                let mut len = 0;
                for bits in (0..1u16 << INNER).filter(|bits| bits.count_ones() as usize == points) {
                    let (a, b) = if orientation == 0 {
                        (u16::from(row_inner), bits)
                    } else {
                        (bits, u16::from(row_inner))
                    };
                    number_of[usize::from(u16::from(ring) | a << 8 | b << 12)] = next;
                    next += 1;
                    len += 1;
                }
                list.push(BitRun { ring, row_inner, points: points as u8, len });
            }
        }
        let words = || (0..1usize << 16).filter(|word| word.count_ones() as usize == geese);
        let to_run_order: Vec<u16> =
            words().map(|word| number_of[usize::from(inner[word])]).collect();
        let mut inner_word = vec![0; to_run_order.len()];
        for (inner, &number) in words().zip(&to_run_order) {
            inner_word[usize::from(number)] = inner as u16;
        }
        BitRuns { list, to_run_order, inner_word }
    }
}

/// Returns the ranks of the first arm sets with the given outer points and 0 to 4 inner points.
fn first_ranks(arm: u16) -> [u16; INNER + 1] {
    std::array::from_fn(|points| SETS.rank[usize::from(arm | ((1u16 << points) - 1))])
}

/// Field from which blocks of the table are read.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) shape: &'a Shape,
    pub(super) orientation: usize,
    pub(super) rows: &'a [u64],
    /// Bits that are inverted when they are written: none or all.
    pub(super) invert: u64,
}

/// Buffers for the blocks of the table of eight outer words, which are read together.
#[derive(Default)]
pub(super) struct EightBlocks {
    /// First word of the row in the field, by run.
    starts: Vec<u32>,
    /// By number in run order: bit `i` belongs to block `i`.
    in_runs: Vec<u8>,
    /// Bits in table order, by block.
    bits: [Vec<u64>; 8],
}

/// Reads the blocks of outer words with the same arm set in the rows' half and the same number of
/// points in the other half, for all inner words with a given number of geese.
pub(super) struct ReadGroup<'a, F> {
    pub(super) source: Source<'a>,
    pub(super) runs: &'a BitRuns,
    pub(super) row_arm: u16,
    /// Arm set in the other half, by outer word.
    pub(super) bit_arms: &'a [u16],
    pub(super) blocks: &'a mut EightBlocks,
    /// Called with the number of each outer word and the words of its bits.
    pub(super) put: F,
}

impl<F: FnMut(usize, &[u64])> Kernel for ReadGroup<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run(self, isa: impl Isa) {
        let ReadGroup {
            source: Source { shape, rows, .. },
            runs,
            row_arm,
            bit_arms,
            blocks,
            mut put,
        } = self;
        let EightBlocks { starts, in_runs, bits } = blocks;
        let bit_points = bit_arms[0].count_ones() as usize;
        let widths: [usize; INNER + 1] =
            std::array::from_fn(|points| SETS.width[bit_points + points]);
        let len = runs.to_run_order.len();
        in_runs.resize(len + 8, 0);
        for bits in &mut *bits {
            bits.resize(len.div_ceil(64), 0);
        }
        // The rows are scattered over the field, so they are prefetched together.
        starts.clear();
        starts.extend(runs.list.iter().map(|run| {
            let row = row_arm | u16::from(run.row_inner);
            let width = widths[usize::from(run.points)];
            let start = shape
                .start(run.ring, row.count_ones() as usize)
                .expect("the set belongs to this layer");
            let start = start + usize::from(SETS.rank[usize::from(row)]) * width;
            prefetch(isa, &rows[start..start + width]);
            start as u32
        }));
        for (number, chunk) in bit_arms.chunks(8).enumerate() {
            // Fewer than eight are padded with the last.
            let firsts: [[u16; INNER + 1]; 8] =
                std::array::from_fn(|i| first_ranks(chunk[i.min(chunk.len() - 1)]));
            let lanes: [Lanes; INNER + 1] = std::array::from_fn(|points| {
                Lanes::new(firsts.map(|first| first[points]), widths[points])
            });
            let mut at = 0;
            for (run, &start) in runs.list.iter().zip(&*starts) {
                let lanes = &lanes[usize::from(run.points)];
                // The next run overwrites the bits beyond the end of this one.
                in_runs[at..at + 8]
                    .copy_from_slice(&isa.gather(lanes, &rows[start as usize..][..lanes.width]));
                at += usize::from(run.len);
            }
            for (number, in_table) in runs.to_run_order.chunks(64).enumerate() {
                let mut bytes = [0; 64];
                for (byte, &number) in bytes.iter_mut().zip(in_table) {
                    *byte = in_runs[usize::from(number)];
                }
                for (bits, word) in bits.iter_mut().zip(isa.unzip(&bytes)) {
                    bits[number] = word;
                }
            }
            for (i, bits) in bits[..chunk.len()].iter().enumerate() {
                put(8 * number + i, bits);
            }
        }
    }
}
