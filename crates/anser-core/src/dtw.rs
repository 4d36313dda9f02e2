//! Distances: the outcome, and the plies to the win.

use std::fmt;

use crate::{Outcome, Side};

/// Exact value of a position: a draw, or the winner and the number of plies, where the winner
/// hurries and the loser delays. A position in which the game is over is won in 0 plies.
///
/// ```
/// use anser_core::{Dtw, Outcome, Side};
/// let now = Dtw::win(Side::First, 3);
/// assert_eq!(now.outcome(), Outcome::Win(Side::First));
/// assert_eq!(now.plies(), Some(3));
/// // One ply before, the distance is one ply more.
/// assert_eq!(now.before(), Dtw::win(Side::First, 4));
/// // The winner hurries, the loser delays.
/// assert!(now.score(Side::First) > now.before().score(Side::First));
/// assert!(now.score(Side::Second) < now.before().score(Side::Second));
/// assert!(Dtw::DRAW.score(Side::Second) > now.score(Side::Second));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dtw(u16);

impl Dtw {
    /// Neither side can force a win.
    pub const DRAW: Dtw = Dtw(0);

    /// The longest distance in plies that the type can hold.
    pub const LONGEST: u16 = (u16::MAX - 2) / 2;

    /// Creates a win of `side` in `plies` plies.
    ///
    /// # Panics
    /// If `plies` is more than [`Dtw::LONGEST`].
    pub const fn win(side: Side, plies: u16) -> Dtw {
        assert!(plies <= Dtw::LONGEST, "no distance is that long");
        Dtw(2 * plies + 1 + side as u16)
    }

    /// Returns the value of a position in which the game is over.
    pub const fn ended(outcome: Outcome) -> Dtw {
        match outcome {
            Outcome::Win(side) => Dtw::win(side, 0),
            Outcome::Draw => Dtw::DRAW,
        }
    }

    /// Returns the outcome.
    pub const fn outcome(self) -> Outcome {
        match self.winner() {
            Some(side) => Outcome::Win(side),
            None => Outcome::Draw,
        }
    }

    /// Returns the side that wins; `None` for a draw.
    pub const fn winner(self) -> Option<Side> {
        match (self.0, self.0 & 1) {
            (0, _) => None,
            (_, 1) => Some(Side::First),
            _ => Some(Side::Second),
        }
    }

    /// Returns the plies to the win; `None` for a draw.
    pub const fn plies(self) -> Option<u16> {
        if self.0 == 0 { None } else { Some((self.0 - 1) / 2) }
    }

    /// Returns the same result with one more ply: the value of a position whose best move leads
    /// here.
    ///
    /// # Panics
    /// If the distance is [`Dtw::LONGEST`].
    #[must_use]
    pub const fn before(self) -> Dtw {
        if self.0 == 0 {
            return self;
        }
        assert!((self.0 - 1) / 2 < Dtw::LONGEST, "no distance is that long");
        Dtw(self.0 + 2)
    }

    /// Returns the score for `side`: the higher the better, 0 for a draw.
    pub const fn score(self, side: Side) -> i32 {
        match (self.winner(), self.plies()) {
            (Some(winner), Some(plies)) => {
                let score = 1 + Dtw::LONGEST as i32 - plies as i32;
                if winner as u8 == side as u8 { score } else { -score }
            }
            _ => 0,
        }
    }

    /// Returns the code in tables: 0 a draw, 2 d + 1 a win of the first side in d plies, 2 d + 2 a
    /// win of the second side in d plies.
    pub const fn code(self) -> u16 {
        self.0
    }

    /// Returns the value of a code; `None` for `u16::MAX`, which is not a code.
    ///
    /// ```
    /// use anser_core::{Dtw, Side};
    /// assert_eq!(Dtw::from_code(Dtw::win(Side::Second, 7).code()), Some(Dtw::win(Side::Second, 7)));
    /// assert_eq!(Dtw::from_code(u16::MAX), None);
    /// ```
    pub const fn from_code(code: u16) -> Option<Dtw> {
        if code == u16::MAX { None } else { Some(Dtw(code)) }
    }
}

impl fmt::Debug for Dtw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.winner(), self.plies()) {
            (Some(side), Some(plies)) => write!(f, "{side:?} wins in {plies}"),
            _ => f.write_str("draw"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_one_value_and_the_order_is_that_of_the_sides() {
        for code in 0..u16::MAX {
            let value = Dtw::from_code(code).expect("a code");
            assert_eq!(value.code(), code);
            match value.outcome() {
                Outcome::Draw => assert_eq!((value, value.plies()), (Dtw::DRAW, None)),
                Outcome::Win(side) => {
                    assert_eq!(Dtw::win(side, value.plies().expect("a win has plies")), value);
                }
            }
            for side in Side::BOTH {
                assert_eq!(value.score(side), -value.score(side.other()));
                assert_eq!(value.score(side).signum(), value.outcome().score(side));
            }
        }
    }
}
