//! Differences between operating systems. No other module of this crate names one.

use std::fs::File;
use std::io;

/// Fills `buffer` with the bytes from `offset` on, beside other threads that read the file.
#[cfg(unix)]
pub(super) fn read_exact_at(file: &File, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

/// Fills `buffer` with the bytes from `offset` on, beside other threads that read the file.
#[cfg(windows)]
pub(super) fn read_exact_at(file: &File, mut offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
    while !buffer.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, buffer, offset) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                buffer = &mut buffer[count..];
                offset += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Whether too many files are open in this process, or in all.
pub(crate) fn is_too_many_files(error: &io::Error) -> bool {
    /// The numbers of Linux, macOS, and the BSDs.
    const NUMBERS: [i32; 2] = [24, 23];
    cfg!(unix) && error.raw_os_error().is_some_and(|code| NUMBERS.contains(&code))
}

/// Tells the system that a mapping is read here and there: it reads no pages ahead.
#[cfg(feature = "mmap")]
pub(super) fn expect_random_access(map: &memmap2::Mmap) -> io::Result<()> {
    #[cfg(unix)]
    map.advise(memmap2::Advice::Random)?;
    #[cfg(not(unix))]
    let _ = map;
    Ok(())
}
