//! Transposition of bit matrices.

use super::tile::Tile;
use super::vector::Vector;
use anser_retrograde::isa::Isa;

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
