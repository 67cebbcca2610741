//! The work between sending and receiving: connecting and reconnecting, timeouts, a changed topology.

use super::{HostState, MAINTENANCE_NS, Worker};
use crate::connection::{Connection, Phase, StateChange};
use crate::coordination::WorkerMessage;
use crate::handshake::ConnectionError;
use crate::outcome::Failure;
use crate::requests::Requests;
use crate::slots::Op;
use crate::topology::Topology;
use machine::now_ns;
use std::sync::Arc;

/// A connection counts as lost after twice the request timeout and this much more of silence: a pulled cable sends no
/// reset.
const SILENCE_NS: u64 = 5_000_000_000;

impl<R: Requests> Worker<R> {
    pub(super) fn on_state_change(&mut self, id: usize, change: StateChange) {
        match change {
            StateChange::None => {}
            StateChange::Ready => {
                let host = self.connections[id].host;
                self.hosts[host].ready += 1;
                if self.start_ns != 0 {
                    self.note(format!("connected to {}", self.topology.hosts[host].address));
                }
                self.serve_backlog(host);
            }
            StateChange::Lost(error) => self.on_lost(id, error),
        }
    }

    pub(super) fn on_lost(&mut self, id: usize, error: ConnectionError) {
        let now = now_ns();
        let host = self.connections[id].host;
        let address = self.topology.hosts[host].address;
        let was_ready = self.connections[id].is_ready();
        let lost = self.connections[id].close(now);
        self.dirty.retain(|d| *d != id);
        if was_ready {
            self.hosts[host].ready -= 1;
            self.note(format!("lost the connection to {address} with {} requests in flight: {error}", lost.len()));
        } else if self.connections[id].attempts == 1 {
            self.note(format!("cannot connect to {address}: {error}"));
        }
        self.outstanding -= lost.len() as u64;
        for op in lost {
            if self.config.send_again {
                self.retry_elsewhere(op, host, Failure::ConnectionLost, || error.to_string());
            } else {
                self.recorder.failure(&op, Failure::ConnectionLost, now, || error.to_string());
            }
        }
        if self.hosts[host].ready == 0 {
            let waiting = std::mem::take(&mut self.hosts[host].backlog);
            self.outstanding -= waiting.len() as u64;
            for op in waiting {
                self.dispatch(op, now);
            }
        }
        self.last_error = Some(error);
    }

    /// Sends a request to another host than that which it comes from, if another is connected. It fails once its
    /// timeout has passed or it was sent as often as there are hosts.
    pub(super) fn retry_elsewhere(&mut self, op: Op, from: usize, failure: Failure, message: impl FnOnce() -> String) {
        let now = now_ns();
        let timely = now < op.intended_ns + self.config.request_timeout.as_nanos() as u64;
        if timely && usize::from(op.resent) < self.hosts.len() {
            let other = self.hosts.iter().enumerate().any(|(host, state)| host != from && state.ready > 0);
            self.avoided = other.then_some(from);
            self.dispatch(Op { resent: op.resent.saturating_add(1), ..op }, now);
            self.avoided = None;
        } else {
            self.recorder.failure(&op, failure, now, message);
        }
    }

    pub(super) fn note(&self, text: String) {
        self.report(WorkerMessage::Note(text));
    }

    /// Does everything that can wait a few milliseconds.
    pub(super) fn maintain(&mut self, now: u64) {
        self.next_maintenance_ns = now + MAINTENANCE_NS;
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
                    self.on_lost(id, ConnectionError::Lost("no answer within the connect timeout".to_owned()));
                }
                _ => {}
            }
        }
    }

    pub(super) fn expire(&mut self, id: usize, now: u64, timeout: u64) {
        let connection = &mut self.connections[id];
        let mut expired = 0;
        while let Some(op) = connection.slots().expire(now.saturating_sub(timeout)) {
            expired += 1;
            let message = || "no response within the request timeout".to_owned();
            self.recorder.failure(&op, Failure::ClientTimeout, now, message);
        }
        self.outstanding -= expired;
        let silent = now.saturating_sub(connection.last_read_ns) > 2 * timeout + SILENCE_NS;
        let host = connection.host;
        if connection.is_ready() && connection.slots().orphans() > 0 && silent {
            self.on_lost(
                id,
                ConnectionError::Lost("the server was silent for far longer than the request timeout".to_owned()),
            );
        } else if expired > 0 {
            self.serve_backlog(host);
        }
    }

    pub(super) fn open(&mut self, id: usize, now: u64) {
        let topology = Arc::clone(&self.topology);
        let host = &topology.hosts[self.connections[id].host];
        let watched = self.connections[id].connect(host, &self.config, now).and_then(|t| self.wait.watch(t, id));
        if let Err(e) = watched {
            self.on_lost(id, ConnectionError::Lost(e.to_string()));
        }
    }

    /// Adopts a changed topology: connects to new hosts and no longer reconnects to absent ones.
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
