//! Sides and outcomes.

/// One of the two sides.
///
/// `First` is the side written in upper case (the fox, the rabbit, the hare, White), `Second` the
/// side written in lower case (the geese, the hounds, the pawns, Black). The first side need not
/// move first.
///
/// ```
/// use anser_core::Side;
/// assert_eq!(Side::First.other(), Side::Second);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The upper-case side: the fox.
    First,
    /// The lower-case side: the geese.
    Second,
}

impl Side {
    /// Both sides, in the order in which tables store them.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// Returns the opponent.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// Returns 0 for the first side, 1 for the second.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// Result of a position with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// This side can force a win.
    Win(Side),
    /// Neither side can force a win.
    Draw,
}

impl Outcome {
    /// All outcomes, in the order in which answers list them.
    pub const ALL: [Outcome; 3] =
        [Outcome::Win(Side::First), Outcome::Draw, Outcome::Win(Side::Second)];

    /// Returns the score for `side`: 1 won, 0 drawn, -1 lost.
    ///
    /// ```
    /// use anser_core::{Outcome, Side};
    /// assert_eq!(Outcome::Win(Side::First).score(Side::Second), -1);
    /// ```
    pub fn score(self, side: Side) -> i32 {
        match self {
            Outcome::Draw => 0,
            Outcome::Win(winner) if winner == side => 1,
            Outcome::Win(_) => -1,
        }
    }
}

/// The outcome with this winner, or a draw without one.
///
/// ```
/// use anser_core::{Outcome, Side};
/// assert_eq!(Outcome::from(Some(Side::First)), Outcome::Win(Side::First));
/// assert_eq!(Outcome::from(None), Outcome::Draw);
/// ```
impl From<Option<Side>> for Outcome {
    fn from(winner: Option<Side>) -> Outcome {
        winner.map_or(Outcome::Draw, Outcome::Win)
    }
}
