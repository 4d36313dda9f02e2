//! Fetching what is planned.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{
    AtomicU64, AtomicUsize,
    Ordering::{AcqRel, Relaxed},
};
use std::sync::{Mutex, PoisonError};

use anser_core::{Hunt, Observer};
use anser_games::manifest_entry;
use anser_solve::{LockedDir, SolveError};
use anser_table::format::{Header, hex};
use anser_table::manifest::{FileDigest, ManifestEntry};
use anser_table::{
    Access, Defect, ErrorClass, PositionedReads, Table, TableError, TableName, error::Property,
};
use xxhash_rust::xxh3::Xxh3;

use crate::error::{FetchError, Problem};
use crate::plan::Plan;
use crate::tables::{Content, Part, PlannedTable};
use crate::threads::{Stop, attempts, each};

/// A table that the directory has now.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fetched {
    /// The path of the file.
    pub path: PathBuf,
    /// Bytes that were fetched now, by this call.
    pub fetched: u64,
    /// Whether the directory had the table already.
    pub kept: bool,
}

/// Bytes that are read at a time.
const CHUNK: usize = 64 << 10;

/// A table in work.
struct Work<'a> {
    table: &'a PlannedTable,
    /// The final path.
    path: PathBuf,
    /// The path of the unfinished file.
    unfinished: PathBuf,
    /// The pieces still to be fetched; empty if the directory has the table.
    missing: Vec<Piece>,
    /// The number of pieces that are still to be fetched.
    left: AtomicUsize,
    kept: bool,
    fetched: AtomicU64,
}

/// Piece that is fetched at a time: a part of a table, or a file from an offset on.
#[derive(Clone, Debug)]
enum Piece {
    Part(Part),
    File { from: u64 },
}

impl Piece {
    /// The bytes to be fetched, of a table of `bytes` bytes.
    fn len(&self, bytes: u64) -> u64 {
        match self {
            Piece::Part(part) => part.len,
            Piece::File { from } => bytes - from,
        }
    }
}

