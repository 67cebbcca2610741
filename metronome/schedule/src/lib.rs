//! The intended start of each request: pure functions from an index to a time.
//!
//! A [`Schedule`] is a [`Profile`] (the offered rate over time) with [`Arrivals`] (the distribution of requests within
//! that rate). Each load thread walks one [`Lane`]; the lanes together hold every request exactly once. Nothing here
//! knows the current time, so no start can be skipped, merged or moved.

mod arrivals;
mod lane;
mod profile;
mod trace;

pub use arrivals::Arrivals;
pub use lane::{Lane, Start};
pub use profile::{Piece, Profile, ProfileError};
pub use trace::{Trace, TraceError};

use std::sync::Arc;

/// The intended start of every request of a run.
#[derive(Debug, Clone)]
pub enum Schedule {
    /// Requests spread over a rate profile.
    Rate { profile: Profile, arrivals: Arrivals },
    /// Requests replayed at recorded times.
    Trace(Arc<Trace>),
}

impl Schedule {
    /// Returns the requests of one of `lanes` load threads, in order of start.
    pub fn lane(&self, lane: u32, lanes: u32) -> Lane {
        Lane::new(self, lane, lanes)
    }

    /// Length in nanoseconds; `None` for an endless schedule.
    pub fn duration_ns(&self) -> Option<u64> {
        match self {
            Schedule::Rate { profile, .. } => profile.duration_ns(),
            Schedule::Trace(trace) => Some(trace.duration_ns()),
        }
    }

    /// Expected number of requests, rounded up; exact unless arrivals are random. `None` for an endless schedule.
    pub fn expected_requests(&self) -> Option<u64> {
        match self {
            Schedule::Rate { profile, .. } => profile.requests(),
            Schedule::Trace(trace) => Some(trace.starts_ns().len() as u64),
        }
    }

    /// Highest offered rate in requests per second; zero for a trace.
    pub fn peak_rate(&self) -> f64 {
        match self {
            Schedule::Rate { profile, .. } => profile.peak_rate(),
            Schedule::Trace(_) => 0.0,
        }
    }
}
