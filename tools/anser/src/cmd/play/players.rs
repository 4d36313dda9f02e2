//! Arguments about the players of both sides.

use anser_analyse::Style;
use anser_core::{BySide, Hunt, Side};

use crate::cmd::fuzz::factor;
use crate::failure::Failure;

/// Value of an option: one for both sides, or one per side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PerSide<T> {
    Both(T),
    /// Values by names of sides, which are checked with the game.
    BySide(Vec<(String, T)>),
}

/// Parses `hard`, or `fox=hard,geese=quick`.
pub(super) fn styles(text: &str) -> Result<PerSide<Style>, String> {
    // Networks need a feature.
    let is_there = |style: &Style| cfg!(feature = "learn") || *style != Style::Model;
    let all: Vec<Style> = Style::ALL.into_iter().filter(is_there).collect();
    per_side(text, "STYLE", |name| {
        let style = Style::named(name, &Style::ALL).ok();
        if style.is_some_and(|style| !is_there(&style)) {
            let build = "cargo build --release -p anser --features learn";
            return Err(format!(
                "this program has no networks; one that has is built by `{build}`"
            ));
        }
        Style::named(name, &all)
    })
}

/// Parses `0.1`, or `fox=0.1,geese=0`.
pub(super) fn fuzz(text: &str) -> Result<PerSide<f64>, String> {
    per_side(text, "P", factor)
}

/// Parses a value for both sides, or `SIDE=VALUE,..`.
fn per_side<T>(
    text: &str,
    value: &str,
    one: impl Fn(&str) -> Result<T, String>,
) -> Result<PerSide<T>, String> {
    if !text.contains('=') {
        return one(text).map(PerSide::Both);
    }
    let parts = text.split(',').map(|part| {
        let (side, name) =
            part.split_once('=').ok_or_else(|| format!("write SIDE={value}, not {part:?}"))?;
        Ok((side.trim().to_owned(), one(name.trim())?))
    });
    parts.collect::<Result<_, String>>().map(PerSide::BySide)
}

impl<T: Copy> PerSide<T> {
    /// Value of each side; `None` for sides without one. `option` is the name of the option.
    pub(super) fn of(&self, game: &Hunt, option: &str) -> Result<BySide<Option<T>>, Failure> {
        let parts = match self {
            PerSide::Both(value) => return Ok(BySide::from_fn(|_| Some(*value))),
            PerSide::BySide(parts) => parts,
        };
        let mut values = BySide::from_fn(|_| None);
        for (name, value) in parts {
            let side = side_of(game, name, "")?;
            if values[side].replace(*value).is_some() {
                return Err(Failure::usage(format!("{option} names {name} twice")));
            }
        }
        Ok(values)
    }
}

/// Side of this name. `more` lists the other values that the argument allows.
fn side_of(game: &Hunt, name: &str, more: &str) -> Result<Side, Failure> {
    let named =
        Side::BOTH.into_iter().find(|&side| game.side_name(side).eq_ignore_ascii_case(name));
    let names = Side::BOTH.map(|side| game.side_name(side)).join(", ");
    named.ok_or_else(|| {
        Failure::usage(format!("no side is called {name:?}; the sides are {names}{more}"))
    })
}

/// Whether a person plays each side, from the name of a side, `both`, or `none`.
pub(super) fn persons(game: &Hunt, text: &str) -> Result<BySide<bool>, Failure> {
    match text {
        "none" => Ok(BySide::new(false, false)),
        "both" => Ok(BySide::new(true, true)),
        name => {
            let person = side_of(game, name, "; or both, or none")?;
            Ok(BySide::from_fn(|side| side == person))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_are_for_both_sides_or_each() {
        assert_eq!(styles("quick"), Ok(PerSide::Both(Style::Quick)));
        let by_side = vec![("fox".to_owned(), Style::Hard), ("geese".to_owned(), Style::Document)];
        assert_eq!(styles("fox=hard, geese=document"), Ok(PerSide::BySide(by_side)));
        for wrong in ["", "nice", "fox=nice", "fox=", "fox=hard,quick"] {
            assert!(styles(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn fuzz_factors_are_for_both_sides_or_each() {
        assert_eq!(fuzz("0.25"), Ok(PerSide::Both(0.25)));
        assert_eq!(fuzz("fox=0.5"), Ok(PerSide::BySide(vec![("fox".to_owned(), 0.5)])));
        for wrong in ["", "1.5", "fox", "fox=", "fox=-1", "fox=0.5,1"] {
            assert!(fuzz(wrong).is_err(), "{wrong}");
        }
    }
}
