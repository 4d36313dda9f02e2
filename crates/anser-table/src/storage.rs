//! Where the bytes of a table come from: a mapping, positioned reads, or memory.

use std::fmt::{self, Debug};
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use memmap2::Mmap;

use crate::error::{Defect, is_resource, reserve};
use crate::layout::Region;

/// The bytes of one file.
pub trait Storage: Debug + Send + Sync {
    /// The length in bytes.
    fn len(&self) -> u64;
    /// Whether there are no bytes at all.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Fills `buffer` with the bytes from `offset` on. Fails with [`io::ErrorKind::UnexpectedEof`] if there are too
    /// few.
    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;
    /// All the bytes, if they lie in memory.
    fn as_slice(&self) -> Option<&[u8]> {
        None
    }
    /// How the file differs from when it was opened, as far as the system tells: by its length or its modification time.
    /// `None` where it does not, and for storage that nothing else can change.
    fn change(&self) -> Option<String> {
        None
    }
}

/// A way to open files.
pub trait Access {
    /// Opens the file `path`.
    fn open(&self, path: &Path) -> io::Result<Box<dyn Storage>>;
}

/// Opens files for positioned reads: a system call for each block that is not in the cache, no assumptions. What other
/// programs do to the files leads to errors, not to wrong answers.
#[derive(Clone, Copy, Debug, Default)]
pub struct PositionedReads;

impl Access for PositionedReads {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Storage>> {
        Ok(Box::new(Positioned::new(open_file(path)?)?))
    }
}

/// Maps files into memory: the fastest, under a condition. A file for which there is no room in the address space is read.
#[derive(Clone, Copy, Debug)]
pub struct Mapping(());

impl Mapping {
    /// Allows files to be mapped.
    ///
    /// # Safety
    /// As long as anything that was opened through it lives, no process may change or truncate the files: what is
    /// mapped changes with them, which Rust does not allow for shared memory, and to touch a page beyond the new end
    /// raises the signal SIGBUS, which by default kills the process. A block is compared with its checksum once, so later
    /// changes lead to wrong answers until they are noticed: the length and modification time of a file are compared with
    /// those at its opening whenever a block is read for the first time, at the end of every batch, and by
    /// [`Tablebase::check_unchanged`](crate::Tablebase::check_unchanged). To replace a file by renaming another over it is
    /// allowed: what is mapped stays the old one. Tables are written under a temporary name and never changed after they got their own, so this holds for
    /// a directory that only `anser` writes to. Errors of the disk under a mapping kill the process as well, where
    /// [`PositionedReads`] reports them.
    pub unsafe fn new() -> Mapping {
        Mapping(())
    }
}

impl Access for Mapping {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Storage>> {
        let file = open_file(path)?;
        if file.metadata()?.len() == 0 {
            // There is nothing to map.
            return Ok(Box::new(Memory::from(Vec::new())));
        }
        let opened = Stamp::of(&file)?;
        // SAFETY: whoever made `self` promised in `Mapping::new` that nobody changes the file.
        let map = match unsafe { Mmap::map(&file) } {
            // There is no room for all of it in the address space. Parts can be read.
            Err(error) if is_resource(&error) => return Ok(Box::new(Positioned { file, opened })),
            mapped => mapped?,
        };
        #[cfg(unix)]
        map.advise(memmap2::Advice::Random)?;
        Ok(Box::new(Mapped { map, file, opened }))
    }
}

/// Opens a regular file for reading. A pipe, a device or a directory is an error: to open a pipe waits for a writer.
pub(crate) fn open_file(path: &Path) -> io::Result<File> {
    let found = std::fs::metadata(path)?;
    if found.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
    }
    if !found.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    File::open(path)
}

/// What changes with the content of an open file. A file that another one replaces by its name stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    len: u64,
    /// `None` where the system keeps no such time.
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(file: &File) -> io::Result<Stamp> {
        let metadata = file.metadata()?;
        Ok(Stamp { len: metadata.len(), modified: metadata.modified().ok() })
    }

    /// How the file differs now.
    fn change(self, file: &File) -> Option<String> {
        match Stamp::of(file) {
            Ok(now) if now == self => None,
            Ok(now) if now.len != self.len => Some(format!("it had {} bytes and now has {}", self.len, now.len)),
            Ok(_) => Some("its modification time is another".to_owned()),
            Err(error) => Some(format!("it can no longer be looked at: {error}")),
        }
    }
}

