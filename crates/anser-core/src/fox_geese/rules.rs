//! The rule sets of Fox-and-Geese and their ids.

use std::fmt;
use std::str::FromStr;

use crate::RuleSetError;

/// What a right id looks like.
const RIGHT: &str = "a rule set is free, first-capture, or forward, with any of the switches +orthogonal, +chain, \
                     +compulsory after it";

/// Base of a rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Base {
    /// Geese go in any direction; play goes on after a capture.
    Free,
    /// Geese go in any direction; the fox wins with its first capture.
    FirstCapture,
    /// Geese go sideways and toward rank 7; play goes on after a capture.
    Forward,
}

/// A rule set: a base and switches.
///
/// The id is the name of the base followed by the switches that are on, in the order `orthogonal`,
/// `chain`, `compulsory`, joined by `+`. Switches are read in any order and always printed in this
/// one.
///
/// ```
/// use anser_core::fox_geese::RuleSet;
/// let rules: RuleSet = "free+compulsory+chain".parse()?;
/// assert_eq!(rules.to_string(), "free+chain+compulsory");
/// assert_eq!(RuleSet::all().count(), 18);
/// # Ok::<(), anser_core::RuleSetError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleSet {
    pub(super) base: Base,
    pub(super) orthogonal: bool,
    pub(super) chain: bool,
    pub(super) compulsory: bool,
}

impl RuleSet {
    /// The text of the paper: geese in any direction, captures optional, one jump per turn.
    pub const FREE: RuleSet =
        RuleSet { base: Base::Free, orthogonal: false, chain: false, compulsory: false };
    /// `FREE`, but the fox wins with its first capture.
    pub const FIRST_CAPTURE: RuleSet = RuleSet { base: Base::FirstCapture, ..RuleSet::FREE };
    /// `FREE`, but geese never go backward.
    pub const FORWARD: RuleSet = RuleSet { base: Base::Forward, ..RuleSet::FREE };

    /// Returns all rule sets.
    pub fn all() -> impl Iterator<Item = RuleSet> {
        [Base::Free, Base::FirstCapture, Base::Forward].into_iter().flat_map(|base| {
            (0..8u8).filter_map(move |switches| {
                RuleSet::new(base, switches & 1 != 0, switches & 2 != 0, switches & 4 != 0).ok()
            })
        })
    }

    /// Creates a rule set.
    ///
    /// # Errors
    /// If `base` is [`Base::FirstCapture`] with `chain` or `compulsory`, which then change nothing.
    pub fn new(
        base: Base,
        orthogonal: bool,
        chain: bool,
        compulsory: bool,
    ) -> Result<RuleSet, RuleSetError> {
        if base == Base::FirstCapture && (chain || compulsory) {
            return Err(RuleSetError::new(
                "with first-capture the fox wins by its first capture, so chain and compulsory captures change nothing",
                RIGHT,
            ));
        }
        Ok(RuleSet { base, orthogonal, chain, compulsory })
    }

    /// Returns the base.
    pub fn base(self) -> Base {
        self.base
    }

    /// Whether the board has no diagonal lines.
    pub fn orthogonal(self) -> bool {
        self.orthogonal
    }

    /// Whether the fox may jump several times in a turn.
    pub fn chain(self) -> bool {
        self.chain
    }

    /// Whether a fox that can capture must.
    pub fn compulsory(self) -> bool {
        self.compulsory
    }

    /// Returns the rule set in sentences.
    ///
    /// ```
    /// use anser_core::fox_geese::RuleSet;
    /// assert!(RuleSet::FORWARD.explain().contains("never backward"));
    /// ```
    pub fn explain(self) -> String {
        let mut text = String::new();
        text.push_str(match self.base {
            Base::Forward => {
                "Geese step sideways or toward rank 7, along the diagonals too, never backward."
            }
            Base::Free | Base::FirstCapture => "Geese step in any direction.",
        });
        text.push_str(match (self.base, self.chain, self.compulsory) {
            (Base::FirstCapture, ..) => " The fox wins with its first capture.",
            (_, false, false) => " The fox may capture one goose a turn by jumping over it; it never has to.",
            (_, true, false) => {
                " The fox may capture by jumping and may go on jumping in the same turn; it never has to."
            }
            (_, false, true) => " A fox that can capture must; it takes one goose a turn.",
            (_, true, true) => {
                " A fox that can capture must, and goes on jumping in the same turn until it cannot; it chooses the way."
            }
        });
        if self.orthogonal {
            text.push_str(" The board has no diagonal lines.");
        }
        text
    }
}

impl Default for RuleSet {
    fn default() -> Self {
        RuleSet::FREE
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.base {
            Base::Free => "free",
            Base::FirstCapture => "first-capture",
            Base::Forward => "forward",
        })?;
        for (on, name) in [
            (self.orthogonal, "orthogonal"),
            (self.chain, "chain"),
            (self.compulsory, "compulsory"),
        ] {
            if on {
                write!(f, "+{name}")?;
            }
        }
        Ok(())
    }
}

impl FromStr for RuleSet {
    type Err = RuleSetError;

    fn from_str(text: &str) -> Result<RuleSet, RuleSetError> {
        let mut parts = text.split('+');
        let base = match parts.next() {
            Some("free") => Base::Free,
            Some("first-capture") => Base::FirstCapture,
            Some("forward") => Base::Forward,
            other => return Err(RuleSetError::unknown(other.unwrap_or_default(), RIGHT)),
        };
        let (mut orthogonal, mut chain, mut compulsory) = (false, false, false);
        for part in parts {
            let switch = match part {
                "orthogonal" => &mut orthogonal,
                "chain" => &mut chain,
                "compulsory" => &mut compulsory,
                _ => {
                    return Err(RuleSetError::new(format!("no switch is called {part:?}"), RIGHT));
                }
            };
            if *switch {
                return Err(RuleSetError::new(
                    format!("the switch {part:?} is given twice"),
                    RIGHT,
                ));
            }
            *switch = true;
        }
        RuleSet::new(base, orthogonal, chain, compulsory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_reads_back_as_the_same_rule_set() {
        let ids: Vec<String> = RuleSet::all().map(|r| r.to_string()).collect();
        for (rules, id) in RuleSet::all().zip(&ids) {
            assert_eq!(id.parse(), Ok(rules));
            assert!(id.len() < 64);
        }
        let mut unique = ids.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), 18);
    }

    #[test]
    fn wrong_ids_say_what_a_right_one_is() {
        for wrong in [
            "",
            "Free",
            "free+",
            "free+diagonal",
            "free+chain+chain",
            "first-capture+chain",
            "chain",
            "free ",
        ] {
            let error = wrong.parse::<RuleSet>().unwrap_err().to_string();
            assert!(error.contains("a rule set is free, first-capture, or forward"), "{error}");
        }
    }
}
