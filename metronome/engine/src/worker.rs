//! A load thread: owns its connections, sends what is due, records what comes back.

mod dispatch;
mod upkeep;

use crate::acks::Acks;
use crate::config::Config;
use crate::connection::{Again, Connection, Phase};
use crate::handshake::Refusal;
use crate::outcome::{Failure, Interval};
use crate::recorder::Recorder;
use crate::requests::Requests;
use crate::run::{FromWorker, Shared};
use crate::slots::Op;
use crate::topology::Topology;
use machine::{Ready, Wait, now_ns, settle_on};
use schedule::{Lane, Start};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender};

const SECOND_NS: u64 = 1_000_000_000;
/// How often timeouts, lost connections and orders from outside are looked at.
const CHORES_NS: u64 = 5_000_000;
/// Most requests sent before looking at responses again.
const BATCH: usize = 512;
/// Requests that share one reading of the clock.
const SAME_CLOCK: usize = 16;
/// A connection with this much to send is written to at once.
const FLUSH_BYTES: usize = 192 << 10;

/// A host as this thread uses it.
#[derive(Debug, Default)]
struct HostState {
    connections: Vec<usize>,
    ready: usize,
    next: usize,
    /// Requests that are due and wait for room on a connection, in order.
    backlog: VecDeque<Op>,
}

pub(crate) struct Worker<R: Requests> {
    pub(crate) id: u32,
    config: Arc<Config>,
    requests: Arc<R>,
    shared: Arc<Shared>,
    to_run: Sender<FromWorker>,
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
    turn: usize,
    key: Vec<u8>,
    replicas: Vec<u16>,
    again: Again,
    events: Vec<Ready>,
    next_tick_ns: u64,
    next_chores_ns: u64,
    issue_not_before_ns: u64,
    drain_until_ns: u64,
    last_refusal: Option<Refusal>,
}

