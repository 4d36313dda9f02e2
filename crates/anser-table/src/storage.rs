//! Access to the bytes of table files: positioned reads, mappings, and memory.

use std::fmt::{self, Debug};
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use crate::error::Change;

#[cfg(feature = "mmap")]
pub(crate) mod mapping;
pub(crate) mod platform;

/// The bytes of one file.
///
/// Implemented for mapped files, and for files that are read by position, among others.
pub trait Storage: Debug + Send + Sync {
    /// Returns the length in bytes.
    fn len(&self) -> u64;

    /// Whether there are no bytes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills `buffer` with the bytes from `offset` on.
    ///
    /// # Errors
    /// [`io::ErrorKind::UnexpectedEof`] if there are too few bytes, and errors of the system.
    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;

    /// Returns all bytes, if they are in memory.
    fn as_slice(&self) -> Option<&[u8]> {
        None
    }

    /// Returns how the file has changed since it was opened, as far as its length and modification
    /// time show; `None` if it has not, and for storage that nothing else can change.
    fn change(&self) -> Option<Change> {
        None
    }
}

/// A way to open files.
///
/// Implemented for mappings, and for positioned reads, among others.
pub trait Access {
    /// Opens the file `path`.
    ///
    /// # Errors
    /// If the file cannot be opened, or is not a regular file.
    fn open(&self, path: &Path) -> io::Result<Box<dyn Storage>>;
}

/// Opens files for positioned reads: one system call for each block that is not in the cache.
///
/// There are no conditions: files that other programs change lead to errors, not to wrong answers.
#[derive(Clone, Copy, Debug, Default)]
pub struct PositionedReads;

impl Access for PositionedReads {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Storage>> {
        let file = open_file(path)?;
        Ok(Box::new(Positioned { opened: Stamp::of(&file)?, file }))
    }
}

/// Opens a regular file for reading. Pipes, devices, and directories are errors: opening a pipe
/// would wait for a writer.
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

/// Metadata that changes with the content of an open file. A file that is replaced under its name
/// keeps its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    len: u64,
    /// `None` if the system has no modification times.
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(file: &File) -> io::Result<Stamp> {
        let metadata = file.metadata()?;
        Ok(Stamp { len: metadata.len(), modified: metadata.modified().ok() })
    }

    /// Returns how the file differs now.
    fn change(self, file: &File) -> Option<Change> {
        match Stamp::of(file) {
            Ok(now) if now == self => None,
            Ok(now) if now.len != self.len => {
                Some(Change::Length { opened: self.len, now: now.len })
            }
            Ok(_) => Some(Change::Modified),
            Err(error) => Some(Change::Unreadable(Arc::new(error))),
        }
    }
}

/// A file for positioned reads.
#[derive(Debug)]
struct Positioned {
    file: File,
    opened: Stamp,
}

impl Storage for Positioned {
    fn len(&self) -> u64 {
        self.opened.len
    }

    fn change(&self) -> Option<Change> {
        self.opened.change(&self.file)
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        platform::read_exact_at(&self.file, offset, buffer)
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
pub struct Memory(Bytes);

#[derive(Clone)]
enum Bytes {
    Shared(Arc<[u8]>),
    Static(&'static [u8]),
}

impl Memory {
    /// Creates storage of bytes that are part of the program, without a copy.
    ///
    /// ```
    /// use anser_table::{Memory, Storage};
    /// let storage = Memory::from_static(&[1, 2, 3, 4]);
    /// assert_eq!((storage.len(), storage.as_slice()), (4, Some(&[1, 2, 3, 4][..])));
    /// ```
    pub const fn from_static(bytes: &'static [u8]) -> Memory {
        Memory(Bytes::Static(bytes))
    }

    fn bytes(&self) -> &[u8] {
        match &self.0 {
            Bytes::Shared(bytes) => bytes,
            Bytes::Static(bytes) => bytes,
        }
    }
}

impl Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").field("len", &self.len()).finish()
    }
}

impl<T: Into<Arc<[u8]>>> From<T> for Memory {
    fn from(bytes: T) -> Memory {
        Memory(Bytes::Shared(bytes.into()))
    }
}

impl Storage for Memory {
    fn len(&self) -> u64 {
        self.bytes().len() as u64
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        copy_from(self.bytes(), offset, buffer)
    }

    fn as_slice(&self) -> Option<&[u8]> {
        Some(self.bytes())
    }
}

/// Fills `buffer` with the bytes from `offset` on.
fn copy_from(bytes: &[u8], offset: u64, buffer: &mut [u8]) -> io::Result<()> {
    let rest = usize::try_from(offset).ok().and_then(|offset| bytes.get(offset..));
    let found = rest.and_then(|rest| rest.get(..buffer.len()));
    buffer.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
    Ok(())
}
