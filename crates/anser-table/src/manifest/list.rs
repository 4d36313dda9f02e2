//! Reads the lists of a directory: manifests, and `SHA256SUMS`.

use std::io::{self, Read};
use std::path::Path;

use crate::error::{Defect, TableError};
use crate::storage::open_file;

/// Length in bytes of the longest list that is read. Lists have some hundred bytes per table.
const LONGEST_LIST: u64 = 16 << 20;

/// Reads and parses a list of files, a regular file of bounded length; `None` if there is no such
/// file.
pub(super) fn read_list<T>(
    path: &Path,
    parse: impl Fn(&[u8]) -> Result<T, Defect>,
) -> Result<Option<T>, TableError> {
    let failed = |defect: Defect| TableError::new(path, defect);
    let file = match open_file(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error.into())),
    };
    let mut bytes = Vec::new();
    file.take(LONGEST_LIST + 1).read_to_end(&mut bytes).map_err(|error| failed(error.into()))?;
    if bytes.len() as u64 > LONGEST_LIST {
        let error = io::Error::new(io::ErrorKind::FileTooLarge, "too long for a list of files");
        return Err(failed(error.into()));
    }
    parse(&bytes).map(Some).map_err(failed)
}
