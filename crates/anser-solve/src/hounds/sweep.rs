//! Layers from the lowest up: all values of each, from the values of the one below with the lone man to move.

use anser_core::{Dtw, Side};
use rayon::prelude::*;

use super::codes::{LONE_NOW, decode, encode};
use super::lanes::{Board, Ends, Goal};
use super::sets::{Arrangement, Block, MOST_STEPS, Sets};
use super::values::{Kernel, ROOM, Row};

/// One game on one board, with the tables that its arrangements are numbered by.
///
/// The layers are those of the game: with `left` steps left to the pack, layer `left` holds the positions from which the parity
/// of the lone man's row, the pack's steps and the side to move is that of the start, and layer `most + 1 + left` the
/// others, where `most` is the number of steps the pack has at the start.
#[derive(Debug)]
pub(super) struct Sweep {
    pub(super) sets: Sets,
    kernel: Kernel,
}

/// The values of a layer with the lone man to move, as the next layer wants them.
#[derive(Clone, Debug, Default)]
pub struct LoneRows {
    /// A row of codes for each arrangement, and [`ROOM`] bytes more.
    codes: Vec<u8>,
}

/// Where a layer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The sum of the pack's rows.
    pub(super) sum: usize,
    /// 0 for the half of the positions that the start belongs to.
    pub(super) component: usize,
}

impl Place {
    /// The parity of the lone man's rows with `side` to move. At the start it is on the last row, which is odd.
    pub(super) fn parity(self, side: Side) -> usize {
        (1 + self.sum + self.component + side.index()) % 2
    }
}

/// A part of a layer that one thread works on.
struct Part<'a, C> {
    block: Block,
    /// Where the values with the lone man to move go.
    lone: &'a mut [u8],
    own: C,
}

impl Sweep {
    pub(super) fn new(width: usize, light: bool, goal: Goal) -> Sweep {
        let board = Board::new(width, light, goal);
        Sweep { kernel: Kernel::new(&board), sets: Sets::new(board) }
    }

    /// The place of a layer, if there is such a layer.
    pub(super) fn place(&self, layer: u16) -> Option<Place> {
        let most = self.sets.most_sum();
        let (component, left) = (usize::from(layer) / (most + 1), usize::from(layer) % (most + 1));
        (component < 2).then_some(Place { sum: most - left, component })
    }

    /// The number of positions with the lone man on one of the rows of `parity`, for one arrangement of a group.
    fn slots(&self, parity: usize, even: usize) -> usize {
        self.sets.board.lanes() - if parity == 0 { even } else { self.sets.men - even }
    }

    /// The number of positions of a layer with `side` to move.
    pub(super) fn entries(&self, place: Place, side: Side) -> u64 {
        let parity = place.parity(side);
        (0..=self.sets.men)
            .map(|even| u64::from(self.sets.group(place.sum, even)) * self.slots(parity, even) as u64)
            .sum()
    }

    /// The values of a layer. `owned` are the visitors of its blocks; each sees the arrangements of its block in their order,
    /// with their values.
    pub(super) fn layer<C: Send>(
        &self,
        place: Place,
        lower: &LoneRows,
        owned: Vec<C>,
        visit: impl Fn(&mut C, &Arrangement, &Ends, &Row) + Sync,
    ) -> (LoneRows, Vec<C>) {
        match self.sets.board.lanes() {
            1 => self.layer_of::<1, 16, C>(place, lower, owned, visit),
            4 => self.layer_of::<4, 16, C>(place, lower, owned, visit),
            9 => self.layer_of::<9, 16, C>(place, lower, owned, visit),
            16 => self.layer_of::<16, 16, C>(place, lower, owned, visit),
            25 => self.layer_of::<25, 32, C>(place, lower, owned, visit),
            _ => self.layer_of::<36, 48, C>(place, lower, owned, visit),
        }
    }

