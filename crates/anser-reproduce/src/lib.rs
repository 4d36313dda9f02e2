//! What the documents print, computed again and set beside it.
//!
//! `data` has every figure that a document prints about its game, with where it is printed, the true figure, whether
//! the two agree, and if not why. [`reproduce`] computes each figure anew from the rules and says what it found: a figure
//! that does not come out as it should [fails](Verdict::Fails). The true figures of the files are only compared with; nothing
//! is computed from them.
//!
//! ```
//! use anser_reproduce::{Document, Supplied, Verdict, reproduce};
//! let rows = reproduce(Document::Hexapawn, &Supplied::default(), &Default::default())?;
//! let who_wins = rows.iter().find(|row| row.entry.figure == "value").expect("the document says who wins");
//! assert_eq!(who_wins.verdict, Verdict::Agrees);
//! assert!(rows.iter().all(|row| row.verdict != Verdict::Fails));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod authors_program;
mod data;
mod facts;
mod fox_geese;
mod fox_hounds;
mod hare_hounds;
mod hasenspiel;
mod hexapawn;
mod judge;
mod king_rook;
mod noughts;
mod results;
pub mod table_1;

use std::collections::BTreeMap;

use serde_json::Value as Json;

pub use authors_program::{AuthorsProgram, RankedByProgram, Shares};
pub use data::{Aside, DataError, Entry, Known};
pub use judge::judge;

use anser_analyse::{AnalyseError, Count, Limits};

/// A document about a hunt game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Document {
    /// The paper on Fox-and-Geese.
    FoxGeese,
    /// The article on Hasenspiel.
    Hasenspiel,
    /// The study of Hare-and-Hounds.
    HareHounds,
    /// The article on Fox-and-Hounds, with one on king and rook against king before it; it mentions noughts and crosses too.
    FoxHounds,
    /// The article on a learner of Hexapawn.
    Hexapawn,
}

impl Document {
    /// All of them.
    pub const ALL: [Document; 5] =
        [Document::FoxGeese, Document::Hasenspiel, Document::HareHounds, Document::FoxHounds, Document::Hexapawn];

    /// A name for the command line: that of the game.
    pub const fn id(self) -> &'static str {
        match self {
            Document::FoxGeese => "fox-geese",
            Document::Hasenspiel => "hasenspiel",
            Document::HareHounds => "hare-hounds",
            Document::FoxHounds => "fox-hounds",
            Document::Hexapawn => "hexapawn",
        }
    }

    /// The title.
    pub const fn title(self) -> &'static str {
        match self {
            Document::FoxGeese => "Strongly Solving Fox-and-Geese on Multi-core CPU",
            Document::Hasenspiel => "Hasenspiel - Escape the White Rabbit",
            Document::HareHounds => "A study of Hare and Hounds",
            Document::FoxHounds => "Fox & Hounds",
            Document::Hexapawn => "Mastering Hexapawn AlphaZero-style",
        }
    }

    /// Who wrote it, if it says so.
    pub const fn author(self) -> Option<&'static str> {
        match self {
            Document::FoxGeese => Some("Stefan Edelkamp, Hartmut Messerschmidt"),
            Document::Hasenspiel => Some("Manuel Capel"),
            Document::Hexapawn => Some("souvikshanku"),
            Document::HareHounds | Document::FoxHounds => None,
        }
    }

    /// The year it is of, if it says so.
    pub const fn year(self) -> Option<u16> {
        match self {
            Document::FoxGeese => Some(2010),
            Document::Hasenspiel => Some(2025),
            Document::Hexapawn => Some(2020),
            Document::HareHounds | Document::FoxHounds => None,
        }
    }

    /// What is known of its figures: the files of `data`.
    pub fn known(self) -> Result<Known, DataError> {
        let texts: &[&str] = match self {
            Document::FoxGeese => &[include_str!("../data/fox-geese.json")],
            Document::Hasenspiel => &[include_str!("../data/hasenspiel.json")],
            Document::HareHounds => &[include_str!("../data/hare-hounds.json")],
            Document::FoxHounds => &[
                include_str!("../data/fox-hounds.json"),
                include_str!("../data/noughts.json"),
                include_str!("../data/king-rook.json"),
            ],
            Document::Hexapawn => &[include_str!("../data/hexapawn.json")],
        };
        let mut known = Known::default();
        for text in texts {
            known.add(text.parse()?);
        }
        Ok(known)
    }
}

/// Figures that take tables, or an engine that writes them: whoever has these at hand computes them.
#[derive(Clone, Debug, Default)]
pub struct Supplied {
    /// By the id of a rule set and the number of geese, the positions of Fox-and-Geese that the geese win, both sides to move.
    pub geese_won: BTreeMap<(String, u16), u64>,
    /// What there is to count of Fox-and-Hounds on 10 x 10 from the start.
    pub fox_hounds_10: Option<Count>,
}

/// A printed figure and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What is known of the figure.
    pub entry: Entry,
    /// The figure computed, in the form of [`Entry::truth`]; none if it was not computed.
    pub computed: Option<Json>,
    /// The figure as a verified run of all layers had it, in the same form, where it was not computed for want of tables.
    pub kept: Option<Json>,
    /// What came of it.
    pub verdict: Verdict,
}

