//! What a directory says about its files: the manifest of the tables, and `SHA256SUMS`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anser_core::Game;
use anser_table::format::hex;
use anser_table::manifest::{FileDigest, Manifest, ManifestEntry, Sums};
use anser_table::{ErrorClass, Kind, Metric, Table, TableError, TableName};

use crate::SolveError;
use crate::verify::{Verified, VerifyOptions};

/// The lists that a table was compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// The manifest lists the table.
    pub manifest: bool,
    /// `SHA256SUMS` lists the table.
    pub sums: bool,
}

/// The lists of one directory, for the tables of one game.
pub(crate) struct Listings<'a, G: Game> {
    game: &'a G,
    dir: &'a Path,
    /// Where the manifest is, or would be.
    manifest_path: PathBuf,
    manifest: Option<Manifest>,
    sums: Option<Sums>,
    /// What is wrong with the lists themselves.
    problems: Vec<Verified>,
}

impl<'a, G: Game> Listings<'a, G> {
    /// Reads the lists of a directory. One that cannot be used is not an error but a result.
    pub(crate) fn read(game: &'a G, dir: &'a Path) -> Listings<'a, G> {
        let (name, rules) = (game.name(), game.rules_id());
        let manifest_path = dir.join(Manifest::file_name(&name, &rules));
        let mut problems = Vec::new();
        let manifest = usable(Manifest::load(&manifest_path), &manifest_path, MANIFEST, &mut problems);
        let manifest = manifest.filter(|manifest| {
            let is_of = (manifest.game(), manifest.rules()) == (&*name, &*rules);
            if !is_of {
                problems.push(Verified::of_list(
                    manifest_path.clone(),
                    MANIFEST,
                    format!(
                        "{}: a manifest of {:?} (rules {:?}), where one of {name} (rules {rules}) was expected; delete \
                         it, `anser pack` and `anser solve` write it anew",
                        manifest_path.display(),
                        manifest.game(),
                        manifest.rules()
                    ),
                ));
            }
            is_of
        });
        let sums = usable(Sums::load(dir), &dir.join(Sums::NAME), SUMS, &mut problems);
        Listings { game, dir, manifest_path, manifest, sums, problems }
    }

    /// Compares a table with the lists: what differs, and which lists there were to compare with.
    pub(crate) fn compare(&self, table: &Table) -> Result<(Vec<String>, Compared), SolveError> {
        let name = table.path().file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let entry = self.manifest.as_ref().and_then(|manifest| manifest.get(name));
        let sum = self.sums.as_ref().and_then(|sums| sums.get(name));
        let compared = Compared { manifest: entry.is_some(), sums: sum.is_some() };
        let mut problems = Vec::new();
        if compared == Compared::default() {
            return Ok((problems, compared));
        }
        let digest = FileDigest::of_file(table.path())?;
        let path = table.path().display();
        if let Some(entry) = entry {
            let wrong = differences(entry, table, &digest);
            if !wrong.is_empty() {
                let list = self.manifest_path.display();
                let wrong = wrong.join(", ");
                problems.push(format!("{path}: not the file that {list} lists: it differs in {wrong}"));
            }
        }
        if sum.is_some_and(|sum| sum != digest.sha256) {
            let list = self.dir.join(Sums::NAME);
            problems.push(format!("{path}: not the file that {} lists: its SHA-256 is another", list.display()));
        }
        Ok((problems, compared))
    }

    /// What is wrong with the lists, and with what they list beside tables that are there.
    pub(crate) fn rest(mut self, options: &VerifyOptions) -> Vec<Verified> {
        let mut found = std::mem::take(&mut self.problems);
        let mut missing = BTreeSet::new();
        for (file, entry) in self.manifest.iter().flat_map(Manifest::tables) {
            let Some(name) = self.own(file) else {
                if is_wanted(options, entry.layer, None) {
                    let list = self.manifest_path.display();
                    found.push(Verified::of_list(
                        self.manifest_path.clone(),
                        MANIFEST,
                        format!("{list}: lists {file:?}, which is not the name of a table of this game and rule set"),
                    ));
                }
                continue;
            };
            // A raw table that was packed may be deleted, and the reverse: its values are still there.
            if is_wanted(options, name.layer, Some(name.metric)) && !self.is_there(file) && !self.has_twin(entry) {
                found.push(self.not_there(&name, "the manifest"));
                missing.insert(file);
            }
        }
        for (file, sum) in self.sums.iter().flat_map(Sums::files).filter(|(file, _)| !missing.contains(file)) {
            if let Some(name) = TableName::parse(file) {
                // Tables of other games are compared when it is their turn.
                if self.own(file).is_some() && is_wanted(options, name.layer, Some(name.metric)) && !self.is_there(file)
                {
                    found.push(self.not_there(&name, Sums::NAME));
                }
                continue;
            }
            let is_manifest = self.dir.join(file) == self.manifest_path;
            let is_other = !is_manifest && file.ends_with(".manifest.json");
            // Only names of this directory: a list that came with a copy says nothing of files elsewhere.
            if is_other || file.contains(['/', '\\']) || !is_wanted_whole(options) {
                continue;
            }
            let path = self.dir.join(file);
            let shown = format!("{}", Path::new(&file.escape_debug().to_string()).display());
            let kind = if is_manifest { MANIFEST } else { "file" };
            match FileDigest::of_file(&path) {
                Ok(digest) if digest.sha256 == sum => {}
                Ok(_) => {
                    let problem = format!("{}/{shown}: its SHA-256 is not that of {}", self.dir.display(), Sums::NAME);
                    found.push(Verified::of_list(path, kind, problem));
                }
                Err(_) if !path.exists() => {
                    let problem = format!("{}/{shown}: listed in {} and not there", self.dir.display(), Sums::NAME);
                    found.push(Verified::of_list(path, kind, problem));
                }
                Err(error) => found.push(Verified::unreadable_list(path, kind, &error)),
            }
        }
        found
    }

    /// The name of a table of this game and rule set.
    fn own(&self, file: &str) -> Option<TableName> {
        let name = TableName::parse(file)?;
        let own = TableName::new(&self.game.name(), &self.game.rules_id(), name.layer, name.metric, name.kind) == name;
        (own && self.game.layers().contains(&name.layer)).then_some(name)
    }

    fn is_there(&self, file: &str) -> bool {
        self.dir.join(file).exists()
    }

    /// Whether another table that is there has the same values, by the manifest.
    fn has_twin(&self, entry: &ManifestEntry) -> bool {
        self.manifest.iter().flat_map(Manifest::tables).any(|(file, other)| {
            let same = other.layer == entry.layer && other.payload_blake3 == entry.payload_blake3;
            same && self.own(file).is_some() && self.is_there(file)
        })
    }

    fn not_there(&self, name: &TableName, list: &str) -> Verified {
        let path = self.dir.join(name.to_string());
        let problem = format!("{}: listed in {list} and not there; copy it again", path.display());
        Verified { problems: vec![problem], ..Verified::new(path, name.layer, name.metric, name.kind) }
    }
}

