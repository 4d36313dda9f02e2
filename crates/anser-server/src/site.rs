//! A site that needs no server: the page, and what it asks for, as a folder of files.
//!
//! # Files
//! | file | content |
//! |---|---|
//! | `index.html` | the page; it names the index of the site |
//! | `worker.js` | the service worker, which keeps what was fetched |
//! | `assets/VERSION/` | the modules and styles of the page, the reader of tables, and the decoder |
//! | `data/HASH.json` | the index, a set of tables for each game and rule set, and answers of the API |
//! | `parts/HASH.bin` | parts of tables, at most [`PART_BYTES`] unless one block has more |
//!
//! HASH is the xxh3-64 of the content, which readers compare. The index has the games as `GET
//! /api/v1/games` answers them, and the file of each set. A set has the description of the game, the
//! header of each table without the zeros at its end, and the lengths and hashes of the parts that
//! follow the header. No frame and no entry of the index of the frames is cut.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anser_core::{Hunt, LayerIndex, Observer};
use anser_games::answers::{ErrorObject, SetOnSite, SiteAnswer, Versioned};
use anser_games::{FileError, Registry, SearchPath, TableFile};
use anser_table::format::{HEADER_LEN, Region, hex};
use anser_table::{Kind, Metric, Table, TableError, TableName};
use serde::Serialize;
use sha2::{Digest, Sha256};
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use crate::answers::ServedGame;
use crate::app::App;
use crate::assets::Assets;
use crate::options::Options;
use crate::problem::Problem;

mod answers;
mod directory;
mod puzzles;

use answers::{served_games, whole_answer, whole_of};
use directory::{DIRECTORIES, earlier_files, write_whole};
use puzzles::puzzles;

/// Most bytes of a part of a table, unless one block has more.
pub const PART_BYTES: u64 = 128 << 10;

/// The decoder of blocks in browsers: the module of fzstd, with its license.
#[derive(Clone, Debug)]
pub struct Decoder {
    module: String,
    license: String,
}

impl Decoder {
    /// The package of npm, with its version.
    pub const PACKAGE: &str = "fzstd@0.1.1";
    /// The module in the package, which needs no other.
    pub const MODULE: &str = "package/esm/index.mjs";
    /// The license in the package.
    pub const LICENSE: &str = "package/LICENSE";
    /// SHA-256 of module and license.
    const DIGESTS: [&str; 2] = [
        "1a901fc5a58c349bbdb4f2aa1e688637ef56891ec58243a9f0cd863166b0d2a4",
        "62249119bb7df6e54300f37a37145c26a6d4420410aac8881a119c5b427cf751",
    ];

    /// Takes the two files of the package.
    ///
    /// ```
    /// use anser_server::site::Decoder;
    /// assert!(Decoder::new("export const decompress = null;".into(), String::new()).is_none());
    /// ```
    ///
    /// Returns `None` if they are not those of [`Decoder::PACKAGE`].
    pub fn new(module: String, license: String) -> Option<Decoder> {
        let digest = |text: &str| hex(&Sha256::digest(text.as_bytes()));
        let is_right = [&module, &license].map(|text| digest(text)) == Decoder::DIGESTS;
        is_right.then_some(Decoder { module, license })
    }
}

/// Why a site cannot be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SiteError {
    /// No table was selected.
    #[error("there is no table to put on a site")]
    NoTables,
    /// A layer has a raw table, and no packed one.
    #[error("{} is a raw table, and a site takes packed ones", .0.display())]
    Raw(PathBuf),
    /// A table cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A table of a game that is not registered cannot be read.
    #[error(transparent)]
    Game(#[from] FileError),
    /// An answer cannot be computed.
    #[error("{}", .0.message)]
    Answer(ErrorObject),
    /// The directory has files and no earlier site.
    #[error("{} has files, and is no site that was made before", .0.display())]
    NotASite(PathBuf),
    /// A file cannot be written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The user stopped the work.
    #[error("interrupted")]
    Interrupted,
}

impl From<Problem> for SiteError {
    fn from(problem: Problem) -> SiteError {
        SiteError::Answer(problem.error)
    }
}

/// A site in memory, but for the parts of tables, which are read again when they are written.
pub struct Site {
    /// They are not kept open: a site may have more of them than a process may open.
    tables: Vec<TableFile>,
    /// By name.
    files: BTreeMap<String, Content>,
    sets: Vec<SetOnSite>,
}

