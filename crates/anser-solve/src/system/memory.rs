//! What the system says of memory and disk.

use std::path::Path;

/// Memory of this process that is in RAM right now, in bytes, mapped files included; where the system tells.
pub fn resident_memory() -> Option<u64> {
    field("/proc/self/status", "VmRSS:")
}

/// The most memory of this process that was in RAM at a time, in bytes, mapped files included; where the system tells.
pub fn peak_memory() -> Option<u64> {
    field("/proc/self/status", "VmHWM:")
}

/// Memory that a new process could use without swapping, in bytes; where the system tells.
pub fn available_memory() -> Option<u64> {
    field("/proc/meminfo", "MemAvailable:")
}

/// Space in bytes that is free for files in `dir`; where the system tells.
pub(crate) fn available_disk(dir: &Path) -> Option<u64> {
    fs4::available_space(dir).ok()
}

/// A field of a file like /proc/meminfo, given there in KiB.
fn field(file: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok()?.checked_mul(1024)
}
