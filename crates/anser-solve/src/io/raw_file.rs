//! Raw tables that are filled in place, in any order and by several threads.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use anser_core::{Hunt, LayerIndex, Observer, Outcome, Side};
use anser_retrograde::parallel;
use anser_table::format::{
    CHECK_BLOCK, Counts, ENTRIES_PER_PAIR, HEADER_LEN, Header, outcomes_of_group, pairs, raw_check,
};
use anser_table::manifest::{FileDigest, RunInfo};
use anser_table::{Access, Mapping, Metric, Table};
use bytemuck::must_cast_slice;
use memmap2::{MmapOptions, MmapRaw};
use xxhash_rust::xxh3::xxh3_64;

use crate::SolveError;
use crate::error::io_error;
use crate::io::files::{AtomicFile, check_len, take_space};
use crate::io::manifest::{digest_of, record_table};
use crate::io::stored::Summary;
use crate::io::syncer::Syncer;
use crate::system::platform;
use crate::system::threads::Background;

/// Bytes of the payload that are checked and digested at a time, a multiple of [`CHECK_BLOCK`].
const BATCH: usize = 8 << 20;

/// An unfinished raw table: a mapped file of its final length under a temporary name. Every entry
/// is a draw at first.
#[derive(Debug)]
pub(crate) struct RawFile {
    header: Header,
    /// The text of the game's description.
    description: String,
    path: PathBuf,
    file: AtomicFile,
    map: MmapRaw,
    syncer: Syncer,
}

/// A complete raw table that does not have its name yet.
#[derive(Debug)]
pub(crate) struct UnnamedTable {
    header: Header,
    path: PathBuf,
    /// Dropped before the file, which the thread keeps on the disk.
    digest: Background<Result<FileDigest, SolveError>>,
    file: AtomicFile,
    syncer: Syncer,
}

/// Where a table is that may not have its name yet.
#[derive(Debug)]
pub(crate) struct Unnamed {
    path: PathBuf,
    temporary: PathBuf,
}

impl Unnamed {
    /// Maps the table; `None` if it has its name now. Fails if it cannot be read before: other
    /// systems than Linux may refuse to rename a mapped file, or give it another time of change.
    pub(crate) fn open(&self) -> io::Result<Option<Table>> {
        if !platform::RENAMES_MAPPED_FILES {
            return Err(io::ErrorKind::Unsupported.into());
        }
        // SAFETY: the directory is locked, and this run does not change complete tables.
        let mapping = unsafe { Mapping::new() };
        let storage = match mapping.open(&self.temporary) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        Table::from_storage(&*self.path, storage).map(Some).map_err(io::Error::other)
    }
}

impl UnnamedTable {
    pub(crate) fn header(&self) -> &Header {
        &self.header
    }

    /// Returns where the table is.
    pub(crate) fn place(&self) -> Unnamed {
        Unnamed { path: self.path.clone(), temporary: self.file.temporary_path().to_owned() }
    }

    /// Adds the table to the manifest of its directory, before it has its name there, so that the
    /// manifest knows of every table how it was made.
    pub(crate) fn record(
        &mut self,
        game: &Hunt,
        dir: &Path,
        run: &RunInfo,
    ) -> Result<(), SolveError> {
        let len = self.header.layout().file_len();
        let digest =
            self.digest.finish().unwrap_or_else(|| digest_of(self.file.temporary_path(), len));
        record_table(game, dir, &self.header, digest?, Some(run.clone()))
    }

    /// Gives the table its name once it is on the disk.
    pub(crate) fn commit(mut self) -> Result<(), SolveError> {
        check_len(self.file.file(), &self.path, self.header.layout().file_len())?;
        self.syncer.finish().map_err(io_error(&self.path, "syncing"))?;
        self.file.commit()
    }
}

impl RawFile {
    /// Creates the file of a table beside its place, `path`, and allocates its disk space. The
    /// header is unfinished, `description` the text of its game.
    pub(crate) fn create(
        path: &Path,
        header: Header,
        description: String,
    ) -> Result<RawFile, SolveError> {
        let mut file = AtomicFile::create(path)?;
        let len = header.layout().file_len();
        take_space(file.file(), len)
            .map_err(io_error(path, "allocating disk space for the table"))?;
        let map = MmapOptions::new().map_raw(&*file.file()).map_err(io_error(path, "mapping"))?;
        assert_eq!(map.len() as u64, len, "the mapping covers the file");
        let syncer = Syncer::start(file.file());
        Ok(RawFile { header, description, path: path.to_owned(), file, map, syncer })
    }

    /// Returns the number of words of a group of 64 entries.
    pub(crate) fn bits(&self) -> u32 {
        self.header.bits()
    }

