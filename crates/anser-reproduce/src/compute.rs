//! Computes the figures of a document and compares them with the known and the printed ones.

use anser_games::answers::AsideAnswer;
use anser_retrograde::Limits;
use serde_json::Value as Json;

use crate::judge::{Verdict, judge};
use crate::question::{Answer, Options, Question, ReproduceError};
use crate::{
    Document, Entry, Subject, fox_geese, fox_hounds, hare_hounds, hasenspiel, hexapawn, king_rook,
    noughts,
};

/// The figures of a document, computed and compared.
#[derive(Clone, Debug)]
pub struct Reproduction {
    /// The document.
    pub document: Document,
    /// The figures, in the order of the data files.
    pub rows: Vec<Row>,
    /// Printed figures that are not computed.
    pub aside: Vec<AsideAnswer>,
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
