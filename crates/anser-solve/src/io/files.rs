//! Atomic creation of files, and locks of directories.

use std::fs::{File, Metadata, TryLockError};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anser_retrograde::parallel::lock;
use fs4::FileExt;
use tempfile::NamedTempFile;

use crate::SolveError;
use crate::error::io_error;
use crate::system::platform;

/// Creates a directory and its parents if they are missing.
pub(crate) fn create_dir(dir: &Path) -> Result<(), SolveError> {
    std::fs::create_dir_all(dir).map_err(io_error(dir, "creating the directory"))
}

/// Makes created, renamed, and removed files in `dir` survive a loss of power.
pub(crate) fn sync_dir(dir: &Path) -> Result<(), SolveError> {
    platform::sync_dir(dir).map_err(io_error(dir, "syncing the directory"))
}

/// Writes a file under a temporary name beside `path`, syncs it, and renames it.
pub(crate) fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), SolveError> {
    let mut writer = AtomicFile::create(path)?;
    writer.file().write_all(bytes).map_err(io_error(path, "writing"))?;
    writer.commit()
}

/// Prefix of the names of temporary files.
const TEMPORARY: &str = ".anser-";

/// Removes the temporary files that killed runs left in `dir`, which is locked.
pub(crate) fn remove_leftovers(dir: &Path) -> Result<(), SolveError> {
    for entry in std::fs::read_dir(dir).map_err(io_error(dir, "listing"))? {
        let entry = entry.map_err(io_error(dir, "listing"))?;
        let name = entry.file_name();
        let is_leftover = |name: &str| {
            name.starts_with(TEMPORARY) && name.ends_with(anser_table::TableName::PART_SUFFIX)
        };
        if name.to_str().is_some_and(is_leftover) {
            std::fs::remove_file(entry.path()).map_err(io_error(&entry.path(), "removing"))?;
        }
    }
    Ok(())
}

/// Creates a temporary file in `dir`. Drop removes it; after a kill, [`remove_leftovers`] does.
pub(crate) fn temporary_file(dir: &Path) -> std::io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(TEMPORARY)
        .suffix(anser_table::TableName::PART_SUFFIX)
        .tempfile_in(dir)
}

/// Allocates the disk space of a file, so that a full disk is an error here and not a signal on a
/// later store to the mapped file.
pub(crate) fn take_space(file: &File, len: u64) -> std::io::Result<()> {
    match FileExt::allocate(file, len) {
        Err(error) if matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::InvalidInput) => {
            // Some file systems cannot. Writing zeros allocates the space as well.
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

/// A file that appears under its name when it is committed. Drop removes it before that.
#[derive(Debug)]
pub(crate) struct AtomicFile {
    path: PathBuf,
    file: NamedTempFile,
}

impl AtomicFile {
    pub(crate) fn create(path: &Path) -> Result<AtomicFile, SolveError> {
        let file = temporary_file(parent_of(path))
            .map_err(io_error(path, "creating a temporary file beside it"))?;
        Ok(AtomicFile { path: path.to_owned(), file })
    }

    pub(crate) fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Writes bytes at an offset, beside other threads that write elsewhere in the file.
    pub(crate) fn write_all_at(&self, bytes: &[u8], offset: u64) -> Result<(), SolveError> {
        platform::write_all_at(self.file.as_file(), bytes, offset)
            .map_err(io_error(&self.path, "writing"))
    }

    /// Returns the path of the file before it is committed.
    pub(crate) fn temporary_path(&self) -> &Path {
        self.file.path()
    }

    /// Syncs the file and renames it. Fails if the lock of the directory was lost.
    pub(crate) fn commit(self) -> Result<(), SolveError> {
        let path = self.path;
        let dir = parent_of(&path).to_owned();
        self.file.as_file().sync_all().map_err(io_error(&path, "syncing"))?;
        platform::make_readable(self.file.as_file())
            .map_err(io_error(&path, "setting permissions"))?;
        check_lock(&dir)?;
        self.file
            .persist(&path)
            .map_err(|error| io_error(&path, "putting it in place")(error.error))?;
        sync_dir(&dir)
    }
}

/// Returns the directory of a file.
fn parent_of(path: &Path) -> &Path {
    path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Name of the lock file. It also shows other programs that the directory is in use.
const LOCK: &str = ".anser.lock";

/// Lock of a directory against other solvers and packers. The system releases it when the process
/// ends, also after a kill.
///
/// It locks the directory itself, because a lock file can be deleted or replaced, and the lock
/// file, for systems that cannot lock directories. [`check_lock`] detects that the directory was
/// replaced, or the lock file if the directory is not locked.
#[derive(Debug)]
pub(crate) struct Lock {
    dir: PathBuf,
}

/// The locked files of a directory.
struct Held {
    dir: PathBuf,
    /// The directory, if the system can lock it.
    dir_file: Option<File>,
    lock_file: File,
}

/// The locks of this process. Functions that rename files look up the directory here, so that none
/// of them skips the check.
static HELD: Mutex<Vec<Held>> = Mutex::new(Vec::new());

impl Lock {
    pub(crate) fn take(dir: &Path) -> Result<Lock, SolveError> {
        let path = dir.join(LOCK);
        let locked = |file: &File| match file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Err(SolveError::Locked { path: path.clone() }),
            Err(TryLockError::Error(_)) => Ok(false),
        };
        let dir_file = platform::open_dir(dir).map_err(io_error(dir, "opening the directory"))?;
        let dir_file = match dir_file {
            Some(file) if locked(&file)? => Some(file),
            _ => None,
        };
        let lock_file = open_lock(&path)?;
        match lock_file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(SolveError::Locked { path }),
            // The lock of the directory suffices.
            Err(TryLockError::Error(_)) if dir_file.is_some() => {}
            Err(TryLockError::Error(error)) => return Err(io_error(&path, "locking")(error)),
        }
        lock(&HELD).push(Held { dir: dir.to_owned(), dir_file, lock_file });
        let lock = Lock { dir: dir.to_owned() };
        // The file may have been replaced after it was opened.
        check_lock(dir)?;
        Ok(lock)
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let mut held = lock(&HELD);
        if let Some(place) = held.iter().position(|held| held.dir == self.dir) {
            held.swap_remove(place);
        }
    }
}

/// Returns what the system says of a file; `None` if there is none. Fails if it is not a regular
/// file: a symbolic link could lead to any file, and opening a pipe would block.
pub(crate) fn regular_file(path: &Path) -> Result<Option<Metadata>, SolveError> {
    match std::fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => Ok(Some(found)),
        Ok(_) => Err(SolveError::Foreign { path: path.to_owned() }),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io_error(path, "looking at it")(error)),
    }
}

