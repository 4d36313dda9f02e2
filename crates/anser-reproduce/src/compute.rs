//! Computes the figures of a document and compares them with the known and the printed ones.

use std::collections::BTreeMap;

use anser_retrograde::{AnalyseError, Limits};
use serde_json::Value as Json;

use crate::{
    Aside, DataError, Document, Entry, Subject, fox_geese, fox_hounds, hare_hounds, hasenspiel,
    hexapawn, judge, king_rook, noughts,
};

/// Input of a reproduction besides the rules, and its extent.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Positions of Fox-and-Geese that the geese win, both sides to move, by rule set and number of
    /// geese. They are read from tables, which this crate does not open.
    pub geese_won: BTreeMap<(String, u16), u64>,
    /// Whether to compute the figures of Fox-and-Hounds on 10 x 10, which takes half a minute.
    pub large: bool,
}

/// The figures of a document, computed and compared.
#[derive(Clone, Debug)]
pub struct Reproduction {
    /// The document.
    pub document: Document,
    /// The figures, in the order of the data files.
    pub rows: Vec<Row>,
    /// Printed figures that are not computed.
    pub aside: Vec<Aside>,
}

impl Reproduction {
    /// Returns the number of figures whose verdict satisfies a condition.
    pub fn count(&self, condition: impl Fn(Verdict) -> bool) -> usize {
        self.rows.iter().filter(|row| condition(row.verdict)).count()
    }

    /// Returns the figures that fail.
    pub fn failures(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.verdict == Verdict::Fails)
    }
}

/// A figure and its verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The known figure.
    pub entry: Entry,
    /// The computed figure, in the form of [`Entry::truth`]; `None` if it was not computed.
    pub computed: Option<Json>,
    /// The figure of a verified full run, in the same form, if the tables to compute it are
    /// missing.
    pub kept: Option<Json>,
    /// The result of the comparison.
    pub verdict: Verdict,
}

/// Result of comparing the computed, the known, and the printed figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The printed figure is the computed one.
    Agrees,
    /// The printed figure differs from the computed one, as expected; the entry has the reason.
    DiffersAsKnown,
    /// The document does not print the figure; the computed figure is the known one.
    NotPrinted,
    /// The computed figure is not the known one, or the printed figure compares with it in an
    /// unexpected way.
    Fails,
    /// The tables to compute the figure are missing. The [figure of a verified run](Row::kept) is
    /// the known one, and the printed one is equal to it or differs as expected.
    Kept {
        /// Whether the printed figure is the one of the verified run.
        agrees: bool,
    },
    /// The figure was not computed.
    NotComputed(Missing),
}

impl Verdict {
    /// Identifier in JSON and in texts.
    pub const fn id(self) -> &'static str {
        match self {
            Verdict::Agrees => "agrees",
            Verdict::DiffersAsKnown => "differs as known",
            Verdict::NotPrinted => "not printed",
            Verdict::Fails => "FAILS",
            Verdict::Kept { agrees: true } => "kept, agrees",
            Verdict::Kept { agrees: false } => "kept, differs as known",
            Verdict::NotComputed(_) => "not computed",
        }
    }
}

/// Why a figure was not computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// It needs a table that is missing.
    Table,
    /// It takes long, and was not [requested](Options::large).
    Large,
    /// The game has no figure of this kind.
    NoSuchFigure,
}

/// A figure before it is judged.
pub(crate) enum Answer {
    Computed(Json),
    /// From a verified run.
    Kept(Json),
    Missing(Missing),
}

impl Answer {
    pub(crate) fn of(figure: Json, is_kept: bool) -> Answer {
        if is_kept { Answer::Kept(figure) } else { Answer::Computed(figure) }
    }
}

impl From<Option<Json>> for Answer {
    fn from(computed: Option<Json>) -> Answer {
        computed.map_or(Answer::Missing(Missing::NoSuchFigure), Answer::Computed)
    }
}

/// Entries about one game under one rule set.
pub(crate) struct Question<'a> {
    pub(crate) entries: &'a [&'a Entry],
    pub(crate) options: &'a Options,
    pub(crate) limits: &'a Limits<'a>,
}

/// Computes and compares the figures of a document.
///
/// # Errors
/// [`ReproduceError::Analyse`] if a game cannot be solved within `limits`, [`ReproduceError::Data`]
/// if the data of this crate is malformed.
pub fn reproduce(
    document: Document,
    options: &Options,
    limits: &Limits<'_>,
) -> Result<Reproduction, ReproduceError> {
    let known = document.known()?;
    Ok(Reproduction {
        document,
        rows: compute(&known.entries, options, limits)?,
        aside: known.aside,
    })
}

/// Computes and compares the figures of these entries, in their order. Every game is solved once
/// for all its figures.
///
/// # Errors
/// As [`reproduce`].
pub fn compute(
    entries: &[Entry],
    options: &Options,
    limits: &Limits<'_>,
) -> Result<Vec<Row>, ReproduceError> {
    let mut rows: Vec<Option<Row>> = vec![None; entries.len()];
    let mut groups: Vec<(Subject, Vec<usize>)> = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        match groups.iter_mut().find(|group| group.0 == entry.subject) {
            Some(group) => group.1.push(number),
            None => groups.push((entry.subject.clone(), vec![number])),
        }
    }
    for (subject, numbers) in groups {
        let about: Vec<&Entry> = numbers.iter().map(|&number| &entries[number]).collect();
        let answers = answers(subject, &Question { entries: &about, options, limits })?;
        for (number, answer) in numbers.into_iter().zip(answers) {
            rows[number] = Some(row(entries[number].clone(), answer));
        }
    }
    Ok(rows.into_iter().flatten().collect())
}

fn row(entry: Entry, answer: Answer) -> Row {
    match answer {
        Answer::Computed(computed) => {
            let verdict = judge(&entry, &computed);
            Row { entry, computed: Some(computed), kept: None, verdict }
        }
        Answer::Kept(kept) => {
            let verdict = match judge(&entry, &kept) {
                Verdict::Fails => Verdict::Fails,
                other => Verdict::Kept { agrees: other == Verdict::Agrees },
            };
            Row { entry, computed: None, kept: Some(kept), verdict }
        }
        Answer::Missing(why) => {
            Row { entry, computed: None, kept: None, verdict: Verdict::NotComputed(why) }
        }
    }
}

/// Returns one answer for each entry.
fn answers(subject: Subject, question: &Question<'_>) -> Result<Vec<Answer>, ReproduceError> {
    match subject {
        Subject::FoxGeese(rules) => fox_geese::answers(&rules, question),
        Subject::FoxHounds { size, rules } => fox_hounds::answers(size, &rules, question),
        Subject::Hasenspiel(rules) => hasenspiel::answers(&rules, question),
        Subject::HasenspielProgram => Ok(hasenspiel::program_answers(question)),
        Subject::HareHounds(rules) => hare_hounds::answers(&rules, question),
        Subject::Hexapawn(size) => hexapawn::answers(size, question),
        Subject::Noughts => Ok(noughts::answers(question)),
        Subject::KingRook(size) => Ok(king_rook::answers(size, question)),
        Subject::KingRookPlane => Ok(king_rook::plane_answers(question)),
    }
}

/// The figures of a document cannot be computed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReproduceError {
    /// The known figures cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A game cannot be solved.
    #[error(transparent)]
    Analyse(#[from] AnalyseError),
}
