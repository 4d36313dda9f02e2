//! The moves of many classes at once, for checks of whole layers.
//!
//! In an index that numbers whole words of positions in order, the classes lie in *blocks* of consecutive ranks that differ
//! in one part of the board only. A kind of move then does the same to all of them, and a table says where each lands: no
//! position is unranked, moved and ranked again. A game that has such tables offers them by
//! [`Game::block_moves`](crate::Game::block_moves). They are for checks. An engine must work its moves out for itself, or it
//! would share its mistakes with the check.

use std::ops::Range;

use crate::{Outcome, Side};

/// The longest block.
pub const LONGEST_BLOCK: usize = 1 << 14;

/// The moves of a layer by blocks. A class is known by its *place*, its rank less that of the block's first class.
pub trait BlockMoves: Sync {
    /// The block that a rank lies in: at most [`LONGEST_BLOCK`] consecutive ranks, the same for both sides to move. Blocks
    /// cover the layer.
    fn block(&self, rank: u64) -> Range<u64>;

    /// The lower layers that the moves visited lead to, each with the side to move there.
    fn below(&self) -> Vec<(u16, Side)>;

    /// Visits all moves of the classes of the block that begins with rank `start`.
    fn visit(&self, side: Side, start: u64, visit: &mut dyn FnMut(Moves<'_>));
}

/// Moves that some classes of a block have.
#[derive(Clone, Copy, Debug)]
pub enum Moves<'a> {
    /// Each of these classes has a move to a class of a target block.
    To(Places<'a>, Target<'a>),
    /// Each of these classes has a move that ends the game like this, or the game is over like this already.
    End(Places<'a>, Outcome),
    /// Of these classes no move visited so far counts: the rules allow only what is visited afterwards.
    Only(Places<'a>),
    /// The moves of these classes are not, or not all, among those visited; they must be asked for one by one.
    Unlisted(Places<'a>),
}

/// Some places of a block, and to each a number whose meaning the [`Target`] gives.
#[derive(Clone, Copy, Debug)]
pub enum Places<'a> {
    /// All of them, each to its own place.
    All,
    /// Pairs of a place and a number, both below [`LONGEST_BLOCK`], places ascending.
    Some(&'a [[u16; 2]]),
}

/// What moves lead to.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// The layer.
    pub layer: u16,
    /// The first rank of the target block.
    pub start: u64,
    /// The number of classes of the target block, at most [`LONGEST_BLOCK`].
    pub len: usize,
    /// The place in the target block by the number of the move; `None` if they are the same.
    pub places: Option<&'a [u16]>,
}
