//! Temporary directories of tables. Those of processes that were killed are removed later.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use tempfile::TempDir;

/// Prefix of the names of the directories.
const PREFIX: &str = "anser-solving-";

/// The file of a directory that its process locks. A free lock shows that the process has ended.
const LOCK: &str = ".anser-process.lock";

/// Number of attempts to make a directory: another process may remove it before it is locked.
const ATTEMPTS: usize = 3;

/// A directory that is removed when this is dropped; after a process that was killed, when another
/// one makes such a directory.
#[derive(Debug)]
pub(crate) struct TemporaryDir {
    // Removed before its lock is released.
    dir: TempDir,
    _lock: File,
}

impl TemporaryDir {
    pub(crate) fn new() -> io::Result<TemporaryDir> {
        TemporaryDir::inside(&std::env::temp_dir())
    }

    fn inside(parent: &Path) -> io::Result<TemporaryDir> {
        for _ in 0..ATTEMPTS {
            let dir = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
            let Ok(lock) = File::create(dir.path().join(LOCK)) else { continue };
            let is_taken = matches!(lock.try_lock(), Err(TryLockError::WouldBlock));
            if !is_taken && dir.path().join(LOCK).exists() {
                remove_left(parent, dir.path());
                return Ok(TemporaryDir { dir, _lock: lock });
            }
        }
        Err(io::Error::other("other processes remove it"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }
}

/// Removes the directories of processes that have ended and had the user of this one, who owns
/// `own`.
fn remove_left(parent: &Path, own: &Path) {
    let Ok(own) = fs::symlink_metadata(own) else { return };
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let is_named = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        if !is_named || !entry.metadata().is_ok_and(|found| found.is_dir() && is_same(&found, &own))
        {
            continue;
        }
        let lock = File::options().write(true).open(entry.path().join(LOCK));
        if let Ok(lock) = lock
            && lock.try_lock().is_ok()
        {
            // Directories that cannot be removed are left.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether two files have one owner.
#[cfg(unix)]
fn is_same(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    one.uid() == other.uid()
}

/// Elsewhere each user has a temporary directory.
#[cfg(not(unix))]
fn is_same(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_of_processes_that_have_ended_are_removed() {
        let parent = tempfile::tempdir().expect("a temporary directory");
        let make = |name: &str, has_lock: bool| {
            let dir = parent.path().join(name);
            fs::create_dir(&dir).expect("it is new");
            fs::write(dir.join("table"), "").expect("it is new");
            if has_lock {
                fs::write(dir.join(LOCK), "").expect("it is new");
            }
            dir
        };
        let left = make("anser-solving-left", true);
        let kept = [make("anser-solving-other", false), make("anser-other", true)];
        let held = TemporaryDir::inside(parent.path()).expect("there is room");
        assert!(!left.exists());
        // A directory in use stays.
        let other = TemporaryDir::inside(parent.path()).expect("there is room");
        assert!(kept.iter().all(|dir| dir.exists()) && held.path().exists());
        let paths = [held.path().to_owned(), other.path().to_owned()];
        drop((held, other));
        assert!(paths.iter().all(|path| !path.exists()));
    }
}