/// Opens the lock file.
fn open_lock(path: &Path) -> Result<File, SolveError> {
    regular_file(path)?;
    File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .map_err(io_error(path, "opening the lock"))
}

/// Fails if the lock of this process on `dir` was lost: the directory was replaced, or the lock
/// file was and the directory is not locked. Called before a file in `dir` is renamed.
pub(crate) fn check_lock(dir: &Path) -> Result<(), SolveError> {
    let held = lock(&HELD);
    let Some(held) = held.iter().find(|held| held.dir == dir) else { return Ok(()) };
    let lost = || SolveError::LockLost { dir: dir.to_owned() };
    let is_same = match &held.dir_file {
        Some(file) => platform::same_file(file, dir),
        None => platform::same_file(&held.lock_file, &dir.join(LOCK)),
    };
    if is_same.map_err(io_error(dir, "comparing the lock"))? { Ok(()) } else { Err(lost()) }
}

/// Fails if a finished file does not have its length. Called before the file gets its name.
pub(crate) fn check_len(file: &File, path: &Path, expected: u64) -> Result<(), SolveError> {
    let action = "checking the length of the finished file";
    let len = file.metadata().map_err(io_error(path, action))?.len();
    if len == expected {
        return Ok(());
    }
    let problem =
        format!("it has {len} bytes instead of {expected}, so another program changes it");
    Err(io_error(path, action)(std::io::Error::new(ErrorKind::InvalidData, problem)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_lock_outlives_its_file_and_a_replaced_directory_is_noticed() {
        let root = tempfile::tempdir().expect("a directory");
        let dir = root.path().join("tables");
        create_dir(&dir).expect("it can be made");
        let lock = Lock::take(&dir).expect("it is free");
        std::fs::remove_file(dir.join(LOCK)).expect("the lock file is there");
        assert!(matches!(Lock::take(&dir), Err(SolveError::Locked { .. })));
        check_lock(&dir).expect("the directory is still locked");
        write_atomically(&dir.join("a"), b"a").expect("files can be written");
        // Another directory with the same name.
        std::fs::rename(&dir, root.path().join("moved")).expect("it can be moved");
        create_dir(&dir).expect("it can be made");
        assert!(matches!(check_lock(&dir), Err(SolveError::LockLost { .. })));
        assert!(matches!(write_atomically(&dir.join("b"), b"b"), Err(SolveError::LockLost { .. })));
        assert!(!dir.join("b").exists());
        drop(lock);
        drop(Lock::take(&dir).expect("it is free"));
        drop(Lock::take(&root.path().join("moved")).expect("it is free again"));
    }

    #[test]
    #[cfg(unix)]
    fn where_directories_cannot_be_locked_the_lock_file_is_compared() {
        let root = tempfile::tempdir().expect("a directory");
        let dir = root.path();
        let _lock = Lock::take(dir).expect("it is free");
        for held in lock(&HELD).iter_mut().filter(|held| held.dir == dir) {
            held.dir_file = None;
        }
        check_lock(dir).expect("the file is there");
        std::fs::remove_file(dir.join(LOCK)).expect("the lock file is there");
        assert!(matches!(check_lock(dir), Err(SolveError::LockLost { .. })));
        std::fs::write(dir.join(LOCK), "").expect("another can be made");
        assert!(matches!(check_lock(dir), Err(SolveError::LockLost { .. })));
    }
}
