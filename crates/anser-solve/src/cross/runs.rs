//! Blocks of the table as runs of bits in rows.
//!
//! The bits of a half begin with its four inner points. So, for a fixed outer word, the inner words that agree in the ring and
//! in the four points of the rows' half are a run of at most six neighbouring bits in one row of a field.

use super::order::INNER;
use super::sets::SETS;
use super::shape::Shape;

/// The runs that make up a block of the table, for one orientation and one number of inner geese.
pub(super) struct Runs {
    pub(super) list: Vec<Run>,
    /// By place in the block: the place in the runs.
    pub(super) place: Vec<u16>,
    /// By place in the runs: the inner word.
    pub(super) word: Vec<u16>,
}

/// Neighbouring bits of a row, up to six.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) ring: u8,
    /// The inner points of the rows' half.
    pub(super) row_inner: u8,
    /// The number of inner geese in the other half.
    pub(super) points: u8,
    /// How many bits.
    pub(super) len: u8,
}

impl Runs {
    pub(super) fn new(inner: &[u16], orientation: usize, geese: usize) -> Runs {
        let mut list = Vec::new();
        // By inner word in the form of `Order::inner`: its place in the runs.
        let mut place_of = vec![0u16; 1 << 16];
        let mut next = 0;
        for ring in 0..=u8::MAX {
            for row_inner in 0..1u8 << INNER {
                let before = (ring.count_ones() + row_inner.count_ones()) as usize;
                let Some(points) = geese.checked_sub(before).filter(|&points| points <= INNER) else { continue };
                let mut len = 0;
                for bits in (0..1u16 << INNER).filter(|bits| bits.count_ones() as usize == points) {
                    let (a, b) =
                        if orientation == 0 { (u16::from(row_inner), bits) } else { (bits, u16::from(row_inner)) };
                    place_of[usize::from(u16::from(ring) | a << 8 | b << 12)] = next;
                    next += 1;
                    len += 1;
                }
                list.push(Run { ring, row_inner, points: points as u8, len });
            }
        }
        let words = || (0..1usize << 16).filter(|word| word.count_ones() as usize == geese);
        let place: Vec<u16> = words().map(|word| place_of[usize::from(inner[word])]).collect();
        let mut word = vec![0; place.len()];
        for (inner, &place) in words().zip(&place) {
            word[usize::from(place)] = inner as u16;
        }
        Runs { list, place, word }
    }
}

/// The ranks of the first arm sets with the given outer points and 0, 1, ... 4 inner ones.
pub(super) fn first_ranks(arm: u16) -> [u16; INNER + 1] {
    std::array::from_fn(|points| SETS.rank[usize::from(arm | ((1u16 << points) - 1))])
}

/// Where blocks of the table are read from.
pub(super) struct Source<'a> {
    pub(super) shape: &'a Shape,
    pub(super) orientation: usize,
    pub(super) rows: &'a [u64],
}

/// Blocks of the table for eight outer words, side by side.
#[derive(Default)]
pub(super) struct Eight {
    /// By place in the runs: bit `i` is of block `i`.
    in_runs: Vec<u8>,
    /// By block: the bits in the order of the table, eight a byte.
    bits: [Vec<u8>; 8],
}

impl Eight {
    /// The words of a block.
    pub(super) fn words(&self, block: usize) -> impl Iterator<Item = u64> {
        self.bits[block].chunks_exact(8).map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight bytes")))
    }
}

impl Source<'_> {
    /// The bits of eight outer words with the same arm set in the rows' half and equally many points in the other, and all
    /// inner words of a number of geese.
    pub(super) fn eight(&self, runs: &Runs, row_arm: u16, bit_arms: [u16; 8], eight: &mut Eight) {
        let len = runs.place.len();
        eight.in_runs.resize(len + 8, 0);
        let firsts = bit_arms.map(first_ranks);
        let bit_points = bit_arms[0].count_ones() as usize;
        let mut at = 0;
        for run in &runs.list {
            let row = row_arm | u16::from(run.row_inner);
            let width = SETS.width[bit_points + usize::from(run.points)];
            let start = self.shape.start(run.ring, row.count_ones() as usize).expect("the set is of this layer");
            let row = &self.rows[start + usize::from(SETS.rank[usize::from(row)]) * width..][..width];
            let mut values = 0;
            for (i, first) in firsts.iter().enumerate() {
                let bit = usize::from(first[usize::from(run.points)]);
                let mut value = row[bit / 64] >> (bit % 64);
                if bit % 64 + usize::from(run.len) > 64 {
                    value |= row[bit / 64 + 1] << (64 - bit % 64);
                }
                values |= (value & ((1 << run.len) - 1)) << (8 * i);
            }
            // What goes beyond the run is overwritten by the next one.
            eight.in_runs[at..at + 8].copy_from_slice(&transpose_8x8(values).to_le_bytes());
            at += usize::from(run.len);
        }
        for bits in &mut eight.bits {
            bits.resize(len.div_ceil(64) * 8, 0);
        }
        for (number, places) in runs.place.chunks(8).enumerate() {
            let mut bytes = [0; 8];
            for (byte, &place) in bytes.iter_mut().zip(places) {
                *byte = eight.in_runs[usize::from(place)];
            }
            let bytes = transpose_8x8(u64::from_le_bytes(bytes)).to_le_bytes();
            for (bits, byte) in eight.bits.iter_mut().zip(bytes) {
                bits[number] = byte;
            }
        }
    }
}

/// Bit `j` of byte `i` becomes bit `i` of byte `j`.
fn transpose_8x8(mut x: u64) -> u64 {
    let mut moved = (x ^ x >> 7) & 0x00aa_00aa_00aa_00aa;
    x ^= moved ^ moved << 7;
    moved = (x ^ x >> 14) & 0x0000_cccc_0000_cccc;
    x ^= moved ^ moved << 14;
    moved = (x ^ x >> 28) & 0x0000_0000_f0f0_f0f0;
    x ^ moved ^ moved << 28
}
