//! Checkpoints: the unfinished work on a layer in one file, replaced as a whole.
//!
//! It has the name of the table with `.part` after it. Every checkpoint is a new file, which takes
//! the place of the last one when it is on the disk. So at every instant there is the last
//! checkpoint or the one before. All words are little-endian:
//!
//! | words | content |
//! |---|---|
//! | 1 | the signature of table files |
//! | 1 | `anser-s6` |
//! | 1 | identity: xxh3 of the name of the table, the engine, and the numbers of entries |
//! | 1 | time that the layer took so far, in milliseconds |
//! | 1 | rounds done |
//! | 1 | number of words of the engine's state |
//! | n | the engine's state |
//! | m | the engine's data, compressed; how many words they are follows from the state |
//! | 1 | xxh3 of all words before |
//! | 1 | `anser-02`, the mark that ends all unfinished work |
//!
//! The data are compressed in parts of [`PART`] words, the last one as long as it is: a word with
//! the number of bytes of a zstd frame, and the frame, with zeros up to the next word.

use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anser_retrograde::parallel::{self, lock};
use anser_table::format::SIGNATURE;
use bytemuck::{must_cast_slice, must_cast_slice_mut};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::SolveError;
use crate::error::io_error;
use crate::io::files::{AtomicFile, regular_file};
use crate::observer::Discarded;

/// The version of the layout, which changes with what any engine writes.
const VERSION: u64 = u64::from_le_bytes(*b"anser-s6");

/// Last word of the file.
const MARK: u64 = u64::from_le_bytes(*b"anser-02");

/// Least time between two checkpoints, as a multiple of the time of the last one: writing takes at
/// most 4 % of a run.
const PAUSE_PER_COST: u32 = 25;

/// Words before the engine's state.
const HEAD: usize = 6;

/// Most words of an engine's state.
const MOST_STATE: u64 = 1 << 10;

/// Bytes that are read or written at a time.
const BUFFER: usize = 1 << 20;

/// Words of the data that are compressed at a time.
const PART: usize = 1 << 17;

/// Parts that a thread compresses while none is written.
const PARTS: usize = 4;

/// The compression level of zstd. Unfinished values are mostly draws: higher levels save little.
const LEVEL: i32 = 1;

/// Puts checkpoints in place, one after the other, while the engine goes on.
///
/// Implemented by the recorder of a run, and in tests by one that does it at once.
pub(crate) trait Committer: Sync {
    /// Syncs a file and gives it its name. Returns the error of an earlier file, if there was one,
    /// which does not prevent this.
    fn commit(&self, file: AtomicFile) -> Result<(), SolveError>;

    /// Waits until the last file is in place.
    fn wait(&self) -> Result<(), SolveError>;
}

/// Checkpoints of a layer.
pub(crate) struct Checkpoints<'a> {
    path: PathBuf,
    committer: &'a dyn Committer,
    identity: u64,
    /// Minimum time between two checkpoints.
    every: Duration,
    started: Instant,
    /// Time of earlier runs.
    before: Duration,
    last: Mutex<Last>,
    /// The checkpoint of an earlier run.
    found: Mutex<Option<Checkpoint>>,
}

/// The last checkpoint of this run.
#[derive(Debug)]
struct Last {
    at: Instant,
    took: Duration,
}

/// A checkpoint that an earlier run left, checked.
pub(crate) struct Checkpoint {
    path: PathBuf,
    file: BufReader<File>,
    hasher: Xxh3,
    /// Rounds done.
    pub(crate) rounds: u64,
    /// The engine's state.
    pub(crate) state: Vec<u64>,
    /// The part of the data that is read, and the number of its words that were.
    part: Vec<u64>,
    taken: usize,
}

