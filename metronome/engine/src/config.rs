//! What a run is told.

use cql::Version;
use schedule::Schedule;
use std::sync::Arc;
use std::time::Duration;

/// User and password. The password never shows in `Debug`.
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

/// How connections speak.
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
    /// Requests meant to start in the first part of the schedule are sent but not recorded.
    pub warmup: Duration,
    /// Load threads; each has its own connections.
    pub threads: u32,
    /// Binds load thread `i` to CPU `pin[i]`.
    pub pin: Vec<usize>,
    pub connections_per_host: usize,
    /// Most requests in flight on one connection; 1 is a blocking client.
    pub in_flight: usize,
    pub request_timeout: Duration,
    pub connect_timeout: Duration,
    /// The run is invalid if a load thread ever considers a request later than this after its intended start.
    pub max_behind: Duration,
    /// A load thread lets at least this long pass between looks at the schedule, so that requests due close together
    /// share system calls. What a request waits for that is part of its response time. `None`: by the rate.
    pub send_quantum: Option<Duration>,
    /// Wall-clock start, nanoseconds since 1970; `None` starts at once.
    pub start_at_ns: Option<u64>,
    /// Remember which requests were acknowledged.
    pub acks: bool,
    /// What was in flight on a connection that broke, and what a server turned away because it comes up, goes down or has too
    /// much to do, goes to another host, until its timeout has passed; its time goes on.
    /// Only for statements that may be executed twice.
    pub send_again: bool,
    pub protocol: Protocol,
}

/// The shortest send quantum that pays: a sleep and a wake-up take about as long.
const SHORTEST_QUANTUM_NS: f64 = 20e3;
/// The longest that is ever chosen: what it adds to a response time stays below what a network adds.
const LONGEST_QUANTUM_NS: f64 = 200e3;
/// A load thread at this rate gets the longest.
const LONGEST_AT_RATE: f64 = 1e6;

/// How long a load thread that offers `rate` requests a second lets pass between looks at its schedule, in nanoseconds, if
/// nothing else is asked: 20 us up to 10,000/s, where requests are further apart than that, then growing with the square
/// root of the rate (63 us at 100,000/s) to 200 us at 1,000,000/s.
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