    fn layer_of<const STRIDE: usize, const PADDED: usize, C: Send>(
        &self,
        place: Place,
        lower: &LoneRows,
        owned: Vec<C>,
        visit: impl Fn(&mut C, &Arrangement, &Ends, &Row) + Sync,
    ) -> (LoneRows, Vec<C>) {
        let mut codes = vec![LONE_NOW; self.sets.len(place.sum) as usize * STRIDE + ROOM];
        let mut rest = &mut codes[..];
        let mut parts = Vec::new();
        for (block, own) in self.sets.blocks(place.sum).into_iter().zip(owned) {
            let (lone, after) = rest.split_at_mut(block.len as usize * STRIDE);
            rest = after;
            parts.push(Part { block, lone, own });
        }
        let (lone, pack) = (place.parity(Side::First), place.parity(Side::Second));
        let owned = parts.into_par_iter().map(|Part { block, lone: out, mut own }| {
            let mut out = out.chunks_exact_mut(STRIDE);
            self.sets.walk::<true>(&block, |arrangement| {
                let mut rows = [0; MOST_STEPS];
                let successors = self.sets.neighbours::<true>(arrangement, &mut rows);
                let ends = self.sets.board.ends(&arrangement.pack(), lone);
                let row = self.kernel.row::<STRIDE, PADDED>(&ends, pack, successors, &lower.codes);
                if let Some(out) = out.next() {
                    out.copy_from_slice(&row.lone[..STRIDE]);
                }
                visit(&mut own, arrangement, &ends, &row);
            });
            own
        });
        let owned = owned.collect();
        (LoneRows { codes }, owned)
    }

    /// The code of a position with the lone man to move, in a lane of an arrangement.
    pub(super) fn code(&self, rows: &LoneRows, row: u32, lane: usize) -> u8 {
        rows.codes[row as usize * self.sets.board.lanes() + lane]
    }

    /// The values of a layer in the order of its index, with either side to move, in whatever `encode` makes of them.
    pub(super) fn fill<T: Copy + Send + Sync>(
        &self,
        place: Place,
        lower: &LoneRows,
        out: [&mut [T]; 2],
        encode: impl Fn(Dtw) -> T,
    ) -> LoneRows {
        let meaning = Side::BOTH.map(|side| (0..=u8::MAX).map(|code| encode(decode(side, code))).collect::<Vec<T>>());
        let parities = Side::BOTH.map(|side| place.parity(side));
        let mut rest = out;
        let mut owned = Vec::new();
        for block in self.sets.blocks(place.sum) {
            let of_block = parities.map(|parity| block.len as usize * self.slots(parity, block.even));
            let [lone, pack] = rest;
            let ((lone, lone_rest), (pack, pack_rest)) =
                (lone.split_at_mut(of_block[0]), pack.split_at_mut(of_block[1]));
            rest = [lone_rest, pack_rest];
            owned.push([lone.iter_mut(), pack.iter_mut()]);
        }
        let (rows, _) = self.layer(place, lower, owned, |out, _, ends, row| {
            for (side, codes) in [&row.lone, &row.pack].into_iter().enumerate() {
                let mut empty = ends.empty[side];
                while empty != 0 {
                    if let Some(out) = out[side].next() {
                        *out = meaning[side][usize::from(codes[empty.trailing_zeros() as usize])];
                    }
                    empty &= empty - 1;
                }
            }
        });
        rows
    }

    /// The rows of a layer from its values, by the index, with the lone man to move. `None` if one of them is no value that
    /// a position can have.
    pub(super) fn read(&self, place: Place, value: impl Fn(u64) -> Dtw + Sync) -> Option<LoneRows> {
        let lanes = self.sets.board.lanes();
        let parity = place.parity(Side::First);
        let mut codes = vec![LONE_NOW; self.sets.len(place.sum) as usize * lanes + ROOM];
        let mut rest = &mut codes[..];
        let mut parts = Vec::new();
        let mut first = 0u64;
        for block in self.sets.blocks(place.sum) {
            let (lone, after) = rest.split_at_mut(block.len as usize * lanes);
            rest = after;
            parts.push(Part { block, lone, own: first });
            first += u64::from(block.len) * self.slots(parity, block.even) as u64;
        }
        let sound = parts.into_par_iter().all(|Part { block, lone, own: mut entry }| {
            let mut sound = true;
            let mut out = lone.chunks_exact_mut(lanes);
            self.sets.walk::<true>(&block, |arrangement| {
                let Some(out) = out.next() else { return };
                let men = arrangement.pack().men[parity];
                for (lane, code) in out.iter_mut().enumerate().filter(|(lane, _)| men >> lane & 1 == 0) {
                    debug_assert!(lane < lanes);
                    match encode(value(entry)) {
                        Some(found) => *code = found,
                        None => sound = false,
                    }
                    entry += 1;
                }
            });
            sound
        });
        sound.then_some(LoneRows { codes })
    }
}
