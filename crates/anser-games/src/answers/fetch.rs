//! Tables from a site or a directory.

use anser_table::Metric;
use serde::{Deserialize, Serialize};

/// Tables that were fetched, or are to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FetchAnswer {
    /// The address, as given.
    pub url: String,
    /// The kind of source.
    pub origin: FetchOrigin,
    /// The directory of the tables.
    pub out: String,
    /// Bytes of all tables.
    pub bytes: u64,
    /// Bytes that were fetched now; with `--dry-run`, bytes to be fetched at most.
    pub fetched_bytes: u64,
    /// The lists that name the tables.
    pub lists: Vec<FetchedList>,
    /// The tables.
    pub tables: Vec<FetchedTable>,
}

/// Kind of source of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FetchOrigin {
    /// A site.
    Site,
    /// A directory of tables with manifests.
    Directory,
}

/// A manifest, or the file of a set of a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FetchedList {
    /// The address.
    pub url: String,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
}

/// A table that was fetched, or is to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FetchedTable {
    /// The game with its size.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// The layer.
    pub layer: u16,
    /// Metric of the values.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::metric"))]
    pub metric: Metric,
    /// The file.
    pub path: String,
    /// Length of the file in bytes.
    pub bytes: u64,
    /// Whether the directory has it.
    pub state: FetchState,
}

/// Whether the directory has a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FetchState {
    /// It was fetched.
    Fetched,
    /// The directory had it already.
    Kept,
    /// It is to be fetched.
    Missing,
}
