//! Everything beside sending and receiving: connections that come and go, timeouts, a changing cluster.

use super::{CHORES_NS, HostState, Worker};
use crate::connection::{Change, Connection, Phase};
use crate::handshake::Refusal;
use crate::outcome::Failure;
use crate::requests::Requests;
use crate::run::FromWorker;
use crate::slots::Op;
use crate::topology::Topology;
use machine::now_ns;
use std::sync::Arc;

/// A host that is silent this much longer than twice the request timeout is taken for gone, as a pulled cable makes it.
const SILENCE_NS: u64 = 5_000_000_000;

impl<R: Requests> Worker<R> {
    pub(super) fn changed(&mut self, id: usize, change: Change) {
        match change {
            Change::None => {}
            Change::BecameReady => {
                let host = self.connections[id].host;
                self.hosts[host].ready += 1;
                if self.start_ns != 0 {
                    self.note(format!("connected to {}", self.topology.hosts[host].address));
                }
                self.serve_backlog(host);
            }
            Change::Broke(refusal) => self.broke(id, refusal),
        }
    }

    pub(super) fn broke(&mut self, id: usize, refusal: Refusal) {
        let now = now_ns();
        let host = self.connections[id].host;
        let address = self.topology.hosts[host].address;
        let was_ready = self.connections[id].is_ready();
        let lost = self.connections[id].close(now);
        self.dirty.retain(|d| *d != id);
        if was_ready {
            self.hosts[host].ready -= 1;
            self.note(format!("lost the connection to {address} with {} requests in flight: {refusal}", lost.len()));
        } else if self.connections[id].attempts == 1 {
            self.note(format!("cannot connect to {address}: {refusal}"));
        }
        self.outstanding -= lost.len() as u64;
        for op in lost {
            if self.config.send_again {
                self.send_elsewhere(op, Failure::ConnectionLost, || refusal.to_string());
            } else {
                self.recorder.failure(&op, Failure::ConnectionLost, now, || refusal.to_string());
            }
        }
        if self.hosts[host].ready == 0 {
            let waiting = std::mem::take(&mut self.hosts[host].backlog);
            self.outstanding -= waiting.len() as u64;
            for op in waiting {
                self.dispatch(op, now);
            }
        }
        self.last_refusal = Some(refusal);
    }

    /// Sends a request again, unless its timeout has passed or it went to as many hosts as there are: then it has failed.
    pub(super) fn send_elsewhere(&mut self, op: Op, failure: Failure, message: impl FnOnce() -> String) {
        let now = now_ns();
        let timely = now < op.intended_ns + self.config.request_timeout.as_nanos() as u64;
        if timely && usize::from(op.resent) < self.hosts.len() {
            self.dispatch(Op { resent: op.resent.saturating_add(1), ..op }, now);
        } else {
            self.recorder.failure(&op, failure, now, message);
        }
    }

    pub(super) fn note(&self, text: String) {
        self.tell(FromWorker::Note(text));
    }

    /// Everything that can wait a few milliseconds.
    pub(super) fn chores(&mut self, now: u64) {
        self.next_chores_ns = now + CHORES_NS;
        if self.shared.stop.is_stopped() && self.next.is_some() {
            self.next = None;
            self.drain_until_ns = now + self.config.request_timeout.as_nanos() as u64;
        }
        let version = self.shared.topology.version();
        if version != self.topology_version {
            self.topology_version = version;
            self.adopt(self.shared.topology.get());
        }
        let timeout = self.config.request_timeout.as_nanos() as u64;
        for id in 0..self.connections.len() {
            self.expire(id, now, timeout);
            match self.connections[id].phase {
                Phase::Down { retry_at_ns }
                    if now >= retry_at_ns && self.topology.present[self.connections[id].host] =>
                {
                    self.open(id, now);
                }
                Phase::Connecting { deadline_ns, .. } if now >= deadline_ns => {
                    self.broke(id, Refusal::Broken("no answer within the connect timeout".to_owned()));
                }
                _ => {}
            }
        }
    }

    pub(super) fn expire(&mut self, id: usize, now: u64, timeout: u64) {
        let connection = &mut self.connections[id];
        let mut expired = 0;
        while let Some(op) = connection.slots.expire(now.saturating_sub(timeout)) {
            expired += 1;
            let message = || "no response within the request timeout".to_owned();
            self.recorder.failure(&op, Failure::ClientTimeout, now, message);
        }
        self.outstanding -= expired;
        let silent = now.saturating_sub(connection.last_read_ns) > 2 * timeout + SILENCE_NS;
        let host = connection.host;
        if connection.is_ready() && connection.slots.orphans() > 0 && silent {
            self.broke(id, Refusal::Broken("nothing was heard for far longer than the request timeout".to_owned()));
        } else if expired > 0 {
            self.serve_backlog(host);
        }
    }

    pub(super) fn open(&mut self, id: usize, now: u64) {
        let topology = Arc::clone(&self.topology);
        let host = &topology.hosts[self.connections[id].host];
        let watched = self.connections[id].connect(host, &self.config, now).and_then(|t| self.wait.watch(t, id));
        if let Err(e) = watched {
            self.broke(id, Refusal::Broken(e.to_string()));
        }
    }

    /// Takes over a changed view of the cluster: new hosts are connected to, absent ones not any more.
    pub(super) fn adopt(&mut self, topology: Arc<Topology>) {
        for host in self.hosts.len()..topology.hosts.len() {
            let first = self.connections.len();
            let connections = first..first + self.config.connections_per_host;
            self.connections.extend(connections.clone().map(|_| Connection::new(host, &self.config.protocol)));
            self.hosts.push(HostState { connections: connections.collect(), ..HostState::default() });
        }
        self.topology = topology;
    }
}
