//! Sends due requests: chooses the host, the connection or the backlog.

use super::{BATCH, FLUSH_BYTES, SAME_CLOCK, Worker};
use crate::config::send_quantum_ns;
use crate::outcome::Failure;
use crate::requests::Requests;
use crate::slots::Op;
use machine::now_ns;

/// Destination of a request.
enum Choice {
    Send(usize),
    /// In the backlog of a host that is connected but has no room.
    Wait(usize),
    Nowhere,
}

impl<R: Requests> Worker<R> {
    /// Sends every request that is due.
    pub(super) fn issue_due(&mut self, now: u64) {
        let Some(first) = self.next else { return };
        let first_ns = self.start_ns + first.at_ns;
        if first_ns > now || now < self.issue_not_before_ns {
            return;
        }
        self.issue_not_before_ns = now
            + match self.config.send_quantum {
                Some(asked) => asked.as_nanos() as u64,
                None => send_quantum_ns(self.lane.rate()),
            };
        let behind = &mut self.recorder.interval.behind_ns;
        *behind = (*behind).max(now - first_ns);
        let mut clock = now;
        for issued in 1..=BATCH {
            let Some(start) = self.next else { break };
            let intended_ns = self.start_ns + start.at_ns;
            if intended_ns > now {
                break;
            }
            if issued % SAME_CLOCK == 0 {
                clock = now_ns();
            }
            let op = Op { index: start.index, intended_ns, sent_ns: 0, statement: 0, resent: 0 };
            if intended_ns >= self.recorder.record_from_ns {
                self.recorder.interval.intended += 1;
            }
            self.dispatch(op, clock);
            self.next = self.lane.next();
            if issued == BATCH {
                self.issue_not_before_ns = 0;
            }
        }
        if self.next.is_none() {
            // A request in flight ends by its own timeout; one that waits for room gets the same time once more.
            self.drain_until_ns = now + 2 * self.config.request_timeout.as_nanos() as u64;
        }
    }

    /// Sends a request to a replica or another host, queues it there, or fails it.
    #[inline]
    pub(super) fn dispatch(&mut self, op: Op, now: u64) {
        let (statement, row) = self.requests.pick(op.index);
        let op = Op { statement: statement as u16, ..op };
        match self.choose(statement, row) {
            Choice::Send(id) => self.send(id, op, row, now),
            Choice::Wait(host) => {
                self.outstanding += 1;
                self.hosts[host].backlog.push_back(op);
            }
            Choice::Nowhere => {
                let nothing = "no host of the local datacenter is connected";
                self.recorder.failure(&op, Failure::NoConnection, now, || nothing.to_owned());
            }
        }
    }

    #[inline]
    pub(super) fn send(&mut self, id: usize, op: Op, row: u64, now: u64) {
        // A request that was sent before, to a server that had forgotten the statement, keeps its first send time.
        let first = op.sent_ns == 0;
        let op = Op { sent_ns: if first { now } else { op.sent_ns }, ..op };
        if first && op.intended_ns >= self.recorder.record_from_ns {
            self.recorder.interval.sent += 1;
            self.recorder.interval.waited_ns += now.saturating_sub(op.intended_ns);
        }
        let timestamp_us = self.timestamp_base_us + op.index.cast_signed();
        let connection = &mut self.connections[id];
        connection.send(op, row, &*self.requests, timestamp_us);
        self.outstanding += 1;
        let full = connection.waiting_bytes() >= FLUSH_BYTES;
        self.mark_dirty(id);
        if full {
            let change = self.connections[id].flush();
            self.on_state_change(id, change);
        }
    }

    #[inline]
    fn choose(&mut self, statement: usize, row: u64) -> Choice {
        self.round_robin = self.round_robin.wrapping_add(1);
        if self.hosts.len() > 1 && self.requests.statements()[statement].routed {
            self.key.clear();
            self.requests.partition_key(statement, row, &mut self.key);
            let mut replicas = std::mem::take(&mut self.replicas);
            replicas.clear();
            replicas.extend_from_slice(self.topology.ring.replicas(cql::murmur3_token(&self.key)));
            let choice = self.first_with_room(replicas.len(), |i| usize::from(replicas[i]));
            self.replicas = replicas;
            if !matches!(choice, Choice::Nowhere) {
                return choice;
            }
        }
        self.first_with_room(self.hosts.len(), |i| i)
    }

    /// The next of `n` hosts, round robin, that has room for a request; otherwise the next that is connected.
    #[inline]
    fn first_with_room(&mut self, n: usize, host_at: impl Fn(usize) -> usize) -> Choice {
        let mut wait_for = Choice::Nowhere;
        let mut at = if n > 1 { self.round_robin % n } else { 0 };
        for _ in 0..n {
            let host = host_at(at);
            at = if at + 1 == n { 0 } else { at + 1 };
            if self.hosts[host].ready == 0 || self.avoided == Some(host) {
                continue;
            }
            if self.hosts[host].backlog.is_empty()
                && let Some(id) = self.connection_with_room(host)
            {
                return Choice::Send(id);
            }
            if matches!(wait_for, Choice::Nowhere) {
                wait_for = Choice::Wait(host);
            }
        }
        wait_for
    }

    #[inline]
    fn connection_with_room(&mut self, host: usize) -> Option<usize> {
        let state = &mut self.hosts[host];
        for _ in 0..state.connections.len() {
            state.next = if state.next + 1 >= state.connections.len() { 0 } else { state.next + 1 };
            let id = state.connections[state.next];
            if self.connections[id].has_room(self.config.in_flight) {
                return Some(id);
            }
        }
        None
    }

    pub(super) fn serve_backlog(&mut self, host: usize) {
        while !self.hosts[host].backlog.is_empty() {
            let Some(id) = self.connection_with_room(host) else { return };
            let Some(op) = self.hosts[host].backlog.pop_front() else { return };
            self.outstanding -= 1;
            let (_, row) = self.requests.pick(op.index);
            self.send(id, op, row, now_ns());
        }
    }
}
