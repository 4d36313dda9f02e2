//! Packed tables that are fetched, as a directory and as a site.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use anser_core::{Hunt, Observer, Unobserved};
use anser_fetch::{FetchError, Fetched, Options, Plan, Selection};
use anser_games::Registry;
use anser_solve::{PackOptions, SolveOptions, pack, solve};
use anser_table::format::{HEADER_LEN, hex};
use anser_table::{PositionedReads, Table, TableName};
use serde_json::{Value, json};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

/// The manifest of the tables.
pub(crate) const MANIFEST: &str = "fox-geese.first-capture.manifest.json";

/// The largest of the tables.
pub(crate) const LARGEST: &str = "fox-geese.first-capture.L05.wdl.anserz";

/// Length of the parts of the site, below that of real sites.
const PART: usize = 2000;

/// A directory of packed tables with their manifest: layers 1 to 5 of `first-capture`. Tests must
/// not change it.
pub(crate) fn directory() -> &'static Path {
    static MADE: OnceLock<TempDir> = OnceLock::new();
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        let root = TempDir::new().unwrap();
        let game = Hunt::fox_geese("first-capture").unwrap();
        let [raw, out] = ["raw", "packed"].map(|name| root.path().join(name));
        let layers = SolveOptions { layers: Some(1..=5), ..SolveOptions::new(&raw) };
        solve(&game, &layers, &Unobserved).unwrap();
        let options = PackOptions { from: vec![raw], out, ..PackOptions::default() };
        pack(&game, &options, &Unobserved).unwrap();
        root
    });
    PATH.get_or_init(|| made.path().join("packed"))
}

/// A copy of the directory, which a test may change.
pub(crate) fn copy() -> TempDir {
    let copy = TempDir::new().unwrap();
    for name in names(directory()) {
        fs::copy(directory().join(&name), copy.path().join(&name)).unwrap();
    }
    copy
}

/// Changes the JSON of a file.
pub(crate) fn edit(path: &Path, change: impl FnOnce(&mut Value)) {
    let mut json = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    change(&mut json);
    fs::write(path, serde_json::to_vec(&json).unwrap()).unwrap();
}

/// Writes the files of a site with the tables that `anser fetch` reads, as the module `site` of
/// `anser-server` specifies them. `change` may change the entry of the set.
pub(crate) fn site(change: impl FnOnce(&mut Value)) -> TempDir {
    let site = TempDir::new().unwrap();
    let write = |directory: &str, extension: &str, bytes: &[u8]| {
        let hash = format!("{:016x}", xxh3_64(bytes));
        let directory = site.path().join(directory);
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join(format!("{hash}.{extension}")), bytes).unwrap();
        hash
    };
    let tables = names(directory()).into_iter().filter(|name| TableName::parse(name).is_some());
    let tables = tables.map(|name| {
        let bytes = fs::read(directory().join(&name)).unwrap();
        let (header, rest) = bytes.split_at(HEADER_LEN);
        let (fields, checksum) = header.split_at(HEADER_LEN - 8);
        let used = fields.iter().rposition(|&byte| byte != 0).unwrap() + 1;
        let parts = rest.chunks(PART).map(|part| json!([part.len(), write("parts", "bin", part)]));
        let parts: Vec<Value> = parts.collect();
        let header = hex(&fields[..used]) + &hex(checksum);
        json!({"name": name, "layer": 1, "metric": "wdl", "header": header, "parts": parts})
    });
    let tables: Vec<Value> = tables.collect();
    let mut set =
        json!({"schema": 1, "game": "fox-geese", "rules": "first-capture", "tables": tables});
    change(&mut set);
    let file = write("data", "json", &serde_json::to_vec(&set).unwrap());
    let sets = [json!({"game": "fox-geese", "rules": "first-capture", "file": file})];
    let index = json!({"schema": 1, "generator": "anser", "games": [], "sets": sets});
    let index = write("data", "json", &serde_json::to_vec(&index).unwrap());
    let page = format!("<!doctype html><meta name=\"anser-site\" content=\"{index}\">");
    fs::write(site.path().join("index.html"), page).unwrap();
    site
}

/// The number of parts of all tables of the site.
pub(crate) fn number_of_parts() -> usize {
    let tables = names(directory()).into_iter().filter(|name| TableName::parse(name).is_some());
    let bytes = tables.map(|name| fs::metadata(directory().join(name)).unwrap().len() as usize);
    bytes.map(|bytes| (bytes - HEADER_LEN).div_ceil(PART)).sum()
}

/// The names of the files of a directory, without that of the lock, in order.
pub(crate) fn names(dir: &Path) -> Vec<String> {
    let Ok(files) = fs::read_dir(dir) else { return Vec::new() };
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name != ".anser.lock").collect();
    names.sort();
    names
}

/// Asserts that a directory has all tables, byte for byte, and nothing unfinished.
#[track_caller]
pub(crate) fn assert_fetched(out: &Path) {
    assert_eq!(names(out), names(directory()));
    for name in names(directory()).iter().filter(|name| TableName::parse(name).is_some()) {
        let (fetched, made) = (fs::read(out.join(name)), fs::read(directory().join(name)));
        assert!(fetched.unwrap() == made.unwrap(), "{name}");
        Table::open(out.join(name), &PositionedReads).unwrap().verify().unwrap();
    }
}

/// Options for hosts that answer at once, or never.
pub(crate) fn options() -> Options {
    Options { timeout: Duration::from_millis(1500), attempts: 2, ..Options::default() }
}

/// Fetches everything.
pub(crate) fn fetch(address: &str, out: &Path) -> Result<Vec<Fetched>, FetchError> {
    fetch_with(address, out, &options(), &Unobserved)
}

/// Fetches everything with an observer.
pub(crate) fn fetch_with(
    address: &str,
    out: &Path,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Vec<Fetched>, FetchError> {
    let registry = Registry::standard();
    let wanted = Selection {
        games: vec!["fox-geese".to_owned()],
        rules: vec!["first-capture".to_owned()],
        ..Selection::default()
    };
    Plan::new(address, &wanted, &registry, out, options, observer)?.run(observer)
}