/// The content of a file.
enum Content {
    Bytes(Vec<u8>),
    /// A part of the table with this number.
    Part(usize, Region),
}

impl Content {
    fn len(&self) -> u64 {
        match self {
            Content::Bytes(bytes) => bytes.len() as u64,
            Content::Part(_, region) => region.len,
        }
    }
}

/// The index of a site.
#[derive(Serialize)]
struct Index {
    generator: String,
    games: Vec<ServedGame>,
    sets: Vec<IndexedSet>,
}

/// A set in the index.
#[derive(Serialize)]
struct IndexedSet {
    game: String,
    rules: String,
    /// The hash of its file.
    file: String,
}

/// The file of a set.
#[derive(Serialize)]
struct SetFile<'a> {
    game: &'a str,
    rules: &'a str,
    description: String,
    numbering: String,
    /// The hash of the file with the answer, by endpoint.
    answers: BTreeMap<&'static str, String>,
    tables: Vec<TableParts>,
}

/// A table in the file of a set.
#[derive(Serialize)]
struct TableParts {
    name: String,
    layer: u16,
    metric: &'static str,
    /// The header in hexadecimal: its bytes up to the last that is not zero, and its checksum.
    header: String,
    /// Length and hash of each part.
    parts: Vec<(u64, String)>,
}

impl Site {
    /// Makes a site of the packed tables of a search path that `wanted` accepts, by the game with
    /// its size and the name of the file. Of several tables for a layer and metric it takes the
    /// first.
    ///
    /// # Errors
    /// [`SiteError::NoTables`] and [`SiteError::Raw`]; a table that is damaged; an answer that
    /// cannot be computed; [`SiteError::Interrupted`].
    pub fn new(
        mut registry: Registry,
        path: &SearchPath,
        wanted: impl Fn(&str, &TableName) -> bool,
        decoder: &Decoder,
        observer: &dyn Observer,
    ) -> Result<Site, SiteError> {
        let chosen = choose(&registry, path, wanted)?;
        if let Some(error) = registry.register_described(&chosen).into_iter().next() {
            return Err(error.into());
        }
        let app = App::new(registry, &Options::new(path.clone()), Some(chosen.clone()))?;
        let mut site = Site { tables: Vec::new(), files: BTreeMap::new(), sets: Vec::new() };
        let names: BTreeSet<(String, String)> = app.store.with_tables().into_iter().collect();
        let mut indexed = Vec::new();
        for (name, rules) in &names {
            let game = &app.store.registry.game(name, Some(rules)).map_err(Problem::from)?;
            let of_game: Vec<&TableFile> = chosen.iter().filter(|file| file.is_of(game)).collect();
            let (tables, of_site) = site.add_tables(game, &of_game, observer)?;
            let answers = site.add_answers(&app, game, &of_site, observer)?;
            app.store.close(&app.store.set(name, Some(rules))?);
            let scheme = game.index(*game.layers().start()).scheme();
            let file = SetFile {
                game: game.name(),
                rules: game.rules_id(),
                description: game.description_text(),
                numbering: format!("{} {}", scheme.name, scheme.version),
                answers,
                tables,
            };
            let file = site.add_json(&file)?;
            indexed.push(IndexedSet { game: name.clone(), rules: rules.clone(), file });
            site.sets.push(of_site);
        }
        let games = served_games(&app, &site.sets)?;
        let generator = concat!("anser ", env!("CARGO_PKG_VERSION")).into();
        let index = site.add_json(&Index { generator, games, sets: indexed })?;
        let page = Assets::of_site(&decoder.module, &decoder.license, &index).into_iter();
        site.files.extend(page.map(|(name, text)| (name, Content::Bytes(text.into_bytes()))));
        Ok(site)
    }

    /// The games and rule sets.
    pub fn sets(&self) -> &[SetOnSite] {
        &self.sets
    }

    /// The number of files.
    pub fn files(&self) -> usize {
        self.files.len()
    }

    /// The bytes of all files.
    pub fn bytes(&self) -> u64 {
        self.files.values().map(Content::len).sum()
    }

