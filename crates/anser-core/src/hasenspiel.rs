//! Hasenspiel, the rabbit's game: a white rabbit against four black pawns on the chessboard, or on
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
//! use anser_core::prelude::*;
//! use anser_core::{Outcome, Side, hasenspiel::{Hasenspiel, RuleSet}};
//! let [literal, author] = [RuleSet::Literal, RuleSet::Author].map(Hasenspiel::new);
//! assert_eq!(literal.format_position(&literal.start()), "1W2/4/4/4/4/4/4/bbbb w");
//! // The rabbit has got past all pawns, but is still on the way to the bottom row.
//! let past = literal.parse_position("4/4/4/4/4/Wbbb/3b/4 b")?;
//! assert_eq!(literal.terminal(&past), None);
//! assert_eq!(author.terminal(&past), Some(Outcome::Win(Side::First)));
//! # Ok::<(), anser_core::NotationError>(())
//! ```

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use crate::hounds::{
    Board, Color, Hunt, HuntRules, PackOrder, Position, RuleSetError, SizeError, Style,
    blocked_loses, lone_wins,
};
use crate::{BLOCKED, Outcome};

/// Hasenspiel under a rule set; the [module](self) has the rules.
pub type Hasenspiel = Hunt<RuleSet>;

/// Number of rows and columns in the document.
const SIZE: usize = 8;
/// Number of pawns in the document.
const PAWNS: usize = 4;

impl Hasenspiel {
    /// Creates the game of the document: 8 x 8 squares and four pawns.
    pub fn new(rules: RuleSet) -> Hasenspiel {
        match Hunt::on_board(SIZE, rules) {
            Ok(game) => game,
            Err(_) => unreachable!("there is a board of 8 x 8 squares"),
        }
    }

    /// Creates the game on `size` x `size` squares, one of [`Board::SIZES`], against `pawns`, 1 to
    /// `size / 2`.
    ///
    /// ```
    /// use anser_core::prelude::*;
    /// use anser_core::hasenspiel::{Hasenspiel, RuleSet};
    /// let game = Hasenspiel::sized(6, 2, RuleSet::Literal)?;
    /// assert_eq!((game.name(), game.format_position(&game.start())), ("hasenspiel:6-2".into(), "1W1/3/3/3/3/bb1 w".into()));
    /// assert_eq!(Hasenspiel::sized(8, 4, RuleSet::Literal)?.name(), "hasenspiel");
    /// # Ok::<(), anser_core::hounds::SizeError>(())
    /// ```
    ///
    /// # Errors
    /// If there is no board of this size, or the pawns do not fit on its bottom row.
    pub fn sized(size: usize, pawns: usize, rules: RuleSet) -> Result<Hasenspiel, SizeError> {
        Hunt::with_hounds(size, pawns, rules)
    }

    /// Creates the game of a size in the form that follows the name of the game: `10` for 10 x 10
    /// squares and a full bottom row of pawns, `10-3` for 3 pawns, the empty text for the game of
    /// the document.
    ///
    /// # Errors
    /// If the text is not a size of that form, or the pawns do not fit.
    pub fn of_size(size: &str, rules: RuleSet) -> Result<Hasenspiel, HasenspielSizeError> {
        let wrong = || HasenspielSizeError { given: size.into(), why: None };
        let number = |text: &str| {
            let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
            text.parse().ok().filter(|_| plain).ok_or_else(wrong)
        };
        let (size_of_board, pawns) = match size.split_once('-') {
            _ if size.is_empty() => (SIZE, PAWNS),
            Some((size, pawns)) => (number(size)?, number(pawns)?),
            None => (number(size)?, number(size)? / 2),
        };
        Hasenspiel::sized(size_of_board, pawns, rules)
            .map_err(|why| HasenspielSizeError { given: size.into(), why: Some(why) })
    }
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

/// The game under [`RuleSet::Literal`].
impl Default for Hasenspiel {
    fn default() -> Self {
        Hasenspiel::new(RuleSet::default())
    }
}

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

    /// Whether the rabbit has got through.
    #[inline]
    fn is_home(self, board: &Board, position: &Position) -> bool {
        match self {
            RuleSet::Literal => board.row(position.fox()) == 0,
            RuleSet::Author => {
                let lowest = position.hounds().first();
                lowest
                    .is_some_and(|pawn| position.fox().number() < pawn.number() + board.width() - 1)
            }
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
        RuleSet::all().find(|rules| rules.id() == text).ok_or_else(|| RuleSetError {
            game: "hasenspiel",
            given: text.into(),
            ids: [RuleSet::Literal.id(), RuleSet::Author.id()],
        })
    }
}

impl HuntRules for RuleSet {
    const STYLE: Style = Style {
        color: Color::Dark,
        men: ['W', 'b'],
        turns: ['w', 'b'],
        man_names: ["rabbit", "pawn"],
        side_names: ["rabbit", "pawns"],
        pack_order: PackOrder::ByNumber,
    };
    const MOVE_EXAMPLE: &'static str = "d8-c7";

    fn game_name(board: &Board) -> String {
        match (board.size(), board.hounds()) {
            (SIZE, PAWNS) => "hasenspiel".into(),
            (size, pawns) if pawns == board.width() => format!("hasenspiel:{size}"),
            (size, pawns) => format!("hasenspiel:{size}-{pawns}"),
        }
    }

    fn example(board: &Board) -> &'static str {
        static EXAMPLES: LazyLock<Vec<(usize, usize, String)>> = LazyLock::new(|| {
            let sizes = Board::SIZES
                .iter()
                .flat_map(|&size| (1..=size / 2).map(move |pawns| (size, pawns)));
            sizes.map(|(size, pawns)| (size, pawns, start_text(size, pawns))).collect()
        });
        let found = EXAMPLES
            .iter()
            .find(|(size, pawns, _)| (*size, *pawns) == (board.size(), board.hounds()));
        found.map_or("1W2/4/4/4/4/4/4/bbbb w", |(_, _, text)| text)
    }

    #[inline]
    fn terminal(self, board: &Board, position: &Position) -> Option<Outcome> {
        lone_wins(self.is_home(board, position)).or_else(|| blocked_loses(board, position))
    }

    fn ending(self, board: &Board, position: &Position) -> Option<&'static str> {
        let home = self.is_home(board, position);
        self.terminal(board, position).map(|_| if home { "home" } else { BLOCKED })
    }

    fn end_tests(self, board: &Board) -> String {
        match self {
            RuleSet::Literal => "rabbit-wins-on-row-1,then-blocked-mover-loses".into(),
            RuleSet::Author => {
                format!(
                    "rabbit-wins-below-lowest-pawn-plus-{},then-blocked-mover-loses",
                    board.width() - 1
                )
            }
        }
    }
}

/// Returns the notation of the start. Errors of the notation quote it, so it does not use the
/// notation.
fn start_text(size: usize, pawns: usize) -> String {
    let width = size / 2;
    let digits = |empty: usize| if empty == 0 { String::new() } else { empty.to_string() };
    let before = width - 1 - width / 2;
    let first = format!("{}W{}", digits(before), digits(width - 1 - before));
    let empty = format!("/{width}").repeat(size - 2);
    format!("{first}{empty}/{}{} w", "b".repeat(pawns), digits(width - pawns))
}