impl Plan<'_> {
    /// Fetches the tables. Each is verified, gets its name, and is added to the manifest of the
    /// directory. Existing tables with the same values are verified and kept.
    ///
    /// The directory is created if it is missing, and locked. Unfinished files of an earlier call
    /// are resumed: parts of a site that are there are not fetched again, and files of a directory
    /// are continued if the host sends ranges.
    ///
    /// # Errors
    /// The first error ends the call. Complete tables are kept, and the same call does the rest.
    pub fn run(self, observer: &dyn Observer) -> Result<Vec<Fetched>, FetchError> {
        self.check_disk()?;
        let dir = LockedDir::lock(&self.out)?;
        let place = &self.place;
        observer.begin("looking for tables that exist", self.tables.len() as u64);
        let works =
            each(&self.tables, self.options.connections, place, observer, |table, stop| {
                let work = self.prepare(&dir, table, stop)?;
                observer.advance(1);
                Ok(work)
            })?;
        let sum = |lengths: &mut dyn Iterator<Item = u64>| lengths.fold(0, u64::saturating_add);
        let missing =
            |work: &Work<'_>| sum(&mut work.missing.iter().map(|it| it.len(work.table.bytes)));
        let wanted = works.iter().filter(|work| !work.kept);
        observer.begin(Plan::FETCHING, sum(&mut wanted.clone().map(|work| work.table.bytes)));
        observer.advance(sum(&mut wanted.map(|work| work.table.bytes - missing(work))));
        // The lists of several tables share a manifest.
        let placing = Mutex::new(());
        let mut pieces: Vec<(&Work<'_>, Option<&Piece>)> = Vec::new();
        for work in works.iter().filter(|work| !work.kept) {
            pieces.extend(work.missing.iter().map(|piece| (work, Some(piece))));
            if work.missing.is_empty() {
                // An earlier run was interrupted when all parts were there.
                pieces.push((work, None));
            }
        }
        each(&pieces, self.options.connections, place, observer, |&(work, piece), stop| {
            if let Some(piece) = piece {
                self.fetch(&dir, work, piece, stop, observer)?;
            }
            if piece.is_some() && work.left.fetch_sub(1, AcqRel) > 1 {
                return Ok(());
            }
            let entry = match self.verified(work, stop) {
                // The part from an earlier run was damaged, or of another version.
                Err(FetchError::Digest { .. })
                    if matches!(piece, Some(Piece::File { from: 1.. })) =>
                {
                    self.fetch(&dir, work, &Piece::File { from: 0 }, stop, observer)?;
                    self.verified(work, stop)?
                }
                entry => entry?,
            };
            let _guard = placing.lock().unwrap_or_else(PoisonError::into_inner);
            let set = (&*work.table.game, &*work.table.rules);
            Ok(dir.place(&work.unfinished, set, &work.table.name, entry)?)
        })?;
        let fetched = works.into_iter().map(|work| Fetched {
            path: work.path,
            fetched: work.fetched.into_inner(),
            kept: work.kept,
        });
        Ok(fetched.collect())
    }

    /// Finds what is missing of a table.
    fn prepare<'t>(
        &self,
        dir: &LockedDir,
        table: &'t PlannedTable,
        stop: &Stop,
    ) -> Result<Work<'t>, FetchError> {
        let path = dir.path().join(table.name.to_string());
        let unfinished = LockedDir::unfinished(dir.path(), &table.name, table.version);
        let kept = self.exists(dir, table, &path, stop)?;
        let missing = if kept { Vec::new() } else { missing(dir, table, &unfinished, stop)? };
        let (left, fetched) = (AtomicUsize::new(missing.len()), AtomicU64::new(0));
        Ok(Work { table, path, unfinished, missing, left, kept, fetched })
    }

    /// Whether the directory has the table. Damaged tables are replaced.
    fn exists(
        &self,
        dir: &LockedDir,
        table: &PlannedTable,
        path: &Path,
        stop: &Stop,
    ) -> Result<bool, FetchError> {
        let there = match Table::open(path, &PositionedReads) {
            Ok(there) => there,
            Err(error) => {
                return match error.defect() {
                    Defect::Io(why) if why.kind() == io::ErrorKind::NotFound => Ok(false),
                    Defect::HeaderDamaged
                    | Defect::HeaderInvalid(_)
                    | Defect::Length { .. }
                    | Defect::Unfinished => Ok(false),
                    _ => Err(SolveError::from(error).into()),
                };
            }
        };
        // A sound table of something else under this name is not replaced.
        self.check_identity(&there, table).map_err(SolveError::from)?;
        let has_values = hex(there.header().payload_digest()) == table.payload;
        match self.check(&there, table, stop)? {
            Err(error) if error.class() == ErrorClass::Corrupt => return Ok(false),
            Err(error) => return Err(SolveError::from(error).into()),
            Ok(()) if !has_values => {
                let url = self.place.url(&table.name.to_string());
                return Err(FetchError::OtherValues { path: path.into(), url });
            }
            Ok(()) => {}
        }
        let listed = manifest_entry(&table.game, &table.rules, path);
        let len = there.header().layout().file_len();
        if listed.is_none_or(|entry| entry.file.bytes != len) {
            let digest = FileDigest::of_file(path).map_err(SolveError::from)?;
            let set = (&*table.game, &*table.rules);
            dir.record(set, &table.name, ManifestEntry::new(there.header(), digest, None))?;
        }
        Ok(true)
    }

    /// Fetches a piece of a table.
    fn fetch(
        &self,
        dir: &LockedDir,
        work: &Work<'_>,
        piece: &Piece,
        stop: &Stop,
        observer: &dyn Observer,
    ) -> Result<(), FetchError> {
        let (file, bytes) = (&work.unfinished, work.table.bytes);
        let count = |chunk: &[u8]| work.fetched.fetch_add(chunk.len() as u64, Relaxed);
        let write = |target: &mut File, offset, chunk: &[u8]| {
            let sought = target.seek(SeekFrom::Start(offset));
            sought.and_then(|_| target.write_all(chunk)).map_err(failed(file, "writing"))
        };
        match piece {
            Piece::Part(part) => {
                let name = format!("parts/{}.bin", part.hash);
                attempts(&self.options, stop, || {
                    let mut target = dir.open_unfinished(file, Some(bytes))?;
                    let mut hash = Xxh3::new();
                    self.copy(&name, 0..part.len, stop, |at, chunk| {
                        hash.update(chunk);
                        count(chunk);
                        write(&mut target, part.offset + at, chunk)
                    })?;
                    let found = format!("{:016x}", hash.digest());
                    if found == part.hash {
                        return Ok(());
                    }
                    let (url, expected) = (self.place.url(&name), part.hash.clone());
                    Err(FetchError::Digest { url, what: "xxh3-64", expected, found })
                })?;
                observer.advance(part.len);
                Ok(())
            }
            Piece::File { .. } => {
                let name = work.table.name.to_string();
                attempts(&self.options, stop, || {
                    let mut target = dir.open_unfinished(file, None)?;
                    // After a failed attempt the file has what came until then.
                    let metadata = target.metadata().map_err(failed(file, "reading its length"))?;
                    if metadata.len() == bytes {
                        return Ok(());
                    }
                    self.copy(&name, metadata.len()..bytes, stop, |at, chunk| {
                        if at == 0 {
                            // Hosts that do not send ranges start again.
                            target.set_len(0).map_err(failed(file, "truncating"))?;
                        }
                        count(chunk);
                        observer.advance(chunk.len() as u64);
                        write(&mut target, at, chunk)
                    })
                })
            }
        }
    }

    /// Copies a range of a file that ends where the file ends. `sink` gets the offset in the file
    /// and the bytes; the first offset is zero if the host does not send ranges.
    fn copy(
        &self,
        name: &str,
        range: Range<u64>,
        stop: &Stop,
        mut sink: impl FnMut(u64, &[u8]) -> Result<(), SolveError>,
    ) -> Result<(), FetchError> {
        let failed = |problem| self.place.failed(name)(problem);
        let expected = range.end;
        let (mut at, mut reader) = self.place.open(name, range.start, expected).map_err(failed)?;
        let mut chunk = vec![0; CHUNK];
        loop {
            stop.check()?;
            let read = match reader.read(&mut chunk) {
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    return Err(failed(self.place.broken(error, Some(expected - range.start))));
                }
            };
            if read == 0 {
                break;
            }
            if read as u64 > expected - at {
                return Err(failed(Problem::TooLong(expected)));
            }
            sink(at, &chunk[..read])?;
            at += read as u64;
        }
        if at < expected {
            return Err(failed(Problem::TooShort { found: at, expected }));
        }
        Ok(())
    }

    /// Verifies a complete file that does not have its name yet; returns its entry for the
    /// manifest. A file that fails is removed.
    fn verified(&self, work: &Work<'_>, stop: &Stop) -> Result<ManifestEntry, FetchError> {
        let verified = self.verify(work, stop);
        if let Err(FetchError::Digest { .. } | FetchError::Table { .. }) = &verified {
            let file = &work.unfinished;
            std::fs::remove_file(file).map_err(failed(file, "removing"))?;
        }
        verified
    }

    fn verify(&self, work: &Work<'_>, stop: &Stop) -> Result<ManifestEntry, FetchError> {
        let (file, table) = (&work.unfinished, work.table);
        let url = self.place.url(&table.name.to_string());
        let digest = FileDigest::of_file(file).map_err(SolveError::from)?;
        if let Content::File(entry) = &table.content {
            let (found, listed) = (&digest, &entry.file);
            for (what, expected, found) in [
                ("BLAKE3", &listed.blake3, &found.blake3),
                ("SHA-256", &listed.sha256, &found.sha256),
            ] {
                if expected != found {
                    let (expected, found) = (expected.clone(), found.clone());
                    return Err(FetchError::Digest { url, what, expected, found });
                }
            }
        }
        let opened = PositionedReads
            .open(file)
            .map_err(|error| TableError::new(file, error))
            .and_then(|storage| Table::from_storage(&*work.path, storage));
        let checked = match opened {
            Ok(opened) => self.check(&opened, table, stop)?.map(|()| opened),
            Err(error) => Err(error),
        };
        let opened = match checked {
            Ok(opened) => opened,
            Err(error) if error.class() == ErrorClass::Corrupt => {
                return Err(FetchError::Table { url, error });
            }
            Err(error) => return Err(SolveError::from(error).into()),
        };
        let found = hex(opened.header().payload_digest());
        if found != table.payload {
            let (what, expected) = ("BLAKE3 of the values", table.payload.clone());
            return Err(FetchError::Digest { url, what, expected, found });
        }
        Ok(match &table.content {
            Content::File(entry) => (**entry).clone(),
            Content::Parts { .. } => ManifestEntry::new(opened.header(), digest, None),
        })
    }

    /// Checks that a table is the planned one, by game, rules, layer, metric, and kind, and
    /// verifies all of it. The values may be others.
    fn check(
        &self,
        table: &Table,
        planned: &PlannedTable,
        stop: &Stop,
    ) -> Result<Result<(), TableError>, FetchError> {
        if let Err(error) = self.check_identity(table, planned) {
            return Ok(Err(error));
        }
        for part in 0..table.parts() {
            stop.check()?;
            if let Err(error) = table.verify_part(part) {
                return Ok(Err(error));
            }
        }
        Ok(table.verify_rest())
    }

    fn check_identity(&self, table: &Table, planned: &PlannedTable) -> Result<(), TableError> {
        let game = self.registry.game(&planned.game, Some(&planned.rules)).ok();
        check_header(table.header(), planned, game.as_ref())
            .map_err(|defect| TableError::new(table.path(), defect))?;
        if game.is_none() {
            // The table describes the game itself.
            table.hunt()?;
        }
        Ok(())
    }
}

