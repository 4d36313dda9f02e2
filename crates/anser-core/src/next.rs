//! Results of moves: the next position, or the end of the game.

use crate::Outcome;
use crate::hunt::Position;

/// Result of a move.
///
/// ```
/// use anser_core::Hunt;
/// use anser_core::{Next, Outcome, Side};
/// let game = Hunt::fox_geese("first-capture")?;
/// let position = game.parse_position("3/3/7/3F3/g2g3/3/ggg f")?;
/// let (_, next) = game.moves(&position)[0];
/// let Next::End(end) = next else { panic!("the fox wins by its first capture") };
/// assert_eq!(end.outcome, Outcome::Win(Side::First));
/// assert_eq!(game.reason_text(end.reason), "first capture");
/// assert_eq!(game.format_position(&end.position), "3/3/7/7/g6/1F1/ggg g");
/// // Asked for alone, the position that it leads to is still in play.
/// assert_eq!(game.terminal(&end.position), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A position with the other side to move, in the same layer or a lower one. The game may be
    /// over there by the rules of positions.
    Position(Position),
    /// The end of the game: the move itself decides it.
    End(End),
}

/// End of a game by a move that decides it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// The position that the move leads to, with the other side to move. It is for display: the
    /// outcome belongs to the move, so the position has no part in the value of the move, and need
    /// not be in any layer that is solved.
    pub position: Position,
    /// The outcome.
    pub outcome: Outcome,
    /// The number of the rule that ends the game among the
    /// [ends](crate::hunt::Description::ends) of the description.
    /// [`Hunt::reason_text`](crate::Hunt::reason_text) puts it into words.
    pub reason: usize,
}

impl Next {
    /// Returns the position that the move leads to, also if the move ends the game. Only the
    /// position of [`Next::Position`] may be looked up.
    pub fn position(&self) -> &Position {
        match self {
            Next::Position(position) | Next::End(End { position, .. }) => position,
        }
    }

    /// Returns the same result with another position: an image of it.
    #[must_use]
    pub fn map(self, position: impl FnOnce(Position) -> Position) -> Next {
        match self {
            Next::Position(next) => Next::Position(position(next)),
            Next::End(end) => Next::End(End { position: position(end.position), ..end }),
        }
    }
}
