//! The file of a layer while it is being solved.
//!
//! It has the table's name with `.part` after it, and is laid out like the finished raw table, with what only the unfinished one
//! needs behind: the header, slot 0 with the payload in its place, room for the checks, then the rest of the slots and their
//! records ([`checkpoint`](crate::checkpoint::slots)), and a mark of eight bytes at the very end. The header says *incomplete*
//! until the final values are in slot 0 and the checks are on disk; then what is behind the table is cut off and the file
//! gets its name. So at every instant there is either no table of that name or a complete one, and a file of the other name
//! holds a sound checkpoint or the layer is begun anew, in a new file: an old one is never emptied or overwritten, as it may
//! have another name elsewhere.

use std::fs::{File, Metadata};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anser_table::format::{Counts, HEADER_LEN, Header, SIGNATURE, checks_len};
use anser_table::{PositionedReads, Table, TableName};
use memmap2::MmapOptions;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::SolveError;
use crate::checkpoint::planes::Planes;
use crate::checkpoint::progress::Progress;
use crate::checkpoint::slots::{Found, MARK, SlotLayout, Slots};
use crate::error::io_error;
use crate::io::files::{check_lock, sync_dir, take_space};
use crate::observer::Discarded;

/// An unfinished table.
pub(crate) struct WorkFile {
    header: Header,
    dir: PathBuf,
    part: PathBuf,
    table: PathBuf,
    file: File,
    slots: Slots,
    progress: Progress,
    /// Whether an earlier run left a checkpoint.
    resumed: bool,
    started: Instant,
    /// How long earlier runs took.
    before: Duration,
}

/// What is to be worked on.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) dir: &'a Path,
    pub(crate) name: &'a TableName,
    /// The name of the engine; no other resumes from its checkpoints.
    pub(crate) engine: &'a str,
    /// The lengths in bytes of what the engine keeps beside the values.
    pub(crate) sections: &'a [u64],
    /// The shortest time between two checkpoints.
    pub(crate) every: Duration,
    pub(crate) started: Instant,
}

/// What [`WorkFile::open`] found.
pub(crate) enum Opened {
    /// A layer to be solved, from the beginning or from a checkpoint. `discarded` if an earlier run left something that is
    /// not used.
    Work { work: Box<WorkFile>, discarded: Option<Discarded> },
    /// A table that had everything but its name; now it has that.
    Complete,
}

/// What becomes of a file that is there.
enum Earlier {
    Work(Box<WorkFile>, Option<Discarded>),
    Complete,
    /// It is of no use; `None` if nothing was done in it.
    Useless(Option<Discarded>),
}

impl WorkFile {
    /// Opens the work on a table: resumes from what is there if it is of the very same table, begins anew otherwise. `header` is
    /// the table's, incomplete. A file that is not ours is left alone, and an error.
    pub(crate) fn open(job: Job<'_>, header: Header) -> Result<Opened, SolveError> {
        let (part, table) = (job.dir.join(job.name.part()), job.dir.join(job.name.to_string()));
        let mut discarded = None;
        if check_part(&part)? {
            match WorkFile::resume(job, &header, &part, &table)? {
                Earlier::Work(work, discarded) => return Ok(Opened::Work { work, discarded }),
                Earlier::Complete => {
                    put_in_place(job.dir, &part, &table)?;
                    return Ok(Opened::Complete);
                }
                Earlier::Useless(why) => discarded = why,
            }
            // Its name is taken from it and nothing else: the file may have others.
            std::fs::remove_file(&part).map_err(io_error(&part, "removing"))?;
        }
        let layout = slot_layout(&header, job.sections);
        let mut file =
            File::options().read(true).write(true).create_new(true).open(&part).map_err(io_error(&part, "creating"))?;
        take_space(&file, layout.file_len()).map_err(io_error(&part, "taking disk space for the layer"))?;
        let mut write_frame = || {
            file.seek(SeekFrom::Start(layout.file_len() - 8))?;
            file.write_all(&MARK.to_le_bytes())?;
            write_at_start(&file, &header)
        };
        write_frame().map_err(io_error(&part, "writing the header"))?;
        sync_dir(job.dir)?;
        let (slots, _) = map(job, &part, &file, layout, true)?;
        let work = WorkFile::new(job, header, (part, table), file, slots, None);
        Ok(Opened::Work { work: Box::new(work), discarded })
    }

