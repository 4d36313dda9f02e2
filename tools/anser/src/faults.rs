//! Signal handlers for faults: a mapped file that was truncated, a disk that failed under a
//! mapping, and an abort because memory ran out. They write a message and exit with the status of
//! input and output errors.
//!
//! They are part of the program because a library must not install signal handlers.

use std::alloc::{GlobalAlloc, Layout, System};
#[cfg(unix)]
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use anser_games::answers::ErrorKind;

use crate::failure::Failure;

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

/// Installs the signal handlers; `json` is whether their messages are JSON. A file that is longer
/// than the system allows then is an error of writing, too, and no signal that ends the process.
#[cfg(unix)]
pub(crate) fn install_handlers(json: bool) {
    use signal_hook::consts::{SIGABRT, SIGBUS, SIGXFSZ};
    use signal_hook::low_level::register;

    let unreadable = Failure::io(
        "a page of a memory-mapped file could not be read (SIGBUS): another program truncated the \
         file, or the disk failed",
    )
    .advice("`anser verify` checks the tables, and --access read names the file")
    .line(json);
    let no_memory = Failure::io("out of memory")
        .advice("free some, raise the limit (ulimit), or give fewer --threads or less --memory")
        .line(json);
    // SAFETY: the action writes a text that was made before with write(2), and ends the process
    // with _exit(2), which are async-signal-safe. It does not return to the instruction that
    // failed.
    let bus = unsafe { register(SIGBUS, move || end(&unreadable)) };
    // SAFETY: as above, and the action reads an atomic; if no allocation failed it returns, and
    // abort(3) continues as without a handler.
    let abort = unsafe {
        register(SIGABRT, move || {
            if REFUSED.load(Relaxed) {
                end(&no_memory);
            }
        })
    };
    let too_long = signal_hook::flag::register(SIGXFSZ, Arc::default());
    // Without handlers these faults still end the process, with less information.
    drop((bus, abort, too_long));
}

#[cfg(not(unix))]
pub(crate) fn install_handlers(_json: bool) {}

/// Writes a message to standard error and ends the process. Calls async-signal-safe functions only.
#[cfg(unix)]
fn end(text: &str) {
    // SAFETY: pointer and length are those of the text. A failed write is ignored.
    let _ = unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
    signal_hook::low_level::exit(i32::from(ErrorKind::Io.exit_status()));
}
