//! The file of a layer that is being solved.
//!
//! Its name is that of the table with `.part` appended. It is laid out as the finished raw table:
//! the header, slot 0 with the payload in its place, and space for what follows it. The rest of the
//! slots, their records ([`checkpoint`](crate::checkpoint::slots)), and a mark of eight bytes
//! follow.
//!
//! The header says *incomplete* until the final values are in slot 0 and the rest is on disk.
//! Then the file is cut to the length of the table, and renamed. So at any moment there is either
//! no file with the name of the table or a complete table. A `.part` file without a sound
//! checkpoint is removed and created again. It is never truncated or overwritten, because it may
//! have other hard links.

use std::fs::{File, Metadata};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anser_table::format::{Counts, HEADER_LEN, Header, SIGNATURE, bytes_of, checks_len};
use anser_table::{Defect, PositionedReads, Table, TableName};
use byteorder::{LittleEndian, ReadBytesExt, WriteBytesExt};
use memmap2::MmapOptions;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::SolveError;
use crate::checkpoint::planes::Planes;
use crate::checkpoint::progress::Progress;
use crate::checkpoint::slots::{Found, MARK, SlotLayout, Slots};
use crate::error::io_error;
use crate::io::codes::word_bytes;
use crate::io::files::{check_len, check_lock, same_file, sync_dir, take_space};
use crate::observer::Discarded;

/// An unfinished table.
pub(crate) struct WorkFile {
    header: Header,
    /// The text of the game's description.
    description: String,
    dir: PathBuf,
    part: PathBuf,
    table: PathBuf,
    file: File,
    slots: Slots,
    progress: Progress,
    /// Whether an earlier run left a checkpoint.
    resumed: bool,
    started: Instant,
    /// Time that earlier runs took.
    before: Duration,
}

/// Parameters of the work on a table.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) dir: &'a Path,
    pub(crate) name: &'a TableName,
    /// The text of the game's description, that of the header.
    pub(crate) description: &'a str,
    /// The name of the engine. Only the same engine resumes from its checkpoints.
    pub(crate) engine: &'a str,
    /// The lengths of the engine's sections, in bytes.
    pub(crate) sections: &'a [u64],
    /// Least time between two checkpoints.
    pub(crate) every: Duration,
    pub(crate) started: Instant,
}

/// Result of [`WorkFile::open`].
pub(crate) enum Opened {
    /// A layer to be solved, from the start or from a checkpoint. `discarded` is the work of an
    /// earlier run that is not used.
    Work { work: Box<WorkFile>, discarded: Option<Discarded> },
    /// A complete table that lacked only its name, and has it now.
    Complete,
}

/// Use of the file of an earlier run.
enum Earlier {
    Work(Box<WorkFile>, Option<Discarded>),
    Complete(File),
    /// None, with the reason if it had any work in it.
    Useless(Option<Discarded>),
}

