//! Computes the values of one arrangement from those of its successors in the next lower layer.

use super::codes::{LONE_WON, PACK_WON, before_lone, before_pack};
use super::lanes::{Board, Ends};

/// Padding on either side of a row from which shifted rows are read, in bytes. At least the longest
/// shift.
const MARGIN: usize = 16;

/// Length of a padded row, in bytes: a multiple of 16 that holds every row. Only the lanes of the
/// board are significant.
pub(super) const ROW_BYTES: usize = 48;

/// Constants of a board for the computation of rows.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    /// By parity, [`Board::lone_steps`].
    steps: [[isize; 2]; 2],
    /// By parity, `Board::inner` as one byte per lane, 255 or 0.
    inner: [[u8; ROW_BYTES]; 2],
}

/// Codes of the values of one arrangement of the pack, one per lane. The lanes have one parity with
/// the pack to move, and the other with the lone man to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// With the lone man to move. [`LONE_WON`] on squares of the pack, which no minimum selects.
    pub(super) lone: [u8; ROW_BYTES],
    /// With the pack to move. [`PACK_WON`] on squares of the pack, which no maximum selects.
    pub(super) pack: [u8; ROW_BYTES],
}

impl Kernel {
    pub(super) fn new(board: &Board) -> Kernel {
        Kernel {
            steps: [0, 1].map(|parity| board.lone_steps(parity)),
            inner: board.inner.map(bytes),
        }
    }

    /// Returns the values of an arrangement.
    ///
    /// `parity` is the parity of the lone man's rows with the pack to move. `successors` are the
    /// row numbers of the arrangements after one step of the pack. `lower` has the values of the
    /// next lower layer with the lone man to move: `stride` bytes per row number, then
    /// [`ROW_BYTES`] bytes of padding. `stride <= PADDED <= ROW_BYTES`.
    #[inline(always)]
    pub(super) fn row<const PADDED: usize>(
        &self,
        ends: &Ends,
        parity: usize,
        successors: &[u32],
        lower: &[u8],
        stride: usize,
    ) -> Row {
        let lone_wins = ends.lone_wins();
        let mut best = [LONE_WON; PADDED];
        for &row in successors {
            let from = row as usize * stride;
            for (best, &value) in best.iter_mut().zip(&lower[from..from + PADDED]) {
                *best = (*best).min(value);
            }
        }
        let (won, free) = (bytes::<PADDED>(lone_wins[1]), bytes::<PADDED>(ends.empty[1]));
        let mut pack = [PACK_WON; ROW_BYTES];
        for lane in 0..PADDED {
            pack[lane] = (before_pack(best[lane]) | won[lane]) & free[lane];
        }

        // The four steps of the lone man lead to lanes of the other parity at constant distances.
        // `beside` is for the two that change the column; it excludes lanes at the edge, whose
        // shifted values would wrap to the adjacent row.
        let mut same = [PACK_WON; MARGIN + ROW_BYTES + MARGIN];
        let mut beside = same;
        for lane in 0..PADDED {
            same[MARGIN + lane] = pack[lane];
            beside[MARGIN + lane] = pack[lane] & self.inner[parity][lane];
        }
        let [row, shift] = self.steps[parity];
        let window = |step: isize| {
            (MARGIN as isize + step) as usize..(MARGIN + PADDED).wrapping_add_signed(step)
        };
        let (near, far) = (&same[window(0)], &same[window(row)]);
        let (near_shifted, far_shifted) = (&beside[window(shift)], &beside[window(row + shift)]);
        let won = bytes::<PADDED>(lone_wins[0] | !ends.empty[0]);
        let lost = bytes::<PADDED>(ends.blocked[0]);
        let mut lone = [LONE_WON; ROW_BYTES];
        for lane in 0..PADDED {
            let best = near[lane].max(far[lane]).max(near_shifted[lane]).max(far_shifted[lane]);
            lone[lane] = before_lone(best) & !lost[lane] | won[lane];
        }
        Row { lone, pack }
    }
}

/// Expands each of the lowest `N` bits to a byte: 255 if it is set, otherwise 0.
#[inline(always)]
fn bytes<const N: usize>(bits: u64) -> [u8; N] {
    const OF_EIGHT: [[u8; 8]; 256] = {
        let mut table = [[0; 8]; 256];
        let mut bits = 0;
        while bits < 256 {
            let mut bit = 0;
            while bit < 8 {
                table[bits][bit] = if bits >> bit & 1 != 0 { 255 } else { 0 };
                bit += 1;
            }
            bits += 1;
        }
        table
    };
    let mut bytes = [0; N];
    for (eight, bits) in bytes.chunks_exact_mut(8).zip(bits.to_le_bytes()) {
        eight.copy_from_slice(&OF_EIGHT[usize::from(bits)]);
    }
    bytes
}
