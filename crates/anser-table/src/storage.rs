//! Where the bytes of a table come from: a mapping, positioned reads, or memory.

use std::borrow::Cow;
use std::fmt::{self, Debug};
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;

use crate::layout::Region;

/// The bytes of one file, which do not change while it is open.
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
}

/// A way to open files.
pub trait Access {
    /// Opens the file `path`.
    fn open(&self, path: &Path) -> io::Result<Box<dyn Storage>>;
}

/// Opens files for positioned reads: a system call a probe, no assumptions.
#[derive(Clone, Copy, Debug, Default)]
pub struct PositionedReads;

impl Access for PositionedReads {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Storage>> {
        Ok(Box::new(Positioned::new(open_file(path)?)?))
    }
}

/// Maps files into memory: the fastest, under a condition.
#[derive(Clone, Copy, Debug)]
pub struct Mapping(());

impl Mapping {
    /// Allows files to be mapped.
    ///
    /// # Safety
    /// As long as anything that was opened through it lives, no process may change or truncate the files: what is
    /// mapped changes with them, which Rust does not allow for shared memory, and a page beyond the new end kills the
    /// process. Tables are written under a temporary name and never changed after they got their own, so this holds for
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
        // SAFETY: whoever made `self` promised in `Mapping::new` that nobody changes the file.
        let map = unsafe { Mmap::map(&file)? };
        #[cfg(unix)]
        map.advise(memmap2::Advice::Random)?;
        Ok(Box::new(Mapped(map)))
    }
}

fn open_file(path: &Path) -> io::Result<File> {
    // Looked at before it is opened: to open a pipe waits for somebody to write to it.
    let found = std::fs::metadata(path)?;
    if found.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
    }
    if !found.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    File::open(path)
}

/// A mapped file.
#[derive(Debug)]
struct Mapped(Mmap);

impl Storage for Mapped {
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

/// A file that is read where needed.
#[derive(Debug)]
struct Positioned {
    file: File,
    len: u64,
}

impl Positioned {
    fn new(file: File) -> io::Result<Positioned> {
        let len = file.metadata()?.len();
        Ok(Positioned { file, len })
    }
}

impl Storage for Positioned {
    fn len(&self) -> u64 {
        self.len
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

/// The bytes of a region, borrowed where they lie in memory.
pub(crate) fn read_region(storage: &dyn Storage, region: Region) -> io::Result<Cow<'_, [u8]>> {
    if let Some(bytes) = storage.as_slice() {
        return slice(bytes, region.offset, region.len).map(Cow::Borrowed);
    }
    let len = usize::try_from(region.len).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    let mut bytes = Vec::new();
    // How much this is, a file says: too much must be an error.
    bytes.try_reserve_exact(len).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    bytes.resize(len, 0);
    storage.read_exact_at(region.offset, &mut bytes)?;
    Ok(Cow::Owned(bytes))
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
