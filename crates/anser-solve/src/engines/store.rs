//! Memory of engines: in memory, or in mapped scratch files if memory does not suffice.
//!
//! Large arrays in memory are mapped as well, and the system is asked for huge pages: with small
//! pages, much of the time of allocating goes into the pages.
//!
//! A scratch file is created in the directory of the tables. Where the system permits, it is
//! unlinked at once, so nothing is left of it however the program ends; elsewhere its name tells
//! the next run to remove it. Its space is allocated at creation, so a full disk is an error then,
//! not a signal later. It is never synced. The system decides how much of it is in memory, and
//! writes it back and reads it again when memory is short.

use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::sync::atomic::AtomicU64;

use anser_retrograde::parallel;
use memmap2::{MmapMut, MmapOptions};
use tempfile::TempPath;

use crate::SolveError;
use crate::error::io_error;
use crate::io::files::{take_space, temporary_file};
use crate::system::platform;

/// Allocates words.
#[derive(Clone, Copy)]
pub(super) struct Store<'a> {
    /// Directory of the scratch files; `None` allocates in memory.
    pub(super) scratch: Option<&'a Path>,
}

/// Words in memory or in a scratch file; empty by default.
pub(super) struct Words(Storage);

enum Storage {
    Memory(Vec<u64>),
    Mapped(Mapped),
}

/// A mapping of at least one word, of memory or of a scratch file.
struct Mapped {
    map: MmapMut,
    /// Name of the scratch file, if it still has one. Dropped after the mapping, because some
    /// systems do not remove a mapped file.
    _name: Option<TempPath>,
}

impl Store<'static> {
    /// Allocates everything in memory.
    pub(super) const MEMORY: Store<'static> = Store { scratch: None };
}

impl Store<'_> {
    /// Allocates `len` words of zeros.
    pub(super) fn zeros(self, len: usize) -> Result<Words, SolveError> {
        let storage = match self.scratch {
            Some(dir) if len > 0 => Storage::Mapped(Mapped::scratch(dir, len)?),
            _ => Mapped::memory(len).map_or_else(|| Storage::Memory(vec![0; len]), Storage::Mapped),
        };
        Ok(Words(storage))
    }

    /// Allocates a copy of `words`.
    pub(super) fn copy(self, words: &[u64]) -> Result<Words, SolveError> {
        let mut copy = self.zeros(words.len())?;
        copy.copy_from_slice(words);
        Ok(copy)
    }

    /// Allocates copies of several arrays.
    pub(super) fn copies(self, arrays: &[Words]) -> Result<Vec<Words>, SolveError> {
        parallel::try_map(arrays, &|words| self.copy(words))
    }
}

impl Mapped {
    /// Maps memory of its own for a large array. `None` for small ones, and where the system does
    /// not permit it.
    fn memory(len: usize) -> Option<Mapped> {
        /// Four huge pages of most processors. Smaller arrays fit less well, and the heap has their
        /// pages at hand.
        const LARGE: usize = 8 << 20;
        let bytes = size_of::<u64>() * len;
        if bytes < LARGE {
            return None;
        }
        let map = MmapOptions::new().len(bytes).map_anon().ok()?;
        platform::advise_huge_pages(&map);
        Some(Mapped { map, _name: None })
    }

    fn scratch(dir: &Path, len: usize) -> Result<Mapped, SolveError> {
        let (file, name) = temporary_file(dir)
            .map_err(io_error(dir, "creating a scratch file in it"))?
            .into_parts();
        // If a file cannot be unlinked while open, it is removed when the mapping is dropped.
        let name = if platform::UNLINKS_OPEN_FILES {
            name.close().map_err(io_error(dir, "unlinking a scratch file in it"))?;
            None
        } else {
            Some(name)
        };
        let bytes = size_of::<u64>() * len;
        take_space(&file, bytes as u64)
            .map_err(io_error(dir, "allocating disk space for a scratch file in it"))?;
        // SAFETY: the file is new, and either it has no name, or its name reserves it and the
        // directory is locked. So nothing else writes to it or truncates it.
        let map = unsafe { MmapOptions::new().len(bytes).map_mut(&file) };
        Ok(Mapped { map: map.map_err(io_error(dir, "mapping a scratch file in it"))?, _name: name })
    }
}

