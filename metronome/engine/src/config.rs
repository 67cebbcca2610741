//! Configuration of a run.

use cql::Version;
use schedule::Schedule;
use std::sync::Arc;
use std::time::Duration;

/// User and password. `Debug` leaves the password out.
#[derive(Clone)]
pub struct Credentials {
    pub user: String,
    pub password: String,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credentials").field("user", &self.user).finish_non_exhaustive()
    }
}

/// TLS towards every host.
#[derive(Debug, Clone)]
pub struct Tls {
    pub config: Arc<rustls::ClientConfig>,
}

/// Protocol settings of every connection.
#[derive(Debug, Clone, Default)]
pub struct Protocol {
    /// `None`: version 5, or 4 where a server does not know 5.
    pub version: Option<Version>,
    pub lz4: bool,
    pub tls: Option<Tls>,
    pub credentials: Option<Credentials>,
}

/// A run of the engine.
#[derive(Debug, Clone)]
pub struct Config {
    pub schedule: Schedule,
    /// Requests with an intended start within this time are sent but not recorded.
    pub warmup: Duration,
    /// Number of load threads. Each has its own connections.
    pub threads: u32,
    /// Binds load thread `i` to CPU `pin[i]`.
    pub pin: Vec<usize>,
    pub connections_per_host: usize,
    /// Maximum number of requests in flight on one connection; 1 models a blocking client.
    pub in_flight: usize,
    pub request_timeout: Duration,
    pub connect_timeout: Duration,
    /// The run is invalid if a load thread takes up a request later than this after its intended start.
    pub max_behind: Duration,
    /// Minimum time between two looks of a load thread at the schedule, so that requests due close together share
    /// system calls. The wait is part of the response time. `None`: by the rate.
    pub send_quantum: Option<Duration>,
    /// Wall-clock start, nanoseconds since 1970; `None` starts at once.
    pub start_at_ns: Option<u64>,
    /// Whether to record which requests were acknowledged.
    pub acks: bool,
    /// Whether to retry on another host, within the request timeout, what was in flight on a lost connection and what
    /// a server turned away as overloaded, bootstrapping or unavailable. The response time continues. Only for
    /// idempotent statements.
    pub send_again: bool,
    pub protocol: Protocol,
}

/// The shortest useful send quantum: a sleep and a wake-up take about as long.
const SHORTEST_QUANTUM_NS: f64 = 20e3;
/// The longest send quantum chosen by rate: it adds less to a response time than a network does.
const LONGEST_QUANTUM_NS: f64 = 200e3;
/// From this rate of a load thread on, the longest applies.
const LONGEST_AT_RATE: f64 = 1e6;

/// Default send quantum of a load thread that offers `rate` requests a second, in nanoseconds: 20 us up to 10,000/s,
/// where requests are further apart than that, then growing with the square root of the rate (63 us at 100,000/s) to
/// 200 us at 1,000,000/s.
#[inline]
pub(crate) fn send_quantum_ns(rate: f64) -> u64 {
    let by_rate_ns = (rate / LONGEST_AT_RATE).sqrt() * LONGEST_QUANTUM_NS;
    by_rate_ns.clamp(SHORTEST_QUANTUM_NS, LONGEST_QUANTUM_NS) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_wait_for_company_only_where_there_is_company() {
        let quanta_us = [0.0, 1e4, 1e5, 1e6, 1e7].map(|rate| send_quantum_ns(rate) / 1_000);
        assert_eq!(quanta_us, [20, 20, 63, 200, 200]);
    }
}
