//! Notation of positions and moves, diagrams, and the error of malformed texts.

use std::borrow::Cow;
use std::fmt;

use crate::{Next, Picture, Reason, Rules, Side};

/// Grammar of the name of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noun {
    /// One piece, with an article: the fox wins.
    Singular,
    /// Several pieces, with an article: the geese win.
    Plural,
    /// Without an article: white wins.
    Name,
}

/// Result of [`Notation::ending`] if the side to move cannot move.
pub const BLOCKED: &str = "blocked";

/// Notation of the positions and moves of a game.
pub trait Notation: Rules {
    /// Returns the name of a side: `fox`, `geese`.
    fn side_name(&self, side: Side) -> &str;

    /// Returns the grammar of the name of a side.
    ///
    /// ```
    /// use anser_core::prelude::*;
    /// use anser_core::Hunt;
    /// use anser_core::{Noun, Side};
    /// let game = Hunt::default();
    /// assert_eq!(Side::BOTH.map(|side| game.noun(side)), [Noun::Singular, Noun::Plural]);
    /// ```
    fn noun(&self, side: Side) -> Noun {
        let _ = side;
        Noun::Name
    }

    /// Returns why the game is over, in a few words; `None` if it is not over. It is [`BLOCKED`] if
    /// the side to move cannot move and no other rule ended the game, and otherwise the game's own
    /// word: `escaped`.
    ///
    /// ```
    /// use anser_core::prelude::*;
    /// use anser_core::Hunt;
    /// use anser_core::BLOCKED;
    /// let game = Hunt::default();
    /// let trapped = game.parse_position("gFg/1g1/3g3/7/7/3/3 f")?;
    /// assert_eq!(game.ending(&trapped), Some(BLOCKED));
    /// # Ok::<(), anser_core::NotationError>(())
    /// ```
    fn ending(&self, position: &Self::Position) -> Option<&str> {
        self.terminal(position).map(|_| "over")
    }

    /// Returns why the game is over after a move, in a few words; `None` if it goes on.
    ///
    /// ```
    /// use anser_core::prelude::*;
    /// use anser_core::Hunt;
    /// let game = Hunt::default();
    /// let position = game.parse_position("3/3/7/3F3/3g3/3/ggg f")?;
    /// let (_, next) = game.moves(&position)[0];
    /// assert_eq!(game.ending_after(&next), Some("fewer than four geese"));
    /// # Ok::<(), anser_core::NotationError>(())
    /// ```
    fn ending_after(&self, next: &Next<Self::Position>) -> Option<&str> {
        match next {
            Next::Position(position) => self.ending(position),
            Next::End(end) => Some(self.reason_text(end.reason)),
        }
    }

    /// Returns the words of a reason for which a move ended the game: `first capture`.
    #[expect(clippy::unnecessary_literal_bound, reason = "games return their own words")]
    fn reason_text(&self, reason: Reason) -> &str {
        let _ = reason;
        "over"
    }

    /// Reads a position.
    ///
    /// # Errors
    /// What is wrong with the text, and at which column.
    fn parse_position(&self, text: &str) -> Result<Self::Position, NotationError>;

    /// Writes a position.
    fn format_position(&self, position: &Self::Position) -> String;

    /// Reads a move that is legal in `position`.
    ///
    /// # Errors
    /// What is wrong with the text, and at which column; or that there is no such move in
    /// `position`.
    fn parse_move(
        &self,
        position: &Self::Position,
        text: &str,
    ) -> Result<Self::Move, NotationError>;

    /// Writes a move.
    fn format_move(&self, mv: &Self::Move) -> String;

    /// Draws the board as a few lines of text.
    fn diagram(&self, position: &Self::Position) -> String;

    /// Returns the board for programs that draw it; `None` if the game has only a diagram.
    fn picture(&self, position: &Self::Position) -> Option<Picture> {
        let _ = position;
        None
    }
}

/// Error of parsing a position or a move.
///
/// ```
/// use anser_core::prelude::*;
/// use anser_core::Hunt;
/// let error = Hunt::default().parse_position("3/3/7/3F3/gggxggg/ggg/ggg f").unwrap_err();
/// assert_eq!(error.column(), 14);
/// assert!(error.to_string().contains("column 14"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError {
    column: usize,
    problem: String,
    example: Cow<'static, str>,
}

impl NotationError {
    /// Creates an error at `column`, counted from 1; `example` is a valid text.
    pub fn new(
        column: usize,
        problem: impl Into<String>,
        example: impl Into<Cow<'static, str>>,
    ) -> Self {
        NotationError { column, problem: problem.into(), example: example.into() }
    }

    /// Returns the column of the first wrong character, counted in characters from 1; one past the
    /// end if something is missing.
    pub fn column(&self) -> usize {
        self.column
    }

    /// Returns what is wrong there.
    pub fn problem(&self) -> &str {
        &self.problem
    }

    /// Returns a valid text of the expected kind.
    pub fn example(&self) -> &str {
        &self.example
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "column {}: {}; a right one looks like \"{}\"",
            self.column, self.problem, self.example
        )
    }
}

impl std::error::Error for NotationError {}
