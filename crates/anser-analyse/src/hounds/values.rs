//! The values of a layer from those of the next lower one.

use super::codes::{LONE_NOW, PACK_NOW, before_lone, before_pack};
use super::lanes::{Board, Ends};

/// Where a row begins in the bytes that the lone man's steps are read from: room for the longest
/// step.
const MARGIN: usize = 16;

/// A row on its own, with room to be read in whole registers. Only its first lanes count.
pub(super) const ROOM: usize = 48;

/// What the kernels need to know of a board.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    width: usize,
    aside: [isize; 2],
    /// For each parity: 255 in the lanes from which there is a step aside.
    inner: [[u8; ROOM]; 2],
}

/// The values of one arrangement of the pack, in codes; of lanes of one parity with the pack to
/// move, and of the other with the lone man to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// The lone man to move. Where a man of the pack stands: [`LONE_NOW`], which the pack never
    /// prefers.
    pub(super) lone: [u8; ROOM],
    /// The pack to move. Where a man of the pack stands: [`PACK_NOW`], which the lone man never
    /// prefers.
    pub(super) pack: [u8; ROOM],
}

impl Kernel {
    pub(super) fn new(board: &Board) -> Kernel {
        Kernel { width: board.width, aside: board.aside, inner: board.inner.map(bytes) }
    }

    /// The values of an arrangement. `parity` is that of the lone man's rows when the pack is to
    /// move; `successors` are the row numbers of the arrangements after a step, and `lower` holds
    /// their values with the lone man to move, row after row of
    /// `stride` bytes, and [`ROOM`] bytes more. `PADDED` is at least `stride`, and at most `ROOM`.
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
        let mut best = [LONE_NOW; PADDED];
        for &row in successors {
            let from = row as usize * stride;
            for (best, &value) in best.iter_mut().zip(&lower[from..from + PADDED]) {
                *best = (*best).min(value);
            }
        }
        let (won, free) = (bytes::<PADDED>(lone_wins[1]), bytes::<PADDED>(ends.empty[1]));
        let mut pack = [PACK_NOW; ROOM];
        for lane in 0..PADDED {
            pack[lane] = (before_pack(best[lane]) | won[lane]) & free[lane];
        }

        // The lone man comes from a lane of the other parity: the one in the same place of the next
        // row or the last, or the one beside it. What comes from lanes that have nothing on that
        // side is wiped out.
        let mut same = [PACK_NOW; MARGIN + ROOM + MARGIN];
        let mut beside = same;
        for lane in 0..PADDED {
            same[MARGIN + lane] = pack[lane];
            beside[MARGIN + lane] = pack[lane] & self.inner[parity][lane];
        }
        let row = if parity == 0 { self.width as isize } else { -(self.width as isize) };
        let at = |step: isize| (MARGIN as isize + step) as usize;
        let aside = -self.aside[parity];
        let (near, far) = (&same[MARGIN..MARGIN + PADDED], &same[at(row)..at(row) + PADDED]);
        let (near_aside, far_aside) = (
            &beside[at(aside)..at(aside) + PADDED],
            &beside[at(row + aside)..at(row + aside) + PADDED],
        );
        let won = bytes::<PADDED>(lone_wins[0] | !ends.empty[0]);
        let lost = bytes::<PADDED>(ends.blocked[0]);
        let mut lone = [LONE_NOW; ROOM];
        for lane in 0..PADDED {
            let best = near[lane].max(far[lane]).max(near_aside[lane]).max(far_aside[lane]);
            lone[lane] = before_lone(best) & !lost[lane] | won[lane];
        }
        Row { lone, pack }
    }
}

/// A byte for each of the lowest bits: 255 where it is set.
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
