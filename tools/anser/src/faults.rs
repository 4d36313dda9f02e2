//! Signal handlers for faults: a mapped file that was truncated, a disk that failed under a
//! mapping, and an abort because memory ran out. They write a message and exit with the status of
//! input and output errors.
//!
//! They are part of the program because a library must not install signal handlers.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use anser_games::answers::ErrorKind;

/// Whether an allocation failed. An abort after that is reported as lack of memory.
static REFUSED: AtomicBool = AtomicBool::new(false);

/// System allocator that records failed allocations in [`REFUSED`].
struct RecordingAllocator;

#[global_allocator]
static ALLOCATOR: RecordingAllocator = RecordingAllocator;

// SAFETY: every call and its result are forwarded unchanged to and from the system allocator.
unsafe impl GlobalAlloc for RecordingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract, which is the same.
        recorded(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        recorded(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        recorded(unsafe { System.realloc(old, layout, size) })
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(old, layout) }
    }
}

/// Records a null result of an allocation.
#[inline]
fn recorded(memory: *mut u8) -> *mut u8 {
    if memory.is_null() {
        REFUSED.store(true, Relaxed);
    }
    memory
}

/// Installs the signal handlers; `json` is whether their messages are JSON.
#[cfg(unix)]
pub(crate) fn install_handlers(json: bool) {
    use signal_hook::consts::{SIGABRT, SIGBUS};
    use signal_hook::low_level::register;

    // SAFETY: the action reads an atomic, writes a constant with write(2), and ends the process
    // with _exit(2), which are all async-signal-safe. It does not return to the instruction that
    // failed.
    let bus = unsafe { register(SIGBUS, move || end(if json { BUS_IN_JSON } else { BUS })) };
    // SAFETY: as above; if no allocation failed it returns, and abort(3) continues as without a
    // handler.
    let abort = unsafe {
        register(SIGABRT, move || {
            if REFUSED.load(Relaxed) {
                end(if json { MEMORY_IN_JSON } else { MEMORY });
            }
        })
    };
    // Without handlers these faults still end the process, with less information.
    drop((bus, abort));
}

#[cfg(not(unix))]
pub(crate) fn install_handlers(_json: bool) {}

#[cfg(unix)]
const BUS: &str = "anser: error: a page of a memory-mapped file could not be read (SIGBUS): another program truncated \
    the file, or the disk failed; `anser verify` checks the tables, and --access read names the file\n";
#[cfg(unix)]
const BUS_IN_JSON: &str = "{\"schema\":1,\"error\":{\"code\":4,\"kind\":\"io\",\"message\":\"a page of a memory-mapped \
    file could not be read (SIGBUS): another program truncated the file, or the disk failed\",\"hint\":\"anser \
    verify\"}}\n";
#[cfg(unix)]
const MEMORY: &str = "anser: error: out of memory; free some, raise the limit (ulimit), or give fewer --threads or less \
    --memory\n";
#[cfg(unix)]
const MEMORY_IN_JSON: &str = "{\"schema\":1,\"error\":{\"code\":4,\"kind\":\"io\",\"message\":\"out of memory\",\
    \"hint\":\"free some, raise the limit (ulimit), or give fewer --threads or less --memory\"}}\n";

/// Writes a message to standard error and ends the process. Calls async-signal-safe functions only.
#[cfg(unix)]
fn end(text: &'static str) {
    // SAFETY: pointer and length are those of one constant. A failed write is ignored.
    let _ = unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
    signal_hook::low_level::exit(i32::from(ErrorKind::Io.exit_status()));
}