impl<'a> Checkpoints<'a> {
    /// Opens the checkpoints of a table. Also returns why those of an earlier run cannot be used.
    /// `layout` names the engine and everything that its data depends on.
    pub(crate) fn open(
        path: PathBuf,
        committer: &'a dyn Committer,
        layout: &str,
        every: Duration,
        started: Instant,
    ) -> Result<(Checkpoints<'a>, Option<Discarded>), SolveError> {
        let name =
            path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let identity = xxh3_64(format!("{name} {layout}").as_bytes());
        let (mut found, mut before, mut discarded) = (None, Duration::ZERO, None);
        if check_part(&path)? {
            match Checkpoint::open(&path, identity)? {
                Ok((checkpoint, elapsed)) => (found, before) = (Some(checkpoint), elapsed),
                Err(what) => discarded = Some(what),
            }
        }
        let last = Mutex::new(Last { at: Instant::now(), took: Duration::ZERO });
        Ok((
            Checkpoints {
                path,
                committer,
                identity,
                every,
                started,
                before,
                last,
                found: Mutex::new(found),
            },
            discarded,
        ))
    }

    /// Returns the number of rounds behind the checkpoint of an earlier run, if there is one that
    /// was not taken yet.
    pub(crate) fn found_rounds(&self) -> Option<u64> {
        lock(&self.found).as_ref().map(|found| found.rounds)
    }

    /// Takes the checkpoint of an earlier run.
    pub(crate) fn take_found(&self) -> Option<Checkpoint> {
        lock(&self.found).take()
    }

    /// Returns the checkpoint that is in place when all files are, if there is one.
    ///
    /// # Errors
    /// Errors of the files.
    pub(crate) fn reopen(&self) -> Result<Option<Checkpoint>, SolveError> {
        self.settle()?;
        if !check_part(&self.path)? {
            return Ok(None);
        }
        let found = Checkpoint::open(&self.path, self.identity)?;
        Ok(found.ok().map(|(checkpoint, _)| checkpoint))
    }

    /// Returns how long the layer has taken so far, all runs together.
    pub(crate) fn elapsed(&self) -> Duration {
        self.before + self.started.elapsed()
    }

    /// Waits until all files that were written before are in place.
    ///
    /// # Errors
    /// The first error.
    pub(crate) fn settle(&self) -> Result<(), SolveError> {
        self.committer.wait()
    }

    /// Returns whether it is time for a checkpoint.
    pub(crate) fn is_due(&self) -> bool {
        let last = lock(&self.last);
        last.at.elapsed() >= self.every.max(last.took.saturating_mul(PAUSE_PER_COST))
    }

    /// Writes a checkpoint. The next run resumes from it when the committer has put it in place.
    ///
    /// # Errors
    /// The error of the file that the committer had before, which does not prevent the checkpoint.
    pub(crate) fn save(
        &self,
        rounds: u64,
        state: &[u64],
        data: impl Iterator<Item = u64>,
    ) -> Result<(), SolveError> {
        let begun = Instant::now();
        // Disk space is planned for the checkpoint before and this one.
        let before = self.committer.wait();
        let head = [
            u64::from_le_bytes(SIGNATURE),
            VERSION,
            self.identity,
            self.elapsed().as_millis() as u64,
            rounds,
            state.len() as u64,
        ];
        let written = AtomicFile::create(&self.path).and_then(|mut file| {
            write(file.file(), &[&head[..], state].concat(), data)
                .map_err(io_error(&self.path, "writing a checkpoint"))?;
            self.committer.commit(file)
        });
        let now = Instant::now();
        *lock(&self.last) = Last { at: now, took: now - begun };
        before.and(written)
    }
}

fn write(file: &mut File, head: &[u64], data: impl Iterator<Item = u64>) -> std::io::Result<()> {
    let (mut writer, mut hasher) = (BufWriter::with_capacity(BUFFER, file), Xxh3::new());
    let mut put = |words: &[u64]| {
        hasher.update(must_cast_slice(words));
        writer.write_all(must_cast_slice(words))
    };
    put(head)?;
    let mut words = Vec::new();
    let mut data = data.fuse();
    loop {
        words.clear();
        words.extend(data.by_ref().take(rayon::current_num_threads() * PARTS * PART));
        if words.is_empty() {
            break;
        }
        for frame in parallel::try_map(words.chunks(PART), &compress)? {
            put(&frame)?;
        }
    }
    writer.write_all(must_cast_slice(&[hasher.digest(), MARK]))?;
    writer.flush()
}

