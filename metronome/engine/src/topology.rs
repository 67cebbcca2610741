//! Hosts of the local datacenter and the replicas of each partition among them.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A Cassandra node to send to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    pub address: SocketAddr,
    pub datacenter: Option<String>,
}

/// Local replicas of every token range of a keyspace.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReplicaRing {
    tokens: Vec<i64>,
    replicas: Vec<Vec<u16>>,
}

impl ReplicaRing {
    /// Takes the end of each range and its replicas, as positions in [`Topology::hosts`].
    pub fn new(mut ranges: Vec<(i64, Vec<u16>)>) -> Self {
        ranges.sort_unstable_by_key(|(token, _)| *token);
        let (tokens, replicas) = ranges.into_iter().unzip();
        Self { tokens, replicas }
    }

    /// Returns the local replicas of a token; empty when the keyspace has none in this datacenter.
    #[inline]
    pub fn replicas(&self, token: i64) -> &[u16] {
        let at = self.tokens.partition_point(|end| *end < token);
        let at = if at == self.tokens.len() { 0 } else { at };
        self.replicas.get(at).map_or(&[], Vec::as_slice)
    }
}

/// Routing data of the load threads. A run only appends hosts, so a position stays valid.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Topology {
    pub hosts: Vec<Host>,
    /// For each of `hosts`, whether it currently belongs to the cluster.
    pub present: Vec<bool>,
    pub ring: ReplicaRing,
}

impl Topology {
    /// A fixed set of hosts without replicas: requests go to all of them round robin.
    pub fn fixed(addresses: impl IntoIterator<Item = SocketAddr>) -> Self {
        let hosts: Vec<Host> = addresses.into_iter().map(|address| Host { address, datacenter: None }).collect();
        Self { present: vec![true; hosts.len()], hosts, ring: ReplicaRing::default() }
    }
}

/// The current topology, shared by the thread that watches the cluster and the load threads. A load thread compares one
/// number in each iteration of its loop and takes the lock only after a change.
#[derive(Debug)]
pub struct TopologyCell {
    version: AtomicU64,
    current: Mutex<Arc<Topology>>,
}

impl TopologyCell {
    pub fn new(topology: Topology) -> Self {
        Self { version: AtomicU64::new(1), current: Mutex::new(Arc::new(topology)) }
    }

    #[inline]
    pub(crate) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    pub fn get(&self) -> Arc<Topology> {
        Arc::clone(&self.current.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn replace(&self, topology: Topology) {
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(topology);
        self.version.fetch_add(1, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::ReplicaRing;

    #[test]
    fn a_token_belongs_to_the_range_that_ends_at_or_after_it() {
        let ring = ReplicaRing::new(vec![(100, vec![1]), (-100, vec![0]), (500, vec![2])]);
        assert_eq!(ring.replicas(-100), [0]);
        assert_eq!(ring.replicas(-99), [1]);
        assert_eq!(ring.replicas(500), [2]);
        assert_eq!(ring.replicas(501), [0], "the ring wraps");
        assert_eq!(ring.replicas(i64::MIN), [0]);
    }
}
