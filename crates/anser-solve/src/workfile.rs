//! The file of a layer while it is being solved.
//!
//! It is laid out like the finished raw table, with the plane of held positions and the progress page behind it, and has
//! the table's name with `.part` after it. The header says *incomplete* until the values, and then the checks, are on disk;
//! then what is behind the table is cut off and the file gets its name. So at every instant there is either no table of
//! that name or a complete one, and a file of the other name can be gone on with or be made anew.

use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::raw::c_void;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use anser_table::{CHECK_BLOCK, Counts, HEADER_LEN, Header, Region, SIGNATURE, TableName, raw_check};
use memmap2::{MmapOptions, MmapRaw};
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::SolveError;
use crate::error::io_error;
use crate::files::{sync_dir, take_space};
use crate::planes::Planes;
use crate::progress::{PROGRESS_WORDS, Progress};

const PAGE: u64 = PROGRESS_WORDS as u64 * 8;

/// An unfinished table, mapped.
pub(crate) struct WorkFile {
    header: Header,
    dir: PathBuf,
    part: PathBuf,
    table: PathBuf,
    file: File,
    map: MmapRaw,
}

/// What [`WorkFile::open`] found.
pub(crate) enum Opened {
    /// A layer to be solved, or gone on with. `discarded` if there was work that can not be gone on with.
    Work { work: Box<WorkFile>, discarded: bool },
    /// A table that had everything but its name; now it has that.
    Complete,
}

impl WorkFile {
    /// Opens the work on the table `name` in `dir`: goes on with what is there if it is of the very same table, begins anew
    /// otherwise. `header` is the table's, incomplete. A file that is not ours is left alone, and an error.
    pub(crate) fn open(dir: &Path, name: &TableName, header: Header) -> Result<Opened, SolveError> {
        let (part, table) = (dir.join(name.part()), dir.join(name.to_string()));
        let len = work_len(&header);
        let file = open_part(&part)?;
        let found_len = file.metadata().map_err(io_error(&part, "looking at it"))?.len();
        let found = read_header(&file).filter(|found| header.is_same_table(found));
        if found_len == header.layout().file_len() && found.as_ref().is_some_and(Header::is_complete) {
            put_in_place(dir, &part, &table)?;
            return Ok(Opened::Complete);
        }
        // Work of another version of this program is gone on with, in its name.
        let known = found_len == len && found.is_some();
        let discarded = found_len > 0 && !known && is_ours(&file).unwrap_or(true);
        let header = found.filter(|_| known).unwrap_or(header);
        if !known {
            file.set_len(0).map_err(io_error(&part, "emptying"))?;
            take_space(&file, len).map_err(io_error(&part, "taking disk space for the layer"))?;
            write_at_start(&file, &header).map_err(io_error(&part, "writing the header"))?;
        }
        let map = MmapOptions::new().map_raw(&file).map_err(io_error(&part, "mapping"))?;
        let work = WorkFile { header, dir: dir.to_owned(), part, table, file, map };
        // What was just given its space holds zeros.
        if known && !work.progress().is_valid() {
            for region in [work.header.layout().payload, held(&work.header)] {
                work.words(region).par_iter().for_each(|word| word.store(0, Relaxed));
            }
        }
        if !work.progress().is_valid() {
            work.progress().reset();
        }
        Ok(Opened::Work { work: Box::new(work), discarded })
    }

