//! The measurements of one load thread.

use crate::acks::Acks;
use crate::outcome::{Failure, Interval};
use crate::slots::Op;

/// Records of one load thread, handed over every second.
#[derive(Debug)]
pub(crate) struct Recorder {
    pub(crate) interval: Box<Interval>,
    pub(crate) acks: Option<Acks>,
    /// Requests with an earlier intended start belong to the warm-up.
    pub(crate) record_from_ns: u64,
    pub(crate) warmup_requests: u64,
    pub(crate) late_responses: u64,
    /// Number of statements prepared again because the server had forgotten them.
    pub(crate) prepared_again: u64,
}

impl Recorder {
    /// Records a request that succeeded; `rows` is zero for a write.
    #[inline]
    pub(crate) fn success(&mut self, op: &Op, acknowledged: bool, rows: u64, now_ns: u64) {
        if acknowledged && let Some(acks) = &mut self.acks {
            acks.record(op.index);
        }
        if self.record_times(op, now_ns) {
            let statement = &mut self.interval.statements[usize::from(op.statement)];
            statement.succeeded += 1;
            statement.rows += rows;
        }
    }

    /// Counts the rows of a page that another page follows.
    pub(crate) fn page(&mut self, op: &Op, rows: u64) {
        self.interval.statements[usize::from(op.statement)].rows += rows;
    }

    /// Records a failed request. It counts in both histograms.
    pub(crate) fn failure(&mut self, op: &Op, failure: Failure, now_ns: u64, message: impl FnOnce() -> String) {
        if self.record_times(op, now_ns) {
            self.interval.statements[usize::from(op.statement)].failed += 1;
            self.interval.count_failure(usize::from(op.statement), failure, 1, message);
        }
    }

    #[inline]
    /// Returns `false` for a request of the warm-up.
    fn record_times(&mut self, op: &Op, now_ns: u64) -> bool {
        if op.intended_ns < self.record_from_ns {
            self.warmup_requests += 1;
            return false;
        }
        let statement = &mut self.interval.statements[usize::from(op.statement)];
        statement.response.record_ns(now_ns.saturating_sub(op.intended_ns));
        // A request that was never sent has a service time of zero.
        let sent_ns = if op.sent_ns == 0 { now_ns } else { op.sent_ns };
        statement.service.record_ns(now_ns.saturating_sub(sent_ns));
        true
    }
}
