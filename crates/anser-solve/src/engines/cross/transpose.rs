//! Transposition of bit matrices.

use super::vector::Vector;
use anser_retrograde::isa::Isa;

/// A matrix of 64 x 64 bits, arranged for transposition: row `i` is word `[i % 8][i / 8]`.
pub(super) type Tile = [[u64; 8]; 8];

/// Transposes a matrix of `rows` rows of `bits` bits, in which every row starts at a word: bit `j`
/// of row `i` becomes bit `i` of row `j`. With `order`, row `order[i]` is read for row `i`. The
/// bits of `to` beyond the end of its rows become zero.
#[inline(always)]
pub(super) fn transpose(
    isa: impl Isa,
    from: &[u64],
    (rows, bits): (usize, usize),
    order: Option<&[u16]>,
    to: &mut [u64],
) {
    let (from_width, to_width) = (bits.div_ceil(64), rows.div_ceil(64));
    assert!(from.len() >= rows * from_width && to.len() >= bits * to_width);
    assert!(order.is_none_or(|order| order.len() == rows));
    for to_word in 0..to_width {
        let first_row = 64 * to_word;
        let count = 64.min(rows - first_row);
        for from_word in 0..from_width {
            let mut tile: Tile = [[0; 8]; 8];
            match order {
                None => {
                    for i in 0..count {
                        tile[i % 8][i / 8] = from[(first_row + i) * from_width + from_word];
                    }
                }
                Some(order) => {
                    for (i, &row) in order[first_row..first_row + count].iter().enumerate() {
                        tile[i % 8][i / 8] = from[usize::from(row) * from_width + from_word];
                    }
                }
            }
            isa.transpose_tile(&mut tile);
            let first_bit = 64 * from_word;
            for j in 0..64.min(bits - first_bit) {
                to[(first_bit + j) * to_width + to_word] = tile[j % 8][j / 8];
            }
        }
    }
}

/// Transposes a tile in place.
#[inline(always)]
pub(super) fn transpose_tile(tile: &mut Tile) {
    transpose_bits(tile);
    transpose_bytes(tile);
}

/// Transposes the 8 x 8 bits at each byte of the words `[0..8][n]`, for every `n`: bit `j` of word
/// `i` becomes bit `i` of word `j`.
#[inline(always)]
pub(super) fn transpose_bits(tile: &mut Tile) {
    swap::<4>(tile, 0x0f0f_0f0f_0f0f_0f0f);
    swap::<2>(tile, 0x3333_3333_3333_3333);
    swap::<1>(tile, 0x5555_5555_5555_5555);
}

#[inline(always)]
fn swap<const D: usize>(tile: &mut Tile, low: u64) {
    for i in (0..8).filter(|i| i & D == 0) {
        let (mut first, mut second) = (tile[i], tile[i + D]);
        for (first, second) in first.iter_mut().zip(&mut second) {
            let moved = (*first >> D ^ *second) & low;
            *first ^= moved << D;
            *second ^= moved;
        }
        (tile[i], tile[i + D]) = (first, second);
    }
}

/// Transposes the bytes of every eight words `[n]`: byte `j` of word `i` becomes byte `i` of word
/// `j`.
#[inline(always)]
fn transpose_bytes(tile: &mut Tile) {
    for words in tile {
        let bytes = words.map(u64::to_le_bytes);
        *words = std::array::from_fn(|j| u64::from_le_bytes(std::array::from_fn(|i| bytes[i][j])));
    }
}
