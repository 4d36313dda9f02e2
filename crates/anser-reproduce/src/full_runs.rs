//! Results of verified full runs of Fox-and-Geese, for figures whose tables are missing.

use std::collections::BTreeMap;

use anser_core::fox_geese::RuleSet;
use serde_json::Value as Json;

use crate::DataError;

/// Results of a full run: all layers of a game under a rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FullRun {
    /// Counts by outcome, rounds, and seconds of every layer, as JSON in the form of `anser stats
    /// --json`.
    pub outcomes: &'static str,
    /// Histograms of distances, the longest wins, and zugzwangs of every layer, and best play from
    /// the openings, as JSON in the form that `scripts/distances.py` writes; `None` if the run was
    /// for outcomes alone.
    pub distances: Option<&'static str>,
}

/// Returns the results of the full run of a game under a rule set, if they are kept.
///
/// ```
/// let run = anser_reproduce::full_run("fox-geese", "free").expect("it is kept");
/// assert!(run.outcomes.contains("\"layer\": 31") && run.distances.is_some());
/// assert_eq!(anser_reproduce::full_run("hexapawn:4x4", "standard"), None);
/// ```
pub fn full_run(game: &str, rules: &str) -> Option<FullRun> {
    let (outcomes, distances) = match (game, rules) {
        ("fox-geese", "free") => (
            include_str!("../data/results/fox-geese-free.json"),
            Some(include_str!("../data/results/fox-geese-free-dtw.json")),
        ),
        ("fox-geese", "first-capture") => (
            include_str!("../data/results/fox-geese-first-capture.json"),
            Some(include_str!("../data/results/fox-geese-first-capture-dtw.json")),
        ),
        ("fox-geese", "forward") => (include_str!("../data/results/fox-geese-forward.json"), None),
        _ => return None,
    };
    Some(FullRun { outcomes, distances })
}

/// Returns the positions that the geese win, both sides to move, by number of geese; empty for rule
/// sets that the paper is not compared with.
pub(crate) fn geese_won(rules: RuleSet) -> Result<BTreeMap<u16, u64>, DataError> {
    if ![RuleSet::FREE, RuleSet::FIRST_CAPTURE].contains(&rules) {
        return Ok(BTreeMap::new());
    }
    let Some(run) = full_run("fox-geese", &rules.to_string()) else { return Ok(BTreeMap::new()) };
    let results: Json = serde_json::from_str(run.outcomes)?;
    let row = |layer: &Json| -> Option<(u16, u64)> {
        let won = ["fox", "geese"].map(|side| layer["to_move"][side]["geese"].as_u64());
        Some((u16::try_from(layer["layer"].as_u64()?).ok()?, won[0]? + won[1]?))
    };
    let rows: Option<_> =
        results["layers"].as_array().and_then(|layers| layers.iter().map(row).collect());
    rows.ok_or_else(|| DataError::Counts { rules: rules.to_string() })
}
