//! The rule sets of Fox-and-Hounds on an n x n board: a fox against n / 2 hounds.
//!
//! The game is played on the light squares of a board of 2, 4, ... or 12 squares a side. The hounds
//! start on the bottom row and step diagonally up, one per turn; the fox starts on the top row,
//! steps diagonally in any direction, and moves first. There are no captures. The fox loses when it
//! cannot move. It wins when the hounds cannot move. Under the rule set `escape` it also wins when
//! no hound can ever reach its square and one next to it; see [`RuleSet`].
//!
//! ```
//! use anser_core::hunt::Hunt;
//! use anser_core::{Outcome, Side};
//! let game = Hunt::fox_hounds(8, "escape".parse()?)?;
//! assert_eq!(game.name(), "fox-hounds:8");
//! // Three hounds and the board's edge hold the fox.
//! let trapped = game.parse_position("1Fh1/hh2/2h1/4/4/4/4/4 f")?;
//! assert_eq!(game.terminal(&trapped), Some(Outcome::Win(Side::Second)));
//! // Behind the hounds it has escaped.
//! let escaped = game.parse_position("4/4/4/h1h1/4/Fhh1/4/4 h")?;
//! assert_eq!(game.terminal(&escaped), Some(Outcome::Win(Side::First)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::str::FromStr;

use crate::{RuleSetError, rule_set};

/// The end of the game.
///
/// ```
/// use anser_core::fox_hounds::RuleSet;
/// assert_eq!("strict".parse(), Ok(RuleSet::Strict));
/// assert_eq!(RuleSet::all().map(|rules| rules.to_string()).collect::<Vec<_>>(), ["escape", "strict"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum RuleSet {
    /// A side to move without a move has lost. Otherwise the fox has won, with either side to move,
    /// if it has *escaped*: no hound could step up to its own square, nor to at least one next to
    /// it, on an empty board.
    #[default]
    Escape,
    /// A side to move without a move has lost, and nothing else ends the game.
    Strict,
}

impl RuleSet {
    /// Returns all rule sets.
    pub fn all() -> impl Iterator<Item = RuleSet> {
        [RuleSet::Escape, RuleSet::Strict].into_iter()
    }

    /// Returns the id.
    pub const fn id(self) -> &'static str {
        match self {
            RuleSet::Escape => "escape",
            RuleSet::Strict => "strict",
        }
    }

    /// Returns the rule set in sentences.
    pub const fn explain(self) -> &'static str {
        match self {
            RuleSet::Escape => {
                "A side to move that has no move has lost. The fox has also won when it has \
                 escaped: its square and at least one square next to it are where no hound can \
                 ever come. Whoever is to move, the game is over then."
            }
            RuleSet::Strict => {
                "A side to move that has no move has lost, and nothing else ends the game: a fox \
                 that has escaped still has to wait until the hounds have run out of moves."
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
        rule_set::named(RuleSet::all(), text, "fox-hounds:8 has escape and strict")
    }
}
