//! Memory and disk space, as the system reports them.

use std::path::Path;

/// Returns the resident memory of this process in bytes, with mapped files. `None` if the system
/// does not report it.
pub fn resident_memory() -> Option<u64> {
    field("/proc/self/status", "VmRSS:")
}

/// Returns the greatest resident memory that this process had, in bytes, with mapped files. `None`
/// if the system does not report it.
pub fn peak_memory() -> Option<u64> {
    field("/proc/self/status", "VmHWM:")
}

/// Returns the memory that a new process could use without swapping, in bytes. `None` if the system
/// does not report it.
pub fn available_memory() -> Option<u64> {
    field("/proc/meminfo", "MemAvailable:")
}

/// Returns the free disk space for files in `dir`, in bytes. `None` if the system does not report
/// it.
pub fn available_disk(dir: &Path) -> Option<u64> {
    fs4::available_space(dir).ok()
}

/// Returns a field of a file such as /proc/meminfo, which has it in KiB, in bytes.
fn field(file: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok()?.checked_mul(1024)
}

/// Returns the memory that may be used, in bytes: `limit`, or else most of what is available;
/// `None` if there is no limit and the system does not report any.
pub(crate) fn memory_budget(limit: Option<u64>) -> Option<u64> {
    limit.or_else(|| available_memory().map(|bytes| bytes / 5 * 4))
}
