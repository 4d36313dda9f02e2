//! Files and directories of tables.

use std::path::Path;

use anser_core::{Hunt, Side};
use anser_table::format::{FORMAT_VERSION, Header, Packing, Region, hex};
use anser_table::manifest::ManifestEntry;
use anser_table::{Kind, Metric};
use serde::{Deserialize, Serialize};

use super::tables::{longest_wins, path_text, position_counts};
use super::{LayerBytes, LongestWins, Map, PositionCounts};

/// Header of a table file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileAnswer {
    /// The file.
    pub path: String,
    /// The game with its size.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// The layer.
    pub layer: u16,
    /// Metric of the values.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::metric"))]
    pub metric: Metric,
    /// Bits per entry of the raw payload.
    pub bits: u32,
    /// Kind of the file.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::kind"))]
    pub kind: Kind,
    /// Version of the file format.
    pub format_version: u16,
    /// Whether the table is complete.
    pub complete: bool,
    /// Length of the file.
    pub bytes: u64,
    /// Number of positions; symmetric ones are counted separately.
    pub positions: u64,
    /// Number of positions by side to move, then by outcome.
    pub to_move: PositionCounts,
    /// Number of entries by side to move.
    pub entries: Map<u64>,
    /// Plies of the longest wins by side to move, then by winner, in a table of distances.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest: Option<LongestWins>,
    /// Numbering of the positions.
    pub index: IndexAnswer,
    /// Hash of the rules.
    pub rules_hash: String,
    /// Region of the values; its hash is the BLAKE3 of the raw payload.
    pub payload: RegionAnswer,
    /// Region of the checksums; its hash is their xxh3-64.
    pub checks: RegionAnswer,
    /// Region of the description of the game; its hash is its xxh3-64.
    pub description: RegionAnswer,
    /// Packing parameters; null in a raw table.
    pub packing: Option<PackingAnswer>,
    /// Program that wrote the table.
    pub generator: String,
    /// Entry of the manifest; null if there is none.
    pub manifest: Option<ManifestAnswer>,
}

/// Numbering of positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IndexAnswer {
    /// Name of the numbering.
    pub scheme: String,
    /// Version of the numbering.
    pub version: u16,
    /// Number of symmetries.
    pub symmetries: u16,
}

/// Region of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RegionAnswer {
    /// First byte, from 0.
    pub offset: u64,
    /// Length in bytes.
    pub bytes: u64,
    /// Digest in hexadecimal.
    pub hash: String,
}

/// Packing parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PackingAnswer {
    /// Sides to move whose values are stored; those of the other side are computed from them.
    pub stored: Vec<String>,
    /// Level of compression, 1 to 22.
    pub level: i8,
    /// Entries per block.
    pub block_entries: u32,
}

/// Entry of a table in a manifest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ManifestAnswer {
    /// The layer.
    pub layer: u16,
    /// Metric of the values.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::metric"))]
    pub metric: Metric,
    /// Kind of the file.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::kind"))]
    pub kind: Kind,
    /// Length of the file.
    pub bytes: u64,
    /// BLAKE3 of the whole file.
    pub blake3: String,
    /// SHA-256 of the whole file.
    pub sha256: String,
    /// BLAKE3 of the raw payload.
    pub payload_blake3: String,
    /// The run that solved the layer, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunAnswer>,
}

/// A run that solved a layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunAnswer {
    /// Name of the engine.
    pub engine: String,
    /// Number of rounds.
    pub rounds: u64,
    /// Time of the run.
    pub seconds: f64,
    /// Number of threads.
    pub threads: usize,
}

impl From<ManifestEntry> for ManifestAnswer {
    fn from(entry: ManifestEntry) -> ManifestAnswer {
        let ManifestEntry { layer, metric, kind, file, payload_blake3, run } = entry;
        ManifestAnswer {
            layer,
            metric,
            kind,
            bytes: file.bytes,
            blake3: file.blake3,
            sha256: file.sha256,
            payload_blake3,
            run: run.map(|run| RunAnswer {
                engine: run.engine,
                rounds: run.rounds,
                seconds: run.seconds,
                threads: run.threads,
            }),
        }
    }
}

