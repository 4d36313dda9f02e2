//! The files of known answers: what is printed, what is true, and why they differ where they do.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::Deserialize;
use serde_json::Value as Json;

/// What is known of the figures of a document.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    #[serde(rename = "document")]
    _document: String,
    #[serde(rename = "about")]
    _about: String,
    /// The figures.
    pub entries: Vec<Entry>,
    /// What the document prints and nothing here judges.
    #[serde(default)]
    pub aside: Vec<Aside>,
}

/// A figure.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What it is: `reachable`, `games`, `value`, ...
    pub figure: String,
    /// The game, with its size where it has sizes.
    pub game: String,
    /// The rule set, or `as-printed`.
    pub rules: String,
    /// Where it is printed.
    pub source: String,
    /// What is printed: a text, or several by name; null where nothing is.
    pub printed: Json,
    /// The true figure.
    #[serde(rename = "true")]
    pub truth: Json,
    /// Whether the printed figure is the true one; none where nothing is printed.
    pub agrees: Option<bool>,
    /// Why it is not.
    pub reason: Option<String>,
    /// What else there is to know.
    pub note: Option<String>,
    /// The position that it is about; none for the start, or for all.
    pub position: Option<String>,
    /// The layer that it is about.
    pub layer: Option<u16>,
    /// The fuzz factor that it is about.
    pub p: Option<f64>,
    /// Of a line of play, the number of plies after which it is looked at.
    pub after: Option<usize>,
    /// Of a line of play, which of equal moves each side takes: `first` or `last`.
    #[serde(default)]
    pub ties: BTreeMap<String, String>,
    /// Whether it takes long to compute.
    #[serde(default)]
    pub large: bool,
}

/// Something that a document prints and that is not computed here.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Aside {
    /// What it is.
    pub figure: String,
    /// Where it is printed.
    pub source: String,
    /// What is printed.
    pub printed: String,
    /// Why it is not computed.
    pub reason: String,
}

impl Known {
    /// Puts another file's figures behind these.
    pub(super) fn add(&mut self, other: Known) {
        self.entries.extend(other.entries);
        self.aside.extend(other.aside);
    }
}

impl FromStr for Known {
    type Err = DataError;

    fn from_str(text: &str) -> Result<Known, DataError> {
        serde_json::from_str(text).map_err(|error| DataError::new(error.to_string()))
    }
}

/// The known answers can not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataError {
    what: String,
}

impl DataError {
    pub(super) fn new(what: impl Into<String>) -> DataError {
        DataError { what: what.into() }
    }
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the known answers can not be read: {}", self.what)
    }
}

impl std::error::Error for DataError {}
