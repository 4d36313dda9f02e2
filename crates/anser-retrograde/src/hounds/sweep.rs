//! Layers from the lowest up: the values of each, from those of the layer below with the lone man
//! to move.

use std::slice::ChunksExactMut;

use anser_core::{Dtw, Side};

use super::codes::{LONE_WON, decode, encode};
use super::lanes::{Board, Ends};
use super::sets::{Arrangement, Sets, Visitor};
use super::values::{Kernel, ROW_BYTES, Row};
use crate::parallel;
use anser_core::hounds::Goal;

/// One game on one board, with the tables that number its arrangements.
///
/// The layers are those of the game. No move changes the joint parity of the lone man's row, the
/// pack's steps, and the side to move. With `left` steps left to the pack, layer `left` holds the
/// positions with the parity of the start, and layer `most + 1 + left` the others; `most` is the
/// number of steps left at the start.
#[derive(Debug)]
pub(super) struct Sweep {
    pub(super) sets: Sets,
    kernel: Kernel,
}

/// The values of a layer with the lone man to move, as input of the layer above.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoneRows {
    /// One row of codes per arrangement, and [`ROW_BYTES`] bytes of padding.
    codes: Vec<u8>,
}

/// Coordinates of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LayerCoords {
    /// The sum of the pack's rows.
    pub(super) sum: usize,
    /// 0 for the half of the positions that has the start, 1 for the other.
    pub(super) component: usize,
}

impl LayerCoords {
    /// Returns the parity of the lone man's rows with `side` to move. At the start it is on the top
    /// row, which is odd.
    pub(super) fn parity(self, side: Side) -> usize {
        (1 + self.sum + self.component + side.index()) % 2
    }
}

impl Sweep {
    /// `men` are 1 to `width`.
    pub(super) fn new(width: usize, men: usize, light: bool, goal: Goal) -> Sweep {
        let board = Board::new(width, light, goal);
        Sweep { kernel: Kernel::new(&board), sets: Sets::new(board, men) }
    }

    /// Returns the coordinates of a layer, if there is such a layer.
    pub(super) fn coords(&self, layer: u16) -> Option<LayerCoords> {
        let most = self.sets.max_sum();
        let (component, left) = (usize::from(layer) / (most + 1), usize::from(layer) % (most + 1));
        (component < 2).then_some(LayerCoords { sum: most - left, component })
    }

    /// Returns the number of positions per arrangement of a group with the lone man on rows of
    /// `parity`.
    fn slots(&self, parity: usize, even: usize) -> usize {
        self.sets.board.lanes() - if parity == 0 { even } else { self.sets.men - even }
    }

    /// Returns the number of positions of a layer with `side` to move.
    pub(super) fn entries(&self, coords: LayerCoords, side: Side) -> u64 {
        let parity = coords.parity(side);
        (0..=self.sets.men)
            .map(|even| {
                u64::from(self.sets.group(coords.sum, even)) * self.slots(parity, even) as u64
            })
            .sum()
    }

    /// Computes the values of a layer. Each block of arrangements has a receiver, which gets them
    /// in order.
    pub(super) fn layer<R: Receiver>(
        &self,
        coords: LayerCoords,
        lower: &LoneRows,
        receivers: Vec<R>,
    ) -> (LoneRows, Vec<R>) {
        match self.sets.board.lanes() {
            ..=16 => self.layer_of::<16, R>(coords, lower, receivers),
            17..=32 => self.layer_of::<32, R>(coords, lower, receivers),
            _ => self.layer_of::<ROW_BYTES, R>(coords, lower, receivers),
        }
    }

    fn layer_of<const PADDED: usize, R: Receiver>(
        &self,
        coords: LayerCoords,
        lower: &LoneRows,
        receivers: Vec<R>,
    ) -> (LoneRows, Vec<R>) {
        let lanes = self.sets.board.lanes();
        let mut codes = self.no_rows(coords);
        let mut rest = &mut codes[..];
        let mut parts = Vec::new();
        for (block, receiver) in self.sets.blocks(coords.sum).into_iter().zip(receivers) {
            let (rows, after) = rest.split_at_mut(block.len as usize * lanes);
            rest = after;
            let rows = rows.chunks_exact_mut(lanes);
            parts.push((
                block,
                Part::<PADDED, R> { sweep: self, coords, lower: &lower.codes, rows, receiver },
            ));
        }
        let receivers =
            parallel::map(parts, &|(block, part)| self.sets.walk::<true, _>(&block, part).receiver);
        (LoneRows { codes }, receivers)
    }

    /// Allocates the rows of a layer.
    fn no_rows(&self, coords: LayerCoords) -> Vec<u8> {
        vec![LONE_WON; self.rows_len(coords)]
    }

    /// Returns the memory of the rows of a layer, in bytes.
    pub(super) fn rows_len(&self, coords: LayerCoords) -> usize {
        self.sets.len(coords.sum) as usize * self.sets.board.lanes() + ROW_BYTES
    }

    /// Returns the layer below, if there is one.
    pub(super) fn below(&self, coords: LayerCoords) -> Option<LayerCoords> {
        (coords.sum < self.sets.max_sum()).then_some(LayerCoords { sum: coords.sum + 1, ..coords })
    }

    /// Whether rows have the length for a layer.
    pub(super) fn belongs(&self, rows: &LoneRows, coords: LayerCoords) -> bool {
        rows.codes.len() == self.rows_len(coords)
    }

