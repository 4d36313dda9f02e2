//! The lists of files in a directory: the manifest of the tables, and `SHA256SUMS`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anser_core::Hunt;
use anser_table::format::hex;
use anser_table::manifest::{FileDigest, Manifest, ManifestEntry, Sums};
use anser_table::{ErrorClass, Metric, Table, TableError, TableName};

use crate::SolveError;
use crate::io::manifest::check_set;
use crate::verify::options::VerifyOptions;
use crate::verify::problem::{Compared, FileKind, ListedProperty, Problem, Verified};

/// The lists of one directory, for the tables of one game.
pub(crate) struct Listings<'a> {
    game: &'a Hunt,
    dir: &'a Path,
    /// The path of the manifest, which may not exist.
    manifest_path: PathBuf,
    manifest: Option<Manifest>,
    sums: Option<Sums>,
    /// Problems of the lists themselves.
    problems: Vec<Verified>,
}

impl<'a> Listings<'a> {
    /// Reads the lists of a directory. A list that cannot be used is a problem, not an error.
    pub(crate) fn read(game: &'a Hunt, dir: &'a Path) -> Listings<'a> {
        let (name, rules) = (game.name(), game.rules_id());
        let manifest_path = dir.join(Manifest::file_name(name, rules));
        let mut problems = Vec::new();
        let manifest = usable(
            Manifest::load(&manifest_path),
            &manifest_path,
            FileKind::Manifest,
            &mut problems,
        );
        let manifest = manifest.filter(|manifest| match check_set(manifest, (name, rules)) {
            Ok(()) => true,
            Err(defect) => {
                let problem = Problem::File(TableError::new(&manifest_path, defect));
                problems.push(manifest_problem(&manifest_path, problem));
                false
            }
        });
        let sums = usable(Sums::load(dir), &dir.join(Sums::NAME), FileKind::Sums, &mut problems);
        Listings { game, dir, manifest_path, manifest, sums, problems }
    }

    /// Compares a table with the lists. Returns the differences, and the lists that have the table.
    pub(crate) fn compare(&self, table: &Table) -> Result<(Vec<Problem>, Compared), SolveError> {
        let name = table.path().file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let entry = self.manifest.as_ref().and_then(|manifest| manifest.get(name));
        let sum = self.sums.as_ref().and_then(|sums| sums.get(name));
        let compared = Compared { manifest: entry.is_some(), sums: sum.is_some() };
        let mut problems = Vec::new();
        if compared == Compared::default() {
            return Ok((problems, compared));
        }
        let digest = FileDigest::of_file(table.path())?;
        let path = table.path();
        if let Some(entry) = entry {
            let properties = differences(entry, table, &digest);
            if !properties.is_empty() {
                let list = self.manifest_path.clone();
                problems.push(Problem::Differs { path: path.to_owned(), list, properties });
            }
        }
        if sum.is_some_and(|sum| sum != digest.sha256) {
            problems.push(self.other_sum(path));
        }
        Ok((problems, compared))
    }

    /// Returns the problems of the lists, of listed files that are not tables, and of missing
    /// tables.
    pub(crate) fn rest(mut self, options: &VerifyOptions) -> Vec<Verified> {
        let mut found = std::mem::take(&mut self.problems);
        let missing = self.missing_tables(options, &mut found);
        self.check_sums(options, &missing, &mut found);
        found
    }

    /// Adds the tables of the manifest that are missing, and the names that are none of its own.
    /// Returns the names of missing tables.
    fn missing_tables(&self, options: &VerifyOptions, found: &mut Vec<Verified>) -> BTreeSet<&str> {
        let mut missing = BTreeSet::new();
        for (file, entry) in self.manifest.iter().flat_map(Manifest::tables) {
            let Some(name) = self.own(file) else {
                if is_wanted(options, entry.layer, None) {
                    let (list, name) = (self.manifest_path.clone(), file.to_owned());
                    let problem = Problem::ForeignName { list, name };
                    found.push(manifest_problem(&self.manifest_path, problem));
                }
                continue;
            };
            // A raw table may be deleted if the packed one exists, and the reverse.
            let is_missing = !self.exists(file) && !self.has_same_values(&name, entry);
            if is_wanted(options, name.layer, Some(name.metric)) && is_missing {
                found.push(self.not_there(&name, self.manifest_path.clone()));
                missing.insert(file);
            }
        }
        missing
    }

    /// Adds the tables of `SHA256SUMS` that are missing, but for those of `missing`, and its other
    /// files that are missing or have another digest.
    fn check_sums(
        &self,
        options: &VerifyOptions,
        missing: &BTreeSet<&str>,
        found: &mut Vec<Verified>,
    ) {
        let files = self.sums.iter().flat_map(Sums::files);
        for (file, sum) in files.filter(|(file, _)| !missing.contains(file)) {
            if let Some(name) = TableName::parse(file) {
                // Tables of other games are checked with those games.
                if self.own(file).is_some()
                    && is_wanted(options, name.layer, Some(name.metric))
                    && !self.exists(file)
                {
                    found.push(self.not_there(&name, self.sums_path()));
                }
                continue;
            }
            let is_manifest = self.dir.join(file) == self.manifest_path;
            let is_other = !is_manifest && file.ends_with(".manifest.json");
            // Only files of this directory: the list may be a copy from elsewhere.
            if is_other || file.contains(['/', '\\']) || !is_wanted_whole(options) {
                continue;
            }
            let path = self.dir.join(file);
            let kind = if is_manifest { FileKind::Manifest } else { FileKind::Other };
            match FileDigest::of_file(&path) {
                Ok(digest) if digest.sha256 == sum => {}
                Ok(_) => {
                    let problem = self.other_sum(&path);
                    found.push(Verified::with_problem(path, kind, problem));
                }
                Err(_) if !path.exists() => {
                    let problem = Problem::NotThere { path: path.clone(), list: self.sums_path() };
                    found.push(Verified::with_problem(path, kind, problem));
                }
                Err(error) => found.push(Verified::unreadable(path, kind, error)),
            }
        }
    }

    /// Parses the name of a table of this game and rule set.
    fn own(&self, file: &str) -> Option<TableName> {
        let name = TableName::parse(file)?;
        let own = name.is_of(self.game.name(), self.game.rules_id());
        (own && self.game.layers().contains(&name.layer)).then_some(name)
    }

    fn exists(&self, file: &str) -> bool {
        self.dir.join(file).exists()
    }

    /// Whether another existing table of the layer and metric has the same values, according to the
    /// manifest. Tables of both metrics can have the same bytes.
    fn has_same_values(&self, name: &TableName, entry: &ManifestEntry) -> bool {
        self.manifest.iter().flat_map(Manifest::tables).any(|(file, other)| {
            let is_of_layer =
                |other: TableName| (other.layer, other.metric) == (name.layer, name.metric);
            let same = other.payload_blake3 == entry.payload_blake3;
            same && self.own(file).is_some_and(is_of_layer) && self.exists(file)
        })
    }

    fn not_there(&self, name: &TableName, list: PathBuf) -> Verified {
        let path = self.dir.join(name.to_string());
        let file = FileKind::Table { layer: name.layer, metric: name.metric, kind: name.kind };
        Verified::with_problem(path.clone(), file, Problem::NotThere { path, list })
    }

    fn sums_path(&self) -> PathBuf {
        self.dir.join(Sums::NAME)
    }

    /// Returns the problem of a file whose SHA-256 is not the listed one.
    fn other_sum(&self, path: &Path) -> Problem {
        Problem::Differs {
            path: path.to_owned(),
            list: self.sums_path(),
            properties: vec![ListedProperty::Sha256],
        }
    }
}

