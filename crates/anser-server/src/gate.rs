//! Bounds the work that runs and waits; what exceeds them is refused at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::clients::{Client, Share, Shares};
use crate::options::Limits;
use crate::problem::Problem;

/// Admits requests to the threads that may block.
#[derive(Debug)]
pub(crate) struct Gate {
    running: Arc<Semaphore>,
    waiting: AtomicUsize,
    most_waiting: usize,
    shares: Arc<Shares>,
}

/// Room for work, until it is dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    _room: OwnedSemaphorePermit,
    _share: Share,
}

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
            shares: Shares::new(limits.client_requests),
        }
    }

    /// Waits for room, if few enough others wait.
    pub(crate) async fn enter(&self, client: Client) -> Result<Permit, Problem> {
        let share = self.shares.take(client).ok_or_else(|| {
            Problem::too_many(format!(
                "{} requests from your address are worked on or wait, and more are not accepted",
                self.shares.most
            ))
        })?;
        if let Ok(room) = self.running.clone().try_acquire_owned() {
            return Ok(Permit { _room: room, _share: share });
        }
        let before = self.waiting.fetch_add(1, Relaxed);
        let _waiting = Waiting(&self.waiting);
        let full = || {
            Problem::busy(format!(
                "too many requests wait for an answer: {} and more are not accepted",
                self.most_waiting
            ))
        };
        if before >= self.most_waiting {
            return Err(full());
        }
        let room = self.running.clone().acquire_owned().await.map_err(|_| full())?;
        Ok(Permit { _room: room, _share: share })
    }
}
