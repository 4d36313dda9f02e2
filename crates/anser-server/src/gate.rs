//! Bounds of running and waiting work. Excess requests are refused at once.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::clients::{Client, Share, Shares};
use crate::options::Limits;
use crate::problem::Problem;

/// Classes of requests by duration. Requests of one lane do not wait for the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Values are looked up.
    Quick,
    /// Positions are searched or drawn, or many are looked up.
    Slow,
}

/// Admits requests of one lane to the threads that may block.
#[derive(Debug)]
pub(crate) struct Gate {
    running: Arc<Semaphore>,
    waiting: AtomicUsize,
    most_waiting: usize,
    shares: Arc<Shares>,
    /// Limit of running requests per client.
    client_running: usize,
    /// The room of each client that has requests.
    rooms: Mutex<HashMap<Client, Weak<Semaphore>>>,
}

/// Room for work, until it is dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    _room: OwnedSemaphorePermit,
    _own_room: OwnedSemaphorePermit,
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
    pub(crate) fn new(limits: &Limits, lane: Lane) -> Gate {
        let running = match lane {
            Lane::Quick => limits.running,
            Lane::Slow => (limits.running / 4).max(1),
        };
        Gate {
            running: Arc::new(Semaphore::new(running)),
            waiting: AtomicUsize::new(0),
            most_waiting: limits.waiting,
            shares: Shares::new(limits.client_requests),
            client_running: limits.client_running.clamp(1, Semaphore::MAX_PERMITS),
            rooms: Mutex::default(),
        }
    }

    /// The room of a client.
    fn room_of(&self, client: Client) -> Arc<Semaphore> {
        let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(room) = rooms.get(&client).and_then(Weak::upgrade) {
            return room;
        }
        rooms.retain(|_, room| room.strong_count() > 0);
        let room = Arc::new(Semaphore::new(self.client_running));
        rooms.insert(client, Arc::downgrade(&room));
        room
    }

    /// Waits for room, if few enough others wait.
    pub(crate) async fn enter(&self, client: Client) -> Result<Permit, Problem> {
        let share = self.shares.take(client).ok_or_else(|| {
            Problem::too_many(format!(
                "{} requests from your address are worked on or wait, and more are not accepted",
                self.shares.most
            ))
        })?;
        let (all, own) = (self.running.clone(), self.room_of(client));
        // The permit of the client first, so that waiting for it holds no permit of others.
        let own_room = own.clone().try_acquire_owned().ok();
        let room = own_room.as_ref().and_then(|_| all.clone().try_acquire_owned().ok());
        let own_room = match (own_room, room) {
            (Some(own_room), Some(room)) => {
                return Ok(Permit { _room: room, _own_room: own_room, _share: share });
            }
            (own_room, _) => own_room,
        };
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
        let own_room = match own_room {
            Some(room) => room,
            None => own.acquire_owned().await.map_err(|_| full())?,
        };
        let room = all.acquire_owned().await.map_err(|_| full())?;
        Ok(Permit { _room: room, _own_room: own_room, _share: share })
    }
}
