//! The JSON form of a reproduction.

use serde::Serialize;
use serde_json::Value as Json;

use crate::{Reproduction, Row, Verdict};

/// A document with its figures.
#[derive(Clone, Debug, Serialize)]
pub struct DocumentAnswer<'a> {
    /// Identifier of the document.
    pub document: &'static str,
    /// Title.
    pub title: &'static str,
    /// Author, if the document names one.
    pub author: Option<&'static str>,
    /// Year of publication, if known.
    pub year: Option<u16>,
    /// The figures, in the order of the data files.
    pub rows: Vec<RowAnswer<'a>>,
    /// Printed figures that are not computed.
    pub not_judged: Vec<AsideAnswer<'a>>,
    /// Number of figures whose verdict is [`Verdict::Agrees`].
    pub agrees: usize,
    /// Number of figures whose verdict is [`Verdict::DiffersAsKnown`].
    pub differs_as_known: usize,
    /// Number of figures whose verdict is [`Verdict::NotPrinted`].
    pub not_printed: usize,
    /// Number of figures whose verdict is [`Verdict::Kept`].
    pub kept: usize,
    /// Number of figures whose verdict is [`Verdict::NotComputed`].
    pub not_computed: usize,
    /// Number of figures whose verdict is [`Verdict::Fails`].
    pub fails: usize,
}

/// A figure.
#[derive(Clone, Debug, Serialize)]
pub struct RowAnswer<'a> {
    /// Kind of the figure.
    pub figure: &'static str,
    /// Game, with its size where it has sizes.
    pub game: String,
    /// Rule set.
    pub rules: String,
    /// Position that the figure is about.
    pub position: Option<&'a str>,
    /// Layer that the figure is about.
    pub layer: Option<u16>,
    /// Fuzz factor that the figure is about.
    pub p: Option<f64>,
    /// Title and section of the document that prints the figure, or `own computation`.
    pub source: &'a str,
    /// The printed figure.
    pub printed: &'a Json,
    /// The computed figure.
    pub computed: Option<&'a Json>,
    /// The figure of a verified run, if the tables to compute it are missing.
    pub kept: Option<&'a Json>,
    /// The known figure.
    pub known: &'a Json,
    /// Identifier of the verdict.
    pub verdict: &'static str,
    /// Why the printed figure is not the true one.
    pub reason: Option<&'a str>,
    /// Further remarks.
    pub note: Option<&'a str>,
}

/// A printed figure that is not computed.
#[derive(Clone, Debug, Serialize)]
pub struct AsideAnswer<'a> {
    /// Kind of the figure.
    pub figure: &'a str,
    /// Title and section of the document that prints it.
    pub source: &'a str,
    /// The printed text.
    pub printed: &'a str,
    /// Why it is not computed.
    pub reason: &'a str,
}

impl<'a> From<&'a Reproduction> for DocumentAnswer<'a> {
    fn from(of: &'a Reproduction) -> DocumentAnswer<'a> {
        let aside = of.aside.iter().map(|aside| AsideAnswer {
            figure: &aside.figure,
            source: &aside.source,
            printed: &aside.printed,
            reason: &aside.reason,
        });
        DocumentAnswer {
            document: of.document.id(),
            title: of.document.title(),
            author: of.document.author(),
            year: of.document.year(),
            rows: of.rows.iter().map(RowAnswer::from).collect(),
            not_judged: aside.collect(),
            agrees: of.count(|verdict| verdict == Verdict::Agrees),
            differs_as_known: of.count(|verdict| verdict == Verdict::DiffersAsKnown),
            not_printed: of.count(|verdict| verdict == Verdict::NotPrinted),
            kept: of.count(|verdict| matches!(verdict, Verdict::Kept { .. })),
            not_computed: of.count(|verdict| matches!(verdict, Verdict::NotComputed(_))),
            fails: of.count(|verdict| verdict == Verdict::Fails),
        }
    }
}

impl<'a> From<&'a Row> for RowAnswer<'a> {
    fn from(row: &'a Row) -> RowAnswer<'a> {
        let entry = &row.entry;
        RowAnswer {
            figure: entry.figure.id(),
            game: entry.subject.game(),
            rules: entry.subject.rules(),
            position: entry.position.as_deref(),
            layer: entry.layer,
            p: entry.p,
            source: &entry.source,
            printed: &entry.printed,
            computed: row.computed.as_ref(),
            kept: row.kept.as_ref(),
            known: &entry.truth,
            verdict: row.verdict.id(),
            reason: entry.reason.as_deref(),
            note: entry.note.as_deref(),
        }
    }
}
