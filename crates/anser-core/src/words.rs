//! Outcomes and values in English.
//!
//! ```
//! use anser_core::Hunt;
//! use anser_core::{Dtw, Side, words::{value_text, wins}};
//! let game = Hunt::default();
//! assert_eq!(wins(&game, Side::First), "the fox wins");
//! assert_eq!(value_text(&game, Dtw::win(Side::Second, 1)), "won for the geese in 1 ply");
//! ```

use crate::hunt::Hunt;
use crate::{Noun, Outcome, Side, Value};

/// Returns a side with its article: `the fox`, `white`.
pub fn the(game: &Hunt, side: Side) -> String {
    match game.noun(side) {
        Noun::Name => game.side_name(side).into(),
        Noun::Singular | Noun::Plural => format!("the {}", game.side_name(side)),
    }
}

/// Returns the form of a verb for a side: `wins` for the fox and white, `win` for the geese.
pub fn verb<'a>(game: &Hunt, side: Side, singular: &'a str, plural: &'a str) -> &'a str {
    match game.noun(side) {
        Noun::Plural => plural,
        Noun::Singular | Noun::Name => singular,
    }
}

/// Returns `the fox wins`, `the geese win`, or `white wins`.
pub fn wins(game: &Hunt, side: Side) -> String {
    format!("{} {}", the(game, side), verb(game, side, "wins", "win"))
}

/// Returns `won for the fox` or `won for white`.
pub fn won_for(game: &Hunt, side: Side) -> String {
    format!("won for {}", the(game, side))
}

/// Returns a number of plies: `1 ply`, `44 plies`.
pub fn plies(count: impl Into<u64>) -> String {
    let count = count.into();
    format!("{count} {}", if count == 1 { "ply" } else { "plies" })
}

/// Returns an outcome, with its distance if that is known: `won for the hounds`, `drawn`,
/// `won for white in 1 ply`, `won for the hare by endless play`.
pub fn outcome_text(game: &Hunt, outcome: Outcome, distance: Option<u16>) -> String {
    match (outcome, distance) {
        (Outcome::Win(side), Some(distance)) => {
            format!("{} in {}", won_for(game, side), plies(distance))
        }
        (Outcome::Win(side), None) => won_for(game, side),
        (Outcome::Draw, _) => match game.endless() {
            Some(side) => format!("{} by endless play", won_for(game, side)),
            None => "drawn".into(),
        },
    }
}

/// Returns a value: `won for the hounds in 44 plies`, `drawn`, `over: won for the fox`.
pub fn value_text(game: &Hunt, value: impl Into<Value>) -> String {
    let value = value.into();
    match (value.outcome, value.plies) {
        (Outcome::Win(side), Some(0)) => format!("over: {}", won_for(game, side)),
        (outcome, distance) => outcome_text(game, outcome, distance),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_agree_with_sides_and_colors_have_no_article() {
        use crate::Dtw;
        use crate::Hunt;

        fn of(game: &Hunt) -> [String; 2] {
            Side::BOTH.map(|side| wins(game, side))
        }
        assert_eq!(of(&Hunt::default()), ["the fox wins", "the geese win"]);
        assert_eq!(of(&Hunt::fox_hounds(8, "escape").unwrap()), ["the fox wins", "the hounds win"]);
        assert_eq!(
            of(&Hunt::hasenspiel(8, 4, "literal").unwrap()),
            ["the rabbit wins", "the pawns win"]
        );
        let hare = Hunt::hare_hounds("unlimited").unwrap();
        let mut hares = of(&hare);
        hares.sort();
        assert_eq!(hares, ["the hare wins", "the hounds win"]);
        let pawns = Hunt::hexapawn("3x3".parse().unwrap());
        assert_eq!(of(&pawns), ["white wins", "black wins"]);
        assert_eq!(value_text(&pawns, Dtw::win(Side::Second, 1)), "won for black in 1 ply");
        assert_eq!(value_text(&hare, Dtw::DRAW), "drawn");
    }
}
