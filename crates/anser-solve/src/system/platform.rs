//! Differences between operating systems. No module outside of `system` names one.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::{MmapMut, MmapRaw};

/// Whether an open file can be removed, and its content used until it is closed.
pub(crate) const UNLINKS_OPEN_FILES: bool = cfg!(unix);

/// Whether a mapped file can be renamed and keeps its modification time.
pub(crate) const RENAMES_MAPPED_FILES: bool = cfg!(target_os = "linux");

/// Whether a mapping shows what [`write_all_at`] writes to its file.
pub(crate) const IS_COHERENT: bool = cfg!(unix);

/// Opens a directory as a file. Returns `None` on systems other than Unix, which cannot.
pub(crate) fn open_dir(dir: &Path) -> io::Result<Option<File>> {
    if cfg!(unix) { File::open(dir).map(Some) } else { Ok(None) }
}

/// Makes created, renamed, and removed files in `dir` survive a loss of power, where directories
/// open as files.
pub(crate) fn sync_dir(dir: &Path) -> io::Result<()> {
    open_dir(dir)?.map_or(Ok(()), |file| file.sync_all())
}

/// Writes bytes at an offset, beside other threads that write elsewhere in the file.
///
/// # Errors
/// Those of the system; [`io::ErrorKind::Unsupported`] unless [`IS_COHERENT`].
pub(crate) fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::write_all_at(file, bytes, offset);
    #[cfg(not(unix))]
    {
        let _ = (file, bytes, offset);
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Lets all users read a file. Temporary files are private, tables are not.
pub(crate) fn make_readable(file: &File) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

/// Returns whether a path leads to an open file. Systems other than Unix do not delete or replace
/// open files.
pub(crate) fn same_file(file: &File, path: &Path) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let open = file.metadata()?;
        match std::fs::metadata(path) {
            Ok(found) => Ok((found.dev(), found.ino()) == (open.dev(), open.ino())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }
    #[cfg(not(unix))]
    {
        let _ = (file, path);
        Ok(true)
    }
}

/// Asks for huge pages. Without them everything works as well.
pub(crate) fn advise_huge_pages(map: &MmapMut) {
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::HugePage);
    #[cfg(not(target_os = "linux"))]
    let _ = map;
}

/// Releases the memory of a shared mapping of a file. Advice may be refused; then the memory is
/// kept.
pub(crate) fn release_pages(map: &MmapRaw) {
    #[cfg(unix)]
    // SAFETY: the mapping is shared and of a file, so the next access reads the stored words.
    let _ = unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
    #[cfg(not(unix))]
    let _ = map;
}
