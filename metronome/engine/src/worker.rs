//! A load thread: owns its connections, sends what is due, records what comes back.

mod dispatch;
mod maintenance;

use crate::acks::Acks;
use crate::config::Config;
use crate::connection::{Connection, Handling, Phase, Retries};
use crate::coordination::{Shared, WorkerMessage};
use crate::handshake::ConnectionError;
use crate::outcome::{Failure, Interval};
use crate::recorder::Recorder;
use crate::requests::Requests;
use crate::slots::Op;
use crate::topology::Topology;
use machine::{Ready, Wait, now_ns, settle_on};
use schedule::{Lane, Start};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender};

const SECOND_NS: u64 = 1_000_000_000;
/// Interval of the checks for timeouts, lost connections, a stop and a changed topology.
const MAINTENANCE_NS: u64 = 5_000_000;
/// Maximum number of requests sent between two looks at responses.
const BATCH: usize = 512;
/// Number of requests that share one reading of the clock.
const SAME_CLOCK: usize = 16;
/// A connection with this many unsent bytes is flushed immediately.
const FLUSH_BYTES: usize = 192 << 10;

/// A host as this thread uses it.
#[derive(Debug, Default)]
struct HostState {
    connections: Vec<usize>,
    ready: usize,
    next: usize,
    /// Due requests that wait for room on a connection, in order.
    backlog: VecDeque<Op>,
}

pub(crate) struct Worker<R: Requests> {
    pub(crate) id: u32,
    config: Arc<Config>,
    requests: Arc<R>,
    shared: Arc<Shared>,
    to_run: Sender<WorkerMessage>,
    spare: Receiver<Box<Interval>>,
    wait: Wait,
    topology: Arc<Topology>,
    topology_version: u64,
    hosts: Vec<HostState>,
    connections: Vec<Connection>,
    dirty: Vec<usize>,
    lane: Lane,
    next: Option<Start>,
    recorder: Recorder,
    start_ns: u64,
    timestamp_base_us: i64,
    outstanding: u64,
    round_robin: usize,
    /// The host that a request is not sent to, because it comes from there.
    avoided: Option<usize>,
    key: Vec<u8>,
    replicas: Vec<u16>,
    retries: Retries,
    events: Vec<Ready>,
    next_tick_ns: u64,
    next_maintenance_ns: u64,
    issue_not_before_ns: u64,
    drain_until_ns: u64,
    last_error: Option<ConnectionError>,
}

impl<R: Requests> Worker<R> {
    pub(crate) fn new(
        id: u32,
        config: Arc<Config>,
        requests: Arc<R>,
        shared: Arc<Shared>,
        to_run: Sender<WorkerMessage>,
        spare: Receiver<Box<Interval>>,
    ) -> std::io::Result<Self> {
        let statements = requests.statements();
        let acks = config.acks.then(|| Acks::new(id, config.threads, config.schedule.expected_requests().unwrap_or(0)));
        let lane = config.schedule.lane(id, config.threads);
        Ok(Self {
            id,
            wait: Wait::new()?,
            topology: Arc::default(),
            topology_version: 0,
            hosts: Vec::new(),
            connections: Vec::new(),
            dirty: Vec::new(),
            lane,
            next: None,
            recorder: Recorder {
                interval: Box::new(Interval::new(statements.len())),
                acks,
                record_from_ns: 0,
                warmup_requests: 0,
                late_responses: 0,
                prepared_again: 0,
            },
            start_ns: 0,
            timestamp_base_us: 0,
            outstanding: 0,
            round_robin: id as usize,
            avoided: None,
            key: Vec::with_capacity(256),
            replicas: Vec::with_capacity(16),
            retries: Retries::default(),
            events: Vec::with_capacity(64),
            next_tick_ns: 0,
            next_maintenance_ns: 0,
            issue_not_before_ns: 0,
            drain_until_ns: u64::MAX,
            last_error: None,
            config,
            requests,
            shared,
            to_run,
            spare,
        })
    }

    /// Runs the thread: connects, waits for the common start, sends, drains.
    pub(crate) fn run(mut self) {
        settle_on(self.config.pin.get(self.id as usize).copied());
        let connected = self.connect_all();
        let go = connected.is_ok();
        self.report(WorkerMessage::Connected(connected));
        if !go || !self.wait_for_start() {
            return;
        }
        self.next = self.lane.next();
        loop {
            let now = now_ns();
            if now >= self.next_tick_ns {
                self.tick(now);
            }
            if now >= self.next_maintenance_ns {
                self.maintain(now);
            }
            self.issue_due(now);
            self.flush_dirty();
            if self.next.is_none() && (self.outstanding == 0 || now >= self.drain_until_ns) {
                break;
            }
            self.handle_events(self.wake_at(now));
        }
        self.finish();
    }

    fn report(&self, message: WorkerMessage) {
        // A missing receiver means that the run was given up: the stop flag ends this thread.
        let _ = self.to_run.send(message);
    }

    /// Opens every connection; succeeds when each host has answered or failed once and at least one is usable.
    fn connect_all(&mut self) -> Result<(), ConnectionError> {
        let deadline = now_ns() + self.config.connect_timeout.as_nanos() as u64;
        loop {
            let now = now_ns();
            self.maintain(now);
            let tried = |c: &Connection| c.is_ready() || (c.attempts > 1 && matches!(c.phase, Phase::Down { .. }));
            if let Some(error) = self.last_error.take_if(|e| e.is_final()) {
                return Err(error);
            }
            let ready = self.connections.iter().filter(|c| c.is_ready()).count();
            let all_tried = self.connections.iter().all(tried);
            if ready > 0 && (all_tried || now >= deadline) {
                return Ok(());
            }
            if now >= deadline || self.shared.stop.is_stopped() {
                let timeout = ConnectionError::Lost("no host answered within the connect timeout".to_owned());
                return Err(self.last_error.take().unwrap_or(timeout));
            }
            self.handle_events(now + MAINTENANCE_NS);
        }
    }

