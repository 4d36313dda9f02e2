//! Sequential writing of table files.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;

use anser_table::format::{CHECK_BLOCK, HEADER_LEN, Header, raw_check};

use crate::SolveError;
use crate::error::io_error;
use crate::io::files::check_len;

/// A table that is being written: the payload first, then the checks and the description of the
/// game, and last the header, which states that the table is complete.
pub(crate) struct TableWriter<'a> {
    file: BufWriter<&'a mut File>,
    /// Path of the file, for errors.
    path: &'a Path,
}

impl<'a> TableWriter<'a> {
    /// Begins a table in an empty file. `path` is for errors.
    pub(crate) fn new(file: &'a mut File, path: &'a Path) -> Result<TableWriter<'a>, SolveError> {
        let mut writer = TableWriter { file: BufWriter::with_capacity(1 << 20, file), path };
        writer.payload(&[0; HEADER_LEN])?;
        Ok(writer)
    }

    /// Appends to the payload.
    pub(crate) fn payload(&mut self, bytes: &[u8]) -> Result<(), SolveError> {
        self.file.write_all(bytes).map_err(io_error(self.path, "writing"))
    }

    /// Writes the checks, the text of the description, and the header of the complete table.
    pub(crate) fn finish(
        mut self,
        header: &Header,
        checks: &[u8],
        description: &str,
    ) -> Result<(), SolveError> {
        self.write_rest(header, checks, description).map_err(io_error(self.path, "writing"))?;
        check_len(self.file.get_ref(), self.path, header.layout().file_len())
    }

    fn write_rest(&mut self, header: &Header, checks: &[u8], description: &str) -> io::Result<()> {
        let layout = header.layout();
        self.file.write_all(&vec![0; (layout.checks.offset - layout.payload.end()) as usize])?;
        self.file.write_all(checks)?;
        self.file.write_all(description.as_bytes())?;
        self.file.rewind()?;
        self.file.write_all(&header.encode())?;
        self.file.flush()
    }
}

/// Checks of a raw payload that comes in pieces.
#[derive(Default)]
pub(crate) struct Checks {
    checks: Vec<u8>,
    /// The incomplete last block.
    rest: Vec<u8>,
}

impl Checks {
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        self.rest.extend(bytes);
        let whole = self.rest.len() - self.rest.len() % CHECK_BLOCK as usize;
        for block in self.rest[..whole].chunks(CHECK_BLOCK as usize) {
            self.checks.extend(raw_check(block).to_le_bytes());
        }
        self.rest.drain(..whole);
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        if !self.rest.is_empty() {
            self.checks.extend(raw_check(&self.rest).to_le_bytes());
        }
        self.checks
    }
}
