//! Interrupted work, which is resumed.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use anser_core::Observer;
use anser_fetch::{FetchError, Options};
use anser_table::TableName;
use tempfile::TempDir;

use crate::host::{Host, file, write};
use crate::tables::{
    LARGEST, assert_fetched, directory, fetch, fetch_with, names, number_of_parts, options, site,
};

/// Interrupts after this number of bytes.
struct Limit {
    is_fetching: AtomicBool,
    done: AtomicU64,
    most: u64,
}

impl Limit {
    fn new(most: u64) -> Limit {
        Limit { is_fetching: AtomicBool::new(false), done: AtomicU64::new(0), most }
    }
}

impl Observer for Limit {
    fn begin(&self, what: &str, _: u64) {
        self.is_fetching.store(what == anser_fetch::Plan::FETCHING, Relaxed);
    }

    fn advance(&self, units: u64) {
        if self.is_fetching.load(Relaxed) {
            self.done.fetch_add(units, Relaxed);
        }
    }

    fn interrupted(&self) -> bool {
        self.done.load(Relaxed) >= self.most
    }
}

/// Asserts that tables in a directory are complete.
#[track_caller]
fn assert_only_complete(out: &Path) {
    for name in names(out).iter().filter(|name| TableName::parse(name).is_some()) {
        assert!(fs::read(out.join(name)).unwrap() == fs::read(directory().join(name)).unwrap());
    }
}

#[test]
fn parts_of_a_site_are_fetched_once_over_any_number_of_interruptions() {
    let of_site = site(|_| {});
    let served = of_site.path().to_owned();
    let host = Host::new(move |request, stream| {
        // The observer is asked 20 times a second.
        std::thread::sleep(std::time::Duration::from_millis(8));
        file(&served, request, stream, true)
    });
    let out = TempDir::new().unwrap();
    let options = Options { connections: 1, ..options() };
    let mut interrupted = 0;
    loop {
        match fetch_with(&host.address, out.path(), &options, &Limit::new(4000)) {
            Ok(_) => break,
            Err(FetchError::Interrupted) => interrupted += 1,
            Err(error) => panic!("{error}"),
        }
        assert_only_complete(out.path());
    }
    assert!(interrupted > 1, "{interrupted}");
    assert_fetched(out.path());
    let parts = host.requests_of(".bin");
    // An interruption ends the one request that is under way.
    let all = number_of_parts();
    assert!((all..=all + interrupted).contains(&parts.len()), "{} {all}", parts.len());
}

#[test]
fn damage_of_unfinished_parts_is_noticed() {
    let of_site = site(|_| {});
    let served = of_site.path().to_owned();
    let host = Host::new(move |request, stream| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        file(&served, request, stream, true)
    });
    let out = TempDir::new().unwrap();
    let options = Options { connections: 1, ..options() };
    let stopped = fetch_with(&host.address, out.path(), &options, &Limit::new(12_000));
    assert!(matches!(stopped, Err(FetchError::Interrupted)));
    for name in names(out.path()).iter().filter(|name| name.ends_with(TableName::PART_SUFFIX)) {
        let mut bytes = fs::read(out.path().join(name)).unwrap();
        bytes[4100] ^= 1;
        fs::write(out.path().join(name), bytes).unwrap();
    }
    fetch(&host.address, out.path()).unwrap();
    assert_fetched(out.path());
}

/// Serves the directory, and for the largest table at first only the first part of it, until the
/// flag is set.
fn cut_off(ranges: bool) -> (Host, Arc<AtomicBool>) {
    let whole = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&whole);
    let host = Host::new(move |request, stream| {
        if request.path != LARGEST || flag.load(Relaxed) {
            return file(directory(), request, stream, ranges);
        }
        let bytes = fs::read(directory().join(LARGEST)).unwrap();
        let from = request.from.filter(|_| ranges).unwrap_or(0) as usize;
        let length = format!("Content-Length: {}", bytes.len() - from);
        if from > 0 {
            let range = format!("Content-Range: bytes {from}-{}/{}", bytes.len() - 1, bytes.len());
            write(stream, "206 Partial Content", &[length, range], b"")
        } else {
            write(stream, "200 OK", &[length], &bytes[..bytes.len() / 2])
        }?;
        stream.flush()
    });
    (host, whole)
}

#[test]
fn a_file_is_continued_by_ranges_or_else_fetched_again() {
    for ranges in [true, false] {
        let (host, whole) = cut_off(ranges);
        let out = TempDir::new().unwrap();
        let error = fetch(&host.address, out.path()).unwrap_err().to_string();
        assert!(error.contains(LARGEST) && error.contains("connection failed"), "{error}");
        assert_only_complete(out.path());
        whole.store(true, Relaxed);
        let before = host.requests_of(LARGEST).len();
        let fetched = fetch(&host.address, out.path()).unwrap();
        assert_fetched(out.path());
        let requests = host.requests_of(LARGEST);
        assert_eq!(requests.len(), before + 1);
        let from = requests[before].from.expect("a range");
        let bytes = fs::metadata(directory().join(LARGEST)).unwrap().len();
        assert_eq!(from, bytes / 2);
        let last = fetched.last().unwrap();
        assert_eq!(last.fetched, if ranges { bytes - from } else { bytes });
    }
}

#[test]
fn the_start_of_another_version_is_fetched_again() {
    let (host, whole) = cut_off(true);
    let out = TempDir::new().unwrap();
    fetch(&host.address, out.path()).unwrap_err();
    // Another connection may have left the start of another file.
    let is_part = |name: &String| name.contains(LARGEST) && name.ends_with(TableName::PART_SUFFIX);
    let parts: Vec<_> = names(out.path()).into_iter().filter(is_part).collect();
    let [part] = &parts[..] else { panic!("{parts:?}") };
    let mut bytes = fs::read(out.path().join(part)).unwrap();
    bytes[4200] ^= 1;
    fs::write(out.path().join(part), bytes).unwrap();
    // Leftovers of other versions go.
    let stale = format!(".fetch-{LARGEST}.0123456789abcdef.part");
    fs::write(out.path().join(&stale), "stale").unwrap();
    whole.store(true, Relaxed);
    let before = host.requests_of(LARGEST).len();
    fetch(&host.address, out.path()).unwrap();
    assert_fetched(out.path());
    let from: Vec<_> =
        host.requests_of(LARGEST)[before..].iter().map(|request| request.from).collect();
    assert!(matches!(from[..], [Some(_), None]), "{from:?}");
}
