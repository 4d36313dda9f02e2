//! The positions that play from the start can reach, layer by layer downward.

use anser_core::Side;

use super::lanes::Ends;
use super::sets::{Arrangement, Sets, Visitor};
use super::sweep::LayerCoords;
use crate::parallel;

/// The positions of the start's component that play from the start can reach.
#[derive(Debug)]
pub(super) struct Reach {
    /// For every sum of rows, for every arrangement, the lanes with the lone man to move.
    lone: Vec<Vec<u64>>,
}

/// One thread's part of a layer.
struct Part<'a> {
    sets: &'a Sets,
    coords: LayerCoords,
    /// The lanes reached in the first arrangement of the layer, which no step leads to.
    first: u64,
    /// By arrangement of the layer above: the lanes with the pack to move that are not terminal.
    before: &'a [u64],
    /// The same of this layer, and the lanes with the lone man to move, of the arrangements that
    /// are not visited yet.
    out: std::iter::Zip<std::slice::IterMut<'a, u64>, std::slice::IterMut<'a, u64>>,
}

impl Visitor for Part<'_> {
    #[inline(always)]
    fn visit(&mut self, arrangement: &Arrangement, predecessors: &[u32]) {
        let ends = self.sets.board.ends(&arrangement.pack(), self.coords.parity(Side::First));
        // A pack that does not fill the bottom row has other arrangements there; it starts in the
        // first one.
        let first = if arrangement.row == 0 { self.first } else { 0 };
        let reached =
            predecessors.iter().fold(first, |reached, &row| reached | self.before[row as usize]);
        let reached = reached & ends.empty[0];
        if let Some((pack, lone)) = self.out.next() {
            *lone = reached;
            *pack = with_pack_to_move(self.sets, self.coords, &ends, reached) & ends.ongoing()[1];
        }
    }
}

/// Returns the lanes that a move of the lone man leads to.
#[inline(always)]
fn with_pack_to_move(sets: &Sets, coords: LayerCoords, ends: &Ends, lone: u64) -> u64 {
    sets.board.adjacent(coords.parity(Side::First), lone & ends.ongoing()[0]) & ends.empty[1]
}

impl Reach {
    /// Finds what the start reaches: the pack on the bottom row, the lone man in lane `start` of
    /// the top row and to move.
    ///
    /// `go_on` receives the number of arrangements done since its last call; the result is `None`
    /// if it returns false.
    pub(super) fn new(sets: &Sets, start: usize, go_on: impl Fn(u64) -> bool) -> Option<Reach> {
        let mut all = Vec::new();
        let mut before: Vec<u64> = Vec::new();
        for sum in 0..=sets.max_sum() {
            let len = sets.len(sum) as usize;
            let (mut lone, mut pack) = (vec![0; len], vec![0; len]);
            let coords = LayerCoords { sum, component: 0 };
            let first = if sum == 0 { 1 << start } else { 0 };
            let of_blocks = |items| sets.divide(sum, items, |block| block.len as usize);
            let parts = of_blocks(&mut lone[..]).zip(of_blocks(&mut pack[..]));
            let parts = parts.map(|((block, lone), (_, pack))| {
                let out = pack.iter_mut().zip(lone);
                (block, Part { sets, coords, first, before: &before, out })
            });
            parallel::for_each(parts, &|(block, part)| {
                sets.walk::<false, _>(&block, part);
            });
            all.push(lone);
            before = pack;
            if !go_on(len as u64) {
                return None;
            }
        }
        Some(Reach { lone: all })
    }

    /// Returns the reached lanes of an arrangement, with the lone man and with the pack to move.
    #[inline(always)]
    pub(super) fn of(&self, sets: &Sets, coords: LayerCoords, row: u32, ends: &Ends) -> [u64; 2] {
        let lone = self.lone[coords.sum][row as usize];
        [lone, with_pack_to_move(sets, coords, ends, lone)]
    }

    /// Returns the number of positions of the highest layer with the lone man to move: only the
    /// start.
    pub(super) fn starts(&self) -> u32 {
        self.lone[0].iter().map(|lanes| lanes.count_ones()).sum()
    }
}
