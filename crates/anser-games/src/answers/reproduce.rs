//! Figures that documents print, beside computed ones.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// The figures of documents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReproduceAnswer {
    /// The documents.
    pub documents: Vec<DocumentAnswer>,
}

/// A document with its figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DocumentAnswer {
    /// Identifier of the document.
    pub document: String,
    /// Title.
    pub title: String,
    /// Author; null if the document names none.
    pub author: Option<String>,
    /// Year of publication; null if it is not known.
    pub year: Option<u16>,
    /// The figures, in the order of the data files.
    pub rows: Vec<RowAnswer>,
    /// The run of a learner that the document prints, beside runs of the same system; null for
    /// documents without a learner.
    pub learner: Option<LearnerRunsAnswer>,
    /// Printed figures that are not computed.
    pub not_judged: Vec<AsideAnswer>,
    /// Number of figures for which the printed figure is the computed one.
    pub agrees: usize,
    /// Number of figures that differ from the printed ones as expected.
    pub differs_as_known: usize,
    /// Number of figures that the document does not print.
    pub not_printed: usize,
    /// Number of figures taken from a verified run because tables are missing.
    pub kept: usize,
    /// Number of figures that were not computed.
    pub not_computed: usize,
    /// Number of figures that are wrong.
    pub fails: usize,
}

/// A figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RowAnswer {
    /// Kind of the figure.
    pub figure: String,
    /// The game with its size.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// Position of the figure.
    pub position: Option<String>,
    /// Layer of the figure.
    pub layer: Option<u16>,
    /// Fuzz factor of the figure.
    pub p: Option<f64>,
    /// Title and section of the document that prints the figure, or `own computation`.
    pub source: String,
    /// The printed figure.
    pub printed: Json,
    /// The computed figure; null if it was not computed.
    pub computed: Option<Json>,
    /// The figure of a verified run; null unless it replaces a computed one because tables are
    /// missing.
    pub kept: Option<Json>,
    /// The known figure.
    pub known: Json,
    /// Identifier of the verdict.
    pub verdict: String,
    /// Reason for a difference from the printed figure.
    pub reason: Option<String>,
    /// Further remarks.
    pub note: Option<String>,
}

/// Figures of a learner over many seeds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LearnerRunsAnswer {
    /// Whether the runs are kept results.
    pub kept: bool,
    /// The seeds.
    pub seeds: Vec<u64>,
    /// The figures.
    pub figures: Vec<LearnerFigureAnswer>,
}

/// A figure of a learner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LearnerFigureAnswer {
    /// Name of the figure.
    pub figure: String,
    /// The figure of the printed run; null if it is not printed.
    pub printed: Option<u32>,
    /// The least, the quartiles, and the greatest over the seeds.
    pub spread: [f64; 5],
}

/// A printed figure that is not computed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AsideAnswer {
    /// Kind of the figure.
    pub figure: String,
    /// Title and section of the document that prints it.
    pub source: String,
    /// The printed text.
    pub printed: String,
    /// Reason for not computing it.
    pub reason: String,
}
