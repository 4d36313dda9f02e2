//! Reads the lists of a directory: manifests, and `SHA256SUMS`.

use std::io::{self, Read};
use std::path::Path;

use crate::error::TableError;
use crate::storage::open_file;

/// Length in bytes of the longest list that is read. Lists have some hundred bytes per table.
const LONGEST_LIST: u64 = 16 << 20;

/// Reads a list of files, a regular file of bounded length; `None` if there is no such file.
pub(super) fn read_list(path: &Path) -> Result<Option<Vec<u8>>, TableError> {
    let file = match open_file(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(TableError::new(path, error)),
    };
    let mut bytes = Vec::new();
    file.take(LONGEST_LIST + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| TableError::new(path, error))?;
    if bytes.len() as u64 > LONGEST_LIST {
        return Err(TableError::new(
            path,
            io::Error::new(io::ErrorKind::FileTooLarge, "too long for a list of files"),
        ));
    }
    Ok(Some(bytes))
}
