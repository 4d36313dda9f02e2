//! Files mapped into memory.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

use super::{Access, Memory, Positioned, Stamp, Storage, copy_from, open_file, platform};
use crate::error::{Change, is_resource};

/// Maps files into memory: the fastest access, under a condition. A file that does not fit into the
/// address space is read.
#[derive(Clone, Copy, Debug)]
pub struct Mapping(());

impl Mapping {
    /// Allows files to be mapped.
    ///
    /// # Safety
    /// No process may change or truncate a file while anything that was opened through this value
    /// exists. The mapped bytes change with the file, which Rust does not allow for shared memory.
    /// Access to a page beyond a new end raises the signal SIGBUS, which kills the process by
    /// default.
    ///
    /// Replacing a file by renaming another over it is allowed: the old file stays mapped. Finished
    /// tables are written under a temporary name, renamed, and never changed, so a directory that
    /// only such writers use meets the condition.
    ///
    /// A block is compared with its checksum once, so a later change leads to wrong answers until
    /// it is detected. The length and modification time of a file are compared with those at its
    /// opening whenever a block is read for the first time, at the end of every batch, and by
    /// [`Tablebase::check_unchanged`](crate::Tablebase::check_unchanged). Disk errors under a
    /// mapping raise SIGBUS as well; [`PositionedReads`](crate::PositionedReads) reports them as
    /// errors.
    pub unsafe fn new() -> Mapping {
        Mapping(())
    }
}

impl Access for Mapping {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Storage>> {
        let file = open_file(path)?;
        if file.metadata()?.len() == 0 {
            // An empty file cannot be mapped.
            return Ok(Box::new(Memory::from(Vec::new())));
        }
        let opened = Stamp::of(&file)?;
        // SAFETY: the caller of `Mapping::new` guarantees that nobody changes the file.
        let map = match unsafe { Mmap::map(&file) } {
            // The address space is too small for the whole file.
            Err(error) if is_resource(&error) => return Ok(Box::new(Positioned { file, opened })),
            mapped => mapped?,
        };
        platform::expect_random_access(&map)?;
        Ok(Box::new(Mapped { map, file, opened }))
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

    fn change(&self) -> Option<Change> {
        self.opened.change(&self.file)
    }
}
