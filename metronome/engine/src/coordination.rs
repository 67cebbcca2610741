//! State shared by the run and its load threads: the stop flag, the common start, and the messages of a load thread.

use crate::acks::Acks;
use crate::handshake::ConnectionError;
use crate::outcome::Interval;
use crate::topology::TopologyCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};

/// Ends a run early from another thread or a signal handler. The run still waits for requests in flight.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// State that load threads read. Nobody writes it while requests are sent.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) stop: Stop,
    pub(crate) topology: Arc<TopologyCell>,
    /// Monotonic start of the schedule; zero until it is known.
    pub(crate) start_ns: AtomicU64,
    pub(crate) timestamp_base_us: AtomicI64,
}

/// A message of a load thread to the run.
#[derive(Debug)]
pub(crate) enum WorkerMessage {
    Connected(Result<(), ConnectionError>),
    Note(String),
    Interval(u32, Box<Interval>),
    Done { acks: Option<Acks>, late_responses: u64, warmup_requests: u64, prepared_again: u64 },
}
