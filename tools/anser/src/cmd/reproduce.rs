//! `anser reproduce`: the figures that documents print, computed again and compared.

mod answer;
mod learner;
mod text;

pub(crate) use answer::row_answer;
pub(crate) use text::tables;

use learner::LearnerRuns;

use std::collections::BTreeMap;

use anser_core::{Hunt, Side};
use anser_games::answers::ReproduceAnswer;
use anser_games::{Registry, SearchPath};
use anser_reproduce::{Document, Options, ReproduceError, Row, reproduce};
use anser_solve::SolveOptions;
use anser_table::Metric;
use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::args::{ResourceArgs, TablesArgs, count};
use crate::cmd::stats;
use crate::failure::{Failure, words};
use crate::output::{Form, note};
use crate::progress::Progress;
use crate::reply::Reply;

const AFTER: &str = "\
Computes every figure that a document prints about its game from the rules, and compares it with \
the printed one:
  agrees            the printed figure is the computed one
  differs as known  the figures differ, as expected; the reason is below the table
  not printed       the document does not print the figure; the computed one is the known one
  kept, ...         a table is missing; the figure is that of a verified run of all layers
  not computed      the figure takes long and was not requested
  FAILS             the computed figure is not the known one, or the printed one differs unexpectedly
The exit status is 3 if any figure fails.

The counts of Fox-and-Geese come from the tables that are found. Missing layers of up to 6 geese \
are solved into a temporary directory; for others the counts of verified runs are shown. `anser \
verify` checks tables.

Examples:
  anser reproduce
  anser reproduce hasenspiel
  anser reproduce fox-hounds --large
  anser reproduce hexapawn --run 20
  anser reproduce fox-geese --tables /big/tables --json";

/// Rule sets that the counts of the paper are compared with.
const RULES: [&str; 2] = ["free", "first-capture"];
/// Layers of Fox-and-Geese that are solved in a few seconds.
const QUICK: std::ops::RangeInclusive<u16> = 1..=6;

/// Compute the figures that documents print, and compare them
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct ReproduceArgs {
    /// Document, named by its game [default: all]
    #[arg(
        value_name = "DOCUMENT",
        value_parser = PossibleValuesParser::new(Document::ALL.map(Document::id))
    )]
    document: Option<String>,
    /// Include Fox-and-Hounds on 10 x 10, which takes half a minute
    #[arg(long)]
    large: bool,
    /// Train the learner of the document on Hexapawn again, with the seeds 1 to N, instead of
    /// showing kept runs; takes about two seconds per seed, and the feature learn
    #[arg(long, value_name = "N", value_parser = count::<u64>)]
    run: Option<u64>,
    #[command(flatten)]
    tables: TablesArgs,
    #[command(flatten)]
    resources: ResourceArgs,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

impl ReproduceArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let is_asked =
            |document: &Document| self.document.as_deref().is_none_or(|id| id == document.id());
        let mut all = Vec::new();
        for document in Document::ALL.into_iter().filter(is_asked) {
            let progress = Progress::of_answer()?;
            let mut options = Options { large: self.large, ..Options::default() };
            if document == Document::FoxGeese {
                options.geese_won = self.geese_won(&progress)?;
            }
            all.push(self.resources.on_threads(|| {
                let figures = reproduce(document, &options, &self.resources.limits(&progress))?;
                Ok((figures, LearnerRuns::of(document, self.run, &progress)?))
            })?);
        }
        let texts: Vec<String> =
            all.iter().map(|(of, learner)| text::document(of, learner.as_ref())).collect();
        let documents =
            all.iter().map(|(of, learner)| answer::document_answer(of, learner.as_ref()));
        let answer = ReproduceAnswer { documents: documents.collect() };
        Reply::new(answer, texts.join("\n\n"))
            .with_failure(conclusion(all.iter().flat_map(|(of, _)| of.failures())))
            .print(Form::of(self.json))
    }

    /// Positions that the geese win, from the tables found; solves the [`QUICK`] layers if one of
    /// them is missing.
    fn geese_won(&self, progress: &Progress) -> Result<BTreeMap<(String, u16), u64>, Failure> {
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

/// The failure if any figure fails.
pub(crate) fn conclusion<'a>(failures: impl Iterator<Item = &'a Row>) -> Option<Failure> {
    let named = |row: &Row| {
        let subject = &row.entry.subject;
        format!("{} of {} ({})", row.entry.figure, subject.game(), subject.rules())
    };
    let failed: Vec<String> = failures.map(named).collect();
    match &failed[..] {
        [] => None,
        [one] => Some(Failure::corrupt(format!("a figure is not reproduced: {one}"))),
        [first, ..] => Some(Failure::corrupt(format!(
            "{} figures are not reproduced, the first of them {first}",
            failed.len()
        ))),
    }
}

impl From<ReproduceError> for Failure {
    fn from(error: ReproduceError) -> Failure {
        match error {
            ReproduceError::Analyse(error) => error.into(),
            error => Failure::corrupt(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anser_games::answers::ErrorKind;
    use anser_reproduce::{Known, Verdict, compute};
    use anser_retrograde::Limits;

    /// The result of a data file with this entry about noughts and crosses.
    fn concluded(printed: &str, truth: u64) -> Option<Failure> {
        let text = format!(
            r#"{{"document": "d", "about": "a", "entries": [{{"figure": "reachable",
            "game": "noughts", "rules": "standard", "source": "s", "printed": "{printed}",
            "true": {truth}, "agrees": true}}]}}"#
        );
        let known: Known = text.parse().expect("it can be read");
        let rows = compute(&known.entries, &Options::default(), &Limits::default())
            .expect("the figure can be computed");
        conclusion(rows.iter().filter(|row| row.verdict == Verdict::Fails))
    }

    #[test]
    fn a_doctored_row_makes_it_fail() {
        assert!(concluded("5,478", 5_478).is_none());
        for (printed, truth) in [("5,478", 5_479), ("5,479", 5_478), ("5,479", 5_479)] {
            let failure = concluded(printed, truth).expect("the row is wrong");
            assert_eq!(failure.kind(), ErrorKind::Corrupt);
            assert!(failure.message().contains("reachable of noughts"), "{}", failure.message());
        }
    }
}