impl<R: Requests> Worker<R> {
    pub(crate) fn new(
        id: u32,
        config: Arc<Config>,
        requests: Arc<R>,
        shared: Arc<Shared>,
        to_run: Sender<FromWorker>,
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
            turn: id as usize,
            key: Vec::with_capacity(256),
            replicas: Vec::with_capacity(16),
            again: Again::default(),
            events: Vec::with_capacity(64),
            next_tick_ns: 0,
            next_chores_ns: 0,
            issue_not_before_ns: 0,
            drain_until_ns: u64::MAX,
            last_refusal: None,
            config,
            requests,
            shared,
            to_run,
            spare,
        })
    }

    /// The life of the thread: connect, wait for the common start, send, drain.
    pub(crate) fn run(mut self) {
        settle_on(self.config.pin.get(self.id as usize).copied());
        let connected = self.connect_all();
        let go = connected.is_ok();
        self.tell(FromWorker::Connected(connected));
        if !go || !self.wait_for_start() {
            return;
        }
        self.next = self.lane.next();
        loop {
            let now = now_ns();
            if now >= self.next_tick_ns {
                self.tick(now);
            }
            if now >= self.next_chores_ns {
                self.chores(now);
            }
            self.issue_due(now);
            self.flush_dirty();
            if self.next.is_none() && (self.outstanding == 0 || now >= self.drain_until_ns) {
                break;
            }
            self.turn_events(self.wake_at(now));
        }
        self.finish();
    }

    fn tell(&self, message: FromWorker) {
        // When nobody listens any more the run has been given up, and the stop flag ends this thread.
        let _ = self.to_run.send(message);
    }

    /// Opens every connection; succeeds when each host has answered or failed once and at least one is usable.
    fn connect_all(&mut self) -> Result<(), Refusal> {
        let deadline = now_ns() + self.config.connect_timeout.as_nanos() as u64;
        loop {
            let now = now_ns();
            self.chores(now);
            let tried = |c: &Connection| c.is_ready() || (c.attempts > 1 && matches!(c.phase, Phase::Down { .. }));
            if let Some(refusal) = self.last_refusal.take_if(|r| r.is_final()) {
                return Err(refusal);
            }
            let ready = self.connections.iter().filter(|c| c.is_ready()).count();
            let all_tried = self.connections.iter().all(tried);
            if ready > 0 && (all_tried || now >= deadline) {
                return Ok(());
            }
            if now >= deadline || self.shared.stop.is_stopped() {
                let nothing = Refusal::Broken("no host answered in time".to_owned());
                return Err(self.last_refusal.take().unwrap_or(nothing));
            }
            self.turn_events(now + CHORES_NS);
        }
    }

    /// `false` when the run was called off.
    fn wait_for_start(&mut self) -> bool {
        loop {
            let start_ns = self.shared.start_ns.load(Ordering::Acquire);
            let now = now_ns();
            if self.shared.stop.is_stopped() {
                return false;
            }
            if start_ns != 0 && now + CHORES_NS >= start_ns {
                self.start_ns = start_ns;
                break;
            }
            if now >= self.next_chores_ns {
                self.chores(now);
            }
            self.turn_events(now + 1_000_000);
        }
        self.timestamp_base_us = self.shared.timestamp_base_us.load(Ordering::Acquire);
        self.recorder.record_from_ns = self.start_ns + self.config.warmup.as_nanos() as u64;
        self.next_tick_ns = self.start_ns + SECOND_NS;
        true
    }

    /// When to look again, if no socket has anything before.
    fn wake_at(&self, now: u64) -> u64 {
        let due = match self.next {
            Some(start) => (self.start_ns + start.at_ns).max(self.issue_not_before_ns),
            None => u64::MAX,
        };
        due.min(self.next_tick_ns).min(self.next_chores_ns).max(now)
    }

    fn turn_events(&mut self, until_ns: u64) {
        let mut events = std::mem::take(&mut self.events);
        events.clear();
        self.wait.wait(until_ns.saturating_sub(now_ns()), &mut events);
        for Ready { id, readable, writable } in events.drain(..) {
            let was_ready = self.connections[id].is_ready();
            if writable {
                let change = self.connections[id].on_writable(&self.config.protocol, &*self.requests);
                self.changed(id, change);
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
        let before = connection.slots.live();
        let mut again = std::mem::take(&mut self.again);
        let change = connection.on_readable(
            &self.config.protocol,
            &*self.requests,
            &mut self.recorder,
            self.timestamp_base_us,
            &mut again,
        );
        self.outstanding -= (before - connection.slots.live()) as u64;
        if connection.waiting_bytes() > 0 {
            self.mark_dirty(id);
        }
        let host = &mut self.hosts[self.connections[id].host];
        for op in again.here.drain(..).rev() {
            self.outstanding += 1;
            host.backlog.push_front(op);
        }
        for (op, code, message) in again.elsewhere.drain(..) {
            self.send_elsewhere(op, Failure::Server(code), || message);
        }
        self.again = again;
        self.changed(id, change);
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
            self.changed(id, change);
        }
    }

    /// Hands over the second that has ended.
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
        self.tell(FromWorker::Interval(self.id, interval));
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
            for op in connection.slots.drain() {
                let message = || "no response when the run ended".to_owned();
                self.recorder.failure(&op, Failure::ClientTimeout, now, message);
            }
        }
        self.outstanding = 0;
        let start_ns = self.next_tick_ns - SECOND_NS - self.start_ns;
        let statements = self.requests.statements().len();
        self.hand_over(Box::new(Interval::new(statements)), start_ns, now - self.start_ns);
        let acks = self.recorder.acks.take();
        self.tell(FromWorker::Done {
            acks,
            late_responses: self.recorder.late_responses,
            warmup_requests: self.recorder.warmup_requests,
            prepared_again: self.recorder.prepared_again,
        });
    }
}