    /// Returns `false` when the run was stopped.
    fn wait_for_start(&mut self) -> bool {
        loop {
            let start_ns = self.shared.start_ns.load(Ordering::Acquire);
            let now = now_ns();
            if self.shared.stop.is_stopped() {
                return false;
            }
            if start_ns != 0 && now + MAINTENANCE_NS >= start_ns {
                self.start_ns = start_ns;
                break;
            }
            if now >= self.next_maintenance_ns {
                self.maintain(now);
            }
            self.handle_events(now + 1_000_000);
        }
        self.timestamp_base_us = self.shared.timestamp_base_us.load(Ordering::Acquire);
        self.recorder.record_from_ns = self.start_ns + self.config.warmup.as_nanos() as u64;
        self.next_tick_ns = self.start_ns + SECOND_NS;
        true
    }

    /// The time to wake up if no socket becomes ready earlier.
    fn wake_at(&self, now: u64) -> u64 {
        let due = match self.next {
            Some(start) => (self.start_ns + start.at_ns).max(self.issue_not_before_ns),
            None => u64::MAX,
        };
        due.min(self.next_tick_ns).min(self.next_maintenance_ns).max(now)
    }

    fn handle_events(&mut self, until_ns: u64) {
        let mut events = std::mem::take(&mut self.events);
        events.clear();
        self.wait.wait(until_ns.saturating_sub(now_ns()), &mut events);
        for Ready { id, readable, writable } in events.drain(..) {
            let was_ready = self.connections[id].is_ready();
            if writable {
                let change = self.connections[id].on_writable(&self.config.protocol, &*self.requests);
                self.on_state_change(id, change);
            }
            if readable {
                self.on_readable(id);
            }
            if was_ready {
                self.serve_backlog(self.connections[id].host);
            }
        }
        self.events = events;
    }

    fn on_readable(&mut self, id: usize) {
        let connection = &mut self.connections[id];
        let before = connection.slots().live();
        let mut retries = std::mem::take(&mut self.retries);
        let mut handling = Handling {
            requests: &*self.requests,
            recorder: &mut self.recorder,
            retries: &mut retries,
            timestamp_base_us: self.timestamp_base_us,
            now_ns: 0,
        };
        let change = connection.on_readable(&self.config.protocol, &mut handling);
        self.outstanding -= (before - connection.slots().live()) as u64;
        if connection.waiting_bytes() > 0 {
            self.mark_dirty(id);
        }
        let from = self.connections[id].host;
        let host = &mut self.hosts[from];
        for op in retries.same_host.drain(..).rev() {
            self.outstanding += 1;
            host.backlog.push_front(op);
        }
        for (op, code, message) in retries.other_host.drain(..) {
            self.retry_elsewhere(op, from, Failure::Server(code), || message);
        }
        self.retries = retries;
        self.on_state_change(id, change);
    }

    fn mark_dirty(&mut self, id: usize) {
        if !self.connections[id].dirty {
            self.connections[id].dirty = true;
            self.dirty.push(id);
        }
    }

    fn flush_dirty(&mut self) {
        while let Some(id) = self.dirty.pop() {
            self.connections[id].dirty = false;
            let change = self.connections[id].flush();
            self.on_state_change(id, change);
        }
    }

    /// Hands over each second that has ended.
    fn tick(&mut self, now: u64) {
        while now >= self.next_tick_ns {
            let (end_ns, statements) = (self.next_tick_ns - self.start_ns, self.requests.statements().len());
            let fresh = self.spare.try_recv().unwrap_or_else(|_| Box::new(Interval::new(statements)));
            self.hand_over(fresh, end_ns - SECOND_NS, end_ns);
            self.next_tick_ns += SECOND_NS;
        }
    }

    fn hand_over(&mut self, fresh: Box<Interval>, start_ns: u64, end_ns: u64) {
        let mut interval = std::mem::replace(&mut self.recorder.interval, fresh);
        (interval.start_ns, interval.end_ns) = (start_ns, end_ns);
        interval.outstanding = self.outstanding;
        self.report(WorkerMessage::Interval(self.id, interval));
    }

    fn finish(mut self) {
        let now = now_ns();
        for host in 0..self.hosts.len() {
            for op in std::mem::take(&mut self.hosts[host].backlog) {
                let message = || "the run ended before a connection had room".to_owned();
                self.recorder.failure(&op, Failure::Unsent, now, message);
            }
        }
        for connection in &mut self.connections {
            for op in connection.slots().drain() {
                let message = || "no response when the run ended".to_owned();
                self.recorder.failure(&op, Failure::ClientTimeout, now, message);
            }
        }
        self.outstanding = 0;
        let start_ns = self.next_tick_ns - SECOND_NS - self.start_ns;
        let statements = self.requests.statements().len();
        self.hand_over(Box::new(Interval::new(statements)), start_ns, now - self.start_ns);
        let acks = self.recorder.acks.take();
        self.report(WorkerMessage::Done {
            acks,
            late_responses: self.recorder.late_responses,
            warmup_requests: self.recorder.warmup_requests,
            prepared_again: self.recorder.prepared_again,
        });
    }
}