    /// Returns the largest code of a value of the table.
    pub(crate) fn largest_code(&self) -> u16 {
        self.header.largest_code()
    }

    /// Maps the file anew, so that it shows what other machines have written.
    pub(crate) fn reopened(self) -> Result<RawFile, SolveError> {
        let open = || {
            let file = File::options().read(true).write(true).open(self.file.temporary_path())?;
            MmapOptions::new().map_raw(&file)
        };
        let map = open().map_err(io_error(&self.path, "opening it again"))?;
        assert_eq!(map.len(), self.map.len(), "the mapping covers the file");
        Ok(RawFile { map, ..self })
    }

    /// Returns the path of the file before it has its name.
    pub(crate) fn temporary_path(&self) -> &Path {
        self.file.temporary_path()
    }

    /// Returns the number of bytes before the payload.
    pub(crate) fn offset(&self) -> u64 {
        self.header.layout().payload.offset
    }

    /// Returns the words of the payload with `side` to move: groups of [`RawFile::bits`] words.
    pub(crate) fn groups(&self, side: Side) -> &[AtomicU64] {
        let words = |entries: u64| (pairs(entries) * u64::from(self.header.bits())) as usize;
        let words = self.header.entries().map(words);
        let (before, after) = self.payload().split_at(words[Side::First]);
        match side {
            Side::First => before,
            Side::Second => &after[..words[Side::Second]],
        }
    }

    /// Stores groups of the payload with `side` to move, from the word `first` on.
    ///
    /// If the system allows it, they are written to the file: a page of the mapping that is stored
    /// to for the first time is read from the disk before, and threads wait for each other.
    pub(crate) fn write_groups(
        &self,
        side: Side,
        first: usize,
        groups: &[u64],
    ) -> Result<(), SolveError> {
        if platform::IS_COHERENT {
            let before = match side {
                Side::First => 0,
                Side::Second => self.groups(Side::First).len(),
            };
            let offset = self.offset() + 8 * (before + first) as u64;
            return self.file.write_all_at(must_cast_slice(groups), offset);
        }
        for (to, &word) in self.groups(side)[first..].iter().zip(groups) {
            to.store(word, Relaxed);
        }
        Ok(())
    }

    fn payload(&self) -> &[AtomicU64] {
        let region = self.header.layout().payload;
        assert!(region.end() <= self.map.len() as u64 && region.offset.is_multiple_of(8));
        // SAFETY: the words lie within the mapping, as asserted. A mapping starts at a page and the
        // offset is a multiple of eight, so they are aligned; any bits are a valid word. The file
        // is new and its name is known to nobody else, so other processes do not change it, and
        // this one accesses it through these atomics alone while it is mapped.
        #[expect(clippy::cast_ptr_alignment, reason = "the offset is checked above")]
        unsafe {
            let start = self.map.as_mut_ptr().add(region.offset as usize).cast::<AtomicU64>();
            std::slice::from_raw_parts(start, (region.len / 8) as usize)
        }
    }

    /// Begins to write to the disk what was stored so far, and releases the memory of the mapping.
    pub(crate) fn evict(&self) {
        self.syncer.request();
        platform::release_pages(&self.map);
    }

    /// Counts the positions by outcome.
    fn counts(&self, index: &impl LayerIndex, observer: &dyn Observer) -> Counts {
        /// Entries per task.
        const CHUNK: u64 = ENTRIES_PER_PAIR << 11;
        let bits = self.bits() as usize;
        let mut counts = Counts::default();
        for side in Side::BOTH {
            let (groups, entries) = (self.groups(side), index.len(side));
            observer.begin("counts", entries);
            let summary = |first: u64| {
                let ranks = first..entries.min(first + CHUNK);
                let at = ranks.start / ENTRIES_PER_PAIR..pairs(ranks.end);
                let words: Vec<[u64; 2]> =
                    at.map(|at| self.pair(&groups[at as usize * bits..][..bits])).collect();
                observer.advance(ranks.end - ranks.start);
                Summary::of::<Outcome>(index, side, ranks, words.as_flattened())
            };
            let summaries = parallel::map((0..entries).step_by(CHUNK as usize), &summary);
            counts[side] = summaries.into_iter().fold(Summary::default(), Summary::merge).counts;
        }
        counts
    }

    /// Returns the outcomes of a group.
    fn pair(&self, group: &[AtomicU64]) -> [u64; 2] {
        let mut words = [0; u16::BITS as usize];
        let words = &mut words[..group.len()];
        for (word, from) in words.iter_mut().zip(group) {
            *word = from.load(Relaxed);
        }
        match self.header.metric() {
            Metric::Wdl => [words[0], words[1]],
            Metric::Dtw => outcomes_of_group(words),
        }
    }

