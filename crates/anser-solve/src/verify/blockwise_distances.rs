//! Distances of whole blocks of classes at once, by tables of moves.
//!
//! A block is computed in cells of 16 bits, one per class, that order values for the side to move:
//! a loss in `d` plies is `d`, a draw lies above all losses, a win in `d` plies is `u16::MAX - d`.
//! So the best of several moves is the greatest of their cells, and a class without moves is lost
//! in 0 plies, the least of all. The greatest cell marks classes whose moves are not all listed, in
//! which the game is over, or with a move to a win that is too long to be stored before: each of
//! them is computed by itself.

use std::ops::Range;

use anser_core::{BlockMoves, Dtw, Game, LONGEST_BLOCK, LayerIndex, Moves, Side, Target};

use crate::SolveError;
use crate::io::stored::Stored;
use crate::verify::blockwise::{change, combine};
use crate::verify::recompute::Recompute;

type Cells = Box<[u16; LONGEST_BLOCK]>;

const LOST: u16 = 0;
const DRAWN: u16 = 1 << 15;
const UNLISTED: u16 = u16::MAX;

/// Computes the distances of a run of ranks.
pub(crate) struct BlockwiseDistances<'r, 'a, G: Game> {
    recompute: &'r Recompute<'a, G>,
    blocks: &'r dyn BlockMoves,
    side: Side,
    /// The codes of the layer with the other side to move.
    successors: &'r [u16],
    /// The block that is computed.
    best: Cells,
    /// A target block as the side to move sees it, one ply before, and its layer and first rank.
    after: Cells,
    is_after: Option<(u16, u64)>,
}

impl<'r, 'a, G: Game> BlockwiseDistances<'r, 'a, G> {
    pub(crate) fn new(
        recompute: &'r Recompute<'a, G>,
        blocks: &'r dyn BlockMoves,
        side: Side,
        successors: &'r [u16],
    ) -> BlockwiseDistances<'r, 'a, G> {
        BlockwiseDistances {
            recompute,
            blocks,
            side,
            successors,
            best: cells(),
            after: cells(),
            is_after: None,
        }
    }

    /// Computes the codes of `ranks` into `out`.
    pub(crate) fn codes(mut self, ranks: Range<u64>, out: &mut [u16]) -> Result<(), SolveError> {
        let mut at = ranks.start;
        while at < ranks.end {
            let block = self.blocks.block(at);
            at = block.end;
            self.block(&block);
            let inside = block.start.max(ranks.start)..block.end.min(ranks.end);
            let best = &self.best[(inside.start - block.start) as usize..];
            let out = &mut out[(inside.start - ranks.start) as usize..];
            for ((rank, code), &cell) in inside.zip(out).zip(best) {
                *code = match cell {
                    UNLISTED => self.code(rank)?,
                    cell => code_of(cell, self.side),
                };
            }
        }
        Ok(())
    }

    /// Computes the code of a class whose moves are not all listed.
    #[cold]
    fn code(&self, rank: u64) -> Result<u16, SolveError> {
        let position = self.recompute.index.unrank(self.side, rank);
        let value =
            self.recompute.value(&position, self.side, |rank| Dtw::get(self.successors, rank))?;
        Ok(value.map_or(u16::MAX, Dtw::code))
    }

    fn block(&mut self, block: &Range<u64>) {
        let len = (block.end - block.start) as usize;
        self.best[..len].fill(LOST);
        self.blocks.visit(self.side, block.start, &mut |moves| match moves {
            Moves::To(places, target) => {
                if self.look_at(&target) {
                    combine(&mut self.best, &self.after, len, places, &target, |best, after| {
                        best.max(after)
                    });
                } else {
                    change(&mut self.best, len, places, |_| UNLISTED);
                }
            }
            Moves::End(places, outcome) => {
                let end = cell_before(Dtw::ended(outcome).code(), self.side);
                change(&mut self.best, len, places, |cell| cell.max(end));
            }
            // The game is over: a win in 0 plies has no cell.
            Moves::Over(places, _) | Moves::Unlisted(places) => {
                change(&mut self.best, len, places, |_| UNLISTED);
            }
            Moves::Only(places) => change(&mut self.best, len, places, |_| LOST),
        });
    }

    /// Spreads a target block to `after`. Returns false if its layer was not read.
    fn look_at(&mut self, target: &Target<'_>) -> bool {
        if self.is_after == Some((target.layer, target.start)) {
            return true;
        }
        let codes = if target.layer == self.recompute.layer {
            Some(self.successors)
        } else {
            self.recompute.below_codes(target.layer, self.side.other())
        };
        let Some(codes) = codes else { return false };
        let codes = &codes[target.start as usize..][..target.len];
        for (cell, &code) in self.after.iter_mut().zip(codes) {
            *cell = cell_before(code, self.side);
        }
        self.is_after = Some((target.layer, target.start));
        true
    }
}

/// Draws, on the heap from the start.
fn cells() -> Cells {
    let cells: Result<Cells, _> = vec![DRAWN; LONGEST_BLOCK].into_boxed_slice().try_into();
    cells.unwrap_or_else(|_| unreachable!("the lengths are equal"))
}

/// Returns the cell of a class for `side` to move with one move, to a position with this code.
#[inline]
fn cell_before(code: u16, side: Side) -> u16 {
    /// The codes of the longest wins. No code stores one ply more.
    const LONGEST: u16 = Dtw::win(Side::First, Dtw::LONGEST).code();
    let plies = code.wrapping_sub(1) / 2;
    // Odd codes are wins of the first side.
    match (code, (code & 1 != 0) == (side == Side::First)) {
        (0, _) => DRAWN,
        (LONGEST.., _) => UNLISTED,
        (_, true) => u16::MAX - 1 - plies,
        (_, false) => plies + 1,
    }
}

/// Returns the code of a cell of `side` to move, of a class whose moves are all listed.
fn code_of(cell: u16, side: Side) -> u16 {
    match cell {
        DRAWN => Dtw::DRAW.code(),
        cell if cell < DRAWN => Dtw::win(side.other(), cell).code(),
        cell => Dtw::win(side, u16::MAX - cell).code(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_in_the_order_of_scores_and_one_ply_before() {
        let plies = [0, 1, 2, 100, Dtw::LONGEST - 1];
        let wins = plies.iter().flat_map(|&plies| Side::BOTH.map(|side| Dtw::win(side, plies)));
        let values: Vec<Dtw> = wins.chain([Dtw::DRAW]).collect();
        for side in Side::BOTH {
            for value in &values {
                let cell = cell_before(value.code(), side);
                assert_eq!(code_of(cell, side), value.before().code());
                for other in &values {
                    assert_eq!(
                        cell.cmp(&cell_before(other.code(), side)),
                        value.score(side).cmp(&other.score(side))
                    );
                }
            }
            assert_eq!(code_of(LOST, side), Dtw::win(side.other(), 0).code());
            for winner in Side::BOTH {
                let longest = Dtw::win(winner, Dtw::LONGEST).code();
                assert_eq!(cell_before(longest, side), UNLISTED);
            }
        }
    }
}