impl WorkFile {
    /// Opens the work on a table: resumes work on the same table, otherwise starts again. `header`
    /// is the incomplete header of the table. A file of another program is left alone, and an
    /// error.
    pub(crate) fn open(job: Job<'_>, header: Header) -> Result<Opened, SolveError> {
        let (part, table) = (job.dir.join(job.name.part()), job.dir.join(job.name.to_string()));
        let mut discarded = None;
        if check_part(&part)? {
            match WorkFile::resume(job, &header, &part, &table)? {
                Earlier::Work(work, discarded) => return Ok(Opened::Work { work, discarded }),
                Earlier::Complete(file) => {
                    put_in_place(job.dir, &header, &file, &part, &table)?;
                    return Ok(Opened::Complete);
                }
                Earlier::Useless(why) => discarded = why,
            }
            // In a directory that was replaced, the file may be the work of another run.
            check_lock(job.dir)?;
            // Only this name is removed: the file may have other hard links.
            std::fs::remove_file(&part).map_err(io_error(&part, "removing"))?;
        }
        let layout = slot_layout(&header, job.sections);
        let mut file = File::options()
            .read(true)
            .write(true)
            .create_new(true)
            .open(&part)
            .map_err(io_error(&part, "creating"))?;
        take_space(&file, layout.file_len())
            .map_err(io_error(&part, "taking disk space for the layer"))?;
        let mut write_frame = || {
            file.seek(SeekFrom::Start(layout.file_len() - 8))?;
            file.write_u64::<LittleEndian>(MARK)?;
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
        WorkFile {
            header,
            description: job.description.to_owned(),
            dir,
            part,
            table,
            file,
            slots,
            progress,
            resumed,
            started: job.started,
            before,
        }
    }

    /// Examines the file of an earlier run.
    fn resume(
        job: Job<'_>,
        header: &Header,
        part: &Path,
        table: &Path,
    ) -> Result<Earlier, SolveError> {
        let useless = |why| Ok(Earlier::Useless(Some(why)));
        let file =
            File::options().read(true).write(true).open(part).map_err(io_error(part, "opening"))?;
        let about = file.metadata().map_err(io_error(part, "looking at it"))?;
        let len = about.len();
        let tail = read_tail(&file, len).map_err(io_error(part, "reading"))?;
        let start = read_first(&file, HEADER_LEN).map_err(io_error(part, "reading"))?;
        if start.iter().all(|&byte| byte == 0) {
            // Stopped before the header was written.
            return Ok(Earlier::Useless(None));
        }
        if is_linked(&about) {
            return useless(Discarded::Linked);
        }
        let found = match Header::decode(&start) {
            Ok(found) => found,
            Err(Defect::Earlier) => return useless(Discarded::OtherVersion),
            Err(_) if len < HEADER_LEN as u64 => return useless(Discarded::CutOff),
            Err(_) => return useless(Discarded::Damaged),
        };
        if !header.is_same_table(&found) {
            return useless(Discarded::OtherTable);
        }
        if len == header.layout().file_len() && found.is_complete() {
            return if is_sound(part) {
                Ok(Earlier::Complete(file))
            } else {
                useless(Discarded::Damaged)
            };
        }
        let layout = slot_layout(header, job.sections);
        if tail != Some(MARK) || len != layout.file_len() {
            return useless(match tail.map(word_bytes) {
                Some(mark) if mark == word_bytes(MARK) => Discarded::OtherEngine,
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
                let Some(progress) = Progress::of_words(&words) else {
                    return useless(Discarded::OtherVersion);
                };
                let paths = (part.to_owned(), table.to_owned());
                // The header keeps the version of the program that started the work.
                let work = WorkFile::new(job, found, paths, file, slots, Some(progress));
                Ok(Earlier::Work(Box::new(work), fell_back.then_some(Discarded::LastCheckpoint)))
            }
        }
    }

    /// Returns the numbers of entries by side to move.
    pub(crate) fn entries(&self) -> [u64; 2] {
        self.header.entries().into_array()
    }

    /// Returns the progress of the values in memory.
    pub(crate) fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Returns whether an earlier run left a checkpoint.
    pub(crate) fn is_resumed(&self) -> bool {
        self.resumed
    }

    /// Returns the time that the layer has taken, in all runs.
    pub(crate) fn elapsed(&self) -> Duration {
        self.before + self.started.elapsed()
    }

    /// Returns the values of the newest checkpoint.
    ///
    /// # Panics
    /// If there is no checkpoint.
    pub(crate) fn planes(&self) -> Planes<'_> {
        Planes::new(self.slots.newest(0), self.entries())
    }

    /// Returns whether a checkpoint is due.
    pub(crate) fn is_due(&self) -> bool {
        self.slots.is_due()
    }

    /// Begins a checkpoint that changes the values of the newest one. [`Staged::commit`] makes the
    /// changes visible.
    pub(crate) fn stage(&self) -> Result<Staged<'_>, SolveError> {
        Ok(Staged { work: self, slot: self.slots.stage()? })
    }