/// What a manifest is called where a kind of table would stand.
const MANIFEST: &str = "manifest";
/// The same for the list of checksums.
const SUMS: &str = "checksums";

/// A list that was read, if it can be used.
fn usable<T>(
    read: Result<Option<T>, TableError>,
    path: &Path,
    kind: &'static str,
    problems: &mut Vec<Verified>,
) -> Option<T> {
    match read {
        Ok(read) => read,
        Err(error) if error.class() == ErrorClass::Io => {
            problems.push(Verified::unreadable_list(path.to_owned(), kind, &error));
            None
        }
        Err(error) => {
            problems.push(Verified::of_list(path.to_owned(), kind, error.to_string()));
            None
        }
    }
}

/// In what a table differs from its entry in the manifest.
fn differences(entry: &ManifestEntry, table: &Table, digest: &FileDigest) -> Vec<&'static str> {
    let header = table.header();
    let FileDigest { bytes, blake3, sha256 } = &entry.file;
    [
        ("layer", entry.layer == header.layer()),
        ("metric", entry.metric == header.metric()),
        ("kind", entry.kind == header.kind()),
        ("length", *bytes == digest.bytes),
        ("BLAKE3", *blake3 == digest.blake3),
        ("SHA-256", *sha256 == digest.sha256),
        ("digest of the payload", entry.payload_blake3 == hex(header.payload_digest())),
    ]
    .into_iter()
    .filter_map(|(what, same)| (!same).then_some(what))
    .collect()
}

fn is_wanted(options: &VerifyOptions, layer: u16, metric: Option<Metric>) -> bool {
    options.layers.as_ref().is_none_or(|layers| layers.contains(&layer))
        && metric.is_none_or(|metric| options.metric.is_none_or(|wanted| wanted == metric))
}

/// Whether all that a directory holds is to be checked.
fn is_wanted_whole(options: &VerifyOptions) -> bool {
    options.layers.is_none() && options.metric.is_none()
}

impl Verified {
    /// A table nothing is known of yet.
    pub(crate) fn new(path: PathBuf, layer: u16, metric: Metric, kind: Kind) -> Verified {
        Verified { layer, metric: metric.id(), kind: kind.id(), ..Verified::of_file(path) }
    }

    /// A list of files, or a file beside the tables, with a problem.
    fn of_list(path: PathBuf, kind: &'static str, problem: String) -> Verified {
        Verified { kind, problems: vec![problem], ..Verified::of_file(path) }
    }

    /// The same for one that could not be read.
    fn unreadable_list(path: PathBuf, kind: &'static str, error: &TableError) -> Verified {
        Verified { kind, unreadable: Some(error.to_string()), ..Verified::of_file(path) }
    }

    fn of_file(path: PathBuf) -> Verified {
        Verified {
            layer: 0,
            path,
            metric: "",
            kind: "",
            entries: 0,
            full: false,
            rounds: None,
            compared: Compared::default(),
            problems: Vec::new(),
            not_recomputed: None,
            unreadable: None,
            seconds: 0.0,
        }
    }

    /// Whether this is a table, and not a list of files or a file beside the tables.
    pub fn is_table(&self) -> bool {
        !self.metric.is_empty()
    }
}
