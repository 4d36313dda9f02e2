//! A locked directory for programs that get finished tables from elsewhere.

use std::fs::File;
use std::path::{Path, PathBuf};

use anser_table::TableName;
use anser_table::manifest::ManifestEntry;

use crate::SolveError;
use crate::error::io_error;
use crate::io::files::{
    Lock, check_len, check_lock, create_dir, regular_file, remove_leftovers, sync_dir, take_space,
};
use crate::io::manifest::add_entry;
use crate::system::platform;

/// A directory of tables that this process has locked, for programs that get finished tables from
/// elsewhere. [`solve`](crate::solve), [`pack`](crate::pack), and [`unpack`](crate::unpack) lock
/// the same directories.
///
/// A table is collected in an [unfinished file](LockedDir::open_unfinished) and appears under its
/// name when it is complete.
///
/// ```
/// use anser_solve::LockedDir;
///
/// let dir = std::env::temp_dir().join(format!("anser-locked-{}", std::process::id()));
/// let locked = LockedDir::lock(&dir)?;
/// assert!(LockedDir::lock(&dir).is_err());
/// drop(locked);
/// LockedDir::lock(&dir)?;
/// # std::fs::remove_dir_all(&dir).unwrap();
/// # Ok::<(), anser_solve::SolveError>(())
/// ```
#[derive(Debug)]
pub struct LockedDir {
    dir: PathBuf,
    _lock: Lock,
}

impl LockedDir {
    /// Creates a directory, if it is missing, and locks it until this value is dropped. Removes the
    /// temporary files that killed runs left there.
    ///
    /// # Errors
    /// [`SolveError::Locked`] if another process has locked it, and errors of the system.
    pub fn lock(dir: impl Into<PathBuf>) -> Result<LockedDir, SolveError> {
        let dir = dir.into();
        create_dir(&dir)?;
        let lock = Lock::take(&dir)?;
        remove_leftovers(&dir)?;
        Ok(LockedDir { dir, _lock: lock })
    }

    /// Returns the path of the directory.
    pub fn path(&self) -> &Path {
        &self.dir
    }

    /// Returns the path of an unfinished table in a directory. `version` distinguishes tables of
    /// one name, so that only the same content is resumed.
    ///
    /// The name is hidden, and not that of a table. Runs of [`solve`](crate::solve),
    /// [`pack`](crate::pack), and [`unpack`](crate::unpack) keep such files.
    pub fn unfinished(dir: &Path, table: &TableName, version: u64) -> PathBuf {
        dir.join(format!("{}{version:016x}{}", prefix(table), TableName::PART_SUFFIX))
    }

    /// Removes the unfinished tables of a name that have another version.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn remove_other_versions(&self, table: &TableName, version: u64) -> Result<(), SolveError> {
        let (prefix, kept) = (prefix(table), LockedDir::unfinished(&self.dir, table, version));
        let failed = || io_error(&self.dir, "listing");
        for entry in std::fs::read_dir(&self.dir).map_err(failed())? {
            let path = entry.map_err(failed())?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let is_version = name.starts_with(&prefix) && name.ends_with(TableName::PART_SUFFIX);
            if is_version && path != kept {
                std::fs::remove_file(&path).map_err(io_error(&path, "removing"))?;
            }
        }
        Ok(())
    }

    /// Opens an unfinished table for reading and writing; creates it if it is missing. If `len` is
    /// given, disk space is allocated until the file has this length in bytes.
    ///
    /// # Errors
    /// [`SolveError::Foreign`] if the path is not that of a regular file, and errors of the system.
    pub fn open_unfinished(&self, path: &Path, len: Option<u64>) -> Result<File, SolveError> {
        regular_file(path)?;
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path).map_err(io_error(path, "opening"))?;
        if let Some(len) = len {
            let found = file.metadata().map_err(io_error(path, "reading its length"))?.len();
            if found != len {
                let taken = file.set_len(0).and_then(|()| take_space(&file, len));
                let taken = taken.and_then(|()| file.set_len(len));
                taken.map_err(io_error(path, "allocating disk space for the table"))?;
            }
        }
        Ok(file)
    }

    /// Gives a complete and verified file the name of its table once it is on the disk, and adds
    /// `entry` to the manifest of the game and rule set. An existing table is replaced.
    ///
    /// # Errors
    /// If the file does not have the length of `entry`, the lock was lost, or the manifest is not
    /// one of the game and rule set; errors of the system.
    pub fn place(
        &self,
        unfinished: &Path,
        set: (&str, &str),
        table: &TableName,
        entry: ManifestEntry,
    ) -> Result<(), SolveError> {
        let path = self.dir.join(table.to_string());
        let file = File::options()
            .read(true)
            .write(true)
            .open(unfinished)
            .map_err(io_error(unfinished, "opening"))?;
        check_len(&file, unfinished, entry.file.bytes)?;
        file.sync_all().map_err(io_error(unfinished, "syncing"))?;
        platform::make_readable(&file).map_err(io_error(unfinished, "setting permissions"))?;
        drop(file);
        check_lock(&self.dir)?;
        std::fs::rename(unfinished, &path).map_err(io_error(&path, "putting it in place"))?;
        sync_dir(&self.dir)?;
        self.record(set, table, entry)
    }

    /// Adds the entry of a table of this directory to the manifest of the game and rule set, or
    /// replaces it.
    ///
    /// # Errors
    /// Those of [`LockedDir::place`] about the manifest.
    pub fn record(
        &self,
        set: (&str, &str),
        table: &TableName,
        entry: ManifestEntry,
    ) -> Result<(), SolveError> {
        add_entry(set, &self.dir, table, entry)
    }
}

/// Returns how the names of unfinished tables begin.
fn prefix(table: &TableName) -> String {
    format!(".fetch-{table}.")
}
