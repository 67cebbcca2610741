//! The measurements of a run.

use crate::Acks;
use cql::ErrorCode;
use machine::CpuTime;
use report::Latencies;

/// Why a request failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Failure {
    /// The server answered with an error.
    Server(ErrorCode),
    /// No answer within the request timeout.
    ClientTimeout,
    /// The connection broke while the request was in flight.
    ConnectionLost,
    /// No host of the local datacenter had a connection.
    NoConnection,
    /// Still waiting for a free connection when the run ended.
    Unsent,
}

impl Failure {
    /// Stable lower-case name, as used in result files.
    pub fn name(self) -> &'static str {
        match self {
            Failure::Server(code) => code.name(),
            Failure::ClientTimeout => "client_timeout",
            Failure::ConnectionLost => "connection_lost",
            Failure::NoConnection => "no_connection",
            Failure::Unsent => "unsent",
        }
    }
}

/// The number of failures of one kind of one statement, and the first message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailureCount {
    pub statement: usize,
    pub failure: Failure,
    pub count: u64,
    pub first_message: String,
}

/// One statement's requests within an interval. Both histograms hold every request, also the failed ones.
#[derive(Debug, Clone)]
pub struct StatementInterval {
    /// Times from the intended start.
    pub response: Latencies,
    /// Times from the send.
    pub service: Latencies,
    pub succeeded: u64,
    pub failed: u64,
    pub rows: u64,
}

impl StatementInterval {
    pub(crate) fn new() -> Self {
        Self { response: Latencies::new(), service: Latencies::new(), succeeded: 0, failed: 0, rows: 0 }
    }
}

/// The requests completed within one second of the run, over all load threads.
#[derive(Debug, Clone)]
pub struct Interval {
    /// Since the start of the schedule.
    pub start_ns: u64,
    pub end_ns: u64,
    /// Wall-clock start of the schedule, nanoseconds since 1970.
    pub run_started_at_ns: u64,
    /// Number of requests with an intended start in the interval, and of those sent.
    pub intended: u64,
    pub sent: u64,
    pub statements: Vec<StatementInterval>,
    pub failures: Vec<FailureCount>,
    /// Number of requests in flight or waiting for a connection at the end of the interval.
    pub outstanding: u64,
    /// Time from the intended start to the send, summed over the sent requests.
    pub waited_ns: u64,
    /// The longest time from an intended start until a load thread took up the request.
    pub behind_ns: u64,
    /// Oversleeping of the idle thread that watches the CPU of each load thread.
    pub hiccups: Latencies,
    /// CPU time of this process within the interval.
    pub cpu_ns: u64,
}

impl Interval {
    pub(crate) fn new(statements: usize) -> Self {
        Self {
            start_ns: 0,
            end_ns: 0,
            run_started_at_ns: 0,
            intended: 0,
            sent: 0,
            statements: (0..statements).map(|_| StatementInterval::new()).collect(),
            failures: Vec::new(),
            outstanding: 0,
            waited_ns: 0,
            behind_ns: 0,
            hiccups: Latencies::new(),
            cpu_ns: 0,
        }
    }

    /// Adds the interval of another load thread or of another second.
    pub fn add(&mut self, other: &Interval) {
        for (mine, theirs) in self.statements.iter_mut().zip(&other.statements) {
            mine.response.add(&theirs.response);
            mine.service.add(&theirs.service);
            mine.succeeded += theirs.succeeded;
            mine.failed += theirs.failed;
            mine.rows += theirs.rows;
        }
        for theirs in &other.failures {
            self.count_failure(theirs.statement, theirs.failure, theirs.count, || theirs.first_message.clone());
        }
        self.intended += other.intended;
        self.sent += other.sent;
        self.outstanding += other.outstanding;
        self.waited_ns += other.waited_ns;
        self.behind_ns = self.behind_ns.max(other.behind_ns);
        self.hiccups.add(&other.hiccups);
        self.cpu_ns += other.cpu_ns;
    }

    pub(crate) fn count_failure(
        &mut self,
        statement: usize,
        failure: Failure,
        count: u64,
        message: impl FnOnce() -> String,
    ) {
        match self.failures.iter_mut().find(|f| f.statement == statement && f.failure == failure) {
            Some(known) => known.count += count,
            None => self.failures.push(FailureCount { statement, failure, count, first_message: message() }),
        }
    }

    pub(crate) fn clear(&mut self) {
        for s in &mut self.statements {
            s.response.clear();
            s.service.clear();
            (s.succeeded, s.failed, s.rows) = (0, 0, 0);
        }
        self.failures.clear();
        self.hiccups.clear();
        (self.intended, self.sent, self.outstanding) = (0, 0, 0);
        (self.waited_ns, self.behind_ns, self.cpu_ns) = (0, 0, 0);
    }
}

/// A finished run.
#[derive(Debug)]
pub struct Outcome {
    /// Everything recorded, warm-up excluded.
    pub total: Interval,
    pub intervals: u64,
    /// Wall-clock start of the schedule, nanoseconds since 1970.
    pub started_at_ns: u64,
    /// Base of the write timestamps: request `i` wrote with `timestamp_base_us + i`.
    pub timestamp_base_us: i64,
    /// Time from the start of the schedule to the last completion.
    pub elapsed_ns: u64,
    /// CPU time of this process over the whole run.
    pub cpu: CpuTime,
    pub late_responses: u64,
    pub warmup_requests: u64,
    pub acks: Vec<Acks>,
    /// Reasons why the numbers must not be trusted; empty for a valid run.
    pub invalid: Vec<String>,
    /// Events of connections, in order, at most a few hundred lines.
    pub notes: Vec<String>,
    pub peak_rss_bytes: u64,
}
