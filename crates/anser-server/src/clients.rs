//! Identities of clients, and their shares of the server.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use axum::http::{HeaderMap, HeaderName};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A client: an IPv4 address, or a /64 network of IPv6, which one machine may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Client(IpAddr);

impl From<IpAddr> for Client {
    fn from(address: IpAddr) -> Client {
        Client(match address.to_canonical() {
            IpAddr::V6(address) => {
                let network = address.to_bits() >> 64 << 64;
                Ipv6Addr::from_bits(network).into()
            }
            address @ IpAddr::V4(_) => address,
        })
    }
}

impl Client {
    /// The client that a proxy names: the last entry of the header, which the proxy itself wrote.
    pub(crate) fn named(headers: &HeaderMap, name: &HeaderName) -> Option<Client> {
        let value = headers.get_all(name).iter().next_back()?.to_str().ok()?;
        let entry = value.rsplit(',').next()?.trim();
        let address = entry.parse().or_else(|_| {
            let with_port = entry.parse::<std::net::SocketAddr>();
            with_port.map(|address| address.ip())
        });
        address.ok().map(Client::from)
    }
}

/// Bounds the resources of each client.
#[derive(Debug)]
pub(crate) struct Shares {
    /// The room of each client that holds something or waits.
    rooms: Mutex<HashMap<Client, Weak<Semaphore>>>,
    /// Limit per client.
    pub(crate) most: usize,
}

/// Something that a client holds, until this is dropped.
pub(crate) type Share = OwnedSemaphorePermit;

impl Shares {
    pub(crate) fn new(most: usize) -> Shares {
        Shares { rooms: Mutex::default(), most }
    }

    /// The room of a client.
    pub(crate) fn room_of(&self, client: Client) -> Arc<Semaphore> {
        let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(room) = rooms.get(&client).and_then(Weak::upgrade) {
            return room;
        }
        // Clients that hold nothing are forgotten before the map grows.
        if rooms.len() == rooms.capacity() {
            rooms.retain(|_, room| room.strong_count() > 0);
        }
        let room = Arc::new(Semaphore::new(self.most.min(Semaphore::MAX_PERMITS)));
        rooms.insert(client, Arc::downgrade(&room));
        room
    }

    /// Takes one more for a client; `None` if it holds its share already.
    pub(crate) fn take(&self, client: Client) -> Option<Share> {
        self.room_of(client).try_acquire_owned().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(address: &str) -> Client {
        address.parse::<IpAddr>().expect("an address").into()
    }

    #[test]
    fn addresses_of_one_network_are_one_client() {
        assert_eq!(client("2001:db8:1:2::1"), client("2001:db8:1:2:ffff::9"));
        assert_ne!(client("2001:db8:1:2::1"), client("2001:db8:1:3::1"));
        assert_eq!(client("::ffff:192.0.2.1"), client("192.0.2.1"));
        assert_ne!(client("192.0.2.2"), client("192.0.2.1"));
    }

    #[test]
    fn the_last_entry_of_a_header_counts() {
        let name = HeaderName::from_static("x-forwarded-for");
        let named = |values: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(&name, value.parse().expect("a value"));
            }
            Client::named(&headers, &name)
        };
        assert_eq!(named(&["192.0.2.7, 192.0.2.8"]), Some(client("192.0.2.8")));
        assert_eq!(named(&["192.0.2.7", "192.0.2.9:4711"]), Some(client("192.0.2.9")));
        assert_eq!(named(&["[2001:db8::1]:80"]), Some(client("2001:db8::")));
        assert_eq!(named(&["192.0.2.7, unknown"]), None);
        assert_eq!(named(&[]), None);
    }

    #[test]
    fn a_share_is_given_back() {
        let shares = Shares::new(2);
        let (one, other) = (client("192.0.2.1"), client("192.0.2.2"));
        let held = [shares.take(one), shares.take(one)];
        assert!(held.iter().all(Option::is_some) && shares.take(one).is_none());
        assert!(shares.take(other).is_some());
        drop(held);
        assert!(shares.take(one).is_some());
        for last in 1..100 {
            assert!(shares.take(client(&format!("192.0.2.{last}"))).is_some());
        }
        assert!(shares.rooms.lock().expect("not poisoned").len() < 10);
    }
}
