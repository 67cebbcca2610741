//! Delays, a rate limit and a stall of a null server.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A pause of the whole server, like that of a garbage collector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stall {
    /// Time from the first EXECUTE to the start of the stall.
    pub after: Duration,
    pub length: Duration,
}

/// Delays of the answers to EXECUTE.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Throttle {
    /// Time from a request to its answer; with a limited rate, the least time.
    pub delay: Duration,
    /// Maximum rate of answers, which leave one after another like those of a server with one disk. Zero: no limit.
    pub max_rate: f64,
    pub stall: Option<Stall>,
}

impl Throttle {
    pub(crate) fn is_immediate(&self) -> bool {
        self.delay.is_zero() && self.max_rate <= 0.0
    }
}

/// Applies the throttle of one server; shared by its threads.
#[derive(Debug)]
pub(crate) struct Throttler {
    throttle: Throttle,
    first_execute_ns: AtomicU64,
}

impl Throttler {
    pub(crate) fn new(throttle: Throttle) -> Self {
        Self { throttle, first_execute_ns: AtomicU64::new(0) }
    }

    pub(crate) fn is_immediate(&self) -> bool {
        self.throttle.is_immediate()
    }

    /// Stores the time of the first request.
    pub(crate) fn executing(&self, now_ns: u64) {
        if self.throttle.stall.is_some() {
            let first = &self.first_execute_ns;
            // A failed exchange means that another thread set it first.
            let _ = first.compare_exchange(0, now_ns, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// Remaining time of the stall; zero outside of it.
    pub(crate) fn stalled_ns(&self, now_ns: u64) -> u64 {
        let Some(stall) = self.throttle.stall else { return 0 };
        let first = self.first_execute_ns.load(Ordering::Relaxed);
        if first == 0 {
            return 0;
        }
        let starts = first + stall.after.as_nanos() as u64;
        let ends = starts + stall.length.as_nanos() as u64;
        if (starts..ends).contains(&now_ns) { ends - now_ns } else { 0 }
    }

    /// Time at which the answer to a request of `now_ns` leaves, if the previous one leaves at `last_due_ns`. Only the
    /// limit of the rate lets an answer wait for the previous one.
    pub(crate) fn due_ns(&self, now_ns: u64, last_due_ns: u64, threads: usize) -> u64 {
        let gap = if self.throttle.max_rate > 0.0 { (1e9 * threads as f64 / self.throttle.max_rate) as u64 } else { 0 };
        (last_due_ns + gap).max(now_ns + self.throttle.delay.as_nanos() as u64)
    }
}
