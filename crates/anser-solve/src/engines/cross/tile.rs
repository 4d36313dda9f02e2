//! Transposition of 64 x 64 bits. [`Vector`](super::vector::Vector) chooses the implementation.

/// A matrix of 64 x 64 bits, arranged for transposition: row `i` is word `[i % 8][i / 8]`.
pub(super) type Tile = [[u64; 8]; 8];

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