    fn new(
        job: Job<'_>,
        header: Header,
        (part, table): (PathBuf, PathBuf),
        file: File,
        slots: Slots,
        progress: Option<Progress>,
    ) -> WorkFile {
        let resumed = progress.is_some();
        let progress = progress.unwrap_or_else(Progress::new);
        let before = progress.elapsed();
        let dir = job.dir.to_owned();
        WorkFile { header, dir, part, table, file, slots, progress, resumed, started: job.started, before }
    }

    /// Looks at the file that an earlier run left.
    fn resume(job: Job<'_>, header: &Header, part: &Path, table: &Path) -> Result<Earlier, SolveError> {
        let useless = |why| Ok(Earlier::Useless(Some(why)));
        let file = File::options().read(true).write(true).open(part).map_err(io_error(part, "opening"))?;
        let about = file.metadata().map_err(io_error(part, "looking at it"))?;
        let len = about.len();
        let tail = read_tail(&file, len).map_err(io_error(part, "reading"))?;
        let start = read_first(&file, HEADER_LEN).map_err(io_error(part, "reading"))?;
        if start.iter().all(|&byte| byte == 0) {
            // It was given its space and not yet its header.
            return Ok(Earlier::Useless(None));
        }
        if is_linked(&about) {
            return useless(Discarded::Linked);
        }
        let Ok(found) = Header::decode(&start) else {
            return useless(if len < HEADER_LEN as u64 { Discarded::CutOff } else { Discarded::Damaged });
        };
        if !header.is_same_table(&found) {
            return useless(Discarded::OtherTable);
        }
        if len == header.layout().file_len() && found.is_complete() {
            return if is_sound(part) { Ok(Earlier::Complete) } else { useless(Discarded::Damaged) };
        }
        let layout = slot_layout(header, job.sections);
        if tail != Some(MARK) || len != layout.file_len() {
            return useless(match tail.map(u64::to_le_bytes) {
                Some(mark) if mark == MARK.to_le_bytes() => Discarded::OtherEngine,
                Some(mark) if mark.starts_with(b"anser-") => Discarded::OtherVersion,
                _ if len == first_version_len(header) => Discarded::OtherVersion,
                _ if len == layout.file_len() => Discarded::Damaged,
                _ => Discarded::CutOff,
            });
        }
        let (slots, state) = map(job, part, &file, layout, false)?;
        match state {
            Found::Nothing => Ok(Earlier::Useless(None)),
            Found::Damaged => useless(Discarded::Damaged),
            Found::Other => useless(Discarded::OtherEngine),
            Found::Checkpoint { words, fell_back } => {
                let Some(progress) = Progress::of_words(&words) else { return useless(Discarded::OtherVersion) };
                let paths = (part.to_owned(), table.to_owned());
                // Work of another version of this program is resumed in the name of that.
                let work = WorkFile::new(job, found, paths, file, slots, Some(progress));
                Ok(Earlier::Work(Box::new(work), fell_back.then_some(Discarded::LastCheckpoint)))
            }
        }
    }

    /// The number of entries by side to move.
    pub(crate) fn entries(&self) -> [u64; 2] {
        self.header.entries().into_array()
    }

    /// How far the work in memory is.
    pub(crate) fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Whether an earlier run left a checkpoint.
    pub(crate) fn is_resumed(&self) -> bool {
        self.resumed
    }

    /// How long the layer has taken so far, all runs together.
    pub(crate) fn elapsed(&self) -> Duration {
        self.before + self.started.elapsed()
    }

