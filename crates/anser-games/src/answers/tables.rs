//! Tables: statistics, runs, checks, and conversions.

use std::path::Path;

use anser_core::Hunt;
use anser_solve::{Packed, Problem, Verified};
use anser_table::Metric;
use anser_table::format::{Counts, FORMAT_VERSION, Longest, count_slot};
use serde::{Deserialize, Serialize};

use super::position::by_outcome;
use super::{ErrorObject, Map};

/// A path as text.
pub(super) fn path_text(path: &Path) -> String {
    path.display().to_string()
}

/// Answers about several sets of tables, each of one game under one rule set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SetsAnswer<A> {
    /// One answer per set.
    pub sets: Vec<A>,
}

/// The answer about one of several sets of tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum SetAnswer<A> {
    /// The answer.
    Answered(A),
    /// An error.
    Failed(SetError),
}

/// Error of one set of tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SetError {
    /// The game with its size.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// The error.
    pub error: ErrorObject,
}

/// Numbers of positions by side to move, then by outcome; symmetric ones are counted separately.
pub type PositionCounts = Map<Map<u64>>;

/// Plies of the longest wins by side to move, then by winner; null if the side wins no position.
pub type LongestWins = Map<Map<Option<u16>>>;

/// Describes the counts of a table.
pub fn position_counts(game: &Hunt, counts: &Counts) -> PositionCounts {
    Map::by_side(game, |side| by_outcome(game, |outcome| counts[side][count_slot(outcome)]))
}

/// Describes the longest wins of a table.
pub fn longest_wins(game: &Hunt, longest: &Longest) -> LongestWins {
    Map::by_side(game, |side| Map::by_side(game, |winner| longest[side][winner]))
}

/// Lengths of the files of a layer in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LayerBytes {
    /// Length of the raw table; null if there is none.
    pub raw: Option<u64>,
    /// Length of the packed table; null if there is none.
    pub packed: Option<u64>,
}

/// Statistics of a set of tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StatsAnswer {
    /// The game with its size.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// The layers that have a table, lowest first.
    pub layers: Vec<LayerAnswer>,
}

/// Statistics of a layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LayerAnswer {
    /// The layer.
    pub layer: u16,
    /// Pieces of its positions, only in layers by placement: `4 tigers, 16 goats, 1 captured`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pieces: Option<String>,
    /// Number of positions; symmetric ones are counted separately.
    pub positions: u64,
    /// Number of positions by side to move, then by outcome.
    pub to_move: PositionCounts,
    /// Number of positions; symmetric ones are counted once.
    pub classes: u64,
    /// The table of outcomes, or that of distances if it is the only one.
    #[serde(flatten)]
    pub table: TableRun,
    /// Plies of the longest wins by side to move, then by winner, if there is a table of distances.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest: Option<LongestWins>,
    /// The table of distances, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dtw: Option<TableRun>,
}

/// Run and files of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableRun {
    /// Number of rounds; null if no manifest has it.
    pub rounds: Option<u64>,
    /// Time of the run; null if no manifest has it.
    pub seconds: Option<f64>,
    /// Lengths of the files.
    pub bytes: LayerBytes,
    /// BLAKE3 of the raw payload.
    pub blake3: String,
}

/// Layers that were solved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolveAnswer {
    /// The game with its size.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// The directory of the tables.
    pub directory: String,
    /// The layers, lowest first.
    pub layers: Vec<SolvedLayer>,
}

/// A layer that was solved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolvedLayer {
    /// Statistics.
    #[serde(flatten)]
    pub stats: LayerAnswer,
    /// Whether the layer already existed in all requested metrics.
    pub kept: bool,
}

/// Estimate of a run for one metric. Time, memory, and disk are those of the whole run, which may
/// fill several metrics in one pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlanAnswer {
    /// The game with its size.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// Metric to be computed.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::metric"))]
    pub metric: Metric,
    /// The directory of the tables.
    pub directory: String,
    /// The layers to be solved, lowest first.
    pub layers: Vec<PlannedLayer>,
    /// Number of entries of these layers.
    pub classes: u64,
    /// Estimated time.
    pub seconds: f64,
    /// Estimated time if most positions are won or lost after many plies.
    pub most_seconds: f64,
    /// Memory of the largest layer, in bytes; with ranks, of each of them.
    pub memory: Need,
    /// Disk space, in bytes.
    pub disk: Need,
    /// Most bytes of scratch files for one layer; included in the disk space.
    pub scratch_bytes: u64,
    /// What ranks send each other; `null` for one process.
    pub traffic: Option<PlannedTraffic>,
    /// Layers with tables to be packed, lowest first; none without `--packed`.
    pub packed: Vec<u16>,
}

