//! Bounds the work that runs and waits; what exceeds them is refused at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::options::Limits;

/// Admits requests to the threads that may block.
#[derive(Debug)]
pub(crate) struct Gate {
    running: Arc<Semaphore>,
    waiting: AtomicUsize,
    most_waiting: usize,
}

/// There is no room for another request.
#[derive(Debug)]
pub(crate) struct Full;

/// Counts a waiting request until it is dropped, also if its connection ends.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

impl Gate {
    pub(crate) fn new(limits: &Limits) -> Gate {
        Gate {
            running: Arc::new(Semaphore::new(limits.running)),
            waiting: AtomicUsize::new(0),
            most_waiting: limits.waiting,
        }
    }

    /// Waits for room, if few enough others wait. The permit stands for the room until it is
    /// dropped.
    pub(crate) async fn enter(&self) -> Result<OwnedSemaphorePermit, Full> {
        if let Ok(permit) = self.running.clone().try_acquire_owned() {
            return Ok(permit);
        }
        let before = self.waiting.fetch_add(1, Relaxed);
        let _waiting = Waiting(&self.waiting);
        if before >= self.most_waiting {
            return Err(Full);
        }
        self.running.clone().acquire_owned().await.map_err(|_| Full)
    }
}
