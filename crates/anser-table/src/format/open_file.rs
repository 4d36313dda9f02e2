//! An open file: its header and its bytes.

use std::io;

use xxhash_rust::xxh3::Xxh3Default;

use super::header::Header;
use super::places::Region;
use super::words::words_of;
use crate::error::{Damage, Defect, Shortage, reserve};
use crate::storage::Storage;

/// The header and the bytes of an open file.
#[derive(Debug)]
pub(crate) struct OpenFile {
    pub(crate) header: Header,
    pub(crate) storage: Box<dyn Storage>,
}

impl OpenFile {
    /// Copies the bytes of a region: the bytes that are compared with a checksum must be the bytes
    /// that are used, even if the file changes meanwhile.
    pub(crate) fn read(&self, region: Region) -> Result<Vec<u8>, Defect> {
        if region.offset.checked_add(region.len).is_none_or(|end| end > self.storage.len()) {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        let mut bytes = reserve(region.len, "a part of the file")?;
        bytes.resize(region.len as usize, 0);
        self.storage.read_exact_at(region.offset, &mut bytes)?;
        Ok(bytes)
    }

    /// Reads a long region and visits its bytes in pieces, in their order.
    pub(crate) fn visit(&self, region: Region, mut visit: impl FnMut(&[u8])) -> Result<(), Defect> {
        /// Number of bytes that are read at a time.
        const CHUNK: u64 = 1 << 20;
        for offset in (0..region.len).step_by(CHUNK as usize) {
            let len = CHUNK.min(region.len - offset);
            visit(&self.read(Region { offset: region.offset + offset, len })?);
        }
        Ok(())
    }

    /// Reads the checks region as words and compares it with its checksum in the header.
    pub(crate) fn read_checks(&self) -> Result<Box<[u64]>, Defect> {
        /// Length in bytes of the longest region that is held in memory: that of a raw table of
        /// 2 TiB. With overcommitted memory, reserving more would succeed and filling it would not.
        const LONGEST: u64 = 1 << 30;
        let region = self.header.layout().checks;
        if region.len > LONGEST {
            return Err(Defect::Resources(Shortage::Memory {
                what: "the list of checks",
                bytes: region.len,
            }));
        }
        let mut words = reserve(region.len / 8, "the list of checks")?;
        let mut hasher = Xxh3Default::new();
        self.visit(region, |bytes| {
            hasher.update(bytes);
            words.extend(words_of(bytes));
        })?;
        if hasher.digest() != self.header.checks_hash() {
            return Err(Defect::Damaged(Damage::Checks(region)));
        }
        Ok(words.into())
    }
}
