//! Checks of a whole file: parts, the other regions, and the digest.

use anser_core::Side;

use super::{Payload, Table};
use crate::error::{Damage, Defect, TableError};
use crate::format::{BlockId, ENTRIES_PER_PAIR, RawPayload, Region};

impl Table {
    /// Returns the number of parts for [`verify_part`](Table::verify_part).
    pub fn parts(&self) -> u64 {
        match self.header().packing() {
            None => RawPayload::blocks(self.header()),
            Some(packing) => packing.blocks(self.header().entries()).into_array().iter().sum(),
        }
    }

    /// Reads part number `part < self.parts()` of the payload and checks its checksum, and that
    /// every code in it is a value. Parts can be checked in any order and by several threads.
    ///
    /// # Errors
    /// If the part cannot be read, or is damaged.
    pub fn verify_part(&self, part: u64) -> Result<(), TableError> {
        let verified = match &self.payload {
            Payload::Raw(raw) => raw.verify(&self.file, part),
            Payload::Packed(_) => self.packing().and_then(|packing| {
                let first = packing.blocks(self.header().entries())[Side::First];
                let block = match part.checked_sub(first) {
                    None => BlockId { side: Side::First, number: part },
                    Some(number) => BlockId { side: Side::Second, number },
                };
                self.decode(block).map(drop)
            }),
        };
        verified.map_err(|defect| self.error(defect))
    }

    /// Reads the whole file and checks everything that does not depend on the game: all
    /// [parts](Table::verify_part), the zeros between the regions, the description if the game has
    /// one, and in a raw table the digest of the payload.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or was changed.
    pub fn verify(&self) -> Result<(), TableError> {
        (0..self.parts()).try_for_each(|part| self.verify_part(part))?;
        self.verify_rest()
    }

    /// Checks everything that [`verify`](Table::verify) checks except the parts.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or was changed.
    pub fn verify_rest(&self) -> Result<(), TableError> {
        self.check_rest().map_err(|defect| self.error(defect))?;
        self.check_unchanged()
    }

    /// Checks that the file has not changed since it was opened, as far as its length and
    /// modification time show.
    ///
    /// Values that were read from a mapped file are reliable only if this succeeds afterwards.
    /// Values from [`PositionedReads`](crate::PositionedReads) are checked in any case.
    ///
    /// # Errors
    /// [`Defect::Changed`].
    pub fn check_unchanged(&self) -> Result<(), TableError> {
        match self.file.storage.change() {
            None => Ok(()),
            Some(change) => Err(TableError::new(&self.path, Defect::Changed(change))),
        }
    }

    fn check_rest(&self) -> Result<(), Defect> {
        let layout = self.header().layout();
        let gap = Region {
            offset: layout.payload.end(),
            len: layout.checks.offset - layout.payload.end(),
        };
        if self.file.read(gap)?.iter().any(|&byte| byte != 0) {
            return Err(Defect::Damaged(Damage::Gap(gap)));
        }
        match &self.payload {
            Payload::Packed(payload) => {
                payload.load(&self.file, self.packing()?)?;
            }
            Payload::Raw(raw) => {
                // Sound checks vouch for the length of the payload.
                raw.load(&self.file)?;
                self.verify_raw()?;
            }
        }
        if layout.description.len > 0 {
            self.read_hunt().map(drop)
        } else {
            self.read_description().map(drop)
        }
    }

    /// Checks that the padding of each side is zero and that the payload matches its digest.
    fn verify_raw(&self) -> Result<(), Defect> {
        for side in Side::BOTH {
            let entries = self.header().entries()[side];
            let used = entries % ENTRIES_PER_PAIR;
            if used > 0 {
                let mut group = vec![0; self.header().bits() as usize];
                self.copy_groups(side, entries / ENTRIES_PER_PAIR, &mut group)?;
                if group.iter().any(|word| word >> used != 0) {
                    return Err(Defect::Damaged(Damage::Padding));
                }
            }
        }
        let mut hasher = blake3::Hasher::new();
        self.file.visit(self.header().layout().payload, |bytes| {
            hasher.update(bytes);
        })?;
        if hasher.finalize() != *self.header().payload_digest() {
            return Err(Defect::Damaged(Damage::Digest));
        }
        Ok(())
    }
}
