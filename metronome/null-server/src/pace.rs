//! How a null server is slower than it has to be.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A pause of the whole server, as a garbage collector makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stall {
    /// After the first EXECUTE.
    pub after: Duration,
    pub length: Duration,
}

/// When answers to EXECUTE leave.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Pace {
    /// Every answer waits this long.
    pub delay: Duration,
    /// Answers leave one after another at this rate at most, like a server with one disk. Zero: no limit.
    pub max_rate: f64,
    pub stall: Option<Stall>,
}

impl Pace {
    pub(crate) fn is_immediate(&self) -> bool {
        self.delay.is_zero() && self.max_rate <= 0.0
    }
}

/// The pace of one server, shared by its threads.
#[derive(Debug)]
pub(crate) struct Pacer {
    pace: Pace,
    first_execute_ns: AtomicU64,
}

impl Pacer {
    pub(crate) fn new(pace: Pace) -> Self {
        Self { pace, first_execute_ns: AtomicU64::new(0) }
    }

    pub(crate) fn is_immediate(&self) -> bool {
        self.pace.is_immediate()
    }

    /// Remembers when the first request came.
    pub(crate) fn executing(&self, now_ns: u64) {
        if self.pace.stall.is_some() {
            let first = &self.first_execute_ns;
            // Whoever was first has set it.
            let _ = first.compare_exchange(0, now_ns, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// How long the server still stands still.
    pub(crate) fn stalled_ns(&self, now_ns: u64) -> u64 {
        let Some(stall) = self.pace.stall else { return 0 };
        let first = self.first_execute_ns.load(Ordering::Relaxed);
        if first == 0 {
            return 0;
        }
        let begins = first + stall.after.as_nanos() as u64;
        let ends = begins + stall.length.as_nanos() as u64;
        if (begins..ends).contains(&now_ns) { ends - now_ns } else { 0 }
    }

    /// When the answer to a request that came at `now_ns` leaves, if the one before left at `last_due_ns`.
    pub(crate) fn due_ns(&self, now_ns: u64, last_due_ns: u64, threads: usize) -> u64 {
        let gap = if self.pace.max_rate > 0.0 { (1e9 * threads as f64 / self.pace.max_rate) as u64 } else { 0 };
        (last_due_ns + gap).max(now_ns) + if gap == 0 { self.pace.delay.as_nanos() as u64 } else { 0 }
    }
}
