//! `anser reproduce`: what the documents print, computed again.

mod supplies;
mod text;

pub(crate) use text::tables;

use anser_reproduce::{Aside, Document, ReproduceError, Row, Verdict, reproduce};
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde::Serialize;
use serde_json::Value as Json;

use crate::args::TablesArgs;
use crate::asking::{EffortArgs, Watch};
use crate::failure::Failure;
use crate::output::{print, print_json};

const AFTER: &str = "\
Every figure that a document prints about its game is computed again from the rules and set beside the printed one:
  agrees            the printed figure comes out
  differs as known  it does not, and cannot: the reason is below the table
  not printed       a figure of ours, compared with what is known of it
  kept, ...         it takes a table that is not there: what a verified run of all layers counted stands in, marked so
  not computed      it takes long, and was not asked for
  FAILS             neither the known figure nor a known difference came out
If anything fails, the exit status is 3.

The counts of Fox-and-Geese come from the tables that are found; up to 6 geese they are solved on the spot where there are \
none, and from 7 geese on the counts that are kept of verified runs stand in. `anser verify` checks tables.

Examples:
  anser reproduce
  anser reproduce hasenspiel
  anser reproduce fox-hounds --large
  anser reproduce fox-geese --tables /big/tables --json";

/// Compute what the documents print, and say what agrees
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct ReproduceArgs {
    /// The document, by its game [default: all]
    #[arg(value_name = "DOCUMENT", value_parser = PossibleValuesParser::new(Document::ALL.map(Document::id)))]
    document: Option<String>,
    /// Also what takes long: Fox-and-Hounds on 10 x 10, half a minute
    #[arg(long)]
    large: bool,
    #[command(flatten)]
    tables: TablesArgs,
    #[command(flatten)]
    effort: EffortArgs,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

/// A document with what came of its figures.
struct Reproduced {
    document: Document,
    rows: Vec<Row>,
    aside: Vec<Aside>,
}

#[derive(Serialize)]
struct Answer<'a> {
    documents: Vec<DocumentAnswer<'a>>,
}

#[derive(Serialize)]
struct DocumentAnswer<'a> {
    document: &'static str,
    title: &'static str,
    author: Option<&'static str>,
    year: Option<u16>,
    rows: Vec<RowAnswer<'a>>,
    not_judged: Vec<AsideAnswer<'a>>,
    agrees: usize,
    differs_as_known: usize,
    not_printed: usize,
    /// Figures that were not computed for want of tables, with the ones of verified runs beside them.
    kept: usize,
    not_computed: usize,
    fails: usize,
}

/// A figure.
#[derive(Serialize)]
pub(crate) struct RowAnswer<'a> {
    figure: &'a str,
    game: &'a str,
    rules: &'a str,
    position: Option<&'a str>,
    layer: Option<u16>,
    p: Option<f64>,
    source: &'a str,
    printed: &'a Json,
    computed: Option<Json>,
    /// The figure of a verified run, where it was not computed.
    kept: Option<Json>,
    known: Json,
    verdict: &'static str,
    reason: Option<&'a str>,
    note: Option<&'a str>,
}

#[derive(Serialize)]
struct AsideAnswer<'a> {
    figure: &'a str,
    source: &'a str,
    printed: &'a str,
    reason: &'a str,
}

impl ReproduceArgs {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let is_asked = |document: &Document| self.document.as_deref().is_none_or(|id| id == document.id());
        let mut all = Vec::new();
        for document in Document::ALL.into_iter().filter(is_asked) {
            all.push(self.reproduce(document)?);
        }
        if self.json {
            print_json(&Answer { documents: all.iter().map(Reproduced::answer).collect() })?;
        } else {
            let texts: Vec<String> = all.iter().map(Reproduced::text).collect();
            print(&texts.join("\n\n"))?;
        }
        conclusion(all.iter().flat_map(|reproduced| &reproduced.rows))
    }

    fn reproduce(&self, document: Document) -> Result<Reproduced, Failure> {
        let watch = Watch::new()?;
        let supplied = self.supplied(document, &watch)?;
        let rows = self.effort.on_threads(|| Ok(reproduce(document, &supplied, &self.effort.limits(&watch))?))?;
        Ok(Reproduced { document, rows, aside: document.known().map_err(ReproduceError::from)?.aside })
    }
}