    /// Returns the code of the position with the lone man to move in a lane of an arrangement.
    pub(super) fn code(&self, rows: &LoneRows, row: u32, lane: usize) -> u8 {
        rows.codes[row as usize * self.sets.board.lanes() + lane]
    }

    /// Writes the values of a layer in the order of its index, by side to move, converted by
    /// `encode`.
    pub(super) fn fill<T: Copy + Send + Sync>(
        &self,
        coords: LayerCoords,
        lower: &LoneRows,
        out: [&mut [T]; 2],
        encode: impl Fn(Dtw) -> T,
    ) -> LoneRows {
        let meaning = Side::BOTH
            .map(|side| (0..=u8::MAX).map(|code| encode(decode(side, code))).collect::<Vec<T>>());
        let mut rest = out;
        let mut receivers = Vec::new();
        for block in self.sets.blocks(coords.sum) {
            let of_block = Side::BOTH
                .map(|side| block.len as usize * self.slots(coords.parity(side), block.even));
            let [lone, pack] = rest;
            let ((lone, lone_rest), (pack, pack_rest)) =
                (lone.split_at_mut(of_block[0]), pack.split_at_mut(of_block[1]));
            rest = [lone_rest, pack_rest];
            receivers.push(Fill { meaning: &meaning, out: [lone.iter_mut(), pack.iter_mut()] });
        }
        self.layer(coords, lower, receivers).0
    }

    /// Returns the rows of a layer from its values by rank, with the lone man to move. `None` if a
    /// value is one that no position has.
    pub(super) fn read(
        &self,
        coords: LayerCoords,
        value: impl Fn(u64) -> Dtw + Sync,
    ) -> Option<LoneRows> {
        let lanes = self.sets.board.lanes();
        let parity = coords.parity(Side::First);
        let mut codes = self.no_rows(coords);
        let mut rest = &mut codes[..];
        let mut parts = Vec::new();
        let mut entry = 0;
        for block in self.sets.blocks(coords.sum) {
            let (rows, after) = rest.split_at_mut(block.len as usize * lanes);
            rest = after;
            let rows = rows.chunks_exact_mut(lanes);
            parts.push((block, Read { value: &value, parity, entry, rows, sound: true }));
            entry += u64::from(block.len) * self.slots(parity, block.even) as u64;
        }
        let sound =
            parallel::map(parts, &|(block, read)| self.sets.walk::<true, _>(&block, read).sound);
        (!sound.contains(&false)).then_some(LoneRows { codes })
    }
}

/// Receives the values of a block of arrangements.
pub(super) trait Receiver: Send {
    /// Receives those of the next arrangement.
    fn receive(&mut self, arrangement: &Arrangement, ends: &Ends, row: &Row);
}

/// One thread's part of a layer.
struct Part<'a, const PADDED: usize, R> {
    sweep: &'a Sweep,
    coords: LayerCoords,
    lower: &'a [u8],
    /// Output of the values with the lone man to move, of the arrangements not visited yet.
    rows: ChunksExactMut<'a, u8>,
    receiver: R,
}

impl<const PADDED: usize, R: Receiver> Visitor for Part<'_, PADDED, R> {
    #[inline(always)]
    fn visit(&mut self, arrangement: &Arrangement, successors: &[u32]) {
        let Sweep { sets, kernel } = self.sweep;
        let ends = sets.board.ends(&arrangement.pack(), self.coords.parity(Side::First));
        let (parity, lanes) = (self.coords.parity(Side::Second), sets.board.lanes());
        let row = kernel.row::<PADDED>(&ends, parity, successors, self.lower, lanes);
        if let Some(out) = self.rows.next() {
            out.copy_from_slice(&row.lone[..lanes]);
        }
        self.receiver.receive(arrangement, &ends, &row);
    }
}

/// Writes the values of a block in the order of the index.
struct Fill<'a, T> {
    meaning: &'a [Vec<T>; 2],
    out: [std::slice::IterMut<'a, T>; 2],
}

impl<T: Copy + Send + Sync> Receiver for Fill<'_, T> {
    #[inline(always)]
    fn receive(&mut self, _: &Arrangement, ends: &Ends, row: &Row) {
        for (side, codes) in [&row.lone, &row.pack].into_iter().enumerate() {
            let mut empty = ends.empty[side];
            while empty != 0 {
                if let Some(out) = self.out[side].next() {
                    *out = self.meaning[side][usize::from(codes[empty.trailing_zeros() as usize])];
                }
                empty &= empty - 1;
            }
        }
    }
}

/// Reads the values of a block in the order of the index.
struct Read<'a, F> {
    value: &'a F,
    /// Of the lone man's rows.
    parity: usize,
    /// The next one.
    entry: u64,
    rows: ChunksExactMut<'a, u8>,
    sound: bool,
}

impl<F: Fn(u64) -> Dtw> Visitor for Read<'_, F> {
    fn visit(&mut self, arrangement: &Arrangement, _: &[u32]) {
        let Some(row) = self.rows.next() else { return };
        let men = arrangement.pack().men[self.parity];
        for (_, code) in row.iter_mut().enumerate().filter(|(lane, _)| men >> lane & 1 == 0) {
            match encode((self.value)(self.entry)) {
                Some(found) => *code = found,
                None => self.sound = false,
            }
            self.entry += 1;
        }
    }
}
