//! Files that appear complete or not at all, and the lock of a directory.

use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use fs4::FileExt;
use tempfile::NamedTempFile;

use crate::SolveError;
use crate::error::io_error;

/// Creates the directory and its parents where they are missing.
pub(crate) fn create_dir(dir: &Path) -> Result<(), SolveError> {
    std::fs::create_dir_all(dir).map_err(io_error(dir, "creating the directory"))
}

/// Makes what was created, renamed or removed in `dir` survive a loss of power.
pub(crate) fn sync_dir(dir: &Path) -> Result<(), SolveError> {
    // Directories can be opened as files on Unix only; elsewhere renaming is as durable as it gets.
    if cfg!(unix) {
        let file = File::open(dir).map_err(io_error(dir, "opening the directory"))?;
        file.sync_all().map_err(io_error(dir, "syncing the directory"))?;
    }
    Ok(())
}

/// Writes a file under a temporary name beside `path`, syncs it and gives it its name.
pub(crate) fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), SolveError> {
    let mut writer = AtomicFile::create(path)?;
    writer.file().write_all(bytes).map_err(io_error(path, "writing"))?;
    writer.commit()
}

/// How names of files begin that have not got their own yet.
const TEMPORARY: &str = ".anser-";

/// Removes the temporary files that killed runs left in `dir`, which is locked.
pub(crate) fn remove_leftovers(dir: &Path) -> Result<(), SolveError> {
    for entry in std::fs::read_dir(dir).map_err(io_error(dir, "listing"))? {
        let entry = entry.map_err(io_error(dir, "listing"))?;
        let name = entry.file_name();
        let is_leftover = |name: &str| name.starts_with(TEMPORARY) && name.ends_with(anser_table::PART_SUFFIX);
        if name.to_str().is_some_and(is_leftover) {
            std::fs::remove_file(entry.path()).map_err(io_error(&entry.path(), "removing"))?;
        }
    }
    Ok(())
}

/// A file in `dir` with a name that [`remove_leftovers`] knows; removed when it is dropped.
pub(crate) fn temporary_file(dir: &Path) -> std::io::Result<NamedTempFile> {
    tempfile::Builder::new().prefix(TEMPORARY).suffix(anser_table::PART_SUFFIX).tempfile_in(dir)
}

/// Takes the space of a file on the disk now: a full disk is an error here; later it would be a signal in the middle of a
/// store into the mapped file.
pub(crate) fn take_space(file: &File, len: u64) -> std::io::Result<()> {
    match FileExt::allocate(file, len) {
        Err(error) if matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::InvalidInput) => {
            // Not every file system can; writing zeros takes the space as well.
            let zeros = vec![0; 1 << 20];
            let (mut file, mut left) = (file, len);
            file.seek(SeekFrom::Start(0))?;
            while left > 0 {
                let some = left.min(zeros.len() as u64);
                file.write_all(&zeros[..some as usize])?;
                left -= some;
            }
            file.sync_all()
        }
        taken => taken,
    }
}

/// A file that gets its name only when it is committed; dropped before that, it is removed.
pub(crate) struct AtomicFile {
    path: PathBuf,
    file: NamedTempFile,
}

impl AtomicFile {
    pub(crate) fn create(path: &Path) -> Result<AtomicFile, SolveError> {
        let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = temporary_file(dir).map_err(io_error(path, "creating a temporary file beside it"))?;
        Ok(AtomicFile { path: path.to_owned(), file })
    }

    pub(crate) fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Syncs the file and puts it in place.
    pub(crate) fn commit(self) -> Result<(), SolveError> {
        let path = self.path;
        self.file.as_file().sync_all().map_err(io_error(&path, "syncing"))?;
        make_readable(self.file.as_file()).map_err(io_error(&path, "setting permissions"))?;
        self.file.persist(&path).map_err(|error| io_error(&path, "putting it in place")(error.error))?;
        sync_dir(path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new(".")))
    }
}

/// Temporary files are private; what is shipped is for everyone.
fn make_readable(file: &File) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

/// Keeps other solvers out of a directory as long as it lives. The system drops it when the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct Lock(#[expect(dead_code, reason = "the lock is the open file")] File);

impl Lock {
    pub(crate) fn take(dir: &Path) -> Result<Lock, SolveError> {
        let path = dir.join(".anser.lock");
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(io_error(&path, "opening the lock"))?;
        match file.try_lock() {
            Ok(()) => Ok(Lock(file)),
            Err(TryLockError::WouldBlock) => Err(SolveError::Locked { path }),
            Err(TryLockError::Error(error)) => Err(io_error(&path, "locking")(error)),
        }
    }
}