impl FileAnswer {
    /// Describes the header of a table in a file of this length, in bytes.
    pub fn new(
        game: &Hunt,
        path: &Path,
        header: &Header,
        bytes: u64,
        manifest: Option<ManifestEntry>,
    ) -> FileAnswer {
        let layout = header.layout();
        let region = |of: Region, hash| RegionAnswer { offset: of.offset, bytes: of.len, hash };
        FileAnswer {
            path: path_text(path),
            game: header.game().to_owned(),
            rules: header.rules().to_owned(),
            layer: header.layer(),
            metric: header.metric(),
            bits: header.bits(),
            kind: header.kind(),
            format_version: FORMAT_VERSION,
            complete: header.is_complete(),
            bytes,
            positions: Side::BOTH.iter().map(|&side| game.positions(header.layer(), side)).sum(),
            to_move: position_counts(game, &header.counts()),
            entries: Map::by_side(game, |side| header.entries()[side]),
            longest: header.longest().map(|longest| longest_wins(game, &longest)),
            index: IndexAnswer {
                scheme: header.scheme().to_owned(),
                version: header.scheme_version(),
                symmetries: header.symmetries(),
            },
            rules_hash: format!("{:016x}", header.rules_hash()),
            payload: region(layout.payload, hex(header.payload_digest())),
            checks: region(layout.checks, format!("{:016x}", header.checks_hash())),
            description: region(layout.description, format!("{:016x}", header.description_hash())),
            packing: header.packing().map(|packing| PackingAnswer::new(game, packing)),
            generator: header.generator().to_owned(),
            manifest: manifest.map(ManifestAnswer::from),
        }
    }
}

impl PackingAnswer {
    fn new(game: &Hunt, packing: &Packing) -> PackingAnswer {
        let stored = Side::BOTH.into_iter().filter(|&side| packing.stored[side]);
        PackingAnswer {
            stored: stored.map(|side| game.side_name(side).into()).collect(),
            level: packing.level,
            block_entries: packing.block_entries,
        }
    }
}

/// Contents of one or more directories of tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DirectoryAnswer {
    /// The directory; of several, the first.
    pub directory: String,
    /// The directories, if there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub directories: Vec<String>,
    /// The sets of tables, each of one game, rule set, and metric.
    pub sets: Vec<SetOfTables>,
    /// All sets together.
    pub total: TotalAnswer,
    /// Files of unfinished layers.
    pub unfinished: Vec<LooseFile>,
    /// Files that cannot be used.
    pub unusable: Vec<LooseFile>,
}

/// The tables of one game, rule set, and metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SetOfTables {
    /// The game with its size.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// Metric of the values.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::metric"))]
    pub metric: Metric,
    /// The layers that have a table, lowest first.
    pub layers: Vec<LayerFiles>,
    /// These layers together.
    pub total: TotalAnswer,
    /// Layers that are missing.
    pub missing: Vec<u16>,
    /// Command that makes the missing layers; null if none is missing.
    pub command: Option<String>,
}

/// The files of a layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LayerFiles {
    /// The layer.
    pub layer: u16,
    /// Lengths of the files.
    pub bytes: LayerBytes,
}

/// Sums over tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TotalAnswer {
    /// Number of layers.
    pub layer_count: usize,
    /// Number of positions; symmetric ones are counted separately.
    pub positions: u64,
    /// Lengths of the files.
    pub bytes: TotalBytes,
}

/// Lengths of files in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TotalBytes {
    /// All raw tables.
    pub raw: u64,
    /// All packed tables.
    pub packed: u64,
}

impl TotalAnswer {
    /// Adds other tables.
    pub fn add(&mut self, other: TotalAnswer) {
        self.layer_count += other.layer_count;
        self.positions += other.positions;
        self.bytes.raw += other.bytes.raw;
        self.bytes.packed += other.bytes.packed;
    }
}

/// A file that is not a usable table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LooseFile {
    /// The file.
    pub path: String,
    /// Length in bytes.
    pub bytes: u64,
    /// Reason if it cannot be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// Command that recreates it, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}
