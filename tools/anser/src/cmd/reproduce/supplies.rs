//! What reproducing takes from tables, and from engines that are quicker than what it has itself.

use std::collections::BTreeMap;

use anser_analyse::Count;
use anser_core::fox_geese::FoxGeese;
use anser_core::fox_hounds::{FoxHounds, RuleSet};
use anser_core::prelude::*;
use anser_reproduce::{Document, Supplied};
use anser_solve::{SolveOptions, solve};
use anser_table::Metric;

use super::ReproduceArgs;
use crate::asking::Watch;
use crate::cmd::stats;
use crate::failure::Failure;
use crate::output::note;
use crate::tables::Places;
use crate::whole::{self, Told};

/// The rule sets that the paper's counts are set beside.
const RULES: [&str; 2] = ["free", "first-capture"];
/// The layers of Fox-and-Geese that take no time to solve.
const QUICK: std::ops::RangeInclusive<u16> = 1..=6;

impl ReproduceArgs {
    /// What the figures of a document take.
    pub(super) fn supplied(&self, document: Document, watch: &Watch) -> Result<Supplied, Failure> {
        let mut supplied = Supplied::default();
        match document {
            Document::FoxGeese => supplied.geese_won = self.geese_won(watch)?,
            Document::FoxHounds if self.large => supplied.fox_hounds_10 = Some(self.fox_hounds_10(watch)?),
            _ => {}
        }
        Ok(supplied)
    }

    /// The positions that the geese win, from the tables that are there; the quick ones are solved if one is missing.
    fn geese_won(&self, watch: &Watch) -> Result<BTreeMap<(String, u16), u64>, Failure> {
        let places = self.tables.places();
        let mut won = BTreeMap::new();
        for rules in RULES {
            let game = FoxGeese::new(rules.parse().map_err(Failure::usage)?);
            let mut found = counts(&game, &places)?;
            if QUICK.clone().any(|layer| !found.contains_key(&layer)) {
                let dir = tempfile::tempdir().map_err(|error| {
                    Failure::io(format!("there is no temporary directory to solve the first layers in: {error}"))
                })?;
                let options = SolveOptions {
                    layers: Some(QUICK),
                    threads: self.effort.threads(),
                    memory: Some(self.effort.memory()),
                    ..SolveOptions::new(dir.path())
                };
                solve(&game, &options, &Told::new(watch))?;
                for (layer, count) in counts(&game, &Places { dirs: vec![dir.path().to_owned()], shipped: false })? {
                    found.entry(layer).or_insert(count);
                }
            }
            won.extend(found.into_iter().map(|(layer, count)| ((rules.to_owned(), layer), count)));
        }
        Ok(won)
    }

    /// The whole game on 10 x 10.
    fn fox_hounds_10(&self, watch: &Watch) -> Result<Count, Failure> {
        self.effort.on_threads(|| {
            let game = FoxHounds::new(10, RuleSet::Escape).map_err(Failure::usage)?;
            let counted = whole::count(&game, &self.effort, watch)?;
            counted.ok_or_else(|| Failure::usage("no solver knows this game"))
        })
    }
}

/// The positions won for the geese by number of geese, from the headers of tables.
fn counts(game: &FoxGeese, places: &Places) -> Result<BTreeMap<u16, u64>, Failure> {
    let gathered = stats::gather(game, places, |metric| metric == Metric::Wdl)?;
    for (_, error) in &gathered.rejected {
        note(format_args!("{}: {error}", game.name()));
    }
    Ok(gathered.layers.iter().map(|layer| (layer.layer, layer.won())).collect())
}