/// Returns the most bytes of compressed scores of outcomes: one byte each, of three values. Random
/// ones take the most, 2.05 bits.
pub(crate) fn most_of_outcomes(scores: u64) -> u64 {
    scores * 21 / 80
}

/// Returns the words of a part in a checkpoint.
fn compress(part: &[u64]) -> std::io::Result<Vec<u64>> {
    let mut words = vec![0; 1 + zstd_safe::compress_bound(8 * part.len()).div_ceil(8)];
    let frame: &mut [u8] = must_cast_slice_mut(&mut words[1..]);
    let bytes: &[u8] = must_cast_slice(part);
    let len = zstd_safe::compress(frame, bytes, LEVEL).map_err(zstd_error)?;
    // The compressor may have written beyond the end.
    frame[len..len.next_multiple_of(8)].fill(0);
    words[0] = len as u64;
    words.truncate(1 + len.div_ceil(8));
    Ok(words)
}

/// Returns the words of a part whose frame has `len` bytes.
fn decompress(frame: &[u64], len: usize) -> std::io::Result<Vec<u64>> {
    let frame: &[u8] = must_cast_slice(frame);
    let mut part = vec![0; PART];
    let bytes: &mut [u8] = must_cast_slice_mut(&mut part);
    let read = zstd_safe::decompress(bytes, &frame[..len.min(frame.len())]).map_err(zstd_error)?;
    part.truncate(read / 8);
    Ok(part)
}

fn zstd_error(code: usize) -> std::io::Error {
    std::io::Error::other(zstd_safe::get_error_name(code))
}

impl Checkpoint {
    /// Opens and checks a checkpoint. Also returns how long the layer had taken.
    fn open(
        path: &Path,
        identity: u64,
    ) -> Result<Result<(Checkpoint, Duration), Discarded>, SolveError> {
        let failed = || io_error(path, "reading");
        let file = File::open(path).map_err(io_error(path, "opening"))?;
        let bytes = file.metadata().map_err(failed())?.len();
        if bytes < 8 * (HEAD as u64 + 2) || !bytes.is_multiple_of(8) {
            return Ok(Err(Discarded::CutOff));
        }
        let (mut file, mut hasher) = (BufReader::with_capacity(BUFFER, file), Xxh3::new());
        let mut read =
            |words: &mut [u64]| read_words(&mut file, words, &mut hasher).map_err(failed());
        let mut head = [0; HEAD];
        read(&mut head)?;
        let [start, version, found, millis, rounds, len] = head;
        if start != u64::from_le_bytes(SIGNATURE) {
            return Ok(Err(Discarded::Damaged));
        }
        if version != VERSION {
            return Ok(Err(Discarded::OtherVersion));
        }
        if found != identity {
            return Ok(Err(Discarded::OtherEngine));
        }
        let mut left = bytes / 8 - (HEAD as u64 + 2);
        if len > MOST_STATE.min(left) {
            return Ok(Err(Discarded::Damaged));
        }
        let mut state = vec![0; len as usize];
        read(&mut state)?;
        left -= len;
        let mut some = vec![0; BUFFER / 8];
        while left > 0 {
            let some = &mut some[..(left as usize).min(BUFFER / 8)];
            read(some)?;
            left -= some.len() as u64;
        }
        let expected = [hasher.digest(), MARK];
        let mut tail = [0; 2];
        read_words(&mut file, &mut tail, &mut hasher).map_err(failed())?;
        if tail != expected {
            return Ok(Err(Discarded::Damaged));
        }
        // Once more, for the data.
        file.rewind().map_err(failed())?;
        hasher = Xxh3::new();
        read_words(&mut file, &mut vec![0; HEAD + state.len()], &mut hasher).map_err(failed())?;
        let (path, part) = (path.to_owned(), Vec::new());
        let checkpoint = Checkpoint { path, file, hasher, rounds, state, part, taken: 0 };
        Ok(Ok((checkpoint, Duration::from_millis(millis))))
    }

