//! The generator of Anser under MPI.
//!
//! `mpirun` or `srun` starts the same program many times. [`Session::start`] joins the others, and
//! [`anser_solve::solve_in_cluster`] solves layers together with them:
//!
//! ```no_run
//! use anser_cluster::Session;
//! use anser_core::Hunt;
//! use anser_solve::{SolveOptions, Unobserved, solve_in_cluster};
//!
//! let session = Session::start()?;
//! let options = SolveOptions::new("/shared/tables");
//! let solved =
//!     solve_in_cluster(&Hunt::default(), &options, &Unobserved, session.cluster())?;
//! if let Some(solved) = solved {
//!     println!("{} tables", solved.finished.len());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate needs an MPI library with its header, and libclang to read it; nothing else in Anser
//! does.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use anser_solve::Cluster;
use mpi::Threading;
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Root, Source};
use signal_hook::consts::SIGUSR1;

/// Most bytes of a message: MPI counts them with 31 bits. With debug assertions, as in tests,
/// messages have many pieces in small layers, too.
const MOST: usize = if cfg!(debug_assertions) { 1 << 12 } else { 1 << 30 };

/// Time between two calls of MPI while this process works.
const PAUSE: Duration = Duration::from_micros(200);

/// Why MPI could not be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// MPI runs in this process already.
    #[error("MPI was started in this process before")]
    Twice,
    /// Threads of this process may not call MPI one after the other.
    #[error("the MPI library does not let threads call it one after the other ({0:?})")]
    Threads(Threading),
    /// The signal for checkpoints cannot be watched.
    #[error("the signal USR1 cannot be watched")]
    Signal(#[source] std::io::Error),
}

/// Takes part in MPI until it is dropped, which waits for all others to do so.
///
/// A panic ends all processes.
pub struct Session {
    _universe: Universe,
    wants_checkpoint: Arc<AtomicBool>,
}

impl Session {
    /// Joins the other processes.
    ///
    /// From then on the signal `USR1` requests a checkpoint of the layer in progress, once the
    /// round is done. `mpirun` passes the signal on to all processes.
    ///
    /// # Errors
    /// A second session of a process, and an MPI library without support for threads.
    pub fn start() -> Result<Session, ClusterError> {
        let (universe, threads) =
            mpi::initialize_with_threading(Threading::Serialized).ok_or(ClusterError::Twice)?;
        if threads < Threading::Serialized {
            return Err(ClusterError::Threads(threads));
        }
        return_large_buffers();
        let wants_checkpoint = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(SIGUSR1, Arc::clone(&wants_checkpoint))
            .map_err(ClusterError::Signal)?;
        Ok(Session { _universe: universe, wants_checkpoint })
    }

    /// Returns the processes, for [`solve_in_cluster`](anser_solve::solve_in_cluster). All of them
    /// call this. It may be used as long as the session lives.
    pub fn cluster(&self) -> Arc<dyn Cluster> {
        Arc::new(World {
            size_here: world().split_shared(world().rank()).size() as usize,
            wants_checkpoint: Arc::clone(&self.wants_checkpoint),
        })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // The others would wait for this process.
            world().abort(101);
        }
    }
}

/// Has the memory of buffers from 128 KiB on go back to the system when they are dropped. Once
/// glibc has seen a larger one dropped, up to 32 MiB, it would keep that of all buffers up to this
/// size.
#[cfg(target_env = "gnu")]
fn return_large_buffers() {
    const LARGE: libc::c_int = 128 << 10;
    // SAFETY: the function takes two numbers, and may be called at any time.
    unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
}

#[cfg(not(target_env = "gnu"))]
fn return_large_buffers() {}

/// All processes that were started together.
struct World {
    size_here: usize,
    wants_checkpoint: Arc<AtomicBool>,
}

fn world() -> SimpleCommunicator {
    SimpleCommunicator::world()
}

/// Calls `work`, and MPI beside it every now and then: large messages move only within its calls.
fn progress(work: &mut dyn FnMut()) {
    std::thread::scope(|threads| {
        // Closed when the work has ended, also by a panic.
        let (working, ended) = mpsc::channel::<()>();
        threads.spawn(move || {
            while ended.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                let _ = world().any_process().immediate_probe();
            }
        });
        work();
        drop(working);
    });
}

impl Cluster for World {
    fn rank(&self) -> usize {
        world().rank() as usize
    }

    fn size(&self) -> usize {
        world().size() as usize
    }

    fn size_here(&self) -> usize {
        self.size_here
    }

    fn gather(&self, words: &[u64]) -> Vec<u64> {
        let mut all = vec![0; words.len() * self.size()];
        world().all_gather_into(words, &mut all[..]);
        all
    }

    fn broadcast(&self, bytes: &mut Vec<u8>) {
        let (world, mut len) = (world(), bytes.len() as u64);
        let root = world.process_at_rank(0);
        root.broadcast_into(&mut len);
        bytes.resize(len as usize, 0);
        for bytes in bytes.chunks_mut(MOST) {
            root.broadcast_into(bytes);
        }
    }

    fn exchange(
        &self,
        send: &[(usize, &[u8])],
        receive: &mut [(usize, &mut [u8])],
        meanwhile: &mut dyn FnMut(),
    ) {
        let world = world();
        mpi::request::scope(|scope| {
            let mut received = Vec::new();
            for (from, bytes) in receive {
                let from = world.process_at_rank(*from as i32);
                for bytes in bytes.chunks_mut(MOST) {
                    received.push(from.immediate_receive_into(scope, bytes));
                }
            }
            let mut sent = Vec::new();
            for &(to, bytes) in send {
                let to = world.process_at_rank(to as i32);
                for bytes in bytes.chunks(MOST) {
                    sent.push(to.immediate_send(scope, bytes));
                }
            }
            if received.is_empty() && sent.is_empty() {
                meanwhile();
            } else {
                progress(meanwhile);
            }
            for request in received {
                request.wait();
            }
            for request in sent {
                request.wait();
            }
        });
    }

    fn wants_checkpoint(&self) -> bool {
        self.wants_checkpoint.swap(false, SeqCst)
    }
}
