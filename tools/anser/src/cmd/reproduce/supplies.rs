//! Figures that need tables, or an engine that is faster than the general one.

use std::collections::BTreeMap;

use anser_analyse::{Count, WholeGame};
use anser_core::fox_geese::{FoxGeese, RuleSet};
use anser_core::fox_hounds::{self, FoxHounds};
use anser_core::prelude::*;
use anser_games::{AnyGame, SearchPath};
use anser_reproduce::{Document, Supplied};
use anser_solve::SolveOptions;
use anser_table::Metric;

use super::ReproduceArgs;
use crate::advice::Advised;
use crate::asking::Watch;
use crate::cmd::stats;
use crate::failure::Failure;
use crate::output::note;

/// Rule sets that the counts of the paper are compared with.
const RULES: [RuleSet; 2] = [RuleSet::FREE, RuleSet::FIRST_CAPTURE];
/// Layers of Fox-and-Geese that are solved in a few seconds.
const QUICK: std::ops::RangeInclusive<u16> = 1..=6;

impl ReproduceArgs {
    /// The figures of a document that need tables or a faster engine.
    pub(super) fn supplied(&self, document: Document, watch: &Watch) -> Result<Supplied, Failure> {
        let mut supplied = Supplied::default();
        match document {
            Document::FoxGeese => supplied.geese_won = self.geese_won(watch)?,
            Document::FoxHounds if self.large => supplied.fox_hounds_10 = Some(self.fox_hounds_10(watch)?),
            _ => {}
        }
        Ok(supplied)
    }

    /// Positions that the geese win, from the tables found; solves the [`QUICK`] layers if one of them is missing.
    fn geese_won(&self, watch: &Watch) -> Result<BTreeMap<(RuleSet, u16), u64>, Failure> {
        let places = self.tables.places();
        let mut won = BTreeMap::new();
        for rules in RULES {
            let game = FoxGeese::new(rules);
            let any = AnyGame::new(game.clone());
            let mut found = counts(&any, &places)?;
            if QUICK.clone().any(|layer| !found.contains_key(&layer)) {
                let dir = tempfile::tempdir().map_err(|error| {
                    Failure::io(format!("no temporary directory to solve layers 1 to 6 in: {error}"))
                })?;
                let options = SolveOptions {
                    layers: Some(QUICK),
                    threads: self.effort.threads(),
                    memory: Some(self.effort.memory()),
                    ..SolveOptions::new(dir.path())
                };
                any.solve(&options, watch)?;
                for (layer, count) in counts(&any, &SearchPath::directories([dir.path()]))? {
                    found.entry(layer).or_insert(count);
                }
            }
            won.extend(found.into_iter().map(|(layer, count)| ((rules, layer), count)));
        }
        Ok(won)
    }

    /// Count of the game on 10 x 10.
    fn fox_hounds_10(&self, watch: &Watch) -> Result<Count, Failure> {
        self.effort.on_threads(|| {
            let game = FoxHounds::new(10, fox_hounds::RuleSet::Escape).map_err(Failure::usage)?;
            Ok(game.count(&game.start(), &self.effort.limits(watch))?)
        })
    }
}

/// Positions that the geese win by number of geese, from the headers of tables.
fn counts(game: &AnyGame, places: &SearchPath) -> Result<BTreeMap<u16, u64>, Failure> {
    let gathered = stats::gather(game, places, |metric| metric == Metric::Wdl)?;
    for (_, error) in &gathered.rejected {
        note(format_args!("{}: {}", game.name(), error.words()));
    }
    Ok(gathered.layers.iter().map(|layer| (layer.layer, layer.won())).collect())
}