    /// Reads the next words of the data.
    ///
    /// The file may have changed since its check; [`Checkpoint::finish`] notices.
    pub(crate) fn read(&mut self, mut words: &mut [u64]) -> Result<(), SolveError> {
        while !words.is_empty() {
            if self.taken == self.part.len() {
                self.read_part()?;
            }
            let part = &self.part[self.taken..];
            let (now, rest) = words.split_at_mut(part.len().min(words.len()));
            now.copy_from_slice(&part[..now.len()]);
            self.taken += now.len();
            words = rest;
        }
        Ok(())
    }

    /// Reads the next part of the data, which has at least one word.
    fn read_part(&mut self) -> Result<(), SolveError> {
        let mut len = [0];
        self.read_words(&mut len)?;
        let [len] = len.map(|len| usize::try_from(len).unwrap_or(usize::MAX));
        let mut frame = vec![0; len.min(zstd_safe::compress_bound(8 * PART)).div_ceil(8)];
        self.read_words(&mut frame)?;
        match decompress(&frame, len) {
            Ok(part) if !part.is_empty() => (self.part, self.taken) = (part, 0),
            _ => return Err(SolveError::Changed { path: self.path.clone() }),
        }
        Ok(())
    }

    /// Reads the next words of the file.
    fn read_words(&mut self, words: &mut [u64]) -> Result<(), SolveError> {
        read_words(&mut self.file, words, &mut self.hasher).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => SolveError::Changed { path: self.path.clone() },
            _ => io_error(&self.path, "reading")(error),
        })
    }

    /// Reads the next words of the data into shared words.
    pub(crate) fn read_shared(&mut self, words: &[AtomicU64]) -> Result<(), SolveError> {
        let mut buffer = vec![0; words.len().min(BUFFER / 8)];
        for words in words.chunks(BUFFER / 8) {
            let buffer = &mut buffer[..words.len()];
            self.read(buffer)?;
            words.iter().zip(buffer).for_each(|(word, read)| word.store(*read, Relaxed));
        }
        Ok(())
    }

    /// Ends the reading of the data. Fails if the data read are not those that were checked.
    pub(crate) fn finish(mut self) -> Result<(), SolveError> {
        let expected = self.hasher.digest();
        let mut tail = [0; 2];
        self.read_words(&mut tail)?;
        if self.taken == self.part.len() && tail == [expected, MARK] {
            Ok(())
        } else {
            Err(SolveError::Changed { path: self.path })
        }
    }
}

/// Returns whether there is a checkpoint at `part`. Fails if another program's file has the name.
pub(crate) fn check_part(part: &Path) -> Result<bool, SolveError> {
    let Some(found) = regular_file(part)? else { return Ok(false) };
    let mut file = File::open(part).map_err(io_error(part, "opening"))?;
    let mut start = Vec::new();
    (&mut file)
        .take(SIGNATURE.len() as u64)
        .read_to_end(&mut start)
        .map_err(io_error(part, "reading"))?;
    // Earlier versions left zeros when they were stopped early. A file with a damaged start still
    // has the mark.
    let is_ours = SIGNATURE.starts_with(&start)
        || start.iter().all(|&byte| byte == 0)
        || ends_with_mark(&mut file, found.len()).map_err(io_error(part, "reading"))?;
    if is_ours { Ok(true) } else { Err(SolveError::Foreign { path: part.to_owned() }) }
}

/// Returns whether a file of `len` bytes ends with the mark of unfinished work.
fn ends_with_mark(file: &mut File, len: u64) -> std::io::Result<bool> {
    let Some(offset) = len.checked_sub(8) else { return Ok(false) };
    file.seek(SeekFrom::Start(offset))?;
    let mut last = [0; 8];
    file.read_exact(&mut last)?;
    Ok(last == MARK.to_le_bytes())
}