/// A mapped file.
#[derive(Debug)]
struct Mapped {
    map: Mmap,
    file: File,
    opened: Stamp,
}

impl Storage for Mapped {
    fn len(&self) -> u64 {
        self.map.len() as u64
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        copy_from(&self.map, offset, buffer)
    }

    fn as_slice(&self) -> Option<&[u8]> {
        Some(&self.map)
    }

    fn change(&self) -> Option<String> {
        self.opened.change(&self.file)
    }
}

/// A file that is read where needed.
#[derive(Debug)]
struct Positioned {
    file: File,
    opened: Stamp,
}

impl Positioned {
    fn new(file: File) -> io::Result<Positioned> {
        let opened = Stamp::of(&file)?;
        Ok(Positioned { file, opened })
    }
}

impl Storage for Positioned {
    fn len(&self) -> u64 {
        self.opened.len
    }

    fn change(&self) -> Option<String> {
        self.opened.change(&self.file)
    }

    #[cfg(unix)]
    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, buffer, offset)
    }

    #[cfg(windows)]
    fn read_exact_at(&self, mut offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
        while !buffer.is_empty() {
            match std::os::windows::fs::FileExt::seek_read(&self.file, buffer, offset) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(count) => {
                    buffer = &mut buffer[count..];
                    offset += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// A table in memory. Clones share the bytes.
///
/// ```
/// use anser_table::{Memory, Storage};
/// let storage = Memory::from(vec![1, 2, 3, 4]);
/// let mut two = [0; 2];
/// storage.read_exact_at(1, &mut two)?;
/// assert_eq!(two, [2, 3]);
/// assert!(storage.read_exact_at(3, &mut two).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone)]
pub struct Memory(Arc<[u8]>);

impl Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").field("len", &self.0.len()).finish()
    }
}

impl<T: Into<Arc<[u8]>>> From<T> for Memory {
    fn from(bytes: T) -> Memory {
        Memory(bytes.into())
    }
}

impl Storage for Memory {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        copy_from(&self.0, offset, buffer)
    }

    fn as_slice(&self) -> Option<&[u8]> {
        Some(&self.0)
    }
}

/// A table that is part of the program. Unlike [`Memory`], nothing is copied.
///
/// ```
/// use anser_table::{Static, Storage};
/// let storage = Static::from(&[1, 2, 3, 4][..]);
/// assert_eq!((storage.len(), storage.as_slice()), (4, Some(&[1, 2, 3, 4][..])));
/// ```
#[derive(Clone, Copy)]
pub struct Static(&'static [u8]);

impl Debug for Static {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Static").field("len", &self.0.len()).finish()
    }
}

impl From<&'static [u8]> for Static {
    fn from(bytes: &'static [u8]) -> Static {
        Static(bytes)
    }
}

impl Storage for Static {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        copy_from(self.0, offset, buffer)
    }

    fn as_slice(&self) -> Option<&[u8]> {
        Some(self.0)
    }
}

/// A copy of the bytes of a region: what is compared with a checksum must be what is used, whatever happens to the file.
pub(crate) fn read_region(storage: &dyn Storage, region: Region) -> Result<Vec<u8>, Defect> {
    if region.offset.checked_add(region.len).is_none_or(|end| end > storage.len()) {
        return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
    }
    let mut bytes = reserve(region.len, "a part of the file")?;
    bytes.resize(region.len as usize, 0);
    storage.read_exact_at(region.offset, &mut bytes)?;
    Ok(bytes)
}

fn copy_from(bytes: &[u8], offset: u64, buffer: &mut [u8]) -> io::Result<()> {
    buffer.copy_from_slice(slice(bytes, offset, buffer.len() as u64)?);
    Ok(())
}

fn slice(bytes: &[u8], offset: u64, len: u64) -> io::Result<&[u8]> {
    let start = usize::try_from(offset).ok();
    let end = offset.checked_add(len).and_then(|end| usize::try_from(end).ok());
    start.zip(end).and_then(|(start, end)| bytes.get(start..end)).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}