/// What the ranks of a cluster send each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlannedTraffic {
    /// Number of ranks.
    pub ranks: usize,
    /// Bytes that all of them send, at most.
    pub bytes: u64,
}

/// A layer to be solved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlannedLayer {
    /// The layer.
    pub layer: u16,
    /// Name of the engine.
    pub engine: Option<String>,
    /// Whether part of the working memory goes to scratch files.
    pub scratch: bool,
}

/// Needed and available bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Need {
    /// Needed bytes.
    pub needed: u64,
    /// Available bytes; null if the system does not report them.
    pub available: Option<u64>,
}

/// Tables that were checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VerifyAnswer {
    /// The game with its size.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// Whether recomputation of every value was requested.
    pub full: bool,
    /// Whether tracing of every win to the end of the game was requested.
    pub founded: bool,
    /// Whether no table has a problem and every table could be read.
    pub sound: bool,
    /// The tables, then lists of files and other files that have a problem.
    pub tables: Vec<VerifiedTable>,
    /// Files without a digest to compare the whole file with, in sentences.
    pub not_compared: Vec<String>,
}

/// A table that was checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VerifiedTable {
    /// The layer; null for other files.
    pub layer: Option<u16>,
    /// The file.
    pub path: String,
    /// Metric of the values; null for other files.
    pub metric: Option<String>,
    /// `raw` or `packed` for a table, `manifest`, `checksums`, or `file` for other files.
    pub kind: String,
    /// Number of values that were recomputed.
    pub entries: u64,
    /// Whether every value was recomputed.
    pub full: bool,
    /// Number of rounds in which every win was traced back to the end of the game; null if that was
    /// not checked, if there are problems, and for distances.
    pub rounds: Option<u64>,
    /// Whether there is no problem and the file could be read.
    pub sound: bool,
    /// The lists that the digest of the whole file was compared with.
    pub compared: ComparedAnswer,
    /// Problems found.
    pub problems: Vec<String>,
    /// Command that solves a damaged table again.
    pub command: Option<String>,
    /// Reason if values could not be recomputed.
    pub not_recomputed: Option<String>,
    /// Reason if the file could not be read.
    pub unreadable: Option<String>,
    /// Time that the check took.
    pub seconds: f64,
}

/// Lists of digests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparedAnswer {
    /// Whether the manifest lists the file.
    pub manifest: bool,
    /// Whether `SHA256SUMS` lists the file.
    pub sha256sums: bool,
}

impl VerifiedTable {
    /// Describes a checked table, with the texts of the fields of the same names.
    pub fn new(
        table: &Verified,
        command: Option<String>,
        not_recomputed: Option<String>,
        unreadable: Option<String>,
    ) -> VerifiedTable {
        VerifiedTable {
            layer: table.layer(),
            path: path_text(&table.path),
            metric: table.metric().map(|metric| metric.id().into()),
            kind: table.file.id().into(),
            entries: table.entries,
            full: table.full,
            rounds: table.rounds,
            sound: table.problems.is_empty() && table.unreadable.is_none(),
            compared: ComparedAnswer {
                manifest: table.compared.manifest,
                sha256sums: table.compared.sums,
            },
            problems: table.problems.iter().map(Problem::to_string).collect(),
            command,
            not_recomputed,
            unreadable,
            seconds: table.seconds,
        }
    }
}

/// Tables that were packed or unpacked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PackAnswer {
    /// The game with its size.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// The tables.
    pub tables: Vec<PackedTable>,
}

/// A table that was packed or unpacked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PackedTable {
    /// The layer.
    pub layer: u16,
    /// Metric of the values.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::metric"))]
    pub metric: Metric,
    /// The file that was written.
    pub path: String,
    /// Length of the raw table in bytes.
    pub raw_bytes: u64,
    /// Length of the file in bytes.
    pub bytes: u64,
    /// Whether the file already existed.
    pub kept: bool,
    /// Version of the file format.
    pub format_version: u16,
    /// Time that the conversion took.
    pub seconds: f64,
}

impl PackAnswer {
    /// Describes tables that were packed or unpacked.
    pub fn new(game: &Hunt, tables: &[Packed]) -> PackAnswer {
        let tables = tables.iter().map(|table| PackedTable {
            layer: table.layer,
            metric: table.metric,
            path: path_text(&table.path),
            raw_bytes: table.raw_bytes,
            bytes: table.bytes,
            kept: table.kept,
            format_version: FORMAT_VERSION,
            seconds: table.seconds,
        });
        PackAnswer {
            game: game.name().into(),
            rules: game.rules_id().into(),
            tables: tables.collect(),
        }
    }
}