/// Reads words, and adds their bytes to `hasher`.
fn read_words(file: &mut impl Read, words: &mut [u64], hasher: &mut Xxh3) -> std::io::Result<()> {
    for words in words.chunks_mut(BUFFER / 8) {
        file.read_exact(must_cast_slice_mut(words))?;
        hasher.update(must_cast_slice(words));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Puts files in place at once.
    struct AtOnce;

    impl Committer for AtOnce {
        fn commit(&self, file: AtomicFile) -> Result<(), SolveError> {
            file.commit()
        }

        fn wait(&self) -> Result<(), SolveError> {
            Ok(())
        }
    }

    fn open(path: &Path, layout: &str) -> (Checkpoints<'static>, Option<Discarded>) {
        Checkpoints::open(path.to_owned(), &AtOnce, layout, Duration::ZERO, Instant::now()).unwrap()
    }

    #[test]
    fn a_checkpoint_is_read_back_and_every_change_of_it_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.part");
        let (checkpoints, discarded) = open(&path, "b");
        assert!(checkpoints.take_found().is_none() && discarded.is_none() && checkpoints.is_due());
        checkpoints.save(7, &[8, 9], [1, 2, 3, 4].into_iter()).unwrap();
        let (checkpoints, discarded) = open(&path, "b");
        assert!(checkpoints.found_rounds() == Some(7) && discarded.is_none());
        let mut found = checkpoints.take_found().unwrap();
        let mut words = [0; 4];
        found.read(&mut words).unwrap();
        assert_eq!((&*found.state, words), (&[8, 9][..], [1, 2, 3, 4]));
        found.finish().unwrap();
        let discarded = |layout| {
            let (checkpoints, discarded) = open(&path, layout);
            assert!(checkpoints.take_found().is_none());
            discarded.unwrap()
        };
        assert_eq!(discarded("c"), Discarded::OtherEngine);
        let sound = std::fs::read(&path).unwrap();
        for at in 0..8 * sound.len() {
            let mut bytes = sound.clone();
            bytes[at / 8] ^= 1 << (at % 8);
            std::fs::write(&path, bytes).unwrap();
            discarded("b");
        }
        for len in 8..sound.len() {
            std::fs::write(&path, &sound[..len]).unwrap();
            discarded("b");
        }
    }

    #[test]
    fn scores_of_outcomes_are_compressed_as_far_as_is_planned() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut longest = 0;
        for draws in [1, 2, 6, 20] {
            for most in [1, 2, 3, 8, 50] {
                let mut scores = Vec::new();
                while scores.len() < 8 * PART {
                    let score = [127, 129, 0][random.usize(..2 + draws).min(2)];
                    let len = random.usize(1..=most).min(8 * PART - scores.len());
                    scores.resize(scores.len() + len, score);
                }
                let words = scores.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
                let words: Vec<u64> = words.collect();
                longest = longest.max(8 * compress(&words).unwrap().len());
            }
        }
        let planned = most_of_outcomes(8 * PART as u64) as usize;
        assert!((9 * planned / 10..planned).contains(&longest), "{longest} of {planned} bytes");
    }

    #[test]
    fn data_of_many_parts_are_read_back_in_pieces_of_any_length() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.part");
        let (checkpoints, _) = open(&path, "b");
        // The second half does not compress.
        let word = |number: u64| {
            if number < 200_000 { number / 1000 } else { xxh3_64(&number.to_le_bytes()) }
        };
        let len = 3 * PART as u64 + 17;
        checkpoints.save(7, &[], (0..len).map(word)).unwrap();
        let bytes = std::fs::metadata(&path).unwrap().len();
        assert!((8 * (len - 200_000)..8 * (len - 170_000)).contains(&bytes), "{bytes} bytes");
        let mut found = open(&path, "b").0.take_found().unwrap();
        let (mut at, mut next) = (0, 1);
        while at < len {
            let mut words = vec![0; next.min(len - at) as usize];
            found.read(&mut words).unwrap();
            assert!(words.into_iter().eq((at..len.min(at + next)).map(word)), "{at}");
            (at, next) = (at + next, 3 * next % 400_000 + 1);
        }
        found.finish().unwrap();
        // A file that changes after its check.
        for (what, at) in [("a frame", bytes - 100_000), ("the end", bytes - 9)] {
            let sound = std::fs::read(&path).unwrap();
            let mut found = open(&path, "b").0.take_found().unwrap();
            let mut changed = sound.clone();
            changed[at as usize] ^= 0x55;
            std::fs::write(&path, changed).unwrap();
            let read = found.read(&mut vec![0; len as usize]).and_then(|()| found.finish());
            assert!(matches!(read, Err(SolveError::Changed { .. })), "{what}");
            std::fs::write(&path, sound).unwrap();
        }
    }
}
