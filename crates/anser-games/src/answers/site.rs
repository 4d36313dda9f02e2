//! Sites that need no server.

use serde::{Deserialize, Serialize};

/// A site that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SiteAnswer {
    /// The directory.
    pub out: String,
    /// Number of files.
    pub files: usize,
    /// Bytes of all files.
    pub bytes: u64,
    /// Bytes of the largest file.
    pub largest_bytes: u64,
    /// Number of files that were written.
    pub written: usize,
    /// Number of files that an earlier site had already.
    pub kept: usize,
    /// Number of files of an earlier site that were removed.
    pub removed: usize,
    /// The games and rule sets.
    pub sets: Vec<SetOnSite>,
}

/// A game under a rule set on a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SetOnSite {
    /// The game with its size.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// Layers with outcomes.
    pub wdl: Vec<u16>,
    /// Layers with distances.
    pub dtw: Vec<u16>,
    /// Bytes of the tables.
    pub bytes: u64,
}