impl Default for Words {
    fn default() -> Self {
        Words(Storage::Memory(Vec::new()))
    }
}

impl Deref for Words {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        match &self.0 {
            Storage::Memory(words) => words,
            // A mapping starts at a page, and its length is a multiple of a word.
            Storage::Mapped(Mapped { map, .. }) => bytemuck::cast_slice(map),
        }
    }
}

impl DerefMut for Words {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u64] {
        match &mut self.0 {
            Storage::Memory(words) => words,
            Storage::Mapped(Mapped { map, .. }) => bytemuck::cast_slice_mut(map),
        }
    }
}

/// Reborrows words as atomics, for threads that change the same words.
pub(super) fn shared(words: &mut [u64]) -> &[AtomicU64] {
    let (start, len) = (words.as_mut_ptr().cast::<AtomicU64>(), words.len());
    const { assert!(align_of::<AtomicU64>() == align_of::<u64>()) };
    // SAFETY: an atomic has the size of its word, any bits are valid, and the alignments are equal,
    // as asserted. The words are borrowed exclusively for the same lifetime.
    unsafe { std::slice::from_raw_parts(start, len) }
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use super::*;

    #[test]
    fn scratch_words_start_as_zeros_keep_writes_and_leave_no_file() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store { scratch: Some(dir.path()) };
        let mut words = store.zeros(100_000).unwrap();
        assert_eq!(words.len(), 100_000);
        assert!(words.iter().all(|&word| word == 0));
        words.iter_mut().zip(0..).for_each(|(word, at)| *word = at);
        let copy = store.copy(&words).unwrap();
        words.fill(7);
        assert!(copy.iter().copied().eq(0..100_000));
        if cfg!(unix) {
            assert_eq!(dir.path().read_dir().unwrap().count(), 0, "it has no name while in use");
        }
        drop((words, copy));
        assert_eq!(dir.path().read_dir().unwrap().count(), 0);
        assert!(store.zeros(0).unwrap().is_empty());
    }

    #[test]
    fn large_words_in_memory_start_as_zeros_and_keep_writes() {
        let len = (8 << 20) / size_of::<u64>() + 3;
        let mut words = Store::MEMORY.zeros(len).unwrap();
        assert!(cfg!(not(unix)) || matches!(words.0, Storage::Mapped(_)));
        assert_eq!(words.len(), len);
        assert!(words.iter().all(|&word| word == 0));
        words.iter_mut().zip(0..).for_each(|(word, at)| *word = at);
        let copy = Store::MEMORY.copy(&words).unwrap();
        words.fill(7);
        assert!(copy.iter().copied().eq(0..len as u64));
        assert!(matches!(Store::MEMORY.zeros(1).unwrap().0, Storage::Memory(_)));
    }

    #[test]
    fn a_missing_directory_and_a_file_too_large_are_errors_that_name_the_directory() {
        let dir = tempfile::tempdir().unwrap();
        let missing = dir.path().join("missing");
        let error = |dir: &Path, len| match (Store { scratch: Some(dir) }).zeros(len).err().unwrap()
        {
            SolveError::Io { path, action, source } => (path, action, source.kind()),
            error => panic!("{error}"),
        };
        let (path, _, kind) = error(&missing, 1);
        assert_eq!((path, kind), (missing, ErrorKind::NotFound));
        let (path, action, _) = error(dir.path(), 1 << 57);
        assert_eq!(path, dir.path());
        assert!(action.contains("disk space"), "{action}");
        assert_eq!(dir.path().read_dir().unwrap().count(), 0);
    }
}
