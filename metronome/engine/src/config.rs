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
    /// A load thread sleeps at least this long between looks at the schedule, so that requests due close together share
    /// system calls. What a request waits for that is part of its response time.
    pub send_quantum: Duration,
    /// Wall-clock start, nanoseconds since 1970; `None` starts at once.
    pub start_at_ns: Option<u64>,
    /// Remember which requests were acknowledged.
    pub acks: bool,
    pub protocol: Protocol,
}