    /// Writes a checkpoint of these parts: the values and the sections of the engine.
    pub(crate) fn save(&self, parts: &[&[AtomicU64]]) -> Result<(), SolveError> {
        self.progress.set_elapsed(self.elapsed());
        self.slots.save(parts, &self.progress.words())
    }

    /// Reads the newest checkpoint into these parts.
    pub(crate) fn load(&self, parts: &[&[AtomicU64]]) -> Result<(), SolveError> {
        self.slots.load(parts)
    }

    /// Fails if the newest checkpoint does not match its checksums.
    pub(crate) fn check(&self) -> Result<(), SolveError> {
        self.slots.check().map(drop)
    }

    /// Releases the memory of the mapping.
    pub(crate) fn evict(&self) {
        self.slots.evict();
    }

    /// Copies the newest checkpoint to the place of the payload in the table.
    pub(crate) fn sync(&self) -> Result<(), SolveError> {
        self.slots.sync(&self.progress.words())
    }

    /// Returns the BLAKE3 digest of the values.
    fn digest(&self) -> [u8; 32] {
        /// Number of words digested at a time: 8 MiB.
        const BATCH: usize = 1 << 20;
        let (mut hasher, mut bytes) = (blake3::Hasher::new(), Vec::new());
        for batch in self.slots.newest(0).chunks(BATCH) {
            batch
                .par_iter()
                .map(|word| word_bytes(word.load(Relaxed)))
                .collect_into_vec(&mut bytes);
            hasher.update_rayon(bytes.as_flattened());
            self.evict();
        }
        *hasher.finalize().as_bytes()
    }

    /// Finishes the table, whose values [`sync`](WorkFile::sync) has put in place: writes checks
    /// and header, and renames the file. Before that, calls `record` with the finished header and
    /// the current path.
    pub(crate) fn finish(
        mut self,
        counts: Counts,
        record: impl FnOnce(&Header, &Path) -> Result<(), SolveError>,
    ) -> Result<Header, SolveError> {
        let layout = *self.header.layout();
        let digest = self.digest();
        // After the last read of the values, so that the counted and digested values are those of
        // the checkpoint.
        let mut sums = self.slots.check()?;
        sums.truncate((checks_len(layout.payload.len) / 8) as usize);
        let checks = bytes_of(&sums);
        self.header.finish(counts, digest, xxh3_64(&checks));
        let WorkFile { header, description, dir, part, table, mut file, slots, .. } = self;
        drop(slots);
        let write_rest = |file: &mut File| {
            // No checksum covers the gap before the checks.
            let gap = layout.checks.offset - layout.payload.end();
            file.seek(SeekFrom::Start(layout.payload.end()))?;
            file.write_all(&vec![0; gap as usize])?;
            file.write_all(&checks)?;
            file.write_all(description.as_bytes())?;
            file.sync_all()
        };
        write_rest(&mut file).map_err(io_error(&part, "writing the checks"))?;
        // From here on the header says complete. The manifest lists the table before the rest is
        // cut off.
        write_at_start(&file, &header).map_err(io_error(&part, "writing the header"))?;
        record(&header, &part)?;
        file.set_len(layout.file_len()).map_err(io_error(&part, "cutting off the checkpoints"))?;
        file.sync_all().map_err(io_error(&part, "syncing"))?;
        put_in_place(&dir, &header, &file, &part, &table)?;
        Ok(header)
    }
}

/// A checkpoint that is being written.
pub(crate) struct Staged<'w> {
    work: &'w WorkFile,
    slot: usize,
}

impl Staged<'_> {
    /// Returns the values, to be changed.
    pub(crate) fn planes(&self) -> Planes<'_> {
        Planes::new(self.work.slots.staged(self.slot, 0), self.work.entries())
    }

    /// Completes the checkpoint, with the current progress.
    pub(crate) fn commit(self) -> Result<(), SolveError> {
        let Staged { work, slot } = self;
        work.progress.set_elapsed(work.elapsed());
        work.slots.commit(slot, &work.progress.words())
    }
}

fn slot_layout(header: &Header, sections: &[u64]) -> SlotLayout {
    SlotLayout::new(header.layout().payload, header.layout().file_len(), sections)
}

