//! Ends of the games of this family.

use crate::hounds::Board;

/// A lone piece against a pack that only goes up, as engines of these boards use it.
/// [`Hunt::rows`](crate::hunt::Hunt::rows) recognizes it in a description.
///
/// ```
/// use anser_core::hounds::Goal;
/// use anser_core::hunt::Hunt;
/// let game = Hunt::fox_hounds(8, "strict")?;
/// let rows = game.rows().expect("the hounds only go up");
/// assert_eq!((rows.board.size(), rows.goal), (8, Goal::None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Rows {
    /// The board, with the number of the pack.
    pub board: &'static Board,
    /// The goal of the lone piece, besides a blocked pack.
    pub goal: Goal,
}

/// Goal by which a lone piece wins, on either side's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// It stands on a square out of the pack's reach, adjacent to another such square; tested after
    /// a block.
    Escape,
    /// Nothing but a blocked pack.
    None,
    /// It stands on the bottom row; tested before a block.
    BottomRow,
    /// The number of its square is less than `lowest + width - 1`, where `lowest` is the number of
    /// the lowest square of the pack; tested before a block.
    PastLowest,
}
