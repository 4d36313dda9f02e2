//! Known figures: what is printed, what is true, and why the two differ where they do.

use std::str::FromStr;

use anser_analyse::Tie;
use anser_core::BySide;
use anser_games::answers::AsideAnswer;
use serde::Deserialize;
use serde_json::Value as Json;

use crate::{Figure, Subject};

/// The known figures of a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Known {
    /// Figures that are computed.
    pub entries: Vec<Entry>,
    /// Printed figures that are not computed.
    pub aside: Vec<AsideAnswer>,
}

/// A figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Kind of the figure.
    pub figure: Figure,
    /// Game and rule set.
    pub subject: Subject,
    /// Title and section of the document that prints the figure, or `own computation`.
    pub source: String,
    /// The printed text, or several by name; `Null` if the figure is not printed.
    pub printed: Json,
    /// The true figure, in the form in which it is computed.
    pub truth: Json,
    /// Whether the printed figure is the true one; `None` if it is not printed.
    pub agrees: Option<bool>,
    /// Why the printed figure is not the true one.
    pub reason: Option<String>,
    /// Further remarks.
    pub note: Option<String>,
    /// Position that the figure is about, in the notation of the game; `None` for the start, or for
    /// all positions.
    pub position: Option<String>,
    /// Layer that the figure is about.
    pub layer: Option<u16>,
    /// Fuzz factor that the figure is about, 0 to 1.
    pub p: Option<f64>,
    /// Plies of a line of play after which the position is taken.
    pub after: Option<usize>,
    /// Choice among equal moves in a line of play, of the hare, the first side, and of the hounds.
    pub ties: Option<BySide<Tie>>,
    /// Whether the figure takes long to compute.
    pub large: bool,
}

/// The known figures cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// The text is not JSON, or JSON of another shape.
    #[error("the known figures cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    /// There is no such kind of figure.
    #[error("the known figures name a figure {figure:?} of {game}, which does not exist")]
    UnknownFigure {
        /// The identifier of the figure.
        figure: String,
        /// The game of the entry.
        game: String,
    },
    /// There is no such game, size, or rule set.
    #[error("the known figures name the game {game} with rules {rules}, which do not exist")]
    UnknownSubject {
        /// The name of the game, with its size.
        game: String,
        /// The identifier of the rule set.
        rules: String,
    },
    /// A subject has a rule set or a size that does not exist.
    #[error("the known figures name a game that does not exist: {0}")]
    Family(#[from] anser_core::hunt::FamilyError),
    /// An entry names a text that is not a position of its game.
    #[error("the known figures of {game} name {position:?}, which is not a position: {error}")]
    Position {
        /// The name of the game, with its size.
        game: String,
        /// The text.
        position: String,
        /// The problem of the text.
        error: anser_core::NotationError,
    },
    /// The counts of a full run lack a layer or a column.
    #[error("the counts of the full run of fox-geese under {rules} are incomplete")]
    Counts {
        /// The identifier of the rule set.
        rules: String,
    },
}

/// A data file as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileText {
    #[serde(rename = "document")]
    _document: String,
    #[serde(rename = "about")]
    _about: String,
    entries: Vec<EntryText>,
    #[serde(default)]
    aside: Vec<AsideAnswer>,
}

/// An entry as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryText {
    figure: String,
    game: String,
    rules: String,
    source: String,
    printed: Json,
    #[serde(rename = "true")]
    truth: Json,
    agrees: Option<bool>,
    reason: Option<String>,
    note: Option<String>,
    position: Option<String>,
    layer: Option<u16>,
    p: Option<f64>,
    after: Option<usize>,
    ties: Option<TiesText>,
    #[serde(default)]
    large: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TiesText {
    #[serde(with = "TieText")]
    hare: Tie,
    #[serde(with = "TieText")]
    hounds: Tie,
}

#[derive(Deserialize)]
#[serde(remote = "Tie", rename_all = "lowercase")]
enum TieText {
    First,
    Last,
}

impl FromStr for Known {
    type Err = DataError;

    fn from_str(text: &str) -> Result<Known, DataError> {
        let file: FileText = serde_json::from_str(text)?;
        let entries = file.entries.into_iter().map(Entry::try_from).collect::<Result<_, _>>()?;
        Ok(Known { entries, aside: file.aside })
    }
}

impl TryFrom<EntryText> for Entry {
    type Error = DataError;

    fn try_from(text: EntryText) -> Result<Entry, DataError> {
        let Some(subject) = Subject::parse(&text.game, &text.rules) else {
            return Err(DataError::UnknownSubject { game: text.game, rules: text.rules });
        };
        let Some(figure) = Figure::from_id(&text.figure) else {
            return Err(DataError::UnknownFigure { figure: text.figure, game: text.game });
        };
        Ok(Entry {
            figure,
            subject,
            source: text.source,
            printed: text.printed,
            truth: text.truth,
            agrees: text.agrees,
            reason: text.reason,
            note: text.note,
            position: text.position,
            layer: text.layer,
            p: text.p,
            after: text.after,
            ties: text.ties.map(|ties| BySide::new(ties.hare, ties.hounds)),
            large: text.large,
        })
    }
}