/// Returns the length of the file of a layer that is being solved, in bytes.
pub(crate) fn work_len(header: &Header, sections: &[u64]) -> u64 {
    slot_layout(header, sections).file_len()
}

/// Returns the length of the file in the first version, which had one slot: the table, one bit per
/// entry, and 4096 bytes.
fn first_version_len(header: &Header) -> u64 {
    let held: u64 = header
        .entries()
        .into_iter()
        .map(|(_, entries)| anser_table::format::pairs(entries) * 8)
        .sum();
    header.layout().file_len() + held + 4096
}

fn map(
    job: Job<'_>,
    part: &Path,
    file: &File,
    layout: SlotLayout,
    blank: bool,
) -> Result<(Slots, Found), SolveError> {
    let map = MmapOptions::new().map_raw(file).map_err(io_error(part, "mapping"))?;
    let identity = format!("{} {}", job.name, job.engine);
    Ok(Slots::open(part, map, layout, identity, job.every, blank))
}

/// Returns whether a file whose header says complete is a sound table.
fn is_sound(path: &Path) -> bool {
    Table::open(path, &PositionedReads).is_ok_and(|table| {
        (0..table.parts()).into_par_iter().try_for_each(|part| table.verify_part(part)).is_ok()
            && table.verify_rest().is_ok()
    })
}

/// Returns whether a file has other hard links.
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

/// Returns whether there is an unfinished table at `part`. Fails if another program's file has the
/// name.
pub(crate) fn check_part(part: &Path) -> Result<bool, SolveError> {
    let foreign = || SolveError::Foreign { path: part.to_owned() };
    let found = match std::fs::symlink_metadata(part) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        found => found.map_err(io_error(part, "looking at it"))?,
    };
    // A symbolic link could lead to any file.
    if !found.is_file() {
        return Err(foreign());
    }
    let file = File::open(part).map_err(io_error(part, "opening"))?;
    let start = read_first(&file, SIGNATURE.len()).map_err(io_error(part, "reading"))?;
    // Zeros mean stopped before the header was written. A file with a damaged header still has the
    // mark.
    let ours = start == SIGNATURE
        || start.iter().all(|&byte| byte == 0)
        || read_tail(&file, found.len()).map_err(io_error(part, "reading"))? == Some(MARK);
    if ours { Ok(true) } else { Err(foreign()) }
}

/// Returns the first bytes of a file, at most `len`.
fn read_first(mut file: &File, len: usize) -> std::io::Result<Vec<u8>> {
    let mut start = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(len as u64).read_to_end(&mut start)?;
    Ok(start)
}

/// Returns the last eight bytes of a file of `len` bytes, if there are eight.
fn read_tail(mut file: &File, len: u64) -> std::io::Result<Option<u64>> {
    let Some(offset) = len.checked_sub(8) else { return Ok(None) };
    file.seek(SeekFrom::Start(offset))?;
    file.read_u64::<LittleEndian>().map(Some)
}

fn write_at_start(mut file: &File, header: &Header) -> std::io::Result<()> {
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&header.encode())?;
    file.sync_all()
}

/// Gives a finished file the name of the table. Fails if it does not have the length of the table,
/// or if the unfinished name leads to another file: a run that holds a lock on a replaced directory
/// with the same path may have put its own there.
fn put_in_place(
    dir: &Path,
    header: &Header,
    file: &File,
    part: &Path,
    table: &Path,
) -> Result<(), SolveError> {
    check_len(file, part, header.layout().file_len())?;
    check_lock(dir)?;
    let lost = || SolveError::LockLost { dir: dir.to_owned() };
    let is_ours = |path: &Path| same_file(file, path).map_err(io_error(path, "looking at it"));
    if !is_ours(part)? {
        return Err(lost());
    }
    std::fs::rename(part, table).map_err(io_error(table, "putting it in place"))?;
    // The name may have changed its meaning after the comparison.
    if !is_ours(table)? {
        return Err(lost());
    }
    sync_dir(dir)
}
