//! Reads blocks of the table as runs of bits in rows of a field; see [`order`](super::order).

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

/// Offsets of the runs of eight outer words in rows of one width.
#[derive(Clone, Copy)]
pub(crate) struct Lanes {
    /// First bits of the runs.
    bit: [u16; 8],
    /// The same as a byte of the row and a shift from there, such that four bytes from that byte
    /// lie within the row.
    byte: [u32; 8],
    shift: [u32; 8],
    /// Width of the rows in words.
    width: usize,
}

/// Maximum length of a run in bits.
const LONGEST: usize = 6;

impl Lanes {
    fn new(bit: [u16; 8], width: usize) -> Lanes {
        let last = 8 * width as u32 - 4;
        let byte = bit.map(|bit| u32::from(bit / 8).min(last));
        let shift = std::array::from_fn(|i| u32::from(bit[i]) - 8 * byte[i]);
        Lanes { bit, byte, shift, width }
    }

    /// Reads the runs: bit `i` of byte `j` is bit `j` of the run of word `i`. Bits beyond the end
    /// of a run are unspecified.
    #[inline(always)]
    pub(super) fn gather(&self, row: &[u64]) -> [u8; 8] {
        let mut values = 0;
        for (i, &bit) in self.bit.iter().enumerate() {
            let (word, bit) = (usize::from(bit / 64), usize::from(bit % 64));
            let mut value = row[word] >> bit;
            if bit + LONGEST > 64 && word + 1 < row.len() {
                value |= row[word + 1] << (64 - bit);
            }
            values |= (value & 0xff) << (8 * i);
        }
        transpose_8x8(values).to_le_bytes()
    }

    /// [`Lanes::gather`] with one load instruction for all eight words.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    pub(super) fn gather_avx2(&self, row: &[u64]) -> [u8; 8] {
        use std::arch::x86_64::{
            _mm256_castsi256_ps, _mm256_i32gather_epi32, _mm256_loadu_si256, _mm256_movemask_ps,
            _mm256_slli_epi32, _mm256_srlv_epi32,
        };
        assert!(row.len() >= self.width);
        // SAFETY: both arrays have 32 bytes, and unaligned loads require no more. `new` ensures
        // that four bytes from each `byte` lie within a row of `width` words, and `row` has at
        // least that many.
        let values = unsafe {
            let byte = _mm256_loadu_si256(self.byte.as_ptr().cast());
            let shift = _mm256_loadu_si256(self.shift.as_ptr().cast());
            _mm256_srlv_epi32(_mm256_i32gather_epi32::<1>(row.as_ptr().cast(), byte), shift)
        };
        let signs = |values| _mm256_movemask_ps(_mm256_castsi256_ps(values)) as u8;
        [
            signs(_mm256_slli_epi32::<31>(values)),
            signs(_mm256_slli_epi32::<30>(values)),
            signs(_mm256_slli_epi32::<29>(values)),
            signs(_mm256_slli_epi32::<28>(values)),
            signs(_mm256_slli_epi32::<27>(values)),
            signs(_mm256_slli_epi32::<26>(values)),
            0,
            0,
        ]
    }
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

/// Bit `i` of byte `j` becomes bit `j` of word `i`.
#[inline(always)]
pub(super) fn unzip(bytes: &[u8; 64]) -> [u64; 8] {
    let mut words = [0; 8];
    for (group, eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
        let transposed = transpose_8x8(u64::from_le_bytes(*eight)).to_le_bytes();
        for (word, byte) in words.iter_mut().zip(transposed) {
            *word |= u64::from(byte) << (8 * group);
        }
    }
    words
}

/// [`unzip`] with instructions that extract one bit of each byte.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
pub(super) fn unzip_avx2(bytes: &[u8; 64]) -> [u64; 8] {
    use std::arch::x86_64::{_mm256_add_epi8, _mm256_loadu_si256, _mm256_movemask_epi8};
    // SAFETY: the array has 64 bytes, and unaligned loads of 32 bytes require no more.
    let [mut low, mut high] = unsafe {
        [
            _mm256_loadu_si256(bytes.as_ptr().cast()),
            _mm256_loadu_si256(bytes.as_ptr().add(32).cast()),
        ]
    };
    let mut words = [0; 8];
    // From the highest bit down: each addition shifts the next bit to the top.
    for word in words.iter_mut().rev() {
        *word = u64::from(_mm256_movemask_epi8(low) as u32)
            | u64::from(_mm256_movemask_epi8(high) as u32) << 32;
        (low, high) = (_mm256_add_epi8(low, low), _mm256_add_epi8(high, high));
    }
    words
}

/// Bit `j` of byte `i` becomes bit `i` of byte `j`.
#[inline(always)]
fn transpose_8x8(mut x: u64) -> u64 {
    let mut moved = (x ^ x >> 7) & 0x00aa_00aa_00aa_00aa;
    x ^= moved ^ moved << 7;
    moved = (x ^ x >> 14) & 0x0000_cccc_0000_cccc;
    x ^= moved ^ moved << 14;
    moved = (x ^ x >> 28) & 0x0000_0000_f0f0_f0f0;
    x ^ moved ^ moved << 28
}

#[cfg(test)]
mod tests {
    use super::*;
    use anser_retrograde::isa::{Level, dispatch};

    struct Gather<'a>(&'a Lanes, &'a [u64]);

    impl Kernel for Gather<'_> {
        type Output = [u8; 8];
        fn run(self, isa: impl Isa) -> [u8; 8] {
            isa.gather(self.0, self.1)
        }
    }

    struct Unzip<'a>(&'a [u8; 64]);

    impl Kernel for Unzip<'_> {
        type Output = [u64; 8];
        fn run(self, isa: impl Isa) -> [u64; 8] {
            isa.unzip(self.0)
        }
    }

    #[test]
    fn runs_are_gathered_from_every_offset_of_a_row() {
        for width in [1, 2, 13] {
            let row: Vec<u64> =
                (1..=width as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
            let bits = 64 * width as u16 - LONGEST as u16;
            for first in 0..=bits {
                let lanes = Lanes::new(
                    std::array::from_fn(|i| (first + 11 * i as u16) % (bits + 1)),
                    width,
                );
                for level in Level::available() {
                    let bytes = dispatch(level, Gather(&lanes, &row));
                    for (i, &bit) in lanes.bit.iter().enumerate() {
                        for (j, byte) in bytes[..LONGEST].iter().enumerate() {
                            let bit = usize::from(bit) + j;
                            assert_eq!(
                                u64::from(byte >> i & 1),
                                row[bit / 64] >> (bit % 64) & 1,
                                "{level:?} {bit}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn unzip_moves_bit_i_of_every_byte_to_word_i() {
        let bytes: [u8; 64] = std::array::from_fn(|i| (i as u8).wrapping_mul(151).wrapping_add(7));
        for level in Level::available() {
            let words = dispatch(level, Unzip(&bytes));
            for (i, word) in words.iter().enumerate() {
                for (j, byte) in bytes.iter().enumerate() {
                    assert_eq!(word >> j & 1, u64::from(byte >> i & 1), "{level:?} {i} {j}");
                }
            }
        }
    }
}
