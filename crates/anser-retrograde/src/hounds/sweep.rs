//! Layers from the lowest up: the values of each, from those of the layer below with the lone man
//! to move.

use std::slice::ChunksExactMut;

use anser_core::{Dtw, Side};

use super::codes::{LONE_WON, decode, encode};
use super::lanes::Ends;
use super::sets::{Arrangement, Block, Visitor};
use super::solver::HoundsSolver;
use super::values::{ROW_BYTES, Row};
use crate::bits::for_each_bit;
use crate::parallel;

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

/// The layers are those of the game. No move changes the joint parity of the lone man's row, the
/// pack's steps, and the side to move. With `left` steps left to the pack, layer `left` holds the
/// positions with the parity of the start, and layer `most + 1 + left` the others; `most` is the
/// number of steps left at the start.
impl HoundsSolver {
    fn coords(&self, layer: u16) -> LayerCoords {
        let most = self.sets.max_sum();
        let (component, left) = (usize::from(layer) / (most + 1), usize::from(layer) % (most + 1));
        assert!(component < 2, "the game has no layer {layer}");
        LayerCoords { sum: most - left, component }
    }

    /// Returns the number of positions of a block with `side` to move.
    fn positions(&self, coords: LayerCoords, side: Side, block: &Block) -> usize {
        let even = coords.parity(side) == 0;
        let occupied = if even { block.even } else { self.sets.men - block.even };
        block.len as usize * (self.sets.board.lanes() - occupied)
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
        let mut codes = vec![LONE_WON; self.rows_of_sum(coords.sum)];
        let rows = self.sets.divide(coords.sum, &mut codes, |block| block.len as usize * lanes);
        let parts = rows.zip(receivers).map(|((block, rows), receiver)| {
            let rows = rows.chunks_exact_mut(lanes);
            (block, Part::<PADDED, R> { solver: self, coords, lower: &lower.codes, rows, receiver })
        });
        let receivers =
            parallel::map(parts, &|(block, part)| self.sets.walk::<true, _>(&block, part).receiver);
        (LoneRows { codes }, receivers)
    }

    /// Returns the memory of the rows of a layer, in bytes.
    fn rows_of_sum(&self, sum: usize) -> usize {
        self.sets.len(sum) as usize * self.sets.board.lanes() + ROW_BYTES
    }

    /// Returns the memory of the rows of a layer, in bytes.
    ///
    /// # Panics
    /// If there is no such layer.
    pub fn rows_len(&self, layer: u16) -> u64 {
        self.rows_of_sum(self.coords(layer).sum) as u64
    }

    /// Returns the code of the position with the lone man to move in a lane of an arrangement.
    pub(super) fn code(&self, rows: &LoneRows, row: u32, lane: usize) -> u8 {
        rows.codes[row as usize * self.sets.board.lanes() + lane]
    }