/// Checks that a header is that of a planned table, with the rules of the game if it is known.
fn check_header(
    header: &Header,
    planned: &PlannedTable,
    game: Option<&Hunt>,
) -> Result<(), Defect> {
    let TableName { layer, metric, kind, .. } = planned.name;
    Property::Game.check(&*planned.game, header.game())?;
    Property::RuleSet.check(&*planned.rules, header.rules())?;
    Property::Layer.check(&layer, &header.layer())?;
    Property::Metric.check(&metric, &header.metric())?;
    Property::Kind.check(&kind, &header.kind())?;
    let Some(game) = game else { return Ok(()) };
    let layers = game.layers();
    if !layers.contains(&layer) {
        let expected = format!("{} to {}", layers.start(), layers.end());
        return Property::Layer.check(&expected, &layer.to_string());
    }
    header.check_identity(game, layer, &game.index(layer))
}

/// Finds the pieces that an unfinished file of a table lacks.
fn missing(
    dir: &LockedDir,
    table: &PlannedTable,
    file: &Path,
    stop: &Stop,
) -> Result<Vec<Piece>, FetchError> {
    dir.remove_other_versions(&table.name, table.version)?;
    match &table.content {
        Content::File(_) => {
            let found = dir.open_unfinished(file, None)?;
            let len = found.metadata().map_err(failed(file, "reading its length"))?.len();
            if len > table.bytes {
                found.set_len(0).map_err(failed(file, "truncating"))?;
            }
            Ok(vec![Piece::File { from: if len > table.bytes { 0 } else { len } }])
        }
        Content::Parts { header, parts } => {
            let resumes = std::fs::metadata(file).is_ok_and(|it| it.len() == table.bytes);
            let mut found = dir.open_unfinished(file, Some(table.bytes))?;
            found.seek(SeekFrom::Start(0)).map_err(failed(file, "seeking"))?;
            found.write_all(header).map_err(failed(file, "writing"))?;
            let mut missing = Vec::new();
            for part in parts {
                stop.check()?;
                let same = resumes
                    && hash_of(&mut found, part).map_err(failed(file, "reading"))? == part.hash;
                if !same {
                    missing.push(Piece::Part(part.clone()));
                }
            }
            Ok(missing)
        }
    }
}

/// Reads a part of an unfinished file; returns its hash in hexadecimal.
fn hash_of(file: &mut File, part: &Part) -> io::Result<String> {
    file.seek(SeekFrom::Start(part.offset))?;
    let (mut hash, mut chunk, mut left) = (Xxh3::new(), vec![0; CHUNK], part.len);
    while left > 0 {
        let some = &mut chunk[..left.min(CHUNK as u64) as usize];
        file.read_exact(some)?;
        hash.update(some);
        left -= some.len() as u64;
    }
    Ok(format!("{:016x}", hash.digest()))
}

/// For `map_err`: an error about an `action` on a file of the directory.
fn failed(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> SolveError {
    move |source| SolveError::Io { path: path.to_owned(), action, source }
}
