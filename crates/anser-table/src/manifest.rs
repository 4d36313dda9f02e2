//! The manifest of a directory: what its tables should be, and how they were made.
//!
//! `{game}.{rules}.manifest.json` lists the files with their digests, so that a copy can be checked against what was
//! shipped (`sha256sum` and `b3sum` compute the same). It also holds what table files must not: engine, rounds and
//! seconds differ from run to run.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::{Defect, TableError};
use crate::storage::open_file;

const FORMAT: u32 = 1;

/// The manifest of the tables of one game under one rule set.
///
/// ```
/// use anser_table::Manifest;
/// let manifest = Manifest::new("fox-geese", "free");
/// let json = manifest.to_json();
/// assert_eq!(Manifest::from_json(&json)?, manifest);
/// # Ok::<(), anser_table::Defect>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    format: u32,
    game: String,
    rules: String,
    /// By file name.
    tables: BTreeMap<String, ManifestEntry>,
}

/// What a manifest says of one table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ManifestEntry {
    /// The layer.
    pub layer: u16,
    /// What the values are: `wdl`.
    pub metric: String,
    /// `raw` or `packed`.
    pub kind: String,
    /// The file and its digests.
    #[serde(flatten)]
    pub file: FileDigest,
    /// The BLAKE3 of the raw payload in hexadecimal, equal for a raw table and what it packs to.
    pub payload_blake3: String,
    /// How the table was solved, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunInfo>,
}

/// How a layer was solved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunInfo {
    /// The name of the engine.
    pub engine: String,
    /// Rounds up to the last one that decided a position; what a round is, the engine says.
    pub rounds: u64,
    /// Wall time, all runs of an interrupted job together.
    pub seconds: f64,
    /// Threads of the last run.
    pub threads: usize,
}

/// The length of a file and its digests in lower-case hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileDigest {
    /// The length in bytes.
    pub bytes: u64,
    /// The BLAKE3 of the whole file.
    pub blake3: String,
    /// The SHA-256 of the whole file.
    pub sha256: String,
}

impl Manifest {
    /// An empty manifest of `game`, as on the command line.
    pub fn new(game: &str, rules: &str) -> Manifest {
        Manifest { format: FORMAT, game: game.to_owned(), rules: rules.to_owned(), tables: BTreeMap::new() }
    }

    /// Reads the manifest `path`; `None` if there is no such file.
    pub fn load(path: &Path) -> Result<Option<Manifest>, TableError> {
        let bytes = read_list(path)?;
        bytes.map(|bytes| Manifest::from_json(&bytes).map_err(|defect| TableError::new(path, defect))).transpose()
    }

    /// Reads a manifest from its text.
    pub fn from_json(bytes: &[u8]) -> Result<Manifest, Defect> {
        let manifest: Manifest = serde_json::from_slice(bytes).map_err(|error| Defect::Manifest(error.to_string()))?;
        if manifest.format != FORMAT {
            return Err(Defect::Manifest(format!("format {} is not known here", manifest.format)));
        }
        Ok(manifest)
    }

    /// The text of the manifest: JSON, files in the order of their names, a newline at the end.
    pub fn to_json(&self) -> Vec<u8> {
        // Strings, numbers and maps with string keys: serialising cannot fail, and seconds that are no number become
        // null.
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }

    /// The game, as on the command line.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The rule set.
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// The entries by file name, in the order of the names.
    pub fn tables(&self) -> impl Iterator<Item = (&str, &ManifestEntry)> {
        self.tables.iter().map(|(file, entry)| (file.as_str(), entry))
    }

    /// The entry of a file.
    pub fn get(&self, file: &str) -> Option<&ManifestEntry> {
        self.tables.get(file)
    }

    /// Adds or replaces the entry of a file.
    pub fn insert(&mut self, file: impl Into<String>, entry: ManifestEntry) {
        self.tables.insert(file.into(), entry);
    }

    /// Removes the entry of a file.
    pub fn remove(&mut self, file: &str) -> Option<ManifestEntry> {
        self.tables.remove(file)
    }
}

/// The length in bytes of the longest list that is read. Lists have some hundred bytes per table.
const LONGEST_LIST: u64 = 16 << 20;

/// Reads a list of files, a regular file of bounded length; `None` if there is no such file.
pub(crate) fn read_list(path: &Path) -> Result<Option<Vec<u8>>, TableError> {
    let file = match open_file(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(TableError::new(path, error)),
    };
    let mut bytes = Vec::new();
    file.take(LONGEST_LIST + 1).read_to_end(&mut bytes).map_err(|error| TableError::new(path, error))?;
    if bytes.len() as u64 > LONGEST_LIST {
        return Err(TableError::new(path, io::Error::new(io::ErrorKind::FileTooLarge, "too long for a list of files")));
    }
    Ok(Some(bytes))
}

/// Reads a whole file and computes its digests.
pub fn digest_file(path: &Path) -> Result<FileDigest, TableError> {
    open_file(path).and_then(digest_reader).map_err(|error| TableError::new(path, error))
}

/// Reads to the end and computes the digests of what was read.
pub fn digest_reader(mut reader: impl Read) -> io::Result<FileDigest> {
    let (mut blake3, mut sha256, mut bytes) = (blake3::Hasher::new(), Sha256::new(), 0);
    let mut buffer = vec![0; 1 << 20];
    loop {
        let read = match reader.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        blake3.update(&buffer[..read]);
        sha256.update(&buffer[..read]);
        bytes += read as u64;
    }
    Ok(FileDigest { bytes, blake3: blake3.finalize().to_hex().to_string(), sha256: hex(&sha256.finalize()) })
}

/// Bytes in lower-case hexadecimal.
///
/// ```
/// assert_eq!(anser_table::hex(&[0x0a, 0xff]), "0aff");
/// ```
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}