fn manifest_problem(path: &Path, problem: Problem) -> Verified {
    Verified::with_problem(path.to_owned(), FileKind::Manifest, problem)
}

/// Returns a list that was read, or adds the problem.
fn usable<T>(
    read: Result<Option<T>, TableError>,
    path: &Path,
    kind: FileKind,
    problems: &mut Vec<Verified>,
) -> Option<T> {
    match read {
        Ok(read) => read,
        Err(error) if error.class() == ErrorClass::Io => {
            problems.push(Verified::unreadable(path.to_owned(), kind, error));
            None
        }
        Err(error) => {
            problems.push(Verified::with_problem(path.to_owned(), kind, Problem::File(error)));
            None
        }
    }
}

/// Returns the properties in which a table differs from its entry in the manifest.
fn differences(entry: &ManifestEntry, table: &Table, digest: &FileDigest) -> Vec<ListedProperty> {
    let header = table.header();
    let FileDigest { bytes, blake3, sha256 } = &entry.file;
    [
        (ListedProperty::Layer, entry.layer == header.layer()),
        (ListedProperty::Metric, entry.metric == header.metric()),
        (ListedProperty::Kind, entry.kind == header.kind()),
        (ListedProperty::Length, *bytes == digest.bytes),
        (ListedProperty::Blake3, *blake3 == digest.blake3),
        (ListedProperty::Sha256, *sha256 == digest.sha256),
        (ListedProperty::Payload, entry.payload_blake3 == hex(header.payload_digest())),
    ]
    .into_iter()
    .filter_map(|(what, same)| (!same).then_some(what))
    .collect()
}

fn is_wanted(options: &VerifyOptions, layer: u16, metric: Option<Metric>) -> bool {
    options.layers.as_ref().is_none_or(|layers| layers.contains(&layer))
        && metric.is_none_or(|metric| options.metric.is_none_or(|wanted| wanted == metric))
}

/// Whether the whole directory is checked.
fn is_wanted_whole(options: &VerifyOptions) -> bool {
    options.layers.is_none() && options.metric.is_none()
}