/// How a computed figure compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The printed figure is the one computed.
    Agrees,
    /// The printed figure is not the one computed, as is known, and the entry has the reason.
    DiffersAsKnown,
    /// Nothing is printed; the figure computed is the one known.
    NotPrinted,
    /// The figure computed is not the one known, or the printed one compares with it in another way than is known.
    Fails,
    /// The figure was not computed for want of tables. The one [kept](Row::kept) of a verified run is the one known, and
    /// the printed one either is the same (`agrees`) or differs as is known.
    Kept {
        /// Whether the printed figure is the kept one.
        agrees: bool,
    },
    /// The figure was not computed.
    NotComputed(Missing),
}

impl Verdict {
    /// A word or two.
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
    /// It takes a table that is not there.
    Table,
    /// It takes long, and was not asked for.
    Large,
    /// Nothing here computes figures of this name.
    Unknown,
}

/// What became of an entry before it is judged.
enum Answer {
    Computed(Json),
    /// Not computed, but kept of a verified run.
    Kept(Json),
    Missing(Missing),
}

impl Answer {
    fn of(figure: Json, kept: bool) -> Answer {
        if kept { Answer::Kept(figure) } else { Answer::Computed(figure) }
    }
}

impl From<Option<Json>> for Answer {
    fn from(computed: Option<Json>) -> Answer {
        computed.map_or(Answer::Missing(Missing::Unknown), Answer::Computed)
    }
}

/// Entries about one game under one rule set.
struct Question<'a> {
    game: &'a str,
    rules: &'a str,
    entries: &'a [&'a Entry],
    supplied: &'a Supplied,
    limits: &'a Limits<'a>,
}

/// Computes the figures of a document, in the order of its files.
///
/// # Errors
/// [`ReproduceError::Data`] if the files say what can not be read, [`ReproduceError::Analyse`] if a game can not be solved
/// within `limits`.
pub fn reproduce(document: Document, supplied: &Supplied, limits: &Limits<'_>) -> Result<Vec<Row>, ReproduceError> {
    compute(&document.known()?, supplied, limits)
}

/// Computes the figures of these entries and compares them.
pub fn compute(known: &Known, supplied: &Supplied, limits: &Limits<'_>) -> Result<Vec<Row>, ReproduceError> {
    let mut rows: Vec<Option<Row>> = vec![None; known.entries.len()];
    // A game is solved once for all its figures.
    let mut groups: Vec<(&str, &str, Vec<usize>)> = Vec::new();
    for (number, entry) in known.entries.iter().enumerate() {
        match groups.iter_mut().find(|group| (group.0, group.1) == (&*entry.game, &*entry.rules)) {
            Some(group) => group.2.push(number),
            None => groups.push((&entry.game, &entry.rules, vec![number])),
        }
    }
    for (game, rules, numbers) in groups {
        let entries: Vec<&Entry> = numbers.iter().map(|&number| &known.entries[number]).collect();
        let answers = answers(&Question { game, rules, entries: &entries, supplied, limits })?;
        for (number, answer) in numbers.into_iter().zip(answers) {
            let entry = known.entries[number].clone();
            rows[number] = Some(match answer {
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
                Answer::Missing(why) => Row { entry, computed: None, kept: None, verdict: Verdict::NotComputed(why) },
            });
        }
    }
    Ok(rows.into_iter().flatten().collect())
}

/// One answer for each entry.
fn answers(question: &Question<'_>) -> Result<Vec<Answer>, ReproduceError> {
    let (game, size) = question.game.split_once(':').unwrap_or((question.game, ""));
    match game {
        "fox-geese" => fox_geese::answers(question),
        "fox-hounds" => fox_hounds::answers(question, size),
        "hasenspiel" => hasenspiel::answers(question),
        "hare-hounds" => hare_hounds::answers(question),
        "hexapawn" => hexapawn::answers(question, size),
        "noughts" => Ok(noughts::answers(question)),
        "king-rook" => king_rook::answers(question, size),
        _ => Err(question.unknown()),
    }
}

impl Question<'_> {
    /// The error of a game or rule set that there is none of.
    fn unknown(&self) -> ReproduceError {
        DataError::new(format!("there is no game {} with rules {}", self.game, self.rules)).into()
    }
}

/// Why the figures of a document could not be computed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReproduceError {
    /// What is known of the figures can not be read.
    Data(DataError),
    /// A game could not be solved.
    Analyse(AnalyseError),
}

impl std::fmt::Display for ReproduceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReproduceError::Data(error) => error.fmt(f),
            ReproduceError::Analyse(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReproduceError {}

impl From<DataError> for ReproduceError {
    fn from(error: DataError) -> ReproduceError {
        ReproduceError::Data(error)
    }
}

impl From<AnalyseError> for ReproduceError {
    fn from(error: AnalyseError) -> ReproduceError {
        ReproduceError::Analyse(error)
    }
}
