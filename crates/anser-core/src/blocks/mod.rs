//! Moves of many classes at once, for checks and questions of whole layers.
//!
//! In an index that numbers whole words of positions in order, the classes lie in *blocks* of
//! consecutive ranks that differ in one part of the board only. A kind of move then changes all of
//! them in the same way, and a table has the rank of each result: no position is unranked, moved,
//! and ranked again. A game with such tables returns them from
//! [`Hunt::block_moves`](crate::Hunt::block_moves). They are for checks, and for readers of
//! tables that omit a side to move. An engine must compute its own moves, or it would share its
//! errors with the check.

pub(crate) mod distances;

use std::ops::Range;

use crate::{Outcome, Side};

/// Greatest number of classes in a block.
pub const LONGEST_BLOCK: usize = 1 << 14;

/// Moves of a layer by blocks. The *place* of a class is its rank less that of the first class of
/// its block.
///
/// Implemented for hunts, and for the numbering of the cross.
pub trait BlockMoves: Sync {
    /// Returns the block of a rank: at most [`LONGEST_BLOCK`] consecutive ranks, the same for both
    /// sides to move. The blocks cover the layer.
    fn block(&self, rank: u64) -> Range<u64>;

    /// Returns the lower layers that the visited moves lead to, each with the side to move there.
    fn below(&self) -> Vec<(u16, Side)>;

    /// Visits all moves of the classes of the block that begins with rank `start`.
    fn visit(&self, side: Side, start: u64, visit: &mut dyn FnMut(Moves<'_>));
}

/// Moves of some classes of a block.
#[derive(Clone, Copy, Debug)]
pub enum Moves<'a> {
    /// Each of these classes has a move to a class of a target block.
    To(Places<'a>, Target<'a>),
    /// Each of these classes has a move that ends the game with this outcome.
    End(Places<'a>, Outcome),
    /// The game is over in these classes, with this outcome.
    Over(Places<'a>, Outcome),
    /// The moves of these classes visited so far are void: the rules allow only those visited
    /// afterwards.
    Only(Places<'a>),
    /// Not all moves of these classes are visited. Callers generate them one position at a time.
    Unlisted(Places<'a>),
}

/// Places of a block with a number each; the [`Target`] gives the meaning of the numbers.
#[derive(Clone, Copy, Debug)]
pub enum Places<'a> {
    /// All places, each with itself as its number.
    All,
    /// Pairs of a place and a number, both below [`LONGEST_BLOCK`], places ascending.
    Some(&'a [[u16; 2]]),
}

/// Target block of moves.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// The layer.
    pub layer: u16,
    /// The first rank of the target block.
    pub start: u64,
    /// The number of classes of the target block, at most [`LONGEST_BLOCK`].
    pub len: usize,
    /// The place in the target block for each number; `None` if it is the number.
    pub places: Option<&'a [u16]>,
}

/// Lets the compiler see that an index lies inside a block.
const MASK: usize = LONGEST_BLOCK - 1;

impl Places<'_> {
    /// Changes the cells of these places among the first `len`, a cell per class of the block.
    pub fn change<C: Copy>(
        self,
        cells: &mut [C; LONGEST_BLOCK],
        len: usize,
        changed: impl Fn(C) -> C,
    ) {
        match self {
            Places::All => cells[..len].iter_mut().for_each(|cell| *cell = changed(*cell)),
            Places::Some(list) => {
                for &[from, _] in list {
                    let cell = &mut cells[usize::from(from) & MASK];
                    *cell = changed(*cell);
                }
            }
        }
    }
}

impl Target<'_> {
    /// Takes these moves into account: `cells` is what is known of each of the `len` classes of the
    /// block, `after` has a cell per class of the target block, and `combined` returns the better
    /// of two.
    pub fn combine<C: Copy>(
        &self,
        places: Places<'_>,
        cells: &mut [C; LONGEST_BLOCK],
        len: usize,
        after: &[C; LONGEST_BLOCK],
        combined: impl Fn(C, C) -> C,
    ) {
        match (places, self.places) {
            (Places::All, None) => {
                for (cell, &after) in cells[..len].iter_mut().zip(after) {
                    *cell = combined(*cell, after);
                }
            }
            (Places::All, Some(numbers)) => {
                for (cell, &place) in cells[..len].iter_mut().zip(numbers) {
                    *cell = combined(*cell, after[usize::from(place) & MASK]);
                }
            }
            (Places::Some(list), None) => {
                for &[from, to] in list {
                    let cell = &mut cells[usize::from(from) & MASK];
                    *cell = combined(*cell, after[usize::from(to) & MASK]);
                }
            }
            (Places::Some(list), Some(numbers)) => {
                for &[from, to] in list {
                    let cell = &mut cells[usize::from(from) & MASK];
                    *cell = combined(*cell, after[usize::from(numbers[usize::from(to)]) & MASK]);
                }
            }
        }
    }
}