    /// Computes all values of a layer and writes them to `out`: by side to move, in the order of
    /// the game's index, each converted by `encode`.
    ///
    /// `lower` are the rows of the layer below; `None` if there is no layer below. Returns the rows
    /// of this layer, for the layer above.
    ///
    /// ```
    /// use anser_core::Hunt;
    /// use anser_core::LayerIndex;
    /// use anser_core::{Dtw, Side};
    /// use anser_retrograde::hounds::HoundsSolver;
    ///
    /// let game = Hunt::fox_hounds(4, "escape")?;
    /// let solver = HoundsSolver::new(&game).unwrap();
    /// let (mut rows, mut values) = (None, [Vec::new(), Vec::new()]);
    /// for layer in 0..=game.layer(&game.start()) {
    ///     values = Side::BOTH.map(|side| vec![Dtw::DRAW; game.index(layer).len(side) as usize]);
    ///     let [first, second] = &mut values;
    ///     rows = Some(solver.fill(layer, rows.as_ref(), [first, second], |value| value));
    /// }
    /// // The last layer is that of the start.
    /// let start = game.start();
    /// let entry = game.index(game.layer(&start)).rank(&start) as usize;
    /// assert_eq!(values[0][entry], Dtw::win(Side::Second, 8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such layer, if the lengths of `out` differ from those of its index, or if
    /// `lower` is not the layer below.
    pub fn fill<T: Copy + Send + Sync>(
        &self,
        layer: u16,
        lower: Option<&LoneRows>,
        out: [&mut [T]; 2],
        encode: impl Fn(Dtw) -> T,
    ) -> LoneRows {
        let coords = self.coords(layer);
        let blocks = self.sets.blocks(coords.sum);
        for (side, out) in Side::BOTH.into_iter().zip(&out) {
            let positions: usize =
                blocks.iter().map(|block| self.positions(coords, side, block)).sum();
            assert_eq!(out.len(), positions, "as many values as layer {layer} has");
        }
        let sum_below = Some(coords.sum + 1).filter(|&sum| sum <= self.sets.max_sum());
        assert_eq!(
            lower.map(|lower| lower.codes.len()),
            sum_below.map(|sum| self.rows_of_sum(sum)),
            "the rows of the layer below, if and only if there is one"
        );
        let meaning = Side::BOTH
            .map(|side| (0..=u8::MAX).map(|code| encode(decode(side, code))).collect::<Vec<T>>());
        let [lone, pack] = out;
        let of = |side, out| {
            self.sets.divide(coords.sum, out, move |block| self.positions(coords, side, block))
        };
        let out = of(Side::First, lone).zip(of(Side::Second, pack));
        let receivers = out.map(|((_, lone), (_, pack))| Fill {
            meaning: &meaning,
            out: [lone.iter_mut(), pack.iter_mut()],
        });
        let receivers = receivers.collect();
        self.layer(coords, lower.unwrap_or(&LoneRows::default()), receivers).0
    }

    /// Returns the rows of a layer that was solved before, for the layer above. `value` returns the
    /// value with the first side to move at a rank; several threads call it.
    ///
    /// `None` if a value is one that no position of such a game has.
    ///
    /// # Panics
    /// If there is no such layer.
    pub fn rows(&self, layer: u16, value: impl Fn(u64) -> Dtw + Sync) -> Option<LoneRows> {
        let coords = self.coords(layer);
        let lanes = self.sets.board.lanes();
        let parity = coords.parity(Side::First);
        let mut codes = vec![LONE_WON; self.rows_of_sum(coords.sum)];
        let mut entry = 0;
        let rows = self.sets.divide(coords.sum, &mut codes, |block| block.len as usize * lanes);
        let parts = rows.map(|(block, rows)| {
            let rows = rows.chunks_exact_mut(lanes);
            let read = Read { value: &value, parity, entry, rows, sound: true };
            entry += self.positions(coords, Side::First, &block) as u64;
            (block, read)
        });
        let sound =
            parallel::map(parts, &|(block, read)| self.sets.walk::<true, _>(&block, read).sound);
        (!sound.contains(&false)).then_some(LoneRows { codes })
    }
}

/// Receives the values of a block of arrangements.
///
/// Implemented for counting values, and for filling an array with them.
pub(super) trait Receiver: Send {
    /// Receives those of the next arrangement.
    fn receive(&mut self, arrangement: &Arrangement, ends: &Ends, row: &Row);
}

/// One thread's part of a layer.
struct Part<'a, const PADDED: usize, R> {
    solver: &'a HoundsSolver,
    coords: LayerCoords,
    lower: &'a [u8],
    /// Output of the values with the lone man to move, of the arrangements not visited yet.
    rows: ChunksExactMut<'a, u8>,
    receiver: R,
}

impl<const PADDED: usize, R: Receiver> Visitor for Part<'_, PADDED, R> {
    #[inline(always)]
    fn visit(&mut self, arrangement: &Arrangement, successors: &[u32]) {
        let HoundsSolver { sets, kernel, .. } = self.solver;
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
            for_each_bit(ends.empty[side], |lane| {
                if let Some(out) = self.out[side].next() {
                    *out = self.meaning[side][usize::from(codes[lane as usize])];
                }
            });
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