    /// Fills this table of outcomes with those of a table of distances of the same layer.
    pub(crate) fn fill_outcomes(&self, distances: &RawFile) {
        /// Number of groups that a thread takes at a time.
        const GROUPS: usize = 1 << 11;
        let bits = distances.header.bits() as usize;
        for side in Side::BOTH {
            let chunks = self.groups(side).chunks(2 * GROUPS);
            let chunks = chunks.zip(distances.groups(side).chunks(bits * GROUPS));
            parallel::for_each(chunks, &|(pairs, groups)| {
                for (pair, group) in pairs.chunks_exact(2).zip(groups.chunks_exact(bits)) {
                    for (to, word) in pair.iter().zip(distances.pair(group)) {
                        to.store(word, Relaxed);
                    }
                }
            });
            self.syncer.request();
        }
    }

    /// Completes the table with its counts, checks, and header.
    ///
    /// Interruption does not stop this: it takes seconds, and nothing else has the values.
    pub(crate) fn finish(
        mut self,
        index: &impl LayerIndex,
        observer: &dyn Observer,
    ) -> Result<UnnamedTable, SolveError> {
        self.syncer.request();
        let counts = self.counts(index, observer);
        let layout = *self.header.layout();
        let (mut digest, mut checks) = (blake3::Hasher::new(), Vec::<u64>::new());
        let mut words = vec![0; self.payload().len().min(BATCH / size_of::<u64>())];
        observer.begin("checksums", layout.payload.len);
        for batch in self.payload().chunks(BATCH / size_of::<u64>()) {
            let words = &mut words[..batch.len()];
            let block = CHECK_BLOCK as usize / size_of::<u64>();
            let blocks = words.chunks_mut(block).zip(batch.chunks(block));
            checks.extend(parallel::map(blocks, &|(words, stored)| {
                for (word, stored) in words.iter_mut().zip(stored) {
                    *word = stored.load(Relaxed);
                }
                raw_check(must_cast_slice(words))
            }));
            let bytes: &[u8] = must_cast_slice(words);
            digest.update_rayon(bytes);
            observer.advance(bytes.len() as u64);
        }
        let checks: &[u8] = must_cast_slice(&checks);
        self.header.finish(counts, *digest.finalize().as_bytes(), xxh3_64(checks));
        let RawFile { header, description, path, mut file, map, syncer } = self;
        drop(map);
        let write = |file: &mut File| -> io::Result<()> {
            file.seek(SeekFrom::Start(layout.checks.offset))?;
            file.write_all(checks)?;
            file.write_all(description.as_bytes())?;
            let header = header.encode();
            assert_eq!(header.len(), HEADER_LEN);
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&header)
        };
        write(file.file()).map_err(io_error(&path, "writing"))?;
        // A thread digests about a gigabyte in a second, and several layers may take less.
        let (to_digest, len) = (file.temporary_path().to_owned(), layout.file_len());
        let digest = Background::start("digest", move || digest_of(&to_digest, len));
        Ok(UnnamedTable { header, path, digest, file, syncer })
    }
}

#[cfg(test)]
mod tests {
    use anser_core::Unobserved;

    use super::*;
    use crate::io::manifest::GENERATOR;

    #[test]
    fn a_table_is_read_by_its_temporary_name_until_it_has_its_own() {
        let (dir, game) = (tempfile::tempdir().unwrap(), Hunt::default());
        let index = game.index(4);
        let path = dir.path().join("fox-geese.free.L04.wdl.anser");
        let complete = || {
            let header = Header::new_raw(&game, 4, &index, None, GENERATOR).unwrap();
            let file = RawFile::create(&path, header, game.description_text()).unwrap();
            file.finish(&index, &Unobserved).unwrap()
        };
        let mut table = complete();
        let place = table.place();
        if platform::RENAMES_MAPPED_FILES {
            let opened = place.open().unwrap().expect("it has no name yet");
            assert_eq!(opened.header().counts(), table.header().counts());
        } else {
            assert!(place.open().is_err());
        }
        let digest = table.digest.finish().expect("a thread").unwrap();
        let again = digest_of(table.file.temporary_path(), table.header().layout().file_len());
        assert_eq!(digest, again.unwrap());
        table.commit().unwrap();
        assert!(!platform::RENAMES_MAPPED_FILES || place.open().unwrap().is_none());
        assert!(Table::open(&path, &anser_table::PositionedReads).is_ok());
        // A table that is dropped leaves nothing, however far its digests are.
        std::fs::remove_file(&path).unwrap();
        drop(complete());
        assert_eq!(dir.path().read_dir().unwrap().count(), 0);
    }
}
