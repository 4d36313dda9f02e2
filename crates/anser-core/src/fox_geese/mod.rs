//! The cross of 33 points of Fox-and-Geese, with its numbering. Layer `p` holds the positions with
//! `p` geese.
//!
//! The game itself is a description, [`fox_geese`](crate::hunt::fox_geese). What is here serves
//! every hunt of one piece on this board.

pub(crate) mod block_moves;
mod board;
mod index;
mod orbits;
mod packing;

pub(crate) use board::{DIRECTIONS, ORTHOGONAL};
pub use board::{POINTS, Point};
pub use index::{CrossIndex, IndexSegment, OuterBlock};

use crate::Group;

/// Least number of geese that can trap the fox. With fewer, the fox has won.
pub const FEWEST_GEESE: usize = 4;

/// The moves of Fox-and-Geese under a rule set, as engines of this board use them.
/// [`Hunt::cross`](crate::hunt::Hunt::cross) recognizes them in a description.
///
/// ```
/// use anser_core::hunt::Hunt;
/// let game = Hunt::fox_geese("forward+chain")?;
/// let cross = game.cross().expect("the game is Fox-and-Geese");
/// assert_eq!((cross.chain, cross.compulsory, cross.symmetry().order()), (true, false, 2));
/// # Ok::<(), anser_core::hunt::FamilyError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cross {
    /// Whether the fox wins with its first capture.
    pub first_capture: bool,
    /// Whether the fox may jump several times in a turn.
    pub chain: bool,
    /// Whether a fox that can capture must.
    pub compulsory: bool,
    pub(crate) symmetry: Group,
    /// The directions of steps along the lines.
    pub(crate) directions: &'static [(i8, i8)],
    /// Those of them in which geese may step.
    pub(crate) goose_directions: &'static [(i8, i8)],
}

impl Cross {
    /// Returns the symmetries of the classes.
    pub fn symmetry(&self) -> Group {
        self.symmetry
    }

    /// Returns the index of the layer with this number of geese.
    pub fn index(&self, layer: u16) -> CrossIndex {
        CrossIndex::new(self.symmetry, layer)
    }
}
