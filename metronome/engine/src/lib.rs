//! The open-loop load engine: one thread per core that owns its connections and records every request.
//!
//! A [`schedule::Schedule`] fixes the intended start of each request. A load thread sends the due requests, many per
//! system call. For each it records the response time (from the intended start) and the service time (from the send),
//! whether it succeeded, failed or timed out. No queue of due requests can overflow: the schedule itself is the queue.

mod acks;
mod aggregator;
mod config;
mod connection;
mod coordination;
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
pub use coordination::Stop;
pub use handshake::ConnectionError;
pub use outcome::{Failure, FailureCount, Interval, Outcome, StatementInterval};
pub use requests::{Requests, StatementSpec};
pub use run::{RunError, run};
pub use topology::{Host, ReplicaRing, Topology, TopologyCell};
