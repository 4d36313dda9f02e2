//! Numbers of games by outcome.

use std::cmp::Ordering;

use anser_core::{BySide, Outcome, Side};
use num_bigint::BigUint;

/// Numbers of games by outcome.
///
/// ```
/// use anser_core::{BySide, Outcome, Side};
/// use anser_retrograde::Tally;
/// let tally = Tally::won_by(BySide::new(1_u32.into(), 3_u32.into()));
/// assert_eq!((tally.games(), tally.share(Side::Second)), (4_u32.into(), 0.75));
/// assert_eq!(Tally::of(Outcome::Draw).drawn, 1_u32.into());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// The number of games that each side wins.
    pub won: BySide<BigUint>,
    /// The number of drawn games.
    pub drawn: BigUint,
}

impl Tally {
    /// One game with this outcome.
    pub fn of(outcome: Outcome) -> Tally {
        let one = |is: bool| BigUint::from(u8::from(is));
        let won = BySide::from_fn(|side| one(outcome == Outcome::Win(side)));
        Tally { won, drawn: one(outcome == Outcome::Draw) }
    }

    /// Games that the sides win, none of them drawn.
    pub fn won_by(won: BySide<BigUint>) -> Tally {
        Tally { won, drawn: BigUint::ZERO }
    }

    /// Returns the number of games.
    pub fn games(&self) -> BigUint {
        &self.won[Side::First] + &self.won[Side::Second] + &self.drawn
    }

    /// Returns the number of games that `side` wins.
    pub fn won(&self, side: Side) -> &BigUint {
        &self.won[side]
    }

    /// Returns the share of the games that `side` wins, 0 to 1, exact to the last digits of the
    /// type.
    pub fn share(&self, side: Side) -> f64 {
        let games = self.games();
        // Both numbers may exceed the range of the type. The upper 1000 bits of the larger one
        // suffice for their quotient.
        let shift = games.bits().saturating_sub(1000);
        let upper = |count: &BigUint| -> f64 { decimal(&(count >> shift)) };
        if games == BigUint::ZERO { 0.0 } else { upper(self.won(side)) / upper(&games) }
    }

    /// Compares the [share](Tally::share) of `side` with that of another tally, without rounding.
    pub fn cmp_share(&self, other: &Tally, side: Side) -> Ordering {
        (self.won(side) * other.games()).cmp(&(other.won(side) * self.games()))
    }
}

/// A number below 2^1000 as a float.
fn decimal(count: &BigUint) -> f64 {
    count
        .iter_u64_digits()
        .rev()
        .fold(0.0, |sum, digit| sum * 18_446_744_073_709_551_616.0 + digit as f64)
}