    /// The values of the newest checkpoint.
    ///
    /// # Panics
    /// There is none.
    pub(crate) fn planes(&self) -> Planes<'_> {
        Planes::new(self.slots.newest(0), self.entries())
    }

    /// Whether it is time for a checkpoint.
    pub(crate) fn is_due(&self) -> bool {
        self.slots.is_due()
    }

    /// Begins a checkpoint that changes the values of the newest one; what is changed is seen by nobody before
    /// [`Staged::commit`].
    pub(crate) fn stage(&self) -> Result<Staged<'_>, SolveError> {
        Ok(Staged { work: self, slot: self.slots.stage()? })
    }

    /// Writes a checkpoint from memory: the values and the sections of the engine.
    pub(crate) fn save(&self, parts: &[&[AtomicU64]]) -> Result<(), SolveError> {
        self.progress.set_elapsed(self.elapsed());
        self.slots.save(parts, &self.progress.words())
    }

    /// Reads the newest checkpoint into memory.
    pub(crate) fn load(&self, parts: &[&[AtomicU64]]) -> Result<(), SolveError> {
        self.slots.load(parts)
    }

    /// An error if the newest checkpoint is no longer what was written.
    pub(crate) fn check(&self) -> Result<(), SolveError> {
        self.slots.check().map(drop)
    }

    /// Releases the memory that the file takes.
    pub(crate) fn evict(&self) {
        self.slots.evict();
    }

    /// Brings the final values of the newest checkpoint to where the table has them.
    pub(crate) fn settle(&self) -> Result<(), SolveError> {
        self.slots.settle(&self.progress.words())
    }

    /// The blake3 of the values.
    fn digest(&self) -> [u8; 32] {
        /// Words that are digested at a time: 8 MiB.
        const BATCH: usize = 1 << 20;
        let (mut hasher, mut bytes) = (blake3::Hasher::new(), Vec::new());
        for batch in self.slots.newest(0).chunks(BATCH) {
            batch.par_iter().map(|word| word.load(Relaxed).to_le_bytes()).collect_into_vec(&mut bytes);
            hasher.update_rayon(bytes.as_flattened());
            self.evict();
        }
        *hasher.finalize().as_bytes()
    }

    /// Gives the table its checks, its header and its name. The work is settled. In between `record` is given the finished
    /// header and the path under which the table can be read until it has its name.
    pub(crate) fn finish(
        mut self,
        counts: Counts,
        record: impl FnOnce(&Header, &Path) -> Result<(), SolveError>,
    ) -> Result<Header, SolveError> {
        let layout = *self.header.layout();
        let digest = self.digest();
        // After the values were read for the last time: what was counted and digested is what the checkpoint vouches for.
        let mut sums = self.slots.check()?;
        sums.truncate((checks_len(layout.payload.len) / 8) as usize);
        let checks: Vec<u8> = sums.iter().flat_map(|sum| sum.to_le_bytes()).collect();
        self.header.finish(counts, digest, xxh3_64(&checks));
        let WorkFile { header, dir, part, table, mut file, slots, .. } = self;
        drop(slots);
        let write_checks = |file: &mut File| {
            // Nothing vouches for the gap before the checks.
            let gap = layout.checks.offset - layout.payload.end();
            file.seek(SeekFrom::Start(layout.payload.end()))?;
            file.write_all(&vec![0; gap as usize])?;
            file.write_all(&checks)?;
            file.sync_all()
        };
        write_checks(&mut file).map_err(io_error(&part, "writing the checks"))?;
        // From here on the file says of itself that it is complete; the rest goes when it is on record elsewhere.
        write_at_start(&file, &header).map_err(io_error(&part, "writing the header"))?;
        record(&header, &part)?;
        file.set_len(layout.file_len()).map_err(io_error(&part, "cutting off what is behind the table"))?;
        file.sync_all().map_err(io_error(&part, "syncing"))?;
        put_in_place(&dir, &part, &table)?;
        Ok(header)
    }
}

/// A checkpoint that is being written.
pub(crate) struct Staged<'w> {
    work: &'w WorkFile,
    slot: usize,
}

