//! The rule sets of Hasenspiel, the rabbit's game: a white rabbit against four black pawns on the chessboard, or on
//! boards of other sizes and against other numbers of pawns.
//!
//! The game is played on the dark squares, the mirror image of [Fox-and-Hounds](crate::fox_hounds)
//! on 8 x 8. The pawns start on the bottom row and step diagonally up, one per turn; the rabbit
//! starts on d8, steps diagonally in any direction, and moves first. There are no captures. The
//! pawns win when the rabbit cannot move; the rabbit wins when it gets through to the bottom row,
//! or when the pawns cannot move. The [`RuleSet`] defines what getting through is.
//!
//! Squares are numbered 0 to 31 from a1, row by row from the bottom; the rabbit starts on 29.
//!
//! On `n` x `n` squares the rabbit starts on number `n * n / 2 - 1 - n / 4`, each rounded down, and
//! the pawns on the first numbers, as in the program of the document, whose sizes are parameters.
//!
//! ```
//! use anser_core::hasenspiel::RuleSet;
//! use anser_core::hunt::Hunt;
//! use anser_core::{Outcome, Side};
//! let [literal, author] = [RuleSet::Literal, RuleSet::Author].map(|rules| Hunt::hasenspiel(8, 4, rules).unwrap());
//! assert_eq!(literal.format_position(&literal.start()), "1W2/4/4/4/4/4/4/bbbb w");
//! // The rabbit has got past all pawns, but is still on the way to the bottom row.
//! let past = literal.parse_position("4/4/4/4/4/Wbbb/3b/4 b")?;
//! assert_eq!(literal.terminal(&past), None);
//! assert_eq!(author.terminal(&past), Some(Outcome::Win(Side::First)));
//! # Ok::<(), anser_core::NotationError>(())
//! ```

use std::fmt;
use std::str::FromStr;

use crate::hounds::{Board, Color, SizeError};
use crate::{RuleSetError, rule_set};

/// Number of rows and columns in the document.
pub const SIZE: usize = 8;
/// Number of pawns in the document.
pub const PAWNS: usize = 4;

/// Parses a size in the form that follows the name of the game into the number of rows and that of
/// the pawns: `10` for 10 x 10 squares and a full bottom row of pawns, `10-3` for 3 pawns, the empty
/// text for the game of the document.
///
/// ```
/// use anser_core::hasenspiel::parse_size;
/// assert_eq!((parse_size(""), parse_size("10-3")), (Ok((8, 4)), Ok((10, 3))));
/// assert!(parse_size("10-6").is_err());
/// ```
///
/// # Errors
/// If the text is not a size of that form, or the pawns do not fit.
pub fn parse_size(size: &str) -> Result<(usize, usize), HasenspielSizeError> {
    let wrong = || HasenspielSizeError { given: size.into(), why: None };
    let number = |text: &str| {
        let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
        text.parse().ok().filter(|_| plain).ok_or_else(wrong)
    };
    let (rows, pawns) = match size.split_once('-') {
        _ if size.is_empty() => (SIZE, PAWNS),
        Some((size, pawns)) => (number(size)?, number(pawns)?),
        None => (number(size)?, number(size)? / 2),
    };
    Board::with_hounds(rows, Color::Dark, pawns)
        .map(|_| (rows, pawns))
        .map_err(|why| HasenspielSizeError { given: size.into(), why: Some(why) })
}

/// Error of parsing a size of Hasenspiel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HasenspielSizeError {
    given: String,
    why: Option<SizeError>,
}

impl fmt::Display for HasenspielSizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.why {
            Some(why) => write!(f, "{why}")?,
            None => write!(f, "{:?} is no size of Hasenspiel", self.given)?,
        }
        f.write_str("; write hasenspiel:10 for 10 x 10 squares, hasenspiel:10-3 for 3 pawns there")
    }
}

impl std::error::Error for HasenspielSizeError {}

/// The end of the game. The tests apply in the given order, with either side to move.
///
/// The document does not define the order. It matters only for a rabbit to move that has got
/// through to the bottom row and is blocked there: it has won. No play from the start leads to such
/// a position.
///
/// ```
/// use anser_core::hasenspiel::RuleSet;
/// assert_eq!("author".parse(), Ok(RuleSet::Author));
/// assert_eq!(RuleSet::all().map(|rules| rules.to_string()).collect::<Vec<_>>(), ["literal", "author"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum RuleSet {
    /// The rules as written: the rabbit has won on the bottom row; otherwise a side to move without
    /// a move has lost.
    #[default]
    Literal,
    /// The test in the program of the document's author, for comparison with its figures: the
    /// rabbit has won if the number of its square is less than that of the lowest pawn plus 3 (on
    /// other boards, plus the squares of a row less one); otherwise a side to move without a move
    /// has lost.
    Author,
}

impl RuleSet {
    /// Returns all rule sets.
    pub fn all() -> impl Iterator<Item = RuleSet> {
        [RuleSet::Literal, RuleSet::Author].into_iter()
    }

    /// Returns the id.
    pub const fn id(self) -> &'static str {
        match self {
            RuleSet::Literal => "literal",
            RuleSet::Author => "author",
        }
    }

    /// Returns the rule set in sentences.
    pub const fn explain(self) -> &'static str {
        match self {
            RuleSet::Literal => {
                "The rabbit wins on reaching the bottom row, even if it could not move on from there. Otherwise a side to \
                 move that has no move has lost."
            }
            RuleSet::Author => {
                "The rabbit wins as soon as the number of its square is less than the lowest pawn's plus 3, squares being \
                 numbered from 0 on a1, row by row: then it has passed the pawns, or nearly. On boards of other sizes it is \
                 one less than a row has squares for the 3. Otherwise a side to move that \
                 has no move has lost. This is the test of the author's program; his words are the rule set literal."
            }
        }
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl FromStr for RuleSet {
    type Err = RuleSetError;

    fn from_str(text: &str) -> Result<RuleSet, RuleSetError> {
        rule_set::named(RuleSet::all(), text, "hasenspiel has literal and author")
    }
}
