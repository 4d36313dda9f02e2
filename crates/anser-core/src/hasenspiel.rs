//! Hasenspiel, the rabbit's game: a white rabbit against four black pawns on the chessboard.
//!
//! The game is played on the dark squares, the mirror image of [Fox-and-Hounds](crate::fox_hounds) on 8 x 8. The pawns start on
//! the bottom row and step diagonally up, one a turn; the rabbit starts on d8, steps diagonally in any direction, and moves
//! first. There are no captures. The pawns win when the rabbit cannot move; the rabbit wins when it gets through to the bottom
//! row, or when the pawns cannot move. What getting through means is up to the rule set; see [`RuleSet`].
//!
//! Squares are numbered 0 to 31 from a1, row by row from the bottom; the rabbit starts on 29.
//!
//! ```
//! use anser_core::{Game, Outcome, Side, hasenspiel::{Hasenspiel, RuleSet}};
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

use crate::hounds::{Board, Colour, Hunt, PackOrder, Position, RuleSetError, Rules, Style, blocked_loses, lone_wins};
use crate::{BLOCKED, Outcome};

/// Hasenspiel under a rule set; the [module](self) has the rules.
pub type Hasenspiel = Hunt<RuleSet>;

/// The rows and columns of the board.
const SIZE: usize = 8;

impl Hasenspiel {
    /// The game.
    pub fn new(rules: RuleSet) -> Hasenspiel {
        match Hunt::on_board(SIZE, rules) {
            Ok(game) => game,
            Err(_) => unreachable!("there is a board of 8 x 8 squares"),
        }
    }
}

/// The game under [`RuleSet::Literal`].
impl Default for Hasenspiel {
    fn default() -> Self {
        Hasenspiel::new(RuleSet::default())
    }
}

/// When the game ends. The tests are made in the order in which they are given here, and whoever is to move.
///
/// The document lets the order open. It matters only for a rabbit that has got through and is shut in on its turn, on the bottom
/// row: it has won here. No play from the start leads to such a position.
///
/// ```
/// use anser_core::hasenspiel::RuleSet;
/// assert_eq!("author".parse(), Ok(RuleSet::Author));
/// assert_eq!(RuleSet::all().map(|rules| rules.to_string()).collect::<Vec<_>>(), ["literal", "author"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum RuleSet {
    /// The rules in words: the rabbit has won on the bottom row; otherwise who is to move and has no move has lost.
    #[default]
    Literal,
    /// The test in the program of the document's author, to compare with its figures: the rabbit has won where the number of
    /// its square is less than that of the lowest pawn plus 3; otherwise who is to move and has no move has lost.
    Author,
}

impl RuleSet {
    /// Every rule set there is.
    pub fn all() -> impl Iterator<Item = RuleSet> {
        [RuleSet::Literal, RuleSet::Author].into_iter()
    }

    /// The id.
    pub const fn id(self) -> &'static str {
        match self {
            RuleSet::Literal => "literal",
            RuleSet::Author => "author",
        }
    }

    /// Whether the rabbit is where it has won.
    #[inline]
    fn is_home(self, board: &Board, position: &Position) -> bool {
        match self {
            RuleSet::Literal => board.row(position.fox()) == 0,
            RuleSet::Author => {
                let lowest = position.hounds().first();
                lowest.is_some_and(|pawn| position.fox().number() < pawn.number() + 3)
            }
        }
    }

    /// The rule set in sentences, for people.
    pub const fn explain(self) -> &'static str {
        match self {
            RuleSet::Literal => {
                "The rabbit wins on reaching the bottom row, even if it could not move on from there. Otherwise a side to \
                 move that has no move has lost."
            }
            RuleSet::Author => {
                "The rabbit wins as soon as the number of its square is less than the lowest pawn's plus 3, squares being \
                 numbered from 0 on a1, row by row: then it has passed the pawns, or nearly. Otherwise a side to move that \
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

impl Rules for RuleSet {
    const STYLE: Style = Style {
        colour: Colour::Dark,
        men: ['W', 'b'],
        turns: ['w', 'b'],
        man_names: ["rabbit", "pawn"],
        side_names: ["rabbit", "pawns"],
        pack_order: PackOrder::ByNumber,
    };
    const MOVE_EXAMPLE: &'static str = "d8-c7";

    fn game_name(_size: usize) -> String {
        "hasenspiel".into()
    }

    fn example(_size: usize) -> &'static str {
        "1W2/4/4/4/4/4/4/bbbb w"
    }

    #[inline]
    fn terminal(self, board: &Board, position: &Position) -> Option<Outcome> {
        lone_wins(self.is_home(board, position)).or_else(|| blocked_loses(board, position))
    }

    fn ending(self, board: &Board, position: &Position) -> Option<&'static str> {
        let home = self.is_home(board, position);
        self.terminal(board, position).map(|_| if home { "home" } else { BLOCKED })
    }

    fn end_tests(self) -> &'static str {
        match self {
            RuleSet::Literal => "rabbit-wins-on-row-1,then-blocked-mover-loses",
            RuleSet::Author => "rabbit-wins-below-lowest-pawn-plus-3,then-blocked-mover-loses",
        }
    }
}
