//! Kinds of tables: how values are stored, and what they are.

use std::fmt;
use std::str::FromStr;

/// Form in which the payload of a table is stored.
///
/// ```
/// use anser_table::Kind;
/// assert_eq!(Kind::Raw.to_string(), "raw");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "manifest",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
pub enum Kind {
    /// As solved: a fixed number of bits per entry.
    Raw,
    /// As shipped: compressed blocks.
    Packed,
}

impl Kind {
    /// Both kinds, in the order in which a reader prefers them.
    pub const ALL: [Kind; 2] = [Kind::Raw, Kind::Packed];

    /// Returns `raw` or `packed`.
    pub const fn id(self) -> &'static str {
        match self {
            Kind::Raw => "raw",
            Kind::Packed => "packed",
        }
    }

    /// Returns the extension of the file name, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Kind::Raw => "anser",
            Kind::Packed => "anserz",
        }
    }
}

/// Quantity that a table stores for each position.
///
/// ```
/// use anser_table::Metric;
/// assert_eq!("dtw".parse(), Ok(Metric::Dtw));
/// let error = "dtm".parse::<Metric>().unwrap_err();
/// assert_eq!(error.to_string(), "no metric is called \"dtm\"; there are wdl, dtw");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "manifest",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
pub enum Metric {
    /// Outcomes: won for one side, or drawn.
    Wdl,
    /// Distances: the outcome, and the plies to the win.
    Dtw,
}

impl Metric {
    /// All metrics, in the order of their numbers in a header.
    pub const ALL: [Metric; 2] = [Metric::Wdl, Metric::Dtw];

    /// Whether the values tell the plies to the win.
    ///
    /// ```
    /// use anser_table::Metric;
    /// assert!(Metric::Dtw.has_distances() && !Metric::Wdl.has_distances());
    /// ```
    pub const fn has_distances(self) -> bool {
        match self {
            Metric::Wdl => false,
            Metric::Dtw => true,
        }
    }

    /// Returns the name in file names and manifests: `wdl`, `dtw`.
    pub const fn id(self) -> &'static str {
        match self {
            Metric::Wdl => "wdl",
            Metric::Dtw => "dtw",
        }
    }
}

/// The error of parsing a [`Metric`]: no such name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownId(String);

impl fmt::Display for UnknownId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Metric::ALL.map(Metric::id).join(", ");
        write!(f, "no metric is called {:?}; there are {known}", self.0)
    }
}

impl std::error::Error for UnknownId {}

impl FromStr for Metric {
    type Err = UnknownId;

    fn from_str(id: &str) -> Result<Metric, UnknownId> {
        let metric = Metric::ALL.into_iter().find(|metric| metric.id() == id);
        metric.ok_or_else(|| UnknownId(id.to_owned()))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
