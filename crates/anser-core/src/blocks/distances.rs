//! Distances of whole blocks of classes at once, by tables of moves.
//!
//! A block is computed in cells of 16 bits, one per class, that order values for the side to move:
//! a loss in `d` plies is `d`, a draw lies above all losses, a win in `d` plies is `u16::MAX - d`.
//! So the best of several moves is the greatest of their cells, and a class without moves is lost
//! in 0 plies, the least of all. The greatest cell marks classes whose moves are not all listed, in
//! which the game is over, or with a move to a win that is too long to be stored before: each of
//! them is computed by itself.

use std::ops::Range;

use crate::blocks::{BlockMoves, LONGEST_BLOCK, Moves, Target};
use crate::{Dtw, Side};

type Cells = Box<[u16; LONGEST_BLOCK]>;

const LOST: u16 = 0;
const DRAWN: u16 = 1 << 15;
const UNLISTED: u16 = u16::MAX;

/// Computes the distances of runs of classes with one side to move from those after each move,
/// block by block.
///
/// ```
/// use anser_core::Hunt;
/// use anser_core::{DistancesByBlocks, Dtw, Side, Target};
///
/// // If every position with the fox to move were drawn, geese that can move would draw.
/// let game = Hunt::fox_geese("first-capture")?;
/// let index = game.index(5);
/// let blocks = game.block_moves(5, &index).expect("Fox-and-Geese has blocks");
/// let mut codes = [u16::MAX; 64];
/// let drawn = |_: &Target<'_>, codes: &mut [u16]| {
///     codes.fill(Dtw::DRAW.code());
///     Ok::<_, String>(true)
/// };
/// let unlisted = DistancesByBlocks::new(&*blocks, Side::Second).codes(0, &mut codes, drawn)?;
/// let ranks = (0..64).filter(|rank| !unlisted.contains(rank));
/// assert!(ranks.into_iter().all(|rank| codes[rank as usize] == Dtw::DRAW.code()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DistancesByBlocks<'a> {
    blocks: &'a dyn BlockMoves,
    side: Side,
    /// The block that is computed.
    best: Cells,
    /// A target block as the side to move sees it, one ply before, and its layer and first rank.
    after: Cells,
    is_after: Option<(u16, u64)>,
}

impl<'a> DistancesByBlocks<'a> {
    /// Creates the computation for the classes of a layer with `side` to move.
    pub fn new(blocks: &'a dyn BlockMoves, side: Side) -> DistancesByBlocks<'a> {
        DistancesByBlocks { blocks, side, best: cells(), after: cells(), is_after: None }
    }

    /// Computes the codes of consecutive classes from rank `first` on; see [`Dtw::code`]. Returns
    /// the ranks of the classes that the caller must compute, in order: their moves are not all
    /// listed, or lead where `read` reads nothing.
    ///
    /// `read` fills a buffer with the codes of a target block, with the other side to move. It
    /// returns false if it does not have them.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn codes<E>(
        &mut self,
        first: u64,
        codes: &mut [u16],
        mut read: impl FnMut(&Target<'_>, &mut [u16]) -> Result<bool, E>,
    ) -> Result<Vec<u64>, E> {
        let mut unlisted = Vec::new();
        let ranks = first..first + codes.len() as u64;
        let mut at = ranks.start;
        while at < ranks.end {
            let block = self.blocks.block(at);
            at = block.end;
            self.block(&block, &mut read)?;
            let inside = block.start.max(ranks.start)..block.end.min(ranks.end);
            let best = &self.best[(inside.start - block.start) as usize..];
            let codes = &mut codes[(inside.start - ranks.start) as usize..];
            for ((rank, code), &cell) in inside.zip(codes).zip(best) {
                *code = match cell {
                    UNLISTED => {
                        unlisted.push(rank);
                        Dtw::DRAW.code()
                    }
                    cell => code_of(cell, self.side),
                };
            }
        }
        Ok(unlisted)
    }

    fn block<E>(
        &mut self,
        block: &Range<u64>,
        read: &mut impl FnMut(&Target<'_>, &mut [u16]) -> Result<bool, E>,
    ) -> Result<(), E> {
        let (len, side) = ((block.end - block.start) as usize, self.side);
        self.best[..len].fill(LOST);
        let mut failed = None;
        self.blocks.visit(side, block.start, &mut |moves| match moves {
            Moves::To(..) if failed.is_some() => {}
            Moves::To(places, target) => {
                match look_at(&mut self.after, &mut self.is_after, side, &target, read) {
                    Ok(true) => {
                        target.combine(places, &mut self.best, len, &self.after, Ord::max);
                    }
                    Ok(false) => places.change(&mut self.best, len, |_| UNLISTED),
                    Err(error) => failed = Some(error),
                }
            }
            Moves::End(places, outcome) => {
                let end = cell_before(Dtw::ended(outcome).code(), side);
                places.change(&mut self.best, len, |cell| cell.max(end));
            }
            // The game is over: a win in 0 plies has no cell.
            Moves::Over(places, _) | Moves::Unlisted(places) => {
                places.change(&mut self.best, len, |_| UNLISTED);
            }
            Moves::Only(places) => places.change(&mut self.best, len, |_| LOST),
        });
        failed.map_or(Ok(()), Err)
    }
}

/// Spreads a target block to `after`, unless it is there. Returns false if its layer was not read.
fn look_at<E>(
    after: &mut Cells,
    is_after: &mut Option<(u16, u64)>,
    side: Side,
    target: &Target<'_>,
    read: &mut impl FnMut(&Target<'_>, &mut [u16]) -> Result<bool, E>,
) -> Result<bool, E> {
    if *is_after == Some((target.layer, target.start)) {
        return Ok(true);
    }
    *is_after = None;
    let cells = &mut after[..target.len];
    if !read(target, cells)? {
        return Ok(false);
    }
    for cell in cells {
        *cell = cell_before(*cell, side);
    }
    *is_after = Some((target.layer, target.start));
    Ok(true)
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