    /// The values.
    pub(crate) fn planes(&self) -> Planes<'_> {
        let (values, held) = (self.words(self.header.layout().payload), self.words(held(&self.header)));
        Planes::new(values, held, self.header.entries())
    }

    /// The progress page.
    pub(crate) fn progress(&self) -> Progress<'_> {
        let words = self.words(Region { offset: held(&self.header).end(), len: PAGE });
        Progress::new(words.first_chunk().expect("the page has its size"))
    }

    /// Writes everything to disk.
    pub(crate) fn flush(&self) -> Result<(), SolveError> {
        self.map.flush().map_err(io_error(&self.part, "writing to disk"))
    }

    /// Lets go of the memory that the file takes, as far as the system can be told so.
    pub(crate) fn trim(&self) {
        // Advice may be refused; then the memory is simply kept.
        #[cfg(unix)]
        // SAFETY: the mapping is a shared one of a file. What is let go of is still in the file as the system keeps it, with
        // everything that was stored through the mapping, and the next access maps it again.
        let _ = unsafe { self.map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
    }

    /// Gives the table its checks, its header and its name. All values are final. In between `record` is given the finished
    /// header and the path under which the table can be read until it has its name.
    pub(crate) fn finish(
        mut self,
        counts: Counts,
        record: impl FnOnce(&Header, &Path) -> Result<(), SolveError>,
    ) -> Result<Header, SolveError> {
        let layout = *self.header.layout();
        let payload = self.bytes(layout.payload);
        let checks: Vec<u8> =
            payload.par_chunks(CHECK_BLOCK as usize).flat_map_iter(|block| raw_check(block).to_le_bytes()).collect();
        let digest = blake3::Hasher::new().update_rayon(payload).finalize();
        self.header.finish(counts, *digest.as_bytes(), xxh3_64(&checks));
        let WorkFile { header, dir, part, table, mut file, map } = self;
        map.flush().map_err(io_error(&part, "writing to disk"))?;
        drop(map);
        let write_checks = |file: &mut File| {
            file.seek(SeekFrom::Start(layout.checks.offset))?;
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

    /// The words of a region of the file, which begins at a multiple of 8.
    fn words(&self, region: Region) -> &[AtomicU64] {
        let start = self.pointer(region).cast::<AtomicU64>();
        debug_assert!(region.offset.is_multiple_of(8) && region.len.is_multiple_of(8));
        // SAFETY: `pointer` checked that the region lies inside the mapping, which lives as long as `self`. Mappings begin
        // at a page, so the words are aligned, and any bits are a valid word. The mapping is shared and writable, and in
        // this process it is only ever accessed through these atomics, except by `bytes`, which takes care of itself. Other
        // processes keep away: the directory is locked.
        unsafe { std::slice::from_raw_parts(start, region.len as usize / 8) }
    }

    /// The bytes of a region, when nobody writes any more.
    fn bytes(&mut self, region: Region) -> &[u8] {
        let start = self.pointer(region).cast::<u8>();
        // SAFETY: as in `words`; and as `self` is borrowed exclusively, no atomics are around that could write meanwhile.
        unsafe { std::slice::from_raw_parts(start, region.len as usize) }
    }

    fn pointer(&self, region: Region) -> *const c_void {
        assert!(region.end() <= self.map.len() as u64, "the region is inside the file");
        self.map.as_ptr().wrapping_add(region.offset as usize).cast()
    }
}

/// Where the plane of held positions is: behind the table.
fn held(header: &Header) -> Region {
    Region { offset: header.layout().file_len(), len: Planes::held_len(header.entries()) }
}

/// The length of the file of a layer while it is being solved, in bytes.
pub(crate) fn work_len(header: &Header) -> u64 {
    held(header).end() + PAGE
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
    let start = read_start(&file).map_err(io_error(part, "reading"))?;
    // Zeros are a file that was given its space and not yet its header.
    if start == SIGNATURE || start.iter().all(|&byte| byte == 0) { Ok(true) } else { Err(foreign()) }
}

/// Opens or creates the work file, if it is a file of ours.
fn open_part(part: &Path) -> Result<File, SolveError> {
    check_part(part)?;
    File::options().read(true).write(true).create(true).truncate(false).open(part).map_err(io_error(part, "opening"))
}

/// The first bytes of a file, as many as a signature has.
fn read_start(mut file: &File) -> std::io::Result<Vec<u8>> {
    let mut start = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(SIGNATURE.len() as u64).read_to_end(&mut start)?;
    Ok(start)
}

/// Whether somebody's work began in the file.
fn is_ours(file: &File) -> std::io::Result<bool> {
    Ok(read_start(file)? == SIGNATURE)
}

fn read_header(file: &File) -> Option<Header> {
    let mut bytes = [0; HEADER_LEN];
    let mut reader = file;
    reader.seek(SeekFrom::Start(0)).ok()?;
    reader.read_exact(&mut bytes).ok()?;
    Header::decode(&bytes).ok()
}

fn write_at_start(mut file: &File, header: &Header) -> std::io::Result<()> {
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&header.encode())?;
    file.sync_all()
}

fn put_in_place(dir: &Path, part: &Path, table: &Path) -> Result<(), SolveError> {
    std::fs::rename(part, table).map_err(io_error(table, "putting it in place"))?;
    sync_dir(dir)
}
