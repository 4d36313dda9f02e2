//! The differences between the games of this family: notation, and the end of the game.

use std::fmt;

use crate::hounds::{Board, Color, Position, moves};
use crate::{Outcome, Side};

/// A rule set of a game of a lone man against a pack.
///
/// It is a value, and its type is the game: all rule sets of a game are written in the same way.
pub trait HuntRules: Copy + Eq + fmt::Debug + fmt::Display + Send + Sync + 'static {
    /// How the game is written.
    const STYLE: Style;
    /// The first move of a game, as an example of the notation.
    const MOVE_EXAMPLE: &'static str;

    /// The game's name on a board, as on the command line.
    fn game_name(board: &Board) -> String;
    /// The start on a board, as an example of the notation.
    fn example(board: &Board) -> &'static str;

    /// Returns the outcome if the game is over.
    fn terminal(self, board: &Board, position: &Position) -> Option<Outcome>;
    /// Returns one word for the way in which the game has ended; see
    /// [`Notation::ending`](crate::Notation::ending).
    fn ending(self, board: &Board, position: &Position) -> Option<&'static str>;
    /// Returns the tests for the end of the game, in order, in a fixed textual form; the
    /// fingerprint has it.
    fn end_tests(self, board: &Board) -> String;
}

/// Notation of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// The squares that are played on.
    pub color: Color,
    /// The letters of the lone man and of the men of the pack.
    pub men: [char; 2],
    /// The letters of the sides to move.
    pub turns: [char; 2],
    /// The word for a man of either side.
    pub man_names: [&'static str; 2],
    /// The names of the sides.
    pub side_names: [&'static str; 2],
    /// The order of the moves of the pack.
    pub pack_order: PackOrder,
}

/// An order of the men of the pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackOrder {
    /// Column by column from the left, and upward in each.
    ByColumn,
    /// By the number of the square: row by row from the bottom, and from the left in each.
    ByNumber,
}

/// The rule that all these games share: a side to move without a move has lost.
#[inline]
pub(crate) fn blocked_loses(board: &Board, position: &Position) -> Option<Outcome> {
    moves::blocked(board, position).then(|| Outcome::Win(position.to_move.other()))
}

/// The lone man has won if `won`.
#[inline]
pub(crate) fn lone_wins(won: bool) -> Option<Outcome> {
    won.then_some(Outcome::Win(Side::First))
}

/// Error of parsing the id of a rule set.
///
/// ```
/// use anser_core::fox_hounds::RuleSet;
/// let error = "escaped".parse::<RuleSet>().unwrap_err();
/// assert!(error.to_string().contains("has escape and strict"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSetError {
    pub(crate) game: &'static str,
    pub(crate) given: String,
    pub(crate) ids: [&'static str; 2],
}

impl fmt::Display for RuleSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RuleSetError { game, given, ids: [first, second] } = self;
        write!(f, "no rule set is called {given:?}; {game} has {first} and {second}")
    }
}

impl std::error::Error for RuleSetError {}