    /// Writes the site into a directory that is empty, or has an earlier site. Each file is written
    /// under another name and then renamed, the page last. Files of the earlier site that are the
    /// same are kept, and those that this one does not have are removed; other files stay.
    ///
    /// # Errors
    /// [`SiteError::NotASite`], [`SiteError::Io`], [`SiteError::Interrupted`], and a table that was
    /// changed meanwhile.
    pub fn write(&self, out: &Path, observer: &dyn Observer) -> Result<SiteAnswer, SiteError> {
        let failed = |error| SiteError::Io { path: out.into(), error };
        let earlier = earlier_files(out).map_err(failed)?;
        let earlier = earlier.ok_or_else(|| SiteError::NotASite(out.into()))?;
        for directory in DIRECTORIES {
            let path = out.join(directory);
            fs::create_dir_all(&path).map_err(|error| SiteError::Io { path, error })?;
        }
        let mut done = SiteAnswer {
            out: out.display().to_string(),
            files: self.files.len(),
            bytes: self.bytes(),
            largest_bytes: self.files.values().map(Content::len).max().unwrap_or(0),
            written: 0,
            kept: 0,
            removed: 0,
            sets: self.sets.clone(),
        };
        observer.begin("writing files", self.files.len() as u64);
        // The page names everything else.
        let (page, others): (Vec<_>, Vec<_>) =
            self.files.iter().partition(|(name, _)| *name == "index.html");
        for (name, content) in others.into_iter().chain(page) {
            if observer.interrupted() {
                return Err(SiteError::Interrupted);
            }
            let bytes = match content {
                Content::Bytes(bytes) => bytes.clone(),
                Content::Part(table, region) => self.part(name, *table, *region)?,
            };
            let path = out.join(name);
            if fs::read(&path).is_ok_and(|there| there == bytes) {
                done.kept += 1;
            } else {
                write_whole(&path, &bytes).map_err(|error| SiteError::Io { path, error })?;
                done.written += 1;
            }
            observer.advance(1);
        }
        for name in earlier.iter().filter(|name| !self.files.contains_key(*name)) {
            let path = out.join(name);
            match fs::remove_file(&path) {
                Ok(()) => done.removed += 1,
                // A file that was written in part has got its own name.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(SiteError::Io { path, error }),
            }
            // The directories of an earlier page may have become empty.
            for parent in path.ancestors().skip(1).take_while(|parent| *parent != out) {
                if fs::remove_dir(parent).is_err() {
                    break;
                }
            }
        }
        Ok(done)
    }

    /// Reads a part again, which must be what it was.
    fn part(&self, name: &str, table: usize, region: Region) -> Result<Vec<u8>, SiteError> {
        let file = &self.tables[table];
        let bytes = file.open()?.read_bytes(region)?;
        if part_name(&hash_of(&bytes)) != name {
            let changed = io::Error::other("it was changed while the site was made");
            return Err(SiteError::Io { path: file.path.clone(), error: changed });
        }
        Ok(bytes)
    }

    /// Adds a file of JSON; returns its hash.
    fn add_json(&mut self, answer: &impl Serialize) -> Result<String, SiteError> {
        let written = serde_json::to_vec(&Versioned::new(answer));
        written.map(|bytes| self.add_data(bytes)).map_err(|error| {
            let path = PathBuf::from("data");
            SiteError::Io { path, error: io::Error::other(error) }
        })
    }

    /// Adds a file of data; returns its hash.
    fn add_data(&mut self, bytes: Vec<u8>) -> String {
        let hash = hash_of(&bytes);
        self.files.insert(format!("data/{hash}.json"), Content::Bytes(bytes));
        hash
    }

