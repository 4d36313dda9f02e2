//! The counts of Fox-and-Geese, from tables.

use std::collections::BTreeMap;

use anser_core::{Hunt, Side};
use anser_games::{Registry, SearchPath};
use anser_solve::SolveOptions;
use anser_table::Metric;

use super::ReproduceArgs;
use crate::cmd::stats;
use crate::failure::{Failure, words};
use crate::output::note;
use crate::progress::Progress;

/// Rule sets that the counts of the paper are compared with.
const RULES: [&str; 2] = ["free", "first-capture"];
/// Layers of Fox-and-Geese that are solved in a few seconds.
const QUICK: std::ops::RangeInclusive<u16> = 1..=6;

impl ReproduceArgs {
    /// Positions that the geese win, from the tables found; solves the [`QUICK`] layers if one of
    /// them is missing.
    pub(super) fn geese_won(
        &self,
        progress: &Progress,
    ) -> Result<BTreeMap<(String, u16), u64>, Failure> {
        let path = self.tables.search_path();
        let mut won = BTreeMap::new();
        for rules in RULES {
            let game = Registry::standard().game("fox-geese", Some(rules))?;
            let mut found = counts(&game, &path)?;
            if QUICK.clone().any(|layer| !found.contains_key(&layer)) {
                let dir = tempfile::tempdir().map_err(|error| {
                    Failure::io(format!(
                        "no temporary directory to solve layers 1 to 6 in: {error}"
                    ))
                })?;
                let options = SolveOptions {
                    layers: Some(QUICK),
                    threads: self.resources.threads(),
                    memory: Some(self.resources.memory()),
                    ..SolveOptions::new(dir.path())
                };
                anser_solve::solve(&game, &options, progress)?;
                for (layer, count) in counts(&game, &SearchPath::directories([dir.path()]))? {
                    found.entry(layer).or_insert(count);
                }
            }
            won.extend(found.into_iter().map(|(layer, count)| ((rules.to_owned(), layer), count)));
        }
        Ok(won)
    }
}

/// Positions that the geese win by number of geese, from the headers of tables.
fn counts(game: &Hunt, path: &SearchPath) -> Result<BTreeMap<u16, u64>, Failure> {
    let gathered = stats::gather(game, path, |metric| metric == Metric::Wdl)?;
    for (_, _, error) in &gathered.rejected {
        note(format_args!("{}: {}", game.name(), words(error)));
    }
    Ok(gathered.layers.iter().map(|layer| (layer.layer, layer.won(Side::Second))).collect())
}
