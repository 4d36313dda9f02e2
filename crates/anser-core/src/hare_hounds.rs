//! The rule sets of Hare-and-Hounds on eleven points: three hounds, which never go to the left,
//! against a hare, which goes anywhere.
//!
//! The hare wins on point 4 and, under a budget of plies, when the budget is used up. A side to
//! move that cannot move has lost. Hounds may step up and down, so positions can repeat. Under a
//! budget, layer `n` holds the positions with `n` plies left. In unlimited play, a layer holds
//! those whose hounds have the same number of columns to go to the right.
//!
//! ```
//! use anser_core::hunt::Hunt;
//! use anser_core::{Outcome, Side};
//! let game = Hunt::hare_hounds("budget-60".parse()?);
//! assert_eq!(game.format_position(&game.start()), "h2/h3R/h2 h");
//! // Three hounds trap the hare on point 8, its own end of the board.
//! let trapped = game.parse_position("2h/3hR/2h r")?;
//! assert_eq!(game.terminal(&trapped), Some(Outcome::Win(Side::Second)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::str::FromStr;

use crate::RuleSetError;

/// Form of a valid id.
const RIGHT: &str = "a rule set is unlimited, or budget-N with N plies from 1 to 200, as budget-60";

/// Length of play: `budget-N` plies, N from 1 to 200, or `unlimited`.
///
/// ```
/// use anser_core::hare_hounds::RuleSet;
/// let rules: RuleSet = "budget-30".parse()?;
/// assert_eq!(rules.budget(), Some(30));
/// assert_eq!(RuleSet::default().to_string(), "budget-60");
/// assert_eq!("unlimited".parse(), Ok(RuleSet::UNLIMITED));
/// # Ok::<(), anser_core::RuleSetError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleSet {
    budget: Option<u8>,
}

impl RuleSet {
    /// The hare has won after 60 plies: the rules of the document.
    pub const BUDGET_60: RuleSet = RuleSet { budget: Some(60) };
    /// Endless play is possible, and a draw.
    pub const UNLIMITED: RuleSet = RuleSet { budget: None };
    /// The greatest budget, in plies.
    pub const LARGEST_BUDGET: u8 = 200;

    /// Creates the rule set in which the hare has won after `plies` plies, 1 to 200.
    ///
    /// # Errors
    /// For any other number.
    pub fn with_budget(plies: u8) -> Result<RuleSet, RuleSetError> {
        if !(1..=RuleSet::LARGEST_BUDGET).contains(&plies) {
            return Err(RuleSetError::new(
                format!("a budget of {plies} plies is not offered"),
                RIGHT,
            ));
        }
        Ok(RuleSet { budget: Some(plies) })
    }

    /// Returns all rule sets: budgets in ascending order, then unlimited play.
    pub fn all() -> impl Iterator<Item = RuleSet> {
        (1..=RuleSet::LARGEST_BUDGET)
            .map(|plies| RuleSet { budget: Some(plies) })
            .chain([RuleSet::UNLIMITED])
    }

    /// Returns the rule sets for a short list: the default, and unlimited play.
    pub fn common() -> impl Iterator<Item = RuleSet> {
        [RuleSet::BUDGET_60, RuleSet::UNLIMITED].into_iter()
    }

    /// Returns the budget, in plies of both sides; `None` if play is unlimited.
    pub fn budget(self) -> Option<u8> {
        self.budget
    }

    /// Returns the rule set in sentences.
    ///
    /// ```
    /// use anser_core::hare_hounds::RuleSet;
    /// assert!(RuleSet::BUDGET_60.explain().contains("60 plies"));
    /// ```
    pub fn explain(self) -> String {
        let end = match self.budget {
            Some(plies) => format!(
                "The hare has also won when {plies} plies are played, counted from the position \
                 that is asked about, so there are no draws."
            ),
            None => "Play may go on for ever, which is a draw.".to_owned(),
        };
        format!(
            "The hare steps along any line, a hound to the right, up or down. The hare wins on \
             point 4; a side to move that cannot has lost. {end}"
        )
    }
}

impl Default for RuleSet {
    fn default() -> Self {
        RuleSet::BUDGET_60
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.budget {
            Some(plies) => write!(f, "budget-{plies}"),
            None => f.write_str("unlimited"),
        }
    }
}

impl FromStr for RuleSet {
    type Err = RuleSetError;

    fn from_str(text: &str) -> Result<RuleSet, RuleSetError> {
        if text == "unlimited" {
            return Ok(RuleSet::UNLIMITED);
        }
        let Some(plies) = text.strip_prefix("budget-") else {
            return Err(RuleSetError::unknown(text, RIGHT));
        };
        let plain = plies.bytes().all(|b| b.is_ascii_digit()) && !plies.starts_with('0');
        match plies.parse() {
            Ok(plies) if plain => RuleSet::with_budget(plies),
            _ => Err(RuleSetError::new(format!("{plies:?} is no budget"), RIGHT)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_reads_back_as_the_same_rule_set() {
        assert_eq!(RuleSet::all().count(), 201);
        for rules in RuleSet::all() {
            assert_eq!(rules.to_string().parse(), Ok(rules));
            assert!(!rules.explain().is_empty());
        }
        assert!(RuleSet::common().any(|rules| rules == RuleSet::default()));
    }

    #[test]
    fn wrong_ids_say_what_a_right_one_is() {
        let wrong = [
            "",
            "budget",
            "budget-",
            "budget-0",
            "budget-201",
            "budget-999",
            "budget-060",
            "budget-+60",
            "none",
        ];
        for id in wrong {
            let error = id.parse::<RuleSet>().unwrap_err().to_string();
            assert!(error.contains("budget-60"), "{error}");
        }
    }
}
