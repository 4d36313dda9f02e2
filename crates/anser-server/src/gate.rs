//! Bounds of running and waiting work. Excess requests are refused at once.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::clients::{Client, Shares};
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
    waiting: Semaphore,
    most_waiting: usize,
    shares: Shares,
    /// Limit of running requests per client.
    client_running: Shares,
}

/// Room for work, until it is dropped: that of all clients, that of the client, and its share.
pub(crate) type Permit = [OwnedSemaphorePermit; 3];

impl Gate {
    pub(crate) fn new(limits: &Limits, lane: Lane) -> Gate {
        let running = match lane {
            Lane::Quick => limits.running,
            Lane::Slow => (limits.running / 4).max(1),
        };
        Gate {
            running: Arc::new(Semaphore::new(running)),
            waiting: Semaphore::new(limits.waiting.min(Semaphore::MAX_PERMITS)),
            most_waiting: limits.waiting,
            shares: Shares::new(limits.client_requests),
            client_running: Shares::new(limits.client_running.max(1)),
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
        let (all, own) = (self.running.clone(), self.client_running.room_of(client));
        // The permit of the client first, so that waiting for it holds no permit of others.
        let own_room = own.clone().try_acquire_owned().ok();
        let room = own_room.as_ref().and_then(|_| all.clone().try_acquire_owned().ok());
        let own_room = match (own_room, room) {
            (Some(own_room), Some(room)) => return Ok([room, own_room, share]),
            (own_room, _) => own_room,
        };
        let full = || {
            Problem::busy(format!(
                "too many requests wait for an answer: {} and more are not accepted",
                self.most_waiting
            ))
        };
        let _waiting = self.waiting.try_acquire().map_err(|_| full())?;
        let own_room = match own_room {
            Some(room) => room,
            None => own.acquire_owned().await.map_err(|_| full())?,
        };
        let room = all.acquire_owned().await.map_err(|_| full())?;
        Ok([room, own_room, share])
    }
}
