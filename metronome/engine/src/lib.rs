//! The open-loop load engine: one thread per core that owns its connections and records every request.
//!
//! A [`schedule::Schedule`] fixes when each request is meant to start. A load thread sends whatever is due, many requests
//! per system call, and records for each the response time (from the intended start) and the service time (from the
//! send), whether it succeeded, failed or timed out. There is no queue of due requests to overflow: the schedule itself
//! is the queue.

mod acks;
mod config;
mod connection;
mod handshake;
mod hiccup;
mod outcome;
mod recorder;
mod requests;
mod run;
mod slots;
mod topology;
mod transport;
mod worker;

pub use acks::Acks;
pub use config::{Config, Credentials, Protocol, Tls};
pub use handshake::Refusal;
pub use outcome::{Failure, FailureCount, Interval, Outcome, StatementInterval};
pub use requests::{Requests, StatementSpec};
pub use run::{RunError, Stop, run};
pub use topology::{Host, ReplicaRing, Topology, TopologyCell};
