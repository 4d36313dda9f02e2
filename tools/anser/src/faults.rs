//! Faults that the system reports by a signal, which by default kill a program without a word: a mapped file that lost bytes,
//! a disk that failed under a mapping, and memory that ran out where nothing else could be done. Here they end in a message
//! and in the exit status of input and output.
//!
//! Libraries do not do this: signal handlers belong to the program.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use anser_games::answers::ErrorKind;

/// Whether the system refused memory. Code that can do without it goes on; code that cannot aborts.
static REFUSED: AtomicBool = AtomicBool::new(false);

/// The system's allocator, which notes when it refuses.
struct Noting;

#[global_allocator]
static ALLOCATOR: Noting = Noting;

// SAFETY: every call is passed on to the system's allocator as it is, and its answer back.
unsafe impl GlobalAlloc for Noting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract, which is the same.
        noted(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        noted(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        noted(unsafe { System.realloc(old, layout, size) })
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(old, layout) }
    }
}

#[inline]
fn noted(memory: *mut u8) -> *mut u8 {
    if memory.is_null() {
        REFUSED.store(true, Relaxed);
    }
    memory
}

/// Reports these faults from now on.
#[cfg(unix)]
pub(crate) fn report() {
    use signal_hook::consts::{SIGABRT, SIGBUS};
    use signal_hook::low_level::register;

    // SAFETY: the action reads an atomic, writes a constant with write(2) and ends the process with _exit(2); all of that may
    // be done in a signal handler. It does not return to the instruction that failed.
    let bus = unsafe { register(SIGBUS, || end(BUS, BUS_IN_JSON)) };
    // SAFETY: as above; where memory is not to blame it returns, and abort(3) goes on as if there were no handler.
    let abort = unsafe {
        register(SIGABRT, || {
            if REFUSED.load(Relaxed) {
                end(MEMORY, MEMORY_IN_JSON);
            }
        })
    };
    // Without handlers these faults end the process all the same, only less clearly.
    drop((bus, abort));
}

#[cfg(not(unix))]
pub(crate) fn report() {}

#[cfg(unix)]
const BUS: &str = "anser: error: a file that is mapped into memory could not be read on (SIGBUS): another program \
    truncated it, or the disk failed; `anser verify` checks the tables, and --access read reports such a file by its name\n";
#[cfg(unix)]
const BUS_IN_JSON: &str = "{\"schema\":1,\"error\":{\"code\":4,\"kind\":\"io\",\"message\":\"a file that is mapped into \
    memory could not be read on (SIGBUS): another program truncated it, or the disk failed\",\"hint\":\"anser verify\"}}\n";
#[cfg(unix)]
const MEMORY: &str = "anser: error: out of memory; free some, raise the limit (ulimit), or give fewer --threads or less \
    --memory\n";
#[cfg(unix)]
const MEMORY_IN_JSON: &str = "{\"schema\":1,\"error\":{\"code\":4,\"kind\":\"io\",\"message\":\"out of memory\",\
    \"hint\":\"free some, raise the limit (ulimit), or give fewer --threads or less --memory\"}}\n";

/// Writes a message to standard error and ends the process, by calls alone that a signal handler may make.
#[cfg(unix)]
fn end(text: &'static str, json: &'static str) {
    let text = if crate::failure::in_json() { json } else { text };
    // SAFETY: the pointer and the length are those of a constant. Whether anybody reads it makes no difference.
    let _ = unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
    signal_hook::low_level::exit(i32::from(ErrorKind::Io.exit_status()));
}
