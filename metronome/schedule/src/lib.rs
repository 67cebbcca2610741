//! When each request is meant to start: pure functions from an index to a time.
//!
//! A [`Schedule`] is a [`Profile`] (the offered rate over time) and [`Arrivals`] (how requests are spread within that
//! rate). Load threads each walk one [`Lane`]; the lanes of a schedule together hold every request exactly once.
//! Nothing here knows the present time, so a start can never be skipped, merged or moved.

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
    /// The requests of one of `lanes` load threads, in order of start.
    pub fn lane(&self, lane: u32, lanes: u32) -> Lane {
        Lane::new(self, lane, lanes)
    }

    /// Length in nanoseconds; `None` when it never ends.
    pub fn duration_ns(&self) -> Option<u64> {
        match self {
            Schedule::Rate { profile, .. } => profile.duration_ns(),
            Schedule::Trace(trace) => Some(trace.duration_ns()),
        }
    }

    /// Requests expected in all, rounded up; exact unless arrivals are random. `None` when it never ends.
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
