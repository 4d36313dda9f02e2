//! Counts of verified runs, kept in `data/results` and built in: what stands in for tables that are not there.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::DataError;

/// The positions of Fox-and-Geese that the geese win, both sides to move, by number of geese; empty for rule sets whose counts
/// the paper is not compared with.
pub(super) fn geese_won(rules: &str) -> Result<BTreeMap<u16, u64>, DataError> {
    let text = match rules {
        "free" => include_str!("../data/results/fox-geese-free.json"),
        "first-capture" => include_str!("../data/results/fox-geese-first-capture.json"),
        _ => return Ok(BTreeMap::new()),
    };
    let results: Json = serde_json::from_str(text).map_err(|error| DataError::new(error.to_string()))?;
    let row = |layer: &Json| -> Option<(u16, u64)> {
        let won = ["fox", "geese"].map(|side| layer["to_move"][side]["geese"].as_u64());
        Some((u16::try_from(layer["layer"].as_u64()?).ok()?, won[0]? + won[1]?))
    };
    let rows: Option<_> = results["layers"].as_array().and_then(|layers| layers.iter().map(row).collect());
    rows.ok_or_else(|| DataError::new(format!("the results of fox-geese under {rules} lack a count")))
}