impl Staged<'_> {
    /// The values, to be changed.
    pub(crate) fn planes(&self) -> Planes<'_> {
        Planes::new(self.work.slots.staged(self.slot, 0), self.work.entries())
    }

    /// Makes it the newest checkpoint, with the progress as it is now.
    pub(crate) fn commit(self) -> Result<(), SolveError> {
        let Staged { work, slot } = self;
        work.progress.set_elapsed(work.elapsed());
        work.slots.commit(slot, &work.progress.words())
    }
}

fn slot_layout(header: &Header, sections: &[u64]) -> SlotLayout {
    SlotLayout::new(header.layout().payload, header.layout().file_len(), sections)
}

/// The length of the file of a layer while it is being solved, in bytes.
pub(crate) fn work_len(header: &Header, sections: &[u64]) -> u64 {
    slot_layout(header, sections).file_len()
}

/// The length that the file had before there were two slots: the table, one bit for each entry, and 4096 bytes.
fn first_version_len(header: &Header) -> u64 {
    let held: u64 = header.entries().into_iter().map(|(_, entries)| anser_table::format::pairs(entries) * 8).sum();
    header.layout().file_len() + held + 4096
}

fn map(job: Job<'_>, part: &Path, file: &File, layout: SlotLayout, blank: bool) -> Result<(Slots, Found), SolveError> {
    let map = MmapOptions::new().map_raw(file).map_err(io_error(part, "mapping"))?;
    let identity = format!("{} {}", job.name, job.engine);
    Ok(Slots::open(part, map, layout, identity, job.every, blank))
}

/// Whether a file that says that it is a complete table is one.
fn is_sound(path: &Path) -> bool {
    Table::open(path, &PositionedReads).is_ok_and(|table| {
        (0..table.parts()).into_par_iter().try_for_each(|part| table.verify_part(part)).is_ok()
            && table.verify_rest().is_ok()
    })
}

/// Whether a file has other names, by which somebody may rely on what is in it.
fn is_linked(about: &Metadata) -> bool {
    #[cfg(unix)]
    {
        std::os::unix::fs::MetadataExt::nlink(about) > 1
    }
    #[cfg(not(unix))]
    {
        let _ = about;
        false
    }
}

/// An error if there is something by the name of a work file that is not ours. True if there is a file of ours.
pub(crate) fn check_part(part: &Path) -> Result<bool, SolveError> {
    let foreign = || SolveError::Foreign { path: part.to_owned() };
    let found = match std::fs::symlink_metadata(part) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        found => found.map_err(io_error(part, "looking at it"))?,
    };
    // A link could lead anywhere, and what is written through it would be lost there.
    if !found.is_file() {
        return Err(foreign());
    }
    let file = File::open(part).map_err(io_error(part, "opening"))?;
    let start = read_first(&file, SIGNATURE.len()).map_err(io_error(part, "reading"))?;
    // Zeros are a file that was given its space and not yet its header. A damaged header does not make it somebody else's.
    let ours = start == SIGNATURE
        || start.iter().all(|&byte| byte == 0)
        || read_tail(&file, found.len()).map_err(io_error(part, "reading"))? == Some(MARK);
    if ours { Ok(true) } else { Err(foreign()) }
}

/// The first bytes of a file, at most `len`.
fn read_first(mut file: &File, len: usize) -> std::io::Result<Vec<u8>> {
    let mut start = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(len as u64).read_to_end(&mut start)?;
    Ok(start)
}

/// The last eight bytes of a file of `len` bytes, if it has as many.
fn read_tail(mut file: &File, len: u64) -> std::io::Result<Option<u64>> {
    let Some(offset) = len.checked_sub(8) else { return Ok(None) };
    let mut tail = [0; 8];
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(&mut tail)?;
    Ok(Some(u64::from_le_bytes(tail)))
}

fn write_at_start(mut file: &File, header: &Header) -> std::io::Result<()> {
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&header.encode())?;
    file.sync_all()
}

fn put_in_place(dir: &Path, part: &Path, table: &Path) -> Result<(), SolveError> {
    check_lock(dir)?;
    std::fs::rename(part, table).map_err(io_error(table, "putting it in place"))?;
    sync_dir(dir)
}
