//! Manifests and lists of checksums of directories of tables. Needs the feature `manifest`.
//!
//! `{game}.{rules}.manifest.json` lists the files with their digests, so that a copy can be
//! compared with what was shipped (`sha256sum` and `b3sum` compute the same). It also holds what
//! table files must not contain: the engine, rounds, and seconds differ from run to run.

mod list;
mod sums;

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::{Defect, ListDefect, TableError};
use crate::format::{Header, hex};
use crate::kinds::{Kind, Metric};
use crate::names::game_in_names;
use crate::storage::open_file;

use list::read_list;
pub use sums::Sums;

/// The format number of manifests.
const FORMAT: u32 = 1;

/// Manifest of the tables of one game under one rule set.
///
/// ```
/// use anser_table::manifest::Manifest;
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

/// Entry of one table in a manifest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ManifestEntry {
    /// The layer.
    pub layer: u16,
    /// The metric.
    pub metric: Metric,
    /// The kind.
    pub kind: Kind,
    /// The length and digests of the file.
    #[serde(flatten)]
    pub file: FileDigest,
    /// The BLAKE3 of the raw payload in hexadecimal, the same for a raw table and its packed form.
    pub payload_blake3: String,
    /// The run that solved the layer, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunInfo>,
}

impl ManifestEntry {
    /// Returns the entry of a table whose file has these digests.
    pub fn new(header: &Header, file: FileDigest, run: Option<RunInfo>) -> ManifestEntry {
        let payload_blake3 = hex(header.payload_digest());
        let (layer, metric, kind) = (header.layer(), header.metric(), header.kind());
        ManifestEntry { layer, metric, kind, file, payload_blake3, run }
    }
}

/// The run that solved a layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunInfo {
    /// The name of the engine.
    pub engine: String,
    /// Number of rounds up to the last one that decided a position, as the engine defines them.
    pub rounds: u64,
    /// Wall time in seconds, all runs of an interrupted job together.
    pub seconds: f64,
    /// Number of threads of the last run.
    pub threads: usize,
}

/// Length and digests of a file; the digests are in lower-case hexadecimal.
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
    /// Creates an empty manifest.
    pub fn new(game: &str, rules: &str) -> Manifest {
        Manifest {
            format: FORMAT,
            game: game.to_owned(),
            rules: rules.to_owned(),
            tables: BTreeMap::new(),
        }
    }

    /// Returns the file name of the manifest of a game's tables under a rule set.
    ///
    /// ```
    /// use anser_table::manifest::Manifest;
    /// assert_eq!(Manifest::file_name("fox-geese", "free"), "fox-geese.free.manifest.json");
    /// ```
    pub fn file_name(game: &str, rules: &str) -> String {
        format!("{}.{rules}.manifest.json", game_in_names(game))
    }

    /// Reads the manifest `path`; `None` if there is no such file.
    ///
    /// # Errors
    /// If the file cannot be read, or [`Defect::Manifest`] if it is not a manifest.
    pub fn load(path: &Path) -> Result<Option<Manifest>, TableError> {
        read_list(path, Manifest::from_json)
    }

    /// Parses a manifest.
    ///
    /// # Errors
    /// [`Defect::Manifest`] if the text is not a manifest, or has an unknown format number.
    pub fn from_json(bytes: &[u8]) -> Result<Manifest, Defect> {
        let manifest: Manifest = serde_json::from_slice(bytes)
            .map_err(|error| Defect::Manifest(ListDefect::Json(error.to_string())))?;
        if manifest.format != FORMAT {
            return Err(Defect::Manifest(ListDefect::UnknownFormat(manifest.format)));
        }
        Ok(manifest)
    }

    /// Writes the manifest as JSON, files in the order of their names, with a newline at the end.
    pub fn to_json(&self) -> Vec<u8> {
        // Strings, numbers, and maps with string keys: serializing cannot fail. Seconds that are
        // not a number become null.
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }

    /// Returns the name of the game.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// Returns the id of the rule set.
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// Returns the entries with their file names, in the order of the names.
    pub fn tables(&self) -> impl Iterator<Item = (&str, &ManifestEntry)> {
        self.tables.iter().map(|(file, entry)| (file.as_str(), entry))
    }

    /// Returns the entry of a file.
    pub fn get(&self, file: &str) -> Option<&ManifestEntry> {
        self.tables.get(file)
    }

    /// Adds or replaces the entry of a file.
    pub fn insert(&mut self, file: impl Into<String>, entry: ManifestEntry) {
        self.tables.insert(file.into(), entry);
    }

    /// Removes and returns the entry of a file.
    pub fn remove(&mut self, file: &str) -> Option<ManifestEntry> {
        self.tables.remove(file)
    }
}

/// Bytes that are read at a time.
const READ: usize = 1 << 20;

impl FileDigest {
    /// Reads a whole file and computes its digests.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn of_file(path: &Path) -> Result<FileDigest, TableError> {
        open_file(path)
            .and_then(FileDigest::of_reader)
            .map_err(|error| TableError::new(path, error))
    }

    /// Reads to the end and computes the digests of the bytes.
    ///
    /// ```
    /// use anser_table::manifest::FileDigest;
    /// let digest = FileDigest::of_reader(&b"abc"[..])?;
    /// assert_eq!(digest.bytes, 3);
    /// assert!(digest.sha256.starts_with("ba7816bf"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the reader.
    pub fn of_reader(mut reader: impl Read) -> io::Result<FileDigest> {
        let (mut blake3, mut sha256, mut bytes) = (blake3::Hasher::new(), Sha256::new(), 0);
        let mut buffer = vec![0; READ];
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
        Ok(FileDigest {
            bytes,
            blake3: blake3.finalize().to_hex().to_string(),
            sha256: hex(&sha256.finalize()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads bytes, at most this number at a time.
    struct Pieces<'b>(&'b [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let len = buffer.len().min(self.1);
            (&mut self.0).take(len as u64).read(buffer)
        }
    }

    #[test]
    fn digests_do_not_depend_on_how_the_bytes_are_read() {
        let bytes: Vec<u8> =
            (0..2 * READ as u64 + 5).map(|number| ((number * number) >> 7) as u8).collect();
        for len in [0, 1, READ - 1, READ, READ + 1, bytes.len()] {
            let bytes = &bytes[..len];
            for piece in [4099, usize::MAX] {
                let digest = FileDigest::of_reader(Pieces(bytes, piece)).unwrap();
                assert_eq!(digest.bytes, len as u64);
                assert_eq!(digest.blake3, blake3::hash(bytes).to_hex().to_string());
                assert_eq!(digest.sha256, hex(&Sha256::digest(bytes)));
            }
        }
    }
}
