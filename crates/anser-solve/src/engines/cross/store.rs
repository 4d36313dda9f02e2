//! Where fields are kept: in memory, or in scratch files where the memory does not suffice.
//!
//! A scratch file is made in the directory of the tables and mapped. Where the system lets files go on without a name, it
//! loses its name before anything else is done with it, so that nothing is left of it however the program ends; elsewhere it
//! has a name that the next run knows and removes. Its space is taken when it is made: a full disk is an error then, and no
//! signal later. It is never synced. What of it is in memory at a time is up to the system, which writes it back and reads it
//! again as memory is short.

use std::ops::{Deref, DerefMut};
use std::path::Path;

use memmap2::{MmapMut, MmapOptions};
use rayon::prelude::*;
use tempfile::TempPath;

use crate::SolveError;
use crate::error::io_error;
use crate::io::files::{take_space, temporary_file};

/// Hands out room for fields.
#[derive(Clone, Copy)]
pub(super) struct Store<'a> {
    /// Where scratch files are made; `None` to keep everything in memory.
    pub(super) scratch: Option<&'a Path>,
}

/// Words in memory or in a scratch file; without any to begin with.
pub(super) struct Words(Kept);

enum Kept {
    Memory(Vec<u64>),
    Mapped(Mapped),
}

/// A mapping of at least one word.
struct Mapped {
    map: MmapMut,
    /// The name of the scratch file, if it still has it. Dropped after the mapping: there are systems that keep what is mapped.
    _name: Option<TempPath>,
}

impl Store<'static> {
    /// Everything in memory.
    pub(super) const MEMORY: Store<'static> = Store { scratch: None };
}

impl Store<'_> {
    /// So many zeros.
    pub(super) fn zeros(self, len: usize) -> Result<Words, SolveError> {
        let kept = match self.scratch {
            Some(dir) if len > 0 => Kept::Mapped(Mapped::scratch(dir, len)?),
            _ => Kept::Memory(vec![0; len]),
        };
        Ok(Words(kept))
    }

    /// A copy of words.
    pub(super) fn copy(self, words: &[u64]) -> Result<Words, SolveError> {
        let mut copy = self.zeros(words.len())?;
        copy.copy_from_slice(words);
        Ok(copy)
    }

    /// Copies of several fields.
    pub(super) fn copies(self, fields: &[Words]) -> Result<Vec<Words>, SolveError> {
        fields.par_iter().map(|field| self.copy(field)).collect()
    }
}

impl Mapped {
    fn scratch(dir: &Path, len: usize) -> Result<Mapped, SolveError> {
        let (file, name) = temporary_file(dir).map_err(io_error(dir, "creating a scratch file in it"))?.into_parts();
        // Where a file can not go on without a name, it goes with the last use of it.
        let name = if cfg!(unix) {
            name.close().map_err(io_error(dir, "taking the name of a scratch file in it"))?;
            None
        } else {
            Some(name)
        };
        let bytes = size_of::<u64>() * len;
        take_space(&file, bytes as u64).map_err(io_error(dir, "taking disk space for a scratch file in it"))?;
        // SAFETY: the file is new and nobody else knows it, or its name says whose it is and the directory is locked: nobody
        // writes to it otherwise or cuts it off.
        let map = unsafe { MmapOptions::new().len(bytes).map_mut(&file) };
        Ok(Mapped { map: map.map_err(io_error(dir, "mapping a scratch file in it"))?, _name: name })
    }
}

impl Default for Words {
    fn default() -> Self {
        Words(Kept::Memory(Vec::new()))
    }
}

impl Deref for Words {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        match &self.0 {
            Kept::Memory(words) => words,
            Kept::Mapped(Mapped { map, .. }) => {
                // SAFETY: a mapping begins at a page, so it is aligned; its length is that of whole words, any bits are a
                // valid word, and it lives and is borrowed as long as `self`.
                unsafe { std::slice::from_raw_parts(map.as_ptr().cast(), map.len() / size_of::<u64>()) }
            }
        }
    }
}

impl DerefMut for Words {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u64] {
        match &mut self.0 {
            Kept::Memory(words) => words,
            Kept::Mapped(Mapped { map, .. }) => {
                let len = map.len() / size_of::<u64>();
                // SAFETY: as above, and `self` is borrowed exclusively.
                unsafe { std::slice::from_raw_parts_mut(map.as_mut_ptr().cast(), len) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scratch_begins_as_zeros_keeps_what_is_written_and_leaves_nothing_behind() {
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
            assert_eq!(dir.path().read_dir().unwrap().count(), 0, "it has no name while it is in use");
        }
        drop((words, copy));
        assert_eq!(dir.path().read_dir().unwrap().count(), 0);
        assert!(store.zeros(0).unwrap().is_empty());
    }

    #[test]
    fn a_directory_that_is_not_there_and_a_file_too_large_are_errors_that_name_the_place() {
        let dir = tempfile::tempdir().unwrap();
        let missing = dir.path().join("missing");
        let error = |dir: &Path, len| Store { scratch: Some(dir) }.zeros(len).err().unwrap().to_string();
        let text = error(&missing, 1);
        assert!(text.contains(&missing.display().to_string()) && text.contains("check the path"), "{text}");
        let text = error(dir.path(), 1 << 57);
        assert!(text.contains(&dir.path().display().to_string()) && text.contains("disk space"), "{text}");
        assert_eq!(dir.path().read_dir().unwrap().count(), 0);
    }
}
