//! Counts of verified full runs of Fox-and-Geese, for figures whose tables are missing.

use std::collections::BTreeMap;

use anser_core::fox_geese::RuleSet;
use serde_json::Value as Json;

use crate::DataError;

/// Returns the positions that the geese win, both sides to move, by number of geese; empty for rule
/// sets that the paper is not compared with.
pub(crate) fn geese_won(rules: RuleSet) -> Result<BTreeMap<u16, u64>, DataError> {
    let text = match rules {
        RuleSet::FREE => include_str!("../data/results/fox-geese-free.json"),
        RuleSet::FIRST_CAPTURE => include_str!("../data/results/fox-geese-first-capture.json"),
        _ => return Ok(BTreeMap::new()),
    };
    let results: Json = serde_json::from_str(text)?;
    let row = |layer: &Json| -> Option<(u16, u64)> {
        let won = ["fox", "geese"].map(|side| layer["to_move"][side]["geese"].as_u64());
        Some((u16::try_from(layer["layer"].as_u64()?).ok()?, won[0]? + won[1]?))
    };
    let rows: Option<_> =
        results["layers"].as_array().and_then(|layers| layers.iter().map(row).collect());
    rows.ok_or_else(|| DataError::Counts { rules: rules.to_string() })
}