impl Reproduced {
    fn count(&self, is_one: impl Fn(Verdict) -> bool) -> usize {
        self.rows.iter().filter(|row| is_one(row.verdict)).count()
    }

    fn answer(&self) -> DocumentAnswer<'_> {
        let Reproduced { document, rows, aside } = self;
        DocumentAnswer {
            document: document.id(),
            title: document.title(),
            author: document.author(),
            year: document.year(),
            rows: rows.iter().map(row_answer).collect(),
            not_judged: aside
                .iter()
                .map(|Aside { figure, source, printed, reason }| AsideAnswer { figure, source, printed, reason })
                .collect(),
            agrees: self.count(|verdict| verdict == Verdict::Agrees),
            differs_as_known: self.count(|verdict| verdict == Verdict::DiffersAsKnown),
            not_printed: self.count(|verdict| verdict == Verdict::NotPrinted),
            kept: self.count(|verdict| matches!(verdict, Verdict::Kept { .. })),
            not_computed: self.count(|verdict| matches!(verdict, Verdict::NotComputed(_))),
            fails: self.count(|verdict| verdict == Verdict::Fails),
        }
    }
}

/// A figure for JSON.
pub(crate) fn row_answer(row: &Row) -> RowAnswer<'_> {
    let entry = &row.entry;
    RowAnswer {
        figure: &entry.figure,
        game: &entry.game,
        rules: &entry.rules,
        position: entry.position.as_deref(),
        layer: entry.layer,
        p: entry.p,
        source: &entry.source,
        printed: &entry.printed,
        computed: row.computed.as_ref().map(in_vocabulary),
        kept: row.kept.as_ref().map(in_vocabulary),
        known: in_vocabulary(&entry.truth),
        verdict: row.verdict.id(),
        reason: entry.reason.as_deref(),
        note: entry.note.as_deref(),
    }
}

/// A figure in the words of all answers: the files of known figures have `winner` and `plies` for `outcome` and `dtw`.
fn in_vocabulary(figure: &Json) -> Json {
    match figure {
        Json::Array(figures) => figures.iter().map(in_vocabulary).collect(),
        Json::Object(parts) => {
            let is_value = parts.contains_key("winner") && parts.contains_key("plies");
            let renamed = parts.iter().map(|(key, part)| match key.as_str() {
                "winner" if is_value && part.is_null() => ("outcome".to_owned(), "draw".into()),
                "winner" if is_value => ("outcome".to_owned(), part.clone()),
                "plies" if is_value => ("dtw".to_owned(), part.clone()),
                _ => (key.clone(), in_vocabulary(part)),
            });
            renamed.collect()
        }
        _ => figure.clone(),
    }
}

/// A failure if a figure does not come out as it should.
pub(crate) fn conclusion<'a>(rows: impl Iterator<Item = &'a Row>) -> Result<(), Failure> {
    let failed: Vec<String> = rows
        .filter(|row| row.verdict == Verdict::Fails)
        .map(|row| format!("{} of {} ({})", row.entry.figure, row.entry.game, row.entry.rules))
        .collect();
    match &failed[..] {
        [] => Ok(()),
        [one] => Err(Failure::corrupt(format!("a figure does not come out as it should: {one}"))),
        [first, ..] => Err(Failure::corrupt(format!(
            "{} figures do not come out as they should, the first of them {first}",
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
    use anser_analyse::Limits;
    use anser_reproduce::{Known, Supplied, compute};

    /// What comes of a file that says so of noughts and crosses.
    fn concluded(printed: &str, truth: u64) -> Result<(), Failure> {
        let text = format!(
            r#"{{"document": "d", "about": "a", "entries": [{{"figure": "reachable", "game": "noughts", "rules":
            "standard", "source": "s", "printed": "{printed}", "true": {truth}, "agrees": true}}]}}"#
        );
        let known: Known = text.parse().expect("it can be read");
        let rows = compute(&known, &Supplied::default(), &Limits::default()).expect("the figure can be computed");
        conclusion(rows.iter())
    }

    #[test]
    fn a_doctored_row_makes_it_fail() {
        assert!(concluded("5,478", 5_478).is_ok());
        for (printed, truth) in [("5,478", 5_479), ("5,479", 5_478), ("5,479", 5_479)] {
            let failure = concluded(printed, truth).expect_err("the row is wrong");
            assert_eq!(failure.status(), Failure::CORRUPT);
            assert!(failure.message().contains("reachable of noughts"), "{}", failure.message());
        }
    }
}