    /// Adds the parts of the tables of a set.
    fn add_tables(
        &mut self,
        game: &Hunt,
        files: &[&TableFile],
        observer: &dyn Observer,
    ) -> Result<(Vec<TableParts>, SetOnSite), SiteError> {
        let (name, rules) = (game.name().to_owned(), game.rules_id().to_owned());
        let mut set = SetOnSite { game: name, rules, wdl: Vec::new(), dtw: Vec::new(), bytes: 0 };
        let mut listed = Vec::new();
        for file in files {
            let table = file.open_as(game)?;
            // A site of damaged tables would be of no use.
            observer.begin(&format!("verifying {}", file.name), table.parts());
            for part in 0..table.parts() {
                if observer.interrupted() {
                    return Err(SiteError::Interrupted);
                }
                table.verify_part(part)?;
                observer.advance(1);
            }
            table.verify_rest()?;
            let (layer, metric) = (table.header().layer(), table.header().metric());
            let layers = match metric {
                Metric::Wdl => &mut set.wdl,
                Metric::Dtw => &mut set.dtw,
            };
            layers.push(layer);
            set.bytes += table.header().layout().file_len();
            let mut parts = Vec::new();
            for region in regions(&table)? {
                let hash = hash_of(&table.read_bytes(region)?);
                let content = Content::Part(self.tables.len(), region);
                self.files.insert(part_name(&hash), content);
                parts.push((region.len, hash));
            }
            let header = table.read_bytes(Region { offset: 0, len: HEADER_LEN as u64 })?;
            let (fields, checksum) = header.split_at(HEADER_LEN - 8);
            let used = fields.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
            listed.push(TableParts {
                name: file.name.to_string(),
                layer,
                metric: metric.id(),
                header: hex(&fields[..used]) + &hex(checksum),
                parts,
            });
            self.tables.push((*file).clone());
        }
        Ok((listed, set))
    }

    /// Adds the answers about whole layers, and puzzles; returns their hashes by endpoint.
    fn add_answers(
        &mut self,
        app: &App,
        game: &Hunt,
        set: &SetOnSite,
        observer: &dyn Observer,
    ) -> Result<BTreeMap<&'static str, String>, SiteError> {
        let mut found = BTreeMap::new();
        for endpoint in whole_of(app, set)? {
            let body = whole_answer(app, set, endpoint, observer)?;
            found.insert(endpoint, self.add_data(body));
        }
        let puzzles = BTreeMap::from([("puzzles", puzzles(app, game, set, observer)?)]);
        found.insert("puzzles", self.add_json(&puzzles)?);
        Ok(found)
    }
}

/// Chooses the tables of a site: of each layer and metric the first packed one.
fn choose(
    registry: &Registry,
    path: &SearchPath,
    wanted: impl Fn(&str, &TableName) -> bool,
) -> Result<Vec<TableFile>, SiteError> {
    let mut chosen: BTreeMap<(String, String, u16, &str), TableFile> = BTreeMap::new();
    for file in path.list(registry)?.into_iter().flat_map(|directory| directory.tables) {
        let name = &file.name;
        if !wanted(&registry.name_in_files(&name.game), name) {
            continue;
        }
        let key = (name.game.clone(), name.rules.clone(), name.layer, name.metric.id());
        match chosen.get(&key) {
            Some(first) if first.name.kind == Kind::Packed || name.kind == Kind::Raw => {}
            _ => drop(chosen.insert(key, file)),
        }
    }
    if chosen.is_empty() {
        return Err(SiteError::NoTables);
    }
    let chosen: Vec<TableFile> = chosen.into_values().collect();
    match chosen.iter().find(|file| file.name.kind == Kind::Raw) {
        Some(raw) => Err(SiteError::Raw(raw.path.clone())),
        None => Ok(chosen),
    }
}

/// The parts of a table after its header. They end between frames, or between entries of their
/// index.
fn regions(table: &Table) -> Result<Vec<Region>, SiteError> {
    let layout = table.header().layout();
    let index = table.read_bytes(layout.checks)?;
    // Each entry of the index is the offset of a frame and its hash.
    let frames = index.as_chunks::<8>().0.iter().step_by(2).map(|word| u64::from_le_bytes(*word));
    let frames = frames.map(|offset| layout.payload.offset + offset);
    let entries = (layout.checks.offset..layout.checks.end()).step_by(16);
    let file_len = layout.file_len();
    let (mut regions, mut start, mut end) = (Vec::new(), HEADER_LEN as u64, HEADER_LEN as u64);
    for cut in frames.chain(entries).chain([file_len]) {
        if cut - start > PART_BYTES && end > start {
            regions.push(Region { offset: start, len: end - start });
            start = end;
        }
        end = cut;
    }
    regions.push(Region { offset: start, len: end - start });
    Ok(regions)
}

fn hash_of(bytes: &[u8]) -> String {
    format!("{:016x}", xxh3_64(bytes))
}

fn part_name(hash: &str) -> String {
    format!("parts/{hash}.bin")
}
