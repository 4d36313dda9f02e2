//! The figures of a document as an answer.

use anser_games::answers::{DocumentAnswer, RowAnswer};
use anser_reproduce::{Reproduction, Row, Verdict};

use super::learner::LearnerRuns;

/// Describes a document with its figures, and the runs of its learner.
pub(super) fn document_answer(of: &Reproduction, learner: Option<&LearnerRuns>) -> DocumentAnswer {
    DocumentAnswer {
        document: of.document.id().into(),
        title: of.document.title().into(),
        author: of.document.author().map(Into::into),
        year: of.document.year(),
        rows: of.rows.iter().map(row_answer).collect(),
        learner: learner.map(LearnerRuns::answer),
        not_judged: of.aside.clone(),
        agrees: of.count(|verdict| verdict == Verdict::Agrees),
        differs_as_known: of.count(|verdict| verdict == Verdict::DiffersAsKnown),
        not_printed: of.count(|verdict| verdict == Verdict::NotPrinted),
        kept: of.count(|verdict| matches!(verdict, Verdict::Kept { .. })),
        not_computed: of.count(|verdict| matches!(verdict, Verdict::NotComputed(_))),
        fails: of.count(|verdict| verdict == Verdict::Fails),
    }
}

/// Describes a figure.
pub(crate) fn row_answer(row: &Row) -> RowAnswer {
    let entry = &row.entry;
    RowAnswer {
        figure: entry.figure.id().into(),
        game: entry.subject.game(),
        rules: entry.subject.rules(),
        position: entry.position.clone(),
        layer: entry.layer,
        p: entry.p,
        source: entry.source.clone(),
        printed: entry.printed.clone(),
        computed: row.computed.clone(),
        kept: row.kept.clone(),
        known: entry.truth.clone(),
        verdict: row.verdict.id().into(),
        reason: entry.reason.clone(),
        note: entry.note.clone(),
    }
}
