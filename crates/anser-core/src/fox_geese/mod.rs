//! Fox-and-Geese: its rule sets, and the cross of 33 points with its numbering.
//!
//! The fox steps along a line or jumps over a goose and takes it; the geese step. A fox that cannot
//! move has lost. Geese that cannot move have lost, and so have fewer than four geese, because no
//! three can trap the fox. Layer `p` holds the positions with `p` geese.
//!
//! The game itself is a description, [`fox_geese`](crate::hunt::fox_geese). What is here serves
//! every hunt of one piece on this board.

mod block_moves;
mod board;
mod index;
mod orbits;
mod packing;
mod rules;

pub(crate) use block_moves::CrossMoves;
pub use board::{Board, Jump, POINTS, Point, PointSet};
pub use index::{CrossIndex, IndexSegment, OuterBlock};
pub use rules::{Base, RuleSet};

use crate::Group;

/// Least number of geese that can trap the fox. With fewer, the fox has won.
pub const FEWEST_GEESE: usize = 4;

/// The moves of Fox-and-Geese under a rule set, as engines of this board use them.
/// [`Hunt::cross`](crate::hunt::Hunt::cross) recognizes them in a description.
///
/// ```
/// use anser_core::hunt::Hunt;
/// let game = Hunt::fox_geese("forward".parse()?);
/// let cross = game.cross().expect("the game is Fox-and-Geese");
/// assert_eq!((cross.rules().to_string(), cross.symmetry().order()), ("forward".into(), 2));
/// # Ok::<(), anser_core::RuleSetError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Cross {
    rules: RuleSet,
    symmetry: Group,
    board: &'static Board,
}

impl Cross {
    /// The moves under `rules`, with classes under `symmetry`.
    pub(crate) fn new(rules: RuleSet, symmetry: Group) -> Cross {
        let board = Board::get(rules.orthogonal, rules.base == Base::Forward);
        Cross { rules, symmetry, board }
    }

    /// Returns the rule set.
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// Returns the lines of the board under these rules.
    pub fn board(&self) -> &'static Board {
        self.board
    }

    /// Returns the symmetries of the classes.
    pub fn symmetry(&self) -> Group {
        self.symmetry
    }

    /// Returns the index of the layer with this number of geese.
    pub fn index(&self, layer: u16) -> CrossIndex {
        CrossIndex::new(self.symmetry, layer)
    }
}
